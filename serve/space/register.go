package space

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/serve/access"
	"chaffinch/serve/corpora"
	"chaffinch/serve/problem"
	"chaffinch/serve/table"
)

// maxImport bounds the body of an imported workspace.
const maxImport = 32 << 20

// api answers for a Server.
type api struct {
	*Server
	piece int64
}

// none describes an operation without parameters.
type none struct{}

// Done is the answer of an operation that returns nothing.
type Done struct {
	Done bool `json:"done"`
}

type done struct{ Body Done }

// finished returns the answer of a successful operation.
func finished(err error) (*done, error) {
	if err != nil {
		return nil, err
	}
	return &done{Done{true}}, nil
}

// Register adds the operations on workspaces, uploaded corpora and accounts. maxBody bounds a piece
// of an uploaded file.
func Register(to huma.API, s *Server, maxBody int64) {
	a := &api{s, maxBody}
	op := func(method, id, path, summary string) huma.Operation {
		o := huma.Operation{OperationID: id, Method: method, Path: "/v1/workspace" + path, Summary: summary, Tags: []string{"workspace"}}
		if method == http.MethodPost {
			o.MaxBodyBytes = 4 << 20
		}
		return o
	}
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	problem.Register(to, op(get, "workspace", "", "Show the workspace of the user: subcorpora, saved queries, history"), a.show)
	problem.Register(to, op(post, "subcorpus-save", "/subcorpora", "Save a subcorpus"), a.saveSub)
	problem.Register(to, op(del, "subcorpus-delete", "/subcorpora", "Delete a subcorpus"), a.deleteSub)
	problem.Register(to, op(post, "history-add", "/history", "Add a query to the history"), a.visit)
	problem.Register(to, op(del, "history-clear", "/history", "Clear the history"), a.clear)
	problem.Register(to, op(post, "saved-save", "/saved", "Save a query, or change a saved query"), a.save)
	problem.Register(to, op(get, "saved", "/saved/{id}", "Show a saved query of the user, or a shared one of another user"), a.open)
	problem.Register(to, op(del, "saved-delete", "/saved/{id}", "Delete a saved query"), a.deleteSaved)
	labels := op(get, "labels", "/labels", "List the labels of hits, with the hits")
	problem.Answers(to, &labels, "The labels", table.Types(reflect.TypeFor[HitLabels]()))
	problem.Register(to, labels, a.labels)
	problem.Register(to, op(post, "labels-set", "/labels", "Label hits"), a.label)
	problem.Register(to, op(get, "workspace-export", "/export", "Export the workspace as one JSON document"), a.export)
	imports := op(post, "workspace-import", "/import", "Add the items of an exported workspace")
	imports.MaxBodyBytes = maxImport
	problem.Register(to, imports, a.imported)

	problem.Register(to, op(get, "uploads", "/corpora", "List the uploaded corpora of the user, with the progress of builds"), forUser(a.uploads))
	problem.Register(to, op(post, "upload-create", "/corpora", "Create a corpus to upload files to"), forUser(a.newUpload))
	file := op(post, "upload-file", "/corpora/{name}/files", "Upload a file, or the next piece of one")
	file.MaxBodyBytes, file.SkipValidateBody = maxBody, true
	file.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}
	problem.Register(to, file, forUser(a.file))
	problem.Register(to, op(post, "upload-build", "/corpora/{name}/build", "Build an uploaded corpus; builds run one at a time"), forUser(a.start))
	problem.Register(to, op(post, "upload-cancel", "/corpora/{name}/cancel", "Cancel a queued or running build"), forUser(a.cancel))
	problem.Register(to, op(post, "upload-share", "/corpora/{name}/share", "Allow or forbid other users to query an uploaded corpus"), forUser(a.shares))
	problem.Register(to, op(del, "upload-delete", "/corpora/{name}", "Delete an uploaded corpus with its files"), forUser(a.deleteUpload))
	a.registerAdmin(to)
}

// Workspace holds the stored data of a user.
type Workspace struct {
	User       string      `json:"user"`
	Admin      bool        `json:"admin"`
	Crawls     bool        `json:"crawls" doc:"Whether corpora can be built from addresses."`
	Recipes    []string    `json:"recipes" doc:"Recipes for uploaded corpora."`
	Piece      int64       `json:"piece" doc:"Maximum size of a piece of an uploaded file in bytes."`
	Quota      Quota       `json:"quota"`
	Used       Quota       `json:"used"`
	Subcorpora []Subcorpus `json:"subcorpora"`
	Saved      []Saved     `json:"saved" doc:"Latest first."`
	History    []Visit     `json:"history" doc:"Latest first."`
	Labels     int         `json:"labels" doc:"Number of labelled hits."`
}

func (a *api) show(ctx context.Context, _ *none) (*struct{ Body Workspace }, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	user := access.Who(ctx)
	out := Workspace{User: user.Name, Admin: user.Admin, Crawls: a.cfg.Contact != "", Recipes: recipes(), Piece: a.piece, Quota: a.quota(user.Name)}
	a.mu.Lock()
	out.Used = a.usage(user.Name)
	a.mu.Unlock()
	w.mu.RLock()
	defer w.mu.RUnlock()
	out.Subcorpora, out.Saved = sorted(w.subs), sorted(w.saved)
	slices.SortStableFunc(out.Saved, func(a, b Saved) int { return b.Created.Compare(a.Created) })
	out.History = append([]Visit{}, w.history...)
	slices.Reverse(out.History)
	out.Labels = len(w.labels)
	return &struct{ Body Workspace }{out}, nil
}

