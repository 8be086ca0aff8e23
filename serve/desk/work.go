package desk

import (
	"cmp"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/internal/sorts"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/problem"
)

// person is an annotator.
type person struct {
	name  string
	log   *journal.Log[event]
	group int
	works map[*doc]*work
	undo  []step // steps that can be undone, the last at the end
	// doc is the page that the person has open, since seen.
	doc  *doc
	seen time.Time
}

// work holds the labels of a person on a page.
type work struct {
	seq    int
	marks  []mark   // by block; the label is "" where there is none
	by     []string // adjudicators of adjudicated labels
	hand   []bool   // the label was given by hand, not accepted with the rest
	done   bool
	blank  bool // the person did not see the proposals
	millis int64
	keys   int
	last   string // time of the last event
}

// step is the effect of one key.
type step struct {
	group int
	pages []pageStep
}

// pageStep holds the previous labels of a page before a step, for undo.
type pageStep struct {
	doc    *doc
	before map[int]state
	done   bool
}

type state struct {
	mark mark
	hand bool
}

// team returns the annotators of the set, none of them opened.
func (s *Desk) team() journal.Team[*person, event] {
	return journal.Team[*person, event]{
		Folder: filepath.Join(s.cfg.Dir, labelFolder),
		Start: func(name string, log *journal.Log[event]) *person {
			return &person{name: name, log: log, works: map[*doc]*work{}}
		},
		Apply: func(p *person, e event) (lost int, err error) {
			d := s.byID[e.Page]
			if d == nil {
				return 1, nil
			}
			for _, m := range e.Labels {
				if _, ok := d.at[[2]int{m.Start, m.End}]; !ok {
					lost++
				}
				if err := d.check(m.Label); err != nil {
					return lost, err
				}
			}
			p.apply(d, e)
			return lost, nil
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

func (s *Desk) notice(text string) {
	s.notices = append(s.notices, text)
	s.cfg.Log.Warn(text)
}

// work returns the person's work on a page.
func (p *person) work(d *doc) *work {
	w := p.works[d]
	if w == nil {
		w = &work{marks: make([]mark, len(d.spans)), hand: make([]bool, len(d.spans)), by: make([]string, len(d.spans))}
		p.works[d] = w
	}
	return w
}

// apply applies an event.
func (p *person) apply(d *doc, e event) {
	w := p.work(d)
	w.seq, w.last = e.Seq, e.Time
	w.millis += e.Millis
	if e.What != didAlike {
		w.keys++
	}
	ps := pageStep{doc: d, before: map[int]state{}, done: w.done}
	for _, m := range e.Labels {
		i, ok := d.at[[2]int{m.Start, m.End}]
		if !ok {
			continue
		}
		if _, twice := ps.before[i]; !twice {
			ps.before[i] = state{w.marks[i], w.hand[i]}
		}
		w.marks[i], w.hand[i], w.by[i] = m, e.What != didAccept, e.By
	}
	switch e.What {
	case didAccept:
		w.done, w.blank = true, e.Blank
	case didReopen:
		w.done = false
	}
	p.group = max(p.group, e.Group)
	if e.What == didUndo {
		p.takeBack(d)
		return
	}
	if n := len(p.undo); n > 0 && p.undo[n-1].group == e.Group {
		p.undo[n-1].pages = append(p.undo[n-1].pages, ps)
		return
	}
	p.undo = append(p.undo, step{e.Group, []pageStep{ps}})
}

// takeBack restores the labels of a page before the last step.
func (p *person) takeBack(d *doc) {
	n := len(p.undo)
	if n == 0 {
		return
	}
	last := &p.undo[n-1]
	i := slices.IndexFunc(last.pages, func(x pageStep) bool { return x.doc == d })
	if i < 0 {
		return
	}
	w := p.work(d)
	for k, b := range last.pages[i].before {
		w.marks[k], w.hand[k] = b.mark, b.hand
	}
	w.done = last.pages[i].done
	if last.pages = slices.Delete(last.pages, i, i+1); len(last.pages) == 0 {
		p.undo = p.undo[:n-1]
	}
}

// change is a requested change.
type change struct {
	What   string
	Seq    int // the last event that the client has seen
	Labels []LabelItem
	// Alike is "text" for the like blocks with the same text on other pages of the
	// site, "place" for those in the same elements, "" for neither.
	Alike  string
	Blank  bool
	Millis int64
	By     string
}

// do applies a change; touched are the pages that it changed.
func (s *Desk) do(p *person, d *doc, c change, of []proposal) (touched []*doc, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := p.work(d)
	if c.Seq != w.seq {
		return nil, journal.Stale(p.name, "page", w.seq, c.Seq)
	}
	now := s.cfg.Now().UTC().Format(time.RFC3339)
	if c.What == didUndo {
		return s.undo(p, now, c.By)
	}
	e := event{Page: d.ID, Seq: w.seq + 1, Group: p.group + 1, Time: now, What: c.What, By: c.By, Blank: c.Blank, Millis: c.Millis}
	for _, l := range c.Labels {
		if l.Block < 0 || l.Block >= len(d.spans) {
			return nil, problem.New(http.StatusUnprocessableEntity, "block %d: wanted a number below %d", l.Block, len(d.spans))
		}
		if err := d.check(l.Label); err != nil {
			return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
		}
		e.Labels = append(e.Labels, d.mark(l.Block, l.Label, of))
	}
	switch c.What {
	case didLabel, didReopen:
	case didAccept:
		for i := range d.spans {
			if w.marks[i].Label != "" || slices.ContainsFunc(c.Labels, func(l LabelItem) bool { return l.Block == i }) {
				continue
			}
			if c.Blank {
				return nil, problem.New(http.StatusUnprocessableEntity, "block %d has no label: with hidden proposals each block needs one", i)
			}
			e.Labels = append(e.Labels, d.mark(i, of[i].label, of))
		}
	default:
		return nil, problem.New(http.StatusUnprocessableEntity, "what %q: wanted %s, %s, %s or %s", c.What, didLabel, didAccept, didUndo, didReopen)
	}
	events := []event{e}
	if c.Alike != "" {
		events = append(events, s.alike(p, d, e, c.Alike)...)
	}
	if touched, err = s.keep(p, events); err != nil {
		return nil, fmt.Errorf("the label could not be saved: %w", err)
	}
	return touched, nil
}

// keep writes events of a person to the log, applies them and returns their pages.
func (s *Desk) keep(p *person, events []event) (touched []*doc, err error) {
	if err := p.log.Add(events...); err != nil {
		return nil, err
	}
	for _, e := range events {
		p.apply(s.byID[e.Page], e)
		touched = append(touched, s.byID[e.Page])
	}
	return touched, nil
}

// mark returns the label of a block with its proposal.
func (d *doc) mark(block int, label string, of []proposal) mark {
	m := mark{Start: d.spans[block][0], End: d.spans[block][1], Label: label}
	if of != nil {
		m.Proposed, m.Score = of[block].label, of[block].score
	}
	return m
}

// alike returns events that copy the labels of an event to similar blocks on other pages of
// the site, unless the person has labelled the block or finished the page.
func (s *Desk) alike(p *person, d *doc, e event, how string) (events []event) {
	prints := func(d *doc) []uint64 {
		if how == "place" {
			return d.path
		}
		return d.both
	}
	labels := map[uint64]string{}
	for _, m := range e.Labels {
		if i := d.at[[2]int{m.Start, m.End}]; i < len(prints(d)) {
			labels[prints(d)[i]] = m.Label
		}
	}
	for _, o := range s.sites[d.site] {
		w := p.works[o]
		if o == d || w != nil && w.done {
			continue
		}
		x := event{Page: o.ID, Seq: 1, Group: e.Group, Time: e.Time, What: didAlike, By: e.By, Blank: e.Blank}
		if w != nil {
			x.Seq = w.seq + 1
		}
		for i, print := range prints(o) {
			if l, ok := labels[print]; ok && (w == nil || w.marks[i].Label == "") {
				x.Labels = append(x.Labels, o.mark(i, l, nil))
			}
		}
		if len(x.Labels) > 0 {
			events = append(events, x)
		}
	}
	return events
}

// undo undoes the person's last step, on all pages that it changed.
func (s *Desk) undo(p *person, now, by string) (touched []*doc, err error) {
	if len(p.undo) == 0 {
		return nil, problem.New(http.StatusUnprocessableEntity, "nothing to undo")
	}
	last := p.undo[len(p.undo)-1]
	var events []event
	for _, ps := range last.pages {
		e := event{Page: ps.doc.ID, Seq: p.work(ps.doc).seq + 1, Group: p.group + 1, Time: now, What: didUndo, By: by}
		for i, b := range ps.before {
			m := b.mark
			if m.Label == "" {
				m = mark{Start: ps.doc.spans[i][0], End: ps.doc.spans[i][1]}
			}
			e.Labels = append(e.Labels, m)
		}
		sorts.Func(e.Labels, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
		events = append(events, e)
	}
	if touched, err = s.keep(p, events); err != nil {
		return nil, fmt.Errorf("the step could not be undone: %w", err)
	}
	return touched, nil
}

// others returns the other annotators who have a page open or have labelled it.
func (s *Desk) others(d *doc, but string) (all []other) {
	now := s.cfg.Now()
	for name, p := range s.people.All() {
		if name == but || name == judgedPerson {
			continue
		}
		o := other{Name: name, Here: p.doc == d && now.Sub(p.seen) < here}
		if w := p.works[d]; w != nil {
			o.Done = w.done
			o.Labelled = w.labelled()
		}
		if o.Here || o.Labelled > 0 {
			all = append(all, o)
		}
	}
	sorts.Func(all, func(a, b other) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// here is the time after which an idle annotator no longer counts as having a page open.
const here = 3 * time.Minute

// other is another annotator of a page.
type other struct {
	Name     string `json:"name"`
	Here     bool   `json:"here" doc:"Has the page open."`
	Done     bool   `json:"done"`
	Labelled int    `json:"labelled" doc:"Number of blocks labelled by this person."`
}

// labelled returns the number of blocks with a label.
func (w *work) labelled() (n int) {
	for i := range w.marks {
		if w.marks[i].Label != "" {
			n++
		}
	}
	return n
}
