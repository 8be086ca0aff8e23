package pdf

import (
	"cmp"
	"slices"
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

// logical returns the characters of a line in logical order. Characters from left to right are
// in content order, which is logical also if vowel signs precede their letters. Other characters
// are ordered by position, since programs write them in either order.
func logical(chars []wire.Char, rtl bool) []wire.Char {
	hasLeft := false
	for i := range chars {
		hasLeft = hasLeft || directionOf(chars[i].Rune) == toLeft
	}
	if !hasLeft {
		return chars
	}
	out := visual(chars)
	if rtl {
		slices.Reverse(out)
		for i := range out {
			out[i].Rune = mirrored(out[i].Rune)
		}
		eachPart(out, toRight, digit, func(part []wire.Char) {
			slices.Reverse(part)
			for i := range part {
				part[i].Rune = mirrored(part[i].Rune)
			}
		})
	} else {
		eachPart(out, toLeft, toLeft, func(part []wire.Char) {
			slices.Reverse(part)
			eachPart(part, digit, digit, slices.Reverse[[]wire.Char])
		})
	}
	for i := range out { // marks follow their letters
		if out[i].Rune >= 0x300 && unicode.Is(unicode.Mn, out[i].Rune) {
			settle(out, i)
		}
	}
	return out
}

// visual returns a copy of chars from left to right. Characters of one glyph, which have the
// same box, are reversed, so that they are in logical order from right to left.
func visual(chars []wire.Char) []wire.Char {
	out := slices.Clone(chars)
	center := func(c wire.Char) float32 { return c.X0 + c.X1 }
	slices.SortStableFunc(out, func(a, b wire.Char) int { return cmp.Compare(center(a), center(b)) })
	for i := 0; i < len(out); {
		j := i + 1
		for j < len(out) && out[j].Box == out[i].Box && directionOf(out[j].Rune) == toLeft {
			j++
		}
		slices.Reverse(out[i:j])
		i = j
	}
	return out
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
// and contain no others but neutral ones. A part without a letter ends at a space.
func eachPart(chars []wire.Char, a, b direction, fn func([]wire.Char)) {
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
			} else if d != neutral && !(d == digit && a == toLeft) || isSpace(chars[j].Rune) && !letters {
				break
			}
		}
		fn(chars[i:end])
		i = end
	}
}

var mirrors = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹'}

func mirrored(r rune) rune {
	if m, ok := mirrors[r]; ok {
		return m
	}
	return r
}
