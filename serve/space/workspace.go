package space

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/serve/corpora"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/problem"
)

// Limits of a workspace.
const (
	maxSubcorpora = 500
	maxSaved      = 2000
	maxHistory    = 500
	maxLabels     = 50_000
	maxValues     = 10_000    // of a subcorpus
	maxItem       = 1 << 20   // bytes of an item
	maxBytes      = maxImport // of all items; the log has at most twice as many
)

// Subcorpus is a saved part of a corpus.
type Subcorpus struct {
	Corpus string `json:"corpus" minLength:"1" maxLength:"200" doc:"Name of the corpus."`
	Name   string `json:"name" minLength:"1" maxLength:"100" doc:"Name of the subcorpus."`
	corpora.Part
	Created time.Time `json:"created" required:"false" readOnly:"true"`
}

// View is a view of the browser interface: a query with its settings.
type View struct {
	Corpus string            `json:"corpus" minLength:"1" maxLength:"200" doc:"Name of the corpus."`
	View   string            `json:"view" maxLength:"40" doc:"View of the page, such as hits or freq."`
	Params map[string]string `json:"params" doc:"Parameters of the view, such as patt, filter and sort."`
}

// Visit is an entry of the query history.
type Visit struct {
	View
	Time time.Time `json:"time" required:"false" readOnly:"true"`
	Hits int64     `json:"hits,omitempty" doc:"Number of matches, or of rows."`
}

// Saved is a saved query or concordance. Its link is permanent.
type Saved struct {
	ID   string `json:"id" required:"false" doc:"Identifier, assigned by the server. With an id, the saved query is changed."`
	Name string `json:"name" minLength:"1" maxLength:"200"`
	Note string `json:"note,omitempty" maxLength:"4000"`
	View
	Hits    int64     `json:"hits,omitempty" doc:"Number of matches when the query was saved."`
	Shared  bool      `json:"shared,omitempty" doc:"Whether every user of the server who has the link may read it."`
	Owner   string    `json:"owner" required:"false" readOnly:"true"`
	Created time.Time `json:"created" required:"false" readOnly:"true"`
	Version int       `json:"version" required:"false" doc:"Number of changes. A change must have the current version."`
}

// HitLabel is a label of a hit.
type HitLabel struct {
	Corpus string `json:"corpus" minLength:"1" maxLength:"200" doc:"Name of the corpus."`
	Patt   string `json:"patt" maxLength:"4000" doc:"Query of the hit."`
	Start  int64  `json:"start" minimum:"0" doc:"First token."`
	End    int64  `json:"end" minimum:"0" doc:"Token after the last."`
	Label  int    `json:"label" minimum:"0" maximum:"9" doc:"Number of the label; 0 removes it."`
	Note   string `json:"note,omitempty" maxLength:"2000"`
	Ref    string `json:"ref,omitempty" maxLength:"1000" doc:"Source of the hit."`
	Left   string `json:"left,omitempty" maxLength:"2000"`
	Match  string `json:"match,omitempty" maxLength:"2000"`
	Right  string `json:"right,omitempty" maxLength:"2000"`
}

// key identifies the hit.
func (l *HitLabel) key() string {
	return strings.Join([]string{l.Corpus, l.Patt, strconv.FormatInt(l.Start, 10), strconv.FormatInt(l.End, 10)}, "\x00")
}

// LabelNames holds the names of the labels of a query.
type LabelNames struct {
	Corpus string            `json:"corpus" minLength:"1" maxLength:"200"`
	Patt   string            `json:"patt" maxLength:"4000"`
	Names  map[string]string `json:"names" doc:"Names by the number of the label."`
}

// event is a line of the log of a workspace: an item that was added or changed, or removed if Item
// is missing.
type event struct {
	Kind string          `json:"kind"`
	ID   string          `json:"id,omitempty"`
	Item json.RawMessage `json:"item,omitempty"`
}

// The kinds of items.
const (
	kindSubcorpus = "subcorpus"
	kindSaved     = "saved"
	kindVisit     = "visit"
	kindLabel     = "label"
	kindNames     = "names"
	kindHistory   = "history" // without an item: cleared
)

// workspace holds the items of a user.
type workspace struct {
	name string
	log  *journal.Log[event]

	mu      sync.RWMutex
	subs    map[string]Subcorpus
	saved   map[string]Saved
	labels  map[string]HitLabel
	names   map[string]LabelNames
	history []Visit // oldest first
	events  int     // in the log
	logged  int     // bytes of their items
	most    int     // maxBytes
}

