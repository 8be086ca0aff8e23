package tag

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"chaffinch/model"
)

// PackKind is the kind of files that hold the model files of several languages, each in the section
// of its language.
const PackKind = "taggers"

// Set holds models by language. A model is parsed when it is first needed. A set is safe for
// concurrent use.
type Set struct {
	models map[string]*lazy
}

// lazy is a model that is read on first use.
type lazy struct {
	read func() (*Model, error) // reads it once
	free sync.Pool              // of taggers
}

// Add adds the models in b, the content of a model file or of a pack. Models that were added before
// for the same language are replaced.
func (s *Set) Add(name string, b []byte) error {
	f, err := model.Parse(name, b)
	if err != nil {
		return err
	}
	if s.models == nil {
		s.models = map[string]*lazy{}
	}
	if f.Header.Kind == PackKind {
		if err := f.Want(PackKind, 1, 1); err != nil {
			return err
		}
		for _, lang := range f.Sections() {
			section, _ := f.Section(lang)
			m, err := model.Parse(name+":"+lang, section)
			if err != nil {
				return err
			}
			if err := m.Want(Kind, oldestReadable, behaviour); err != nil {
				return err
			}
			s.models[lang] = &lazy{read: sync.OnceValues(func() (*Model, error) { return Read(m) })}
		}
		return nil
	}
	m, err := Read(f)
	if err != nil {
		return err
	}
	lang := m.Config().Lang
	if lang == "" {
		return fmt.Errorf("model %s: no language in its settings", name)
	}
	s.models[lang] = &lazy{read: func() (*Model, error) { return m, nil }}
	return nil
}

// AddFile adds the models of a model file or a pack.
func (s *Set) AddFile(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return s.Add(path, b)
}

// Langs returns the languages with a model, sorted.
func (s *Set) Langs() []string { return slices.Sorted(maps.Keys(s.models)) }

// find returns the model of a language, without script and region if there is none with them.
func (s *Set) find(lang string) *lazy {
	for {
		if l := s.models[lang]; l != nil {
			return l
		}
		i := strings.LastIndexByte(lang, '-')
		if i < 0 {
			return nil
		}
		lang = lang[:i]
	}
}

// Has reports whether the set has a model for a language.
func (s *Set) Has(lang string) bool { return s.find(lang) != nil }

// Tagger returns a tagger for the first of the languages that has a model, nil if none has. The
// function done returns it after use.
func (s *Set) Tagger(langs ...string) (t *Tagger, done func(), err error) {
	for _, lang := range langs {
		l := s.find(lang)
		if l == nil {
			continue
		}
		m, err := l.read()
		if err != nil {
			return nil, nil, err
		}
		if t, _ = l.free.Get().(*Tagger); t == nil {
			t = NewTagger(m)
		}
		return t, func() { l.free.Put(t) }, nil
	}
	return nil, func() {}, nil
}

// Clone returns a set with the same models. Both read each model once.
func (s *Set) Clone() *Set { return &Set{maps.Clone(s.models)} }

// SavePack writes the model files of several languages to one file. models holds the content of each
// by language.
func SavePack(path string, h model.Header, models map[string][]byte) error {
	h.Kind, h.Behaviour = PackKind, 1
	var sections []model.Section
	for _, lang := range slices.Sorted(maps.Keys(models)) {
		sections = append(sections, model.Section{Name: lang, Bytes: models[lang]})
	}
	return model.Save(path, h, sections...)
}
