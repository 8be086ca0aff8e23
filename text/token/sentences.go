package token

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// maxLetterless is the maximum length in bytes of text without a letter inside one sentence.
// The rules of UAX 29 look ahead to the next letter at each closing bracket or blank after a
// full stop. Without this limit, a megabyte of brackets would take quadratic time.
const maxLetterless = 128

// Sentences appends the sentences of text to dst and returns it. The spans are in order, do not
// overlap, and begin and end with a character other than white space. Only white space is
// between them.
//
// The boundaries follow UAX 29, except that a full stop does not end a sentence after an
// abbreviation ("Dr. Who"), an initial ("J. Smith") or the number of a list item ("1. Open the
// box"). If the next word nearly always begins a sentence, the stop does end it ("in the U.S.
// The ..."). One list of abbreviations covers English, German, French, Spanish, Portuguese,
// Italian, Dutch and Russian.
//
// It makes one allocation per call, in addition to growing dst.
func Sentences(text string, dst []Span) []Span {
	it := sentences.FromString("")
	first := len(dst)
	for base := 0; base < len(text); {
		part := text[base:nextCut(text, base)]
		for from, to := 0, 0; from < len(part); from = to {
			to = sentenceEnd(it, part, from)
			s, e := trim(text, base+from, base+to)
			if s == e {
				continue
			}
			if n := len(dst); n > first && dst[n-1].End < s && dst[n-1].Start >= base && joins(text, dst[n-1], s) {
				dst[n-1].End = e
				continue
			}
			dst = append(dst, Span{s, e})
		}
		base += len(part)
	}
	return dst
}

// sentenceEnd returns the end of the sentence that begins at from. Only the last characters before
// a character that may end it matter to UAX 29. it is an iterator for any text.
func sentenceEnd(it *sentences.Iterator[string], text string, from int) int {
	at := from
	for at < len(text) {
		if !mayEnd[text[at]] {
			at++
		} else if isQuote(text, at) {
			at += 3
		} else {
			break
		}
	}
	if at == len(text) {
		return at
	}
	for at > from { // characters outside ASCII may be ignored by the rules
		if at--; text[at] < utf8.RuneSelf {
			break
		}
	}
	it.SetText(text[at:])
	it.Next()
	return at + it.End()
}

// mayEnd marks the bytes with which a character begins that may end a sentence or a paragraph. Other
// bytes are in characters up to U+027F or between U+0380 and U+047F, or continue a character.
var mayEnd = func() (t [256]bool) {
	for c := range t {
		switch {
		case c < utf8.RuneSelf:
			t[c] = c == '.' || c == '!' || c == '?' || c == '\n' || c == '\r'
		case c >= 0xc0:
			t[c] = !(c >= 0xc3 && c <= 0xc9 || c >= 0xce && c <= 0xd1)
		}
	}
	return t
}()

// nextCut returns the end of the part of text from i on that is searched for sentences at once:
// after the next letterless section that is too long, or the end of the text.
func nextCut(text string, i int) int {
	for {
		end := i + maxLetterless
		if end >= len(text) {
			return len(text)
		}
		for end > i && !utf8.RuneStart(text[end]) {
			end--
		}
		j := end // search backwards for a letter: most sections end at once
		for j > i {
			c := text[j-1]
			if c < utf8.RuneSelf {
				if asciiAlnum[c] && c > '9' {
					break
				}
				j--
				continue
			}
			r, n := utf8.DecodeLastRuneInString(text[i:j])
			if unicode.IsLetter(r) {
				break
			}
			j -= n
		}
		if j == i {
			if end == i { // not UTF-8
				end = i + maxLetterless
			}
			return end
		}
		i = j
	}
}

// isQuote reports whether the character at i is a dash or a quotation mark from U+2013 to U+201D.
func isQuote(text string, i int) bool {
	return text[i] == 0xe2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2] >= 0x93 && text[i+2] <= 0x9d
}

// trim returns the span without surrounding white space.
func trim(text string, s, e int) (int, int) {
	for s < e {
		if c := text[s]; c > ' ' && c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[s:e])
		if !space(r) {
			break
		}
		s += n
	}
	for s < e {
		if c := text[e-1]; c > ' ' && c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeLastRuneInString(text[s:e])
		if !space(r) {
			break
		}
		e -= n
	}
	return s, e
}

