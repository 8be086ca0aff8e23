// Package lm measures cleaning by what builders of training data want of it: a small
// language model is trained on what a program leaves of pages and tested on clean
// text of other pages.
//
// The model is an n-gram model with interpolated modified Kneser-Ney smoothing
// (package lm of the library). A word that it does not know costs the probability
// of an unknown word and that of its spelling, by pairs of bytes of the words trained
// on. So every text has a probability, and models with different vocabularies can be
// compared.
package lm

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/parallel"
	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
	wordstrain "chaffinch/lab/train/words"
	ngram "chaffinch/text/lm"
	"chaffinch/text/token"
)

// Config says how models are trained and tested.
type Config struct {
	// Order is the length of the longest n-grams.
	Order int
	// Test is such that one page in that many is for the test; or one site, BySite: the
	// pages of a site are then all on one side.
	Test   int
	BySite bool
	// MinPages is how many pages for the test a language needs.
	MinPages int
	Seed     uint64
	// Workers is how many models are trained at once, 0 for one for each core.
	Workers int
}

// Default is a trigram model, tested on a fifth of the pages.
var Default = Config{Order: 3, Test: 5, MinPages: 30, Seed: 1}

// Fit is how well a model fits the test text.
type Fit struct {
	// Tokens is what it was trained on, without ends of sentences.
	Tokens uint64
	// PerToken is the perplexity for each token and end of a sentence, BitsPerByte the
	// cross entropy for each byte of the text.
	PerToken, BitsPerByte float64
	// Unknown is the share of the test's tokens that the model does not know.
	Unknown float64
}

// Result is what a system's texts are good for in a language.
type Result struct {
	System, Lang string
	// Whole is the model of all text, Equal that of as many tokens as the system has
	// that leaves least.
	Whole, Equal Fit
}

// part says which pages of a language are trained on and tested with.
type part struct {
	lang        string
	train, test []int
}

// parts parts the pages by language. Pages with nearly the same gold text as one of
// the test are not trained on. The order of training is drawn by the seed.
func parts(p *texts.Pages, cfg Config) []part {
	byLang := map[string]*part{}
	inTest := func(i int) bool {
		key := p.Pages[i].ID
		if cfg.BySite {
			key = cmp.Or(p.Pages[i].Site, key)
		}
		return xxh3.HashString(key)%uint64(cfg.Test) == 0
	}
	for i, g := range p.Pages {
		lang, _, _ := strings.Cut(cmp.Or(g.Lang, "und"), "-")
		if byLang[lang] == nil {
			byLang[lang] = &part{lang: lang}
		}
		if l := byLang[lang]; inTest(i) {
			l.test = append(l.test, i)
		} else if !slices.ContainsFunc(g.Near, inTest) {
			l.train = append(l.train, i)
		}
	}
	var out []part
	for _, l := range byLang {
		if len(l.test) >= cfg.MinPages && l.lang != "und" {
			rng := rand.New(rand.NewPCG(cfg.Seed, 23))
			rng.Shuffle(len(l.train), func(i, j int) { l.train[i], l.train[j] = l.train[j], l.train[i] })
			out = append(out, *l)
		}
	}
	sorts.Func(out, func(a, b part) int { return cmp.Compare(a.lang, b.lang) })
	return out
}

// Measure trains a model on each system's texts of each language and tests it on the
// gold text of the pages that were left out: results by language, then by system.
func Measure(ctx context.Context, p *texts.Pages, systems []*texts.System, cfg Config) ([]Result, error) {
	var out []Result
	for _, l := range parts(p, cfg) {
		var test []string
		for _, i := range l.test {
			test = append(test, sentences(p.Pages[i].Gold, l.lang)...)
		}
		train, tokens := make([][]string, len(systems)), make([]int, len(systems))
		least := math.MaxInt
		for k, s := range systems {
			for _, i := range l.train {
				train[k] = append(train[k], sentences(s.Texts[i], l.lang)...)
			}
			for _, s := range train[k] {
				tokens[k] += count(s)
			}
			if tokens[k] > 0 {
				least = min(least, tokens[k])
			}
		}
		results, errs := make([]Result, len(systems)), make([]error, 2*len(systems))
		parallel.Each(cfg.Workers, 2*len(systems), func(i int) {
			k := i / 2
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			to, limit := &results[k].Whole, math.MaxInt
			if i%2 == 1 {
				to, limit = &results[k].Equal, least
			}
			*to, errs[i] = fit(train[k], limit, test, cfg)
		})
		for i, err := range errs {
			if err != nil {
				return nil, err
			}
			results[i/2].System, results[i/2].Lang = systems[i/2].Name, l.lang
		}
		out = append(out, results...)
	}
	return out, nil
}

