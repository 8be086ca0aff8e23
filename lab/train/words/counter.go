package words

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"

	"chaffinch/internal/extsort"
	"chaffinch/internal/huge"
	"chaffinch/text/lm"
)

// counter counts the n-grams of the longest order. Token ids are buffered in memory and sorted
// there as short keys without counts. Only if they do not fit, or have different weights, are the
// counts written to an external sort.
type counter struct {
	order  int
	vocab  *vocab
	memory int64
	dir    string
	ids    [][]uint32 // buffered sentences in chunks, each after lm.Begin
	n      int        // number of buffered ids
	ticks  uint64     // weight of each buffered n-gram
	keys   []byte     // buffer of the keys
	aux    []byte     // buffer of the same size for sorting
	out    *extsort.Sorter
}

func newCounter(order int, v *vocab, memory int64, dir string) *counter {
	return &counter{order: order, vocab: v, memory: memory, dir: dir}
}

// most returns the maximum number of buffered ids, except for one sentence. The buffer uses all
// memory until there is an external sort, and a third of it afterwards.
func (c *counter) most() int {
	memory := c.memory
	if c.out != nil {
		memory /= 3
	}
	size := keyBytes(newPacking(c.vocab.len()).size(c.order))
	return int(max(memory/int64(4+2*size), minIDs))
}

const minIDs = 1 << 10

// keySlack is the maximum number of bytes read after the keys.
const keySlack = 8

// keyBytes returns the record size for a key of n bytes: records of eight bytes are sorted faster
// than shorter ones.
func keyBytes(n int) int { return max(n, 8) }

// add adds the ids of a sentence, preceded by lm.Begin and including lm.End.
func (c *counter) add(sentence []uint32, ticks uint64) error {
	most := c.most()
	if ticks != c.ticks || c.n+len(sentence) > most {
		c.tally()
		if err := c.spill(); err != nil {
			return err
		}
		c.ticks = ticks
	}
	last := len(c.ids) - 1
	if last < 0 || len(c.ids[last])+len(sentence) > cap(c.ids[last]) {
		last++
		if c.ids = slices.Grow(c.ids, 1)[:last+1]; cap(c.ids[last]) < len(sentence) {
			c.ids[last] = make([]uint32, 0, max(len(sentence), chunkIDs))
		}
		c.ids[last] = c.ids[last][:0]
	}
	c.ids[last] = append(c.ids[last], sentence...)
	c.n += len(sentence)
	return nil
}

// chunkIDs is the number of ids of a chunk.
const chunkIDs = 1 << 16

// tally counts the buffered words.
func (c *counter) tally() {
	v := c.vocab
	v.counts = append(v.counts, make([]wordCount, v.len()-len(v.counts))...)
	raw := make([]uint32, v.len())
	for _, ids := range c.ids {
		for _, id := range ids {
			raw[id]++
		}
	}
	for id, n := range raw {
		v.counts[id].raw += uint64(n)
		v.counts[id].mass += uint64(n) * c.ticks
	}
}

// spill counts the buffered n-grams and adds them to the external sort.
func (c *counter) spill() error {
	if c.n == 0 {
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
		c.ids, c.keys, c.aux = nil, nil, nil // smaller from now on
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
	c.ids, c.n = c.ids[:0], 0
	return nil
}

// mergeCounts adds the counts of an n-gram in the external sort.
func mergeCounts(dst, src []byte) {
	d, s := dst[len(dst)-16:], src[len(src)-16:]
	binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(d)+binary.LittleEndian.Uint64(s))
	binary.LittleEndian.PutUint64(d[8:], binary.LittleEndian.Uint64(d[8:])+binary.LittleEndian.Uint64(s[8:]))
}

// sort sorts the buffered n-grams.
func (c *counter) sort() *sortedKeys {
	p := newPacking(c.vocab.len())
	size := keyBytes(p.size(c.order))
	if n := size*c.n + keySlack; n > cap(c.keys) {
		c.keys, c.aux = huge.Make[byte](n, 0), huge.Make[byte](n, 0)
	}
	keys := c.pack(p, c.keys[:0], size)
	keys, c.aux = extsort.Sort(keys, c.aux[:len(keys)], size, size, runtime.GOMAXPROCS(0))
	c.keys = keys
	return &sortedKeys{packing: p, keys: keys[:len(keys)+keySlack], end: len(keys), size: size, order: c.order, ticks: c.ticks}
}

// pack appends the keys of all buffered n-grams, of size bytes each.
func (c *counter) pack(p packing, keys []byte, size int) []byte {
	if uint(c.order)*p.bits <= 64 {
		return c.packShort(p, keys)
	}
	var gram [lm.MaxOrder]uint32
	for _, ids := range c.ids {
		for _, id := range ids {
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
	}
	return keys
}

// packShort is pack for keys that fit into one integer.
func (c *counter) packShort(p packing, keys []byte) []byte {
	begins := uint64(0)
	for range c.order {
		begins = begins>>p.bits | uint64(lm.Begin)<<(64-p.bits)
	}
	mask := ^uint64(0) << (64 - uint(c.order)*p.bits)
	gram := begins
	for _, ids := range c.ids {
		for _, id := range ids {
			if id == lm.Begin {
				gram = begins
				continue
			}
			gram = (gram>>p.bits | uint64(id)<<(64-p.bits)) & mask
			keys = binary.BigEndian.AppendUint64(keys, gram)
		}
	}
	return keys
}

// end ends the counting and returns the counts.
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

// count is a counted n-gram.
type count struct {
	ids      [lm.MaxOrder]uint32 // ids of the counting, the last word first
	n, ticks uint64              // occurrences and their weight
}

// sortedKeys holds packed n-grams in sorted order.
type sortedKeys struct {
	packing
	keys        []byte // followed by other bytes
	at, end     int
	size, order int
	ticks       uint64 // the weight of each n-gram
}

// next reads an n-gram with its count and reports whether there is one.
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

// same skips equal n-grams and returns their number.
func (s *sortedKeys) same() (n uint64) {
	for key := s.keys[s.at : s.at+s.size]; s.at < s.end && bytes.Equal(s.keys[s.at:s.at+s.size], key); s.at += s.size {
		n++
	}
	return n
}

// counts holds the n-grams of the longest order with their counts in suffix order, in memory or in
// an external sort.
type counts struct {
	order  int
	keys   *sortedKeys
	sorted *extsort.Sorted
	r      *extsort.Reader
}

// most returns an upper bound of the number of distinct n-grams.
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

// spilled returns the number of runs on disk.
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
