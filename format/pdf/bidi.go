package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"

	"chaffinch/format/pdf/internal/wire"
)

// direction is the direction of a character.
type direction uint8

const (
	neutral direction = iota
	toRight
	toLeft
	digit
)

func directionOf(r rune) direction {
	if r < 0x590 {
		switch {
		case r >= '0' && r <= '9':
			return digit
		case unicode.IsLetter(r):
			return toRight
		}
		return neutral
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.L:
		return toRight
	case bidi.R, bidi.AL:
		return toLeft
	case bidi.EN, bidi.AN:
		return digit
	}
	return neutral
}

// mostlyRTL reports whether most letters are written from right to left.
func mostlyRTL(chars []wire.Char) bool {
	n := 0
	for i := range chars {
		switch directionOf(chars[i].Rune) {
		case toRight:
			n--
		case toLeft:
			n++
		}
	}
	return n > 0
}

// hasRTL reports whether a letter is written from right to left.
func hasRTL(chars []wire.Char) bool {
	return slices.ContainsFunc(chars, func(c wire.Char) bool { return c.Rune >= 0x590 && directionOf(c.Rune) == toLeft })
}

// logical puts characters from left to right into logical order. Lines without letters from
// right to left are in content order instead, which is logical also if vowel signs precede
// their letters.
func logical(out []wire.Char, rtl bool) []wire.Char {
	arabic := slices.ContainsFunc(out, func(c wire.Char) bool { return unicode.Is(unicode.Arabic, c.Rune) })
	if rtl {
		mirror(out)
		eachPart(out, toRight, digit, arabic, mirror)
	} else {
		eachPart(out, toLeft, toLeft, arabic, func(part []wire.Char) {
			slices.Reverse(part)
			eachPart(part, digit, digit, arabic, slices.Reverse[[]wire.Char])
		})
	}
	for i := range out { // marks follow their letters
		if out[i].Rune >= 0x300 && unicode.Is(unicode.Mn, out[i].Rune) {
			settle(out, i)
		}
	}
	for i := 1; i < len(out); i++ { // a glyph of alef and lam is always lam-alef
		if out[i].Box == out[i-1].Box && out[i].Rune == 'ل' && strings.ContainsRune("اأإآ", out[i-1].Rune) {
			out[i-1].Rune, out[i].Rune = out[i].Rune, out[i-1].Rune
		}
	}
	orient(out)
	return out
}

// orient turns opening brackets at the end of a word and closing brackets before one. Programs store
// either the visible bracket or the written one.
func orient(out []wire.Char) {
	const ends = " .,:;!?)]}"
	at := func(i int) rune {
		if i < 0 || i >= len(out) {
			return ' '
		}
		return out[i].Rune
	}
	for i := range out {
		before, r, after := at(i-1), out[i].Rune, at(i+1)
		if strings.ContainsRune("([{", r) && before != ' ' && strings.ContainsRune(ends, after) && after != mirrors[r] ||
			strings.ContainsRune(")]}", r) && strings.ContainsRune(" ([{", before) && !strings.ContainsRune(ends, after) {
			out[i].Rune = mirrors[r]
		}
	}
}

// visual returns a copy of chars from left to right, since programs write letters from right to
// left in either order. Characters of one glyph, which have the same box, become visual as well.
func visual(chars []wire.Char) []wire.Char {
	out := slices.Clone(chars)
	center := func(c wire.Char) float32 { return c.X0 + c.X1 }
	for i := 0; i < len(out); {
		j := i + 1
		for j < len(out) && out[j].Box == out[i].Box && directionOf(out[j].Rune) != toRight {
			j++
		}
		if j-i > 1 && !ascends(out, i, j) {
			slices.Reverse(out[i:j])
		}
		i = j
	}
	for i := range out {
		if m, ok := unmirrored(out[i].Rune); ok && out[i].Flags&mirrored != 0 && !ascends(chars, i, i+1) {
			out[i].Rune = m
		}
	}
	slices.SortStableFunc(out, func(a, b wire.Char) int { return cmp.Compare(center(a), center(b)) })
	return out
}

// mirrored is a flag of the brackets and quotes that PDFium mirrored.
const mirrored = 1 << 7

