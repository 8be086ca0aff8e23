package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// decodeUTF8 decodes raw, which is mostly UTF-8 and begins at an offset in the page. Lines with
// bytes above 127 but without a UTF-8 character are decoded from the encoding in which they
// read best together. Broken characters in other lines are replaced.
func (d *Detector) decodeUTF8(raw []byte, ev evidence, name, from string, offset int) Result {
	r := Result{Name: name, From: from, Confidence: 1, FirstReplaced: -1}
	if ev.valid || utf8.Valid(raw) {
		r.Text = asText(raw)
		return r
	}
	var other *codec
	var foreign []byte
	for line := range bytes.Lines(raw) {
		if legacyLine(line) && len(foreign) < sampleScan {
			foreign = append(foreign, line...)
		}
	}
	if len(foreign) > 0 {
		if c := d.Rank(nil, foreign, 1); len(c) > 0 && c[0].Confidence >= 0.5 {
			other = codecOf[c[0].Name]
		}
	}
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/16)
	at := 0
	for line := range bytes.Lines(raw) {
		if other != nil && legacyLine(line) {
			if text, unknown, _ := other.decode(line); unknown == 0 {
				b.WriteString(text)
				r.Mixed++
				r.MixedAs = other.name
				at += len(line)
				continue
			}
		}
		n, first := appendUTF8(&b, line)
		if n > 0 && r.Replaced == 0 {
			r.FirstReplaced = offset + at + first
		}
		r.Replaced += n
		at += len(line)
	}
	r.Text = b.String()
	return r
}

// legacyLine reports whether a line has bytes above 127, but no multi-byte UTF-8 character.
func legacyLine(line []byte) bool {
	i := asciiPrefix(line)
	if i == len(line) {
		return false
	}
	for i < len(line) {
		if line[i] < utf8.RuneSelf {
			i++
			continue
		}
		if _, n := utf8.DecodeRune(line[i:]); n > 1 {
			return false
		}
		i++
	}
	return true
}

// appendUTF8 writes raw as valid UTF-8. It returns the number of replaced characters and the
// offset of the first.
func appendUTF8(b *strings.Builder, raw []byte) (replaced, first int) {
	from := 0
	for i := 0; i < len(raw); {
		if k := asciiPrefix(raw[i:]); k > 0 {
			i += k
			continue
		}
		if r, n := utf8.DecodeRune(raw[i:]); r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		b.Write(raw[from:i])
		b.WriteString("\uFFFD")
		if replaced++; replaced == 1 {
			first = i
		}
		i++
		for i < len(raw) && raw[i]&0xC0 == 0x80 { // one replacement per broken character
			i++
		}
		from = i
	}
	b.Write(raw[from:])
	return replaced, first
}
