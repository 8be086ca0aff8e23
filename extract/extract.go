// Package extract splits a page into blocks of text: paragraphs, headings, list items, table cells.
// [New] returns an [Extractor]; [Extractor.Do] fills the blocks and metadata of a page.
//
// The extractor reads HTML in one pass over the bytes, with a stack of open elements and no tree.
// It places text as a browser would: implied end tags, tables, raw text elements and character
// references follow the HTML standard where they change text. Scripts, styles, templates, form
// controls and comments are left out. Hidden text is kept in blocks with a flag. Every block has
// its byte span, the path of its elements and the number of its characters in links.
//
// Bytes, elements, depth and time of a page are bounded. A page beyond a limit gets the blocks read
// so far, and its Cut holds the reason.
package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"chaffinch/extract/translated"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// Config configures an [Extractor].
type Config struct {
	// MaxBytes is the most bytes of decoded text that are read; the rest is cut off
	// (page.TooLarge). Default: 16 MiB.
	MaxBytes int `json:"max_bytes"`
	// MaxNodes is the most nodes that are read: start tags, blocks, lines of plain text that are
	// not blank, and markup that continues in another block. The rest is cut off
	// (page.TooManyNodes). A block takes some 700 bytes of memory while the page is processed.
	// Default: 300,000.
	MaxNodes int `json:"max_nodes"`
	// MaxDepth is the most elements that are open at once. The tags of deeper elements are ignored,
	// but their text is read (page.TooDeep). Default: 512.
	MaxDepth int `json:"max_depth"`
	// MaxTime is the most time for one page (page.TooSlow); 0 for no limit. It is the only limit
	// that depends on the machine; pages within the other limits take far less than the default.
	// Default: 20 s.
	MaxTime time.Duration `json:"max_time"`
	// Inline also records the markup inside blocks (page.Block.Inline and Indent), images between
	// blocks, and the numbers of list items.
	Inline bool `json:"inline,omitempty"`
	// Links records all links of the page: page.Page.Links and Base.
	Links bool `json:"links,omitempty"`
	// RepairMojibake repairs UTF-8 that was decoded in another encoding and written again ("Ã©" for
	// "é"); see charset.RepairMojibake.
	RepairMojibake bool `json:"repair_mojibake,omitempty"`
	// Metadata fills all of page.Page.Meta. Without it only the language is set, which saves time.
	// Default: true.
	Metadata bool `json:"metadata"`
	// TranslationMarks is a file with marks of machine translation that are used in addition to the
	// embedded ones; "" for none.
	TranslationMarks string `json:"translation_marks,omitempty"`
}

// Default holds the configuration for web crawls.
var Default = Config{
	MaxBytes: 16 << 20,
	MaxNodes: 300_000,
	MaxDepth: 512,
	MaxTime:  20 * time.Second,
	Metadata: true,
}

// Extractor is a stage that fills the blocks and the metadata of a page. It is safe for concurrent
// use.
type Extractor struct {
	cfg              Config
	translationMarks *translated.Marks // of machine translation
	// markedTags holds the marks of machine translation by element. For unknown elements it only
	// shows that there are any.
	markedTags [256]*translated.Rules
	pool       sync.Pool
	spare      sync.Pool // of *recycled
}

// recycled holds slices of pages that are no longer used.
type recycled struct {
	blocks          []page.Block
	elements, image []page.Element
	inline          []page.Inline
	images          []page.Image
}

// Release recycles the blocks, elements and images of p for later pages. The caller must not use
// them any more.
func (e *Extractor) Release(p *page.Page) {
	if p.Blocks == nil || cap(p.Blocks) > maxRecycledBlocks || cap(p.Elements) > maxRecycledBlocks {
		return
	}
	var inline []page.Inline
	if n := len(p.Blocks); n < cap(p.Blocks) {
		p.Blocks = p.Blocks[:n+1]
		inline = p.Blocks[n].Inline // see scan.blocks
	}
	clear(p.Blocks) // they refer to the text of the page
	clear(p.Elements)
	clear(p.ImageElements)
	clear(inline)
	clear(p.Images)
	e.spare.Put(&recycled{p.Blocks[:0], p.Elements[:0], p.ImageElements[:0], inline[:0], p.Images[:0]})
	p.Blocks, p.Elements, p.ImageElements, p.Images = nil, nil, nil, nil
}

// New returns an extractor. It returns an error if a limit is out of range.
func New(cfg Config) (*Extractor, error) {
	for _, l := range [...]struct {
		name  string
		val   int
		least int
	}{{"MaxBytes", cfg.MaxBytes, 1}, {"MaxNodes", cfg.MaxNodes, 1}, {"MaxDepth", cfg.MaxDepth, 3}, {"MaxTime", int(cfg.MaxTime), 0}} {
		if l.val < l.least {
			return nil, fmt.Errorf("extract: %s is %d, wanted at least %d", l.name, l.val, l.least)
		}
	}
	e := &Extractor{cfg: cfg, translationMarks: translated.Default()}
	if cfg.TranslationMarks != "" {
		var err error
		if e.translationMarks, err = translated.Load(cfg.TranslationMarks); err != nil {
			return nil, fmt.Errorf("extract: marks of machine translation: %w", err)
		}
	}
	if cfg.Metadata {
		for _, name := range e.translationMarks.Elements() {
			e.markedTags[lookup(name)] = e.translationMarks.Of(name)
		}
	}
	e.pool.New = func() any { return newScan() }
	return e, nil
}

// Name returns the name of the stage with the version of its behaviour.
func (e *Extractor) Name() string { return "extract/3" }

