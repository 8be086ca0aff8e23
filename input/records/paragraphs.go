package records

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"chaffinch/internal/jsonscan"
)

var errEscape = errors.New("not JSON: unknown escape in a string")

// paragraphs splits the string in Raw[start:end], without quotation marks, into lines. The
// spans of the paragraphs cover all of it if any line has text.
func (d *Doc) paragraphs(start, end int) error {
	raw := d.Raw
	d.place.text, d.place.end = start, end
	begin, at := start, len(d.text) // start of the current line in Raw and in d.text
	for i := start; ; {
		k := bytes.IndexByte(raw[i:end], '\\')
		if k < 0 {
			d.text = append(d.text, raw[i:end]...)
			d.line(begin, end, end, at)
			return nil
		}
		d.text = append(d.text, raw[i:i+k]...)
		i += k
		if i+1 >= end {
			return errEscape
		}
		n := 2
		c := unescaped[raw[i+1]]
		switch {
		case c == '\n' || c == '\r':
		case c != 0:
			d.text = append(d.text, c)
			i += n
			continue
		case raw[i+1] == 'u':
			n = 6
			if i+n+6 <= end && raw[i+6] == '\\' && raw[i+7] == 'u' {
				n = 12 // possibly the second half of a surrogate pair
			}
			var err error
			was := len(d.text)
			if d.text, _, err = jsonscan.Unquote(d.text, raw[i:min(i+n, end)], 100); err != nil {
				return err
			}
			if len(d.text) == was {
				return errEscape
			}
			first, size := utf8.DecodeRune(d.text[was:])
			if n == 12 && was+size < len(d.text) { // no pair: the second escape may be a line break
				n = 6
				d.text = d.text[:was+size]
			}
			if first != '\n' && first != '\r' {
				i += n
				continue
			}
			d.text = d.text[:was]
		default:
			return errEscape
		}
		d.line(begin, i, i+n, at)
		i += n
		begin, at = i, len(d.text)
	}
}

// unescaped maps the letter after a backslash to the character that the escape represents.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// line ends a line that began at begin in Raw and at at in d.text. The line ends at stop; the
// next line begins at next. A line without text belongs to the paragraph before it, or to the
// first paragraph.
func (d *Doc) line(begin, stop, next, at int) {
	text := d.text[at:len(d.text):len(d.text)]
	n, from := len(d.Paras), begin
	if isBlank(text) {
		d.text = d.text[:at]
		if n > 0 {
			d.Paras[n-1].End = next
		}
		return
	}
	if n == 0 {
		begin = d.place.text
	}
	d.add(Para{Text: text, Start: begin, End: next, from: from, stop: stop})
}
