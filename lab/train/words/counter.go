package words

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"chaffinch/internal/extsort"
	"chaffinch/internal/huge"
	"chaffinch/text/lm"
)

// counter counts the n-grams of the longest order. Ids of tokens wait in memory, and are
// sorted there as keys alone, which are short. Only where there is no room for all of them, or
// where they have not the same weight, what was counted goes to an external sort.
type counter struct {
	order  int
	vocab  *vocab
	memory int64
	dir    string
	ids    []uint32 // sentences that wait, each after lm.Begin
	ticks  uint64   // the weight of each n-gram that waits
	keys   []byte   // room for the keys
	aux    []byte   // and as much for sorting
	out    *extsort.Sorter
}

func newCounter(order int, v *vocab, memory int64, dir string) *counter {
	return &counter{order: order, vocab: v, memory: memory, dir: dir}
}

// most returns how many ids may wait, but for one sentence. All memory is for what waits until
// there is an external sort, and a third from then on.
func (c *counter) most() int {
	memory := c.memory
	if c.out != nil {
		memory /= 3
	}
	size := keyBytes(newPacking(c.vocab.len()).size(c.order))
	return int(max(memory/int64(4+2*size), minIDs))
}

const minIDs = 1 << 10

// keySlack is what is read behind keys at most.
const keySlack = 8

// keyBytes is how much a key of n bytes takes: those of eight bytes are sorted
// faster than shorter ones.
func keyBytes(n int) int { return max(n, 8) }

// add takes the ids of a sentence, lm.Begin before them and lm.End among them.
func (c *counter) add(sentence []uint32, ticks uint64) error {
	most := c.most()
	if ticks != c.ticks || len(c.ids)+len(sentence) > most {
		if err := c.spill(); err != nil {
			return err
		}
		c.ticks = ticks
	}
	if n := len(c.ids) + len(sentence); n > cap(c.ids) {
		c.ids = append(make([]uint32, 0, max(n, min(2*n, most))), c.ids...)
	}
	c.ids = append(c.ids, sentence...)
	return nil
}

// spill counts what waits and gives it to the external sort.
func (c *counter) spill() error {
	if len(c.ids) == 0 {
		return nil
	}
	first := c.out == nil
	if first {
		var err error
		c.out, err = extsort.New(extsort.Config{
			Record: 4*c.order + 16, Key: 4 * c.order, Memory: c.memory / 3 * 2,
			Workers: runtime.GOMAXPROCS(0), Dir: c.dir, Merge: mergeCounts,
		})
		if err != nil {
			return err
		}
	}
	r := c.sort()
	if first {
		c.ids, c.keys, c.aux = nil, nil, nil // from now on less of it
	}
	for x := (count{}); r.next(&x); {
		rec, err := c.out.Add()
		if err != nil {
			return err
		}
		for i, id := range x.ids[:c.order] {
			binary.BigEndian.PutUint32(rec[4*i:], id)
		}
		binary.LittleEndian.PutUint64(rec[4*c.order:], x.n)
		binary.LittleEndian.PutUint64(rec[4*c.order+8:], x.ticks)
	}
	c.ids = c.ids[:0]
	return nil
}

// mergeCounts adds up the counts of an n-gram in the external sort.
func mergeCounts(dst, src []byte) {
	d, s := dst[len(dst)-16:], src[len(src)-16:]
	binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(d)+binary.LittleEndian.Uint64(s))
	binary.LittleEndian.PutUint64(d[8:], binary.LittleEndian.Uint64(d[8:])+binary.LittleEndian.Uint64(s[8:]))
}

// sort sorts what waits.
func (c *counter) sort() *sortedKeys {
	p := newPacking(c.vocab.len())
	size := keyBytes(p.size(c.order))
	if n := size*len(c.ids) + keySlack; n > cap(c.keys) {
		c.keys, c.aux = huge.Make[byte](n, 0), huge.Make[byte](n, 0)
	}
	keys := c.pack(p, c.keys[:0], size)
	keys, c.aux = extsort.Sort(keys, c.aux[:len(keys)], size, size, runtime.GOMAXPROCS(0))
	c.keys = keys
	return &sortedKeys{packing: p, keys: keys[:len(keys)+keySlack], end: len(keys), size: size, order: c.order, ticks: c.ticks}
}

