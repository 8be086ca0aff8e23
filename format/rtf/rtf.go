// Package rtf reads documents in the Rich Text Format, up to version 1.9.1.
//
// Unstable: this package may change in any release.
package rtf

import (
	"bytes"
	"context"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// maxDepth is the most groups that are open at once.
const maxDepth = 1000

// destination is the use of the text of a group.
type destination uint8

const (
	body destination = iota
	skipped
	fonts
	styles
	instruction // of a field
	information
	lists
	overrides
)

// group is the state of a group. Groups within it begin with a copy.
type group struct {
	dest     destination
	prior    destination // before the group was skipped
	starred  bool        // the group began with \*
	charset  string
	symbol   bool // in the font Symbol
	unicode  int  // number of characters that follow a character in Unicode as its substitute
	bold     bool
	italic   bool
	hidden   bool
	deleted  bool
	raised   int8
	lang     int
	href     string
	para     paragraph
	part     func(flow.Block) // what the group becomes: a note or running head
	property string           // of the information
}

// paragraph contains the properties of a paragraph.
type paragraph struct {
	style, list, level, outline, nesting int
	table                                bool
	bullet, numbered                     bool // by the older way of lists
}

var noParagraph = paragraph{style: 0, list: 0, outline: -1, nesting: 1}

// reader reads a document.
type reader struct {
	raw     []byte
	pos     int
	groups  []group
	g       *group
	deep    int // groups that were not opened
	skip    int // substitutes that follow
	text    []byte
	high    rune // first half of a surrogate pair
	codes   string
	fonts   map[int]font
	font    int
	defined string // text of the current definition
	styles  map[int]*style
	current int // style that is defined
	listed  listTable
	meta    document.Meta
	started bool
	sinks   []*sink
	notes   [][]flow.Block
	parts   []flow.Block
	b       *document.Builder
	w       *flow.Writer
	cut     page.Reason
	created [3]int
	lang    int // of the document
	deff    int // default font
}

type font struct {
	charset string
	symbol  bool
}

// style is a style of paragraphs.
type style struct {
	based, outline int
	name           string
}

// Read reads an RTF document. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	start := bytes.Index(raw[:min(len(raw), 1024)], []byte(`{\rtf`))
	if start < 0 {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	r := &reader{raw: raw, pos: start, codes: "windows-1252", fonts: map[int]font{}, styles: map[int]*style{}, b: document.NewBuilder(limits)}
	r.listed.init()
	r.w = flow.NewWriter(r.b)
	r.sinks = []*sink{{emit: func(k flow.Block) {
		r.begin()
		r.w.Block(&k)
	}}}
	for steps := 0; r.step(); steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return document.Document{}, ctx.Err()
		}
	}
	if len(r.groups) > 0 && r.cut == page.None && !r.b.Full() {
		r.cut = page.Truncated
	}
	r.flush()
	for len(r.sinks) > 1 {
		r.popSink()
	}
	r.sinks[0].close(r)
	r.begin()
	for i, blocks := range r.notes {
		r.w.Note(i+1, blocks)
	}
	r.w.Flush()
	r.w.Blocks(r.parts)
	d := r.b.Document()
	if r.cut != page.None {
		d.Cut = r.cut
	}
	return d, ctx.Err()
}

// begin writes the head before the first block.
func (r *reader) begin() {
	if r.started {
		return
	}
	r.started = true
	if c := r.created; c[0] > 0 {
		r.meta.Date = date(c)
	}
	r.meta.Lang = languageOf(r.lang)
	r.b.Head(r.meta)
}

// step reads a character, control or group mark. It reports whether there was one.
func (r *reader) step() bool {
	if r.pos >= len(r.raw) || r.b.Full() {
		return false
	}
	c := r.raw[r.pos]
	r.pos++
	switch c {
	case '{':
		r.openGroup()
	case '}':
		return r.closeGroup()
	case '\\':
		r.control()
	case '\r', '\n', 0:
	default:
		r.char(c)
	}
	return true
}

