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
	roundPieces = 8
)

// translated is a piece of the values of a column as final numbers.
type translated struct {
	at     uint32 // first value
	ids    []uint32
	packed []byte // ids, if their number is a multiple of bitpack.Group
	pairs  []byte // uint32 number, uint32 place; by bucket of the inverter, if it has several
	ends   []int  // of each bucket in pairs
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
	bufs := make([][]byte, workers)
	var runs []runNumbers // of the round
	read := 0             // runs read
	for at := int64(0); at < c.n; {
		for len(runs) > 0 && runs[0].until <= at {
			runs = slices.Delete(runs, 0, 1)
		}
		pieces := round[:0]
		for ; len(pieces) < len(round) && at < c.n; at += int64(len(pieces[len(pieces)-1].ids)) {
			pieces = pieces[:len(pieces)+1]
			x := &pieces[len(pieces)-1]
			x.at, x.ids = uint32(at), slices.Grow(x.ids[:0], pieceValues)[:min(pieceValues, c.n-at)]
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
			if bufs[worker] == nil {
				bufs[worker] = make([]byte, 4*pieceValues)
			}
			x := &pieces[i]
			if x.err = x.read(c.ids, runs, bufs[worker]); len(x.ids)%bitpack.Group == 0 {
				x.packed = bitpack.Append(x.packed[:0], x.ids, width)
			}
			if x.err == nil && len(v.buckets) > 0 {
				x.distribute(v)
			}
		})
		for i := range pieces {
			if pieces[i].err != nil {
				return pieces[i].err
			}
		}
		parallel.Each(workers, 1+max(1, v.parts), func(i int) {
			if i > 0 {
				v.add(i-1, pieces)
				return
			}
			for i := range pieces {
				if x := &pieces[i]; len(x.ids)%bitpack.Group == 0 {
					out.AddPacked(x.packed, len(x.ids))
				} else {
					for _, id := range x.ids {
						out.Add(uint64(id))
					}
				}
			}
		})
	}
	return out.Close()
}

// read reads the values and translates them.
func (x *translated) read(ids *part, runs []runNumbers, buf []byte) error {
	if _, err := ids.f.ReadAt(buf[:4*len(x.ids)], 4*int64(x.at)); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	for i := 0; i < len(x.ids); {
		for runs[0].until <= int64(x.at)+int64(i) {
			runs = runs[1:]
		}
		to := int(min(int64(len(x.ids)), runs[0].until-int64(x.at)))
		for final := runs[0].final; i < to; i++ {
			x.ids[i] = final[binary.LittleEndian.Uint32(buf[4*i:])]
		}
	}
	return nil
}

// distribute sorts the numbers with their places by bucket.
func (x *translated) distribute(v *inverter) {
	x.ends = slices.Grow(x.ends[:0], v.parts)[:v.parts]
	clear(x.ends)
	for _, id := range x.ids {
		x.ends[v.buckets[id]]++
	}
	from := 0
	for i, n := range x.ends {
		x.ends[i] = from
		from += 8 * n
	}
	x.pairs = slices.Grow(x.pairs[:0], from)[:from]
	for i, id := range x.ids {
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
