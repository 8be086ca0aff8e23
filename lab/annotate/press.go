package annotate

import (
	"fmt"
	"slices"
	"strings"
)

// Effect is what the program must do after a key.
type Effect uint8

// The effects.
const (
	Nothing Effect = iota
	Save           // write the labels, then call Saved
	Quit           // end; the labels are written, or shall not be
)

// State is the work as it stands: the documents, the cursor, and what is shown.
// What it becomes follows from the keys alone.
type State struct {
	Docs []*Doc

	cfg           Config
	width, height int
	doc, line     int // where the cursor is
	top           int // the first line that is shown
	anchor        int // the other end of the range, -1 for none
	unfolded      bool
	mode          mode
	input         []rune // what is typed after "/"
	query         string
	message       string
	undo          []change
	saved         int // length of undo when the labels were written, -1 if it can't be that again
}

type mode uint8

const (
	labelling mode = iota
	searching
	helping
	quitting
)

// change is a step that can be taken back.
type change struct {
	doc, from int
	before    []Line
	done      bool
}

// Unsaved reports whether there is work that is not written.
func (s *State) Unsaved() bool { return len(s.undo) != s.saved }

// Saved tells that the labels were written, or why not.
func (s *State) Saved(where string, err error) {
	if err != nil {
		s.message = "NOT SAVED: " + err.Error()
		return
	}
	s.saved = len(s.undo)
	if s.message == "" {
		s.message = "saved: " + where
	}
}

// Done returns how many documents are done.
func (s *State) Done() (n int) {
	for _, d := range s.Docs {
		if d.Done {
			n++
		}
	}
	return n
}

// Resize tells how large the screen is.
func (s *State) Resize(width, height int) {
	s.width, s.height = max(width, 1), max(height, 1)
	if s.doc >= 0 {
		s.follow()
	}
}

// open goes to a document: to its first line that no person labelled, if it is
// not done.
func (s *State) open(doc int) {
	if s.doc != doc {
		s.doc, s.line, s.top = doc, 0, 0
		for i, l := range s.cur().Lines {
			if !l.Sure && !s.cur().Done {
				s.line = i
				break
			}
		}
	}
	s.anchor = -1
	s.propose(s.Docs[doc])
	s.follow()
}

func (s *State) cur() *Doc { return s.Docs[s.doc] }

// Press does what a key asks for.
func (s *State) Press(k Key) Effect {
	e := s.press(k)
	s.follow()
	return e
}

func (s *State) press(k Key) Effect {
	s.message = ""
	switch s.mode {
	case helping:
		s.mode = labelling
		return Nothing
	case searching:
		s.search(k)
		return Nothing
	case quitting:
		s.mode = labelling
		switch k {
		case "q", CtrlC:
			return Quit
		case "w":
			return Save
		}
		return Nothing
	}
	d := s.cur()
	last := len(d.Lines) - 1
	switch k {
	case Up, "k":
		s.line = max(s.line-1, 0)
	case Down, "j":
		s.line = min(s.line+1, last)
	case PageDown:
		s.page(1)
	case PageUp:
		s.page(-1)
	case Home, "g":
		s.line = 0
	case End, "G":
		s.line = last
	case Tab:
		s.nextUncertain()
	case "t":
		s.label(Text)
	case "b":
		s.label(Boilerplate)
	case Space:
		to := Text
		if d.Lines[s.line].Label == Text {
			to = Boilerplate
		}
		s.set(s.line, s.line, to)
	case "v":
		if s.anchor >= 0 {
			s.anchor = -1
		} else {
			s.anchor = s.line
			s.message = "range: go to its other end, then t or b; esc ends it"
		}
	case Esc:
		s.anchor = -1
	case "u":
		s.back()
	case "z":
		s.unfolded = !s.unfolded
	case "/":
		s.mode, s.input = searching, nil
	case "n":
		s.turn(1)
	case "p":
		s.turn(-1)
	case Enter:
		return s.accept()
	case "w":
		return Save
	case "?", "h":
		s.mode = helping
	case "q", CtrlC:
		if !s.Unsaved() {
			return Quit
		}
		s.mode = quitting
		s.message = "not saved: w saves, q quits without, any other key goes on"
	case "":
	default:
		s.message = fmt.Sprintf("%s does nothing: ? shows the keys", safe(string(k)))
	}
	return Nothing
}

