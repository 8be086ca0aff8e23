package token

import (
	"unicode"
	"unicode/utf8"
)

// cluster returns the end of the token at i in a script that is written without spaces between
// words. Without a dictionary the tokens are smaller than words, but consistent:
//
//   - a Han character
//   - a run of Hiragana or of Katakana
//   - an orthographic syllable in Thai, Lao, Khmer and Myanmar
//   - a syllable with its tsheg in Tibetan
func (s *scanner) cluster(i, n int, c class) int {
	i += n
	switch c {
	case han:
		return s.marks(i)
	case hiragana, katakana:
		return s.scriptRun(i, c)
	case tibetan:
		return s.tibetan(i - n)
	case thai:
		return s.thai(i - n)
	}
	for i < len(s.text) {
		next, n := classAt(s.text, i)
		if next != c && next != mark {
			break
		}
		r, _ := utf8.DecodeRuneInString(s.text[i:])
		before, _ := utf8.DecodeLastRuneInString(s.text[:i])
		// A stacked consonant belongs to the one before. So does, in Myanmar, a consonant that
		// is silenced or carries a stacked one.
		if !unicode.Is(unicode.M, r) && before != khmerCoeng && before != myanmarVirama && !(c == myanmar && s.killed(i+n)) {
			break
		}
		i += n
	}
	return i
}

const (
	khmerCoeng    = '\u17d2'
	myanmarVirama = '\u1039'
	myanmarAsat   = '\u103a'
	tsheg         = '\u0f0b'
)

// killed reports whether the sign at i, after a consonant, removes its vowel.
func (s *scanner) killed(i int) bool {
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return r == myanmarAsat || r == myanmarVirama
}

func (s *scanner) scriptRun(i int, c class) int {
	for i < len(s.text) {
		next, n := classAt(s.text, i)
		if next != c && next != mark {
			break
		}
		i += n
	}
	return i
}

func (s *scanner) tibetan(i int) int {
	for i < len(s.text) {
		next, n := classAt(s.text, i)
		if next != tibetan && next != mark {
			break
		}
		r, _ := utf8.DecodeRuneInString(s.text[i:])
		i += n
		if r == tsheg {
			break
		}
	}
	return i
}

// thai returns the end of an indivisible cluster (Theeramunkong et al., Character cluster based
// Thai information retrieval, IRAL 2000). It consists of a vowel written before its consonant,
// the consonant, and the signs above, below and after it. The blocks of Thai and Lao have the
// same order.
func (s *scanner) thai(i int) int {
	consonant := false
	for first := true; i < len(s.text); first = false {
		c, n := classAt(s.text, i)
		if c != thai && c != mark {
			break
		}
		r, _ := utf8.DecodeRuneInString(s.text[i:])
		switch o := r & 0x7f; {
		case c == mark:
		case o >= 0x40 && o <= 0x44: // a vowel before its consonant
			if !first {
				return i
			}
		case o >= 0x01 && o <= 0x2e || o >= 0x5c: // a consonant
			if consonant && !silent(s.text[i+n:]) {
				return i
			}
			consonant = true
		default:
			consonant = true // a vowel or a sign after it
		}
		i += n
	}
	return i
}

// silent reports whether text begins with the sign that silences a consonant, possibly after a
// vowel sign.
func silent(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if r == '\u0e34' || r == '\u0e38' {
		r, _ = utf8.DecodeRuneInString(text[n:])
	}
	return r == '\u0e4c' || r == '\u0ecc'
}
