// Package langid detects the language of a text: a page, a block, a sentence or a few words.
// [New] returns a [Detector]; [Detector.Detect] returns the language of a text.
//
// The scripts of the letters determine the candidates. Within a script a linear model adds up
// evidence. Each known word adds a row of weights, one for every language that the word
// distinguishes. In an unknown word, each position adds the row of the longest known character
// n-gram that ends there. Rows start as smoothed logarithms of naive Bayes and are trained
// further by multinomial logistic regression (docs/explanation/langid.md). A second stage decides among
// similar languages, and a small separate model detects text that is not language.
package langid

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"chaffinch/model/data"
	"chaffinch/page"
	"chaffinch/text/langid/evidence"
)

// Tags that are not languages.
const (
	Undetermined = page.UnknownLang // the detector abstains
	NoLanguage   = "zxx"            // addresses, code, numbers, random keystrokes
)

// Guess is a language and the confidence of the detector.
type Guess struct {
	// Lang is a BCP 47 tag such as "de" or "sr-Latn", or Undetermined or NoLanguage.
	Lang string
	// Confidence is the estimated probability that Lang is right, 0 to 1. For Undetermined it
	// is the insufficient confidence of the best language.
	Confidence float64
}

// Config configures the detection.
type Config struct {
	// Model is the path of a model file. Default: "", the embedded model.
	Model string `json:"model,omitempty"`
	// Langs are the possible languages. Default: all languages of the model.
	Langs []string `json:"langs,omitempty"`
	// MinConfidence is the confidence below which the detector abstains.
	MinConfidence float64 `json:"min_confidence"`
	// MaxBytes is the number of bytes of a text that are read; 0 reads all.
	MaxBytes int `json:"max_bytes"`
	// ReadAll reads all of a text, up to MaxBytes. Otherwise the detector stops when the
	// language is certain, which it checks every 8 words.
	ReadAll bool `json:"read_all,omitempty"`
	// OneStage disables the second stage for similar languages.
	OneStage bool `json:"one_stage,omitempty"`
}

// Default is the configuration of the pipeline.
var Default = Config{MinConfidence: 0.5, MaxBytes: 64 << 10}

// Detector detects languages. It is safe for concurrent use.
type Detector struct {
	m        *evidence.Model
	cfg      Config
	byScript [evidence.MaxScripts][]uint16 // allowed classes
	grouped  []allowed                     // of each group
	langs    []string
	scratch  *sync.Pool // of *scratch
}

// allowed holds the allowed languages of a group, and their classes of the evidence in the group.
type allowed struct{ langs, classes []uint16 }

// scratch holds the buffers of a call. They are large and mostly unused; therefore only the used parts
// are cleared.
type scratch struct {
	tally, grouped evidence.Tally
	p, q           evidence.Probabilities
}

// embedded decodes the embedded model once.
var embedded = sync.OnceValues(func() (*evidence.Model, error) { return evidence.Parse("embedded langid", data.Langid) })

// New returns a detector.
func New(cfg Config) (*Detector, error) {
	m, err := open(cfg.Model)
	if err != nil {
		return nil, err
	}
	return detector(m, cfg)
}

func detector(m *evidence.Model, cfg Config) (*Detector, error) {
	if cfg.MinConfidence < 0 || cfg.MinConfidence > 1 {
		return nil, fmt.Errorf("langid: minimum confidence %v, wanted 0 to 1", cfg.MinConfidence)
	}
	if cfg.MaxBytes < 0 {
		return nil, fmt.Errorf("langid: %d bytes to read at most, wanted 0 (all) or more", cfg.MaxBytes)
	}
	d := &Detector{m: m, cfg: cfg, scratch: &sync.Pool{New: func() any { return new(scratch) }}}
	for i, c := range m.Classes {
		if len(cfg.Langs) == 0 || slices.Contains(cfg.Langs, c.Lang) {
			d.langs = append(d.langs, c.Lang)
			d.byScript[c.Script] = append(d.byScript[c.Script], uint16(i))
		}
	}
	for _, l := range cfg.Langs {
		if !slices.Contains(d.langs, l) {
			return nil, fmt.Errorf("langid: the model %s has no language %q%s", m.Name, l, near(l, m.Langs()))
		}
	}
	for _, g := range m.Groups {
		var own allowed
		for i, l := range g.Langs {
			if slices.Contains(d.byScript[g.Script], l) {
				own.langs, own.classes = append(own.langs, l), append(own.classes, g.Classes[i])
			}
		}
		d.grouped = append(d.grouped, own)
	}
	slices.Sort(d.langs)
	return d, nil
}

