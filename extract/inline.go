package extract

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"chaffinch/page"
)

// markupOf is the inline markup that elements stand for, counted from 1; links
// are told by their address.
var markupOf = func() (t [256]uint8) {
	for kind, names := range map[page.Markup][]string{
		page.Emphasis: {"em", "i"},
		page.Strong:   {"strong", "b"},
		page.Verbatim: {"code", "kbd", "samp", "tt"},
		page.Sub:      {"sub"},
		page.Sup:      {"sup"},
		page.Deleted:  {"del", "s", "strike"},
	} {
		for _, n := range names {
			t[tagIDs[n]] = uint8(kind) + 1
		}
	}
	return t
}()

// mark is markup. It holds no pointers: pages have thousands.
type mark struct {
	start, end int   // in shown.buf, later in the text of the block; start is unbegun before it has text in the open block
	seq        int32 // number in the order of the tags
	ref        int32 // of its address in inlines.refs
	kind       page.Markup
}

// target is what a mark refers to.
type target struct{ url, alt string }

const unbegun = -1

// inlines is what a scan knows of inline markup. It stays empty unless
// Config.Inline is set.
type inlines struct {
	open    []mark
	done    []mark   // of all blocks, each block's together
	first   int      // in done: the first of the open block
	seq     int32    // number of the mark begun last, from 1
	refs    []target // addresses, counted from 1
	waiting []mark   // images since the last boundary, while no block is open
	alone   []page.Image
	bare    []bareElement   // elements around images in alone that held no text when the image came
	notes   map[string]bool // ids that references to footnotes lead to, until their element is found
	indent  []byte          // white space since the last line break in a pre without text so far
	grids   []grid          // of the open tables
	base    *url.URL
	host    string // scheme and host of base
	pageURL string
	href    string // of the base element
	based   bool   // base is set, if it can be
}

func (n *inlines) reset() {
	clear(n.refs)
	clear(n.alone)
	clear(n.bare)
	*n = inlines{
		open: n.open[:0], done: n.done[:0], waiting: n.waiting[:0], alone: n.alone[:0], bare: n.bare[:0],
		refs: n.refs[:0], indent: n.indent[:0], grids: n.grids[:0], pageURL: n.pageURL,
	}
}

// mark begins the markup that e stands for, if any.
func (s *scan) mark(e *element) {
	n := &s.marks
	m := mark{kind: page.Markup(markupOf[e.tag] - 1)}
	switch {
	case e.link:
		href, _ := s.lex.attr("href")
		if id := s.noteID(href); id != "" {
			m.kind, m.ref = page.NoteRef, n.refer(id, "")
			s.wantNote(id)
		} else if href = s.absolute(href); href != "" {
			m.kind, m.ref = page.Link, n.refer(href, "")
		} else {
			return
		}
	case markupOf[e.tag] == 0:
		return
	}
	if s.w != &s.shown {
		return
	}
	e.mark = s.remark(m)
}

// refer notes what a mark refers to.
func (n *inlines) refer(url, alt string) int32 {
	n.refs = append(n.refs, target{url, alt})
	return int32(len(n.refs))
}

// unmark ends markup and returns it.
func (s *scan) unmark(seq int32) mark {
	n := &s.marks
	for i := len(n.open) - 1; i >= 0; i-- {
		if m := n.open[i]; m.seq == seq {
			n.open = append(n.open[:i], n.open[i+1:]...)
			if s.shown.open {
				n.add(m, s.shown.from, len(s.shown.buf))
			}
			return m
		}
	}
	return mark{}
}

// remark begins markup, perhaps again after a block's end.
func (s *scan) remark(m mark) int32 {
	n := &s.marks
	n.seq++
	m.seq = n.seq
	m.start = unbegun
	if s.shown.open {
		m.start = len(s.shown.buf)
	}
	n.open = append(n.open, m)
	return n.seq
}

