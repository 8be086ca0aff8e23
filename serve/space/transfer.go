package space

import (
	"context"
	"net/http"
	"slices"

	"chaffinch/serve/access"
	"chaffinch/serve/problem"
)

// exportVersion is the version of an exported workspace. History:
//
//	1: first
const exportVersion = 1

// Exported is an exported workspace.
type Exported struct {
	Chaffinch  int          `json:"chaffinch_workspace" doc:"Version of the format: 1."`
	User       string       `json:"user,omitempty"`
	Subcorpora []Subcorpus  `json:"subcorpora,omitempty"`
	Saved      []Saved      `json:"saved,omitempty"`
	Labels     []HitLabel   `json:"labels,omitempty"`
	Names      []LabelNames `json:"label_names,omitempty"`
	History    []Visit      `json:"history,omitempty" doc:"Oldest first."`
}

func (a *api) export(ctx context.Context, _ *none) (*struct {
	Disposition string `header:"Content-Disposition"`
	Body        Exported
}, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	out := Exported{exportVersion, w.name, sorted(w.subs), sorted(w.saved), sorted(w.labels), sorted(w.names), slices.Clone(w.history)}
	return &struct {
		Disposition string `header:"Content-Disposition"`
		Body        Exported
	}{`attachment; filename="workspace.json"`, out}, nil
}

// Imported counts the items of an import.
type Imported struct {
	Added   int `json:"added"`
	Skipped int `json:"skipped" doc:"Items that the workspace has already, possibly changed."`
}

// imported adds the items that the workspace does not have. Nothing is overwritten.
func (a *api) imported(ctx context.Context, in *struct{ Body Exported }) (*struct{ Body Imported }, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	x := in.Body
	if x.Chaffinch != exportVersion {
		return nil, problem.New(http.StatusUnprocessableEntity, "body: version %d of a workspace: wanted %d", x.Chaffinch, exportVersion)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var events []event
	out, added := Imported{}, map[string]bool{}
	add := func(kind, id string, has bool, item any) {
		if has || added[kind+id] {
			out.Skipped++
			return
		}
		added[kind+id] = true
		events = append(events, newEvent(kind, id, item))
	}
	for _, s := range x.Subcorpora {
		if len(s.Values) > maxValues {
			return nil, problem.New(http.StatusUnprocessableEntity, "subcorpus %q: %d values: wanted at most %d", s.Name, len(s.Values), maxValues)
		}
		key := subKey(s.Corpus, s.Name)
		_, has := w.subs[key]
		add(kindSubcorpus, key, has, s)
	}
	subs := len(events)
	for _, s := range x.Saved {
		_, has := w.saved[s.ID]
		if s.ID == "" || !has && a.taken(w, s.ID) { // of another user: a link leads to one query
			s.ID = newID()
		}
		s.Owner = access.Who(ctx).Name
		add(kindSaved, s.ID, has, s)
	}
	saved := len(events) - subs
	for _, n := range x.Names {
		if len(n.Names) > maxNames {
			return nil, tooManyNames(n)
		}
		key := subKey(n.Corpus, n.Patt)
		_, has := w.names[key]
		add(kindNames, key, has, n)
	}
	labels := len(events)
	for _, l := range x.Labels {
		if l.End <= l.Start || l.Label == 0 {
			return nil, problem.New(http.StatusUnprocessableEntity, "labels: label %d of tokens %d to %d: wanted 1 to 9, and an end after the start", l.Label, l.Start, l.End)
		}
		_, has := w.labels[l.key()]
		add(kindLabel, l.key(), has, l)
	}
	labels = len(events) - labels
	if len(w.history) == 0 {
		for _, v := range x.History[max(0, len(x.History)-maxHistory):] {
			events = append(events, newEvent(kindVisit, "", v))
		}
	}
	for _, c := range []struct {
		n, most int
		what    string
	}{{len(w.subs) + subs, maxSubcorpora, "subcorpora"}, {len(w.saved) + saved, maxSaved, "saved queries"}, {len(w.labels) + labels, maxLabels, "labels"}, {len(w.names) + len(x.Names), maxSaved, "names of labels"}} {
		if err := limit(c.n-1, c.most, c.what); err != nil {
			return nil, err
		}
	}
	out.Added = len(events)
	if len(events) == 0 {
		return &struct{ Body Imported }{out}, nil
	}
	return &struct{ Body Imported }{out}, w.change(events...)
}

// taken reports whether a saved query of another user than own has the identifier. The caller holds
// the lock of own.
func (a *api) taken(own *workspace, id string) bool {
	return slices.ContainsFunc(a.workspaces(), func(w *workspace) bool {
		if w == own {
			return false
		}
		if !w.mu.TryRLock() {
			return true // a new identifier does no harm
		}
		defer w.mu.RUnlock()
		_, ok := w.saved[id]
		return ok
	})
}
