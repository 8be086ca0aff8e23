package epub

import (
	"context"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/format/internal/xmldoc"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// fb2 reads a book in FictionBook.
type fb2 struct {
	*book
	b     *document.Builder
	notes bool // in a body of notes
	level int  // of sections
}

// FB2 reads a FictionBook document. Errors are from ctx.
func FB2(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	text := charset.Decode(raw, "").Text
	f := &fb2{book: &book{Reader: xmldoc.New(ctx)}, b: document.NewBuilder(limits)}
	started, root := false, false
	x := xmltoken.New(text, xmltoken.Config{Prefixes: prefixes})
	for f.Next(x) && !f.b.Full() {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "FictionBook":
			root = true
		case "description":
			f.describe(x)
		case "body":
			if !started {
				f.b.Head(f.meta)
				started = true
			}
			name := x.Attr("name")
			f.notes = name == "notes" || name == "comments" || name == "footnotes"
			f.level = 0
			f.within(x)
		case "binary", "stylesheet":
			x.Skip()
		}
	}
	if (!root || !started) && !f.Done() {
		return document.Document{Drop: page.Damaged}, nil
	}
	return f.Document(f.b)
}

// describe reads the metadata.
func (f *fb2) describe(x *xmltoken.Reader) {
	for depth := x.Depth(); f.Next(x); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			return
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "src-title-info", "document-info", "publish-info", "custom-info", "coverpage":
			x.Skip()
		case "book-title":
			f.meta.Title = f.content(x)
		case "author":
			if name := f.author(x); name != "" && len(f.meta.Authors) < 100 {
				f.meta.Authors = append(f.meta.Authors, name)
			}
		case "translator":
			x.Skip()
		case "lang":
			f.meta.Lang = f.content(x)
		case "annotation":
			f.meta.Description = f.content(x)
		case "date":
			value := x.Attr("value")
			if f.meta.Date = f.content(x); value != "" {
				f.meta.Date = value
			}
		}
	}
}

// author returns a name from its parts.
func (f *fb2) author(x *xmltoken.Reader) string {
	var names []string
	for depth := x.Depth(); f.Next(x); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "first-name", "middle-name", "last-name", "nickname":
			name := f.content(x)
			if name != "" && (len(names) == 0 || x.Name != "nickname") {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " ")
}

// inlines maps elements within paragraphs to elements of HTML.
var inlines = map[string]string{"emphasis": "i", "strong": "b", "strikethrough": "s", "sub": "sub", "sup": "sup", "code": "code"}

// wraps maps elements with blocks to elements of HTML.
var wraps = map[string]string{"cite": "blockquote", "epigraph": "blockquote", "annotation": "blockquote", "poem": "div", "table": "table", "tr": "tr", "title": ""}

// heading returns the element of a title in the current section.
func (f *fb2) heading() string { return "h" + string(rune('0'+max(1, min(f.level+1, 6)))) }

// within copies the blocks within the current element.
func (f *fb2) within(x *xmltoken.Reader) {
	for depth := x.Depth(); f.Next(x) && !f.b.Full(); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			return
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch name := x.Name; name {
		case "section":
			id := x.Attr("id")
			if f.notes && id != "" {
				f.b.Start("aside", "role", document.Footnote, "id", id)
			} else {
				f.b.Start("section", "id", id)
			}
			f.level++
			f.within(x)
			f.level--
			f.b.End()
		case "title":
			f.lines(x, f.titleElement())
		case "subtitle":
			f.b.Start("h" + string(rune('0'+min(f.level+2, 6))))
			f.inline(x)
			f.b.End()
		case "stanza":
			f.lines(x, "p")
		case "p", "text-author", "date", "v":
			f.b.Start("p", "id", x.Attr("id"), "lang", x.Attr("xml:lang"))
			f.inline(x)
			f.b.End()
		case "td", "th":
			f.b.Start(name, "colspan", x.Attr("colspan"), "rowspan", x.Attr("rowspan"))
			f.inline(x)
			f.b.End()
		case "image", "binary", "empty-line":
			x.Skip()
		default:
			tag := wraps[name]
			if tag != "" {
				f.b.Start(tag)
			}
			f.within(x)
			if tag != "" {
				f.b.End()
			}
		}
	}
}

// titleElement returns the element of the title of a section or of a note.
func (f *fb2) titleElement() string {
	if f.notes && f.level > 0 {
		return "p"
	}
	return f.heading()
}

// lines copies the paragraphs or verses within the current element as lines of one element.
func (f *fb2) lines(x *xmltoken.Reader, tag string) {
	f.b.Start(tag)
	first := true
	for depth := x.Depth(); f.Next(x) && !f.b.Full(); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "p", "v", "subtitle":
			if !first {
				f.b.Void("br")
			}
			first = false
			f.inline(x)
		}
	}
	f.b.End()
}

// inline copies the text within the current element.
func (f *fb2) inline(x *xmltoken.Reader) {
	base := f.b.Depth()
	var opened []int // open elements of HTML before each open element
	raised := -1     // the open element in which text is raised, or -1
	for depth := x.Depth(); f.Next(x); {
		switch x.Kind {
		case xmltoken.Text:
			f.b.Text(x.Text)
		case xmltoken.End:
			if x.Depth() < depth {
				f.b.Close(base)
				return
			}
			last := len(opened) - 1
			f.b.Close(opened[last])
			opened = opened[:last]
			if raised == last {
				raised = -1
			}
		case xmltoken.Start:
			if x.Name == "image" || x.Name == "binary" {
				x.Skip()
				continue
			}
			opened = append(opened, f.b.Depth())
			tag := inlines[x.Name]
			if x.Name == "a" {
				href, role := x.Attr("l:href"), ""
				if !strings.HasPrefix(href, "#") {
					href = flow.WebLink(href)
				} else if x.Attr("type") == "note" {
					role, tag = document.NoteRef, "sup"
				}
				f.b.Start("a", "href", href, "role", role)
			}
			if tag == "sup" && raised >= 0 {
				continue
			}
			if tag == "sup" {
				raised = len(opened) - 1
			}
			if tag != "" {
				f.b.Start(tag)
			}
		}
	}
	f.b.Close(base)
}