// add notes that m ends at the byte end of the buffer in which the text of its
// block begins at from.
func (n *inlines) add(m mark, from, end int) {
	m.start, m.end = max(m.start, from), end
	if m.start < m.end {
		n.done = append(n.done, m)
	}
}

// breakLine notes a br.
func (s *scan) breakLine() {
	n := &s.marks
	n.seq++
	at := len(s.shown.buf)
	n.done = append(n.done, mark{start: at, end: at + 1, seq: n.seq, kind: page.LineBreak})
}

// image notes the img that is the current token. One that begins a block is
// part of it.
func (s *scan) image() {
	if s.muted > 0 || s.hidden > 0 {
		return
	}
	l := &s.lex
	for _, side := range [...]string{"width", "height"} {
		if v, _ := l.attr(side); v == "0" || v == "1" || v == "1px" {
			return // counts visitors
		}
	}
	src := ""
	for _, name := range [...]string{"data-src", "data-original", "data-lazy-src", "src", "data-srcset", "srcset"} {
		v, _ := l.attr(name)
		if strings.HasSuffix(name, "srcset") {
			v = strings.TrimSpace(v)
			v, _, _ = strings.Cut(v, " ")
			v = strings.TrimSuffix(v, ",")
		}
		if src = s.absolute(v); src != "" {
			break
		}
	}
	if src == "" {
		return
	}
	alt, ok := l.attr("alt")
	if !ok {
		alt, _ = l.attr("title")
	}
	s.point(page.Picture, src, fold(alt, true))
}

// point notes markup without width. Before the text of a block it is part of
// the block.
func (s *scan) point(kind page.Markup, url, alt string) {
	n := &s.marks
	n.seq++
	m := mark{seq: n.seq, kind: kind, ref: n.refer(url, alt)}
	if !s.shown.open {
		n.waiting = append(n.waiting, m)
		return
	}
	m.start = len(s.shown.buf)
	if s.shown.pend != pendNone {
		m.start++
	}
	m.end = m.start
	n.done = append(n.done, m)
}

// beginMarks is called when a shown block begins.
func (s *scan) beginMarks() {
	n := &s.marks
	for _, m := range n.waiting {
		m.start, m.end = s.shown.from, s.shown.from
		n.done = append(n.done, m)
	}
	n.waiting = n.waiting[:0]
	if s.preserves() {
		s.shown.block.indent = string(n.indent)
	}
	n.indent = n.indent[:0]
}

// standAlone is called at a boundary while no block is open: images since the
// last one stand alone.
func (s *scan) standAlone() {
	n := &s.marks
	anchors := n.waiting[:0]
	for _, m := range n.waiting {
		if m.kind == page.Anchor { // of the next block
			anchors = append(anchors, m)
		}
		if m.kind != page.Picture {
			continue
		}
		n.alone = append(n.alone, page.Image{Before: len(s.done), Element: s.holder(len(s.stack) - 1), URL: n.refs[m.ref-1].url, Alt: n.refs[m.ref-1].alt})
	}
	n.waiting, n.indent = anchors, n.indent[:0]
}

// leading notes white space before the text of a pre.
func (n *inlines) leading(c byte) {
	switch c {
	case ' ', '\t':
		if len(n.indent) < maxIndent {
			n.indent = append(n.indent, c)
		}
	case '\n', '\r', '\f', '\v':
		n.indent = n.indent[:0]
	}
}

const maxIndent = 256

// endMarks is called when the shown block b ends. It brings the block's markup
// into order, relative to its text.
func (s *scan) endMarks(b *block) {
	n := &s.marks
	s.nodes += len(n.open) // each goes on in every block that it spans
	for i := range n.open {
		n.add(n.open[i], b.textStart, b.textEnd)
		n.open[i].start = unbegun
	}
	s.literalTeX(b)
	marks := tidy(n.done[n.first:], s.shown.buf[b.textStart:b.textEnd], b.textStart)
	n.done = n.done[:n.first+len(marks)]
	b.marks, b.marksEnd = n.first, len(n.done)
	n.first = len(n.done)
}

