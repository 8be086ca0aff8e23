// Package lm measures cleaning by its use for training data: [Measure] trains a small language
// model on the output of a program and tests it on clean text of other pages.
//
// The model is an n-gram model with interpolated modified Kneser-Ney smoothing (package lm of the
// library). An unknown word costs the probability of an unknown word times the probability of its
// spelling, by pairs of bytes in the training words. Every text thus has a probability, and models
// with different vocabularies can be compared.
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
	_ "chaffinch/model/data/segmenters"
	ngram "chaffinch/text/lm"
	"chaffinch/text/token"
)

// Config configures the training and test of models.
type Config struct {
	// Order is the maximum length of n-grams.
	Order int
	// Test is the sampling rate of test pages: one page in Test, or with BySite one site in Test
	// with all its pages.
	Test   int
	BySite bool
	// MinPages is the minimum number of test pages of a language.
	MinPages int
	Seed     uint64
	// Workers is the number of concurrent trainings. Default: one per core.
	Workers int
}

// Default is a trigram model that is tested on a fifth of the pages.
var Default = Config{Order: 3, Test: 5, MinPages: 30, Seed: 1}

// Fit holds the fit of a model to the test text.
type Fit struct {
	// Tokens is the number of training tokens without ends of sentences.
	Tokens uint64
	// PerToken is the perplexity per token and end of sentence, BitsPerByte the cross entropy per
	// byte of text.
	PerToken, BitsPerByte float64
	// Unknown is the fraction of test tokens that are unknown to the model.
	Unknown float64
}

// Result holds the fit of models of a system's texts in a language.
type Result struct {
	System, Lang string
	// Whole is the model of all text. Equal is the model of as many tokens as the system with the
	// least text has.
	Whole, Equal Fit
}

// part holds the training and test pages of a language.
type part struct {
	lang        string
	train, test []int
}

// parts divides the pages by language. Pages with nearly the same gold text as a test page are
// excluded from training. The seed determines the order of training.
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

// Measure trains a model on each system's texts of each language and tests it on the gold text of
// the test pages. Results are ordered by language, then by system.
func Measure(ctx context.Context, p *texts.Pages, systems []*texts.System, cfg Config) ([]Result, error) {
	var out []Result
	for _, l := range parts(p, cfg) {
		var test []string
		for _, i := range l.test {
			test = append(test, p.Pages[i].Gold)
		}
		train := make([]*texts.System, len(systems))
		for k, s := range systems {
			train[k] = &texts.System{Name: s.Name}
			for _, i := range l.train {
				train[k].Texts = append(train[k].Texts, s.Texts[i])
			}
		}
		results, err := compare(ctx, l.lang, train, test, cfg)
		if err != nil {
			return nil, err
		}
		out = append(out, results...)
	}
	return out, nil
}

// compare trains a model on the texts of each system, in their order, and tests it on other texts.
// All texts are in one language.
func compare(ctx context.Context, lang string, systems []*texts.System, tests []string, cfg Config) ([]Result, error) {
	var test []string
	for _, t := range tests {
		test = append(test, sentences(t, lang)...)
	}
	train, tokens := make([][]string, len(systems)), make([]int, len(systems))
	least := math.MaxInt
	for k, s := range systems {
		for _, t := range s.Texts {
			train[k] = append(train[k], sentences(t, lang)...)
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
		results[i/2].System, results[i/2].Lang = systems[i/2].Name, lang
	}
	return results, nil
}

// sentences divides the lines of a text into sentences.
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

// fit trains a model on sentences up to a number of tokens and tests it.
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

// speller is a bigram model of the bytes of words. The byte before the first and after the last is
// 0.
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

// bits returns the cost in bits of the spelling of a word. Counts of pairs are smoothed by adding
// one half.
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

// Floored returns the figures that have floors, by system and language: the fraction of 8 bits per
// byte that the models of equal size save.
func Floored(results []Result) []floors.System {
	var out []floors.System
	for _, r := range results {
		if !math.IsNaN(r.Equal.BitsPerByte) {
			out = append(out, floors.System{Name: r.System + " " + r.Lang, Figures: map[string]float64{"saved": 1 - r.Equal.BitsPerByte/8}})
		}
	}
	return out
}
