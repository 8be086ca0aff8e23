package words

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"chaffinch/internal/extsort"
	"chaffinch/text/lm"
)

// prob is an n-gram with its interpolated probability.
type prob struct {
	words   [lm.MaxOrder]uint32 // the last word first
	p       float64
	u, g    float64 // of its order and of its context
	n       uint64  // if the order is limited
	mass    float64 // if the order is limited
	backoff float64 // 1 if it is not a context
}

// probs reads the n-grams of an order in suffix order, in parallel with those of the shorter
// orders.
type probs interface {
	next(x *prob) (bool, error)
}

// open starts reading order k.
func (e *kneserNey) open(k int) (probs, error) {
	if k == 1 {
		return &wordProbs{e: e}, nil
	}
	r := &gramProbs{e: e, k: k}
	var err error
	if r.lower, err = e.open(k - 1); err != nil {
		return nil, err
	}
	if r.grams, err = e.grams[k].Open(); err != nil {
		return nil, err
	}
	if e.bows[k] != nil {
		if r.bows, err = e.bows[k].Open(); err != nil {
			return nil, err
		}
		r.bow, err = r.bows.Next()
	}
	return r, err
}

type wordProbs struct {
	e  *kneserNey
	id int
}

func (r *wordProbs) next(x *prob) (bool, error) {
	if r.id == len(r.e.p) {
		return false, nil
	}
	*x = prob{p: r.e.p[r.id], backoff: r.e.bow[r.id]}
	if math.IsNaN(x.backoff) {
		x.backoff = 1
	}
	x.words[0] = uint32(r.id)
	r.id++
	return true, nil
}

type gramProbs struct {
	e     *kneserNey
	k     int
	lower probs
	end   prob // the n-gram without its first word
	grams *extsort.Reader
	bows  *extsort.Reader // nil for the longest order
	bow   []byte
}

func (r *gramProbs) next(x *prob) (bool, error) {
	rec, err := r.grams.Next()
	if err != nil || rec == nil {
		return false, err
	}
	k := r.k
	x.backoff = 1
	r.e.ends.read(&x.words, rec, k)
	size := r.e.ends.size(k)
	at := rec[size:]
	x.u = math.Float64frombits(binary.LittleEndian.Uint64(at))
	x.g = math.Float64frombits(binary.LittleEndian.Uint64(at[8:]))
	if len(at) > 16 {
		x.n = binary.LittleEndian.Uint64(at[16:])
		x.mass = math.Float64frombits(binary.LittleEndian.Uint64(at[24:]))
	}
	for r.end.p == 0 || !slices.Equal(x.words[:k-1], r.end.words[:k-1]) {
		if ok, err := r.lower.next(&r.end); err != nil {
			return false, err
		} else if !ok {
			return false, fmt.Errorf("build: the %d-gram of ids %v has no end of %d words", k, x.words[:k], k-1)
		}
	}
	x.p = x.u + float64(x.g*r.end.p)
	if r.bows == nil {
		return true, nil
	}
	for r.bow != nil {
		switch bytes.Compare(r.bow[:size], rec[:size]) {
		case 0:
			x.backoff = math.Float64frombits(binary.LittleEndian.Uint64(r.bow[size:]))
			return true, nil
		case 1:
			return true, nil
		}
		if r.bow, err = r.bows.Next(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// knGrams holds the n-grams of order k for the model file, which is written in several passes. The
// values computed in the first pass are stored if they are small compared with the memory limit.
type knGrams struct {
	e      *kneserNey
	k      int
	values []logs // of the n-grams read so far
}

// logs holds the logarithms of the probability and the back-off weight.
type logs struct{ prob, backoff float32 }

func (g *knGrams) Len() uint64 { return g.e.b.stats.Kept[g.k-1] }

func (g *knGrams) Open() (lm.GramReader, error) {
	if uint64(len(g.values)) == g.Len() && g.k > 1 {
		r, err := g.e.grams[g.k].Open()
		return &keptReader{g: g, grams: r}, err
	}
	r, err := g.e.open(g.k)
	g.values = nil
	keep := g.k > 1 && g.Len()*8 <= uint64(g.e.b.cfg.Memory)/8
	if keep {
		g.values = make([]logs, 0, g.Len())
	}
	return &knReader{g: g, probs: r, keep: keep}, err
}

// knReader computes the values of n-grams.
type knReader struct {
	g     *knGrams
	probs probs
	x     prob
	keep  bool
}

func (r *knReader) Next(g *lm.Gram) (bool, error) {
	ok, err := r.probs.next(&r.x)
	if !ok || err != nil {
		return false, err
	}
	v := logs{float32(min(0, math.Log10(r.x.p))), 0}
	if r.x.backoff != 1 {
		v.backoff = float32(math.Log10(r.x.backoff))
	}
	if r.keep {
		r.g.values = append(r.g.values, v)
	}
	g.Words, g.Prob, g.Backoff = r.x.words, v.prob, v.backoff
	return true, nil
}

// keptReader reads n-grams with stored values.
type keptReader struct {
	g     *knGrams
	grams *extsort.Reader
	at    int
}

func (r *keptReader) Next(g *lm.Gram) (bool, error) {
	rec, err := r.grams.Next()
	if rec == nil || err != nil {
		return false, err
	}
	r.g.e.ends.read(&g.Words, rec, r.g.k)
	v := r.g.values[r.at]
	g.Prob, g.Backoff = v.prob, v.backoff
	r.at++
	return true, nil
}

// countGrams holds the n-grams of order k of a model of kind MLE.
type countGrams struct {
	b     *Builder
	f     *final
	k     int
	grams *extsort.Sorted
	unit  uint64 // number of ticks for a count of 1
	ends  suffixes
}

func (g countGrams) Len() uint64 { return g.b.stats.Kept[g.k-1] }

func (g countGrams) Open() (lm.GramReader, error) {
	if g.k == 1 {
		return &countReader{g: g}, nil
	}
	r, err := g.grams.Open()
	return &countReader{g: g, r: r}, err
}

type countReader struct {
	g  countGrams
	r  *extsort.Reader
	id int
}

func (r *countReader) Next(x *lm.Gram) (bool, error) {
	*x = lm.Gram{}
	if r.r == nil {
		if r.id == len(r.g.f.words) {
			return false, nil
		}
		x.Words[0] = uint32(r.id)
		x.Count = r.g.b.vocab.counts[r.g.f.old[r.id]].mass / r.g.unit
		r.id++
		return true, nil
	}
	rec, err := r.r.Next()
	if err != nil || rec == nil {
		return false, err
	}
	r.g.ends.read(&x.Words, rec, r.g.k)
	x.Count = binary.LittleEndian.Uint64(rec[r.g.ends.size(r.g.k):]) / r.g.unit
	return true, nil
}
