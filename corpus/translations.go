package corpus

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
)

// TranslationConfig configures a list of translation candidates.
type TranslationConfig struct {
	// Aligned is the name of the aligned corpus.
	Aligned string
	// Attr is the attribute of the candidates in the aligned corpus. Default: lemma, else the default
	// attribute.
	Attr string
	// Fold counts values that differ only in case as one value, in lower case.
	Fold bool
	// Words drops candidates without a letter.
	Words bool
	// MinHits is the minimum number of segments with the query and the candidate. Default: 2.
	MinHits int64
	// MinLikelihood is the minimum log-likelihood of a candidate. Candidates that are rarer in the
	// translations than by chance are always dropped. Default: 10.83, the value for p = 0.001; negative: no minimum.
	MinLikelihood float64
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// Translation is a row of a list of translation candidates. Its numbers count segments.
type Translation struct {
	Word string `json:"word"`
	// Hits counts segments with the query whose translation contains the word, and Freq all
	// translations that contain it.
	Hits          int64   `json:"hits"`
	Freq          int64   `json:"freq"`
	LogDice       float64 `json:"logdice"`
	LogLikelihood float64 `json:"loglikelihood"`
}

// Translations is a list of translation candidates.
type Translations struct {
	CQL      string        `json:"cql"` // the query
	Aligned  string        `json:"aligned"`
	Attr     string        `json:"attr"`
	Segments int64         `json:"segments"` // aligned segments of the corpus or its part
	Hits     int64         `json:"hits"`     // segments with a match of the query
	Types    int64         `json:"types"`    // candidates that pass the bounds
	Rows     []Translation `json:"rows"`
}

// leastLikelihood is the critical value of log-likelihood for p = 0.001.
const leastLikelihood = 10.83

// Translations lists the words of the aligned corpus that occur in the translations of a query's
// matches more often than by chance, by logDice. All numbers count aligned segments: a segment
// counts once, however often a word occurs in it.
func (c *Corpus) Translations(ctx context.Context, cql string, cfg TranslationConfig) (*Translations, error) {
	a, err := c.Aligned(cfg.Aligned)
	if err != nil {
		return nil, inField("Aligned", err)
	}
	if cfg.Attr == "" {
		cfg.Attr = a.to.attrs[0].name
		if slices.Contains(a.to.Attrs(), "lemma") {
			cfg.Attr = "lemma"
		}
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, &wordFilter{words: cfg.Words}, a.to)
	if err != nil {
		return nil, inField("Attr", err)
	}
	q, err := c.Query(ctx, cql)
	if err != nil {
		return nil, err
	}
	t := &translator{a: a, v: v, d: newDeadline(ctx), all: a.inPart(c)}
	out := &Translations{CQL: q.text, Aligned: cfg.Aligned, Attr: cfg.Attr, Segments: int64(t.all.count()), Rows: []Translation{}}
	with := newIDSet(a.beads, nil)
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		if b, ok := a.own.find(m.Start); ok && t.all.has(uint32(b)) && !with.has(uint32(b)) {
			with.add(uint32(b))
			out.Hits++
		}
	}
	joint := t.joint(with)
	cfg.MinHits = cmp.Or(cfg.MinHits, 2)
	freq := t.frequencies(joint, cfg.MinHits)
	best := top[Translation]{ends: t.d, limit: cfg.Limit, compare: func(x, y Translation) int {
		return cmp.Or(cmp.Compare(y.LogDice, x.LogDice), cmp.Compare(y.LogLikelihood, x.LogLikelihood), strings.Compare(x.Word, y.Word))
	}}
	floor := cmp.Or(cfg.MinLikelihood, leastLikelihood)
	n, b := float64(out.Segments), float64(out.Hits)
	for key, hits := range joint {
		if t.d.Over(0) {
			break
		}
		if hits == 0 || hits < cfg.MinHits {
			continue
		}
		f, fy := float64(hits), float64(freq[key])
		row := Translation{Hits: hits, Freq: freq[key], LogDice: 14 + math.Log2(2*f/(fy+b)), LogLikelihood: logLikelihood(f, fy, b, n)}
		if row.LogLikelihood < floor || f*n < fy*b {
			continue
		}
		out.Types++
		row.Word = v.word(uint32(key))
		best.add(row)
	}
	out.Rows = append(out.Rows, best.sorted()...)
	return out, t.d.Err()
}

// inPart returns the beads that begin in the corpus or in its part.
func (a *Alignment) inPart(c *Corpus) idSet {
	all := newIDSet(a.beads, nil)
	part := follower{c: c}
	for b := range a.beads {
		at, _ := a.own.span(b)
		if start, _, ok := part.find(at); ok && start <= at {
			all.add(uint32(b))
		}
	}
	return all
}

// translator counts the words of the aligned corpus by beads.
type translator struct {
	a   *Alignment
	v   *vocabulary
	d   *deadline
	all idSet // beads that count
}

// joint returns the number of the given beads that contain each word.
func (t *translator) joint(beads idSet) []int64 {
	hits := make([]int64, t.v.len())
	var seen []uint32
	for b, ok := beads.next(0); ok && int(b) < t.a.beads; b, ok = beads.next(b + 1) {
		seen = seen[:0]
		start, end := t.a.other.span(int(b))
		if t.d.Over(int(end - start)) {
			break
		}
		for p := start; p < end; p++ {
			if k := t.v.keys[0][t.v.attrs[0].At(p)]; k != none {
				seen = append(seen, k)
			}
		}
		slices.Sort(seen)
		for _, k := range slices.Compact(seen) {
			hits[k]++
		}
	}
	return hits
}

// frequencies returns the number of beads that contain each word with enough joint hits.
func (t *translator) frequencies(joint []int64, least int64) []int64 {
	freq, last := make([]int64, len(joint)), make([]int64, len(joint))
	wanted := func(key uint32) bool { return key != none && joint[key] > 0 && joint[key] >= least }
	attr, keys := t.v.attrs[0], t.v.keys[0]
	for i := range t.a.beads { // in the order of the aligned corpus
		b := t.a.other.bead(i)
		if !t.all.has(uint32(b)) {
			continue
		}
		start, end := t.a.other.span(b)
		if t.d.Over(int(end - start)) {
			break
		}
		for p := start; p < end; p++ {
			if k := keys[attr.At(p)]; wanted(k) && last[k] != int64(b)+1 {
				last[k] = int64(b) + 1
				freq[k]++
			}
		}
	}
	return freq
}
