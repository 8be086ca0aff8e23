package extract

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"chaffinch/page"
)

// scan is the state of one pass over one page. It is reused.
type scan struct {
	cfg        *Config
	lex        lexer
	stack      []element // html and body stand at its foot
	paths      []pathNode
	beyond     [256]int32 // open elements beyond the limit of depth
	opened     [256]int32 // open elements inside a drawing
	w          *writer    // shown or veiled
	shown      writer
	veiled     writer // text that an inline element hides inside a shown block
	done       []block
	late       []block // hidden blocks that wait for the block around them
	links      int     // open links
	hidden     int     // open elements that hide themselves
	aside      int     // value of hidden when veiled text began, 0 outside
	verbatim   int     // open pre elements
	muted      int     // open elements whose text is left out
	openP      int
	unscripted int       // bytes of text in noscript elements
	inline     int       // inline start tags since the last boundary
	brs        int       // br elements since the last text
	noSkip     [256]bool // elements that are not left out again
	loud       [256]bool // elements that were found never closed: they do not mute
	nodes      int
	lines      []span            // of plain text
	unknown    map[string]string // names of unknown elements, in lower case
	why        page.Reason
	meta       metadata
}

// begin sets s up for a page.
func (s *scan) begin(cfg *Config, src string) {
	s.loud = [256]bool{}
	s.reset(cfg, src)
}

func (s *scan) reset(cfg *Config, src string) {
	s.cfg = cfg
	s.lex.reset(src)
	s.stack = append(s.stack[:0], element{tag: tagHTML}, element{tag: tagBody, path: 1, block: 1})
	s.paths = append(s.paths[:0], pathNode{name: "html", child: 1}, pathNode{name: "body"})
	s.beyond, s.noSkip = [256]int32{}, [256]bool{}
	s.shown = writer{buf: s.shown.buf[:0]}
	s.veiled = writer{buf: s.veiled.buf[:0]}
	s.w = &s.shown
	s.done, s.late = s.done[:0], s.late[:0]
	s.links, s.hidden, s.aside, s.verbatim, s.muted, s.openP, s.inline, s.brs, s.nodes, s.unscripted = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	s.why = page.None
	clear(s.unknown)
	s.meta.reset()
}

// cut notes why the page is read in part or flat; the first reason stays.
func (s *scan) cut(r page.Reason) {
	if s.why == page.None {
		s.why = r
	}
}

// everyTokens is how often the clock is read.
const everyTokens = 1024

// run reads the page.
func (s *scan) run(ctx context.Context) error {
	deadline := time.Now().Add(s.cfg.MaxTime)
	l := &s.lex
	for n := 1; ; n++ {
		if n%everyTokens == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.cfg.MaxTime > 0 && time.Now().After(deadline) {
				s.cut(page.TooSlow)
				break
			}
		}
		kind := l.next()
		if kind == tokEOF {
			if s.again() {
				n = 1
				continue
			}
			break
		}
		switch kind {
		case tokText:
			s.text(l.start, l.end, false)
		case tokStart:
			if s.nodes++; s.nodes > s.cfg.MaxNodes {
				s.cut(page.TooManyNodes)
				s.endBlock()
				return nil
			}
			s.start()
		case tokEnd:
			s.endTag(l.tag)
		}
	}
	s.popTo(2)
	s.endBlock()
	return nil
}

// again is called at the end of the page. It begins the page anew, with some
// elements loud that were left out, where too much was lost: an element that
// was never closed took the rest of the page with it, or most of the text
// stands in noscript elements, as in forums that scripts draw.
func (s *scan) again() bool {
	if s.muted == 0 && (s.loud[tagNoscript] || s.unscripted < 500 || s.unscripted < len(s.shown.buf)) {
		return false
	}
	if s.muted == 0 {
		s.loud[tagNoscript] = true
	}
	for i := range s.stack {
		if s.stack[i].mutes {
			s.loud[s.stack[i].tag] = true
		}
	}
	why := s.why
	s.reset(s.cfg, s.lex.src)
	s.cut(why)
	return true
}

// textBytes returns the number of bytes of HTML that stand outside of tags,
// white space aside.
func textBytes(html string) (n int) {
	inTag := false
	for i := 0; i < len(html); i++ {
		switch c := html[i]; {
		case c == '<':
			inTag = true
		case c == '>':
			inTag = false
		case !inTag && !isSpace(c):
			n++
		}
	}
	return n
}

