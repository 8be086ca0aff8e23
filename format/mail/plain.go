package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
)

// line is a line of plain text with the depth of its quote.
type line struct {
	depth int
	text  string
	flows bool // the next line continues it (RFC 3676)
}

// Limits on plain text.
const (
	maxQuotes = 20 // depth of quotes
	usual     = 72 // columns of lines, if the longest line of the message does not show it
	widest    = 100
)

var (
	prefix    = lazyregexp.New(`^(?:[A-Za-z]{0,3}>[ \t]?)+`)
	forwarded = lazyregexp.New(`^-{3,}\s*\pL[^-]{2,60}?\s*-{3,}$`)
	listFoot  = lazyregexp.New(`^_{20,}$`)
	item      = lazyregexp.New(`^\s*(?:[-*•+·–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S`)
	field     = lazyregexp.New(`^\*?\pL[\pL -]{1,20}\*?[:：] ?\S`)
)

// plain writes a body in plain text and reports whether it has any text.
func (r *reader) plain(p *part) bool {
	text := r.dropArmor(p.text())
	if strings.TrimSpace(text) == "" {
		return false
	}
	w := &writer{b: r.b}
	flowed := strings.EqualFold(p.params["format"], "flowed")
	lines := split(text, flowed, strings.EqualFold(p.params["delsp"], "yes"))
	w.width = width(lines)
	w.lines(lines)
	return true
}

// dropArmor removes signatures and keys in the armor of PGP, and files in uuencode and yEnc.
// Encrypted text is noted.
func (r *reader) dropArmor(text string) string {
	if !strings.Contains(text, "-----BEGIN PGP ") && !strings.Contains(text, "begin ") {
		return text
	}
	var out []string
	until, head := "", false
	for l := range strings.SplitSeq(text, "\n") {
		t := strings.TrimRight(l, " \t")
		switch {
		case until != "":
			if strings.HasPrefix(t, until) {
				until = ""
			}
		case t == "-----BEGIN PGP SIGNED MESSAGE-----":
			head = true
		case head:
			head = t != ""
		case strings.HasPrefix(t, "-----BEGIN PGP "):
			r.encrypted = r.encrypted || strings.HasPrefix(t, "-----BEGIN PGP MESSAGE")
			until = "-----END PGP "
		case uuencoded().MatchString(t):
			r.attachments++
			until = "end"
		case strings.HasPrefix(t, "=ybegin "):
			r.attachments++
			until = "=yend"
		default:
			out = append(out, strings.TrimPrefix(l, "- -"))
		}
	}
	return strings.Join(out, "\n")
}

var uuencoded = lazyregexp.New(`^begin [0-7]{3,4} \S`)

// split returns the lines of text with the depth of their quotes.
func split(text string, flowed, delSp bool) []line {
	var lines []line
	var joined strings.Builder // text of the last line, after it was continued
	for s := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		l := line{text: s}
		if q := prefix().FindString(s); q != "" {
			l.depth, l.text = min(strings.Count(q, ">"), maxQuotes), s[len(q):]
			if flowed {
				l.text = strings.TrimLeft(s, ">")
			}
		}
		if flowed {
			l.text = strings.TrimPrefix(l.text, " ")
			if l.flows = strings.HasSuffix(l.text, " ") && l.text != "-- "; l.flows && delSp {
				l.text = l.text[:len(l.text)-1]
			}
			if n := len(lines); n > 0 && lines[n-1].flows && lines[n-1].depth == l.depth && l.text != "-- " {
				if joined.Len() == 0 {
					joined.WriteString(lines[n-1].text)
				}
				joined.WriteString(l.text)
				lines[n-1].text, lines[n-1].flows = joined.String(), l.flows
				continue
			}
			joined.Reset()
		}
		lines = append(lines, l)
	}
	return lines
}

// width returns the number of columns at which the lines were wrapped.
func width(lines []line) int {
	most := 0
	for i := range lines {
		if n := utf8.RuneCountInString(lines[i].text); n <= widest {
			most = max(most, n)
		}
	}
	if most < usual/2 {
		return usual
	}
	return most
}

// writer writes plain text as blocks.
type writer struct {
	b     *document.Builder
	width int
	depth int // of quotes that are open
}

