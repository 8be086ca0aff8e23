package justext

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// TrainConfig says how stop lists are cut.
type TrainConfig struct {
	// Cover is the share of unseen running text that a list shall cover.
	Cover float64 `json:"cover"`
	// MinWords is the number of running words that a language must have for a
	// list, where they come from at least two sources.
	MinWords int `json:"min_words"`
	// MinSoleWords is the same for a language with one source.
	MinSoleWords int `json:"min_sole_words"`
	// MinSourceWords is the number of words below which a source is taken
	// together with other small sources of the language.
	MinSourceWords int `json:"min_source_words"`
	// MinCount is how often a word must occur to enter a list.
	MinCount int `json:"min_count"`
}

// DefaultTrain is the configuration of the embedded lists.
var DefaultTrain = TrainConfig{Cover: Cover, MinWords: 2000, MinSoleWords: 10_000, MinSourceWords: 1000, MinCount: 3}

// Trainer counts words and cuts stop lists.
//
// A list holds the most frequent words of a language, as few as cover half of
// a text that they were not counted on. Frequent in one source only is not
// frequent: words are ranked by the geometric mean of their relative
// frequencies in the sources, weighted by the square roots of the sources'
// sizes, so that "click" of a manual ranks behind "although". For the cut the
// lines are dealt to two halves by a hash of the line; the ranking of each
// half is tried on the other.
type Trainer struct {
	cfg   TrainConfig
	langs map[string]map[string]*counts // language, source
	buf   []byte
}

// counts holds the words of one source in one language, in two halves.
type counts struct {
	words map[string]*[2]int
	total [2]int
}

// Trained is a stop list with what it was made from.
type Trained struct {
	*Stoplist
	// TextWords is the number of running words counted.
	TextWords int
	// Sources are the names of the sources in byte order.
	Sources []string
}

// NewTrainer checks cfg.
func NewTrainer(cfg TrainConfig) (*Trainer, error) {
	if !(cfg.Cover > 0 && cfg.Cover < 1) {
		return nil, fmt.Errorf("stop words: cover %v, wanted a share between 0 and 1", cfg.Cover)
	}
	return &Trainer{cfg: cfg, langs: map[string]map[string]*counts{}}, nil
}

// Add counts the words of a text in the language of a BCP 47 tag. Texts of one
// source count as one. It reports whether the tag names a language with words
// between spaces; other texts are not read.
func (t *Trainer) Add(source, tag string, r io.Reader) (taken bool, err error) {
	lang := primary(tag)
	if lang == "" || unspaced[lang] {
		return false, nil
	}
	if t.langs[lang] == nil {
		t.langs[lang] = map[string]*counts{}
	}
	c := t.langs[lang][source]
	if c == nil {
		c = &counts{words: map[string]*[2]int{}}
		t.langs[lang][source] = c
	}
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := in.ReadSlice('\n') // a longer line counts as several
		t.count(c, line)
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return true, fmt.Errorf("stop words: %s (%s): %w", source, tag, err)
		}
	}
}

// count counts the words of a line.
func (t *Trainer) count(c *counts, line []byte) {
	h := fnv.New32a()
	h.Write(line)
	half := h.Sum32() >> 16 & 1
	text := string(line)
	table := wideTable()
	for i := 0; i < len(text); {
		t.buf, i = table.next(t.buf, text, i)
		if len(t.buf) == 0 {
			return
		}
		n := c.words[string(t.buf)]
		if n == nil {
			n = new([2]int)
			c.words[string(t.buf)] = n
		}
		n[half]++
		c.total[half]++
	}
}

// Lists cuts the lists of all languages with enough text, in order of tags.
func (t *Trainer) Lists() []Trained {
	var out []Trained
	for _, lang := range slices.Sorted(maps.Keys(t.langs)) {
		sources := t.langs[lang]
		total := 0
		for _, c := range sources {
			total += c.total[0] + c.total[1]
		}
		if total < t.cfg.MinWords || len(sources) == 1 && total < t.cfg.MinSoleWords {
			continue
		}
		words, cover := t.cut(pool(sources, t.cfg.MinSourceWords))
		l := NewStoplist(lang, words)
		l.Cover = cover
		out = append(out, Trained{l, total, slices.Sorted(maps.Keys(sources))})
	}
	return out
}

