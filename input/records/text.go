package records

import (
	"bytes"
	"unicode/utf8"
)

// textForm reads plain text with one paragraph per line.
type textForm struct {
	r     *Reader
	l     *lines
	split string
}

func (f *textForm) next(d *Doc) (bool, error) {
	if f.split == SplitFile {
		return f.file(d)
	}
	first := int64(0) // line where the document begins
	over := false     // the document is too long: skip the rest of it
	for {
		at, begin := f.l.in.At(f.l.in.Pos()), len(d.Raw)
		raw, err := f.l.next(d.Raw)
		if err != nil {
			return false, err
		}
		d.Raw = raw
		if begin == 0 {
			d.Source.Offset, first = at, f.l.n
			if f.l.long { // not counted yet
				first++
			}
		}
		blank, damaged := isBlank(raw[begin:]), f.l.damage != nil
		switch {
		case over || len(raw) > f.l.max:
			if !over {
				f.r.tooLong(first, d.Source.Offset, longText)
			}
			over = f.split == SplitBlank && len(raw) > begin && (!blank || f.l.long)
			if err := f.r.pass(d); err != nil {
				return false, err
			}
			if len(raw) > begin || damaged {
				continue
			}
			return false, nil
		case damaged:
			f.r.damaged()
			if len(raw) == 0 {
				continue
			}
		case len(raw) == 0:
			return false, nil
		case f.split == SplitBlank && blank && begin == 0: // before a document
			f.r.outside(raw)
			d.Raw = raw[:0]
			continue
		}
		f.paragraph(d, begin)
		if f.split == SplitBlank && !damaged && len(raw) > begin {
			if !blank {
				continue
			}
			f.blanks(d)
		}
		d.finish(first, f.r.files.Current().Name)
		return true, nil
	}
}

// longText is advice for documents that are too long.
const longText = "are documents parted by empty lines, or one a line?"

// blanks consumes further empty lines after the one that ends the document.
func (f *textForm) blanks(d *Doc) {
	for {
		b, _ := f.l.in.Peek(2)
		n := 0
		switch {
		case len(b) > 0 && b[0] == '\n':
			n = 1
		case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
			n = 2
		default:
			return
		}
		d.Raw = append(d.Raw, b[:n]...)
		f.l.in.Discard(int64(n))
		f.l.n++
	}
}

// file reads the whole file as one document, and reports whether there is one. A line count of at
// least 1 marks that the document was returned.
func (f *textForm) file(d *Doc) (bool, error) {
	if f.l.n > 0 {
		return false, nil
	}
	d.Source.Offset = f.l.in.At(f.l.in.Pos())
	for {
		begin := len(d.Raw)
		raw, err := f.l.next(d.Raw)
		if err != nil {
			return false, err
		}
		d.Raw = raw
		if len(raw) > f.l.max {
			return false, f.whole(d)
		}
		switch {
		case len(raw) == begin:
		case !isBlank(raw[begin:]):
			f.paragraph(d, begin)
		case len(d.Paras) > 0:
			d.Paras[len(d.Paras)-1].End = len(raw)
		}
		if f.l.damage != nil {
			f.r.damaged()
			continue
		}
		if len(raw) == begin {
			break
		}
	}
	f.l.n = max(f.l.n, 1)
	d.place.folder = !f.r.files.Current().Named
	d.finish(0, f.r.files.Current().Name)
	return true, nil
}

// whole skips a file that is too long for a document.
func (f *textForm) whole(d *Doc) error {
	f.r.tooLong(0, d.Source.Offset, longText)
	for {
		if err := f.r.pass(d); err != nil {
			return err
		}
		raw, err := f.l.next(d.Raw)
		if err != nil || len(raw) == 0 && f.l.damage == nil {
			return err
		}
		d.Raw = raw
	}
}

// paragraph adds the line from byte begin of Raw to its end as a paragraph.
func (f *textForm) paragraph(d *Doc, begin int) {
	line := d.Raw[begin:]
	text := bytes.TrimRight(line, "\r\n")
	if isBlank(text) {
		return
	}
	at := len(d.text)
	d.text = appendUTF8(d.text, text)
	d.add(Para{Text: d.text[at:len(d.text):len(d.text)], Start: begin, End: len(d.Raw), from: begin, stop: begin + len(text)})
}

// appendUTF8 appends b with invalid UTF-8 replaced by U+FFFD.
func appendUTF8(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	return append(dst, bytes.ToValidUTF8(b, []byte("\ufffd"))...)
}
