package records

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"chaffinch/format/vertical"
)

// verticalForm reads vertical and prevertical files. A document extends from its tag to its
// closing tag, or to the tag of the next document.
type verticalForm struct {
	r           *Reader
	l           *lines
	open, close []byte // "<doc" and "\n</doc"
	tag         vertical.Tag
	column      int
	running     bool // a prevertical
	compat      bool
	breaks      int // number of breaks between the tokens of the current paragraph
	glued       int // start of its entries in d.glue
}

func newVerticalForm(r *Reader) *verticalForm {
	return &verticalForm{
		r: r, l: r.lines, open: []byte("<" + r.cfg.Doc), close: []byte("\n</" + r.cfg.Doc),
		column: r.cfg.Column, running: r.format == Prevertical, compat: r.cfg.Compat == Onion,
	}
}

func (f *verticalForm) next(d *Doc) (bool, error) {
	var line int64
	for {
		if ok, err := f.seekDoc(d); !ok || err != nil {
			return false, err
		}
		d.Source.Offset = f.l.in.At(f.l.in.Pos())
		line = f.l.n + 1
		err := f.gather(d)
		if err == nil {
			break
		}
		if err != errLong {
			return false, err
		}
		f.r.tooLong(line, d.Source.Offset, "is <"+f.r.cfg.Doc+"> the structure of documents?")
		if err := f.r.pass(d); err != nil {
			return false, err
		}
	}
	d.Tokenized = !f.running
	d.place.docName, d.place.paraName = f.r.cfg.Doc, f.r.cfg.Para
	switch {
	case f.compat:
		f.parseCompat(d)
	default:
		f.parse(d)
	}
	var k known
	f.attributes(d, &k)
	d.set(&k, line, f.r.files.Current().Name)
	return true, nil
}

// seekDoc skips input before the next document and reports whether there is one.
func (f *verticalForm) seekDoc(d *Doc) (bool, error) {
	for {
		head, _ := f.l.in.Peek(len(f.open) + 1)
		if f.compat && len(head) > 0 && f.l.n == 0 || opens(head, f.r.cfg.Doc) {
			return true, nil
		}
		f.l.in.Forget()
		raw, err := f.l.next(d.Raw[:0])
		if err != nil {
			return false, err
		}
		d.Raw = raw[:0]
		f.r.outside(raw)
		if f.l.damage != nil {
			f.r.damaged()
			continue
		}
		if len(raw) == 0 {
			return false, nil
		}
	}
}

// errLong is returned for a document longer than the limit.
var errLong = errors.New("too long")

// gather reads the bytes of the current document into d.Raw.
func (f *verticalForm) gather(d *Doc) error {
	from := 0 // where the search for the next tag starts
	for {
		b, err := f.l.in.Buffered()
		if err != nil {
			if err := f.l.stop(err); err != nil {
				return err
			}
			f.l.n += int64(bytes.Count(d.Raw, newline))
			if n := len(d.Raw); n > 0 && d.Raw[n-1] != '\n' {
				f.l.n++
			}
			if f.l.damage != nil {
				f.r.damaged()
			}
			return f.fits(d)
		}
		had := len(d.Raw)
		d.Raw = append(d.Raw, b...)
		end, next := f.end(d.Raw, from)
		if end < 0 {
			f.l.in.Discard(int64(len(b)))
			if from = next; len(d.Raw) > f.l.max {
				f.l.n += int64(bytes.Count(d.Raw, newline))
				f.l.long = d.Raw[len(d.Raw)-1] != '\n'
				return errLong
			}
			continue
		}
		if end >= had {
			f.l.in.Discard(int64(end - had))
		} else {
			f.l.in.Unread(d.Raw[end:had])
		}
		d.Raw = d.Raw[:end]
		f.l.n += int64(bytes.Count(d.Raw, newline))
		return f.fits(d)
	}
}

// fits returns an error if the whole document in d.Raw exceeds the limit.
func (f *verticalForm) fits(d *Doc) error {
	if len(d.Raw) <= f.l.max {
		return nil
	}
	f.l.long = false // nothing of it is left to read
	return errLong
}

var newline = []byte{'\n'}

// end returns the end of the document at the start of raw. It searches from the line end at or
// after from. If the end is not yet known, it returns -1 and the position to search from next
// time.
func (f *verticalForm) end(raw []byte, from int) (end, next int) {
	limit := len(raw)
	next = max(from, len(raw)-len(f.close)-2)
	end = -1
	for i := from; !f.compat; i++ { // in compat mode the closing tag and the following lines belong to the last paragraph
		k := bytes.Index(raw[i:], f.close)
		if k < 0 {
			break
		}
		i += k
		n := bytes.IndexByte(raw[i+1:], '\n')
		if n < 0 {
			next, limit = i, i
			break
		}
		if closes(raw[i+1:i+2+n], f.r.cfg.Doc) {
			end, limit = i+2+n, i+2+n
			break
		}
	}
	for i := from + 1; i < limit; i++ {
		k := bytes.Index(raw[i:limit], f.open)
		if k < 0 {
			break
		}
		i += k
		if raw[i-1] == '\n' && opens(raw[i:limit], f.r.cfg.Doc) {
			return i, 0
		}
	}
	return end, next
}

