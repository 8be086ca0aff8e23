package justext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/archive"
	"chaffinch/model"
	"chaffinch/model/data"
)

// Kind and Behaviour are the kind and version of model files with stop lists. The files have
// one section per language, named by its tag. A section holds the words in byte order, each
// ended by a line feed, compressed with zstd.
const (
	Kind = "justext.stopwords"
	// Behaviour is the version of the meaning of the sections.
	//
	//	1  words folded as in words.go
	Behaviour = 1
)

// maxListBytes is the maximum size of an unpacked list.
const maxListBytes = 16 << 20

// Card describes a list in the header of a file of stop lists.
type Card struct {
	Lang string `json:"lang"`
	// Words is the number of words of the list.
	Words int `json:"words"`
	// Cover is the share of unseen running text that the list covers, from 0 to 1.
	Cover float64 `json:"cover"`
	// TextWords is the number of running words that were counted.
	TextWords int `json:"text_words"`
	// Sources lists the texts that were counted.
	Sources []string `json:"sources"`
}

// Lists is a file of stop lists. It is safe for concurrent use.
type Lists struct {
	file  *model.File
	cards []Card
	mu    sync.Mutex
	lists map[string]*Stoplist
}

// Parse reads a file of stop lists from memory. name is used in errors.
func Parse(name string, b []byte) (*Lists, error) {
	f, err := model.Parse(name, b)
	if err != nil {
		return nil, err
	}
	return read(f)
}

func read(f *model.File) (*Lists, error) {
	if err := f.Want(Kind, Behaviour, Behaviour); err != nil {
		return nil, err
	}
	l := &Lists{file: f, lists: map[string]*Stoplist{}}
	if err := json.Unmarshal(f.Card, &l.cards); err != nil {
		return nil, fmt.Errorf("stop lists: card: %w", err)
	}
	for _, c := range l.cards {
		if _, ok := f.Section(c.Lang); !ok || !(c.Cover >= 0 && c.Cover <= 1) {
			return nil, fmt.Errorf("stop lists: %q: no section, or a cover of %v: make the file again", c.Lang, c.Cover)
		}
	}
	return l, nil
}

// Cards returns the cards of all lists, in byte order of their tags.
func (l *Lists) Cards() []Card { return slices.Clone(l.cards) }

// Get returns the list for the language of a BCP 47 tag, or nil if there is none.
func (l *Lists) Get(tag string) (*Stoplist, error) {
	lang := primary(tag)
	i := slices.IndexFunc(l.cards, func(c Card) bool { return c.Lang == lang })
	if i < 0 {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.lists[lang]; s != nil {
		return s, nil
	}
	b, err := l.text(lang)
	if err != nil {
		return nil, err
	}
	s, err := ReadStoplist(bytes.NewReader(b), lang, lang)
	if err != nil {
		return nil, err
	}
	s.Cover = l.cards[i].Cover
	l.lists[lang] = s
	return s, nil
}

// text returns the words of the language lang, each ended by a line feed.
func (l *Lists) text(lang string) ([]byte, error) {
	packed, _ := l.file.Section(lang)
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxListBytes))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	b, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("stop list %s: %w", lang, err)
	}
	return b, nil
}

var embedded = sync.OnceValue(func() *Lists {
	l, err := Parse("stopwords.chf", data.Stopwords)
	if err != nil {
		panic(err) // the build embeds a wrong file
	}
	return l
})

// EmbeddedLists returns the embedded stop lists.
func EmbeddedLists() *Lists { return embedded() }

// Embedded returns the embedded stop list for the language of a BCP 47 tag, or nil if there
// is none.
func Embedded(tag string) *Stoplist {
	s, err := embedded().Get(tag)
	if err != nil {
		panic(err) // the build embeds a wrong file
	}
	return s
}

// Load reads stop lists into cfg: a model file, or one list in text form, which is then used
// for all pages.
func (cfg *Config) Load(path string) error {
	b, err := archive.ReadFile(path)
	if err != nil {
		return fmt.Errorf("stop list: %w", err)
	}
	if model.Is(b) {
		cfg.Lists, err = Parse(path, b)
	} else {
		cfg.Stoplist, err = ReadStoplist(bytes.NewReader(b), path, "")
	}
	return err
}
