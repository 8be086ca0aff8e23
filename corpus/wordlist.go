package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"chaffinch/internal/table"
)

// WordListConfig configures a word list.
type WordListConfig struct {
	// Attr is the attribute of tokens. Default: the default attribute.
	Attr string
	// Fold counts values that differ only in case as one value, in lower case.
	Fold bool
	// Pattern is a regular expression that the whole value must match. In n-grams,
	// every word must match. If empty, all values match.
	Pattern string
	// Words drops values without a letter.
	Words bool
	// MinFreq and MaxFreq bound the frequency; 0 means no bound.
	MinFreq, MaxFreq int64
	// NGram is the length of the n-grams to list, 2 to 6. 0 and 1 mean single
	// tokens.
	NGram int
	// Within is the structure that bounds n-grams. Default: s if the corpus has it,
	// else p, else the structure of documents. "-" means no structure.
	Within string
	// DocFreq adds document frequencies. ARF adds ARF and ALDF.
	DocFreq, ARF bool
	// Doc is the structure that DocFreq counts. Default: the structure of documents.
	Doc string
	// DP adds the deviation of proportions over the parts of the corpus: a structure, such as doc,
	// or the values of an attribute, such as doc.host. "" means none.
	DP string
	// By divides the frequencies by an attribute of a structure, such as doc.lang;
	// see [Corpus.Breakdown]. MaxValues is the maximum number of its values; the
	// rest is counted together. Default of MaxValues: 10.
	By        string
	MaxValues int
	// Sort is freq, docf, arf, aldf, dp (by DPNorm, even spread first) or word. Default: freq.
	// With dp, the default of DP is the structure of documents, doc in shards.
	Sort string
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// WordFreq is a row of a word list.
type WordFreq struct {
	Word       string  `json:"word"`
	Freq       int64   `json:"freq"`
	PerMillion float64 `json:"per_million"`
	// DocFreq is the number of documents that contain the word.
	DocFreq int64 `json:"docf,omitempty"`
	// ARF is the average reduced frequency, ALDF the average logarithmic distance
	// frequency.
	ARF  float64 `json:"arf,omitempty"`
	ALDF float64 `json:"aldf,omitempty"`
	// DP is the deviation of proportions, from 0 for an even spread to near 1 for a single cluster.
	// DPNorm is DP divided by its maximum. Both are nil unless requested.
	DP     *float64 `json:"dp,omitempty"`
	DPNorm *float64 `json:"dpnorm,omitempty"`
	// Parts holds the frequencies by value, in the order of WordList.Values.
	Parts []int64 `json:"parts,omitempty"`
}

// WordList is a frequency list of words or n-grams.
type WordList struct {
	Tokens int64 `json:"tokens"` // of the corpus
	// Types and Hits count all items that pass the filters, listed or not.
	Types int64 `json:"types"`
	Hits  int64 `json:"hits"`
	// Values holds the values of By, sorted by descending tokens. The last one may
	// have an empty Value and Rest set; it then combines all others.
	Values []ValueSize `json:"values,omitempty"`
	Rest   bool        `json:"rest,omitempty"`
	Rows   []WordFreq  `json:"rows"`
}

// WordList lists the values of an attribute of tokens, or their n-grams. Rows with
// equal sort keys are sorted by their words.
func (c *Corpus) WordList(ctx context.Context, cfg WordListConfig) (*WordList, error) {
	keep, err := filter(cfg.Pattern, cfg.Words)
	if err != nil {
		return nil, err
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, keep, c)
	if err != nil {
		return nil, inField("Attr", err)
	}
	n := max(cfg.NGram, 1)
	border, err := c.border(cfg.Within)
	if err != nil {
		return nil, err
	}
	l := &wordLister{ctx: ctx, c: c, cfg: cfg, v: v, n: n, border: border}
	if err := l.open(); err != nil {
		return nil, err
	}
	order, err := l.order()
	if err != nil {
		return nil, err
	}
	best := top[entry]{ends: newDeadline(ctx), limit: cfg.Limit, compare: order}
	out := &WordList{Tokens: c.Size(), Values: l.sizes, Rest: l.rest}
	for g, err := range v.grams(ctx, n, []*Struct{border}) {
		if err != nil {
			return nil, err
		}
		f := g.freq[0]
		if f == 0 || f < cfg.MinFreq || cfg.MaxFreq > 0 && f > cfg.MaxFreq {
			continue
		}
		out.Types++
		out.Hits += f
		e := entry{freq: f}
		copy(e.keys[:], g.keys)
		if l.early {
			l.measure(&e)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		best.add(e)
	}
	for _, e := range best.sorted() {
		if best.ends.Over(0) {
			break
		}
		if !l.early && l.positions {
			l.measure(&e)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		row := WordFreq{
			Word: v.words(e.keys[:n]), Freq: e.freq, PerMillion: PerMillion(e.freq, c.Size()),
			DocFreq: e.docf, ARF: e.arf, ALDF: e.aldf, Parts: e.parts,
		}
		if l.divided != nil {
			row.DP, row.DPNorm = &e.dp, &e.dpnorm
		}
		out.Rows = append(out.Rows, row)
	}
	return out, best.ends.Err()
}

// wordFilter selects values; nil selects all.
type wordFilter struct {
	words   bool     // it must be a word
	pattern *pattern // and match this, unless it is nil
}

// filter returns a filter by a regular expression. "" matches any value.
func filter(expr string, words bool) (*wordFilter, error) {
	f := &wordFilter{words: words}
	if expr == "" {
		return f, nil
	}
	var err error
	if f.pattern, err = regexpPattern(expr, folding{}); err != nil {
		return nil, inField("Pattern", fmt.Errorf("pattern %s: %w: wanted a regular expression (RE2)", oneLine(table.First(expr, 100)), err))
	}
	return f, nil
}

// lets reports whether s passes.
func (f *wordFilter) lets(ctx context.Context, s string) bool {
	return f == nil || (!f.words || wordlike(s)) && (f.pattern == nil || f.pattern.matches(ctx, []byte(s)))
}

// cost returns the work per byte of a value.
func (f *wordFilter) cost() int {
	if f == nil || f.pattern == nil {
		return 1
	}
	return max(f.pattern.cost, 1)
}

// border returns the structure that bounds n-grams, or nil.
func (c *Corpus) border(within string) (*Struct, error) {
	switch within {
	case "-":
		return nil, nil
	case "":
		for _, name := range []string{"s", "p", c.Document()} {
			if slices.Contains(c.Structs(), name) {
				return c.Struct(name)
			}
		}
		return nil, nil
	}
	return c.Struct(within)
}

// entry is a row without its words.
type entry struct {
	keys       [maxNGram]uint32
	freq       int64
	docf       int64
	arf, aldf  float64
	dp, dpnorm float64
	parts      []int64
}

// wordLister holds the data for computing the figures of rows.
type wordLister struct {
	ctx    context.Context
	c      *Corpus
	cfg    WordListConfig
	v      *vocabulary
	n      int
	border *Struct

	positions, early bool // figures need positions; the order needs figures
	ids              func(uint32) []uint32
	doc              *Struct
	divided          *divided // for DP; nil: none
	by               *values
	sizes            []ValueSize
	rest             bool
	spread           *dispersionSum // of a shard; nil: one index
}

func (l *wordLister) open() (err error) {
	if l.cfg.Sort == "dp" {
		l.cfg.DP = cmp.Or(l.cfg.DP, l.c.Document(), "doc")
	}
	l.positions = l.cfg.DocFreq || l.cfg.ARF || l.cfg.By != "" || l.cfg.DP != ""
	if l.cfg.DP != "" {
		if l.divided, err = l.c.divide(l.ctx, l.cfg.DP); err != nil {
			return inField("DP", fmt.Errorf("%s: %w", l.cfg.DP, err))
		}
	}
	if l.cfg.DocFreq || l.cfg.Sort == "docf" {
		l.cfg.DocFreq = true
		if l.doc, err = l.c.Struct(cmp.Or(l.cfg.Doc, l.c.Document(), "doc")); err != nil {
			return err
		}
	}
	if l.cfg.By != "" {
		if l.by, err = l.c.values(l.ctx, l.cfg.By); err != nil {
			return err
		}
		l.sizes, l.rest = largestValues(l.by.sizes, cmp.Or(l.cfg.MaxValues, 10))
	}
	return nil
}

// order returns the comparison function for rows.
func (l *wordLister) order() (func(a, b entry) int, error) {
	words := func(a, b entry) int {
		if a.keys == b.keys {
			return 0
		}
		return strings.Compare(l.v.words(a.keys[:l.n]), l.v.words(b.keys[:l.n]))
	}
	by := func(x func(e *entry) float64) func(a, b entry) int {
		l.early, l.positions = true, true
		return func(a, b entry) int { return cmp.Or(cmp.Compare(x(&b), x(&a)), words(a, b)) }
	}
	switch l.cfg.Sort {
	case "", "freq":
		return func(a, b entry) int {
			if a.freq != b.freq {
				return cmp.Compare(b.freq, a.freq)
			}
			return words(a, b)
		}, nil
	case "word":
		return words, nil
	case "docf":
		return by(func(e *entry) float64 { return float64(e.docf) }), nil
	case "arf":
		l.cfg.ARF = true
		return by(func(e *entry) float64 { return e.arf }), nil
	case "aldf":
		l.cfg.ARF = true
		return by(func(e *entry) float64 { return e.aldf }), nil
	case "dp":
		return by(func(e *entry) float64 { return -e.dpnorm }), nil
	}
	return nil, inField("Sort", fmt.Errorf("no order %q: have freq, docf, arf, aldf, dp, word", l.cfg.Sort))
}

// measure computes the figures that need positions.
func (l *wordLister) measure(e *entry) {
	if l.ids == nil {
		l.ids = l.v.inverse(0)
	}
	lists := make([][]uint32, l.n)
	for i := range lists {
		lists[i] = l.ids(e.keys[i])
	}
	all := func() iter.Seq[int64] { return l.c.occurrences(l.ctx, l.v.attrs[0], lists, l.border) }
	switch {
	case l.cfg.ARF && l.spread != nil:
		for p := range l.c.placesInPart(all()) {
			l.spread.add(p)
		}
	case l.cfg.ARF:
		e.arf, e.aldf = dispersion(l.c.placesInPart(all()), e.freq, l.c.Size())
	}
	switch {
	case l.divided != nil && l.spread != nil:
		l.divided.count(all())
	case l.divided != nil:
		e.dp, e.dpnorm = l.divided.dp(all())
	}
	if !l.cfg.DocFreq && l.by == nil {
		return
	}
	doc, by, before := place{s: l.doc}, place{}, -1
	if l.by != nil {
		by.s = l.by.s
		e.parts = make([]int64, len(l.sizes))
	}
	for p := range all() {
		if l.cfg.DocFreq {
			if i := doc.find(p); i >= 0 && i != before {
				e.docf++
				before = i
			}
		}
		if l.by != nil {
			if i := by.find(p); i >= 0 && len(l.sizes) > 0 { // otherwise the index is damaged
				e.parts[min(int(l.by.of[i]), len(l.sizes)-1)]++
			}
		}
	}
}