// parse finds the paragraphs in d.Raw: the paragraph structures with their tags, and contiguous
// lines outside of them. Without paragraph structures, the whole document is one paragraph.
func (f *verticalForm) parse(d *Doc) {
	f.breaks, f.glued = 0, 0
	raw := d.Raw
	para := f.r.cfg.Para
	begin, at := -1, 0 // start of the current paragraph in Raw, in d.text
	tagged, last := false, 0
	for i := 0; i < len(raw); i = last {
		n := bytes.IndexByte(raw[i:], '\n') + 1
		if n == 0 {
			n = len(raw) - i
		}
		last = i + n
		line := raw[i:last]
		if line[0] != '<' {
			if begin < 0 {
				begin, at, tagged = i, len(d.text), false
			}
			f.token(d, line, at)
			continue
		}
		switch {
		case i == 0:
			d.place.head = n
			continue
		case opens(line, para):
			f.endPara(d, begin, i, at, tagged)
			begin, at, tagged = i, len(d.text), true
			if isBad(line) {
				last = f.pass(raw, last)
				begin = -1
			}
			continue
		case closes(line, para):
			if begin >= 0 && tagged {
				f.endPara(d, begin, last, at, true)
				begin = -1
			}
			continue
		case closes(line, f.r.cfg.Doc):
			f.endPara(d, begin, i, at, tagged)
			begin = -1
			continue
		}
		name, tag := tagName(line)
		if begin < 0 {
			begin, at, tagged = i, len(d.text), false
		}
		switch {
		case !tag:
			f.token(d, line, at)
		case string(name) == "g" && len(d.text) > at:
			d.glue = append(d.glue, int32(f.breaks))
		}
	}
	f.endPara(d, begin, len(raw), at, tagged)
}

// pass returns the end of the paragraph whose tag ends at from in raw.
func (f *verticalForm) pass(raw []byte, from int) int {
	for i := from; i < len(raw); {
		n := bytes.IndexByte(raw[i:], '\n') + 1
		if n == 0 {
			return len(raw)
		}
		line := raw[i : i+n]
		if closes(line, f.r.cfg.Para) {
			return i + n
		}
		if opens(line, f.r.cfg.Para) || closes(line, f.r.cfg.Doc) {
			return i
		}
		i += n
	}
	return len(raw)
}

// endPara ends the paragraph that began at begin, if it has a token or a tag.
func (f *verticalForm) endPara(d *Doc, begin, end, at int, tagged bool) {
	glue := d.glue[f.glued:len(d.glue):len(d.glue)]
	f.breaks, f.glued = 0, len(d.glue)
	if begin < 0 || !tagged && len(d.text) == at {
		return
	}
	text := d.text[at:len(d.text):len(d.text)]
	if !f.compat {
		text = vertical.Unescape(text) // in place, shorter
	}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	d.add(Para{Text: text, Start: begin, End: end, stop: end, glue: glue})
}

// token appends the token of a line, or its running text, to the paragraph whose text began at
// at.
func (f *verticalForm) token(d *Doc, line []byte, at int) {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	line = line[:n]
	if f.running {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return
		}
		if len(d.text) > at {
			d.text = append(d.text, ' ')
		}
		d.text = append(d.text, line...)
		return
	}
	for c := f.column; ; c-- {
		k := bytes.IndexByte(line, '\t')
		if c == 0 {
			if k >= 0 {
				line = line[:k]
			}
			break
		}
		if k < 0 {
			line = nil // a column that the line lacks
			break
		}
		line = line[k+1:]
	}
	if n == 0 {
		return
	}
	if len(d.text) > at {
		d.text = append(d.text, '\n')
		f.breaks++
	}
	d.text = append(d.text, line...)
}

// parseCompat splits d.Raw into paragraphs as onion does. Each paragraph begins with the line
// of its tag, the first one with the document's tag.
func (f *verticalForm) parseCompat(d *Doc) {
	f.breaks, f.glued = 0, 0
	raw := d.Raw
	begin, at := 0, 0
	closed := false // whether a paragraph was closed by its tag
	for i := 0; i < len(raw); {
		n := bytes.IndexByte(raw[i:], '\n') + 1
		if n == 0 {
			n = len(raw) - i
		}
		line := raw[i : i+n]
		switch {
		case i == 0 && line[0] == '<':
			d.place.head = n
		case line[0] == '<' && closes(line, f.r.cfg.Doc):
		case i > 0 && (closed || line[0] == '<' && (opens(line, f.r.cfg.Para) || opens(line, f.r.cfg.Doc))):
			f.endPara(d, begin, i, at, true)
			begin, at, closed = i, len(d.text), false
		}
		if line[0] != '<' {
			f.token(d, line, at)
		} else if closes(line, f.r.cfg.Para) {
			closed = true
		}
		i += n
	}
	f.endPara(d, begin, len(raw), at, true)
}
