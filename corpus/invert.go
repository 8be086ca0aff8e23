package corpus

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"sort"

	"chaffinch/internal/parallel"
	"chaffinch/pipeline"
)

// inverter turns a sequence of numbers into the list of places of each number, in
// bounded memory. The numbers are divided into ranges whose places fit into memory.
// The places of each range go to a separate file, or stay in memory if there is only
// one range. Each range is then sorted by counting.
type inverter struct {
	dir    string
	n      int // numbers (words)
	freqs  *part
	memory int64
	ranges []idRange
	// Numbers are added by bucket: the ranges, or parts of the only range. With one, buckets is nil.
	parts   int
	buckets []uint8 // bucket of each number
}

// idRange holds the places of the numbers from lo up to hi (exclusive).
type idRange struct {
	lo, hi uint32
	freqs  int64 // where the frequencies of its numbers begin
	total  int64 // places
	pairs  *part // uint32 number, uint32 place; nil: in memory
	places []uint32
	next   []uint32 // in memory: where the next place of number lo+i goes
}

// bytesPerPlace is the memory that sorting needs per place: the place, and an entry
// for a number that occurs once.
const bytesPerPlace = 8

// maxRanges is the approximate maximum number of ranges, regardless of the memory.
// Each range has a file. There are at most about twice as many, so that buckets have
// numbers below 256.
const maxRanges = 64

// minSplit is the minimum number of places in memory that are sorted by several
// goroutines.
const minSplit = 1 << 16

func newInverter(dir string, m *merged, total, memory int64) (*inverter, error) {
	v := &inverter{dir: dir, n: m.n, freqs: m.freq, memory: memory, parts: 1}
	in, err := m.freq.reader()
	if err != nil {
		return nil, err
	}
	limit := max(memory/bytesPerPlace, 1<<10)
	if workers := int64(parallel.Workers(0)); total > limit { // several ranges are sorted at once
		limit = max(limit/workers, total/maxRanges, 1<<10)
		v.buckets = make([]uint8, m.n)
	}
	cur, at := idRange{}, int64(0)
	for id := range m.n {
		f, err := readUvarint(in)
		if err != nil {
			return nil, err
		}
		if cur.total > 0 && cur.total+int64(f) > limit {
			v.ranges = append(v.ranges, cur)
			cur = idRange{lo: uint32(id), freqs: at}
		}
		cur.hi = uint32(id) + 1
		cur.total += int64(f)
		at += int64(bits.Len64(f|1)+6) / 7
		if v.buckets != nil {
			v.buckets[id] = uint8(len(v.ranges))
		}
	}
	v.ranges = append(v.ranges, cur)
	if len(v.ranges) == 1 {
		r := &v.ranges[0]
		if err := r.begin(m.freq); err != nil {
			return nil, err
		}
		v.buckets = nil
		if workers := min(parallel.Workers(0), maxRanges); workers > 2 && r.total >= minSplit { // with two, the other one writes
			v.parts, v.buckets = workers, make([]uint8, m.n)
			for i, at := range r.next {
				v.buckets[i] = uint8(int64(at) * int64(workers) / r.total)
			}
		}
		return v, nil
	}
	v.parts = len(v.ranges)
	for i := range v.ranges {
		if v.ranges[i].pairs, err = newPart(dir); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *inverter) close() {
	for _, r := range v.ranges {
		if r.pairs != nil {
			r.pairs.close()
		}
	}
}

// add adds the numbers of a bucket. Places must increase.
func (v *inverter) add(bucket int, pieces []translated) {
	for i := range pieces {
		x := &pieces[i]
		if r := &v.ranges[0]; v.buckets == nil {
			for i, id := range x.ids {
				r.places[r.next[id]] = x.at + uint32(i)
				r.next[id]++
			}
		} else if r.pairs == nil {
			r.sort(x.bucket(bucket))
		} else {
			v.ranges[bucket].pairs.Write(x.bucket(bucket))
		}
	}
}

// begin allocates the places of the range. freqs holds the frequencies of all numbers.
func (r *idRange) begin(freqs *part) error {
	in, err := freqs.section(r.freqs, freqs.n, partBuffer)
	if err != nil {
		return err
	}
	r.places = make([]uint32, r.total)
	r.next = make([]uint32, r.hi-r.lo)
	sum := uint32(0)
	for i := range r.next {
		r.next[i] = sum
		f, err := readUvarint(in)
		if err != nil {
			return err
		}
		sum += uint32(f)
	}
	return nil
}

// sort adds pairs.
func (r *idRange) sort(pairs []byte) {
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		pair := binary.LittleEndian.Uint64(pairs)
		id := uint32(pair) - r.lo
		r.places[r.next[id]] = uint32(pair >> 32)
		r.next[id]++
	}
}

