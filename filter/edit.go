package filter

import (
	"cmp"
	"unsafe"
)

// edit applies the line rules of a group to d and passes the rest on to the following groups.
// cut returns the first line of a text. keep returns the kept part of a line, and the rule that
// drops the line. was holds the tokens of the line if its field from is not negative; keep sets
// from to -1 if it changes the line.
func (s *Scorer) edit(d *doc, group string, cut func(text string) (line string, size int), keep func(text string, was *line) (left, why string)) {
	s.buf = s.buf[:0]
	left := &s.spare
	left.reset()
	var known []line
	var was line // here, so that it is allocated once
	name, rule := "", ""
	if d.tokenized {
		s.tokens(d)
		known = d.lines
	}
	for _, p := range d.paras {
		mark := &s.out.Lines[p.of]
		at, why := -1, ""
		for start := p.start; start < p.end; {
			text, n := cut(d.text[start:p.end])
			for len(known) > 0 && known[0].start < start {
				known = known[1:]
			}
			was = line{from: -1, sentences: -1}
			if len(known) > 0 && known[0].start == start && known[0].end == start+len(text) {
				was = known[0]
			}
			start += n
			text, reason := keep(text, &was)
			if reason != "" {
				why = cmp.Or(why, reason)
				continue
			}
			if len(s.buf) > 0 {
				s.buf = append(s.buf, '\n')
			}
			was.moved = len(s.buf) - was.start
			was.start = len(s.buf)
			s.buf = append(s.buf, text...)
			was.end = len(s.buf)
			left.lines = append(left.lines, was)
			if at < 0 {
				at = was.start
			}
		}
		if at < 0 {
			if why != rule {
				rule, name = why, group+"."+why
			}
			mark.Reason = name
			continue
		}
		left.paras = append(left.paras, para{start: at, end: len(s.buf), of: p.of})
	}
	s.leave(d)
	for _, p := range d.paras {
		mark, in := &s.out.Lines[p.of], s.in.Paras[p.of]
		mark.Text = d.text[p.start:p.end]
		mark.Changed = mark.Text != s.in.Whole[in.Start:in.End]
	}
}

// leave replaces the text of d by s.buf without surrounding white space, and its parts by
// s.spare. The lines in s.spare still hold their old tokens.
func (s *Scorer) leave(d *doc) {
	was := d.text
	if d.text != string(s.buf) {
		d.text = unsafe.String(unsafe.SliceData(s.buf), len(s.buf))
		s.buf, s.left = s.left, s.buf // the next edit reads the text in s.left
	}
	text := trimLeft(d.text)
	cut := len(d.text) - len(text)
	d.text = trimRight(text)
	shift := func(start, end *int) {
		*start = min(max(*start-cut, 0), len(d.text))
		*end = min(max(*end-cut, 0), len(d.text))
	}
	d.parts, s.spare = s.spare, d.parts
	for i := range d.paras {
		shift(&d.paras[i].start, &d.paras[i].end)
	}
	if d.text != was {
		d.measured = measured{}
	}
	lines := d.lines[:0]
	for _, l := range d.lines {
		shift(&l.start, &l.end)
		l.moved -= cut
		if l.start < l.end {
			lines = append(lines, l)
		}
	}
	d.lines, d.stale = lines, d.tokenized
}

// moveTokens sets the tokens of d, which are still the tokens before an edit.
func (s *Scorer) moveTokens(d *doc) {
	lines := d.lines
	d.lines, d.stale = d.lines[:0], false // appends follow the lines being read
	for _, l := range lines {
		if l.from < 0 {
			s.tokenize(d, l.start, l.end)
			continue
		}
		words, by := s.spare.words[l.from:l.to], int32(l.moved)
		l.from = len(d.words)
		for _, w := range words {
			w.Start, w.End = w.Start+by, w.End+by
			d.words = append(d.words, w)
		}
		l.to = len(d.words)
		d.lines = append(d.lines, l)
	}
}
