// Package office reads the documents of word processors and presentations: DOCX and PPTX (ECMA-376,
// ISO/IEC 29500, transitional and strict) and ODT (ISO/IEC 26300), packed or as one XML file.
//
// Text that the program does not show is left out: deleted text of tracked changes, hidden text,
// comments, instructions of fields. Nothing outside the document is read.
//
// Unstable: this package may change in any release.
package office

import (
	"bytes"
	"context"
	"path"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/internal/xmldoc"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
)

// prefixes contains the namespaces of Office Open XML and OpenDocument.
var prefixes = xmlPrefixes()

func xmlPrefixes() map[string]string {
	m := map[string]string{
		"http://schemas.openxmlformats.org/markup-compatibility/2006":             "mc",
		"http://schemas.openxmlformats.org/package/2006/relationships":            "",
		"http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
		"http://purl.org/dc/elements/1.1/":                                        "dc",
		"http://purl.org/dc/terms/":                                               "dcterms",
		"http://www.w3.org/1999/xlink":                                            "xlink",
		"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0":             "fo",
		"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0":                       "draw",
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships":     "r",
		"http://purl.oclc.org/ooxml/officeDocument/relationships":                 "r",
		"http://schemas.openxmlformats.org/officeDocument/2006/math":              "m",
		"http://purl.oclc.org/ooxml/officeDocument/math":                          "m",
		"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing":  "wp",
	}
	for name, prefix := range map[string]string{"wordprocessingml": "w", "presentationml": "p", "drawingml": "a"} {
		m["http://schemas.openxmlformats.org/"+name+"/2006/main"] = prefix
		m["http://purl.oclc.org/ooxml/"+name+"/main"] = prefix
	}
	m["http://schemas.openxmlformats.org/drawingml/2006/diagram"] = "dgm"
	m["http://purl.oclc.org/ooxml/drawingml/diagram"] = "dgm"
	for _, name := range []string{"office", "text", "table", "style", "meta", "manifest"} {
		m["urn:oasis:names:tc:opendocument:xmlns:"+name+":1.0"] = name
	}
	return m
}

// ole is the mark of compound files. Office documents with a password are such files.
var ole = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// pack is an open document.
type pack struct {
	doc   *xmldoc.Reader
	taken []bool // for each open mc:AlternateContent: whether a branch was read
}

// open opens a package. It returns a reason if this fails.
func open(ctx context.Context, raw []byte, limits document.Limits) (*pack, page.Reason) {
	if bytes.HasPrefix(raw, ole) {
		if bytes.Contains(raw, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
			return nil, page.Encrypted
		}
		return nil, page.Damaged
	}
	doc, err := xmldoc.Open(ctx, raw, limits)
	if err != nil {
		return nil, page.Damaged
	}
	return &pack{doc: doc}, page.None
}

// xml returns a reader of a part. A missing part is empty.
func (p *pack) xml(name string) *xmltoken.Reader { return newXML(p.doc.Text(name)) }

func newXML(text string) *xmltoken.Reader {
	return xmltoken.New(text, xmltoken.Config{Prefixes: prefixes})
}

// next reads the next token of x that is not in an unused branch of alternative content, and
// reports whether there is one. Tokens end when the context is done.
func (p *pack) next(x *xmltoken.Reader) bool {
	for p.doc.Next(x) {
		n := len(p.taken)
		switch {
		case x.Kind == xmltoken.Start && x.Name == "mc:AlternateContent":
			p.taken = append(p.taken, false)
		case x.Kind == xmltoken.End && x.Name == "mc:AlternateContent" && n > 0:
			p.taken = p.taken[:n-1]
		case x.Kind == xmltoken.Start && n > 0 && (x.Name == "mc:Choice" || x.Name == "mc:Fallback"):
			if p.taken[n-1] {
				x.Skip()
				continue
			}
			p.taken[n-1] = true
		}
		return true
	}
	return false
}

// each calls fn for each start tag within the current element. fn may read to the end of its
// element.
func (p *pack) each(x *xmltoken.Reader, fn func()) {
	for depth := x.Depth(); p.next(x); {
		if x.Kind == xmltoken.Start {
			fn()
		} else if x.Kind == xmltoken.End && x.Depth() < depth {
			return
		}
	}
}

// content returns the text within the current element.
func (p *pack) content(x *xmltoken.Reader) string {
	var texts []string
	for depth := x.Depth(); p.next(x); {
		if x.Kind == xmltoken.Text {
			texts = append(texts, x.Text)
		} else if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
	}
	return strings.Join(texts, "")
}

// relation is a target of a part.
type relation struct {
	kind, target string
	external     bool
}

// relations returns the relations of a part by their ids, and their ids in order.
func (p *pack) relations(part string) (map[string]relation, []string) {
	dir, file := path.Split(part)
	x := p.xml(dir + "_rels/" + file + ".rels")
	m, ids := map[string]relation{}, []string(nil)
	for p.next(x) {
		if x.Kind != xmltoken.Start || x.Name != "Relationship" {
			continue
		}
		r := relation{kind: path.Base(x.Attr("Type")), target: x.Attr("Target"), external: x.Attr("TargetMode") == "External"}
		if !r.external {
			if strings.HasPrefix(r.target, "/") {
				r.target = strings.TrimPrefix(path.Clean(r.target), "/")
			} else {
				r.target = strings.TrimPrefix(path.Join(dir, r.target), "/")
			}
		}
		id := x.Attr("Id")
		if _, ok := m[id]; !ok {
			ids = append(ids, id)
		}
		m[id] = r
	}
	return m, ids
}

// first returns the target of the first relation of a kind.
func first(m map[string]relation, ids []string, kind string) string {
	for _, id := range ids {
		if r := m[id]; r.kind == kind && !r.external {
			return r.target
		}
	}
	return ""
}

// main returns the names of the main part and of the part with the core properties. usual is the
// main part of a package without relations.
func (p *pack) main(usual string) (main, core string) {
	rels, ids := p.relations("")
	main, core = first(rels, ids, "officeDocument"), first(rels, ids, "core-properties")
	if _, ok := p.doc.Find(main); !ok {
		main = usual
	}
	if core == "" {
		core = "docProps/core.xml"
	}
	return main, core
}

// properties returns the metadata in a part with core properties.
func (p *pack) properties(core string) (m document.Meta) {
	x := p.xml(core)
	for p.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "dc:title":
			m.Title = strings.TrimSpace(p.content(x))
		case "dc:creator":
			if name := strings.TrimSpace(p.content(x)); name != "" {
				m.Authors = append(m.Authors, name)
			}
		case "dc:description":
			m.Description = strings.TrimSpace(p.content(x))
		case "dc:language":
			m.Lang = language(p.content(x))
		case "dcterms:created":
			m.Date = strings.TrimSpace(p.content(x))
		}
	}
	return m
}

// mostFrequent returns the language of most bytes of a paragraph, "" if there is none.
func mostFrequent(langs map[string]int) string {
	most := ""
	for lang, n := range langs {
		if n > langs[most] || n == langs[most] && lang < most {
			most = lang
		}
	}
	return most
}

// language returns a language tag of a document in the form of BCP 47, "" if it is none.
func language(tag string) string {
	tag = strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")
	switch strings.ToLower(tag) {
	case "none", "zxx", "und", "x-none":
		return ""
	}
	if len(tag) < 2 || len(tag) > 35 || strings.ContainsAny(tag, " ,;") {
		return ""
	}
	return tag
}
