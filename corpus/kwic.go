package corpus

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"unicode"

	"chaffinch/internal/table"
	"chaffinch/internal/termsafe"
)

// maxRef is the maximum number of columns of a reference in text. The middle of longer
// references is omitted. The other formats show references in full.
const maxRef = 40

// writeText writes the matches in one column. Each reference and the text on the
// left take as many columns as the widest one in the first lines.
func (k *Concordance) writeText(ctx context.Context, w *bufio.Writer) error {
	const look = 1000
	var head []Line
	t := kwic{k: k, w: w, refs: make([]int, len(k.cfg.Refs))}
	if k.cfg.View == KWIC && !k.cfg.Tokens {
		t.left = k.cfg.Context
	}
	flush := func() {
		for _, l := range head {
			t.measure(l)
		}
		t.fill(head)
		for _, l := range head {
			t.line(l)
		}
		head = nil
	}
	n := 0
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return err
		}
		l = plainLine(l)
		if n++; n <= look {
			head = append(head, l)
			continue
		}
		if n == look+1 {
			flush()
		}
		t.line(l)
	}
	flush()
	return nil
}

// plainLine shortens long references, removes characters that change the direction
// of the following text, and quotes terminal control characters.
func plainLine(l Line) Line {
	for i, r := range l.Refs {
		l.Refs[i] = withoutMiddle(shown(r), maxRef)
	}
	l.Left, l.Text, l.Right = shown(l.Left), shown(l.Text), strings.TrimRight(shown(l.Right), " ")
	for i, t := range l.Aligned {
		l.Aligned[i] = shown(t)
	}
	return l
}

// withoutMiddle returns s if it fits into columns, else its beginning and end.
func withoutMiddle(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	return table.First(s, columns*2/3) + "…" + lastColumns(s, columns-columns*2/3-1)
}

// kwic writes lines with the matches in one column.
type kwic struct {
	k    *Concordance
	w    *bufio.Writer
	refs []int // columns of each reference
	left int   // columns of the text on the left
}

// Minimum columns of a context that fills a line, and the maximum share of the line
// that matches take.
const (
	leastContext = 10
	matchShare   = 3
)

// fill divides the columns of a line between the contexts on both sides of the widest
// match, if Width is set.
func (t *kwic) fill(head []Line) {
	if !t.fills() {
		return
	}
	match := 0
	for _, l := range head {
		match = max(match, width(l.Text))
	}
	t.left = max(leastContext, (t.rest()-min(match, t.k.cfg.Width/matchShare))/2)
}

// fills reports whether lines are filled to a width.
func (t *kwic) fills() bool { return t.k.cfg.Width > 0 && t.k.cfg.View == KWIC && !t.k.cfg.Tokens }

// rest returns the columns of a line that references and marks leave free.
func (t *kwic) rest() int {
	n := t.k.cfg.Width
	for _, r := range t.refs {
		n -= r + 2
	}
	if !t.k.cfg.Color {
		n -= 2 // < and >
	}
	return n
}

func (t *kwic) measure(l Line) {
	for i, r := range l.Refs {
		t.refs[i] = max(t.refs[i], width(r))
	}
	if t.k.cfg.View == KWIC {
		t.left = max(t.left, width(l.Left))
	}
}

// Controls of a terminal: colours, and directions of text.
const (
	colorMatch, colorRef, colorEnd = "\x1b[1;31m", "\x1b[2m", "\x1b[0m"

	markLTR, markRTL    = "\u200e", "\u200f" // the direction of the line
	isolate, isolateEnd = "\u2068", "\u2069" // text with a separate direction
)

// line writes a line. A line with right-to-left text gets the direction of its
// match, and each part is isolated. So terminals that reorder such text keep the
// parts in their places.
func (t *kwic) line(l Line) {
	if t.fills() {
		t.k.around(&l, t.left, max(leastContext, t.rest()-t.left-width(l.Text)))
		l = plainLine(l)
	}
	before, end := "", ""
	if rtl(l.Left + l.Text + l.Right + strings.Join(l.Refs, "")) {
		mark := markLTR
		if l.RightToLeft() {
			mark = markRTL
		}
		t.w.WriteString(mark)
		before, end = isolate, isolateEnd
	}
	open, shut, ref, plain := "<", ">", "", ""
	if t.k.cfg.Color {
		open, shut, ref, plain = colorMatch, colorEnd, colorRef, colorEnd
	}
	pad := func(s string, n int) string { return strings.Repeat(" ", max(n-width(s), 0)) }
	for i, r := range l.Refs {
		t.w.WriteString(ref + before + r + end + plain + pad(r, t.refs[i]) + "  ")
	}
	t.w.WriteString(pad(l.Left, t.left) + before + l.Left + end)
	t.w.WriteString(open + before + l.Text + end + shut + before + l.Right + end + "\n")
	for i, text := range l.Aligned {
		t.aligned(t.k.aligned[i].name, text)
	}
}

// aligned writes the translation of a line below it.
func (t *kwic) aligned(name, text string) {
	if rtl(text) {
		text = isolate + text + isolateEnd
	}
	if text == "" {
		text = "-"
	}
	fmt.Fprintf(t.w, "  %s: %s\n", name, text)
}

// lastWords returns the last whole words of a text in one line that fit into columns, or the end
// of a longer word.
func lastWords(s string, columns int) string {
	t := lastColumns(s, columns)
	if cut := len(s) - len(t); cut == 0 || s[cut-1] == ' ' || t == "" || t[0] == ' ' {
		return strings.TrimLeft(t, " ")
	}
	if _, rest, ok := strings.Cut(t, " "); ok && rest != "" {
		return rest
	}
	return t
}

// firstWords is the equivalent of lastWords for the first words.
func firstWords(s string, columns int) string {
	t := table.First(s, columns)
	if len(t) == len(s) || s[len(t)] == ' ' {
		return t
	}
	if i := strings.LastIndexByte(t, ' '); i > 0 {
		return t[:i]
	}
	return t
}

// rtl reports whether s has a character that is written from right to left.
func rtl(s string) bool {
	for _, r := range s {
		if r >= 0x590 && unicode.In(r, rightToLeft...) {
			return true
		}
	}
	return false
}

// shown returns s as displayed in a line.
func shown(s string) string { return termsafe.Quote(noBidi(s)) }

// noBidi removes embeddings, overrides and isolates, which affect text outside
// s.
func noBidi(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) && r != '\u200e' && r != '\u200f' && r != '\u061c' {
			return -1
		}
		return r
	}, s)
}