// Langs returns the tags of the languages that the detector can return, sorted.
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

// Rank appends up to n most probable languages of text to dst, best first, without abstaining.
// It appends fewer if the letters of text allow fewer.
func (d *Detector) Rank(dst []Guess, text string, n int) []Guess {
	if d.cfg.MaxBytes > 0 && len(text) > d.cfg.MaxBytes {
		text = text[:d.cfg.MaxBytes]
	}
	b := d.scratch.Get().(*scratch)
	defer d.scratch.Put(b)
	t := &b.tally
	t.Reset()
	d.m.Read(text, t, !d.cfg.ReadAll)
	s, ok := t.Script()
	var classes []uint16
	if ok {
		classes = d.byScript[s]
	}
	best, sum := evidence.Lead(classes, t, &d.m.Soft)
	noise, strange := 0.0, 0.0
	if best < 0 {
		noise = evidence.OnlySigns(text, t)
	} else {
		noise, strange = d.noise(text, t, s, classes, best)
	}
	if n == 1 && best >= 0 && (d.cfg.OneStage || d.m.GroupOf[best] == 0 || 1/sum > surely) { // as in rank, but faster
		if p := 1 / sum; noise < p*(1-noise) {
			return append(dst, Guess{d.m.Classes[best].Lang, p * (1 - noise) * (1 - strange)})
		} else if noise > 0 {
			return append(dst, Guess{NoLanguage, noise})
		}
	}
	return d.rank(dst, text, n, classes, b, noise, strange)
}

// rank is like Rank for a text that was already read. classes are the classes of its script,
// noise is the probability that it is not language, and strange the probability that language is
// in none of the languages.
func (d *Detector) rank(dst []Guess, text string, n int, classes []uint16, b *scratch, noise, strange float64) []Guess {
	p := &b.p
	_, sum := evidence.Among(classes, &b.tally, &d.m.Soft, p)
	p.Divide(classes, sum)
	d.decide(text, classes, b)
	for ; n > 0; n-- {
		best := p.Best(classes)
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
		dst = append(dst, Guess{d.m.Classes[best].Lang, p[best] * (1 - math.Abs(noise)) * (1 - strange)})
		p[best] = -1
	}
	return dst
}

// noise returns the probability that text is not language, and the probability that language is
// in none of the languages, 0 if the configuration limits the languages. t is its Tally, s its
// script, and best the best of the allowed classes.
func (d *Detector) noise(text string, t *evidence.Tally, s evidence.Script, classes []uint16, best int) (noise, strange float64) {
	all := d.m.ByScript[s]
	if len(all) == len(classes) {
		return d.m.Noise(text, t, best)
	}
	for _, c := range all { // other classes may be better
		if t.Score[c] > t.Score[best] {
			best = int(c)
		}
	}
	noise, _ = d.m.Noise(text, t, best)
	return noise, 0
}

// groupBytes is the number of bytes of a text that the second stage reads.
const groupBytes = 4 << 10

// decide runs the second stage if the two best languages are in the same group. It
// redistributes the total probability of the group among its languages.
func (d *Detector) decide(text string, classes []uint16, b *scratch) {
	p := &b.p
	first := p.Best(classes)
	if first < 0 {
		return
	}
	g := d.m.GroupOf[first]
	if g == 0 || p[first] > surely || d.cfg.OneStage {
		return
	}
	p1 := p[first]
	p[first] = -1
	second := p.Best(classes)
	p[first] = p1
	if second < 0 || d.m.GroupOf[second] != g {
		return
	}
	gr := &d.m.Groups[g-1]
	if len(text) > groupBytes {
		text = text[:groupBytes]
	}
	b.grouped.Reset()
	d.m.ReadGroup(gr, text, &b.grouped)
	own, q := &d.grouped[g-1], &b.q
	_, odds := evidence.Among(own.classes, &b.grouped, &d.m.GroupSoft, q)
	q.Divide(own.classes, odds)
	sum := 0.0
	for _, l := range own.langs {
		sum += p[l]
	}
	for i, l := range own.langs {
		p[l] = sum * q[own.classes[i]]
	}
}

// surely is the probability at which the second stage is skipped.
const surely = 0.9999
