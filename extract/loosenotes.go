package extract

import (
	"strconv"
	"strings"

	"chaffinch/page"
)

// looseNotes finds the footnotes of a page that are not linked: blocks that begin with a raised or
// bold number, after text with the same raised number. It turns the raised numbers into references
// and adds anchors to the footnotes.
//
// The footnotes of a page are numbered from 1 in order. A number without such a block, or a page
// that links its footnotes, has no loose footnotes.
func looseNotes(p *page.Page) {
	first := map[string]int{} // first block with a reference, by number
	starts := []int{}         // blocks of the footnotes 1, 2, ...
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden || b.Kind == page.Code || b.Kind == page.Cell {
			continue
		}
		opening := true
		for _, m := range b.Inline {
			switch {
			case m.Kind == page.NoteRef:
				return
			case m.Start > 0:
				opening = false
			}
			if m.Kind != page.Sup && m.Kind != page.Strong {
				continue
			}
			number := looseNumber(b.Text[m.Start:m.End])
			switch {
			case number == "":
			case opening && m.End < len(b.Text):
				if _, ok := first[number]; ok && number == strconv.Itoa(len(starts)+1) {
					starts = append(starts, i)
				}
			case m.Kind == page.Sup && refersTo(b.Text[:m.Start]):
				if _, ok := first[number]; !ok {
					first[number] = i
				}
			}
		}
	}
	if len(starts) < minLooseNotes {
		return
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden || b.Kind == page.Code || b.Kind == page.Cell {
			continue
		}
		var marks []page.Inline
		for _, m := range b.Inline {
			number := 0
			if m.Kind == page.Sup || m.Kind == page.Strong {
				number, _ = strconv.Atoi(looseNumber(b.Text[m.Start:m.End]))
			}
			switch {
			case number == 0 || number > len(starts):
			case starts[number-1] == i && m.Start == 0:
				marks = append([]page.Inline{{Kind: page.Anchor, URL: looseID(number)}}, marks...)
				m.Kind = page.Sup
			case m.Kind == page.Sup && refersTo(b.Text[:m.Start]):
				m.Kind, m.URL = page.NoteRef, looseID(number)
			}
			marks = append(marks, m)
		}
		b.Inline = marks
	}
}

// minLooseNotes is the fewest footnotes without links: a single raised number may be anything.
const minLooseNotes = 2

// looseID returns the id of a footnote without a link.
func looseID(number int) string { return "chaffinch-note-" + strconv.Itoa(number) }

// looseNumber returns the number of a footnote, from 1 to 999, that text is, or "".
func looseNumber(text string) string {
	text = strings.Trim(text, "[]() ")
	if len(text) > 3 || text == "" || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// refersTo reports whether a raised number after the text before it can be a reference: it follows
// a word, a sentence or a quote, and is no exponent of a digit or single letter.
func refersTo(before string) bool {
	before = strings.TrimRight(before, " ")
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	if '0' <= last && last <= '9' {
		return false
	}
	word := before[strings.LastIndexAny(before, " \u00a0(")+1:]
	return len(word) > 1 || !isLetter(last)
}
