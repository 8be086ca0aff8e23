package corpus

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"sort"

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
	ranges []idRange
	last   int // range of the last number, tried first
}

// idRange holds the places of the numbers from lo up to hi (exclusive).
type idRange struct {
	lo, hi uint32
	total  int64 // places
	pairs  *part // uint32 number, uint32 place; nil: in memory
	places []uint32
	next   []uint32 // in memory: where the next place of number lo+i goes
}

// bytesPerPlace is the memory that sorting needs per place: the place, and an entry
// for a number that occurs once.
const bytesPerPlace = 8

// maxRanges is the approximate maximum number of ranges, regardless of the memory.
// Each range has a file.
const maxRanges = 64

func newInverter(dir string, m *merged, total, memory int64) (*inverter, error) {
	v := &inverter{dir: dir, n: m.n, freqs: m.freq}
	in, err := m.freq.reader()
	if err != nil {
		return nil, err
	}
	limit := max(memory/bytesPerPlace, total/maxRanges, 1<<10)
	cur := idRange{}
	for id := range m.n {
		f, err := readUvarint(in)
		if err != nil {
			return nil, err
		}
		if cur.total > 0 && cur.total+int64(f) > limit {
			v.ranges = append(v.ranges, cur)
			cur = idRange{lo: uint32(id)}
		}
		cur.hi = uint32(id) + 1
		cur.total += int64(f)
	}
	v.ranges = append(v.ranges, cur)
	if len(v.ranges) == 1 {
		in, err := m.freq.reader()
		if err != nil {
			return nil, err
		}
		return v, v.ranges[0].begin(in)
	}
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

// add adds the next place of number id. Places must increase.
func (v *inverter) add(id, place uint32) {
	if len(v.ranges) == 1 {
		r := &v.ranges[0]
		r.places[r.next[id]] = place
		r.next[id]++
		return
	}
	r := &v.ranges[v.last]
	if id < r.lo || id >= r.hi {
		v.last = sort.Search(len(v.ranges), func(i int) bool { return id < v.ranges[i].hi })
		r = &v.ranges[v.last]
	}
	r.pairs.uint32(id)
	r.pairs.uint32(place)
}

// begin allocates the places of the range. freqs yields the frequencies of its
// numbers.
func (r *idRange) begin(freqs *bufio.Reader) error {
	r.places = make([]uint32, r.total)
	r.next = make([]uint32, r.hi-r.lo)
	sum := uint32(0)
	for i := range r.next {
		r.next[i] = sum
		f, err := readUvarint(freqs)
		if err != nil {
			return err
		}
		sum += uint32(f)
	}
	return nil
}

// load sorts the places in the file.
func (r *idRange) load(freqs *bufio.Reader) error {
	if err := r.begin(freqs); err != nil {
		return err
	}
	in, err := r.pairs.reader()
	if err != nil {
		return err
	}
	for range r.total {
		id, err := readUint32(in)
		if err != nil {
			return err
		}
		place, err := readUint32(in)
		if err != nil {
			return err
		}
		id -= r.lo
		r.places[r.next[id]] = place
		r.next[id]++
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
	freqs, err := v.freqs.reader()
	if err != nil {
		return err
	}
	w.Section(name + "/lists")
	out := listWriter{w: bufio.NewWriterSize(w, 1<<16), lens: lens}
	for i := range v.ranges {
		r := &v.ranges[i]
		if r.pairs != nil && r.hi-r.lo == 1 { // one number: its places are already sorted
			if _, err := readUvarint(freqs); err != nil {
				return err
			}
			err = out.stream(r)
		} else {
			if r.pairs != nil {
				err = r.load(freqs)
			}
			if err == nil {
				err = out.sorted(r)
			}
		}
		if err != nil {
			return err
		}
		r.places, r.next = nil, nil
	}
	out.w.Write(make([]byte, listPad))
	if err := out.w.Flush(); err != nil {
		return err
	}
	return writeSums(w, name+"/at", lens, v.n, uint64(out.n))
}

// listWriter writes lists one after another.
type listWriter struct {
	w    *bufio.Writer
	lens *part
	n    int64 // bytes
	enc  lister
	buf  []byte
}

func (l *listWriter) write(list []byte) {
	l.w.Write(list)
	l.lens.uvarint(uint64(len(list)))
	l.n += int64(len(list))
	l.buf = list[:0]
}

// listPiece holds the lists of consecutive numbers.
type listPiece struct {
	next []uint32 // end of the places of each number
	from uint32   // start of the places of the first number
	out  []byte
	lens []int
	enc  lister
}

// piecePlaces is the approximate number of places in a listPiece.
const piecePlaces = 1 << 16

// sorted writes the lists of a range in memory, whose next holds the ends by now.
func (l *listWriter) sorted(r *idRange) error {
	next, from := r.next, uint32(0)
	return pipeline.Flow[listPiece]{Workers: min(runtime.GOMAXPROCS(0), atOnce), Read: func(x *listPiece) error {
		if len(next) == 0 {
			return io.EOF
		}
		n := sort.Search(len(next)-1, func(i int) bool { return next[i]-from >= piecePlaces }) + 1
		x.next, x.from = next[:n], from
		next, from = next[n:], next[n-1]
		return nil
	}, Work: func(_ int, x *listPiece) error {
		x.out, x.lens = x.out[:0], x.lens[:0]
		from := x.from
		for _, to := range x.next {
			start := len(x.out)
			x.enc.begin(x.out)
			for _, p := range r.places[from:to] {
				x.enc.add(p)
			}
			x.out = x.enc.end()
			x.lens = append(x.lens, len(x.out)-start)
			from = to
		}
		return nil
	}, Use: func(x *listPiece) error {
		l.w.Write(x.out)
		l.n += int64(len(x.out))
		for _, n := range x.lens {
			l.lens.uvarint(uint64(n))
		}
		return nil
	}}.Run(context.Background())
}

// stream writes the list of a range with one number.
func (l *listWriter) stream(r *idRange) error {
	in, err := r.pairs.reader()
	if err != nil {
		return err
	}
	l.enc.begin(l.buf[:0])
	var pair [8]byte
	for range r.total {
		if _, err := io.ReadFull(in, pair[:]); err != nil {
			return err
		}
		l.enc.add(binary.LittleEndian.Uint32(pair[4:]))
	}
	l.write(l.enc.end())
	return nil
}
