// Package annotate is the work of labelling the lines of documents by hand,
// without the terminal: what a key does to the state of the work
// ([State.Press]), what the screen then shows ([State.Screen]), how the labels
// are kept ([Store]), and how well two people agree ([Compare]).
//
// annotate.go holds the documents, press.go the keys, screen.go and text.go the
// screen, key.go the bytes of a terminal, store.go the files.
package annotate

import "chaffinch/lab/gold"

// Label is what a line is taken for.
type Label uint8

// The labels.
const (
	None Label = iota // not labelled
	Boilerplate
	Text
)

// Line is a line of a document.
type Line struct {
	Text  string
	Label Label
	// Sure tells that a person gave the label; else it is proposed.
	Sure bool
	// Score is the probability of text by the model, below 0 without a model.
	Score float32
}

// Doc is a document under work.
type Doc struct {
	ID, Lang, Split, Register string
	Lines                     []Line
	// Done tells that a person went through the document.
	Done     bool
	proposed bool // the model was asked
}

// NewDoc returns a document without labels.
func NewDoc(id, lang string, lines []string) *Doc {
	d := &Doc{ID: id, Lang: lang, Lines: make([]Line, len(lines))}
	for i, l := range lines {
		d.Lines[i] = Line{Text: l, Score: -1}
	}
	return d
}

// FromGold returns a document whose lines all have labels.
func FromGold(g *gold.LineDoc) *Doc {
	d := NewDoc(g.ID, g.Lang, g.Lines)
	d.Split, d.Register, d.Done = g.Split, g.Register, true
	for i, text := range g.Labels {
		d.Lines[i].Label, d.Lines[i].Sure = labelOf(text), true
	}
	return d
}

// Gold returns the document with its labels; a line without one is boilerplate.
func (d *Doc) Gold() *gold.LineDoc {
	g := &gold.LineDoc{ID: d.ID, Lang: d.Lang, Split: d.Split, Register: d.Register}
	for _, l := range d.Lines {
		g.Lines = append(g.Lines, l.Text)
		g.Labels = append(g.Labels, l.Label == Text)
	}
	return g
}

// texts returns the lines of the document.
func (d *Doc) texts() []string {
	out := make([]string, len(d.Lines))
	for i, l := range d.Lines {
		out[i] = l.Text
	}
	return out
}

// sure returns how many lines a person labelled.
func (d *Doc) sure() (n int) {
	for _, l := range d.Lines {
		if l.Sure {
			n++
		}
	}
	return n
}

func labelOf(text bool) Label {
	if text {
		return Text
	}
	return Boilerplate
}

// Config says how documents are labelled.
type Config struct {
	// Propose returns the probability of text for each line, nil for no
	// proposals. It is asked once for each document, when it is first shown.
	Propose func(lang string, lines []string) []float32
	// Threshold is the least probability of a line that is proposed as text;
	// Doubt is how far from it a score still counts as uncertain.
	Threshold, Doubt float32
	// Color marks labels by colours too.
	Color bool
	// Width and Height are the columns and rows of the screen.
	Width, Height int
}

// Default is the size of screen that terminals have if nothing else is said.
var Default = Config{Threshold: .5, Doubt: .3, Width: 80, Height: 24}

// New begins with the first document that is not done. It needs a document; none
// may be without lines.
func New(docs []*Doc, cfg Config) *State {
	s := &State{Docs: docs, cfg: cfg, doc: -1}
	s.Resize(cfg.Width, cfg.Height)
	first := 0
	for i, d := range docs {
		if !d.Done {
			first = i
			break
		}
	}
	s.open(first)
	return s
}

// propose fills the labels of a document that are missing.
func (s *State) propose(d *Doc) {
	if d.proposed || s.cfg.Propose == nil {
		return
	}
	d.proposed = true
	for i, p := range s.cfg.Propose(d.Lang, d.texts()) {
		l := &d.Lines[i]
		l.Score = p
		if !l.Sure {
			l.Label = labelOf(p >= s.cfg.Threshold)
		}
	}
}

// uncertain reports whether a person should look at the line.
func (s *State) uncertain(l *Line) bool {
	if l.Sure {
		return false
	}
	far := l.Score - s.cfg.Threshold
	return l.Label == None || l.Score >= 0 && -s.cfg.Doubt <= far && far <= s.cfg.Doubt
}
