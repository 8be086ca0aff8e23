package tei

import (
	"cmp"
	"time"
)

// header writes the teiHeader.
func (w *writer) header() {
	p := w.p
	w.raw("<teiHeader>\n<fileDesc>\n<titleStmt>")
	w.element("title", cmp.Or(p.Meta.Title, p.URL, p.ID))
	w.raw("</titleStmt>\n<publicationStmt><p/></publicationStmt>\n<sourceDesc>\n<bibl>")
	w.element("title", p.Meta.Title)
	w.date("", p.Meta.Date)
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
	w.raw("</teiHeader>\n")
}

// profile writes the profileDesc, if there is anything to say in it.
func (w *writer) profile() {
	p := w.p
	n := len(w.dst)
	w.raw("<profileDesc>")
	empty := len(w.dst)
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
	if len(w.dst) == empty {
		w.dst = w.dst[:n]
		return
	}
	w.raw("</profileDesc>\n")
}

// element writes an element with text, unless that is empty.
func (w *writer) element(name, text string) {
	if text == "" {
		return
	}
	w.raw("<" + name + ">")
	w.text(text)
	w.raw("</" + name + ">")
}

// date writes a date; its attribute "when" takes RFC 3339 only.
func (w *writer) date(kind, date string) {
	if date == "" {
		return
	}
	w.raw("<date")
	w.attr("type", kind)
	for _, layout := range [...]string{time.RFC3339, time.DateOnly} {
		if _, err := time.Parse(layout, date); err == nil {
			w.attr("when", date)
		}
	}
	w.raw(">")
	w.text(date)
	w.raw("</date>")
}