// load sorts the places in the file.
func (r *idRange) load(freqs *part) error {
	if err := r.begin(freqs); err != nil {
		return err
	}
	in, err := r.pairs.reader()
	if err != nil {
		return err
	}
	for left := 8 * r.total; left > 0; {
		b, err := in.Peek(int(min(left, partBuffer)))
		if err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		r.sort(b)
		left -= int64(len(b))
		in.Discard(len(b))
	}
	return nil
}

// listPad lets a cursor load 8 bytes at the end of the last list.
const listPad = 16

// finish writes the sections with the lists and their end offsets.
func (v *inverter) finish(w sections, name string) error {
	lens, err := newPart(v.dir)
	if err != nil {
		return err
	}
	defer lens.close()
	w.Section(name + "/lists")
	out, size := bufio.NewWriterSize(w, 1<<16), int64(0)
	flow := pipeline.Flow[listPiece]{Read: v.rangeOnDisk(), Memory: v.memory, Size: func(x *listPiece) int64 {
		return bytesPerPlace * x.r.total
	}, Work: func(_ int, x *listPiece) error { return x.encode(v.freqs) }, Use: func(x *listPiece) error {
		out.Write(x.out)
		size += int64(len(x.out))
		for _, n := range x.lens {
			lens.uvarint(uint64(n))
		}
		if x.r.pairs != nil {
			*x = listPiece{}
		}
		return nil
	}}
	if v.ranges[0].pairs == nil {
		flow.Read, flow.Memory = v.ranges[0].pieces(), 0
	}
	if err := flow.Run(context.Background()); err != nil {
		return err
	}
	out.Write(make([]byte, listPad))
	if err := out.Flush(); err != nil {
		return err
	}
	return writeSums(w, name+"/at", lens, v.n, uint64(size))
}

// listPiece holds the lists of consecutive numbers.
type listPiece struct {
	r    *idRange
	next []uint32 // end of the places of each number
	from uint32   // start of the places of the first number
	out  []byte
	lens []int
	enc  lister
}

// piecePlaces is the approximate number of places in a listPiece of a range in memory.
const piecePlaces = 1 << 16

// pieces returns a function that reads the pieces of a range in memory, whose next holds the ends by now.
func (r *idRange) pieces() func(x *listPiece) error {
	next, from := r.next, uint32(0)
	return func(x *listPiece) error {
		if len(next) == 0 {
			return io.EOF
		}
		n := sort.Search(len(next)-1, func(i int) bool { return next[i]-from >= piecePlaces }) + 1
		x.r, x.next, x.from = r, next[:n], from
		next, from = next[n:], next[n-1]
		return nil
	}
}

// rangeOnDisk returns a function that reads the ranges on disk, each as a piece.
func (v *inverter) rangeOnDisk() func(x *listPiece) error {
	next := 0
	return func(x *listPiece) error {
		if next == len(v.ranges) {
			return io.EOF
		}
		x.r = &v.ranges[next]
		next++
		return nil
	}
}

// encode encodes the lists.
func (x *listPiece) encode(freqs *part) error {
	x.out, x.lens = x.out[:0], x.lens[:0]
	if x.r.pairs != nil {
		if x.r.hi-x.r.lo == 1 { // one number: its places are already sorted
			return x.stream()
		}
		if err := x.r.load(freqs); err != nil {
			return err
		}
		x.next, x.from = x.r.next, 0
	}
	from := x.from
	for _, to := range x.next {
		start := len(x.out)
		x.enc.begin(x.out)
		for _, p := range x.r.places[from:to] {
			x.enc.add(p)
		}
		x.out = x.enc.end()
		x.lens = append(x.lens, len(x.out)-start)
		from = to
	}
	if x.r.pairs != nil {
		x.r.places, x.r.next = nil, nil
	}
	return nil
}

// stream encodes the list of a range with one number.
func (x *listPiece) stream() error {
	in, err := x.r.pairs.reader()
	if err != nil {
		return err
	}
	x.enc.begin(x.out)
	var pair [8]byte
	for range x.r.total {
		if _, err := io.ReadFull(in, pair[:]); err != nil {
			return err
		}
		x.enc.add(binary.LittleEndian.Uint32(pair[4:]))
	}
	x.out = x.enc.end()
	x.lens = append(x.lens, len(x.out))
	return nil
}