// named names a subcorpus.
type named struct {
	Corpus string `query:"corpus" required:"true" doc:"Name of the corpus."`
	Name   string `query:"name" required:"true" doc:"Name of the subcorpus."`
}

func (a *api) saveSub(ctx context.Context, in *struct {
	Replace bool `query:"replace" doc:"Replace a subcorpus of the same name."`
	Body    Subcorpus
}) (*struct{ Body SavedSubcorpus }, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	s := in.Body
	if s.Filter == "" && s.Patt == "" && len(s.Values) == 0 {
		return nil, problem.New(http.StatusUnprocessableEntity, "subcorpus %q: no condition: wanted filter, patt or values", s.Name)
	}
	if len(s.Values) > maxValues {
		return nil, problem.New(http.StatusUnprocessableEntity, "values: %d: wanted at most %d", len(s.Values), maxValues)
	}
	tokens, err := a.set.Check(ctx, s.Corpus, s.Part)
	if err != nil {
		return nil, err
	}
	s.Created = a.cfg.Now().UTC()
	w.mu.Lock()
	defer w.mu.Unlock()
	key := subKey(s.Corpus, s.Name)
	old, exists := w.subs[key]
	if exists && !in.Replace && !reflect.DeepEqual(old.Part, s.Part) {
		return nil, problem.New(http.StatusConflict, "subcorpus %q exists with another definition: wanted another name, or replace=true", s.Name)
	}
	if !exists {
		if err := limit(len(w.subs), maxSubcorpora, "subcorpora"); err != nil {
			return nil, err
		}
	}
	if err := w.change(newEvent(kindSubcorpus, key, s)); err != nil {
		return nil, err
	}
	return &struct{ Body SavedSubcorpus }{SavedSubcorpus{s, tokens}}, nil
}

// SavedSubcorpus is a subcorpus with its size.
type SavedSubcorpus struct {
	Subcorpus
	Tokens int64 `json:"tokens"`
}

func (a *api) deleteSub(ctx context.Context, in *named) (*done, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := subKey(in.Corpus, in.Name)
	if _, ok := w.subs[key]; !ok {
		return nil, noSub(in.Corpus, in.Name)
	}
	return finished(w.change(event{Kind: kindSubcorpus, ID: key}))
}

func noSub(corpus, name string) error {
	return problem.New(http.StatusNotFound, "no subcorpus has the name %q for corpus %q: wanted one in your workspace", name, corpus)
}

// Parts returns the definition of a subcorpus of the user of a request. It implements
// [corpora.Parts].
func (s *Server) Parts(ctx context.Context, corpus, name string) (p corpora.Part, err error) {
	w, err := s.work(ctx)
	if err != nil {
		return p, err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	sub, ok := w.subs[subKey(corpus, name)]
	if !ok {
		return p, noSub(corpus, name)
	}
	return sub.Part, nil
}

func (a *api) visit(ctx context.Context, in *struct{ Body Visit }) (*done, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	in.Body.Time = a.cfg.Now().UTC()
	w.mu.Lock()
	defer w.mu.Unlock()
	return finished(w.change(newEvent(kindVisit, "", in.Body)))
}

func (a *api) clear(ctx context.Context, _ *none) (*done, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return finished(w.change(event{Kind: kindHistory}))
}

func (a *api) save(ctx context.Context, in *struct{ Body Saved }) (*struct{ Body Saved }, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	s := in.Body
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.ID == "" {
		if err := limit(len(w.saved), maxSaved, "saved queries"); err != nil {
			return nil, err
		}
		s.ID, s.Created, s.Version = newID(), a.cfg.Now().UTC(), 0
	} else {
		old, ok := w.saved[s.ID]
		if !ok {
			return nil, noSaved(s.ID)
		}
		if old.Version != s.Version {
			return nil, problem.New(http.StatusConflict, "saved query %q has version %d, not %d: it was changed elsewhere: reload it", s.Name, old.Version, s.Version)
		}
		s.Created, s.Version = old.Created, old.Version+1
	}
	s.Owner = w.name
	if err := w.change(newEvent(kindSaved, s.ID, s)); err != nil {
		return nil, err
	}
	return &struct{ Body Saved }{s}, nil
}

func noSaved(id string) error {
	return problem.New(http.StatusNotFound, "no saved query %q: wanted one in your workspace, or one that its owner shares", id)
}

type savedID struct {
	ID string `path:"id" doc:"Identifier of a saved query."`
}

// open returns a saved query. A query that exists but is not shared is answered as one that does not
// exist.
func (a *api) open(ctx context.Context, in *savedID) (*struct{ Body Saved }, error) {
	own, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range a.workspaces() {
		w.mu.RLock()
		s, ok := w.saved[in.ID]
		w.mu.RUnlock()
		if ok && (w == own || s.Shared) {
			return &struct{ Body Saved }{s}, nil
		}
	}
	return nil, noSaved(in.ID)
}

func (a *api) deleteSaved(ctx context.Context, in *savedID) (*done, error) {
	w, err := a.work(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.saved[in.ID]; !ok {
		return nil, noSaved(in.ID)
	}
	return finished(w.change(event{Kind: kindSaved, ID: in.ID}))
}