// markMirrored sets the flag of the characters of a page. PDFium mirrors neutral characters that
// follow a letter from right to left, or that begin a line with mostly such letters.
func markMirrored(chars []wire.Char) {
	isEnd := func(c wire.Char) bool { return c.Rune == '\n' || c.Rune == '\r' }
	for len(chars) > 0 {
		n := slices.IndexFunc(chars, isEnd)
		if n < 0 {
			n = len(chars) - 1
		}
		line := chars[:n+1]
		chars = chars[n+1:]
		if !hasRTL(line) {
			continue
		}
		reverses := mostlyRTL(line)
		for i := range line {
			c := &line[i]
			switch p, _ := bidi.LookupRune(c.Rune); p.Class() {
			case bidi.R, bidi.AL:
				reverses = true
			case bidi.L, bidi.EN, bidi.AN, bidi.ES, bidi.ET, bidi.CS, bidi.NSM, bidi.BN:
				reverses = false
			default:
				if reverses {
					c.Flags |= mirrored
				}
			}
		}
	}
}

// ascends reports whether the letters around the characters from i to j are in order from left
// to right. Letters without neighbours are.
func ascends(chars []wire.Char, i, j int) bool {
	const touch = .3 // largest gap in a word, in sizes
	c := chars[i]
	gap := func(k int) float32 {
		if k < 0 || k >= len(chars) || isSpace(chars[k].Rune) {
			return 1e9
		}
		return max(c.X0-chars[k].X1, chars[k].X0-c.X1)
	}
	before, after := i-1, j
	for before >= 0 && unicode.Is(unicode.Mn, chars[before].Rune) {
		before--
	}
	for after < len(chars) && unicode.Is(unicode.Mn, chars[after].Rune) {
		after++
	}
	a, b := gap(before), gap(after)
	switch {
	case min(a, b) > touch*c.Size:
		return true
	case a <= b:
		return chars[before].X0 < c.X0
	}
	return c.X0 < chars[after].X0
}

// settle moves a mark at i after the letter that it is drawn over.
func settle(out []wire.Char, i int) {
	mark := out[i]
	x := (mark.X0 + mark.X1) / 2
	if i+1 < len(out) {
		if next := out[i+1]; !isSpace(next.Rune) && !unicode.Is(unicode.Mn, next.Rune) && x >= next.X0 && x <= next.X1 {
			if i == 0 || isSpace(out[i-1].Rune) || x < out[i-1].X0 || x > out[i-1].X1 {
				out[i], out[i+1] = next, mark
			}
		}
	}
}

// eachPart calls fn for the longest parts that begin and end with characters of two directions
// and contain no others but neutral ones. A part without a letter ends at a space and, near
// Arabic letters, at a sign that does not separate digits.
func eachPart(chars []wire.Char, a, b direction, arabic bool, fn func([]wire.Char)) {
	separators := ".,:/\u00a0\u060c\u066b\u066c"
	if !arabic {
		separators += "+-"
	}
	isUnit := func(i int) bool {
		if arabic || i < 0 || i >= len(chars) {
			return false
		}
		p, _ := bidi.LookupRune(chars[i].Rune)
		return p.Class() == bidi.ET
	}
	for i := 0; i < len(chars); {
		d := directionOf(chars[i].Rune)
		if d != a && d != b {
			i++
			continue
		}
		end, letters := i+1, d != digit
		for j := i + 1; j < len(chars); j++ {
			d := directionOf(chars[j].Rune)
			if d == a || d == b {
				end, letters = j+1, letters || d != digit
			} else if d != neutral && !(d == digit && a == toLeft) ||
				!letters && (isSpace(chars[j].Rune) || d == neutral && !strings.ContainsRune(separators, chars[j].Rune)) {
				break
			}
		}
		from := i
		for directionOf(chars[i].Rune) == digit && isUnit(from-1) {
			from--
		}
		for directionOf(chars[end-1].Rune) == digit && isUnit(end) {
			end++
		}
		fn(chars[from:end])
		i = end
	}
}

var mirrors = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹'}

// unmirrored returns the character for which PDFium returns r in text that it reverses.
func unmirrored(r rune) (rune, bool) {
	switch r {
	case '“':
		return '”', true
	case '”':
		return '“', true
	case '‘':
		return '’', true
	case '’':
		return '‘', true
	}
	if r == '«' || r == '»' {
		return r, false
	}
	m, ok := mirrors[r]
	return m, ok
}

// mirror reverses characters and their brackets and quotes.
func mirror(chars []wire.Char) {
	slices.Reverse(chars)
	for i, c := range chars {
		if m, ok := mirrors[c.Rune]; ok {
			chars[i].Rune = m
		}
	}
}
