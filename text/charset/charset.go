// Package charset decodes the bytes of web pages to UTF-8. [Decode] decodes a page; [New]
// makes a [Detector] with settings of its own.
//
// Pages lie about their encoding, so the evidence of the bytes comes first:
// a byte-order mark, then UTF-16 by how it reads, then valid UTF-8. Between
// the other encodings a model decides: what language the letters of the page
// make in each of them (after chared: Pomikalek and Suchomel, "chared:
// Character Encoding Detection with a Known Language", RASLAN 2011, but
// without knowing the language). What the HTTP header or the page's meta tag
// declares is strong evidence, not law.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Result is a decoded page.
type Result struct {
	// Text is the page in valid UTF-8, without a byte-order mark. A page that
	// is valid UTF-8 as it came is not copied: Text then shares its bytes.
	Text string
	// Name is the WHATWG name of the encoding, such as "windows-1252"; those
	// that the standard lacks have their usual name, such as "cp852".
	Name string
	// From tells how Name was found: "bom", "http", "meta", "utf-8" (the bytes
	// are valid UTF-8), "detected" or "default".
	From string
	// Lang is the language that the choice of Name rests on, as a BCP 47 tag;
	// "" where no language was needed, or too few letters are beyond ASCII to
	// tell.
	Lang string
	// Confidence is an estimate of the probability that Text is right.
	Confidence float64
	// Replaced is the number of U+FFFD that stand for bytes that mean nothing
	// in the encoding; FirstReplaced is the offset in raw of the first, -1 if
	// there is none.
	Replaced, FirstReplaced int
	// Mixed is the number of lines of a page in UTF-8 that were read in
	// another encoding, MixedAs, since they are not UTF-8.
	Mixed   int
	MixedAs string
}

// headScan is how many bytes are looked at for a declaration.
const headScan = 64 << 10

// Decode decodes raw, which must not be changed as long as the Text of the
// result is used. httpCharset is the charset parameter of the HTTP
// Content-Type header, "" if there is none; any label is survived.
func Decode(raw []byte, httpCharset string) Result { return standard().Decode(raw, httpCharset) }

// Decode is as the function of that name.
func (d *Detector) Decode(raw []byte, httpCharset string) Result {
	r, _ := d.decode(raw, httpCharset, 0)
	return r
}

// Detect is Decode with the n best candidates, the chosen one first.
func (d *Detector) Detect(raw []byte, httpCharset string, n int) (Result, []Candidate) {
	r, cands := d.decode(raw, httpCharset, n)
	if len(cands) == 0 && n > 0 {
		cands = []Candidate{{Name: r.Name, Lang: r.Lang, Confidence: r.Confidence}}
	}
	return r, cands
}

func (d *Detector) decode(raw []byte, httpCharset string, n int) (Result, []Candidate) {
	for _, m := range marks {
		if !hasPrefix(raw, m.mark) {
			continue
		}
		rest := raw[len(m.mark):]
		if m.name == "utf-8" {
			return d.decodeUTF8(rest, weigh(rest), m.name, "bom", len(m.mark)), nil
		}
		return decodeAs(codecOf[m.name], rest, "bom", len(m.mark)), nil
	}
	if bytes.IndexByte(raw[:min(len(raw), wideScan)], 0) >= 0 || strings.HasPrefix(Name(httpCharset), "utf-16") {
		if c := d.wideByReading(raw); c != nil {
			return decodeAs(c, raw, "detected", 0), nil
		}
	}
	if c := d.ebcdicByReading(raw, resolve(httpCharset)); c != nil {
		return decodeAs(c, raw, "detected", 0), nil
	}
	ev := weigh(raw)
	http, meta := resolve(httpCharset), ""
	if !d.cfg.NoMeta && (http == "" || !ev.isUTF8() || http != "utf-8") {
		meta = declared(raw[:min(len(raw), headScan)])
	}
	for _, label := range [...]*string{&http, &meta} {
		if c := codecOf[*label]; c != nil && c.ebcdic != nil {
			*label = "" // whoever read the label, or what does not look like it, is not in EBCDIC
		}
	}
	declares := [...]declaration{{http, "http"}, {meta, "meta"}}
	switch {
	case ev.ascii:
		return decodeASCII(raw, ev, declares[:]), nil
	case ev.isUTF8():
		for _, l := range declares {
			if l.name == "utf-8" {
				return d.decodeUTF8(raw, ev, l.name, l.from, 0), nil
			}
		}
		return d.decodeUTF8(raw, ev, "utf-8", "utf-8", 0), nil
	}
	if c := byEscapes(raw); c != nil {
		if r := decodeAs(c, raw, "detected", 0); accept(r.From, utf8.RuneCountInString(r.Text), r.Replaced) {
			return r, nil
		}
	}
	return d.decodeLegacy(raw, declares[:], n)
}

// decodeLegacy decodes raw, which is neither Unicode nor ASCII, in the encoding
// in which it reads best.
func (d *Detector) decodeLegacy(raw []byte, declares []declaration, n int) (Result, []Candidate) {
	var declared *codec
	from := ""
	for _, l := range declares {
		if c := codecOf[l.name]; declared == nil && c != nil {
			declared, from = c, l.from
		}
	}
	if declared != nil && declared.state != nil {
		if r := decodeAs(declared, raw, from, 0); accept(from, utf8.RuneCountInString(r.Text), r.Replaced) {
			return r, nil
		}
		declared = nil
	}
	s := d.pool.Get().(*scratch)
	defer d.pool.Put(s)
	d.read(s, raw, declared)
	if len(s.results) == 0 {
		return decodeAs(codecOf["windows-1252"], raw, "default", 0), nil
	}
	best := s.results[0]
	cands := d.candidates(nil, s, max(n, 1))
	if best.codec != declared {
		from = "detected"
	}
	r := decodeAs(best.codec, raw, from, 0)
	r.Lang, r.Confidence = cands[0].Lang, cands[0].Confidence
	if r.Lang != "" && !namesLanguage(r.Text) {
		r.Lang = ""
		for i := range cands {
			cands[i].Lang = ""
		}
	}
	return r, cands[:min(n, len(cands))]
}