// sentences cuts the lines of a text into sentences.
func sentences(text, lang string) (out []string) {
	t := token.For(lang)
	for line := range strings.Lines(text) {
		for _, s := range t.Sentences(line, nil) {
			if one := strings.TrimSpace(line[s.Start:s.End]); one != "" {
				out = append(out, one)
			}
		}
	}
	return out
}

// count returns the number of tokens of a sentence.
func count(sentence string) (n int) {
	t := ngram.NewTokens(wordstrain.Default.Tokeniser, sentence)
	for t.Next() != nil {
		n++
	}
	return n
}

// fit trains a model on sentences up to a number of tokens, and tests it.
func fit(train []string, limit int, test []string, cfg Config) (f Fit, err error) {
	c := wordstrain.Default
	c.Order, c.HeldOut, c.Bits, c.MaxBytes, c.Prune = cfg.Order, 0, 32, 0, nil
	b, err := wordstrain.New(c)
	if err != nil {
		return f, err
	}
	defer b.Close()
	var spell speller
	for _, s := range train {
		if int(f.Tokens) >= limit {
			break
		}
		if err := b.Add(s, 1, 0); err != nil {
			return f, err
		}
		for t := ngram.NewTokens(c.Tokeniser, s); ; f.Tokens++ {
			w := t.Next()
			if w == nil {
				break
			}
			spell.learn(w)
		}
	}
	if f.Tokens == 0 {
		return Fit{PerToken: math.NaN(), BitsPerByte: math.NaN(), Unknown: math.NaN()}, nil
	}
	m, err := b.Model("eval")
	if err != nil {
		return f, err
	}
	defer m.Close()
	bits, tokens, unknown, bytes := 0.0, 0, 0, 0
	for _, s := range test {
		sc := m.Scorer()
		t := m.Tokens(s)
		for w := t.Next(); w != nil; w = t.Next() {
			before := sc.Score.OOV
			if sc.Token(w); sc.Score.OOV > before {
				bits += spell.bits(w)
			}
		}
		sc.End()
		bits -= sc.Score.LogProb / math.Log10(2)
		tokens, unknown, bytes = tokens+sc.Score.Tokens, unknown+sc.Score.OOV, bytes+len(s)+1
	}
	f.PerToken = math.Exp2(bits / float64(tokens))
	f.BitsPerByte, f.Unknown = bits/float64(bytes), float64(unknown)/float64(tokens)
	return f, nil
}

// speller is a model of the bytes of words: each after the one before, 0 before the
// first and behind the last.
type speller struct {
	pairs [256][256]float64
	total [256]float64
}

// learn counts the pairs of a word.
func (s *speller) learn(word []byte) {
	before := byte(0)
	for _, b := range word {
		s.pairs[before][b]++
		s.total[before]++
		before = b
	}
	s.pairs[before][0]++
	s.total[before]++
}

// bits returns what the spelling of a word costs; each pair is counted half a time
// more than it was seen.
func (s *speller) bits(word []byte) (sum float64) {
	before := byte(0)
	cost := func(b byte) {
		sum -= math.Log2((s.pairs[before][b] + .5) / (s.total[before] + 128))
		before = b
	}
	for _, b := range word {
		cost(b)
	}
	cost(0)
	return sum
}

// FloorName is the name of a set of floors.
func FloorName(sets []*gold.Set) string {
	return "lm/" + strings.Join(texts.SetNames(sets), "+")
}

// Floored returns what has floors: the share of 8 bits for each byte that the models of
// equal size save, by system and language.
func Floored(results []Result) []floors.System {
	var out []floors.System
	for _, r := range results {
		if !math.IsNaN(r.Equal.BitsPerByte) {
			out = append(out, floors.System{Name: r.System + " " + r.Lang, Figures: map[string]float64{"saved": 1 - r.Equal.BitsPerByte/8}})
		}
	}
	return out
}
