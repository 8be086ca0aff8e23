// Package langid tells the language of a text: of a page, a block, a sentence
// or a few words.
//
// The scripts of the letters choose the candidates. Within a script a linear
// model adds up evidence: each word that the model knows gives its row of
// weights, one for every language that the word tells apart; of other words
// each position gives the row of the longest known character n-gram that ends
// there. Rows start as smoothed logarithms of naive Bayes and are trained
// further by multinomial logistic regression (docs/langid.md). A second stage
// looks again where similar languages are close, and a small model of its own
// recognises what is no language at all.
package langid

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"chaffinch/model/data"
)

// Tags that are no language.
const (
	Undetermined = "und" // the detector abstains
	NoLanguage   = "zxx" // addresses, code, numbers, keys struck at random
)

// Guess is a language and how sure the detector is.
type Guess struct {
	// Lang is a BCP 47 tag such as "de" or "sr-Latn", or one of Undetermined
	// and NoLanguage.
	Lang string
	// Confidence is the estimated probability that Lang is right, 0 to 1. Of
	// Undetermined it is that of the best language, which was not enough.
	Confidence float64
}

// Config says how to detect.
type Config struct {
	// Model is the path of a model file; empty = the embedded one.
	Model string `json:"model,omitempty"`
	// Langs are the languages that can occur; empty = all of the model.
	Langs []string `json:"langs,omitempty"`
	// MinConfidence is the confidence below which the detector abstains.
	MinConfidence float64 `json:"min_confidence"`
	// MaxBytes is how much of a text is read; 0 = all of it.
	MaxBytes int `json:"max_bytes"`
}

// Default is the configuration of the pipeline.
var Default = Config{MinConfidence: 0.5, MaxBytes: 64 << 10}

// Detector detects languages. It is safe for concurrent use.
type Detector struct {
	m       *Model
	cfg     Config
	allowed [maxClasses]bool
	langs   []string
}

// embedded decodes the model that is part of the program, once.
var embedded = sync.OnceValues(func() (*Model, error) { return Parse("embedded langid", data.Langid) })

// New returns a detector.
func New(cfg Config) (*Detector, error) {
	var m *Model
	var err error
	if cfg.Model == "" {
		m, err = embedded()
	} else {
		m, err = Open(cfg.Model)
	}
	if err != nil {
		return nil, err
	}
	return m.Detector(cfg)
}

// Detector returns a detector that uses m; cfg.Model is not looked at.
func (m *Model) Detector(cfg Config) (*Detector, error) {
	if cfg.MinConfidence < 0 || cfg.MinConfidence > 1 {
		return nil, fmt.Errorf("langid: least confidence %v, wanted 0 to 1", cfg.MinConfidence)
	}
	if cfg.MaxBytes < 0 {
		return nil, fmt.Errorf("langid: %d bytes to read at most, wanted 0 (all) or more", cfg.MaxBytes)
	}
	d := &Detector{m: m, cfg: cfg}
	for i, c := range m.classes {
		d.allowed[i] = len(cfg.Langs) == 0 || slices.Contains(cfg.Langs, c.lang)
		if d.allowed[i] {
			d.langs = append(d.langs, c.lang)
		}
	}
	for _, l := range cfg.Langs {
		if !slices.Contains(d.langs, l) {
			return nil, fmt.Errorf("langid: the model %s does not know %q: it knows %s", m.name, l, strings.Join(m.Langs(), " "))
		}
	}
	slices.Sort(d.langs)
	return d, nil
}

// Langs returns the tags of the languages that the detector can name, sorted.
func (d *Detector) Langs() []string { return slices.Clone(d.langs) }

// Detect returns the language of text. It allocates nothing.
func (d *Detector) Detect(text string) Guess {
	var buf [1]Guess
	g := d.Rank(buf[:0], text, 1)
	if len(g) == 0 {
		return Guess{Lang: Undetermined}
	}
	if g[0].Confidence < d.cfg.MinConfidence {
		g[0].Lang = Undetermined
	}
	return g[0]
}

// Rank appends the n most probable languages of text to dst, the best first,
// without abstaining. There are fewer where the letters of text leave fewer.
func (d *Detector) Rank(dst []Guess, text string, n int) []Guess {
	if d.cfg.MaxBytes > 0 && len(text) > d.cfg.MaxBytes {
		text = text[:d.cfg.MaxBytes]
	}
	var t tally
	d.m.read(text, &t)
	s, ok := t.script()
	if !ok {
		return dst
	}
	return d.rank(dst, &t, s, n)
}

// rank turns the scores of the languages of script s into probabilities.
func (d *Detector) rank(dst []Guess, t *tally, s script, n int) []Guess {
	var p [maxClasses]float64
	classes := d.m.byScript[s]
	top, seen := math.Inf(-1), false
	scale := d.m.scale(t.rows[s])
	for _, c := range classes {
		if d.allowed[c] {
			seen = true
			top = max(top, float64(t.score[c]))
		}
	}
	if !seen {
		return dst
	}
	sum := 0.0
	for _, c := range classes {
		if d.allowed[c] {
			p[c] = math.Exp((float64(t.score[c]) - top) * scale)
			sum += p[c]
		}
	}
	for ; n > 0; n-- {
		best, bp := -1, -1.0
		for _, c := range classes {
			if d.allowed[c] && p[c] > bp {
				best, bp = int(c), p[c]
			}
		}
		if best < 0 {
			break
		}
		dst = append(dst, Guess{d.m.classes[best].lang, bp / sum})
		p[best] = -2
	}
	return dst
}