// pool returns the sources in byte order of their names, with the small ones
// joined to one, which joins the largest if it is still small.
func pool(sources map[string]*counts, least int) []*counts {
	var large []*counts
	rest := &counts{words: map[string]*[2]int{}}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if c := sources[name]; c.size() >= least {
			large = append(large, c)
		} else {
			rest.join(c)
		}
	}
	if rest.size() >= least || len(large) == 0 {
		return append(large, rest)
	}
	i := 0
	for j, c := range large {
		if c.size() > large[i].size() {
			i = j
		}
	}
	rest.join(large[i])
	large[i] = rest
	return large
}

func (c *counts) size() int { return c.total[0] + c.total[1] }

func (c *counts) join(d *counts) {
	for w, n := range d.words {
		if m := c.words[w]; m != nil {
			m[0] += n[0]
			m[1] += n[1]
		} else {
			c.words[w] = &[2]int{n[0], n[1]}
		}
	}
	c.total[0] += d.total[0]
	c.total[1] += d.total[1]
}

// halves selects what a ranking is made of.
const (
	first = iota
	second
	both
)

// pick returns the count of a half or of both.
func pick(n *[2]int, half int) int {
	switch {
	case n == nil:
		return 0
	case half == both:
		return n[0] + n[1]
	}
	return n[half]
}

// ranked is a word with its place in the order.
type ranked struct {
	word  string
	count int     // in all sources
	mean  float64 // logarithm of the mean relative frequency
}

// rank orders the words of one half, or of both, by their mean frequency.
func rank(sources []*counts, half, least int) []ranked {
	weights := weigh(sources)
	total := map[string]int{}
	for _, c := range sources {
		for w, n := range c.words {
			total[w] += pick(n, half)
		}
	}
	out := make([]ranked, 0, len(total))
	for w, n := range total {
		if n < least || strings.IndexFunc(w, unicode.IsLetter) < 0 {
			continue
		}
		mean := 0.0
		for i, c := range sources {
			f := (float64(pick(c.words[w], half)) + 0.5) / (float64(pick(&c.total, half)) + 0.5)
			mean += weights[i] * math.Log(f)
		}
		out = append(out, ranked{w, n, mean})
	}
	slices.SortFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.mean, a.mean), cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	return out
}

// weigh returns the weights of the sources, of sum 1.
func weigh(sources []*counts) []float64 {
	weights := make([]float64, len(sources))
	sum := 0.0
	for i, c := range sources {
		weights[i] = math.Sqrt(float64(c.size()))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// curve returns the share of the other half's text that the first 1, 2, ...
// words of a half's ranking cover.
func curve(sources []*counts, order []ranked, half int) []float64 {
	weights := weigh(sources)
	out := make([]float64, len(order))
	sum := 0.0
	for k, r := range order {
		for i, c := range sources {
			if c.total[half] > 0 {
				sum += weights[i] * float64(pick(c.words[r.word], half)) / float64(c.total[half])
			}
		}
		out[k] = sum
	}
	return out
}

// cut returns the words of a list and the share of unseen text that it covers.
func (t *Trainer) cut(sources []*counts) (words []string, cover float64) {
	order := rank(sources, both, t.cfg.MinCount)
	a := curve(sources, rank(sources, first, 1), second)
	b := curve(sources, rank(sources, second, 1), first)
	k := 0
	for ; k < min(len(order), len(a), len(b)) && cover < t.cfg.Cover; k++ {
		cover = (a[k] + b[k]) / 2
	}
	for _, r := range order[:k] {
		words = append(words, r.word)
	}
	return words, cover
}
