// Package table writes text tables for a terminal with [New], [Table.Add] and [Table.Write].
// Columns are aligned by the display width of characters, not by their number.
package table

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Table is a table that is built row by row.
type Table struct {
	// Right lists the right-aligned columns, usually numbers. Other columns, and columns beyond its
	// length, are left-aligned.
	Right []bool
	rows  [][]string
}

// New returns a table with a header. A column whose name begins with ">" is right-aligned; the mark
// is removed.
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

// Add adds a row. Control characters in cells are written as spaces.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Write writes the table with two spaces between columns and no trailing spaces. Each line is
// preceded by indent.
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

// Width returns the number of terminal cells of s: the sum over its characters.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// First returns the longest prefix of s that is at most n terminal cells wide.
func First(s string, n int) string {
	used := 0
	for i, r := range s {
		if used += RuneWidth(r); used > n {
			return s[:i]
		}
	}
	return s
}

// RuneWidth returns the number of terminal cells of r, independent of the locale. It is two for
// wide characters such as Han, zero for marks and format characters, and one for control
// characters, which a table writes as spaces.
func RuneWidth(r rune) int {
	switch {
	case r == 0xAD:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FF:
		return 0 // vowels and finals of Hangul: drawn in the cells of the preceding initial
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}
