package extract

import (
	"context"
	"strings"
	"time"

	"chaffinch/extract/metadata"
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// scan is the state of one pass over a page. It is reused for other pages.
type scan struct {
	translated      *Extractor // its marks of machine translation are used
	cfg             *Config
	lex             lexer
	named           func(name string) (string, bool) // an attribute of the current start tag
	stack           []element                        // begins with html and body
	elements        []page.Element                   // elements that hold blocks
	paths           []pathNode
	pathText        []byte
	tooDeep         [256]int32        // open elements beyond the depth limit
	openForeign     [256]int32        // open elements inside a drawing
	openByTag       [256]int32        // open elements by tag
	openUnknown     [nameHashes]int32 // open unknown elements, by hash of the name
	w               *writer           // &shown or &hiddenText
	shown           writer
	hiddenText      writer // text of inline elements hidden inside a shown block
	done            []block
	hiddenBlocks    []block // hidden blocks that wait for the end of the block around them
	links           int     // open links
	hidden          int     // open elements that are hidden themselves
	hiddenSince     int     // value of hidden when the text in hiddenText began; 0 outside
	verbatim        int     // open pre elements
	muted           int     // open elements whose text is left out
	openP           int
	unscripted      int       // bytes of text in noscript elements
	unframed        int       // bytes of text in noframes elements
	inlineTags      int       // inline start tags since the last boundary
	images          int       // images since the last boundary
	imagesAbove     int       // images since the last block began
	imageAlt        string    // alternative text of the last image
	bold            int       // open elements with bold text
	code            int       // open elements of code
	lineBreaks      int       // br elements since the last text
	quotation       quotation // marks around q elements
	noSkip          [256]bool // elements that are not skipped again
	unmuted         [256]bool // elements whose content is read although it is left out by default
	nodes           int
	flat            bool              // plain text without elements
	lines           []span            // of plain text
	unknown         map[string]string // names of unknown elements in paths
	stated          page.Stated
	cutReason       page.Reason
	meta            metadata.Sources
	inlines         inlines // inline markup
	tables          layout.Tables
	nextMath        int              // position of the next math element, if it was searched for
	texRenderer     uint8            // whether the page names a program that renders formulas: 0 unknown, 1 no, 2 yes
	texScripts      uint8            // whether formulas are in scripts: 0 unknown, 1 no, 2 yes
	found           []page.Hyperlink // all links, if Config.Links is set
	hasShadowRoot   bool             // the page has a declarative shadow root
	rewrites        [][]piece        // one for each rewriting of the page
	scripts         []script         // scripts that may hold text of the page
	hasScripts      bool             // the page has scripts
	hasFrames       bool             // the page has frames
	searchedScripts bool             // the text of scripts was searched for
	scriptProse     int              // bytes of prose from scripts, if it is used
}

func newScan() *scan {
	s := new(scan)
	s.named = s.lex.attrs.named
	return s
}

// begin prepares s for a page. If xml is set the page is XHTML.
func (s *scan) begin(cfg *Config, src string, xml bool) {
	s.unmuted, s.noSkip = [256]bool{}, [256]bool{}
	s.hasShadowRoot, s.rewrites, s.searchedScripts, s.scriptProse = false, nil, false, 0
	s.lex.xml = xml
	s.reset(cfg, src)
}

// release drops references to the page, so that the pool keeps no page alive.
func (s *scan) release() {
	s.lex.reset("")
	clear(s.lex.attrs.list[:cap(s.lex.attrs.list)])
	clear(s.stack[:cap(s.stack)])
	clear(s.unknown)
	clear(s.elements)
	s.inlines.pageURL = ""
	s.inlines.reset()
	s.meta.Reset()
	s.found = nil
	s.shrink()
}

// Limits of the buffers that are kept for the next page.
const (
	maxRecycledBlocks = 1 << 14
	maxRecycledBytes  = 1 << 20
)

// shrink drops buffers that a large page left.
func (s *scan) shrink() {
	if cap(s.done) > maxRecycledBlocks || cap(s.hiddenBlocks) > maxRecycledBlocks {
		s.done, s.hiddenBlocks = nil, nil
	}
	if cap(s.elements) > maxRecycledBlocks {
		s.elements = nil
	}
	if cap(s.lines) > 4*maxRecycledBlocks {
		s.lines = nil
	}
	if cap(s.inlines.done) > 4*maxRecycledBlocks || cap(s.inlines.targets) > maxRecycledBlocks || cap(s.inlines.images) > maxRecycledBlocks || cap(s.inlines.imageHolders) > maxRecycledBlocks || cap(s.inlines.pending) > maxRecycledBlocks {
		s.inlines = inlines{}
	}
	if cap(s.shown.buf) > maxRecycledBytes || cap(s.hiddenText.buf) > maxRecycledBytes {
		s.shown.buf, s.hiddenText.buf = nil, nil
	}
	if cap(s.lex.attrs.list) > maxRecycledBlocks {
		s.lex.attrs.list = nil
	}
}

func (s *scan) reset(cfg *Config, src string) {
	s.cfg = cfg
	s.lex.reset(src)
	s.stack = append(s.stack[:0], element{tag: tagHTML, tagAttrs: tagAttrs{start: unwritten}}, element{tag: tagBody, path: 1, block: 1, tagAttrs: tagAttrs{start: unwritten}})
	s.elements = s.elements[:0]
	s.flat = false
	s.paths = append(s.paths[:0], pathNode{tag: tagHTML, name: "html", bytes: 4, child: 1}, pathNode{tag: tagBody, name: "body", bytes: 9})
	s.tooDeep, s.openByTag = [256]int32{}, [256]int32{}
	clear(s.openUnknown[:])
	s.openByTag[tagHTML], s.openByTag[tagBody] = 1, 1
	s.shown = writer{buf: s.shown.buf[:0]}
	s.hiddenText = writer{buf: s.hiddenText.buf[:0]}
	s.w = &s.shown
	s.done, s.hiddenBlocks = s.done[:0], s.hiddenBlocks[:0]
	s.links, s.hidden, s.hiddenSince, s.verbatim, s.muted, s.openP, s.inlineTags, s.images, s.bold, s.code, s.lineBreaks, s.nodes = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	s.unscripted, s.unframed = 0, 0
	s.quotation = englishQuotes
	s.scripts, s.hasScripts, s.hasFrames = s.scripts[:0], false, false
	s.cutReason, s.stated = page.None, page.Stated{}
	s.imagesAbove, s.imageAlt = 0, ""
	s.nextMath, s.texScripts, s.texRenderer = 0, 0, 0
	s.found = nil // the page owns it now
	clear(s.unknown)
	s.meta.Reset()
	s.inlines.reset()
}

// cut records why the page is read in part or without deep elements. The first reason counts.
func (s *scan) cut(r page.Reason) {
	if s.cutReason == page.None {
		s.cutReason = r
	}
}

// everyTokens is the number of tokens between readings of the clock.
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
			if s.prepareReread() {
				n = 1
				continue
			}
			break
		}
		if kind == tokStart {
			if s.nodes++; s.cfg.Links {
				s.noteLink()
			}
		}
		if s.nodes > s.cfg.MaxNodes {
			s.cut(page.TooManyNodes)
			s.endBlock()
			return nil
		}
		switch kind {
		case tokText:
			s.text(l.start, l.end, false)
		case tokVerbatim:
			s.text(l.start, l.end, true)
		case tokStart:
			s.start()
		case tokEnd:
			s.endTag(l.tag)
		}
	}
	s.popTo(2)
	s.endBlock()
	return nil
}

