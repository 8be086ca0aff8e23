package words

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"

	"chaffinch/internal/extsort"
	"chaffinch/text/lm"
)

// kneserNey estimates probabilities and back-off weights.
//
//	u(w|h) = (a(hw) - D(a(hw))) / sum over w' of a(hw')
//	g(h)   = (sum over kept w' of D(a(hw')) + sum over pruned w' of a(hw')) / the same
//	p(w|h) = u(w|h) + g(h) p(w|h')      h' is h without its first word
//	p(w)   = u(w) + g() / V             V words, <s> left out
//
// a is the adjusted count and D the discount for its order and size. With weights, a - D and D are
// multiplied by the mean weight. The back-off weight of h is g(h).
type kneserNey struct {
	b     *Builder
	f     *final
	in    func(k int) counted // the layout of the counts
	ends  suffixes
	d     [][3]float64      // discounts of order k at index k-1
	p     []float64         // of words
	bow   []float64         // of contexts of one word, NaN if the word is not a context
	grams []*extsort.Sorted // order k at index k: suffix key | u | g; for a limited longest order | a | mass
	bows  []*extsort.Sorted // contexts of k words at index k: suffix key | g
}

// gramPayload returns the size in bytes of the data after the key of the grams of order k.
func (e *kneserNey) gramPayload(k int) int {
	if c := &e.b.cfg; k == c.Order && (c.Grams > 0 || c.MaxBytes > 0) {
		return 32
	}
	return 16
}

func (b *Builder) kneserNey(f *final, a *adjuster, sorted []*extsort.Sorted) (*kneserNey, error) {
	order := b.cfg.Order
	e := &kneserNey{b: b, f: f, in: a.layout, ends: a.ends, grams: make([]*extsort.Sorted, order+1), bows: make([]*extsort.Sorted, order+1)}
	var err error
	if e.d, err = b.discounts(a.cc); err != nil {
		return nil, err
	}
	e.unigrams(a.uni)
	for k := 2; k <= order; k++ {
		if err := e.order(k, sorted[k]); err != nil {
			return nil, err
		}
		if k == order && b.cfg.MaxBytes > 0 {
			if err := e.fit(); err != nil {
				return nil, err
			}
		}
		if k == order && b.cfg.Grams > 0 && b.stats.Kept[k-1] > uint64(b.cfg.Grams) {
			limited, err := e.limit(k, sorted[k])
			if err != nil {
				return nil, err
			}
			e.grams[k].Close()
			if e.bows[k-1] != nil {
				e.bows[k-1].Close()
			}
			b.stats.Kept[k-1] = uint64(b.cfg.Grams)
			if err := e.order(k, limited); err != nil {
				return nil, err
			}
			limited.Close()
		}
		sorted[k].Close()
	}
	return e, nil
}

// discounts returns the discounts of all orders. cc holds for each order the numbers of n-grams with
// count 1 to 4.
func (b *Builder) discounts(cc [][5]uint64) (all [][3]float64, err error) {
	for k := 1; k <= b.cfg.Order; k++ {
		d, ok := discounts(cc[k])
		if !ok {
			if b.cfg.Fallback == [3]float64{} {
				return nil, fmt.Errorf("build: the %d-grams that occur 1, 2, 3 and 4 times are %v: "+
					"no discounts can be estimated from that. Is the text small or repetitive? Set fallback discounts", k, cc[k][1:])
			}
			d = b.cfg.Fallback
		}
		all = append(all, d)
		b.stats.Fallback = append(b.stats.Fallback, !ok)
	}
	b.stats.Discounts = all
	return all, nil
}

func (e *kneserNey) discount(k int, n uint64) float64 { return e.d[k-1][min(n, 3)-1] }

// unigrams estimates order 1. <s> gets probability 1, as in KenLM, since it is given. <unk> gets
// the probability of an unseen word.
func (e *kneserNey) unigrams(uni []group) {
	n := len(e.f.words)
	e.p, e.bow = make([]float64, n), make([]float64, n)
	den, gamma := 0.0, 0.0
	for id, g := range uni {
		den += g.mass
		switch {
		case g.n == 0:
		case id < n:
			x := g.mass / float64(g.n)
			gamma += float64(x * e.discount(1, g.n))
			e.p[id] = x * (float64(g.n) - e.discount(1, g.n))
		default:
			gamma += g.mass
		}
	}
	for id := range e.p {
		e.p[id] = (e.p[id] + gamma/float64(n-1)) / den
		e.bow[id] = math.NaN()
	}
	e.p[lm.Begin] = 1
}

