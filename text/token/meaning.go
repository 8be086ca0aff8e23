package token

import (
	"unicode"
	"unicode/utf8"
)

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// runLen returns the length of the run of word characters at the start of s.
func runLen(s string) int {
	i := 0
	for i < len(s) {
		c, n := classAt(s, i)
		if !inWord[c] {
			break
		}
		i += n
	}
	return i
}

// folded appends the form of word under which it is looked up in lists: lower case, with
// straight apostrophes. It stops after MaxEntry bytes.
func folded(dst []byte, word string) []byte {
	for i := 0; i < len(word) && len(dst) <= MaxEntry; {
		if c := word[i]; c < utf8.RuneSelf {
			dst = append(dst, lowerASCII(c))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(word[i:])
		i += n
		switch r {
		case '\u2019', '\u02bc':
			r = '\''
		case '\u2010', '\u2011':
			r = '-'
		case '\u00ad':
			continue
		default:
			r = unicode.ToLower(r)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// lowerASCII returns an ASCII character in lower case.
func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// unfolded returns the number of bytes of word that fold to the first n bytes of its folded
// form.
func unfolded(word string, n int) int {
	var buf [MaxEntry + 2*utf8.UTFMax]byte
	for i := range word {
		if len(folded(buf[:0], word[:i])) >= n {
			return i
		}
	}
	return len(word)
}

// meaningOf returns the meaning of the words from starts to ends in text, joined with stops.
func (r *ruleSet) meaningOf(text string, starts, ends []int) mean {
	var buf [MaxEntry + 2*utf8.UTFMax]byte
	key := buf[:0]
	for i := range starts {
		if i > 0 {
			key = append(key, '.')
		}
		if ends[i]-starts[i] > 2*MaxEntry {
			return 0
		}
		if key = folded(key, text[starts[i]:ends[i]]); len(key) > MaxEntry {
			return 0
		}
	}
	return r.words[string(key)]
}

// meaning returns the meaning of a word in the lists.
func (r *ruleSet) meaning(word string) mean {
	n := len(word)
	if n > 2*MaxEntry || 0 < n && ascii(word) && (n > MaxEntry || !r.spots.has(lowerASCII(word[0]), lowerASCII(word[n/2]), lowerASCII(word[n-1]), n)) {
		return 0
	}
	var buf [MaxEntry + 2*utf8.UTFMax]byte
	key := folded(buf[:0], word)
	n = len(key)
	if n == 0 || n > MaxEntry || !r.spots.has(key[0], key[n/2], key[n-1], n) {
		return 0
	}
	return r.words[string(key)]
}
