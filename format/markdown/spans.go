package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// choose appends the spans to write to dst. It drops omitted markup, markup without
// Markdown syntax, and spans inside code or inside a span of the same kind. It joins
// adjacent spans of the same kind and moves ends so that parsers recognize the delimiters.
func choose(dst []page.Inline, text string, marks []page.Inline, without page.Features) []page.Inline {
	var around []int // indexes in dst
	last := -1       // index of the span around the last span of dst, or -1
	for _, m := range marks {
		if without.Holds(m.Kind) || m.Kind == page.NoteRef && m.URL == "" || m.Kind == page.Anchor {
			continue
		}
		for len(around) > 0 && dst[around[len(around)-1]].End <= m.Start {
			around = around[:len(around)-1]
		}
		drop := false
		for _, a := range around {
			drop = drop || dst[a].Kind == m.Kind
			if dst[a].Kind == page.Verbatim {
				if m.Kind == page.Link && dst[a].Start == m.Start && dst[a].End == m.End {
					dst[a].Kind, m.Kind, dst[a].URL, m.URL = page.Link, page.Verbatim, m.URL, "" // code in a link
				} else {
					drop = drop || !m.Kind.Empty()
				}
			}
		}
		if drop {
			continue
		}
		in := -1
		if len(around) > 0 {
			in = around[len(around)-1]
		}
		if n := len(dst) - 1; n >= 0 && dst[n].Kind == m.Kind && dst[n].End == m.Start && in == last && joins(m.Kind) {
			dst[n].End = m.End
			around = append(around, n)
			continue
		}
		dst, last = append(dst, m), in
		if !m.Kind.Empty() {
			around = append(around, len(dst)-1)
		}
	}
	return delimit(dst, text)
}

// joins reports whether adjacent spans of kind k are joined.
func joins(k page.Markup) bool {
	return k == page.Emphasis || k == page.Strong || k == page.Deleted || k == page.Verbatim
}

// delimits reports whether kind k is written with runs of "*" or "~".
func delimits(k page.Markup) bool {
	return k == page.Emphasis || k == page.Strong || k == page.Deleted
}

// delimit moves the ends of emphasis to positions where its delimiters are left- and
// right-flanking runs (CommonMark 6.2). In "**a:**b", the emphasis would not close, so the
// colon moves outside. Spans without such positions are dropped, and so is the second of
// two spans with adjacent delimiters.
func delimit(spans []page.Inline, text string) []page.Inline {
	out := spans[:0]
	var around []page.Inline
	ended, endedOther := -1, -1 // ends of the last span with delimiters, and with other markup
	for i := range spans {
		m := spans[i]
		for len(around) > 0 && around[len(around)-1].End <= m.Start {
			if last := around[len(around)-1]; delimits(last.Kind) {
				ended = max(ended, last.End)
			} else if last.Kind != page.LineBreak {
				endedOther = max(endedOther, last.End)
			}
			around = around[:len(around)-1]
		}
		if delimits(m.Kind) {
			f := flanks{text: text, after: endedOther == m.Start, first: m.End, last: m.Start}
			f.look(m, spans[i+1:], around)
			if !f.fit(&m) || ended == m.Start {
				continue
			}
		}
		out = append(out, m)
		around = append(around, m)
	}
	return out
}

// flanks describes the surroundings of the delimiters of a span.
type flanks struct {
	text string
	// after reports whether other markup ends at the start of the span, and before whether
	// other markup begins at its end. outerStart and outerEnd report whether enclosing
	// markup has the same start or end.
	after, before, outerStart, outerEnd bool
	// innerStart and innerEnd report whether markup inside the span has the same start or
	// end. first and last are the bounds of all markup inside it.
	innerStart, innerEnd bool
	first, last          int
}

// look sets f from the spans that follow m and the spans around m.
func (f *flanks) look(m page.Inline, follow, around []page.Inline) {
	for _, in := range follow {
		if in.Start > m.End {
			break
		}
		other := !delimits(in.Kind) && in.Kind != page.LineBreak
		if in.Start == m.End {
			f.before = f.before || other
			continue
		}
		f.first, f.last = min(f.first, in.Start), max(f.last, in.End)
		f.innerStart = f.innerStart || other && in.Start == m.Start
		f.innerEnd = f.innerEnd || other && in.End == m.End
	}
	for _, out := range around {
		if !delimits(out.Kind) {
			f.outerStart = f.outerStart || out.Start == m.Start
			f.outerEnd = f.outerEnd || out.End == m.End
		}
	}
}

// fit moves the ends of m inwards until its delimiters can open and close it. It reports
// whether it found such ends.
func (f *flanks) fit(m *page.Inline) bool {
	start := m.Start
	for !f.opens(m.Start, m.Start == start) {
		if m.Start >= f.first {
			return false
		}
		_, n := utf8.DecodeRuneInString(f.text[m.Start:])
		m.Start += n
	}
	end := m.End
	for !f.closes(m.End, m.End == end) {
		if m.End <= f.last || m.End <= m.Start {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(f.text[:m.End])
		m.End -= n
	}
	return m.Start < m.End
}

// opens reports whether a run of delimiters before text[at:] is left-flanking. unmoved
// reports whether at is the original start of the span.
func (f *flanks) opens(at int, unmoved bool) bool {
	before, _ := utf8.DecodeLastRuneInString(f.text[:at])
	after, _ := utf8.DecodeRuneInString(f.text[at:])
	if unicode.IsSpace(after) || at >= len(f.text) {
		return false
	}
	if !isMark(after) && !(unmoved && f.innerStart) {
		return true
	}
	return at == 0 || unicode.IsSpace(before) || isMark(before) || unmoved && (f.after || f.outerStart)
}

// closes reports whether a run of delimiters after text[:at] is right-flanking. unmoved
// reports whether at is the original end of the span.
func (f *flanks) closes(at int, unmoved bool) bool {
	before, _ := utf8.DecodeLastRuneInString(f.text[:at])
	after, _ := utf8.DecodeRuneInString(f.text[at:])
	if unicode.IsSpace(before) || at == 0 {
		return false
	}
	if !isMark(before) && !(unmoved && f.innerEnd) {
		return true
	}
	return at == len(f.text) || unicode.IsSpace(after) || isMark(after) || unmoved && (f.before || f.outerEnd)
}

// isMark reports whether r is punctuation in the sense of CommonMark, which includes
// symbols.
func isMark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// isAddress reports whether s can be written verbatim as an autolink, in angle brackets.
func isAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || len(scheme) < 2 || len(scheme) > 32 || rest == "" || strings.ContainsAny(s, " <>\t\n\r") {
		return false
	}
	for i := 0; i < len(scheme); i++ {
		if c := scheme[i]; !isLetter(c) && (i == 0 || !('0' <= c && c <= '9' || c == '+' || c == '.' || c == '-')) {
			return false
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7F {
			return false
		}
	}
	return true
}
