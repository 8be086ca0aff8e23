// Package justext derives stop lists for the method justext (clean/justext) from running text with
// a [Trainer].
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
	"unicode/utf8"

	"golang.org/x/text/language"

	"chaffinch/clean/justext"
	"chaffinch/internal/sorts"
)

// Config configures the derivation of stop lists.
type Config struct {
	// Cover is the fraction of unseen running text that a list should cover.
	Cover float64 `json:"cover"`
	// MinWords is the minimum number of running words of a language with at least two sources.
	MinWords int `json:"min_words"`
	// MinSoleWords is the minimum number of running words of a language with one source.
	MinSoleWords int `json:"min_sole_words"`
	// MinSourceWords is the number of words below which a source is pooled with other small sources
	// of the language.
	MinSourceWords int `json:"min_source_words"`
	// MinCount is the minimum count of a word in a list.
	MinCount int `json:"min_count"`
	// MinCover is the minimum fraction of unseen running text that a list covers.
	MinCover float64 `json:"min_cover"`
}

// Default is the configuration of the embedded lists.
var Default = Config{Cover: justext.FullCover, MinWords: 2000, MinSoleWords: 20_000, MinSourceWords: 1000, MinCount: 3, MinCover: 0.15}

// Trainer counts words and derives stop lists.
//
// A list contains the fewest most frequent words of a language that cover a given fraction of
// unseen text. Words that are frequent in only one source are ranked low. Words are ranked by the
// geometric mean of their relative frequencies in the sources, weighted by the square roots of the
// sources' sizes, so that "click" of a manual ranks below "although". The cover of each source is
// measured with a ranking of the other sources. With one source, it is measured on one half of the
// lines with a ranking of the other half, times a factor estimated from other languages.
type Trainer struct {
	cfg   Config
	langs map[string]map[string]*counts // language, source
	scan  justext.Words
}

// counts holds the words of one source in one language, in two halves.
type counts struct {
	words map[string]*[2]int
	total [2]int
}

// Trained is a stop list with its training data.
type Trained struct {
	*justext.Stoplist
	// TextWords is the number of running words counted.
	TextWords int
	// Sources lists the names of the sources in byte order.
	Sources []string
}

// Check returns an error if the settings are invalid.
func (cfg Config) Check() error {
	if !(cfg.Cover > 0 && cfg.Cover < 1) {
		return fmt.Errorf("stop words: cover %v, wanted a share between 0 and 1", cfg.Cover)
	}
	return nil
}

// NewTrainer returns a trainer without text.
func NewTrainer(cfg Config) (*Trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return &Trainer{cfg: cfg, langs: map[string]map[string]*counts{}}, nil
}

