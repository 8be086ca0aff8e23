package token

import (
	"sync"
	"unicode/utf8"

	"chaffinch/model/data"
	"chaffinch/text/token/segment"
)

// builtinWords returns the embedded model that finds words in a language, nil if there is none.
// Each model is loaded on first use.
func builtinWords(lang string) *segment.Model {
	segmenters.Lock()
	defer segmenters.Unlock()
	if m, ok := segmenters.of[lang]; ok {
		return m
	}
	b, ok := data.Segmenter(lang)
	if !ok {
		return nil
	}
	m, err := segment.Parse("embedded segment_"+lang, b)
	if err != nil {
		panic(err) // it is embedded and tested
	}
	if segmenters.of == nil {
		segmenters.of = map[string]*segment.Model{}
	}
	segmenters.of[lang] = m
	return m
}

// segmenters holds the loaded models by language. No initialiser names the embedded models, so
// that programs that never call [For] do not link them.
var segmenters struct {
	sync.Mutex
	of map[string]*segment.Model
}

// wordsOf returns the model of a language in a configuration, nil if there is none.
func (c *Config) wordsOf(lang string) *segment.Model {
	for _, m := range c.Words {
		if baseOf(m.Lang) == baseOf(lang) {
			return m
		}
	}
	return nil
}

// segmented returns the end of the word at i, whose first character has n bytes. It returns i
// if the model does not cover its script.
func (s *scanner) segmented(i, n int) int {
	if r, _ := utf8.DecodeRuneInString(s.text[i:]); !s.words.Covers(r) {
		return i
	}
	for i += n; i < len(s.text); i += n {
		var c class
		if c, n = classAt(s.text, i); c == mark {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s.text[i:])
		if c < han || c > tibetan || !s.words.Covers(r) || s.words.At(s.text, i, &s.ends) {
			break
		}
	}
	return i
}
