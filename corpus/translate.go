package corpus

import (
	"encoding/binary"
	"fmt"
	"slices"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/parallel"
)

const (
	// pieceValues is the number of values that are translated at a time, a multiple of bitpack.Group.
	pieceValues = 1 << 13
	// roundPieces is the number of pieces per worker in a round.
	roundPieces = 16
)

// translated is a piece of the values of a column as final numbers.
type translated struct {
	at     uint32 // first value
	n      int
	packed []byte
	ids    []uint32 // if the inverter has one bucket; else:
	pairs  []byte   // uint32 number, uint32 place; by bucket
	ends   []int    // of each bucket in pairs
	err    error
}

// runNumbers holds the final numbers of the words of a run.
type runNumbers struct {
	until int64 // values of this and earlier runs
	final []uint32
}

// translate writes the values as final numbers of width bits, and passes them to v. It works in rounds: several
// goroutines translate pieces of the values, then they invert buckets of numbers and write the pieces.
func (c *column) translate(w sections, width uint, v *inverter) error {
	w.Section(c.name + "/ids")
	out := bitpack.NewWriter(w, width)
	if err := c.ids.flush(); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	workers := parallel.Workers(0)
	round := make([]translated, 1)
	if workers > 1 {
		round = make([]translated, roundPieces*workers)
	}
	bufs := make([]struct {
		data []byte
		ids  []uint32
	}, workers)
	var runs []runNumbers // of the round
	read := 0             // runs read
	for at := int64(0); at < c.n; {
		for len(runs) > 0 && runs[0].until <= at {
			runs = slices.Delete(runs, 0, 1)
		}
		pieces := round[:0]
		for len(pieces) < len(round) && at < c.n {
			x := &round[len(pieces)]
			x.at, x.n = uint32(at), int(min(pieceValues, c.n-at))
			at += int64(x.n)
			pieces = round[:len(pieces)+1]
		}
		for len(runs) == 0 || runs[len(runs)-1].until < at {
			final, err := c.numbers(c.runs[read])
			if err != nil {
				return err
			}
			runs = append(runs, runNumbers{c.runs[read].until, final})
			read++
		}
		parallel.EachOf(workers, len(pieces), func(worker, i int) {
			x, buf := &pieces[i], &bufs[worker]
			if buf.data == nil {
				buf.data = make([]byte, 4*pieceValues)
			}
			buf.ids, x.err = x.read(buf.ids[:0], c.ids, runs, buf.data)
			x.packed = bitpack.Append(x.packed[:0], buf.ids, width)
			if v.buckets != nil {
				x.distribute(v, buf.ids)
			} else {
				x.ids, buf.ids = buf.ids, x.ids
			}
		})
		for i := range pieces {
			if pieces[i].err != nil {
				return pieces[i].err
			}
		}
		parallel.Each(workers, 1+v.parts, func(i int) {
			if i > 0 {
				v.add(i-1, pieces)
				return
			}
			for i := range pieces {
				out.AddPacked(pieces[i].packed, pieces[i].n)
			}
		})
	}
	return out.Close()
}

// read appends the final numbers of the values to ids.
func (x *translated) read(ids []uint32, in *part, runs []runNumbers, buf []byte) ([]uint32, error) {
	buf = buf[:4*x.n]
	if _, err := in.f.ReadAt(buf, 4*int64(x.at)); err != nil {
		return ids, fmt.Errorf("temporary file: %w", err)
	}
	for i := 0; i < x.n; {
		for runs[0].until <= int64(x.at)+int64(i) {
			runs = runs[1:]
		}
		to := int(min(int64(x.n), runs[0].until-int64(x.at)))
		for final := runs[0].final; i < to; i++ {
			ids = append(ids, final[binary.LittleEndian.Uint32(buf[4*i:])])
		}
	}
	return ids, nil
}

// distribute sorts the numbers with their places by bucket.
func (x *translated) distribute(v *inverter, ids []uint32) {
	x.ends = slices.Grow(x.ends[:0], v.parts)[:v.parts]
	clear(x.ends)
	for _, id := range ids {
		x.ends[v.buckets[id]]++
	}
	from := 0
	for i, n := range x.ends {
		x.ends[i] = from
		from += 8 * n
	}
	x.pairs = slices.Grow(x.pairs[:0], from)[:from]
	for i, id := range ids {
		at := &x.ends[v.buckets[id]]
		binary.LittleEndian.PutUint64(x.pairs[*at:], uint64(id)|(uint64(x.at)+uint64(i))<<32)
		*at += 8
	}
}

// bucket returns the pairs of a bucket.
func (x *translated) bucket(i int) []byte {
	if i == 0 {
		return x.pairs[:x.ends[0]]
	}
	return x.pairs[x.ends[i-1]:x.ends[i]]
}