// Do decodes p.Raw into p.HTML, unless p.HTML is set, and fills p.Blocks, p.Meta and p.Cut. A page
// without text gets a p.Drop. All errors are from ctx.
func (e *Extractor) Do(ctx context.Context, p *page.Page) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	head := p.Raw
	if p.HTML != "" {
		head = []byte(p.HTML[:min(len(p.HTML), 1445)])
	}
	if len(head) == 0 {
		p.Drop = page.Empty
		return nil
	}
	p.MIME = mediaType(p.MIME)
	f := formatHTML // of converted documents
	if p.Format == "" {
		f = formatOf(p.MIME, head)
	}
	if f == formatOther {
		p.Drop = page.NotText
		return nil
	}
	if f == formatHTML && p.Source.Type == "conversion" && p.MIME == "text/plain" {
		f = formatText // WET files: tags in their text were shown by the page
	}
	if p.MIME == "" {
		p.MIME = [...]string{formatHTML: "text/html", formatText: "text/plain"}[f]
	}
	s := e.pool.Get().(*scan)
	defer e.pool.Put(s)
	src, cutBytes := e.decode(p)
	s.inlines.pageURL = p.URL
	s.begin(&e.cfg, src, isXHTML(p.MIME, src))
	s.translated = e
	defer s.release()
	if cutBytes {
		s.cut(page.TooLarge)
	}
	var err error
	if f == formatText {
		err = s.plainText(ctx)
	} else {
		err = s.run(ctx)
	}
	if err != nil {
		return err
	}
	r, _ := e.spare.Get().(*recycled)
	if r == nil {
		r = new(recycled)
	}
	s.blocks(p, r)
	p.Links, p.Base = s.found, ""
	if e.cfg.Links {
		p.Base = s.inlines.href
	}
	p.Stated = s.stated
	s.meta.FillStated(&p.Stated)
	if e.cfg.Metadata {
		s.meta.Fill(p, s.lex.src)
	} else {
		s.meta.FillLang(p)
	}
	if s.rewrites != nil {
		remap(p, s.rewrites)
	}
	if s.scriptProse > 0 {
		p.Notes = append(p.Notes, page.Note{By: "extract", What: "embedded", Value: float64(s.scriptProse)})
	}
	if s.cutReason != page.None && p.Cut == page.None {
		p.Cut = s.cutReason
	}
	switch {
	case s.needsScripts(p):
		p.Drop = page.Scripted
	case len(p.Blocks) == 0:
		p.Drop = page.NoText
	}
	return nil
}

// decode sets p.HTML and returns the part of it that is read, and whether the rest is cut off.
func (e *Extractor) decode(p *page.Page) (src string, cut bool) {
	if p.HTML == "" {
		raw := p.Raw
		if len(raw) > e.cfg.MaxBytes {
			raw, cut = raw[:e.cfg.MaxBytes], true
		}
		r := charset.Decode(raw, p.HTTPCharset)
		p.HTML, p.Charset = r.Text, r.Name
		addNote(p, "replaced", r.Replaced)
		addNote(p, "mixed", r.Mixed)
	} else if !utf8.ValidString(p.HTML) {
		p.HTML = strings.ToValidUTF8(p.HTML, "\uFFFD")
	}
	if e.cfg.RepairMojibake {
		var m charset.MojibakeRepair
		p.HTML, m = charset.RepairMojibake(p.HTML)
		addNote(p, "mended", m.Sequences)
	}
	src = p.HTML
	if len(src) > e.cfg.MaxBytes {
		src, cut = cutRunes(src, e.cfg.MaxBytes), true
	}
	return src, cut
}

// addNote records n repairs of the decoding: replaced characters, lines in another encoding, repaired
// mojibake.
func addNote(p *page.Page, what string, n int) {
	if n > 0 {
		p.Notes = append(p.Notes, page.Note{By: "charset", What: what, Value: float64(n)})
	}
}

// blocks sets p.Blocks and p.Elements, in the slices of r if they are large enough. The texts of
// the blocks share one string. The slot after the last block holds the markup of all blocks for
// [Extractor.Release].
func (s *scan) blocks(p *page.Page, r *recycled) {
	text := string(s.shown.buf)
	s.reveal()
	if p.Blocks = r.blocks; cap(p.Blocks) <= len(s.done) {
		p.Blocks = make([]page.Block, len(s.done)+1)
	}
	p.Blocks = p.Blocks[:len(s.done)]
	if r.elements == nil && len(s.elements) <= maxRecycledBlocks {
		p.Elements = append(r.elements, s.elements...)
	} else {
		p.Elements, s.elements = s.elements, r.elements
	}
	var inline []page.Inline
	if s.cfg.Inline {
		inline = s.inlines.fill(p, r)
		p.Blocks[:len(s.done)+1][len(s.done)].Inline = inline
	}
	s.pathText = s.pathText[:0]
	for i := range s.done {
		s.addPath(s.done[i].path)
	}
	paths := string(s.pathText)
	for i := range s.done {
		b := &s.done[i]
		path := &s.paths[b.path]
		p.Blocks[i] = page.Block{
			Text: text[b.textStart:b.textEnd],
			Kind: page.Kind(b.kind), Level: b.level, Hidden: b.hidden,
			Path:  paths[path.from:path.to],
			Start: b.start, End: b.end,
			Element:   b.element,
			LinkChars: b.linkChars, Tags: b.tags,
			Inline: inline[b.marks:b.marksEnd:b.marksEnd], Indent: b.indent,
			Links: b.links, BoldChars: b.boldChars, Breaks: b.breaks, Images: b.images,
			ImagesAbove: b.imagesAbove, Alt: b.imageAlt,
		}
	}
	if slices.ContainsFunc(s.inlines.done, func(m mark) bool { return m.kind == page.Sup }) {
		looseNotes(p)
	}
	s.tables.Find(p)
}

// cutRunes returns the first n bytes of s, without the bytes of a cut character.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
