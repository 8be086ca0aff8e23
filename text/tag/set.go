package tag

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"chaffinch/model"
)

// packKind is the kind of files that hold the model files of several languages, each in the section
// of its language.
const packKind = "taggers"

// Set holds models by language. A model is parsed when it is first needed. A set is safe for
// concurrent use.
type Set struct {
	models map[string]*lazy

	mu   sync.Mutex
	idle []idle // taggers that are not in use, the latest at the end
}

// lazy is a model that is read on first use.
type lazy struct {
	parse func() (*Model, error)
	read  func() (*Model, error) // calls parse once
}

// newLazy returns a model that parse reads.
func newLazy(parse func() (*Model, error)) *lazy {
	return &lazy{parse, sync.OnceValues(parse)}
}

// idle is a tagger that is not in use.
type idle struct {
	of     *lazy
	tagger *Tagger
}

// spare is the number of idle taggers besides one for each processor: texts of several languages
// alternate. A tagger holds up to 10 MB of analyses.
const spare = 3

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
	if f.Header.Kind == packKind {
		if err := f.Want(packKind, 1, 1); err != nil {
			return err
		}
		for _, lang := range f.Sections() {
			section, _ := f.Section(lang)
			m, err := model.Parse(name+":"+lang, section)
			if err != nil {
				return err
			}
			if err := m.Want(kind, oldestReadable, behaviour); err != nil {
				return err
			}
			s.models[lang] = newLazy(func() (*Model, error) { return read(m) })
		}
		return nil
	}
	m, err := read(f)
	if err != nil {
		return err
	}
	lang := m.Config().Lang
	if lang == "" {
		return fmt.Errorf("model %s: no language in its settings", name)
	}
	s.models[lang] = newLazy(func() (*Model, error) { return m, nil })
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
		if t = s.take(l); t == nil {
			t = NewTagger(m)
		}
		return t, func() { s.put(l, t) }, nil
	}
	return nil, func() {}, nil
}

// take returns an idle tagger of a model, nil if there is none.
func (s *Set) take(l *lazy) *Tagger {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.idle) - 1; i >= 0; i-- {
		if x := s.idle[i]; x.of == l {
			s.idle = slices.Delete(s.idle, i, i+1)
			return x.tagger
		}
	}
	return nil
}

// put adds an idle tagger. If there are too many, it drops the one that is idle for the longest time.
func (s *Set) put(l *lazy, t *Tagger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) >= runtime.GOMAXPROCS(0)+spare {
		s.idle = slices.Delete(s.idle, 0, 1)
	}
	s.idle = append(s.idle, idle{l, t})
}

// Clone returns a set of the same models that reads them itself, so that they are released with it.
func (s *Set) Clone() *Set {
	c := &Set{models: map[string]*lazy{}}
	for lang, l := range s.models {
		c.models[lang] = newLazy(l.parse)
	}
	return c
}

// SavePack writes the model files of several languages to one file. models holds the content of each
// by language.
func SavePack(path string, h model.Header, models map[string][]byte) error {
	h.Kind, h.Behaviour = packKind, 1
	var sections []model.Section
	for _, lang := range slices.Sorted(maps.Keys(models)) {
		sections = append(sections, model.Section{Name: lang, Bytes: models[lang]})
	}
	return model.Save(path, h, sections...)
}
