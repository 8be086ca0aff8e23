package annotate

import (
	"fmt"
	"strings"
)

// foldedRows is how many rows a line takes at most unless lines are unfolded.
const foldedRows = 3

// margin is the columns before a line: cursor, label, doubt, blank.
const margin = 4

// maxShown is how many bytes of a line are looked at, more than a screen shows.
const maxShown = 1 << 16

// body is the number of rows for lines.
func (s *State) body() int { return max(s.height-2, 1) }

// rows returns a line as it is shown.
func (s *State) rows(line int) []string {
	most := foldedRows
	if s.unfolded {
		most = 0
	}
	if b := s.body(); most == 0 || most > b {
		most = b
	}
	text := s.cur().Lines[line].Text
	if len(text) > maxShown {
		text = text[:maxShown]
	}
	return wrap(safe(text), max(s.width-margin, 2), most)
}

// follow moves what is shown so that the cursor is in it, and no rows are empty
// behind the last line as long as there are lines above.
func (s *State) follow() {
	last := len(s.cur().Lines) - 1
	s.line = min(max(s.line, 0), last)
	s.top = min(s.top, s.line)
	for i, left := last, s.body(); i >= 0; i-- {
		if left -= len(s.rows(i)); left < 0 {
			break
		}
		s.top = min(s.top, i)
	}
	room := s.body()
	for i := s.line; i >= s.top; i-- {
		if room -= len(s.rows(i)); room < 0 {
			s.top = min(i+1, s.line)
			return
		}
	}
}

// page moves the cursor by a screen.
func (s *State) page(by int) {
	room, last := s.body(), len(s.cur().Lines)-1
	if by > 0 {
		i := s.top
		for ; i <= last; i++ {
			if room -= len(s.rows(i)); room < 0 {
				break
			}
		}
		s.line = min(max(i, s.line+1), last)
		s.top = s.line
		return
	}
	i := s.top
	for ; i > 0; i-- {
		if room -= len(s.rows(i - 1)); room < 0 {
			break
		}
	}
	s.line = max(min(i, s.line-1), 0)
	s.top = s.line
}

// style is how a row looks on a terminal with colours (SGR, ECMA-48).
type style string

const (
	plainStyle style = ""
	barStyle   style = "7"
	textStyle  style = "32"
	chaffStyle style = "31"
)

// SetColor tells whether labels are marked by colours too.
func (s *State) SetColor(on bool) { s.cfg.Color = on }

// paint gives a row its style.
func (s *State) paint(row string, st style) string {
	if !s.cfg.Color {
		return strings.TrimRight(row, " ")
	}
	if st == plainStyle {
		return row
	}
	return "\x1b[" + string(st) + "m" + row + "\x1b[0m"
}

// Screen returns the rows of the screen: none is wider than it, and they are at
// most as many as it has. They hold no control characters but the colours, if
// there are any.
func (s *State) Screen() []string {
	if s.height < 3 {
		return s.lines()[:1]
	}
	out := []string{s.paint(fit(s.head(), s.width), barStyle)}
	if s.mode == helping {
		out = append(out, s.help()...)
	} else {
		out = append(out, s.lines()...)
	}
	for len(out) < s.height-1 {
		out = append(out, "")
	}
	return append(out, s.paint(fit(s.foot(), s.width), barStyle))
}

// lines returns the rows of the lines that are shown.
func (s *State) lines() []string {
	var out []string
	d := s.cur()
	from, to := s.selection()
	for i := s.top; i < len(d.Lines) && len(out) < s.body(); i++ {
		l := &d.Lines[i]
		st := plainStyle
		switch l.Label {
		case Text:
			st = textStyle
		case Boilerplate:
			st = chaffStyle
		}
		if l.Sure {
			st = "1;" + st
		}
		at := " "
		if s.anchor >= 0 && from <= i && i <= to {
			at = "|"
		}
		for n, row := range s.rows(i) {
			if len(out) == s.body() {
				break
			}
			mark := at + "   "
			if n == 0 {
				mark = at + s.mark(l)
			}
			st := st
			if i == s.line {
				if n == 0 {
					mark = ">" + mark[1:]
				}
				st = "7;" + st
			}
			out = append(out, s.paint(strings.TrimRight(firstColumns(mark+row, s.width), " "), style(strings.TrimSuffix(string(st), ";"))))
		}
	}
	return out
}

// mark returns the label of a line as a letter, a capital if a person gave it,
// and whether it is uncertain.
func (s *State) mark(l *Line) string {
	c := map[Label]string{None: ".", Text: "t", Boilerplate: "b"}[l.Label]
	if l.Sure {
		c = strings.ToUpper(c)
	}
	if l.Label != None && s.uncertain(l) {
		return c + "? "
	}
	return c + "  "
}

// head returns the row at the top.
func (s *State) head() string {
	d := s.cur()
	state := fmt.Sprintf("%d of %d lines", d.sure(), len(d.Lines))
	if d.Done {
		state = "this one too"
	}
	lang := ""
	if d.Lang != "" {
		lang = " (" + safe(d.Lang) + ")"
	}
	return fmt.Sprintf("document %d of %d, %d done; %s; %s%s", s.doc+1, len(s.Docs), s.Done(), state, safe(d.ID), lang)
}

// foot returns the row at the bottom.
func (s *State) foot() string {
	switch {
	case s.mode == searching:
		return "/" + safe(string(s.input)) + "_"
	case s.mode == helping:
		return "any key goes back"
	case s.message != "":
		return safe(s.message)
	}
	l := &s.cur().Lines[s.line]
	score := ""
	if l.Score >= 0 {
		score = fmt.Sprintf(" score %.2f", l.Score)
	}
	return fmt.Sprintf("line %d%s  t text  b boilerplate  ? help  enter: document done", s.line+1, score)
}