// Add counts the words of a text in the language of a BCP 47 tag. Texts of one source are counted
// together. taken reports whether the tag is a language with spaces between words; other texts are
// not read.
func (t *Trainer) Add(source, tag string, r io.Reader) (taken bool, err error) {
	lang := justext.ListLang(tag)
	if lang == "" {
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
		line, err := in.ReadSlice('\n') // a longer line counts as several lines
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
	for i := 0; i < len(text); {
		var w []byte
		w, i = t.scan.Next(text, i)
		if len(w) == 0 {
			return
		}
		n := c.words[string(w)]
		if n == nil {
			n = new([2]int)
			c.words[string(w)] = n
		}
		n[half]++
		c.total[half]++
	}
}

// Lists returns the lists of all languages with enough text, in order of tags, and the tags of the
// other languages.
func (t *Trainer) Lists() (out []Trained, few []string) {
	for _, lang := range slices.Sorted(maps.Keys(t.langs)) {
		sources := t.langs[lang]
		dropOtherScript(lang, sources)
		total := 0
		for _, c := range sources {
			total += c.size()
		}
		pooled := pool(sources, t.cfg.MinSourceWords)
		if total < t.cfg.MinWords || len(pooled) == 1 && total < t.cfg.MinSoleWords {
			few = append(few, lang)
			continue
		}
		words, cover := t.cut(pooled)
		if cover < t.cfg.MinCover {
			few = append(few, lang)
			continue
		}
		l := justext.NewStoplist(lang, words)
		l.Cover = cover
		out = append(out, Trained{l, total, slices.Sorted(maps.Keys(sources))})
	}
	return out, few
}

// bothScripts lists languages that are written in Latin and in Cyrillic script.
var bothScripts = map[string]bool{"sr": true, "uz": true}

// dropOtherScript removes words in Latin script from texts of a language with another script, and the
// reverse. They are names and untranslated English.
func dropOtherScript(lang string, sources map[string]*counts) {
	if bothScripts[lang] {
		return
	}
	foreign := 1
	if s, _ := language.Make(lang).Script(); s.String() == "Latn" {
		foreign = 0
	}
	for _, c := range sources {
		for w, k := range c.words {
			if script(w) == foreign {
				c.total[0] -= k[0]
				c.total[1] -= k[1]
				delete(c.words, w)
			}
		}
	}
}

// script returns 0 for a word in a script other than Latin, 1 for a Latin word, and 2 for a number.
func script(word string) int {
	switch r, _ := utf8.DecodeRuneInString(word); {
	case unicode.Is(unicode.Latin, r):
		return 1
	case unicode.IsDigit(r):
		return 2
	}
	return 0
}

// pool returns the sources in byte order of their names. Small sources are merged into one, which
// is merged with the largest if it is still small.
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
	switch {
	case rest.size() == 0:
		return large
	case rest.size() >= least || len(large) == 0:
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

// part selects the words of a ranking: of all sources except one, or of one half.
type part struct {
	without int // index of a source, -1 for none
	half    int // 0, 1, or 2 for both
}

var whole = part{-1, 2}

// of returns the part's count of a word in source i.
func (p part) of(i int, n *[2]int) int {
	switch {
	case n == nil || i == p.without:
		return 0
	case p.half == 2:
		return n[0] + n[1]
	}
	return n[p.half]
}

// ranked is a word of a ranking.
type ranked struct {
	word  string
	count int     // in all sources
	mean  float64 // logarithm of the mean relative frequency
}

// rank orders the words of a part by their mean frequency.
func rank(sources []*counts, p part, least int) []ranked {
	weights := make([]float64, len(sources))
	sum := 0.0
	total := map[string]int{}
	for i, c := range sources {
		weights[i] = math.Sqrt(float64(p.of(i, &c.total)))
		sum += weights[i]
		for w, n := range c.words {
			total[w] += p.of(i, n)
		}
	}
	out := make([]ranked, 0, len(total))
	for w, n := range total {
		if n < least || strings.IndexFunc(w, unicode.IsLetter) < 0 {
			continue
		}
		mean := 0.0
		for i, c := range sources {
			f := (float64(p.of(i, c.words[w])) + 0.5) / (float64(p.of(i, &c.total)) + 0.5)
			mean += float64(weights[i] / sum * math.Log(f))
		}
		out = append(out, ranked{w, n, mean})
	}
	sorts.Func(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.mean, a.mean), cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	return out
}

// trial is a test of a ranking on unseen text.
type trial struct {
	order  []ranked
	text   *counts
	half   int     // of text; 2 for both
	weight float64 // all trials together have weight 1
}

// across tests the ranking of all sources except one on that one. Trials with more training text
// have more weight.
func across(sources []*counts) (out []trial) {
	all := 0
	for _, c := range sources {
		all += c.size()
	}
	for i, c := range sources {
		out = append(out, trial{rank(sources, part{i, 2}, 1), c, 2, math.Sqrt(float64(all - c.size()))})
	}
	return weighted(out)
}

// within tests the ranking of one half of the lines on the other half.
func within(sources []*counts) (out []trial) {
	for half := range 2 {
		order := rank(sources, part{-1, 1 - half}, 1)
		for _, c := range sources {
			out = append(out, trial{order, c, half, math.Sqrt(float64(c.size()))})
		}
	}
	return weighted(out)
}

func weighted(trials []trial) []trial {
	sum := 0.0
	for _, t := range trials {
		sum += t.weight
	}
	for i := range trials {
		trials[i].weight /= sum
	}
	return trials
}

// gain returns the increase of the covered fraction of the texts by the word at rank k.
func gain(trials []trial, k int) (sum float64) {
	for _, t := range trials {
		if k < len(t.order) {
			p := part{-1, t.half}
			n := p.of(0, t.text.words[t.order[k].word])
			sum += t.weight * float64(n) / float64(max(1, p.of(0, &t.text.total)))
		}
	}
	return sum
}

const (
	// maxWithin is the cover of unseen lines of the same sources at which a list is long enough,
	// even if other kinds of sources share few words.
	maxWithin = 0.75
	// sole is the ratio of the cover of another source to the cover of unseen lines of the same
	// source: the median over the languages with several sources.
	sole = 0.78
	// minAcross is the cover of other sources below which they are in another script or spelling
	// and are ignored.
	minAcross = 0.1
)

// cut returns the words of a list and the fraction of unseen text that it covers.
func (t *Trainer) cut(sources []*counts) (words []string, cover float64) {
	order := rank(sources, whole, t.cfg.MinCount)
	same := within(sources)
	var other []trial
	if len(sources) > 1 {
		other = across(sources)
	}
	k, in, out := 0, 0.0, 0.0
	for ; k < len(order) && cover < t.cfg.Cover && in < maxWithin; k++ {
		in += gain(same, k)
		out += gain(other, k)
		if cover = out; len(sources) == 1 {
			cover = sole * in
		}
	}
	if cover < minAcross {
		cover = sole * in
	}
	for _, r := range order[:k] {
		words = append(words, r.word)
	}
	return words, cover
}