// order estimates the n-grams of order k, which are in context order. Contexts are ordered by their
// scrambled ids, so n-grams reach the order of a model by a sort on the last word only, and
// contexts by a sort on the nearest word.
func (e *kneserNey) order(k int, in *extsort.Sorted) error {
	memory := e.b.cfg.Memory / 5 / int64(e.b.cfg.Order-1)
	grams, err := extsort.New(extsort.Config{Record: e.ends.size(k) + e.gramPayload(k), Key: e.ends.first(), Memory: memory, Expect: e.b.stats.Kept[k-1], Workers: runtime.GOMAXPROCS(0), Dir: e.b.cfg.TempDir})
	if err != nil {
		return err
	}
	var bows *extsort.Sorter
	if k > 2 {
		bows, err = extsort.New(extsort.Config{Record: e.ends.size(k-1) + 8, Key: e.ends.first(), Memory: memory / 4, Dir: e.b.cfg.TempDir})
		if err != nil {
			return err
		}
	}
	r, err := in.Open()
	if err != nil {
		return err
	}
	c := history{e: e, k: k, in: e.in(k), grams: grams, bows: bows}
	for {
		rec, err := r.Next()
		if err != nil {
			return err
		}
		if err := c.take(rec); err != nil {
			return err
		}
		if rec == nil {
			break
		}
	}
	if e.grams[k], err = e.b.sorted(grams); err != nil {
		return err
	}
	if bows != nil {
		e.bows[k-1], err = e.b.sorted(bows)
	}
	return err
}

// history collects the n-grams of order k with a common context.
type history struct {
	e           *kneserNey
	k           int
	grams, bows *extsort.Sorter
	in          counted
	context     [lm.MaxOrder]uint32 // its ids, scrambled, the nearest word first
	some        bool                // there is one
	kept        []entry
	den, gamma  float64
}

// take processes the next record; nil ends the last context.
func (c *history) take(rec []byte) error {
	var context [lm.MaxOrder]uint32
	if rec != nil {
		for i := range c.k - 1 {
			context[i] = c.in.id(rec, i)
		}
	}
	if c.some && (rec == nil || context != c.context) {
		if err := c.end(); err != nil {
			return err
		}
		c.kept, c.den, c.gamma = c.kept[:0], 0, 0
	}
	if rec == nil {
		return nil
	}
	c.context, c.some = context, true
	x := c.in.entry(rec)
	c.den += x.mass
	if x.out {
		c.gamma += x.mass
		return nil
	}
	c.gamma += float64(x.mass / float64(x.n) * c.e.discount(c.k, x.n))
	c.kept = append(c.kept, x)
	return nil
}

func (c *history) end() error {
	k, ends, left := c.k, c.e.ends, c.context[:c.k-1]
	g, size := c.gamma/c.den, ends.size(k)
	if near := lm.Unscramble(left[0], ends.words); k == 2 {
		c.e.bow[near] = g
	} else {
		rec, err := c.bows.Add()
		if err != nil {
			return err
		}
		ends.put(rec, near, left[1:])
		binary.LittleEndian.PutUint64(rec[ends.size(k-1):], math.Float64bits(g))
	}
	for _, x := range c.kept {
		rec, err := c.grams.Add()
		if err != nil {
			return err
		}
		ends.put(rec, x.w, left)
		u := x.mass / float64(x.n) * (float64(x.n) - c.e.discount(k, x.n)) / c.den
		payload := rec[size:]
		binary.LittleEndian.PutUint64(payload, math.Float64bits(u))
		binary.LittleEndian.PutUint64(payload[8:], math.Float64bits(g))
		if len(payload) > 16 {
			binary.LittleEndian.PutUint64(payload[16:], x.n)
			binary.LittleEndian.PutUint64(payload[24:], math.Float64bits(x.mass))
		}
	}
	return nil
}
