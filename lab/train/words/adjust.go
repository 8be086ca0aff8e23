package words

import (
	"encoding/binary"
	"runtime"

	"chaffinch/internal/extsort"
	"chaffinch/text/lm"
)

// group is an open n-gram of one order while the counts of the longest order are read in suffix
// order.
type group struct {
	n    uint64  // adjusted count
	raw  uint64  // occurrences
	tick uint64  // weighted occurrences
	mass float64 // weighted adjusted count
}

// adjuster computes the counts of all orders from the counts of the longest one.
//
// The count of a shorter n-gram is the number of distinct words before it instead of its
// occurrences (adjusted count, Chen and Goodman section 3.1). An n-gram that begins with <s> has no
// words before it and counts its occurrences. If texts have weights, each of these distinct n-grams
// adds the mean weight of its occurrences to the mass.
// adds the mean weight of its occurrences to the mass.
type adjuster struct {
	b     *Builder
	final *final
	open  [lm.MaxOrder + 1]group
	key   [lm.MaxOrder]uint32 // the last word first, ids of the counting
	out   []*extsort.Sorter   // of order k at k
	uni   []group             // order 1, by final id
	cc    [][5]uint64         // for order k at index k: number of n-grams with count 1..4
	mle   bool
	ids   packing  // of all counted words
	ends  suffixes // of the words of the model
}

// adjust reads the counts. uni are the counts of words, out those of longer n-grams, in context
// order for Kneser-Ney and in suffix order for MLE.
func (b *Builder) adjust(f *final) (*adjuster, []*extsort.Sorted, error) {
	order := b.cfg.Order
	a := &adjuster{
		b: b, final: f, mle: b.cfg.Estimator == lm.MLE,
		ids: newPacking(b.vocab.len()), ends: suffixes{newPacking(len(f.words)), len(f.words)}, uni: make([]group, b.vocab.len()), out: make([]*extsort.Sorter, order+1), cc: make([][5]uint64, order+1),
	}
	b.stats.Ngrams, b.stats.Kept = make([]uint64, order), make([]uint64, order)
	counts, err := b.counts.end()
	if err != nil {
		return nil, nil, err
	}
	b.counts = nil
	defer counts.close()
	b.stats.Spilled += counts.spilled()
	for k := 2; k <= order; k++ {
		expect := uint64(0)
		if k == order {
			expect = counts.most()
		}
		record, key := a.layout(k).record(), a.ids.size(k)
		if a.mle {
			record, key = a.ends.size(k)+8, a.ends.size(k)
		}
		a.out[k], err = extsort.New(extsort.Config{
			Record: record, Key: key, Memory: b.cfg.Memory / 4 / int64(order-1), Expect: expect, Workers: runtime.GOMAXPROCS(0), Dir: b.cfg.TempDir,
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if err := a.read(counts); err != nil {
		return nil, nil, err
	}
	if err := counts.close(); err != nil { // frees memory before the sorts
		return nil, nil, err
	}
	sorted := make([]*extsort.Sorted, order+1)
	for k := 2; k <= order; k++ {
		if sorted[k], err = b.sorted(a.out[k]); err != nil {
			return nil, nil, err
		}
	}
	b.stats.Ngrams[0] = uint64(len(f.old))
	b.stats.Kept[0] = uint64(len(f.words))
	return a, sorted, nil
}

func (a *adjuster) read(counts *counts) error {
	order := a.b.cfg.Order
	first := true
	for x := (count{}); ; {
		more, err := counts.next(&x)
		if err != nil {
			return err
		}
		same := 0
		if more && !first {
			for same < order && x.ids[same] == a.key[same] {
				same++
			}
		}
		if !first {
			for k := order - 1; k > same; k-- {
				if err := a.close(k); err != nil {
					return err
				}
			}
		}
		if !more {
			return nil
		}
		first = false
		for k := same; k < order; k++ {
			a.key[k] = x.ids[k]
			a.open[k+1] = group{}
		}
		a.open[order] = group{n: x.n, raw: x.n, tick: x.ticks, mass: float64(x.ticks) / ticksPerWeight}
		if err := a.close(order); err != nil {
			return err
		}
	}
}

// close ends the n-gram of order k at the start of the key, and adds it to the n-gram that is a
// word shorter.
func (a *adjuster) close(k int) error {
	g, up := &a.open[k], &a.open[k-1]
	up.raw += g.raw
	up.tick += g.tick
	if k > 1 && a.key[k-1] == lm.Begin && a.key[k-2] == lm.Begin {
		// Only padding: the shorter n-gram begins with <s> and keeps its count.
		up.n += g.n
		up.mass += g.mass
		return nil
	}
	up.n++
	up.mass += g.mass / float64(g.n)
	if g.n < 5 {
		a.cc[k][g.n]++
	}
	if k == 1 {
		a.uni[a.final.ids[a.key[0]]] = *g
		return nil
	}
	a.b.stats.Ngrams[k-1]++
	return a.emit(k, g)
}

// emit writes an n-gram of order k, with count 0 if it is pruned, since its mass still counts for
// its context.
func (a *adjuster) emit(k int, g *group) error {
	f := a.final
	for _, old := range a.key[1:k] {
		if !f.keeps(f.ids[old]) {
			return nil // not a context of the model
		}
	}
	w := f.ids[a.key[0]]
	keep := f.keeps(w) && g.raw > a.b.cfg.prune(k)
	if !keep && a.mle {
		return nil
	}
	rec, err := a.out[k].Add()
	if err != nil {
		return err
	}
	if keep {
		a.b.stats.Kept[k-1]++
	}
	var ids [lm.MaxOrder]uint32
	for i, old := range a.key[1:k] {
		ids[i] = lm.Scramble(f.ids[old], len(f.words))
	}
	if a.mle {
		a.ends.put(rec, w, ids[:k-1])
		binary.LittleEndian.PutUint64(rec[a.ends.size(k):], g.tick)
		return nil
	}
	ids[k-1] = w
	a.layout(k).put(rec, ids[:k], entry{n: g.n, out: !keep, mass: g.mass})
	return nil
}

// layout returns the layout of the records of order k for Kneser-Ney.
func (a *adjuster) layout(k int) counted { return counted{a.ids, k, a.b.weighted} }

// discounts estimates D1, D2 and D3+ from the counts of counts (Chen and Goodman, equation 26). ok
// is false if no estimate is possible: a count does not occur, or a discount is out of range.
func discounts(cc [5]uint64) (d [3]float64, ok bool) {
	if cc[1] == 0 || cc[2] == 0 || cc[3] == 0 {
		return d, false
	}
	y := float64(cc[1]) / (float64(cc[1]) + 2*float64(cc[2]))
	for j := 1; j <= 3; j++ {
		x := float64(j) - float64(j+1)*y*float64(cc[j+1])/float64(cc[j])
		if x < 0 || x > float64(j) {
			return d, false
		}
		d[j-1] = x
	}
	return d, true
}
