package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// CollocationConfig configures a table of collocations.
type CollocationConfig struct {
	// Attr is the attribute of the collocates. Default: the default attribute.
	Attr string
	// Fold counts values that differ only in case as one value, in lower case.
	Fold bool
	// Words drops collocates without a letter.
	Words bool
	// From and To bound the window in tokens. Negative offsets are left of the hit,
	// positive offsets right of it. The hit is never part of the window.
	// Default, if both are zero: -5 and 5.
	From, To int
	// Within is a structure, such as s, whose boundaries end the window. Hits
	// outside the structure have no window. If empty, no structure bounds it.
	Within string
	// MinHits is the minimum number of hits with the collocate. Default: 3.
	// MinFreq is the minimum frequency of the collocate in the corpus. Default: 5.
	MinHits, MinFreq int64
	// Sort is the letter code or the key of a measure. Default: logdice.
	Sort string
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// Collocate is a row of a table of collocations.
type Collocate struct {
	Word string
	// Collocate is a row of a table of collocations.
	Hits, Freq int64
	// Scores holds one score for each of Measures.
	Scores []float64
}

// MarshalJSON writes the scores under the keys of their measures.
func (c Collocate) MarshalJSON() ([]byte, error) {
	scores := map[string]float64{}
	for i, s := range c.Scores {
		scores[Measures[i].Key] = s
	}
	return json.Marshal(struct {
		Word   string             `json:"word"`
		Hits   int64              `json:"hits"`
		Freq   int64              `json:"freq"`
		Scores map[string]float64 `json:"scores"`
	}{c.Word, c.Hits, c.Freq, scores})
}

// Collocations is a table of collocations.
type Collocations struct {
	Tokens int64       `json:"tokens"` // of the corpus (N)
	Hits   int64       `json:"hits"`   // of the query (b)
	Types  int64       `json:"types"`  // collocates that pass the bounds
	Sort   int         `json:"-"`      // index in Measures
	Rows   []Collocate `json:"rows"`
}

// Collocations counts the words around the hits of a query, like Manatee's
// CollocItems. Rows with equal scores are sorted by hits, then by word.
func (c *Corpus) Collocations(ctx context.Context, cql string, cfg CollocationConfig) (*Collocations, error) {
	if _, err := cfg.measure(); err != nil {
		return nil, err
	}
	q, err := c.Query(ctx, cql)
	if err != nil {
		return nil, err
	}
	n, err := q.countAround(ctx, cfg)
	if err != nil {
		return nil, err
	}
	out, v, hits, sort := &n.Collocations, n.v, n.hits, n.Sort
	best := top[collocate]{ends: newDeadline(ctx), limit: cfg.Limit, compare: func(a, b collocate) int {
		switch {
		case a.score != b.score:
			return cmp.Compare(b.score, a.score)
		case a.hits != b.hits:
			return cmp.Compare(b.hits, a.hits)
		}
		return strings.Compare(v.word(a.key), v.word(b.key))
	}}
	freq, err := v.counts(ctx, 0)
	if err != nil {
		return nil, err
	}
	minHits, minFreq := cmp.Or(cfg.MinHits, 3), cmp.Or(cfg.MinFreq, 5)
	for k, f := range hits {
		if best.ends.Over(0) {
			break
		}
		if f == 0 || f < minHits || freq[k] < minFreq {
			continue
		}
		out.Types++
		score := Measures[sort].Score(float64(f), float64(freq[k]), float64(out.Hits), float64(out.Tokens))
		best.add(collocate{uint32(k), f, score})
	}
	for _, x := range best.sorted() {
		if best.ends.Over(0) {
			break
		}
		row := Collocate{Word: v.word(x.key), Hits: x.hits, Freq: freq[x.key], Scores: make([]float64, len(Measures))}
		for i, m := range Measures {
			row.Scores[i] = m.Score(float64(row.Hits), float64(row.Freq), float64(out.Hits), float64(out.Tokens))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, best.ends.Err()
}

// measure sets the default of the window and checks the settings. sort is the
// index of the measure.
func (cfg *CollocationConfig) measure() (sort int, err error) {
	if cfg.From == 0 && cfg.To == 0 {
		cfg.From, cfg.To = -5, 5
	}
	if cfg.From > cfg.To {
		return 0, inField("From", fmt.Errorf("window %d to %d: it must begin before it ends", cfg.From, cfg.To))
	}
	if cfg.From < -maxContext || cfg.To > maxContext {
		return 0, inField("From", fmt.Errorf("window %d to %d: at most %d tokens on each side are possible", cfg.From, cfg.To, maxContext))
	}
	if sort = MeasureByName(cmp.Or(cfg.Sort, "logdice")); sort < 0 {
		return 0, inField("Sort", fmt.Errorf("no measure %q: have %s", cfg.Sort, strings.Join(measureKeys(), ", ")))
	}
	return sort, nil
}

// coHits holds the number of hits that have each word around them.
type coHits struct {
	Collocations
	v    *vocabulary
	hits []int64 // by key
}

// countAround counts the words around the hits.
func (q *Query) countAround(ctx context.Context, cfg CollocationConfig) (*coHits, error) {
	c := q.c
	sort, err := cfg.measure()
	if err != nil {
		return nil, err
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, &wordFilter{words: cfg.Words}, c)
	if err != nil {
		return nil, inField("Attr", err)
	}
	w := window{part: follower{c: c}, from: int64(cfg.From), to: int64(cfg.To), attr: v.attrs[0], keys: v.keys[0], seen: make([]bool, v.len())}
	if cfg.Within != "" {
		if w.within, err = c.Struct(cfg.Within); err != nil {
			return nil, inField("Within", err)
		}
	}
	out := &coHits{Collocations: Collocations{Tokens: c.Size(), Sort: sort}, v: v, hits: make([]int64, v.len())}
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		out.Hits++
		for _, k := range w.around(m) {
			out.hits[k]++
		}
	}
	return out, nil
}

// collocate is a row without its word.
type collocate struct {
	key   uint32
	hits  int64
	score float64
}

func measureKeys() []string {
	keys := make([]string, len(Measures))
	for i, m := range Measures {
		keys[i] = m.Key
	}
	return keys
}

// window collects the words around hits.
type window struct {
	part     follower
	from, to int64
	within   *Struct
	attr     *Attr
	keys     []uint32
	found    []uint32
	seen     []bool // of each key, whether it is in found
}

// around returns the distinct keys in the window of a match. They are valid until
// the next call.
func (w *window) around(m Match) []uint32 {
	for _, k := range w.found {
		w.seen[k] = false
	}
	w.found = w.found[:0]
	first, last, _ := w.part.find(m.Start)
	low, high := first, last
	if w.within != nil {
		low, high = m.Start, m.End // empty, unless the ends are in a structure
		if i, ok := w.within.Find(m.Start); ok {
			low, _ = w.within.Span(i)
		}
		if i, ok := w.within.Find(max(m.End-1, m.Start)); ok {
			_, high = w.within.Span(i)
		}
		low, high = max(low, first), min(high, last)
	}
	if w.from < 0 {
		w.add(max(low, m.Start+w.from), min(m.Start, m.Start+w.to+1))
	}
	if w.to > 0 {
		w.add(max(m.End, m.End-1+w.from), min(high, m.End+w.to))
	}
	return w.found
}

// add adds the positions from start to end-1.
func (w *window) add(start, end int64) {
	for p := start; p < end; p++ {
		if k := w.keys[w.attr.At(p)]; k != none && !w.seen[k] {
			w.seen[k] = true
			w.found = append(w.found, k)
		}
	}
}