// start processes the start tag that is the current token.
func (s *scan) start() {
	l := &s.lex
	t := l.tag
	if s.translated.markedTags[t] != nil && len(l.attrs.list) > 0 {
		s.translationMark()
	}
	empty := l.xml && l.selfClose
	if empty && tags[t].act >= actRaw && tags[t].act != actMeta && tags[t].act != actLink {
		return
	}
	switch tags[t].act {
	case actOpen:
		if s.cfg.Metadata && (len(l.attrs.list) > 0 || t == tagTime) {
			s.metadataElement(t)
		}
		if t == tagH1 {
			s.meta.Heading()
		}
		s.startTag(t)
		if empty {
			s.endTag(t)
		}
	case actVoid:
		s.inlineTags++
		switch t {
		case tagFrame:
			s.hasFrames = true
		case tagInput:
			s.seamGap()
			if s.cfg.Inline {
				s.checkbox()
			}
		case tagImg:
			s.images++
			s.imagesAbove++
			s.imageAlt = l.attrs.value(attrAlt)
			if tex, display := s.imageTeX(); tex != "" {
				s.formula(tex, display, l.start, l.pos)
				return
			}
			s.seamGap()
			if s.cfg.Inline {
				s.image()
			}
		case tagBase:
			if href, ok := l.attrs.get(attrHref); ok && !s.inlines.baseSet && s.inlines.href == "" {
				s.inlines.href = address(href)
			}
		}
	case actIgnore:
		switch {
		case t == tagHTML:
			s.htmlTag()
			s.stack[0].readOnce(l)
		case t == tagBody && s.stack[1].tag == tagBody:
			s.stack[1].readOnce(l)
		}
	case actBreak:
		s.closeP()
		s.endBlock()
	case actBr:
		s.lineBreak()
	case actMeta:
		s.metaTag()
	case actLink:
		s.linkTag()
	case actTitle:
		c, ok := s.skipRaw(t)
		if !ok { // the title ends at the next tag
			c, _, _ = strings.Cut(l.src[l.pos:], "<")
			l.pos += len(c)
		}
		s.title(c)
	case actScript:
		typ := l.attrs.value(attrType)
		tag, from := l.start, l.pos
		c, _ := s.skipRaw(t)
		typ = strings.TrimSpace(typ)
		s.noteScript(typ, c, tag, from)
		switch {
		case strings.EqualFold(typ, "application/ld+json"):
			s.meta.Script(c)
		case len(typ) > 4 && typ[4] == '/':
			s.texScript(typ, c)
		}
	case actRaw:
		switch t {
		case tagNoscript, tagNoframes:
			s.skipFallback(t)
			return
		case tagStyle:
		default:
			s.seamGap()
		}
		s.skipRaw(t)
	case actSkip:
		switch t {
		case tagMath:
			s.math()
			return
		case tagTemplate:
			if !s.hasShadowRoot && isShadowRoot(l) {
				s.hasShadowRoot, l.pos = true, len(l.src) // again reads the rewritten page
				return
			}
		default:
			s.seamGap()
		}
		s.skipElement(t)
	case actVerbatim:
		s.startTag(t)
		from := l.pos
		if t != tagPlaintext {
			if c, ok := l.rawText(tags[t].name); ok {
				s.text(from, from+len(c), true)
				s.closeInnermost(t)
				return
			}
		}
		s.text(from, len(l.src), true)
		l.pos = len(l.src)
		s.closeInnermost(t)
	}
}

// closeInnermost closes the innermost open element t.
func (s *scan) closeInnermost(t tagID) {
	if i := s.findOpen(t, 0); i > 0 {
		s.popTo(i)
	} else {
		s.endBlock()
	}
}
