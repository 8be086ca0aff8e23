package tei

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/vertical"
)

// Words writes the tokens of a vertical as TEI: w and pc elements with lemma, pos and msd.
type Words struct {
	// Title is the title of the corpus.
	Title string
	// Columns are the names of the columns. The columns lemma, pos (else upos, else tag) and feats
	// (or msd) are written.
	Columns []string
	// Doc is the name of the structure of documents. Default: doc.
	Doc string
}

// levels are the structures that are written, outermost first. The first one is
// [Words.Doc]. Others are left out.
var levels = []string{"doc", "p", "align", "s"}

// Write reads a vertical and writes a teiCorpus with a TEI element for each document. Text outside of
// paragraphs is in ab elements.
func (e Words) Write(out io.Writer, r *vertical.Reader) error {
	x := &wordWriter{doc: cmp.Or(e.Doc, levels[0]), wanted: make([]string, len(levels)), lemma: slices.Index(e.Columns, "lemma"), pos: -1, msd: -1}
	for _, name := range []string{"tag", "upos", "pos"} {
		if i := slices.Index(e.Columns, name); i >= 0 {
			x.pos = i
		}
	}
	for _, name := range []string{"msd", "feats"} {
		if i := slices.Index(e.Columns, name); i >= 0 {
			x.msd = i
		}
	}
	x.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<teiCorpus xmlns=\"" + namespace + "\">\n")
	x.shortHeader(e.Title, nil)
	for {
		l, err := r.Next()
		if err == io.EOF {
			x.closeFrom(0)
			x.raw("</teiCorpus>\n")
		}
		if err == io.EOF || len(x.dst) >= 1<<16 {
			if _, err := out.Write(x.dst); err != nil {
				return err
			}
			x.dst = x.dst[:0]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		x.line(l)
	}
}

// wordWriter writes elements in the order of levels. An element that ends closes the elements inside.
type wordWriter struct {
	writer
	doc             string
	lemma, pos, msd int
	open            []int    // levels of the open elements, increasing
	wanted          []string // start tags of levels whose structures are open in the vertical
	glued           bool
}

func (x *wordWriter) line(l *vertical.Line) {
	if l.Kind == vertical.Token {
		x.token(l)
		return
	}
	if string(l.Name) == "g" {
		x.glued = true
		return
	}
	name := string(l.Name)
	level := slices.Index(levels[1:], name) + 1
	if l.Kind == vertical.Empty || level == 0 && name != x.doc {
		return
	}
	if name == x.doc {
		level = 0
	}
	x.closeFrom(level)
	x.wanted[level] = ""
	if l.Kind == vertical.Open {
		x.wanted[level] = x.start(level, l)
	}
}

// start returns the start tag of a structure.
func (x *wordWriter) start(level int, l *vertical.Line) string {
	w := &writer{}
	switch levels[level] {
	case "doc":
		w.raw("<TEI>\n")
		title := string(l.Value("title"))
		if title == "" {
			title = string(l.Value("id"))
		}
		w.shortHeader(title, l.Attrs)
		w.raw("<text")
		w.langAttr("xml:lang", string(l.Value("lang")))
		w.raw(">\n<body>\n")
	case "align":
		w.raw(`<seg type="align"`)
		w.attr("n", string(l.Value("id")))
		w.raw(">\n")
	default:
		w.raw("<" + levels[level])
		w.attr("n", string(l.Value("id")))
		w.raw(">\n")
	}
	return string(w.dst)
}

// shortHeader writes a header with a title and the attributes of a document.
func (w *writer) shortHeader(title string, attrs []vertical.Attr) {
	w.raw("<teiHeader>\n<fileDesc>\n<titleStmt><title>")
	w.text(title)
	w.raw("</title></titleStmt>\n<publicationStmt><p>Unpublished.</p></publicationStmt>\n")
	if len(attrs) > 0 {
		w.raw("<notesStmt>")
		for _, a := range attrs {
			w.raw("<note")
			w.attr("type", xmlName(string(a.Name)))
			w.raw(">")
			w.text(string(a.Value))
			w.raw("</note>")
		}
		w.raw("</notesStmt>\n")
	}
	w.raw("<sourceDesc><p>An indexed corpus.</p></sourceDesc>\n</fileDesc>\n</teiHeader>\n")
}

// xmlName returns a name with the characters of an XML name only.
func xmlName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, s)
}

// closeFrom closes the elements of a level and the elements inside them.
func (x *wordWriter) closeFrom(level int) {
	for len(x.open) > 0 && x.open[len(x.open)-1] >= level {
		last := x.open[len(x.open)-1]
		x.open = x.open[:len(x.open)-1]
		switch {
		case last == 0:
			x.raw("</body>\n</text>\n</TEI>\n")
		case last == 1 && x.wanted[1] == "":
			x.raw("</ab>\n")
		case levels[last] == "align":
			x.raw("</seg>\n")
		default:
			x.raw("</" + levels[last] + ">\n")
		}
	}
}

// token writes a token, after the start tags of the structures around it.
func (x *wordWriter) token(l *vertical.Line) {
	for level, tag := range x.wanted {
		if slices.Contains(x.open, level) {
			continue
		}
		switch {
		case tag == "" && level == 0:
			tag = x.start(0, &vertical.Line{})
		case tag == "" && level == 1:
			tag = "<ab>\n"
		case tag == "":
			continue
		}
		x.closeFrom(level)
		x.raw(tag)
		x.open = append(x.open, level)
	}
	value := func(i int) string {
		if i < 1 || i >= len(l.Fields) {
			return ""
		}
		return string(l.Fields[i])
	}
	name := "w"
	if pos := value(x.pos); pos == "PUNCT" || pos == "" && !strings.ContainsFunc(string(l.Fields[0]), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		name = "pc"
	}
	x.raw("<" + name)
	x.attr("lemma", value(x.lemma))
	x.attr("pos", value(x.pos))
	x.attr("msd", value(x.msd))
	if x.glued {
		x.attr("join", "left")
	}
	x.glued = false
	x.raw(">")
	x.text(string(l.Fields[0]))
	x.raw("</" + name + ">\n")
}
