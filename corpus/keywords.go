package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// KeywordConfig configures the comparison of a corpus with a reference.
type KeywordConfig struct {
	// Attr is the attribute of tokens. Default: the default attribute. Fold, Pattern,
	// Words, NGram and Within are as in [WordListConfig].
	Attr    string
	Fold    bool
	Pattern string
	Words   bool
	NGram   int
	Within  string
	// MinFreq and MaxFreq bound the frequency in the focus corpus. Default of
	// MinFreq: 1. A MaxFreq of 0 means no bound.
	MinFreq, MaxFreq int64
	// Smoothing is n of the simple measure. Default: 1.
	Smoothing float64
	// Sort is the key of one of KeynessMeasures. Default: simple.
	Sort string
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// Keyword is a row of a table of keywords.
type Keyword struct {
	Word   string
	tokens []string // tokens of Word, which are separated by spaces
	// Freq and RefFreq are the frequencies in the focus and the reference corpus.
	Freq, RefFreq             int64
	PerMillion, RefPerMillion float64
	// Scores holds one score for each of KeynessMeasures.
	Scores []float64
}

// MarshalJSON writes the scores under the keys of their measures.
func (k Keyword) MarshalJSON() ([]byte, error) {
	scores := map[string]float64{}
	for i, s := range k.Scores {
		scores[KeynessMeasures[i].Key] = s
	}
	return json.Marshal(struct {
		Word          string             `json:"word"`
		Freq          int64              `json:"freq"`
		RefFreq       int64              `json:"ref_freq"`
		PerMillion    float64            `json:"per_million"`
		RefPerMillion float64            `json:"ref_per_million"`
		Scores        map[string]float64 `json:"scores"`
	}{k.Word, k.Freq, k.RefFreq, k.PerMillion, k.RefPerMillion, scores})
}

// Keywords is a table of keywords.
type Keywords struct {
	Tokens    int64     `json:"tokens"`
	RefTokens int64     `json:"ref_tokens"`
	Types     int64     `json:"types"` // words that pass the bounds
	Sort      int       `json:"-"`     // index in KeynessMeasures
	Smoothing float64   `json:"smoothing"`
	Rows      []Keyword `json:"rows"`
}

// FindKeywords returns the words, or n-grams, that a corpus uses more than a
// reference. Rows with equal scores are sorted by frequency, then by words.
func FindKeywords(ctx context.Context, focus, reference *Corpus, cfg KeywordConfig) (*Keywords, error) {
	keep, err := filter(cfg.Pattern, cfg.Words)
	if err != nil {
		return nil, err
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, keep, focus, reference)
	if err != nil {
		return nil, inField("Attr", err)
	}
	var borders []*Struct
	for _, c := range []*Corpus{focus, reference} {
		b, err := c.border(cfg.Within)
		if err != nil {
			return nil, err
		}
		borders = append(borders, b)
	}
	k, err := newKeyer(ctx, v, cfg, focus.Size(), reference.Size())
	if err != nil {
		return nil, err
	}
	for g, err := range v.grams(ctx, k.n, borders) {
		if err != nil {
			return nil, err
		}
		k.add(g.keys, g.freq[0], g.freq[1])
	}
	return k.table(), k.best.ends.Err()
}

// keyer collects the words with the highest keyness.
type keyer struct {
	v        *vocabulary
	n        int
	minFreq  int64
	maxFreq  int64
	out      Keywords
	best     top[keyed]
	measured func(f1, f2 int64) float64
}

// keyed is a row without its words.
type keyed struct {
	keys   [maxNGram]uint32
	f1, f2 int64
	score  float64
}

// newKeyer returns a keyer for counts in a corpus of n1 tokens against counts in a
// corpus of n2 tokens.
func newKeyer(ctx context.Context, v *vocabulary, cfg KeywordConfig, n1, n2 int64) (*keyer, error) {
	k := &keyer{v: v, n: max(cfg.NGram, 1), minFreq: max(cfg.MinFreq, 1), maxFreq: cfg.MaxFreq}
	k.out = Keywords{Tokens: n1, RefTokens: n2}
	if err := k.out.configure(cfg); err != nil {
		return nil, err
	}
	score := KeynessMeasures[k.out.Sort].Score
	k.measured = func(f1, f2 int64) float64 { return score(f1, n1, f2, n2, k.out.Smoothing) }
	k.best = top[keyed]{ends: newDeadline(ctx), limit: cfg.Limit, compare: func(a, b keyed) int {
		switch {
		case a.score != b.score:
			return cmp.Compare(b.score, a.score)
		case a.f1 != b.f1:
			return cmp.Compare(b.f1, a.f1)
		case a.keys == b.keys:
			return 0
		}
		return strings.Compare(v.words(a.keys[:k.n]), v.words(b.keys[:k.n]))
	}}
	return k, nil
}

// configure sets the measure and the smoothing.
func (k *Keywords) configure(cfg KeywordConfig) error {
	k.Smoothing, k.Sort = cmp.Or(cfg.Smoothing, 1), keynessByName(cmp.Or(cfg.Sort, "simple"))
	if k.Sort < 0 {
		var have []string
		for _, m := range KeynessMeasures {
			have = append(have, m.Key)
		}
		return inField("Sort", fmt.Errorf("no measure %q: have %s", cfg.Sort, strings.Join(have, ", ")))
	}
	if !(k.Smoothing > 0) {
		return inField("Smoothing", errors.New("smoothing must be above 0: words that the reference lacks would have no score"))
	}
	return nil
}

// row returns the row of a word with its frequencies.
func (k *Keywords) row(tokens []string, f1, f2 int64) Keyword {
	row := Keyword{
		Word: strings.Join(tokens, " "), tokens: tokens, Freq: f1, RefFreq: f2,
		PerMillion: PerMillion(f1, k.Tokens), RefPerMillion: PerMillion(f2, k.RefTokens),
		Scores: make([]float64, len(KeynessMeasures)),
	}
	for i, m := range KeynessMeasures {
		row.Scores[i] = m.Score(f1, k.Tokens, f2, k.RefTokens, k.Smoothing)
	}
	return row
}

// add adds a word with its frequencies in both corpora.
func (k *keyer) add(keys []uint32, f1, f2 int64) {
	if f1 < k.minFreq || k.maxFreq > 0 && f1 > k.maxFreq {
		return
	}
	k.out.Types++
	x := keyed{f1: f1, f2: f2, score: k.measured(f1, f2)}
	copy(x.keys[:], keys)
	k.best.add(x)
}

func (k *keyer) table() *Keywords {
	for _, x := range k.best.sorted() {
		if k.best.ends.Over(0) {
			break
		}
		k.out.Rows = append(k.out.Rows, k.out.row(k.v.list(x.keys[:k.n]), x.f1, x.f2))
	}
	return &k.out
}