// start handles the start tag that is the current token.
func (s *scan) start() {
	l := &s.lex
	t := l.tag
	switch tags[t].act {
	case actOpen:
		if t == tagTime {
			s.meta.time(l)
		}
		s.startTag(t)
	case actVoid:
		s.inline++
	case actIgnore:
		if t == tagHTML {
			s.meta.html(l)
		}
	case actBreak:
		s.closeP()
		s.endBlock()
	case actBr:
		s.lineBreak()
	case actMeta:
		s.meta.metaTag(l)
	case actLink:
		s.meta.link(l)
	case actTitle:
		c, ok := s.raw(t)
		if !ok { // its text ends at the next tag
			c, _, _ = strings.Cut(l.src[l.pos:], "<")
			l.pos += len(c)
		}
		s.meta.titleTag(c)
	case actScript:
		typ, _ := l.attr("type")
		if c, _ := l.rawText("script"); strings.EqualFold(strings.TrimSpace(typ), "application/ld+json") {
			s.meta.jsonLD(c)
		}
	case actRaw:
		if t == tagNoscript {
			s.noscript()
			return
		}
		s.raw(t)
	case actSkip:
		s.skip(t)
	case actVerbatim:
		s.startTag(t)
		from := l.pos
		s.verbatim++
		if t != tagPlaintext {
			if c, ok := l.rawText(tags[t].name); ok {
				s.text(from, from+len(c), true)
				s.verbatim--
				s.pop(t)
				return
			}
		}
		s.text(from, len(l.src), true)
		l.pos = len(l.src)
		s.verbatim--
		s.pop(t)
	}
}

// noscript leaves the element that has just begun out, or opens it where such
// elements hold the text of the page.
func (s *scan) noscript() {
	if s.loud[tagNoscript] {
		s.startTag(tagNoscript)
		return
	}
	if c, ok := s.raw(tagNoscript); ok {
		s.unscripted += textBytes(c)
	}
}

// pop closes the innermost open t.
func (s *scan) pop(t tagID) {
	if i := s.find(t, 0); i > 0 {
		s.popTo(i)
	} else {
		s.endBlock()
	}
}

// raw leaves out the raw text element that has just begun and returns its
// content. One that is never closed, but for style, is taken to be empty, so
// that a forgotten end tag does not lose the rest of the page.
func (s *scan) raw(t tagID) (string, bool) {
	if s.noSkip[t] {
		return "", false
	}
	name := tags[t].name
	c, ok := s.lex.rawText(name)
	if !ok {
		if name == "style" {
			s.lex.pos = len(s.lex.src)
			return "", false
		}
		s.noSkip[t] = true
	}
	return c, ok
}

// skip leaves out the element that has just begun and all in it. One that is
// never closed is left open to be read: its kind is not skipped again on this
// page, so a page is read at most once more for each kind.
func (s *scan) skip(t tagID) {
	l := &s.lex
	foreign := t.has(foreignRoot)
	if s.noSkip[t] || foreign && l.selfClose {
		return
	}
	back := l.pos
	l.cdata = foreign
	defer func() { l.cdata = false }()
	depth, html := 1, 0 // html counts islands of HTML in svg
	if foreign {
		s.opened = [256]int32{}
	}
	for {
		switch l.next() {
		case tokEOF:
			s.noSkip[t] = true
			l.pos = back
			return
		case tokStart:
			in := l.tag
			switch {
			case in == t && !l.selfClose:
				if t == tagSelect {
					return // its start tag ends it
				}
				depth++
			case t == tagSelect && (in == tagInput || in == tagTextarea || in.has(isTable) || in == tagTd || in == tagTh),
				foreign && html == 0 && in.has(breaksOut):
				l.pos = l.start
				return
			case foreign && in.has(island) && !l.selfClose:
				html++
			case foreign && html == 0 && in != tagUnknown && tags[in].act == actOpen:
				if !l.selfClose {
					s.opened[in]++
				}
			case tags[in].act == actRaw || tags[in].act == actScript:
				if !(foreign && html == 0 && l.selfClose) {
					l.rawText(tags[in].name)
				}
			}
		case tokEnd:
			switch in := l.tag; {
			case in == t:
				if depth--; depth == 0 {
					return
				}
			case foreign && in.has(island):
				html = max(html-1, 0)
			case foreign && html == 0 && s.opened[in] > 0:
				s.opened[in]--
			case foreign && html == 0 && in != tagUnknown && tags[in].act == actOpen && s.find(in, isScope) > 0:
				l.pos = l.start // the end of what the drawing stands in
				return
			}
		}
	}
}

// lineBreak handles a br: a blank, or with the one before it a boundary.
func (s *scan) lineBreak() {
	if s.muted > 0 {
		return
	}
	w := s.w
	switch {
	case s.verbatim > 0:
		if w.open {
			w.flushPending(s)
			w.pend = pendLine
		}
	case s.brs > 0:
		s.endBlock()
	default:
		if w.open && w.pend == pendNone {
			w.pend, w.plink = pendBlank, s.links > 0
		}
		s.brs = 1
	}
}

