package document

import (
	"strings"

	"chaffinch/page"
)

// maxDepth is the most elements that are open at once. Deeper elements are not written, but
// their text is.
const maxDepth = 256

// Meta is the metadata of a document. Empty fields are left out.
type Meta struct {
	Title, Lang, Description, Date string
	Authors                        []string
}

// Builder writes the HTML of a document. [NewBuilder] returns one.
type Builder struct {
	buf  strings.Builder
	max  int
	open []string // elements, "" for one that is not written
	cut  page.Reason
}

// NewBuilder returns a builder that writes at most limits.MaxHTML bytes, apart from end tags.
func NewBuilder(limits Limits) *Builder { return &Builder{max: limits.WithDefaults().MaxHTML} }

// Head writes the head of the document. It precedes all other calls.
func (b *Builder) Head(m Meta) {
	b.write("<!doctype html>\n<html")
	if m.Lang != "" {
		b.attr("lang", m.Lang)
	}
	b.write("><head><meta charset=\"utf-8\">")
	if m.Title != "" {
		b.write("<title>")
		b.Text(m.Title)
		b.write("</title>")
	}
	for _, author := range m.Authors {
		b.meta("author", author)
	}
	b.meta("description", m.Description)
	b.meta("date", m.Date)
	b.write("</head>\n<body>\n")
}

func (b *Builder) meta(name, value string) {
	if value != "" {
		b.Void("meta", "name", name, "content", value)
	}
}

// Start opens an element with attributes, given as pairs of name and value. Attributes without a
// value are left out.
func (b *Builder) Start(name string, attrs ...string) {
	if b.Full() || len(b.open) >= maxDepth {
		if !b.Full() {
			b.cut = page.TooDeep
		}
		b.open = append(b.open, "")
		return
	}
	b.open = append(b.open, name)
	b.tag(name, attrs)
}

// Void writes an element without content, such as br.
func (b *Builder) Void(name string, attrs ...string) {
	if !b.Full() {
		b.tag(name, attrs)
	}
}

func (b *Builder) tag(name string, attrs []string) {
	b.write("<")
	b.write(name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			b.attr(attrs[i], attrs[i+1])
		}
	}
	b.write(">")
}

// Attributes and texts are escaped; control characters that HTML does not allow become spaces.
var (
	textEscapes = escaper()
	attrEscapes = escaper(`"`, "&quot;")
)

func escaper(more ...string) *strings.Replacer {
	pairs := append([]string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}, more...)
	for c := range byte(0x20) {
		if c != '\t' && c != '\n' && c != '\r' {
			pairs = append(pairs, string(rune(c)), " ")
		}
	}
	return strings.NewReplacer(pairs...)
}

func (b *Builder) attr(name, value string) {
	b.write(" ")
	b.write(name)
	b.write(`="`)
	b.write(attrEscapes.Replace(strings.ToValidUTF8(value, "\uFFFD")))
	b.write(`"`)
}

// Text writes text. It is cut off at the limit of the builder.
func (b *Builder) Text(text string) {
	if b.Full() || text == "" {
		return
	}
	text = textEscapes.Replace(strings.ToValidUTF8(text, "\uFFFD"))
	if b.buf.Len()+len(text) > b.max {
		b.cut = page.TooLarge
		text = whole(text[:b.max-b.buf.Len()])
	}
	b.write(text)
}

// HTML writes HTML. It is cut off at the limit of the builder.
func (b *Builder) HTML(html string) {
	if b.Full() {
		return
	}
	if b.buf.Len()+len(html) > b.max {
		b.cut = page.TooLarge
		html = whole(html[:b.max-b.buf.Len()])
		if i := strings.LastIndexByte(html, '<'); i >= 0 && !strings.Contains(html[i:], ">") {
			html = html[:i]
		}
	}
	b.write(html)
}

// whole returns text without a character or character reference that is cut off at its end.
func whole(text string) string {
	text = strings.ToValidUTF8(text, "")
	if i := strings.LastIndexByte(text, '&'); i >= 0 && !strings.Contains(text[i:], ";") {
		return text[:i]
	}
	return text
}

// End closes the element that was opened last.
func (b *Builder) End() {
	if len(b.open) == 0 {
		return
	}
	name := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if name == "" {
		return
	}
	b.write("</")
	b.write(name)
	b.write(">")
	if block[name] {
		b.write("\n")
	}
}

// block contains the elements after which a line ends.
var block = map[string]bool{"p": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "li": true, "ul": true,
	"ol": true, "table": true, "tr": true, "td": true, "th": true, "div": true, "section": true, "blockquote": true, "aside": true, "header": true, "footer": true, "pre": true}

// Block writes an element with text.
func (b *Builder) Block(name, text string, attrs ...string) {
	b.Start(name, attrs...)
	b.Text(text)
	b.End()
}

// Page writes the begin of page n, from 1.
func (b *Builder) Page(n string) {
	b.Void("span", "role", PageBreak, "id", "page-"+n)
	b.write("</span>")
}

// Depth returns the number of open elements. [Builder.Close] closes elements down to a depth.
func (b *Builder) Depth() int { return len(b.open) }

// Close closes open elements until depth are left.
func (b *Builder) Close(depth int) {
	for len(b.open) > depth {
		b.End()
	}
}

// Full reports whether the limit is reached. More text and elements are not written.
func (b *Builder) Full() bool { return b.cut == page.TooLarge }

func (b *Builder) write(s string) { b.buf.WriteString(s) }

// Document closes all elements and returns the document.
func (b *Builder) Document() Document {
	b.Close(0)
	b.write("</body></html>\n")
	return Document{HTML: b.buf.String(), Cut: b.cut}
}