func space(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff'
}

// joins reports whether the boundary after the span a, before the character at next, is not a
// sentence boundary: a ends with the full stop of an abbreviation.
func joins(text string, a Span, next int) bool {
	if text[a.End-1] != '.' || lineBreak(text[a.End:next]) {
		return false
	}
	// The word before the full stop, with inner full stops: "U.S", "z.B".
	stop := a.End - 1
	start, letters, stops, digits := stop, 0, 0, 0
	longest, run := 0, 0
	for start > a.Start {
		c := text[start-1]
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRuneInString(text[a.Start:start])
		}
		switch {
		case r == '.':
			stops++
			run = 0
		case unicode.IsLetter(r):
			letters++
			run++
			longest = max(longest, run)
		case unicode.IsDigit(r):
			digits++
			run = 0
		case unicode.IsMark(r):
		default:
			n = 0
		}
		if n == 0 {
			break
		}
		start -= n
		if stop-start > maxAbbreviation {
			return false
		}
	}
	word := text[start:stop]
	if word == "" || word[len(word)-1] == '.' { // an ellipsis
		return false
	}
	if start == a.Start && letters+digits <= 3 && stops == 0 && (letters == 0 || letters == 1 && digits == 0) {
		return true // the number of a list item: the sentence is "1." or "a."
	}
	if letters == 0 {
		return digits > 0 && digits <= 2 && stops == 0 && lookup(text[next:], germanMonths)
	}
	if isDoubled(word) && (isDoubled(firstWord(text[next:])) || isDoubled(lastWord(text[a.Start:start])) && !lookup(text[next:], starters)) {
		return true
	}
	var buf [maxAbbreviation + utf8.UTFMax]byte
	switch abbreviations[string(lower(buf[:0], word))] {
	case joinsAlways:
		return true
	case joinsNumber:
		r, _ := utf8.DecodeRuneInString(text[next:])
		return unicode.IsDigit(r)
	case joinsName:
		return !lookup(text[next:], starters)
	}
	r, _ := utf8.DecodeRuneInString(word)
	initial := letters == 1 && digits == 0 && unicode.IsUpper(r)
	acronym := stops > 0 && longest == 1 && digits == 0
	return (initial || acronym) && !lookup(text[next:], starters)
}

// isDoubled reports whether word is a capital letter written twice, one half of a plural
// abbreviation: "EE. UU.", "AA. VV.".
func isDoubled(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return len(word) == 2*n && word[:n] == word[n:] && unicode.IsUpper(r)
}

// firstWord returns the first one or two letters of text if a full stop follows them, ""
// otherwise.
func firstWord(text string) string {
	end := 0
	for range 2 {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	if end < len(text) && text[end] == '.' {
		return text[:end]
	}
	return ""
}

// lastWord returns the last two letters of text before a full stop and spaces, "" if text does
// not end in this way.
func lastWord(text string) string {
	end := len(text)
	for end > 0 && text[end-1] == ' ' {
		end--
	}
	if end == 0 || text[end-1] != '.' {
		return ""
	}
	end--
	start := end
	for range 2 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.IsLetter(r) {
			return ""
		}
		start -= n
	}
	if r, _ := utf8.DecodeLastRuneInString(text[:start]); start > 0 && unicode.IsLetter(r) {
		return ""
	}
	return text[start:end]
}

func lineBreak(gap string) bool {
	for i := range len(gap) {
		if gap[i] == '\n' || gap[i] == '\r' {
			return true
		}
	}
	return false
}

// lower appends the lower-case form of word to dst.
func lower(dst []byte, word string) []byte {
	for _, r := range word {
		if len(dst) > maxAbbreviation {
			break
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// lookup reports whether the first word of text, in lower case, is in set.
func lookup(text string, set map[string]bool) bool {
	end := 0
	for end < len(text) && end <= maxAbbreviation {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		end += n
	}
	if end == 0 || end > maxAbbreviation {
		return false
	}
	var buf [maxAbbreviation + 2*utf8.UTFMax]byte
	return set[string(lower(buf[:0], text[:end]))]
}