// fill puts the images that stand alone into p and returns the markup of all
// blocks.
func (n *inlines) fill(p *page.Page) []page.Inline {
	p.Images = append([]page.Image(nil), n.alone...)
	n.fillHolders(p)
	all := make([]page.Inline, len(n.done))
	for i := range n.done {
		m := &n.done[i]
		all[i] = page.Inline{Kind: m.kind, Start: m.start, End: m.end}
		if m.ref > 0 {
			all[i].URL, all[i].Alt = n.refs[m.ref-1].url, n.refs[m.ref-1].alt
		}
	}
	return all
}

// tidy makes the spans relative to text, which stands at from, takes white
// space off their ends, puts them in order and makes them nest. It works in
// place.
func tidy(marks []mark, text []byte, from int) []mark {
	out := marks[:0]
	for _, m := range marks {
		m.start, m.end = min(m.start-from, len(text)), min(m.end-from, len(text))
		switch m.kind {
		case page.Picture, page.Checkbox, page.Anchor:
		case page.LineBreak:
			if m.start >= len(text) || class[text[m.start]] != space {
				continue
			}
		default:
			if m.trim(text); m.start >= m.end {
				continue
			}
		}
		out = append(out, m)
	}
	slices.SortFunc(out, compareMarks)
	return nest(out, text)
}

// trim takes white space off the ends of m.
func (m *mark) trim(text []byte) {
	for m.start < m.end && class[text[m.start]] == space {
		m.start++
	}
	for m.start < m.end && class[text[m.end-1]] == space {
		m.end--
	}
}

// compareMarks orders by start; there, markup without width first, then outer
// spans first.
func compareMarks(a, b mark) int {
	if a.start != b.start {
		return cmp.Compare(a.start, b.start)
	}
	if za, zb := a.kind.Empty(), b.kind.Empty(); za != zb {
		if za {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.end, a.end), cmp.Compare(a.seq, b.seq))
}

// nest cuts spans that overlap without one holding the other, as misnested
// tags leave them: the one that begins first is cut if the other is a link,
// else the other begins where it ends.
func nest(marks []mark, text []byte) []mark {
	for round := 0; ; round++ {
		moved := nestOnce(marks, text)
		marks = slices.DeleteFunc(marks, func(m mark) bool { return m.start >= m.end && !m.kind.Empty() })
		if !moved {
			return marks
		}
		slices.SortFunc(marks, compareMarks) // what was moved may stand before what it now follows
		if round == maxRounds {
			return dropOverlapping(marks)
		}
	}
}

// maxRounds bounds the work on tangled tags.
const maxRounds = 4

// nestOnce cuts overlapping spans and tells whether it moved the beginning of
// one.
func nestOnce(marks []mark, text []byte) (moved bool) {
	var around []int // indexes of the spans that the one at hand may be in
	for i := range marks {
		m := &marks[i]
		for k := len(around) - 1; k >= 0; k-- {
			a := &marks[around[k]]
			switch {
			case a.end <= m.start:
				around = around[:k]
			case a.end < m.end && m.kind == page.Link && a.kind != page.Link:
				a.end = m.start
				a.trim(text)
				around = around[:k]
			case a.end < m.end:
				m.start = a.end
				m.trim(text)
				moved = true
			}
		}
		around = append(around, i)
	}
	return moved
}

// dropOverlapping leaves out spans that reach out of the one around them.
func dropOverlapping(marks []mark) []mark {
	var ends []int
	return slices.DeleteFunc(marks, func(m mark) bool {
		for len(ends) > 0 && ends[len(ends)-1] <= m.start {
			ends = ends[:len(ends)-1]
		}
		if len(ends) > 0 && ends[len(ends)-1] < m.end {
			return true
		}
		ends = append(ends, m.end)
		return false
	})
}
