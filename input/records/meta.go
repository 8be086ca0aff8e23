package records

import (
	"strconv"

	"chaffinch/text/langid"
)

// span is a part of Doc.meta.
type span struct{ start, end int }

func (s span) in(all string) string { return all[s.start:s.end] }

// known holds the fields of a document that are read, as parts of Doc.meta.
type known struct{ id, url, crawled, date, lang, license, optout, translated, pageType span }

// set sets the string fields of d. line is the number of the line where the document begins, 0
// if the file is the document.
func (d *Doc) set(k *known, line int64, file string) {
	if k.id == (span{}) {
		k.id = k.url
	}
	if k.id == (span{}) {
		begin := len(d.meta)
		d.meta = append(d.meta, file...)
		if line > 0 {
			d.meta = append(d.meta, '#')
			d.meta = strconv.AppendInt(d.meta, line, 10)
		}
		k.id = span{begin, len(d.meta)}
	}
	record := span{}
	if line > 0 {
		begin := len(d.meta)
		d.meta = strconv.AppendInt(d.meta, line, 10)
		record = span{begin, len(d.meta)}
	}
	if k.crawled == (span{}) {
		k.crawled = k.date
	}
	all := string(d.meta) // the only allocation per document
	d.ID, d.URL, d.Lang = k.id.in(all), k.url.in(all), langid.Canonical(k.lang.in(all))
	d.License, d.Optout, d.Translated, d.PageType = k.license.in(all), k.optout.in(all), k.translated.in(all), k.pageType.in(all)
	d.Date, d.Source.Record = rfc3339(k.crawled.in(all)), record.in(all)
}

// finish is like set for a document without fields.
func (d *Doc) finish(line int64, file string) {
	var k known
	d.set(&k, line, file)
}

// rfc3339 converts the 14 digits of a WARC index to a time, 8 digits to a day, and "2024-03-01
// 10:00" to the form with T.
func rfc3339(s string) string {
	if len(s) == 14 || len(s) == 8 {
		for i := range len(s) {
			if s[i] < '0' || s[i] > '9' {
				return s
			}
		}
		if len(s) == 8 {
			return s[:4] + "-" + s[4:6] + "-" + s[6:]
		}
		return s[:4] + "-" + s[4:6] + "-" + s[6:8] + "T" + s[8:10] + ":" + s[10:12] + ":" + s[12:] + "Z"
	}
	if len(s) > 16 && s[4] == '-' && s[7] == '-' && s[10] == ' ' {
		return s[:10] + "T" + s[11:]
	}
	return s
}
