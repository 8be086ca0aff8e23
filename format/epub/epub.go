// Package epub reads books in the formats EPUB 2 and 3 and FictionBook 2. The chapters of an EPUB
// become one HTML document in reading order, without scripts, styles and images.
//
// Unstable: this package may change in any release.
package epub

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/internal/xmldoc"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
)

// prefixes contains the namespaces of the files that describe a book.
var prefixes = map[string]string{
	"urn:oasis:names:tc:opendocument:xmlns:container": "",
	"http://www.idpf.org/2007/opf":                    "",
	"http://purl.org/dc/elements/1.1/":                "dc",
	"http://www.w3.org/2001/04/xmlenc#":               "enc",
	"http://www.w3.org/1999/xhtml":                    "",
	"http://www.idpf.org/2007/ops":                    "epub",
	"http://www.w3.org/1999/xlink":                    "l",
	"http://www.gribuser.ru/xml/fictionbook/2.0":      "",
}

// maxItems is the most items of a book that are read.
const maxItems = 20000

// book is an open EPUB.
type book struct {
	*xmldoc.Reader
	meta  document.Meta
	items []item         // in reading order
	index map[string]int // items by name
	lacks bool           // an item of the reading order
}

// item is a document of a book.
type item struct {
	name     string
	contents bool // a table of contents
}

// Read reads an EPUB document. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	doc, err := xmldoc.Open(ctx, raw, limits)
	if err != nil {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	k := &book{Reader: doc, index: map[string]int{}}
	k.describe()
	if len(k.items) == 0 {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	if k.encrypted() {
		return document.Document{Drop: page.Encrypted}, ctx.Err()
	}
	b := document.NewBuilder(limits)
	b.Head(k.meta)
	for i := range k.items {
		if b.Full() || k.Done() {
			break
		}
		c := copier{book: k, b: b, chapter: i}
		c.copy(k.Text(k.items[i].name))
	}
	d, err := k.Document(b)
	if k.lacks && d.Cut == page.None {
		d.Cut = page.Truncated
	}
	return d, err
}

// content returns the text within the current element.
func (k *book) content(x *xmltoken.Reader) string {
	var b strings.Builder
	for depth := x.Depth(); k.Next(x); {
		if x.Kind == xmltoken.Text {
			b.WriteString(x.Text)
		} else if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (k *book) xml(name string) *xmltoken.Reader {
	return xmltoken.New(k.Text(name), xmltoken.Config{Prefixes: prefixes})
}

// resolve returns the name of the part that an address in a part refers to, and its fragment.
func resolve(part, address string) (name, fragment string) {
	address, fragment, _ = strings.Cut(address, "#")
	if address == "" {
		return part, fragment
	}
	if u, err := url.PathUnescape(address); err == nil {
		address = u
	}
	return strings.TrimPrefix(path.Join(path.Dir(part), address), "/"), fragment
}

// describe reads the metadata and the reading order.
func (k *book) describe() {
	opf := ""
	for x := k.xml("META-INF/container.xml"); k.Next(x); {
		if x.Kind == xmltoken.Start && x.Name == "rootfile" && opf == "" {
			opf, _ = resolve("x", x.Attr("full-path"))
		}
	}
	if _, ok := k.Find(opf); !ok {
		opf = k.find(".opf")
	}
	k.spine(opf)
	if len(k.items) > 0 {
		return
	}
	for _, name := range k.names(".xhtml", ".html", ".htm") {
		k.add(name, false)
	}
}

// names returns the sorted names of parts with an ending.
func (k *book) names(endings ...string) (names []string) {
	for _, name := range k.Names() {
		if slices.Contains(endings, strings.ToLower(path.Ext(name))) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (k *book) find(ending string) string {
	if names := k.names(ending); len(names) > 0 {
		return names[0]
	}
	return ""
}

func (k *book) add(name string, contents bool) {
	name, ok := k.Find(name)
	if _, has := k.index[name]; ok && !has && len(k.items) < maxItems {
		k.index[name] = len(k.items)
		k.items = append(k.items, item{name, contents})
	}
}

// spine reads the package document. Items that are not part of the linear order, such as notes,
// follow the others.
func (k *book) spine(opf string) {
	type file struct {
		name          string
		contents, xml bool
	}
	files := map[string]file{}
	type ref struct {
		id     string
		linear bool
	}
	var refs []ref
	contents := map[string]bool{} // by name, from the guide
	for x := k.xml(opf); k.Next(x); {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "dc:title":
			if title := k.content(x); k.meta.Title == "" {
				k.meta.Title = title
			}
		case "dc:creator":
			if name := k.content(x); name != "" && len(k.meta.Authors) < 100 {
				k.meta.Authors = append(k.meta.Authors, name)
			}
		case "dc:language":
			if lang := k.content(x); k.meta.Lang == "" && !strings.EqualFold(lang, "und") {
				k.meta.Lang = lang
			}
		case "dc:description":
			k.meta.Description = k.content(x)
		case "dc:date":
			if date := k.content(x); k.meta.Date == "" {
				k.meta.Date = date
			}
		case "item":
			name, _ := resolve(opf, x.Attr("href"))
			media := x.Attr("media-type")
			files[x.Attr("id")] = file{name, slices.Contains(strings.Fields(x.Attr("properties")), "nav"), media == "" || strings.Contains(media, "html") || strings.Contains(media, "dtbook") || strings.HasSuffix(media, "/xml")}
		case "itemref":
			refs = append(refs, ref{x.Attr("idref"), x.Attr("linear") != "no"})
		case "reference":
			if x.Attr("type") == "toc" {
				name, _ := resolve(opf, x.Attr("href"))
				contents[name] = true
			}
		}
	}
	for _, linear := range [...]bool{true, false} {
		for _, r := range refs {
			f, ok := files[r.id]
			if !ok || !f.xml || r.linear != linear {
				continue
			}
			if _, ok := k.Find(f.name); !ok {
				k.lacks = true
			}
			k.add(f.name, f.contents || contents[f.name])
		}
	}
}

// obfuscation contains the algorithms that change fonts only.
var obfuscation = []string{"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}

// encrypted reports whether an item is encrypted, as with digital rights management.
func (k *book) encrypted() bool {
	method := ""
	for x := k.xml("META-INF/encryption.xml"); k.Next(x); {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "enc:EncryptedData":
			method = ""
		case "enc:EncryptionMethod":
			method = x.Attr("Algorithm")
		case "enc:CipherReference":
			name, _ := resolve("x", x.Attr("URI"))
			name, _ = k.Find(name)
			if _, ok := k.index[name]; ok && !slices.Contains(obfuscation, method) {
				return true
			}
		}
	}
	return false
}
