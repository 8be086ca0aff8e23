// Package table writes tables of text for a terminal: columns aligned by the
// cells that characters take there, not by their number.
package table

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Table is a table that is made row by row.
type Table struct {
	// Right tells which columns are set flush right, as numbers are; others, and
	// those beyond its end, are set flush left.
	Right []bool
	rows  [][]string
}

// New returns a table with a head. A column whose name begins with ">" is set
// flush right; the mark is taken off.
func New(head ...string) *Table {
	t := &Table{}
	row := make([]string, len(head))
	for i, h := range head {
		name, right := strings.CutPrefix(h, ">")
		t.Right = append(t.Right, right)
		row[i] = name
	}
	t.rows = append(t.rows, row)
	return t
}

// Add adds a row. Control characters in cells are written as blanks.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Write writes the table, two spaces between columns, none at the ends of
// lines, each line after indent.
func (t *Table) Write(w io.Writer, indent string) error {
	var widths []int
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(c))
		}
	}
	var b bytes.Buffer
	for _, r := range t.rows {
		line := len(b.Bytes())
		b.WriteString(indent)
		for i, c := range r {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-Width(c))
			c = strings.Map(func(r rune) rune {
				if unicode.IsControl(r) {
					return ' '
				}
				return r
			}, c)
			if i < len(t.Right) && t.Right[i] {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
		}
		text := bytes.TrimRight(b.Bytes()[line:], " ")
		b.Truncate(line + len(text))
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Width returns how many cells of a terminal s takes: the sum over its
// characters.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// RuneWidth returns how many cells r takes, whatever the locale says: two for
// wide characters such as Han, none for marks and for characters that only
// steer, one for control characters, which a table writes as blanks.
func RuneWidth(r rune) int {
	switch {
	case r == 0xAD:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FF:
		return 0 // vowels and finals of Hangul: drawn in the cells of the initial before
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}
