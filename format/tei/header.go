package tei

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"chaffinch/format/jsonl"
	"chaffinch/format/tree"
)

// fieldsType is the type of the xenoData element that holds the input fields of the page.
// TEI provides xenoData for metadata of other schemes.
const fieldsType = "json"

// header writes the teiHeader.
func (w *writer) header() {
	p := w.p
	w.raw("<teiHeader>\n<fileDesc>\n<titleStmt>")
	w.element("title", cmp.Or(p.Meta.Title, p.URL, p.ID))
	w.elements("author", p.Meta.Authors)
	w.raw("</titleStmt>\n")
	w.publication()
	w.notes()
	w.raw("<sourceDesc>\n<bibl>")
	w.element("title", p.Meta.Title)
	w.elements("author", p.Meta.Authors)
	w.element("publisher", p.Meta.Site)
	w.date("", p.Meta.Date)
	if p.Meta.Modified != p.Meta.Date {
		w.date("modified", p.Meta.Modified)
	}
	if p.URL != "" {
		w.raw("<ptr type=\"url\"")
		w.target("target", p.URL)
		w.raw("/>")
	}
	if c := p.Meta.Canonical; c != "" && c != p.URL {
		w.raw("<ptr type=\"canonical\"")
		w.target("target", c)
		w.raw("/>")
	}
	w.raw("<idno>")
	w.text(p.ID)
	w.raw("</idno></bibl>\n</sourceDesc>\n</fileDesc>\n")
	w.raw("<encodingDesc><appInfo><application ident=\"chaffinch\" version=\"1\"><label>Chaffinch</label></application></appInfo></encodingDesc>\n")
	w.profile()
	if len(p.Fields) > 0 {
		w.raw("<xenoData type=\"" + fieldsType + "\">")
		w.text(string(jsonl.AppendFields(nil, p.Fields)))
		w.raw("</xenoData>\n")
	}
	w.raw("</teiHeader>\n")
}

// notes writes the notesStmt: restrictions on use, and the confidence and the type of the page.
func (w *writer) notes() {
	p := w.p
	n := len(w.dst)
	w.raw("<notesStmt>")
	empty := len(w.dst)
	w.note("optout", p.Meta.Optout)
	w.note("translated", p.Meta.Translated)
	w.note("confidence", share(p.Confidence))
	w.note("confidence_policy", p.ConfidencePolicy)
	w.note("page_type", p.Type)
	w.note("page_type_confidence", share(p.TypeConfidence))
	w.note("register", strings.Join(p.Registers, tree.RegisterSeparator))
	if len(w.dst) == empty {
		w.dst = w.dst[:n]
		return
	}
	w.raw("</notesStmt>\n")
}

// note writes a note, unless text is empty.
func (w *writer) note(kind, text string) {
	if text != "" {
		w.raw("<note type=\"" + kind + "\">")
		w.text(text)
		w.raw("</note>")
	}
}

// share formats x, 0 to 1, with at most three digits; "" for 0.
func share(x float64) string {
	if x = math.Round(1000*x) / 1000; x > 0 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return ""
}

// profile writes the profileDesc, unless it is empty.
func (w *writer) profile() {
	p := w.p
	n := len(w.dst)
	w.raw("<profileDesc>")
	empty := len(w.dst)
	if p.Meta.Description != "" {
		w.raw("<abstract>")
		w.element("p", p.Meta.Description)
		w.raw("</abstract>")
	}
	if p.Meta.Fetched != "" {
		w.raw("<creation>")
		w.date("fetched", p.Meta.Fetched)
		w.raw("</creation>")
	}
	if at := len(w.dst); p.Lang != "" {
		w.raw("<langUsage><language")
		before := len(w.dst)
		w.langAttr("ident", p.Lang)
		if len(w.dst) == before {
			w.dst = w.dst[:at] // no tag
		} else {
			w.raw("/></langUsage>")
		}
	}
	if len(p.Meta.Categories) > 0 || len(p.Meta.Tags) > 0 {
		w.raw("<textClass>")
		w.keywords("categories", p.Meta.Categories)
		w.keywords("tags", p.Meta.Tags)
		w.raw("</textClass>")
	}
	if len(w.dst) == empty {
		w.dst = w.dst[:n]
		return
	}
	w.raw("</profileDesc>\n")
}

// publication writes the publicationStmt: the site and the licence.
func (w *writer) publication() {
	m := &w.p.Meta
	if m.Site == "" && m.License == "" {
		w.raw("<publicationStmt><p/></publicationStmt>\n")
		return
	}
	w.raw("<publicationStmt>")
	w.raw("<publisher>")
	w.text(m.Site)
	w.raw("</publisher>")
	if m.License != "" {
		w.raw("<availability><licence")
		if strings.HasPrefix(m.License, "http") {
			w.target("target", m.License)
		}
		w.raw(">")
		w.text(m.License)
		w.raw("</licence></availability>")
	}
	w.raw("</publicationStmt>\n")
}

// keywords writes a list of terms, unless it is empty.
func (w *writer) keywords(scheme string, terms []string) {
	if len(terms) > 0 {
		w.raw("<keywords n=\"" + scheme + "\">")
		w.elements("term", terms)
		w.raw("</keywords>")
	}
}

// elements writes one element for each text.
func (w *writer) elements(name string, texts []string) {
	for _, t := range texts {
		w.element(name, t)
	}
}

// element writes an element with text, unless text is empty.
func (w *writer) element(name, text string) {
	if text == "" {
		return
	}
	w.raw("<" + name + ">")
	w.text(text)
	w.raw("</" + name + ">")
}

// date writes a date, with the attribute "when" if the date is in RFC 3339 format.
func (w *writer) date(kind, date string) {
	if date == "" {
		return
	}
	w.raw("<date")
	w.attr("type", kind)
	w.when(date)
	w.raw(">")
	w.text(date)
	w.raw("</date>")
}

// when writes the attribute "when" if date is an RFC 3339 date or date-time.
func (w *writer) when(date string) {
	for _, layout := range [...]string{time.RFC3339, time.DateOnly} {
		if _, err := time.Parse(layout, date); err == nil {
			w.attr("when", date)
		}
	}
}
