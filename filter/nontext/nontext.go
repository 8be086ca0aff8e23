// Package nontext detects text that people did not write for people to read: keyword lists, spam,
// boilerplate, spun and stitched phrases, machine text. [Embedded] returns the model, and
// [Scorer.Score] scores a text.
//
// The models are models of package text/label whose first class is [Class]. Package
// lab/train/nontext trains them. The approach follows Suchomel, Better Web Corpora For Corpus
// Linguistics And NLP, Brno 2020.
package nontext

import (
	"fmt"
	"slices"
	"sync"

	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/text/label"
)

// Class is the name of the class.
const Class = "nontext"

// MinWords is the minimum number of words of a document for a reliable score.
const MinWords = label.MinWords

// DefaultLoss is the fraction of good text that exceeds the default limit of a model.
const DefaultLoss = .03

// Model distinguishes text from non-text. It is read-only.
type Model struct{ *label.Model }

// New returns a Model that uses the first class of m.
func New(m *label.Model) (*Model, error) {
	if m.Classes()[0].Name != Class || m.Config().Limits == nil {
		return nil, fmt.Errorf("a model of the class %q, wanted %q with limits: train it with chaffinch train nontext", m.Classes()[0].Name, Class)
	}
	return &Model{m}, nil
}

// Load reads the model file at path.
func Load(path string) (*Model, error) { return model.Load(path, parse) }

// Parse parses a model file in memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, parse) }

// oldKind is the kind of the model files of earlier versions.
const oldKind = "nontext"

func parse(f *model.File) (*Model, error) {
	if f.Kind == oldKind {
		return nil, fmt.Errorf("model %s: written by an earlier version: train it again with chaffinch train nontext", f.Path())
	}
	l, err := label.Read(f)
	if err != nil {
		return nil, err
	}
	m, err := New(l)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", f.Path(), err)
	}
	return m, nil
}

// Embedded returns the embedded model. The program must import [chaffinch/model/data/nontext].
func Embedded() (*Model, error) { return embedded() }

var embedded = sync.OnceValues(func() (*Model, error) {
	if data.NonText == nil {
		return nil, data.ErrNoNonText
	}
	return Parse("embedded nontext", data.NonText)
})

// For returns the first of models for a language, a BCP 47 tag. If there is none, it returns
// the first model for all languages, or nil.
func For(models []*Model, lang string) *Model {
	var all *Model
	for _, m := range models {
		langs := m.Config().Langs
		switch {
		case slices.ContainsFunc(langs, func(l string) bool { return label.Base(l) == label.Base(lang) }):
			return m
		case len(langs) == 0 && all == nil:
			all = m
		}
	}
	return all
}

// Limit returns the maximum probability of non-text for a kept document in a language, a BCP 47
// tag. loss is the accepted fraction of good text over it; the nearest one of the model is used.
func (m *Model) Limit(lang string, loss float64) float64 { return m.Config().Limits.Of(lang, loss) }

// Scorer computes the scores of documents, one after the other. It is not safe for concurrent
// use.
type Scorer struct{ labels *label.Scorer }

// NewScorer returns a scorer for any number of models.
func NewScorer() *Scorer { return &Scorer{label.NewScorer()} }

// Score returns the probability of non-text and reports whether the text has enough words for a
// reliable score.
func (s *Scorer) Score(m *Model, text string) (p float64, ok bool) {
	all, ok := s.labels.Score(m.Model, label.Doc{Text: text})
	return all[0], ok
}

// ScoreAbove is like Score, but takes less time for most text with a probability below limit. If the
// probability is certainly below limit, it returns false.
func (s *Scorer) ScoreAbove(m *Model, text string, limit float64) (p float64, ok bool) {
	all, ok := s.labels.ScoreAbove(m.Model, label.Doc{Text: text}, limit)
	if !ok {
		return 0, false
	}
	return all[0], true
}

// Why names up to n features that contribute most to non-text. At most half of them are no words.
func (s *Scorer) Why(m *Model, text string, n int) (reasons []string) {
	for _, r := range s.labels.Why(m.Model, label.Doc{Text: text}, 0, n) {
		reasons = append(reasons, r.Name)
	}
	return reasons
}