// newBlock begins a block at byte from of the page.
func (s *scan) newBlock(from int) block {
	top := &s.stack[len(s.stack)-1]
	b := block{start: from, path: top.block, kind: uint8(top.kind), level: top.level, hidden: s.hidden > 0, tags: s.inline}
	s.inline = 0
	return b
}

// endBlock ends the open block, if there is one.
func (s *scan) endBlock() {
	if s.muted > 0 {
		return
	}
	if s.w == &s.veiled {
		s.finish(&s.veiled)
		if !s.shown.open {
			s.flushLate()
		}
		s.inline = 0
		return
	}
	s.finish(&s.shown)
	s.flushLate()
	s.inline, s.brs = 0, 0
}

// finish closes w's block and notes it.
func (s *scan) finish(w *writer) {
	if !w.open {
		return
	}
	w.open, w.pend = false, pendNone
	b := w.block
	end := len(w.buf)
	for end > w.from && class[w.buf[end-1]] == space {
		end--
	}
	w.buf = w.buf[:end]
	b.textStart, b.textEnd = w.from, end
	b.tags += s.inline
	if w == &s.veiled {
		s.late = append(s.late, b)
	} else {
		s.done = append(s.done, b)
	}
}

// flushLate moves the hidden blocks behind the block that they stood in.
func (s *scan) flushLate() {
	if len(s.late) == 0 {
		return
	}
	for _, b := range s.late {
		from := len(s.shown.buf)
		s.shown.buf = append(s.shown.buf, s.veiled.buf[b.textStart:b.textEnd]...)
		b.textStart, b.textEnd = from, len(s.shown.buf)
		s.done = append(s.done, b)
	}
	s.late = s.late[:0]
	if !s.veiled.open {
		s.veiled.buf = s.veiled.buf[:0]
	}
}

// hides reports whether the current start tag, of element t, hides its content.
func (s *scan) hides(t tagID) bool {
	open := false
	styled := false
	for i := range s.lex.attrs {
		a := &s.lex.attrs[i]
		switch len(a.name) {
		case 4:
			open = open || strings.EqualFold(a.name, "open")
		case 5:
			if !styled && strings.EqualFold(a.name, "style") {
				if styled = true; len(a.val) >= len("display:none") && styleHides(a.val) {
					return true
				}
			}
		case 6:
			if strings.EqualFold(a.name, "hidden") {
				return true
			}
		}
	}
	return t == tagDialog && !open
}

// styleHides reports whether an inline style says display:none or
// visibility:hidden.
func styleHides(style string) bool {
	for len(style) > 0 {
		var decl string
		decl, style, _ = strings.Cut(style, ";")
		name, val, _ := strings.Cut(decl, ":")
		if len(val) == 0 {
			continue
		}
		name = strings.TrimSpace(name)
		isDisplay := len(name) == 7 && strings.EqualFold(name, "display")
		if !isDisplay && !(len(name) == 10 && strings.EqualFold(name, "visibility")) {
			continue
		}
		val = strings.TrimSpace(val)
		want := "hidden"
		if isDisplay {
			want = "none"
		}
		if len(val) >= len(want) && strings.EqualFold(val[:len(want)], want) {
			return true
		}
	}
	return false
}

// hide begins hidden text. Inside a shown block it is written aside, so that
// the block is not torn.
func (s *scan) hide(block bool) {
	s.hidden++
	if block {
		return
	}
	if s.hidden == 1 && s.shown.open {
		s.aside = 1
		s.w = &s.veiled
	}
}

// unhide ends what hide began.
func (s *scan) unhide() {
	if s.hidden--; s.hidden > 0 {
		return
	}
	if s.aside == 1 {
		s.finish(&s.veiled)
		s.aside = 0
		s.w = &s.shown
		return
	}
	s.finish(&s.shown)
}

// unknownName returns the name of an unknown element as it stands in paths:
// lower case, letters, digits, "-", "_" and ":", at most 32 bytes.
func (s *scan) unknownName(name string) string {
	if n, ok := s.unknown[name]; ok {
		return n
	}
	if s.unknown == nil {
		s.unknown = map[string]string{}
	}
	if len(s.unknown) >= 1000 {
		return "other"
	}
	b := make([]byte, 0, 32)
	for i := 0; i < len(name) && len(b) < cap(b); i++ {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= utf8.RuneSelf, c < '-', c == '.', c == '/':
			c = '_'
		}
		b = append(b, c)
	}
	n := string(b)
	s.unknown[name] = n
	return n
}
