package words

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"

	"chaffinch/internal/extsort"
	"chaffinch/text/lm"
)

// cardBytes is the size of a model file except for the sections of package lm.
const cardBytes = 16 << 10

// fit reduces Config.Grams to fit into Config.MaxBytes.
func (e *kneserNey) fit() error {
	c, kept := &e.b.cfg, slices.Clone(e.b.stats.Kept)
	last := &kept[c.Order-1]
	if c.Grams > 0 {
		*last = min(*last, uint64(c.Grams))
	}
	n := sort.Search(int(*last)+1, func(n int) bool {
		*last = uint64(n)
		return lm.Size(e.f.words, kept, c.Bits)+cardBytes > c.MaxBytes
	})
	if n <= 1 {
		return fmt.Errorf("build: the %d words and the shorter n-grams alone take more than %d bytes: bound the words", len(e.f.words), c.MaxBytes)
	}
	c.Grams = n - 1
	return nil
}

// limit keeps the Config.Grams n-grams of order k whose removal would cost most. It returns new
// counts with the others marked as pruned.
//
// The cost is the weighted difference of Seymore and Rosenfeld ("Scalable backoff language models",
// ICSLP 1996): the count of the n-gram times the logarithm of its probability divided by its
// back-off probability. The probability of a removed n-gram is added to its context's back-off
// weight.
func (e *kneserNey) limit(k int, in *extsort.Sorted) (*extsort.Sorted, error) {
	memory := e.b.cfg.Memory / 6
	// key: cost, descending | words; payload: n | mass
	costs, err := extsort.New(extsort.Config{Record: 8 + 4*k + 16, Key: 8 + 4*k, Memory: memory, Dir: e.b.cfg.TempDir})
	if err != nil {
		return nil, err
	}
	defer costs.Close()
	r, err := e.open(k)
	if err != nil {
		return nil, err
	}
	var x prob
	for {
		ok, err := r.next(&x)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		lower := (x.p - x.u) / x.g
		cost := x.mass * math.Log(x.p/((x.g+x.u)*lower))
		rec, err := costs.Add()
		if err != nil {
			return nil, err
		}
		binary.BigEndian.PutUint64(rec, falling(cost))
		for i, w := range x.words[1:k] {
			binary.BigEndian.PutUint32(rec[8+4*i:], w)
		}
		binary.BigEndian.PutUint32(rec[4+4*k:], x.words[0])
		binary.LittleEndian.PutUint64(rec[8+4*k:], x.n)
		binary.LittleEndian.PutUint64(rec[16+4*k:], math.Float64bits(x.mass))
	}
	sorted, err := costs.Sort()
	if err != nil {
		return nil, err
	}
	defer sorted.Close()
	l := e.in(k)
	out, err := extsort.New(extsort.Config{Record: l.record(), Key: l.size(k), Memory: memory, Dir: e.b.cfg.TempDir})
	if err != nil {
		return nil, err
	}
	best, err := sorted.Open()
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		rec, err := best.Next()
		if err != nil {
			return nil, err
		}
		if rec == nil {
			break
		}
		to, err := out.Add()
		if err != nil {
			return nil, err
		}
		var ids [lm.MaxOrder]uint32
		for j := range k - 1 {
			ids[j] = lm.Scramble(binary.BigEndian.Uint32(rec[8+4*j:]), len(e.f.words))
		}
		ids[k-1] = binary.BigEndian.Uint32(rec[4+4*k:])
		l.put(to, ids[:k], entry{
			n: binary.LittleEndian.Uint64(rec[8+4*k:]), out: i >= e.b.cfg.Grams,
			mass: math.Float64frombits(binary.LittleEndian.Uint64(rec[16+4*k:])),
		})
	}
	if err := e.copyPruned(k, in, out); err != nil {
		return nil, err
	}
	return e.b.sorted(out)
}

// copyPruned copies the n-grams that were already pruned.
func (e *kneserNey) copyPruned(k int, in *extsort.Sorted, out *extsort.Sorter) error {
	old, err := in.Open()
	if err != nil {
		return err
	}
	for {
		rec, err := old.Next()
		if err != nil || rec == nil {
			return err
		}
		if l := e.in(k); l.entry(rec).out {
			to, err := out.Add()
			if err != nil {
				return err
			}
			copy(to, rec)
		}
	}
}

// falling maps numbers to integers in reverse order.
func falling(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 0 {
		b |= 1 << 63
	} else {
		b = ^b
	}
	return ^b
}