func newWorkspace(name string, log *journal.Log[event]) *workspace {
	return &workspace{name: name, log: log, most: maxBytes, subs: map[string]Subcorpus{}, saved: map[string]Saved{}, labels: map[string]HitLabel{}, names: map[string]LabelNames{}}
}

// put stores an item in a map, or removes it if the item is missing.
func put[T any](all map[string]T, e event) error {
	if e.Item == nil {
		delete(all, e.ID)
		return nil
	}
	var x T
	if err := json.Unmarshal(e.Item, &x); err != nil {
		return err
	}
	all[e.ID] = x
	return nil
}

// apply applies an event of the log.
func (w *workspace) apply(e event) error {
	w.events++
	w.logged += len(e.Item)
	switch e.Kind {
	case kindSubcorpus:
		return put(w.subs, e)
	case kindSaved:
		return put(w.saved, e)
	case kindLabel:
		return put(w.labels, e)
	case kindNames:
		return put(w.names, e)
	case kindHistory:
		w.history = nil
		return nil
	case kindVisit:
		var v Visit
		if err := json.Unmarshal(e.Item, &v); err != nil {
			return err
		}
		if n := len(w.history); n > 0 && sameView(w.history[n-1].View, v.View) {
			w.history = w.history[:n-1]
		}
		w.history = append(w.history, v)
		w.history = w.history[max(0, len(w.history)-maxHistory):]
		return nil
	}
	return fmt.Errorf("kind %q: unknown: written by a later version of this program", e.Kind)
}

func sameView(a, b View) bool {
	return a.Corpus == b.Corpus && a.View == b.View && maps.Equal(a.Params, b.Params)
}

// change writes events to the log and applies them. The caller holds the lock.
func (w *workspace) change(events ...event) error {
	added := 0
	for _, e := range events {
		if len(e.Item) > maxItem {
			return problem.New(http.StatusRequestEntityTooLarge, "item of %d bytes: wanted at most %d", len(e.Item), maxItem)
		}
		added += len(e.Item)
	}
	if added > 0 && w.logged+added > 2*w.most {
		if w.events > w.items() {
			if err := w.shorten(); err != nil {
				return err
			}
		}
		if w.logged+added > w.most {
			return problem.New(http.StatusRequestEntityTooLarge, "a workspace of %d bytes: wanted at most %d: delete some items first", w.logged+added, w.most)
		}
	}
	if err := w.log.Add(events...); err != nil {
		return err
	}
	for _, e := range events {
		if err := w.apply(e); err != nil {
			return err // written by this program
		}
	}
	if w.events > 2*w.items()+5000 {
		return w.shorten()
	}
	return nil
}

// items returns the number of items.
func (w *workspace) items() int {
	return len(w.subs) + len(w.saved) + len(w.labels) + len(w.names) + len(w.history)
}

// shorten removes the events of earlier states from the log.
func (w *workspace) shorten() error {
	all := w.all()
	if err := w.log.Replace(all...); err != nil {
		return err
	}
	w.events, w.logged = len(all), 0
	for _, e := range all {
		w.logged += len(e.Item)
	}
	return nil
}

// all returns the events that create the workspace.
func (w *workspace) all() (events []event) {
	events = append(events, eventsOf(kindSubcorpus, w.subs)...)
	events = append(events, eventsOf(kindSaved, w.saved)...)
	events = append(events, eventsOf(kindNames, w.names)...)
	events = append(events, eventsOf(kindLabel, w.labels)...)
	for _, v := range w.history {
		events = append(events, newEvent(kindVisit, "", v))
	}
	return events
}

func eventsOf[T any](kind string, all map[string]T) (events []event) {
	for _, id := range slices.Sorted(maps.Keys(all)) {
		events = append(events, newEvent(kind, id, all[id]))
	}
	return events
}

// newEvent returns the event that stores an item.
func newEvent(kind, id string, item any) event {
	b, err := json.Marshal(item)
	if err != nil {
		panic(err) // plain data
	}
	return event{kind, id, b}
}

// newID returns a random identifier.
func newID() string { return strings.ToLower(rand.Text()) }

// limit returns a problem if a list has its maximum length already.
func limit(n, most int, what string) error {
	if n >= most {
		return problem.New(http.StatusUnprocessableEntity, "%d %s: a workspace has at most %d: delete some first", n, what, most)
	}
	return nil
}

func subKey(corpus, name string) string { return corpus + "\x00" + name }
