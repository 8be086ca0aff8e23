package extract

import "strings"

// skipFallback skips the noscript or noframes element whose start tag is the current token, or opens it
// if such elements hold the text of the page. An element with escaped markup holds no text: scripts
// unescape it to load images late.
func (s *scan) skipFallback(t tagID) {
	loud, from := s.unmuted[t], s.lex.pos
	if loud {
		if c, ok := s.lex.rawText(tags[t].name); !ok || !escapedMarkup(c) {
			s.lex.pos = from
			s.startTag(t)
		}
		return
	}
	c, ok := s.skipRaw(t)
	if !ok {
		return
	}
	if n := textBytes(c); t == tagNoframes {
		s.unframed += n
	} else if !escapedMarkup(c) {
		s.unscripted += n
	}
	if s.cfg.Links {
		s.noteLinks(c, from)
	}
}

// escapedMarkup reports whether raw text has tags only as character references.
func escapedMarkup(c string) bool {
	if i := strings.Index(c, "&lt;"); i < 0 || i+4 == len(c) || !isLetter(c[i+4]) {
		return false
	}
	for i := range len(c) - 1 {
		if c[i] == '<' && (isLetter(c[i+1]) || c[i+1] == '/') {
			return false
		}
	}
	return true
}

// skipRaw skips the raw text element whose start tag is the current token, and returns its content. An
// element other than script and style that is never closed counts as empty, so that a missing end
// tag does not lose the rest of the page.
func (s *scan) skipRaw(t tagID) (string, bool) {
	if s.noSkip[t] {
		return "", false
	}
	c, ok := s.lex.rawText(tags[t].name)
	if !ok {
		if t == tagStyle || t == tagScript {
			s.lex.pos = len(s.lex.src)
			return "", false
		}
		s.noSkip[t] = true
	}
	return c, ok
}

// skipElement skips the element whose start tag is the current token, with its content. If the element is
// never closed its content is read instead, and elements of this kind are not skipped again on this
// page. So a page is read at most one more time for each kind.
func (s *scan) skipElement(t tagID) {
	l := &s.lex
	foreign := t.has(foreignRoot)
	if s.noSkip[t] || foreign && l.selfClose {
		return
	}
	back := l.pos
	l.cdata = foreign
	defer func() { l.cdata = foreign && s.noSkip[t] }()
	depth, html := 1, 0 // html counts islands of HTML in svg
	if foreign {
		s.openForeign = [256]int32{}
	}
	for {
		switch l.next() {
		case tokEOF:
			s.noSkip[t] = true
			l.pos = back
			return
		case tokStart:
			if s.cfg.Links {
				s.noteLink()
			}
			in := l.tag
			switch {
			case in == t && !l.selfClose:
				if t == tagSelect {
					return // the start tag of a nested select ends the outer one
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
					s.openForeign[in]++
				}
			case tags[in].act == actRaw || tags[in].act == actScript:
				if (foreign && html == 0 || l.xml) && l.selfClose {
					continue
				}
				s.skipRaw(in)
			}
		case tokEnd:
			switch in := l.tag; {
			case in == t:
				if depth--; depth == 0 {
					return
				}
			case foreign && in.has(island):
				html = max(html-1, 0)
			case foreign && html == 0 && s.openForeign[in] > 0:
				s.openForeign[in]--
			case foreign && html == 0 && in != tagUnknown && tags[in].act == actOpen && s.findOpen(in, isScope) > 0:
				l.pos = l.start // the end of the element around the drawing
				return
			}
		}
	}
}

// prepareReread reports whether the page must be read again, and prepares it. It is called at the end.
// Pages with declarative shadow roots are read again after rewriting. Pages that lost too much are
// read again with the lost elements unmuted: an element that was never closed took the rest of the
// page, or most text is in noscript elements, as in forums drawn by scripts, or in noframes
// elements, as in old framesets.
func (s *scan) prepareReread() bool {
	if s.hasShadowRoot && s.rewrites == nil {
		src, pieces := flatten(s.lex.src, s.lex.xml, s.cfg.MaxNodes, s.cfg.MaxDepth)
		s.rewrites = [][]piece{pieces}
		s.reread(src)
		return true
	}
	if s.muted == 0 {
		switch n := len(s.shown.buf); {
		case !s.unmuted[tagNoscript] && s.unscripted >= max(n, 500):
			s.unmuted[tagNoscript] = true
		case !s.unmuted[tagNoframes] && s.unframed > n:
			s.unmuted[tagNoframes] = true
		default:
			s.endBlock()
			return s.insertEmbedded()
		}
	}
	for i := range s.stack {
		if s.stack[i].mutes {
			s.unmuted[s.stack[i].tag] = true
		}
	}
	s.reread(s.lex.src)
	return true
}

// reread starts again with src, and keeps the reason of a cut.
func (s *scan) reread(src string) {
	why := s.cutReason
	s.reset(s.cfg, src)
	s.cut(why)
}

// textBytes returns the bytes of HTML outside of tags, without white space.
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
