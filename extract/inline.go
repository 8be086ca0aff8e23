package extract

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"chaffinch/page"
)

// markupOf holds the kind of inline markup of each element, plus 1; 0 for none. Links are
// recognised by their address instead.
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

// mark is a span of inline markup. It holds no pointers, since a page has thousands.
type mark struct {
	start, end int   // bytes in shown.buf, after endMarks in the block's text; start is unbegun while the mark has no text in the open block
	seq        int32 // order of the start tags
	target     int32 // index in inlines.targets, from 1; 0 for none
	kind       page.Markup
}

// target holds the address and the alternative text of a mark.
type target struct{ url, alt string }

const unbegun = -1

// inlines holds the inline markup of a scan. It stays empty unless Config.Inline is set.
type inlines struct {
	open         []mark
	done         []mark   // of all blocks, block by block
	first        int      // index in done of the first mark of the open block
	seq          int32    // number of the last mark, from 1
	targets      []target // addresses; mark.target counts them from 1
	pending      []mark   // images and anchors since the last boundary, while no block is open
	images       []page.Image
	imageHolders []bareElement   // elements around images, without text before the image
	notes        map[string]bool // ids that references to footnotes lead to; false once the element is found
	indent       []byte          // white space since the last line break of a pre without text so far
	grids        []grid          // open tables
	base         *url.URL
	scheme       string // of base, with the colon
	host         string // scheme and host of base
	folder       string // base up to the last slash of its path; "" if relative addresses need resolving
	pageURL      string
	href         string // href of the base element
	baseSet      bool   // setBase was called
	addresses    slab   // absolute addresses of the page
	buf          []byte
}

func (n *inlines) reset() {
	clear(n.targets)
	clear(n.images)
	clear(n.imageHolders)
	*n = inlines{
		open: n.open[:0], done: n.done[:0], pending: n.pending[:0], images: n.images[:0], imageHolders: n.imageHolders[:0],
		targets: n.targets[:0], indent: n.indent[:0], grids: n.grids[:0], pageURL: n.pageURL, buf: n.buf[:0],
	}
}

// beginMark begins the markup of element e, if any.
func (s *scan) beginMark(e *element) {
	n := &s.inlines
	m := mark{kind: page.Markup(markupOf[e.tag] - 1)}
	switch {
	case e.link:
		href := s.lex.attrs.value(attrHref)
		if id := s.noteID(href); id != "" {
			m.kind, m.target = page.NoteRef, n.addTarget(id, "")
			s.wantNote(id)
		} else if href = s.absolute(href); href != "" {
			m.kind, m.target = page.Link, n.addTarget(href, "")
		} else {
			return
		}
	case markupOf[e.tag] == 0:
		return
	}
	if s.w != &s.shown {
		return
	}
	e.mark = s.openMark(m)
}

// addTarget appends a target and returns its number, from 1.
func (n *inlines) addTarget(url, alt string) int32 {
	n.targets = append(n.targets, target{url, alt})
	return int32(len(n.targets))
}

