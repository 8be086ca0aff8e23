package documents

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/serve/desk/journal"
	"chaffinch/serve/problem"
)

// event is a line of an annotator's log: a decision on a document. Logs are append-only; undo is
// another event.
type event struct {
	Doc  string `json:"doc"`
	Seq  int    `json:"seq"`  // counts the events of the person on the document, from 1
	Time string `json:"time"` // RFC 3339
	What string `json:"what"`
	work
	Millis int64  `json:"ms,omitempty"`  // time since the document was opened
	By     string `json:"by,omitempty"`  // adjudicator, in the log of adjudicated labels
	How    string `json:"how,omitempty"` // selection of the document: see the constants of next.go
}

// The kinds of events.
const (
	didLabel = "label" // the labels of the document, replacing earlier labels
	didSkip  = "skip"  // leaves the document to others
	didUndo  = "undo"  // restores the state before the last event
)

// work is the decision of a person on a document.
type work struct {
	Labels []string `json:"labels,omitempty"`
	Unsure bool     `json:"unsure,omitempty"`
	Skip   bool     `json:"skip,omitempty"`
	Done   bool     `json:"done,omitempty"` // labelled, possibly with no label
}

// state is the current work of a person on a document.
type state struct {
	work
	seq    int
	by     string
	how    string
	millis int64
}

// person is an annotator.
type person struct {
	name  string
	log   *journal.Log[event]
	works map[*doc]*state
	undo  []before
	order []*doc // labelled and skipped documents, the last one at the end
	// doc is the document that the person has open, since seen, and how its selection.
	doc  *doc
	how  string
	seen time.Time
}

// before is the state of a document before an event.
type before struct {
	doc *doc
	was work
}

// team returns the annotators of the set, none of them opened.
func (s *Desk) team() journal.Team[*person, event] {
	return journal.Team[*person, event]{
		Folder: filepath.Join(s.cfg.Dir, labelFolder),
		Start: func(name string, log *journal.Log[event]) *person {
			return &person{name: name, log: log, works: map[*doc]*state{}}
		},
		Apply: func(p *person, e event) (lost int, err error) {
			d := s.byID[e.Doc]
			if d == nil {
				return 1, nil
			}
			if e.Done {
				if e.Labels, err = s.scheme.normalize(e.Labels); err != nil {
					return 0, fmt.Errorf("document %q: %w (scheme %s)", e.Doc, err, s.scheme.Name)
				}
			}
			p.apply(d, e)
			return 0, nil
		},
		Notice: s.notice,
	}
}

// person returns the annotator with a name.
func (s *Desk) person(name string) (*person, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.people.Person(name)
}

// state returns the person's work on a document.
func (p *person) state(d *doc) *state {
	w := p.works[d]
	if w == nil {
		w = new(state)
		p.works[d] = w
	}
	return w
}

// apply updates the state with an event.
func (p *person) apply(d *doc, e event) {
	w := p.state(d)
	if e.What == didUndo {
		if n := len(p.undo); n > 0 && p.undo[n-1].doc == d {
			p.undo = p.undo[:n-1]
		}
	} else {
		p.undo = append(p.undo, before{d, w.work})
	}
	w.work, w.seq, w.by = e.work, e.Seq, e.By
	if w.how == "" {
		w.how = e.How
	}
	w.millis += e.Millis
	if p.order = slices.DeleteFunc(p.order, func(o *doc) bool { return o == d }); w.Done || w.Skip {
		p.order = append(p.order, d)
	}
}

// change is a requested change.
type change struct {
	What   string
	Seq    int // the last event that the client has seen
	Labels []string
	Unsure bool
	Millis int64
	By     string
}

// do applies a change. It returns the changed document: with undo it may be another one.
func (s *Desk) do(p *person, d *doc, c change) (*doc, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := p.state(d)
	if c.Seq != w.seq {
		return nil, journal.Stale(p.name, "document", w.seq, c.Seq)
	}
	e := event{Doc: d.ID, Seq: w.seq + 1, Time: s.cfg.Now().UTC().Format(time.RFC3339), What: c.What, Millis: c.Millis, By: c.By}
	if p.doc == d {
		e.How = p.how
	}
	switch c.What {
	case didLabel:
		labels, err := s.scheme.normalize(c.Labels)
		if err != nil {
			return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
		}
		e.work = work{Labels: labels, Unsure: c.Unsure, Done: true}
	case didSkip:
		e.work = work{Skip: true}
	case didUndo:
		n := len(p.undo)
		if n == 0 {
			return nil, problem.New(http.StatusUnprocessableEntity, "nothing to undo")
		}
		d = p.undo[n-1].doc
		e.Doc, e.Seq, e.work = d.ID, p.state(d).seq+1, p.undo[n-1].was
	default:
		return nil, problem.New(http.StatusUnprocessableEntity, "what %q: wanted %s, %s or %s", c.What, didLabel, didSkip, didUndo)
	}
	if err := p.log.Add(e); err != nil {
		return nil, fmt.Errorf("the label could not be saved: %w", err)
	}
	p.apply(d, e)
	return d, nil
}

// names returns the names of the annotators with decisions, in order. The caller holds s.mu.
func (s *Desk) names() (all []string) {
	for name, p := range s.people.All() {
		if name != journal.Judged && len(p.order) > 0 {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// done returns the work of the annotators who have labelled a document, by name. The caller holds
// s.mu.
func (s *Desk) done(d *doc) map[string]*state {
	all := map[string]*state{}
	for name, p := range s.people.All() {
		if w := p.works[d]; name != journal.Judged && w != nil && w.Done {
			all[name] = w
		}
	}
	return all
}

// judged returns the adjudicated labels of a document, nil without. The caller holds s.mu.
func (s *Desk) judged(d *doc) *state {
	if j := s.people.All()[journal.Judged]; j != nil {
		if w := j.works[d]; w != nil && w.Done {
			return w
		}
	}
	return nil
}
