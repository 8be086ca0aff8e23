package epub

import (
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/sets"
	"chaffinch/internal/xmltoken"
)

// copier copies the body of a chapter. Elements of HTML keep their names; of their attributes only
// those remain that describe the text.
type copier struct {
	*book
	b       *document.Builder
	chapter int
}

// kept contains the elements that are copied. The text of other elements is copied without them.
var kept = sets.Words("a abbr address article aside b blockquote br caption cite code col dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead tr u ul var")

// dropped contains the elements that are left out with their text.
var dropped = sets.Words("audio button canvas embed form head iframe img input link map meta noscript object rp rt script select source style svg template textarea title track video")

// copy copies a chapter. Chapters that the book names as its contents become one element.
func (c *copier) copy(text string) {
	if c.items[c.chapter].contents {
		c.b.Start("nav", "role", document.Contents)
	} else {
		c.b.Start("section", "id", c.id(""))
	}
	x := xmltoken.New(text, xmltoken.Config{Prefixes: prefixes, HTML: true})
	base := c.b.Depth()
	var opened []int // open elements of the copy before each open element
	raised := -1     // the open element in which text is raised, or -1
	for c.Next(x) && !c.b.Full() {
		switch x.Kind {
		case xmltoken.Text:
			c.b.Text(x.Text)
		case xmltoken.Start:
			local := x.Name[strings.IndexByte(x.Name, ':')+1:]
			if dropped[local] || hidden(x) {
				x.Skip()
				continue
			}
			role := roleOf(x)
			if role == document.PageBreak {
				x.Skip()
				continue
			}
			if kept[local] && (local == "br" || local == "hr" || local == "col") {
				c.b.Void(local)
				x.Skip()
				continue
			}
			opened = append(opened, c.b.Depth())
			if kept[local] && (local != "sup" || raised < 0) {
				c.b.Start(local, c.attrs(x, role)...)
			}
			if raised < 0 && (local == "sup" || role == document.NoteRef) {
				raised = len(opened) - 1
				if local != "sup" { // books raise references in a style sheet
					c.b.Start("sup")
				}
			}
		case xmltoken.End:
			last := len(opened) - 1
			c.b.Close(opened[last])
			opened = opened[:last]
			if raised == last {
				raised = -1
			}
		}
	}
	c.b.Close(base)
	c.b.End()
}

// attrs returns the attributes of an element that are copied.
func (c *copier) attrs(x *xmltoken.Reader, role string) []string {
	lang := x.Attr("xml:lang")
	if lang == "" {
		lang = x.Attr("lang")
	}
	id := x.Attr("id")
	if id != "" {
		id = c.id(id)
	}
	attrs := []string{"id", id, "role", role, "lang", lang, "dir", x.Attr("dir")}
	switch x.Name {
	case "a":
		attrs = append(attrs, "href", c.link(x.Attr("href")))
	case "td", "th":
		attrs = append(attrs, "colspan", x.Attr("colspan"), "rowspan", x.Attr("rowspan"))
	case "ol":
		attrs = append(attrs, "start", x.Attr("start"))
	}
	return attrs
}

// id returns an id of the chapter that is unique in the book.
func (c *copier) id(id string) string { return "c" + strconv.Itoa(c.chapter+1) + "-" + id }

// link returns the address of a link: of the web, or of another place in the book.
func (c *copier) link(address string) string {
	if address == "" {
		return ""
	}
	if web := flow.WebLink(address); web != "" {
		return web
	}
	name, fragment := resolve(c.items[c.chapter].name, address)
	name, _ = c.Find(name)
	to, ok := c.index[name]
	if !ok {
		return ""
	}
	other := copier{chapter: to}
	return "#" + other.id(fragment)
}

// hidden reports whether an element is not displayed.
func hidden(x *xmltoken.Reader) bool {
	for _, a := range x.Attrs {
		switch a.Name {
		case "hidden":
			return true
		case "style":
			if strings.Contains(strings.ReplaceAll(a.Value, " ", ""), "display:none") {
				return true
			}
		}
	}
	return false
}

// types maps the structural semantics of EPUB to roles.
var types = map[string]string{
	"footnote": document.Footnote, "endnote": document.Footnote, "rearnote": document.Footnote, "footnotes": "doc-endnotes", "endnotes": "doc-endnotes", "rearnotes": "doc-endnotes",
	"toc": document.Contents, "loi": document.Contents, "lot": document.Contents, "landmarks": document.Contents, "page-list": document.Contents, "index": document.Contents,
	"bibliography": document.Bibliography, "pagebreak": document.PageBreak, "noteref": document.NoteRef,
}

// roleOf returns the role of an element.
func roleOf(x *xmltoken.Reader) string {
	if role := x.Attr("role"); strings.HasPrefix(role, "doc-") {
		return role
	}
	for name := range strings.FieldsSeq(x.Attr("epub:type")) {
		if role := types[name]; role != "" {
			return role
		}
	}
	return ""
}
