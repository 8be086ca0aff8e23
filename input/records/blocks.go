package records

import (
	"errors"
	"slices"

	"chaffinch/internal/jsonscan"
)

// maxBlocks is the maximum nesting depth of blocks.
const maxBlocks = 200

// blocks reads the array of typed blocks at the current position. Each block with text,
// including nested blocks, is a paragraph.
func (f *jsonForm) blocks(d *Doc) error {
	s := &f.s
	d.place.elements = true
	d.Paras, d.text = d.Paras[:0], d.text[:0] // of an earlier field with the same name
	s.Take('[')
	if s.Take(']') {
		return nil
	}
	d.text = slices.Grow(d.text, len(s.B)-s.I)
	owed := -1 // index of the paragraph that the next comma belongs to
	for {
		if s.Space(); owed >= 0 {
			d.Paras[owed].End = s.I
			owed = -1
		}
		start, at := s.I, len(d.text)
		f.begin = at
		if err := f.block(d, 0); err != nil {
			return err
		}
		d.place.last = s.I
		if text := d.text[at:len(d.text):len(d.text)]; !isBlank(text) {
			d.add(Para{Text: text, Start: start, End: s.I, stop: s.I})
			owed = len(d.Paras) - 1
		} else {
			d.text = d.text[:at]
		}
		if s.Take(']') {
			return nil
		}
		if !s.Take(',') {
			return s.Bad("a comma or the end of the blocks")
		}
	}
}

// block reads one block and appends its text to d.text, unless the cleaner labelled it as bad.
func (f *jsonForm) block(d *Doc, depth int) error {
	s := &f.s
	if depth > maxBlocks {
		return errors.New("blocks are nested more than 200 deep")
	}
	if !s.Take('{') {
		return s.Bad("a block, which is an object")
	}
	at, bad := len(d.text), false
	for more := !s.Take('}'); more; {
		k, err := s.Str()
		if err != nil {
			return err
		}
		if !s.Take(':') {
			return s.Bad("a colon")
		}
		if s.Space(); s.I == len(s.B) {
			return jsonscan.ErrShort
		}
		c := s.B[s.I]
		switch {
		case c == '"' && string(k) == "text":
			err = f.blockText(d)
		case c == '"' && string(k) == "label":
			var v []byte
			v, err = s.Str()
			bad = string(v) == "bad" || string(v) == "short"
		case c == '[' && string(k) == "blocks":
			err = f.inner(d, depth+1)
		default:
			err = s.Skip()
		}
		if err != nil {
			return err
		}
		if more = s.Take(','); !more && !s.Take('}') {
			return s.Bad("a comma or the end of the block")
		}
	}
	if bad {
		d.text = d.text[:at]
	}
	return nil
}

// inner reads the blocks in a block.
func (f *jsonForm) inner(d *Doc, depth int) error {
	s := &f.s
	s.Take('[')
	if s.Take(']') {
		return nil
	}
	for {
		if err := f.block(d, depth); err != nil {
			return err
		}
		if s.Take(']') {
			return nil
		}
		if !s.Take(',') {
			return s.Bad("a comma or the end of the blocks")
		}
	}
}

// blockText appends a text to the text of the enclosing block, separated by a blank. Line
// breaks become blanks.
func (f *jsonForm) blockText(d *Doc) error {
	v, err := f.s.Str()
	if err != nil {
		return err
	}
	if len(d.text) > f.begin {
		d.text = append(d.text, ' ')
	}
	at := len(d.text)
	if d.text, _, err = jsonscan.Unquote(d.text, v, len(v)+8); err != nil {
		return err
	}
	for i := at; i < len(d.text); i++ {
		if c := d.text[i]; c == '\n' || c == '\r' {
			d.text[i] = ' '
		}
	}
	return nil
}
