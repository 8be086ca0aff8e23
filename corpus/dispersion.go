package corpus

import (
	"context"
	"iter"
	"math"
	"strings"

	"chaffinch/internal/timecheck"
)

// dispersion returns the average reduced frequency and the average logarithmic
// distance frequency. The item occurs freq times, at the given ascending positions,
// in a corpus of size tokens. Both values are near freq for an even spread and near
// 1 for a single cluster. The corpus is treated as a ring. Savický and Hlaváčová
// 2002, "Measures of word commonness".
//
//	ARF = 1/v sum min(d_i, v), v = size/freq    ALDF = 2^-(sum d_i/size log2(d_i/size))
//
// where d_i are the distances from one occurrence to the next.
func dispersion(positions iter.Seq[int64], freq, size int64) (arf, aldf float64) {
	d := dispersionSum{freq: freq, size: size, first: -1}
	for p := range positions {
		d.add(p)
	}
	return d.result()
}

// dispersionSum computes the dispersion of an item that occurs freq times in size tokens. first is
// -1 before the first occurrence.
type dispersionSum struct {
	freq, size   int64
	first, last  int64
	arf, entropy float64
}

// add adds the next occurrence.
func (d *dispersionSum) add(pos int64) {
	if d.first < 0 {
		d.first = pos
	} else {
		d.step(pos - d.last)
	}
	d.last = pos
}

// step adds a distance between two occurrences.
func (d *dispersionSum) step(distance int64) {
	if d.freq <= 0 || d.size <= 0 {
		return
	}
	n, x := float64(d.size), float64(distance)
	v := n / float64(d.freq)
	d.arf += min(x/v, 1)
	if x > 0 {
		d.entropy -= float64(x / n * math.Log2(x/n))
	}
}

// result adds the distance from the last occurrence to the first one, and returns both measures.
func (d *dispersionSum) result() (arf, aldf float64) {
	if d.freq <= 0 || d.size <= 0 || d.first < 0 {
		return 0, 0
	}
	d.step(d.first + d.size - d.last)
	return d.arf, math.Exp2(d.entropy)
}

// divided is a corpus divided into parts, for the deviation of proportions. Tokens in no part form
// the last part.
type divided struct {
	place  place
	of     []uint32 // part of each structure; nil: each structure is a part
	tokens []int64  // of each part
	least  int64    // tokens of the smallest part that has any
	all    int64

	hits    []int64 // of the current item in each part
	touched []int   // parts with hits
}

// divide divides the corpus by a structure, such as doc, or by the values of an attribute of a
// structure, such as doc.host.
func (c *Corpus) divide(ctx context.Context, by string) (*divided, error) {
	d := &divided{all: c.Size()}
	if strings.Contains(by, ".") {
		v, err := c.values(ctx, by)
		if err != nil {
			return nil, err
		}
		d.place.s, d.of = v.s, v.of
		for _, s := range v.sizes {
			d.tokens = append(d.tokens, s.Tokens)
		}
	} else {
		s, err := c.Struct(by)
		if err != nil {
			return nil, err
		}
		d.place.s = s
		d.tokens = make([]int64, s.Len(), s.Len()+1)
		part, w := overlap{c.sub, 0}, timecheck.New(ctx)
		for i := range d.tokens {
			if err := w.Done(0); err != nil {
				return nil, err
			}
			d.tokens[i], _ = part.tokens(s.Span(i))
		}
	}
	rest := d.all
	for _, n := range d.tokens {
		rest -= n
	}
	d.tokens = append(d.tokens, max(rest, 0))
	for _, n := range d.tokens {
		if n > 0 && (d.least == 0 || n < d.least) {
			d.least = n
		}
	}
	d.hits = make([]int64, len(d.tokens))
	return d, nil
}

// dp returns the deviation of proportions of an item at ascending positions, and its normalized
// form. Both are 0 if each part has its share of the occurrences, and near 1 if one small part has
// them all. Gries 2008, "Dispersions and adjusted frequencies in corpora"; Lijffijt and Gries 2012.
//
//	DP = 1/2 sum |v_i - s_i|    DPnorm = DP / (1 - min s_i)
//
// where v_i is the share of part i in the occurrences, and s_i its share in the tokens.
func (d *divided) dp(positions iter.Seq[int64]) (dp, norm float64) {
	freq := int64(0)
	for p := range positions {
		i := d.place.find(p)
		if i >= 0 && d.of != nil {
			i = int(d.of[i])
		}
		if i < 0 || i >= len(d.hits) { // the latter if the index is damaged
			i = len(d.hits) - 1
		}
		if d.hits[i] == 0 {
			d.touched = append(d.touched, i)
		}
		d.hits[i]++
		freq++
	}
	if freq == 0 || d.all == 0 {
		return 0, 0
	}
	without := d.all // tokens of parts without hits
	for _, i := range d.touched {
		dp += math.Abs(float64(d.hits[i])/float64(freq) - float64(d.tokens[i])/float64(d.all))
		without -= d.tokens[i]
		d.hits[i] = 0
	}
	d.touched = d.touched[:0]
	dp = (dp + float64(without)/float64(d.all)) / 2
	if d.least < d.all {
		norm = dp / (1 - float64(d.least)/float64(d.all))
	}
	return dp, norm
}
