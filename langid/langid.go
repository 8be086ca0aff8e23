// Package langid detects the language of a text: of a page, a block, a sentence
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
	// ReadAll reads all of a text (up to MaxBytes). Otherwise the detector
	// looks every 8 words whether the language is sure, and stops.
	ReadAll bool `json:"read_all,omitempty"`
	// OneStage leaves out the second stage for similar languages.
	OneStage bool `json:"one_stage,omitempty"`
}

// Default is the configuration of the pipeline.
var Default = Config{MinConfidence: 0.5, MaxBytes: 64 << 10}

// Detector detects languages. It is safe for concurrent use.
type Detector struct {
	m        *Model
	cfg      Config
	byScript [maxScripts][]uint8 // the classes that are allowed
	grouped  [][]uint8           // those of the evidence for each group
	langs    []string
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
		return nil, fmt.Errorf("langid: minimum confidence %v, wanted 0 to 1", cfg.MinConfidence)
	}
	if cfg.MaxBytes < 0 {
		return nil, fmt.Errorf("langid: %d bytes to read at most, wanted 0 (all) or more", cfg.MaxBytes)
	}
	d := &Detector{m: m, cfg: cfg}
	for i, c := range m.classes {
		if len(cfg.Langs) == 0 || slices.Contains(cfg.Langs, c.lang) {
			d.langs = append(d.langs, c.lang)
			d.byScript[c.script] = append(d.byScript[c.script], uint8(i))
		}
	}
	for _, l := range cfg.Langs {
		if !slices.Contains(d.langs, l) {
			return nil, fmt.Errorf("langid: the model %s has no language %q: it has %s", m.name, l, strings.Join(m.Langs(), " "))
		}
	}
	for _, g := range m.groups {
		var classes []uint8
		for i, l := range g.langs {
			if slices.Contains(d.byScript[g.script], l) {
				classes = append(classes, g.classes[i])
			}
		}
		d.grouped = append(d.grouped, classes)
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
	var p probabilities
	d.m.read(text, &t, !d.cfg.ReadAll)
	s, ok := t.script()
	var classes []uint8
	if ok {
		classes = d.byScript[s]
	}
	best, sum := among(classes, &t, &d.m.soft, &p)
	noise := 0.0
	if best < 0 {
		noise = onlySigns(text, &t)
	} else {
		noise = d.noise(text, &t, d.m.byScript[s])
	}
	if n == 1 && best >= 0 && (d.cfg.OneStage || d.m.groupOf[best] == 0 || 1/sum > surely) { // as below, in short
		if p := 1 / sum; noise < p*(1-noise) {
			return append(dst, Guess{d.m.classes[best].lang, p * (1 - noise)})
		} else if noise > 0 {
			return append(dst, Guess{NoLanguage, noise})
		}
	}
	p.divide(classes, sum)
	d.decide(text, classes, &t, &p)
	for ; n > 0; n-- {
		best := p.best(classes)
		if noise >= 0 && (best < 0 || noise >= p[best]*(1-noise)) {
			if noise > 0 {
				dst = append(dst, Guess{NoLanguage, noise})
			}
			noise = -noise
			continue
		}
		if best < 0 {
			break
		}
		dst = append(dst, Guess{d.m.classes[best].lang, p[best] * (1 - math.Abs(noise))})
		p[best] = -1
	}
	return dst
}

// noise returns the probability that text is no language, of which t is the
// tally and classes are the languages of its script.
func (d *Detector) noise(text string, t *tally, classes []uint8) float64 {
	best := int32(math.MinInt32)
	for _, c := range classes {
		best = max(best, t.score[c])
	}
	return d.m.noise(text, t, best)
}

// onlySigns is noise where no language can be meant: 1 if text has characters,
// but no letters.
func onlySigns(text string, t *tally) float64 {
	for i := range t.letters {
		if t.letters[i] > 0 {
			return 0 // letters of an unknown language
		}
	}
	for i := range len(text) {
		if kinds[text[i]] > kindSpace && text[i] < 0x80 {
			return 1
		}
	}
	return 0
}

// probabilities are those of the classes; -1 = cannot be.
type probabilities [maxClasses]float64

// best returns the most probable of the classes, or -1.
func (p *probabilities) best(classes []uint8) int {
	best, most := -1, -1.0
	for _, c := range classes {
		if p[c] > most {
			best, most = int(c), p[c]
		}
	}
	return best
}

// among sets p to the odds of the classes against the best one, which it returns
// with their sum, or -1 where there is no class.
func among(classes []uint8, t *tally, k *softness, p *probabilities) (best int, sum float64) {
	best, top := -1, int32(math.MinInt32)
	for _, c := range classes {
		if x := t.score[c]; x > top {
			best, top = int(c), x
		}
	}
	if exps := k.exps(t.rows); exps != nil {
		for _, c := range classes {
			x := 0.0
			if behind := int(top - t.score[c]); behind < len(exps) {
				x = exps[behind]
			}
			p[c] = x
			sum += x
		}
		return best, sum
	}
	scale := k.scale(t.rows)
	for _, c := range classes {
		p[c] = exp(float64(t.score[c]-top) * scale)
		sum += p[c]
	}
	return best, sum
}

// divide turns odds into probabilities.
func (p *probabilities) divide(classes []uint8, sum float64) {
	for _, c := range classes {
		if p[c] > 0 {
			p[c] /= sum
		}
	}
}

// groupBytes is how much of a text the second stage reads.
const groupBytes = 4 << 10

// decide lets the second stage share out anew what the languages of a group
// have together, where the two best languages are of one group.
func (d *Detector) decide(text string, classes []uint8, t *tally, p *probabilities) {
	first := p.best(classes)
	if first < 0 {
		return
	}
	g := d.m.groupOf[first]
	if g == 0 || p[first] > surely || d.cfg.OneStage {
		return
	}
	p1 := p[first]
	p[first] = -1
	second := p.best(classes)
	p[first] = p1
	if second < 0 || d.m.groupOf[second] != g {
		return
	}
	gr := &d.m.groups[g-1]
	if len(text) > groupBytes {
		text = text[:groupBytes]
	}
	t.rows = 0
	d.m.readGroup(gr, text, t)
	var q probabilities
	_, odds := among(d.grouped[g-1], t, &d.m.groupSoft, &q)
	q.divide(d.grouped[g-1], odds)
	sum := 0.0
	for _, l := range gr.langs { // p is 0 of those that are not allowed
		sum += p[l]
	}
	for i, l := range gr.langs {
		p[l] = sum * q[gr.classes[i]]
	}
}

// surely is the probability from which a language is not looked at again.
const surely = 0.9999

// sureMargin is how much more probable than the next the best language must
// be to stop reading, as a natural logarithm.
const sureMargin = 9

// sure reports whether one language is so far ahead that the rest of the text
// need not be read: nearly all letters are of its script, and the others have
// a chance of e^-9.
func (m *Model) sure(t *tally) bool {
	s, _ := t.script()
	all := int32(0)
	for _, n := range t.letters[:len(scripts)] {
		all += n
	}
	if t.letters[s]*10 < all*9 {
		return false
	}
	best, second := int32(math.MinInt32), int32(math.MinInt32)
	for _, c := range m.byScript[s] {
		if x := t.score[c]; x > best {
			best, second = x, best
		} else if x > second {
			second = x
		}
	}
	return len(m.byScript[s]) < 2 || float64(best-second)*m.soft.scale(t.rows) > sureMargin
}