// pack appends the keys of all n-grams that wait, of size bytes each.
func (c *counter) pack(p packing, keys []byte, size int) []byte {
	if uint(c.order)*p.bits <= 64 {
		return c.packShort(p, keys)
	}
	var gram [lm.MaxOrder]uint32
	for _, id := range c.ids {
		if id == lm.Begin {
			for j := range gram {
				gram[j] = lm.Begin
			}
			continue
		}
		copy(gram[1:], gram[:c.order-1])
		gram[0] = id
		keys = keys[:len(keys)+size]
		p.put(keys[len(keys)-size:], gram[:c.order])
	}
	return keys
}

// packShort is pack for keys that are one number.
func (c *counter) packShort(p packing, keys []byte) []byte {
	begins := uint64(0)
	for range c.order {
		begins = begins>>p.bits | uint64(lm.Begin)<<(64-p.bits)
	}
	mask := ^uint64(0) << (64 - uint(c.order)*p.bits)
	gram := begins
	for _, id := range c.ids {
		if id == lm.Begin {
			gram = begins
			continue
		}
		gram = (gram>>p.bits | uint64(id)<<(64-p.bits)) & mask
		keys = binary.BigEndian.AppendUint64(keys, gram)
	}
	return keys
}

// end ends the counting.
func (c *counter) end() (*counts, error) {
	x := &counts{order: c.order}
	var err error
	if c.out == nil {
		x.keys = c.sort()
	} else if err = c.spill(); err == nil {
		x.sorted, err = c.out.Sort()
	}
	c.ids, c.keys, c.aux = nil, nil, nil
	return x, err
}

func (c *counter) close() error {
	c.ids, c.keys, c.aux = nil, nil, nil
	if c.out == nil {
		return nil
	}
	return c.out.Close()
}

// count is an n-gram that was counted.
type count struct {
	ids      [lm.MaxOrder]uint32 // of the counting, the last word first
	n, ticks uint64              // occurrences and their weight
}

// sortedKeys are packed n-grams in order.
type sortedKeys struct {
	packing
	keys        []byte // and other bytes behind them
	at, end     int
	size, order int
	ticks       uint64 // the weight of each
}

// next reads an n-gram and counts it.
func (s *sortedKeys) next(x *count) bool {
	if s.at == s.end {
		return false
	}
	rec := s.keys[s.at:]
	for i := range s.order {
		x.ids[i] = s.id(rec, i)
	}
	x.n = s.same()
	x.ticks = x.n * s.ticks
	return true
}

// same steps over n-grams that are the same and returns how many there are.
func (s *sortedKeys) same() (n uint64) {
	for key := s.keys[s.at : s.at+s.size]; s.at < s.end && bytes.Equal(s.keys[s.at:s.at+s.size], key); s.at += s.size {
		n++
	}
	return n
}

// counts are the n-grams of the longest order with their counts, in suffix order: in
// memory, or from an external sort.
type counts struct {
	order  int
	keys   *sortedKeys
	sorted *extsort.Sorted
	r      *extsort.Reader
}

// most returns how many different n-grams there are at most.
func (c *counts) most() (n uint64) {
	if c.keys == nil {
		return c.sorted.Len()
	}
	for s := *c.keys; s.at < s.end; n++ {
		s.same()
	}
	return n
}

// next reads an n-gram; ok is false at the end.
func (c *counts) next(x *count) (ok bool, err error) {
	if c.keys != nil {
		return c.keys.next(x), nil
	}
	if c.r == nil {
		if c.r, err = c.sorted.Open(); err != nil {
			return false, err
		}
	}
	rec, err := c.r.Next()
	if rec == nil || err != nil {
		return false, err
	}
	for i := range c.order {
		x.ids[i] = binary.BigEndian.Uint32(rec[4*i:])
	}
	rec = rec[4*c.order:]
	x.n, x.ticks = binary.LittleEndian.Uint64(rec), binary.LittleEndian.Uint64(rec[8:])
	return true, nil
}

// spilled tells how many runs went to disk.
func (c *counts) spilled() int {
	if c.sorted == nil {
		return 0
	}
	return c.sorted.Spilled()
}

func (c *counts) close() error {
	c.keys = nil
	if c.sorted == nil {
		return nil
	}
	return c.sorted.Close()
}