func (r *reader) openGroup() {
	r.skip = 0
	if len(r.groups) >= maxDepth {
		r.deep++
		if r.cut == page.None {
			r.cut = page.TooDeep
		}
		return
	}
	r.flush()
	g := group{charset: r.codes, unicode: 1, para: noParagraph}
	if r.g != nil {
		g = *r.g
		g.starred, g.part = false, nil
	}
	r.groups = append(r.groups, g)
	r.g = &r.groups[len(r.groups)-1]
}

// closeGroup closes a group and reports whether another one is open.
func (r *reader) closeGroup() bool {
	r.skip = 0
	if r.deep > 0 {
		r.deep--
		return true
	}
	if r.g == nil {
		return false
	}
	r.flush()
	old := *r.g
	if old.part != nil {
		r.popSink()
	}
	r.groups = r.groups[:len(r.groups)-1]
	if len(r.groups) == 0 {
		r.g = nil
		return false
	}
	r.g = &r.groups[len(r.groups)-1]
	switch {
	case old.dest == instruction && r.g.dest != instruction:
		r.g.href = fieldLink(r.defined)
		r.defined = ""
	case old.dest == styles:
		r.endStyle()
	case old.dest == fonts:
		r.endFont()
	case old.dest == information:
		r.endProperty(old.property)
	case old.dest == lists, old.dest == overrides:
		r.listed.end(len(r.groups))
	}
	return true
}

// fieldLink returns the address that the instruction of a field links to.
func fieldLink(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "HYPERLINK")
	if !ok {
		return ""
	}
	if _, quoted, ok := strings.Cut(rest, `"`); ok {
		rest, _, _ = strings.Cut(quoted, `"`)
	}
	return flow.WebLink(rest)
}

