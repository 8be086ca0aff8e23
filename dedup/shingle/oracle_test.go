package shingle

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"
)

// simpleTokens is the plain version of the default: the folded tokens of text.
func simpleTokens(cfg Config, text string) (tokens []string) {
	rs := []rune(text)
	word, kind := "", ends
	flush := func() {
		if kind != ends {
			tokens = append(tokens, word)
		}
		word, kind = "", ends
	}
	ascii := func(i int) bool { return i >= 0 && i < len(rs) && rs[i] >= '0' && rs[i] <= '9' }
	isL := func(i int) bool { return i >= 0 && i < len(rs) && (unicode.IsLetter(rs[i]) || unicode.IsMark(rs[i])) }
	var last rune
	for i, r := range rs {
		k := letter
		switch {
		case strings.ContainsRune("々〻ー", r) || unicode.IsMark(r):
			if kind != ends {
				word += simpleFold(cfg, r)
				continue
			}
		case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
			k = ends
		case r == '\'' || r == '’':
			if kind != letter || !isL(i-1) || !isL(i+1) {
				k = ends
			}
		case r == '.' || r == ',':
			if kind != letter || !ascii(i-1) || !ascii(i+1) {
				k = ends
			}
		case unicode.Is(unicode.Cf, r):
			continue
		case unicode.Is(unicode.Han, r):
			k = alone
		case unicode.Is(unicode.Hiragana, r):
			k = hiragana
		case unicode.Is(unicode.Katakana, r):
			k = katakana
		case unicode.Is(unicode.Thai, r) || unicode.Is(unicode.Lao, r) || unicode.Is(unicode.Khmer, r) || unicode.Is(unicode.Myanmar, r):
			if unicode.IsLetter(r) {
				k = cut
			} else if !unicode.IsNumber(r) {
				k = ends
			}
		case !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && r != utf8.RuneError:
			k = ends
		}
		if k != kind || k == alone || k == cut && Mix(uint64(last)<<21|uint64(r))%4 == 0 {
			flush()
		}
		last, kind = r, k
		if k != ends {
			word += simpleFold(cfg, r)
		}
	}
	flush()
	return tokens
}

func simpleFold(cfg Config, r rune) string {
	s := string(r)
	if r > 0xffff { // nothing folds there
		return s
	}
	if cfg.Canonical {
		s = strings.ReplaceAll(norm.NFD.String(s), "’", "'")
	}
	if cfg.Lower {
		s = strings.Map(lower, s)
	}
	return s
}

func hashAll(tokens []string) (out []uint64) {
	for _, t := range tokens {
		out = append(out, xxh3.HashString(t))
	}
	return out
}

// simpleNGrams is the definition of an n-gram's hash.
func simpleNGrams(tokens []uint64, n int) (out []uint64) {
	for i := 0; i+n <= len(tokens); i++ {
		h := uint64(0)
		for _, t := range tokens[i : i+n] {
			h = h*base + t
		}
		out = append(out, Mix(h))
	}
	return out
}
