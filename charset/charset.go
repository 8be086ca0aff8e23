// Package charset decodes the bytes of web pages to UTF-8.
//
// Pages lie about their encoding, so the evidence of the bytes comes first:
// a byte-order mark, then UTF-16 by its zero bytes, then valid UTF-8, and
// only then what the HTTP header and the page's meta tag declare, as long as
// the bytes can be that. Else the encoding is guessed from the bytes. Names
// of encodings are those of the WHATWG Encoding standard.
package charset

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Result is a decoded page.
type Result struct {
	// Text is the page in valid UTF-8, without a byte-order mark. A page that
	// is valid UTF-8 as it came is not copied: Text then shares its bytes.
	Text string
	// Name is the WHATWG name of the encoding, such as "windows-1252".
	Name string
	// From tells how Name was found: "bom", "http", "meta", "utf-8" (the bytes
	// are valid UTF-8, or UTF-16 by their zeros), "detected" or "default".
	From string
	// Replaced is the number of U+FFFD that stand for bytes that mean nothing
	// in the encoding.
	Replaced int
}

// sample is how many bytes are looked at for a declaration or a guess.
const sample = 64 << 10

// Decode decodes raw, which must not be changed as long as the Text of the
// result is used. httpCharset is the charset parameter of the HTTP
// Content-Type header, "" if there is none; any label is survived.
func Decode(raw []byte, httpCharset string) Result {
	switch {
	case hasPrefix(raw, "\xEF\xBB\xBF"):
		text, n := utf8Text(raw[3:])
		return Result{text, "utf-8", "bom", n}
	case hasPrefix(raw, "\xFF\xFE"):
		return decodeUTF16(raw[2:], "utf-16le", "bom")
	case hasPrefix(raw, "\xFE\xFF"):
		return decodeUTF16(raw[2:], "utf-16be", "bom")
	}
	if name := utf16ByZeros(raw); name != "" {
		return decodeUTF16(raw, name, "utf-8")
	}
	ev := weigh(raw)
	http := resolve(httpCharset)
	meta := ""
	if http == "" || !ev.isUTF8() || http != "utf-8" {
		meta = resolve(declared(raw[:min(len(raw), sample)]))
	}
	declares := [...]declaration{{http, "http"}, {meta, "meta"}}
	if ev.ascii {
		return decodeASCII(raw, ev, declares[:])
	}
	if ev.isUTF8() {
		text, n := asText(raw), 0
		if !ev.valid {
			text, n = utf8Text(raw)
		}
		for _, d := range declares {
			if d.name == "utf-8" {
				return Result{text, "utf-8", d.from, n}
			}
		}
		return Result{text, "utf-8", "utf-8", n}
	}
	for _, d := range declares {
		if d.name == "" || d.name == "utf-8" {
			continue // not UTF-8, as the bytes have shown
		}
		if r, ok := tryDecode(raw, d.name, d.from); ok {
			return r
		}
	}
	if name := detect(raw); name != "" {
		if r, ok := tryDecode(raw, name, "detected"); ok {
			return r
		}
	}
	r, _ := tryDecode(raw, "windows-1252", "default")
	return r
}

// declaration is what a page says of its encoding.
type declaration struct{ name, from string }

// decodeASCII decodes bytes that are all below 128: text in ASCII, which is
// the same in nearly all encodings, or in one that works by escape sequences.
func decodeASCII(raw []byte, ev evidence, declares []declaration) Result {
	if ev.escapes {
		for _, d := range append(declares, declaration{byEscapes(raw), "detected"}) {
			if d.name == "iso-2022-jp" || d.name == "hz-gb-2312" {
				if r, ok := tryDecode(raw, d.name, d.from); ok {
					return r
				}
			}
		}
	}
	for _, d := range declares {
		if d.name != "" {
			return Result{asText(raw), d.name, d.from, 0}
		}
	}
	return Result{asText(raw), "utf-8", "utf-8", 0}
}

// evidence is what the bytes tell of UTF-8.
type evidence struct {
	valid   bool // all of it is valid
	ascii   bool // no byte above 127
	escapes bool // an escape character or "~{", as in ISO 2022 and HZ
	good    int  // valid sequences of two bytes or more
	bad     int  // bytes that belong to none
}

// isUTF8 reports whether the bytes are UTF-8 for certain: valid, or with few
// broken characters, as pages have that were cut or glued. Text in a legacy
// encoding has hardly a valid sequence.
func (e evidence) isUTF8() bool {
	return e.valid || e.bad == 0 || e.good >= 20*e.bad
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
		}
		i += n
	}
	if len(text) < len(raw) && e.bad < utf8.UTFMax && e.bad > 0 {
		e.bad-- // the cut may have split a character
	}
	return e
}

// tryDecode decodes raw from the encoding called name. It refuses if more
// than one in twenty of the characters beyond ASCII are no characters there:
// then the name is wrong.
func tryDecode(raw []byte, name, from string) (Result, bool) {
	enc, canon := lookup(name)
	if enc == nil {
		return Result{}, false
	}
	r := Result{Name: canon, From: from}
	if cm, ok := enc.(*charmap.Charmap); ok {
		var known int
		r.Text, known, r.Replaced = decodeSingle(raw, cm)
		return r, accept(from, known, r.Replaced)
	}
	out, err := enc.NewDecoder().Bytes(raw)
	if err != nil {
		return Result{}, false
	}
	replaced, other := 0, 0
	for i := 0; i < len(out); {
		if out[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, n := utf8.DecodeRune(out[i:])
		if c == utf8.RuneError {
			replaced++
		} else {
			other++
		}
		i += n
	}
	r.Text, r.Replaced = strings.ToValidUTF8(string(out), "\uFFFD"), replaced
	return r, accept(from, other, replaced)
}

// accept reports whether a page with so many known and unknown characters
// beyond ASCII can be in the encoding.
func accept(from string, known, unknown int) bool {
	return from == "default" || unknown <= 2 || unknown*20 <= known
}

// lookup returns the decoder for a canonical name.
func lookup(name string) (encoding.Encoding, string) {
	if e := special[name]; e != nil {
		return e, name
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, ""
	}
	return enc, name
}

// asText returns raw, which is valid UTF-8, without copying it.
func asText(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// utf8Text returns raw as valid UTF-8 and the number of replaced bytes.
func utf8Text(raw []byte) (string, int) {
	if utf8.Valid(raw) {
		return asText(raw), 0
	}
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/16)
	replaced, from := 0, 0
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		if r, n := utf8.DecodeRune(raw[i:]); r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		b.Write(raw[from:i])
		b.WriteString("\uFFFD")
		replaced++
		i++
		for i < len(raw) && raw[i]&0xC0 == 0x80 { // one mark for one broken character
			i++
		}
		from = i
	}
	b.Write(raw[from:])
	return b.String(), replaced
}

func hasPrefix(raw []byte, p string) bool { return len(raw) >= len(p) && string(raw[:len(p)]) == p }
