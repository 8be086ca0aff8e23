package jsonl

import (
	"slices"

	"chaffinch/format/plain"
	"chaffinch/internal/jsonscan"
	"chaffinch/page"
)

// HTMLFields are the fields that [Config.FindHTML] tries, in order.
var HTMLFields = []string{"html", "raw_html", "content"}

// markup is the string of one of [HTMLFields].
type markup struct {
	key  string
	text []byte // between the quotation marks
	raw  []byte // with quotation marks
	cut  bool   // the line ends in the string
}

// markup reads the page of a line without text from one of [HTMLFields], and passes on the
// other fields. It reports whether a page was found.
func (r *Parser) markup(f *fields) (found bool, err error) {
	page := -1
	for _, key := range HTMLFields {
		i := slices.IndexFunc(f.markup, func(m markup) bool { return m.key == key })
		if f.has || page >= 0 || i < 0 || key == "content" && !isHTML(f.markup[i].text) {
			continue
		}
		page = i
	}
	for i := range f.markup {
		if m := &f.markup[i]; i == page {
			f.own = slices.DeleteFunc(f.own, named(m.key))
			f.page, f.whole, err = jsonscan.Unquote(nil, m.text, r.cfg.MaxPageBytes)
			f.has = err == nil
		} else if m.cut {
			f.own = slices.DeleteFunc(f.own, named(m.key))
		} else if e := f.pass(m.key, m.raw); e != nil && err == nil {
			err = e
		}
	}
	if !f.has || page < 0 {
		return false, err
	}
	if key := f.markup[page].key; r.cfg.OnHTML != nil && r.found != key {
		r.found = key
		r.cfg.OnHTML(key)
	}
	return true, err
}

func named(key string) func(page.Field) bool {
	return func(f page.Field) bool { return f.Name == key }
}

// isHTML reports whether the text of a JSON string begins like HTML.
func isHTML(text []byte) bool {
	head, _, err := jsonscan.Unquote(nil, text, plain.SniffBytes)
	return err == nil && plain.Sniff(head) == plain.HTML
}