// closeMark ends the open mark with number seq and returns it.
func (s *scan) closeMark(seq int32) mark {
	n := &s.inlines
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

// openMark opens m with a new number and returns the number. It also reopens a mark after the end of
// a block.
func (s *scan) openMark(m mark) int32 {
	n := &s.inlines
	n.seq++
	m.seq = n.seq
	m.start = unbegun
	if s.shown.open {
		m.start = len(s.shown.buf)
	}
	n.open = append(n.open, m)
	return n.seq
}

// add appends m with end end. from is the start of its block's text in the buffer.
func (n *inlines) add(m mark, from, end int) {
	m.start, m.end = max(m.start, from), end
	if m.start < m.end {
		n.done = append(n.done, m)
	}
}

// breakLine records a br element.
func (s *scan) breakLine() {
	n := &s.inlines
	n.seq++
	at := len(s.shown.buf)
	n.done = append(n.done, mark{start: at, end: at + 1, seq: n.seq, kind: page.LineBreak})
}

// image records the img element that is the current token. An image directly before a block is part
// of the block.
func (s *scan) image() {
	if s.muted > 0 || s.hidden > 0 {
		return
	}
	l := &s.lex
	for _, side := range [...]attrID{attrWidth, attrHeight} {
		if v := l.attrs.value(side); v == "0" || v == "1" || v == "1px" {
			return // counts visitors
		}
	}
	src := ""
	for _, id := range [...]attrID{attrDataSrc, attrDataOriginal, attrDataLazySrc, attrSrc, attrDataSrcset, attrSrcset} {
		v := l.attrs.value(id)
		if id == attrDataSrcset || id == attrSrcset {
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
	alt, ok := l.attrs.get(attrAlt)
	if !ok {
		alt = l.attrs.value(attrTitle)
	}
	s.markPoint(page.Picture, src, collapse(alt, true))
}

// markPoint records markup without width. Before the text of a block it is part of the block.
func (s *scan) markPoint(kind page.Markup, url, alt string) {
	n := &s.inlines
	n.seq++
	m := mark{seq: n.seq, kind: kind, target: n.addTarget(url, alt)}
	if !s.shown.open {
		n.pending = append(n.pending, m)
		return
	}
	m.start = len(s.shown.buf)
	if s.shown.pend != pendNone {
		m.start++
	}
	m.end = m.start
	n.done = append(n.done, m)
}

// beginMarks adds the pending images and anchors to the shown block that begins.
func (s *scan) beginMarks() {
	n := &s.inlines
	for _, m := range n.pending {
		m.start, m.end = s.shown.from, s.shown.from
		n.done = append(n.done, m)
	}
	n.pending = n.pending[:0]
	if s.preserves() {
		s.shown.block.indent = string(n.indent)
	}
	n.indent = n.indent[:0]
}

// flushImages records the images since the last boundary as images outside of blocks.
// It is called at a boundary while no block is open.
func (s *scan) flushImages() {
	n := &s.inlines
	anchors := n.pending[:0]
	for _, m := range n.pending {
		if m.kind == page.Anchor { // belongs to the next block
			anchors = append(anchors, m)
		}
		if m.kind != page.Picture {
			continue
		}
		n.images = append(n.images, page.Image{Before: len(s.done), Element: s.imageHolder(len(s.stack) - 1), URL: n.targets[m.target-1].url, Alt: n.targets[m.target-1].alt})
	}
	n.pending, n.indent = anchors, n.indent[:0]
}

// addIndent records white space before the text of a pre.
func (n *inlines) addIndent(c byte) {
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

// endMarks adds the markup of the shown block b, which ends, in order and relative to the block's
// text.
func (s *scan) endMarks(b *block) {
	n := &s.inlines
	s.nodes += len(n.open) // each continues in every block that it spans
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

// fill sets p.Images to the images outside of blocks and returns the markup of all blocks, in the
// slices of r if they are large enough.
func (n *inlines) fill(p *page.Page, r *recycled) []page.Inline {
	if p.Images = nil; len(n.images) > 0 {
		p.Images = append(r.images, n.images...)
	}
	n.fillHolders(p, r)
	all := r.inline
	if all == nil || cap(all) < len(n.done) {
		all = make([]page.Inline, len(n.done))
	}
	all = all[:len(n.done)]
	for i := range n.done {
		m := &n.done[i]
		all[i] = page.Inline{Kind: m.kind, Start: m.start, End: m.end}
		if m.target > 0 {
			all[i].URL, all[i].Alt = n.targets[m.target-1].url, n.targets[m.target-1].alt
		}
	}
	return all
}

// tidy makes the spans relative to text, which starts at from, trims white space from their ends,
// sorts them and makes them nest. It works in place.
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
	if len(out) < 2 {
		return out
	}
	slices.SortFunc(out, compareMarks)
	return nest(out, text)
}

// trim moves the ends of m past white space.
func (m *mark) trim(text []byte) {
	for m.start < m.end && class[text[m.start]] == space {
		m.start++
	}
	for m.start < m.end && class[text[m.end-1]] == space {
		m.end--
	}
}

// compareMarks orders marks by start, then marks without width first, then outer spans first.
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

// nest cuts spans that overlap without one containing the other, as misnested tags leave them. If
// the second is a link the first is cut, else the second begins where the first ends.
func nest(marks []mark, text []byte) []mark {
	for round := 0; ; round++ {
		moved := nestOnce(marks, text)
		marks = slices.DeleteFunc(marks, func(m mark) bool { return m.start >= m.end && !m.kind.Empty() })
		if !moved {
			return marks
		}
		slices.SortFunc(marks, compareMarks) // a moved mark may precede its predecessor
		if round == maxRounds {
			return dropOverlapping(marks)
		}
	}
}

// maxRounds bounds the work on misnested tags.
const maxRounds = 4

// nestOnce cuts overlapping spans and reports whether it moved the start of one.
func nestOnce(marks []mark, text []byte) (moved bool) {
	var around []int // indexes of the spans that may contain the current one
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

// dropOverlapping removes spans that extend beyond the span around them.
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