// lines writes lines. The signature and a forwarded message reach to the end.
func (w *writer) lines(lines []line) {
	base := w.b.Depth()
	for i := 0; i < len(lines) && !w.b.Full(); {
		l := &lines[i]
		t := strings.TrimRight(l.text, " \t")
		if t == "" {
			i++
			continue
		}
		w.quote(l.depth)
		switch {
		case l.depth == 0 && (l.text == "-- " || t == "--") && len(lines)-i < 60 && !quotesAfter(lines[i:]):
			w.end(lines[i+1:])
			i = len(lines)
			continue
		case l.depth == 0 && listFoot().MatchString(t) && len(lines)-i < 20 && !isHeader(lines[i+1:]):
			w.end(lines[i+1:])
			i = len(lines)
			continue
		case l.depth == 0 && (forwarded().MatchString(t) || listFoot().MatchString(t)) && isHeader(lines[i+1:]):
			n := i + 1
			for n < len(lines) && strings.TrimSpace(lines[n].text) == "" {
				n++
			}
			m := n
			for m < len(lines) && strings.TrimSpace(lines[m].text) != "" {
				m++
			}
			w.paragraph(lines[n:m], document.Fields)
			rest := append([]line(nil), lines[m:]...)
			for k := range rest {
				rest[k].depth = min(rest[k].depth+1, maxQuotes)
			}
			w.lines(rest)
			i = len(lines)
			continue
		}
		n := i + 1
		for n < len(lines) && lines[n].depth == l.depth && strings.TrimSpace(lines[n].text) != "" && lines[n].text != "-- " {
			n++
		}
		class := ""
		if introduces(lines[i:n], lines[n:]) {
			class = document.Fields
		}
		w.paragraph(lines[i:n], class)
		i = n
	}
	w.depth = 0
	w.b.Close(base)
}

// quote opens and closes quotes until depth are open.
func (w *writer) quote(depth int) {
	for ; w.depth > depth; w.depth-- {
		w.b.End()
	}
	for ; w.depth < depth; w.depth++ {
		w.b.Start("blockquote", "class", document.Quote)
	}
}

// end writes a signature.
func (w *writer) end(lines []line) {
	w.b.Start("div", "class", document.Signature)
	for i, n := 0, 0; i < len(lines); i = n {
		for n = i; n < len(lines) && strings.TrimSpace(lines[n].text) != ""; n++ {
		}
		if n > i {
			w.paragraph(lines[i:n], "")
		} else {
			n++
		}
	}
	w.b.End()
}

// quotesAfter reports whether quoted text follows, as below a signature at the top.
func quotesAfter(lines []line) bool {
	for i := range lines {
		if lines[i].depth > 0 {
			return true
		}
	}
	return false
}

// isHeader reports whether lines begin with two header fields or more.
func isHeader(lines []line) bool {
	n := 0
	for i := 0; i < len(lines) && n < 2; i++ {
		switch t := strings.TrimSpace(lines[i].text); {
		case t == "" && n == 0:
		case field().MatchString(t):
			n++
		default:
			return false
		}
	}
	return n == 2
}

// introduces reports whether a paragraph names the author of the quote that follows it. The rule
// uses the form, not words: up to three lines that end with a colon, and contain an address, a
// number, or few words.
func introduces(lines, rest []line) bool {
	if len(lines) > 3 || len(rest) == 0 {
		return false
	}
	for len(rest) > 0 && strings.TrimSpace(rest[0].text) == "" {
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0].depth <= lines[0].depth {
		return false
	}
	text := ""
	for i := range lines {
		text += strings.TrimSpace(lines[i].text) + " "
	}
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "：") && !strings.HasSuffix(text, ">") {
		return false
	}
	return strings.ContainsAny(text, "@<0123456789") || len(strings.Fields(text)) <= 8
}

// paragraph writes lines as a paragraph. Lines that were wrapped are joined; other lines end with a
// break.
func (w *writer) paragraph(lines []line, class string) {
	if isTable(lines) {
		w.b.Start("pre", "class", class)
		for i := range lines {
			w.b.Text(lines[i].text + "\n")
		}
		w.b.End()
		return
	}
	w.b.Start("p", "class", class)
	for i := range lines {
		t := strings.TrimSpace(lines[i].text)
		if i > 0 {
			last := strings.TrimRight(lines[i-1].text, " \t")
			switch {
			case !w.wrapped(last, t) && class == "" || item().MatchString(lines[i].text):
				w.b.Void("br")
			case !unspaced(last, t):
				w.b.Text(" ")
			}
		}
		w.b.Text(t)
	}
	w.b.End()
}

// wrapped reports whether the first word of the next line did not fit into a line.
func (w *writer) wrapped(last, next string) bool {
	word, _, _ := strings.Cut(next, " ")
	n := utf8.RuneCountInString(last)
	return n > widest || n+1+utf8.RuneCountInString(word) > w.width || n > w.width*3/4 && startsLower(next)
}

// startsLower reports whether s begins with a lower-case letter.
func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// unspaced reports whether lines are joined without a space, as in Chinese and Japanese.
func unspaced(last, next string) bool {
	a, _ := utf8.DecodeLastRuneInString(last)
	b, _ := utf8.DecodeRuneInString(next)
	return isWide(a) && isWide(b)
}

// isWide reports whether r is a character of Chinese or Japanese.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff70
}

// isTable reports whether most lines have columns: runs of spaces or tabs between words.
func isTable(lines []line) bool {
	n := 0
	for i := range lines {
		if t := strings.TrimSpace(lines[i].text); strings.Contains(t, "\t") || strings.Contains(t, "   ") {
			n++
		}
	}
	return len(lines) > 1 && 2*n > len(lines)
}