// label gives the range, or the line of the cursor, a label, and goes to the line behind.
func (s *State) label(to Label) {
	from, end := s.selection()
	s.set(from, end, to)
	s.anchor = -1
	s.line = min(end+1, len(s.cur().Lines)-1)
}

// selection returns the first and the last line that a label goes to.
func (s *State) selection() (from, to int) {
	if s.anchor < 0 {
		return s.line, s.line
	}
	return min(s.anchor, s.line), max(s.anchor, s.line)
}

// set labels lines.
func (s *State) set(from, to int, label Label) {
	s.remember(from, to)
	for i := from; i <= to; i++ {
		l := &s.cur().Lines[i]
		l.Label, l.Sure = label, true
	}
}

// remember notes how lines are before they change.
func (s *State) remember(from, to int) {
	d := s.cur()
	if len(s.undo) < s.saved {
		s.saved = -1
	}
	s.undo = append(s.undo, change{s.doc, from, slices.Clone(d.Lines[from : to+1]), d.Done})
}

// back takes the last change back.
func (s *State) back() {
	if len(s.undo) == 0 {
		s.message = "nothing to take back"
		return
	}
	c := s.undo[len(s.undo)-1]
	s.undo = s.undo[:len(s.undo)-1]
	d := s.Docs[c.doc]
	copy(d.Lines[c.from:], c.before)
	d.Done = c.done
	s.open(c.doc)
	s.line = c.from
	s.message = "taken back"
}

// turn goes to another document.
func (s *State) turn(by int) {
	to := s.doc + by
	switch {
	case to < 0:
		s.message = "this is the first document"
	case to >= len(s.Docs):
		s.message = "this is the last document"
	default:
		s.open(to)
	}
}

// accept takes what is proposed in the document for right and goes to the next
// document that is not done.
func (s *State) accept() Effect {
	d := s.cur()
	for i := range d.Lines {
		if d.Lines[i].Label == None {
			s.line = i
			s.message = "this line has no label yet"
			return Nothing
		}
	}
	s.remember(0, len(d.Lines)-1)
	for i := range d.Lines {
		d.Lines[i].Sure = true
	}
	d.Done = true
	for i := range s.Docs {
		if next := (s.doc + 1 + i) % len(s.Docs); !s.Docs[next].Done {
			s.open(next)
			return Save
		}
	}
	s.anchor = -1
	s.message = "all documents are done: q quits, n and p look at them again"
	return Save
}

// nextUncertain goes to the next line that a person should look at.
func (s *State) nextUncertain() {
	d := s.cur()
	for i := range d.Lines {
		if at := (s.line + 1 + i) % len(d.Lines); s.uncertain(&d.Lines[at]) {
			s.line = at
			return
		}
	}
	s.message = "no uncertain line in this document"
}

// search takes a key while a search is typed.
func (s *State) search(k Key) {
	switch k {
	case Esc, CtrlC:
		s.mode = labelling
	case Backspace:
		if len(s.input) == 0 {
			s.mode = labelling
		} else {
			s.input = s.input[:len(s.input)-1]
		}
	case Space:
		s.input = append(s.input, ' ')
	case Enter:
		s.mode = labelling
		if len(s.input) > 0 {
			s.query = string(s.input)
		}
		s.find()
	default:
		if r := []rune(string(k)); len(r) == 1 {
			s.input = append(s.input, r[0])
		}
	}
}

// find goes to the next line that holds the query, in any case of letters.
func (s *State) find() {
	if s.query == "" {
		return
	}
	want := strings.ToLower(s.query)
	d := s.cur()
	for i := range d.Lines {
		at := (s.line + 1 + i) % len(d.Lines)
		if strings.Contains(strings.ToLower(d.Lines[at].Text), want) {
			s.line = at
			return
		}
	}
	s.message = fmt.Sprintf("not in this document: %s", safe(s.query))
}
