// Package charset decodes the bytes of web pages to UTF-8. [Decode] decodes a page, and [New]
// returns a [Detector] with custom settings.
//
// Pages often declare a wrong encoding, so the evidence of the bytes comes first: a byte-order
// mark, then UTF-16 by its readability, then valid UTF-8. A model decides among the other
// encodings, by the language that the letters of the page form in each of them. The method
// follows chared, without a known language (Pomikalek and Suchomel, "chared: Character Encoding
// Detection with a Known Language", RASLAN 2011). The declaration in the HTTP header or the
// page's meta tag is strong evidence, but does not decide alone.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Result is a decoded page.
type Result struct {
	// Text is the page in valid UTF-8, without a byte-order mark. A page that is already valid
	// UTF-8 is not copied: Text then shares its bytes.
	Text string
	// Name is the WHATWG name of the encoding, such as "windows-1252". Encodings that the
	// standard lacks have their usual name, such as "cp852".
	Name string
	// From is the source of Name: "bom", "http", "meta", "utf-8" (the bytes are valid UTF-8),
	// "detected" or "default".
	From string
	// Lang is the language on which the choice of Name is based, as a BCP 47 tag. It is "" if
	// no language was needed, or if there are too few non-ASCII letters.
	Lang string
	// Confidence is the estimated probability that Text is right.
	Confidence float64
	// Replaced is the number of U+FFFD that replace bytes without meaning in the encoding.
	// FirstReplaced is the offset in raw of the first such byte, -1 if there is none.
	Replaced, FirstReplaced int
	// Mixed is the number of lines of a UTF-8 page that are not UTF-8 and were decoded from
	// another encoding, MixedAs.
	Mixed   int
	MixedAs string
}

// headScan is the number of bytes that are searched for a declaration.
const headScan = 64 << 10

// Decode decodes raw, which must not be changed while the Text of the result is used.
// httpCharset is the charset parameter of the HTTP Content-Type header, "" if there is none.
// Any label is accepted.
func Decode(raw []byte, httpCharset string) Result { return standard().Decode(raw, httpCharset) }

// Decode is like the function [Decode], with the settings of d.
func (d *Detector) Decode(raw []byte, httpCharset string) Result {
	r, _ := d.decode(raw, httpCharset, 0)
	return r
}

// Detect is like Decode and also returns the n best candidates, the chosen one first.
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
			*label = "" // the label was readable, or raw does not look like EBCDIC
		}
	}
	declares := [...]declaration{{http, "http"}, {meta, "meta"}}
	switch {
	case ev.ascii:
		return decodeASCII(raw, ev, declares[:]), nil
	case ev.isUTF8() || ev.good >= ev.bad:
		for _, l := range declares {
			if l.name == "utf-8" {
				return d.decodeUTF8(raw, ev, l.name, l.from, 0), nil
			}
		}
		if !ev.isUTF8() { // half of the characters suffice only with a declaration
			break
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

// decodeLegacy decodes raw, which is neither Unicode nor ASCII, from the encoding in which it
// reads best.
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

// marks are the byte-order marks. The mark of UTF-32 begins with the mark of UTF-16 and
// precedes it.
var marks = [...]struct{ mark, name string }{
	{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE\x00\x00", "utf-32le"}, {"\x00\x00\xFE\xFF", "utf-32be"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"},
}

// decodeAs decodes raw, which begins at an offset in the page, from c.
func decodeAs(c *codec, raw []byte, from string, offset int) Result {
	r := Result{Name: c.name, From: from, Confidence: 1}
	r.Text, r.Replaced, r.FirstReplaced = c.decode(raw)
	if r.FirstReplaced >= 0 {
		r.FirstReplaced += offset
	}
	return r
}

// declaration is an encoding that a page declares, and the source of the declaration.
type declaration struct{ name, from string }

// decodeASCII decodes bytes that are all below 128: text in ASCII, which is the same in nearly
// all encodings, or in an encoding with escape sequences.
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

// byEscapes returns the encoding to which the escape sequences in raw belong, nil if there are
// none.
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

// isHZ reports whether raw has text in HZ (RFC 1843): more sections between "~{" and "~}" that
// are pairs of GB 2312 rows than other sections.
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

// evidence is the evidence of the bytes for UTF-8.
type evidence struct {
	valid   bool // all of it is valid
	ascii   bool // no byte above 127
	escapes bool // an escape character or "~{", as in ISO 2022 and HZ
	good    int  // number of valid sequences of two bytes or more
	long    int  // number of valid sequences of three bytes or more, which are rare in other encodings
	bad     int  // number of bytes outside valid sequences
}

// isUTF8 reports whether the bytes are certainly UTF-8: valid, or with few broken characters,
// as in pages that were cut or concatenated. Text in a legacy encoding has hardly any valid
// sequence.
func (e evidence) isUTF8() bool {
	return e.valid || e.bad == 0 || e.good >= 3*e.bad || e.long >= 2 && 3*e.long >= e.bad
}

// weigh returns the evidence. For text that is not valid UTF-8 it examines only the first
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
		e.bad-- // the limit may have split a character
	}
	return e
}

// accept reports whether a page with these numbers of known and unknown non-ASCII characters
// can be in the encoding.
func accept(from string, known, unknown int) bool {
	return from == "default" || unknown <= 2 || unknown*20 <= known
}

// asText returns raw, which is valid UTF-8, without copying it.
func asText(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

func hasPrefix(raw []byte, p string) bool { return len(raw) >= len(p) && string(raw[:len(p)]) == p }
