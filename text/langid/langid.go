// Package langid detects the language of a text: a page, a block, a sentence or a few words.
// [New] returns a [Detector]; [Detector.Detect] returns the language of a text. The models are
// optional in programs:
//
//	import _ "chaffinch/model/data/languages"
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
	"chaffinch/text/langid/close"
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
	// OneStage disables the second stage for close languages.
	OneStage bool `json:"one_stage,omitempty"`
	// Close is the path of a model of close languages. Default: "", the embedded model.
	Close string `json:"close,omitempty"`
	// MinClose is the confidence among close languages below which Detect returns the tag that
	// covers them: "no" for nb and nn, "sh" for bs, hr, sr-Latn and cnr, "poz" for ms and id.
	// 0 always returns a single language.
	MinClose float64 `json:"min_close,omitempty"`
	// Varieties also identifies varieties of languages, such as "pt-BR" and "en-GB". Text whose
	// variety has a confidence below MinClose is in the language without a variety.
	Varieties bool `json:"varieties,omitempty"`
}

// Default is the configuration of the pipeline.
var Default = Config{MinConfidence: 0.5, MaxBytes: 64 << 10, MinClose: 0.6}

// Detector detects languages. It is safe for concurrent use.
type Detector struct {
	m         *evidence.Model
	cfg       Config
	byScript  [evidence.MaxScripts][]uint16 // allowed classes
	groups    []*close.Group                // of the model of close languages
	seconds   []second                      // groups of close languages
	groupOf   []int16                       // by class: 0 for none, otherwise the index of its group + 1
	varietyOf []int16                       // by class: the same for its varieties
	langs     []string
	scratch   *sync.Pool // of *scratch
}

// scratch holds the buffers of a call. They are large and mostly unused; therefore only the used parts
// are cleared.
type scratch struct {
	tally  evidence.Tally
	p      evidence.Probabilities
	scores close.Scores
	// group is the group that the second stage distinguished, nil for none. mass is the probability
	// of all its members, shares holds the probabilities of the members within the group.
	group           *second
	mass            float64
	members, shares [close.MaxMembers]float64
}

// embedded decodes the embedded model once.
var embedded = sync.OnceValues(func() (*evidence.Model, error) {
	if data.Langid == nil {
		return nil, data.ErrNoLanguages
	}
	return evidence.Parse("embedded langid", data.Langid)
})

// New returns a detector. Without Config.Model, it returns [data.ErrNoLanguages] unless the
// program imports model/data/languages.
func New(cfg Config) (*Detector, error) {
	m, err := open(cfg.Model)
	if err != nil {
		return nil, err
	}
	return detector(m, cfg)
}

// Standard returns the detector of [New] for the configuration [Default]. It reads the model at the
// first call.
var Standard = sync.OnceValues(func() (*Detector, error) { return New(Default) })

func detector(m *evidence.Model, cfg Config) (*Detector, error) {
	if !(cfg.MinConfidence >= 0 && cfg.MinConfidence <= 1) {
		return nil, fmt.Errorf("langid: minimum confidence %v, wanted 0 to 1", cfg.MinConfidence)
	}
	if cfg.MaxBytes < 0 {
		return nil, fmt.Errorf("langid: %d bytes to read at most, wanted 0 (all) or more", cfg.MaxBytes)
	}
	d := &Detector{m: m, cfg: cfg, scratch: &sync.Pool{New: func() any { return new(scratch) }}}
	for i, c := range m.Classes {
		if d.wanted(c.Lang) {
			d.langs = append(d.langs, c.Lang)
			d.byScript[c.Script] = append(d.byScript[c.Script], uint16(i))
		}
	}
	groups, err := closeGroups()
	if cfg.Close != "" {
		groups, err = close.Open(cfg.Close)
	}
	if err != nil {
		return nil, err
	}
	d.addGroups(groups)
	for _, l := range cfg.Langs {
		if !slices.Contains(d.langs, l) {
			return nil, fmt.Errorf("langid: the model %s has no language %q%s", m.Name, l, near(l, m.Langs()))
		}
	}
	slices.Sort(d.langs)
	return d, nil
}

// Langs returns the tags of the languages that the detector can return, sorted.
func (d *Detector) Langs() []string { return slices.Clone(d.langs) }

// Detect returns the language of text. It allocates nothing.
func (d *Detector) Detect(text string) Guess {
	b := d.scratch.Get().(*scratch)
	defer d.scratch.Put(b)
	var buf [1]Guess
	return d.conclude(b, d.rankWith(b, buf[:0], text, 1, true), text)
}

// conclude returns the language of text from its most probable languages.
func (d *Detector) conclude(b *scratch, list []Guess, text string) Guess {
	if len(list) == 0 {
		return Guess{Lang: Undetermined}
	}
	g := d.settle(list[0], text, b)
	if g.Confidence < d.cfg.MinConfidence {
		g.Lang = Undetermined
	}
	return g
}

// Rank appends up to n most probable languages of text to dst, best first, without abstaining.
// It appends fewer if the letters of text allow fewer.
func (d *Detector) Rank(dst []Guess, text string, n int) []Guess {
	b := d.scratch.Get().(*scratch)
	defer d.scratch.Put(b)
	return d.rankWith(b, dst, text, n, n == 1)
}

// rankWith is Rank with the given buffers. If quick is set, it appends only the best language if the
// second stage is not needed; b.group is then nil.
func (d *Detector) rankWith(b *scratch, dst []Guess, text string, n int, quick bool) []Guess {
	if d.cfg.MaxBytes > 0 && len(text) > d.cfg.MaxBytes {
		text = text[:d.cfg.MaxBytes]
	}
	t := &b.tally
	b.group = nil
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
	if quick && best >= 0 && (d.cfg.OneStage || d.groupOf[best] == 0 || d.seconds[d.groupOf[best]-1].all && 1/sum > surely) { // as in rank, but faster
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
		if g := b.group; g != nil && best >= 0 {
			if m := g.other(b); m >= 0 && b.mass*b.members[m] > p[best] {
				if q := b.mass * b.members[m]; noise < 0 || noise < q*(1-noise) {
					dst = append(dst, Guess{g.g.Members[m], q * (1 - math.Abs(noise))})
					b.members[m] = -1
					continue
				}
			}
		}
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