// char reads a byte of text.
func (r *reader) char(c byte) {
	if r.g == nil || r.deep > 0 {
		return
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	r.endPair()
	r.text = append(r.text, c)
}

// rune adds a character to the text.
func (r *reader) rune(c rune) {
	r.flush()
	r.add(string(c))
}

// endPair writes a replacement for half a surrogate pair.
func (r *reader) endPair() {
	if r.high != 0 {
		r.high = 0
		r.add("\ufffd")
	}
}

// flush adds the bytes of text before the current position, decoded.
func (r *reader) flush() {
	r.endPair()
	if len(r.text) == 0 {
		return
	}
	text := r.decode()
	r.text = r.text[:0]
	r.add(text)
}

func (r *reader) decode() string {
	ascii := true
	for _, c := range r.text {
		ascii = ascii && c < 0x80
	}
	if r.g != nil && r.g.symbol {
		runes := make([]rune, len(r.text))
		for i, c := range r.text {
			runes[i] = rune(c)
		}
		return flow.Symbols(string(runes))
	}
	if ascii {
		return string(r.text)
	}
	name := r.codes
	if r.g != nil {
		name = r.g.charset
	}
	if d, ok := charset.DecodeAs(bytes.Clone(r.text), name); ok {
		return d.Text
	}
	d, _ := charset.DecodeAs(bytes.Clone(r.text), "windows-1252")
	return d.Text
}

// maxDefined is the most bytes of an instruction, name or property.
const maxDefined = 4096

// add adds text to the destination of the group.
func (r *reader) add(text string) {
	if r.g == nil || r.deep > 0 {
		return
	}
	switch r.g.dest {
	case body:
		if r.g.hidden || r.g.deleted {
			return
		}
		var s flow.Style
		if r.g.bold {
			s |= flow.Bold
		}
		if r.g.italic {
			s |= flow.Italic
		}
		if r.g.raised > 0 {
			s |= flow.Super
		} else if r.g.raised < 0 {
			s |= flow.Sub
		}
		to := r.sinks[len(r.sinks)-1]
		to.para.Add(flow.Span{Text: text, Style: s, Href: r.g.href})
		to.lang(r.g.lang, len(text))
	case fonts, styles, instruction, information:
		if len(r.defined)+len(text) <= maxDefined {
			r.defined += text
		}
	}
}

// control reads a control word or symbol. Its backslash is read.
func (r *reader) control() {
	if r.pos >= len(r.raw) {
		return
	}
	c := r.raw[r.pos]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		r.pos++
		r.symbol(c)
		return
	}
	from := r.pos
	for r.pos < len(r.raw) && r.raw[r.pos]|0x20 >= 'a' && r.raw[r.pos]|0x20 <= 'z' && r.pos-from < 64 {
		r.pos++
	}
	word := string(r.raw[from:r.pos])
	n, has, negative := 0, false, false
	if r.pos+1 < len(r.raw) && r.raw[r.pos] == '-' && isDigit(r.raw[r.pos+1]) {
		negative = true
		r.pos++
	}
	for r.pos < len(r.raw) && isDigit(r.raw[r.pos]) {
		if has = true; n < 1<<30 {
			n = n*10 + int(r.raw[r.pos]-'0')
		}
		r.pos++
	}
	if negative {
		n = -n
	}
	if r.pos < len(r.raw) && r.raw[r.pos] == ' ' {
		r.pos++
	}
	if word == "bin" {
		r.pos = min(len(r.raw), r.pos+max(n, 0))
		return
	}
	if r.g == nil || r.deep > 0 {
		return
	}
	if r.skip > 0 {
		r.skip--
		if word == "u" && has { // some programs count wrongly
			r.skip = 0
		} else {
			return
		}
	}
	if word == "u" {
		r.unicode(n)
		return
	}
	r.flush()
	r.word(word, n, has)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// unicode reads a UTF-16 code unit.
func (r *reader) unicode(n int) {
	c := rune(uint16(n))
	high := r.high
	r.high = 0
	if high == 0 || c < 0xdc00 || c > 0xdfff {
		if high != 0 {
			r.high = high
		}
		r.flush()
	}
	switch {
	case n > 0xffff && n <= 0x10ffff:
		r.add(string(rune(n)))
	case c >= 0xd800 && c < 0xdc00:
		r.high = c
	case c >= 0xdc00 && c <= 0xdfff && high != 0:
		r.add(string((high-0xd800)<<10 + (c - 0xdc00) + 0x10000))
	case c >= 0xf000 && c < 0xf100: // a character of a symbol font
		if r.g.symbol {
			r.add(flow.Symbols(string(c)))
		}
	default:
		r.add(string(c))
	}
	r.skip = r.g.unicode
}

// symbol reads a control symbol.
func (r *reader) symbol(c byte) {
	if r.g == nil || r.deep > 0 {
		return
	}
	if c == '\'' {
		if r.pos+2 > len(r.raw) {
			r.pos = len(r.raw)
			return
		}
		h, ok1 := hex(r.raw[r.pos])
		l, ok2 := hex(r.raw[r.pos+1])
		if !ok1 || !ok2 {
			return
		}
		r.pos += 2
		r.char(h<<4 | l)
		return
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	switch c {
	case '\\', '{', '}':
		r.char(c)
	case '~':
		r.rune('\u00a0')
	case '-':
		r.rune('\u00ad')
	case '_':
		r.rune('\u2011')
	case '*':
		r.g.starred = r.atStart(r.pos - 2)
	case '\r', '\n':
		r.flush()
		r.word("par", 0, false)
	case '\t':
		r.char(c)
	}
}

// atStart reports whether only white space is between the begin of a group and offset at.
func (r *reader) atStart(at int) bool {
	for at--; at > 0 && (r.raw[at] == ' ' || r.raw[at] == '\n' || r.raw[at] == '\r'); at-- {
	}
	return at >= 0 && r.raw[at] == '{'
}

func hex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
