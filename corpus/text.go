package corpus

import (
	"strings"
	"unicode"
)

// spaceStruct is the empty structure that holds white space other than one
// space, as written by package vertical.
const spaceStruct = "sp"

// Text returns the text of the tokens from start to end (exclusive): their default
// attribute and the white space between them. The white space is empty before a
// token with <g/>, the characters of <sp s="..."/>, or one space.
func (c *Corpus) Text(start, end int64) string {
	start, end = max(start, 0), min(end, c.size)
	var b strings.Builder
	for p := start; p < end; p++ {
		if p > start {
			b.WriteString(c.gap(p))
		}
		b.Write(c.attrs[0].bytes(c.attrs[0].At(p)))
	}
	return b.String()
}

// gap returns the white space before token pos.
func (c *Corpus) gap(pos int64) string {
	if c.glue.At(int(pos)) != 0 {
		return ""
	}
	if c.space != nil {
		if i := c.space.after(pos) - 1; i >= 0 {
			if start, _ := c.space.Span(i); start == pos {
				return c.space.Value("s", i)
			}
		}
	}
	return " "
}

// shown returns the text of tokens in one line. White space and control characters
// become single spaces.
func (c *Corpus) shown(start, end int64) string {
	return oneLine(c.Text(start, end))
}

func oneLine(s string) string {
	if plain(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// plain reports whether s is ASCII text in one line.
func plain(s string) bool {
	blank := true // also before the text
	for i := range len(s) {
		b := s[i]
		if b <= ' ' && (b < ' ' || blank) || b >= 0x7f {
			return false
		}
		blank = b == ' '
	}
	return !blank || s == ""
}