// marks are the byte-order marks; that of UTF-32 begins with that of UTF-16.
var marks = [...]struct{ mark, name string }{
	{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE\x00\x00", "utf-32le"}, {"\x00\x00\xFE\xFF", "utf-32be"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"},
}

// decodeAs decodes raw, which begins at an offset in the page, from c.
func decodeAs(c *codec, raw []byte, from string, offset int) Result {
	r := Result{Name: c.name, From: from, Confidence: 1}
	r.Text, _, r.Replaced, r.FirstReplaced = c.decode(raw)
	if r.FirstReplaced >= 0 {
		r.FirstReplaced += offset
	}
	return r
}

// declaration is what a page says of its encoding.
type declaration struct{ name, from string }

// decodeASCII decodes bytes that are all below 128: text in ASCII, which is
// the same in nearly all encodings, or in one that works by escape sequences.
func decodeASCII(raw []byte, ev evidence, declares []declaration) Result {
	if ev.escapes {
		if c := byEscapes(raw); c != nil {
			declares = append(declares, declaration{c.name, "detected"})
		}
		for _, l := range declares {
			if c := codecOf[l.name]; c != nil && c.state != nil {
				if r := decodeAs(c, raw, l.from, 0); accept(l.from, utf8.RuneCountInString(r.Text), r.Replaced) {
					return r
				}
			}
		}
	}
	r := Result{Text: asText(raw), Name: "utf-8", From: "utf-8", Confidence: 1, FirstReplaced: -1}
	for _, l := range declares {
		if l.name != "" {
			r.Name, r.From = l.name, l.from
			break
		}
	}
	return r
}

// hasEscapes reports whether ASCII text may be in an encoding that switches
// encodings by escape sequences.
func hasEscapes(raw []byte) bool {
	return bytes.IndexByte(raw, 0x1B) >= 0 || bytes.Contains(raw, []byte("~{"))
}

// byEscapes returns the encoding that the escape sequences in raw belong to,
// nil if there are none.
func byEscapes(raw []byte) *codec {
	if bytes.IndexByte(raw, 0x1B) >= 0 {
		if bytes.Contains(raw[:min(len(raw), 1024)], []byte("\x1B$)C")) {
			return codecOf["iso-2022-kr"]
		}
		for _, e := range [...]string{"\x1B$B", "\x1B$@", "\x1B(J", "\x1B$(D"} {
			if bytes.Contains(raw, []byte(e)) {
				return codecOf["iso-2022-jp"]
			}
		}
	}
	if isHZ(raw) {
		return codecOf["hz-gb-2312"]
	}
	return nil
}

// isHZ reports whether raw has text in HZ (RFC 1843): between "~{" and "~}"
// pairs of the rows of GB 2312, and more of them than other ones.
func isHZ(raw []byte) bool {
	good, bad := 0, 0
	for {
		i := bytes.Index(raw, []byte("~{"))
		if i < 0 {
			return good > bad
		}
		raw = raw[i+2:]
		n := bytes.Index(raw, []byte("~}"))
		if n < 2 || n%2 != 0 || bytes.IndexByte(raw[:n], '\n') >= 0 {
			bad++
			continue
		}
		ok := true
		for k := 0; k < n; k += 2 {
			ok = ok && 0x21 <= raw[k] && raw[k] <= 0x77 && 0x21 <= raw[k+1] && raw[k+1] <= 0x7E
		}
		if ok {
			good++
		} else {
			bad++
		}
		raw = raw[n+2:]
	}
}

// evidence is what the bytes tell of UTF-8.
type evidence struct {
	valid   bool // all of it is valid
	ascii   bool // no byte above 127
	escapes bool // an escape character or "~{", as in ISO 2022 and HZ
	good    int  // valid sequences of two bytes or more
	long    int  // those of three or more, which other encodings have hardly ever
	bad     int  // bytes that belong to none
}

// isUTF8 reports whether the bytes are UTF-8 for certain: valid, or with few
// broken characters, as pages have that were cut or glued. Text in a legacy
// encoding has hardly a valid sequence.
func (e evidence) isUTF8() bool {
	return e.valid || e.bad == 0 || e.good >= 3*e.bad || e.long >= 2 && 3*e.long >= e.bad
}

// weigh counts the evidence; in text that is not UTF-8 only that of the first
// megabyte.
func weigh(raw []byte) (e evidence) {
	plain := asciiPrefix(raw)
	if plain == len(raw) {
		return evidence{valid: true, ascii: true, escapes: hasEscapes(raw)}
	}
	if utf8.Valid(raw[plain:]) {
		return evidence{valid: true}
	}
	text := raw[:min(len(raw), 1<<20)]
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		if n == 1 {
			e.bad++
		} else {
			e.good++
			if n > 2 {
				e.long++
			}
		}
		i += n
	}
	if len(text) < len(raw) && e.bad < utf8.UTFMax && e.bad > 0 {
		e.bad-- // the cut may have split a character
	}
	return e
}

// accept reports whether a page with so many known and unknown characters
// beyond ASCII can be in the encoding.
func accept(from string, known, unknown int) bool {
	return from == "default" || unknown <= 2 || unknown*20 <= known
}

// asText returns raw, which is valid UTF-8, without copying it.
func asText(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

func hasPrefix(raw []byte, p string) bool { return len(raw) >= len(p) && string(raw[:len(p)]) == p }
