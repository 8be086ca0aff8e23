package corpus

import (
	"context"
	"iter"
	"math"
	"math/bits"
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

// dispersionSum computes the dispersion of an item that occurs freq times in size tokens. The sums are
// integers, so that the sums of shards give the same result as one index.
type dispersionSum struct {
	freq, size  int64
	first, last int64  // first is -1 before the first occurrence
	whole       int64  // number of distances of at least size/freq
	short       int64  // sum of the shorter distances
	entropy     uint64 // in units of 1/entropyUnit
}

// entropyUnit divides one bit of entropy. The entropy is less than 64 bits.
const entropyUnit = 1 << 57

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
	if !less(distance, d.freq, d.size, 1) {
		d.whole++
	} else {
		d.short += distance
	}
	if share := float64(distance) / float64(d.size); share > 0 {
		d.entropy += uint64(math.Round(max(-share*math.Log2(share), 0) * entropyUnit))
	}
}

// join adds the sums of the next occurrences, which begin at token before.
func (d *dispersionSum) join(next dispersionSum, before int64) {
	if next.first < 0 {
		return
	}
	d.add(before + next.first)
	d.whole, d.short, d.entropy, d.last = d.whole+next.whole, d.short+next.short, d.entropy+next.entropy, before+next.last
}

// result adds the distance from the last occurrence to the first one, and returns both measures.
func (d *dispersionSum) result() (arf, aldf float64) {
	if d.freq <= 0 || d.size <= 0 || d.first < 0 {
		return 0, 0
	}
	d.step(d.first + d.size - d.last)
	return float64(d.whole) + float64(d.short)*float64(d.freq)/float64(d.size), math.Exp2(float64(d.entropy) / entropyUnit)
}

// less reports whether a*b < x*y, without overflow. All are at least 0.
func less(a, b, x, y int64) bool {
	hi1, lo1 := bits.Mul64(uint64(max(a, 0)), uint64(max(b, 0)))
	hi2, lo2 := bits.Mul64(uint64(max(x, 0)), uint64(max(y, 0)))
	return hi1 < hi2 || hi1 == hi2 && lo1 < lo2
}

// divided is a corpus divided into parts, for the deviation of proportions. Tokens in no part form
// the last part.
type divided struct {
	place  place
	of     []uint32    // part of each structure; nil: each structure is a part
	values []ValueSize // value of each part, if of is set
	tokens []int64     // of each part
	least  int64       // tokens of the smallest part that has any
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
		d.place.s, d.of, d.values = v.s, v.of, v.sizes
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
	freq := d.count(positions)
	x := excess{freq: freq, all: d.all}
	for _, i := range d.touched {
		x.add(d.hits[i], d.tokens[i])
	}
	d.clear()
	return x.result(d.least)
}

// count counts the occurrences in each part.
func (d *divided) count(positions iter.Seq[int64]) (freq int64) {
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
	return freq
}

// clear removes the counts.
func (d *divided) clear() {
	for _, i := range d.touched {
		d.hits[i] = 0
	}
	d.touched = d.touched[:0]
}

// excess sums the parts with more than their share of the occurrences of an item. All deviations sum to
// 0, so these parts have half of the sum of their absolute values.
type excess struct {
	freq, all    int64 // occurrences of the item, tokens of the corpus
	hits, tokens int64 // of the parts
}

// add adds a part.
func (x *excess) add(hits, tokens int64) {
	if less(tokens, x.freq, hits, x.all) {
		x.hits += hits
		x.tokens += tokens
	}
}

// result returns the deviation of proportions and its normalized form. least is the number of tokens of the
// smallest part.
func (x *excess) result(least int64) (dp, norm float64) {
	if x.freq == 0 || x.all == 0 {
		return 0, 0
	}
	dp = float64(x.hits)/float64(x.freq) - float64(x.tokens)/float64(x.all)
	if least < x.all {
		norm = dp / (1 - float64(least)/float64(x.all))
	}
	return dp, norm
}
