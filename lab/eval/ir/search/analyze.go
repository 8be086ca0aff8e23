package search

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/porter"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"

	"chaffinch/text/token"
)

// stemmers holds the stemmers of Snowball by name; "porter" is the stemmer of 1980.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"hu": hungarian.Stem, "it": italian.Stem, "nl": dutch.Stem, "no": norwegian.Stem, "porter": porter.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "ru": russian.Stem, "sv": swedish.Stem, "tr": turkish.Stem,
}

// Stemmers returns the sorted names of the stemmers.
func Stemmers() []string { return slices.Sorted(maps.Keys(stemmers)) }

// LuceneStop is the stop list of Lucene's English analyzer.
var LuceneStop = strings.Fields(`a an and are as at be but by for if in into is it no not of on or such that the
	their then there these they this to was will with`)

// Config configures the analysis of text.
type Config struct {
	// Stem is one of [Stemmers]. Default: no stemming.
	Stem string `json:"stem,omitempty"`
	// Stop lists stop words in lower case.
	Stop []string `json:"stop,omitempty"`
	// Plain uses the strings between spaces unchanged: for tokenized text.
	Plain bool `json:"plain,omitempty"`
}

// analyzer divides text into words: words of UAX 29 in lower case, and in scripts without spaces
// each two adjacent characters.
type analyzer struct {
	stem  func(*snowballstem.Env) bool
	stop  map[string]bool
	plain bool
	word  scanner
}

func newAnalyzer(cfg Config) (*analyzer, error) {
	a := &analyzer{plain: cfg.Plain, stop: make(map[string]bool, len(cfg.Stop))}
	if cfg.Stem != "" {
		if a.stem = stemmers[cfg.Stem]; a.stem == nil {
			return nil, fmt.Errorf("stemmer %q: wanted one of %s", cfg.Stem, strings.Join(Stemmers(), ", "))
		}
	}
	for _, w := range cfg.Stop {
		a.stop[w] = true
	}
	return a, nil
}

// term returns the index term of a word, "" for a stop word.
func (a *analyzer) term(word string) string {
	if a.stop[word] {
		return ""
	}
	if a.stem == nil {
		return word
	}
	env := snowballstem.NewEnv(word)
	a.stem(env)
	return strings.Clone(env.Current())
}

// words returns the index terms of a text in order.
func (a *analyzer) words(text string) []string {
	var out []string
	a.word.plain = a.plain
	a.word.each(text, func(word []byte) {
		if t := a.term(string(word)); t != "" {
			out = append(out, t)
		}
	})
	return out
}

// scanner finds words. Its buffers are reused.
type scanner struct {
	plain bool
	spans []token.Span
	buf   []byte
}

// maxWord is the maximum length of a word in bytes. Longer words are truncated.
const maxWord = 128

// each calls fn with each word of text in a reused buffer.
func (s *scanner) each(text string, fn func(word []byte)) {
	if s.plain {
		for word := range strings.FieldsSeq(text) {
			s.buf = append(s.buf[:0], word[:min(len(word), maxWord)]...)
			fn(s.buf)
		}
		return
	}
	s.spans = token.Words(text, s.spans[:0])
	for i, w := range s.spans {
		end := w.End
		if unspaced(text[w.Start:w.End]) {
			if i+1 < len(s.spans) && s.spans[i+1].Start == end && unspaced(text[s.spans[i+1].Start:s.spans[i+1].End]) {
				end = s.spans[i+1].End
			} else if i > 0 && s.spans[i-1].End == w.Start && unspaced(text[s.spans[i-1].Start:w.Start]) {
				continue // the second half of the previous pair
			}
		}
		s.fold(text[w.Start:end])
		fn(s.buf)
	}
}

// unspaced reports whether a word is one Chinese or Japanese character.
func unspaced(word string) bool {
	if word[0] < 0xe0 {
		return false
	}
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.In(r, unicode.Han, unicode.Hiragana)
}

// fold copies a word in lower case into the buffer.
func (s *scanner) fold(word string) {
	s.buf = s.buf[:0]
	for i := 0; i < len(word) && len(s.buf) < maxWord; i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			for _, r := range word[i:] {
				if len(s.buf) >= maxWord {
					return
				}
				if r == '’' {
					r = '\''
				}
				s.buf = utf8.AppendRune(s.buf, unicode.ToLower(r))
			}
			return
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		s.buf = append(s.buf, c)
	}
}
