package tag

import (
	"strings"
	"unicode/utf8"
)

// Split is a rule for multiword tokens. It applies to tokens with the normalized form Form, or to
// longer tokens with this ending if Suffix is set. Words are the words in lower case; with Suffix,
// the first is the replacement of the ending of the token after the first word, and may be empty.
type Split struct {
	Form   string   `json:"form"`
	Suffix bool     `json:"suffix,omitempty"`
	Words  []string `json:"words"`
}

// splitter finds the words of multiword tokens.
type splitter struct {
	whole    map[string][]string
	suffixes map[string][]string
	longest  int // suffix in runes
}

func newSplitter(list []Split) splitter {
	s := splitter{whole: map[string][]string{}, suffixes: map[string][]string{}}
	for _, x := range list {
		if x.Suffix {
			s.suffixes[x.Form] = x.Words
			s.longest = max(s.longest, utf8.RuneCountInString(x.Form))
		} else {
			s.whole[x.Form] = x.Words
		}
	}
	return s
}

// find returns the words of a token with a normalized form, nil for a single word. known reports
// whether the lexicon has the form as a single word.
func (s *splitter) find(norm string, known bool) []string {
	if words := s.whole[norm]; words != nil {
		return words
	}
	if known || s.longest == 0 {
		return nil
	}
	i := len(norm)
	var found []string
	for range s.longest {
		if i == 0 {
			break
		}
		_, n := utf8.DecodeLastRuneInString(norm[:i])
		if i -= n; i == 0 {
			break
		}
		if words := s.suffixes[norm[i:]]; words != nil {
			found = append(append(found[:0], norm[:i]+words[0]), words[1:]...)
		}
	}
	return found
}

// cased appends the words of a token to dst in the case of the token. If the words concatenate to
// the token, its characters are copied.
func (c *Config) cased(dst []string, form string, words []string) []string {
	total := 0
	for _, w := range words {
		total += utf8.RuneCountInString(w)
	}
	if total == utf8.RuneCountInString(form) && c.lowerString(plain(form)) == strings.Join(words, "") {
		for _, w := range words {
			n := 0
			for range utf8.RuneCountInString(w) {
				_, size := utf8.DecodeRuneInString(form[n:])
				n += size
			}
			dst, form = append(dst, form[:n]), form[n:]
		}
		return dst
	}
	shape := shapeOf(form) & 7
	for i, w := range words {
		switch {
		case shape == shapeUpper:
			w = strings.Map(c.upper, w)
		case i == 0 && shape == shapeTitle:
			w = c.title(w)
		}
		dst = append(dst, w)
	}
	return dst
}
