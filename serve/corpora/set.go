// Package corpora answers questions to corpora over HTTP: concordances, frequencies,
// word lists, collocations, keywords, documents. Parameters have the names that
// BlackLab's server gives them where it has them. Totals are exact: where one is not
// known yet the answer says so, and a list that is asked for whole is whole.
//
// Unstable: this package may change in any release.
package corpora

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/corpus"
	"chaffinch/internal/inuse"
	"chaffinch/internal/mapfile"
	"chaffinch/internal/settings"
	"chaffinch/serve/problem"
)

// Set is corpora by name. It is safe for concurrent use.
type Set struct {
	mu      sync.RWMutex // protects the fields
	entries map[string]*entry
	closed  bool
}

// entry is a corpus by its folder, or by its list of shards. An index is reopened when it has been
// rebuilt.
type entry struct {
	dir     string
	visible func(context.Context) bool // nil: to every request
	shards  *shardSet                  // nil: one index
	mu      sync.Mutex
	now     *openCorpus // nil: shards
}

// close closes the corpus after the last use.
func (e *entry) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.shards != nil {
		return e.shards.users.Close()
	}
	return e.now.users.Close()
}

// openEntry opens the index in a folder, or the shards that a file lists.
func openEntry(dir string, visible func(context.Context) bool) (*entry, error) {
	if strings.HasSuffix(dir, corpus.ShardList) {
		s, err := openShards(context.Background(), dir)
		if err != nil {
			return nil, err
		}
		return &entry{dir: dir, visible: visible, shards: s}, nil
	}
	c, err := corpus.Open(dir)
	if err != nil {
		return nil, err
	}
	return &entry{dir: dir, visible: visible, now: hold(c)}, nil
}

// openCorpus is an open corpus with a reference count. It is closed after the last use.
type openCorpus struct {
	*corpus.Corpus
	users  *inuse.Closer
	totals totals
	parts  parts
}

func hold(c *corpus.Corpus) *openCorpus { return &openCorpus{Corpus: c, users: inuse.New(c.Close)} }

// Open opens the indexes in folders, or the shards that files list, by name.
func Open(dirs map[string]string) (*Set, error) {
	s := &Set{entries: map[string]*entry{}}
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		if err := s.Add(name, dirs[name], nil); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// ErrExists is returned by Add for the name of another corpus.
var ErrExists = errors.New("a corpus of this name exists")

// Add opens the index in a folder, or the shards that a file lists, and adds it. visible reports
// whether the user of a request may query the corpus; nil means everyone.
func (s *Set) Add(name, dir string, visible func(context.Context) bool) error {
	if s.Has(name) {
		return ErrExists
	}
	e, err := openEntry(dir, visible)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[name] != nil || s.closed {
		return errors.Join(ErrExists, e.close())
	}
	s.entries[name] = e
	return nil
}

// Remove removes a corpus. It is closed when its last request ends.
func (s *Set) Remove(name string) error {
	s.mu.Lock()
	e := s.entries[name]
	delete(s.entries, name)
	s.mu.Unlock()
	if e == nil {
		return nil
	}
	return e.close()
}

// Has reports whether there is a corpus of a name, visible or not.
func (s *Set) Has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.entries[name] != nil
}

// Len returns the number of corpora.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.entries)
}

// Names returns the names of the corpora that the user of a request may query, sorted.
func (s *Set) Names(ctx context.Context) []string {
	return s.names(ctx, func(*entry) bool { return true })
}

// Indexes returns the names of the corpora of [Set.Names] that are one index.
func (s *Set) Indexes(ctx context.Context) []string {
	return s.names(ctx, func(e *entry) bool { return e.shards == nil })
}

func (s *Set) names(ctx context.Context, wanted func(*entry) bool) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := []string{}
	for name, e := range s.entries {
		if wanted(e) && (e.visible == nil || e.visible(ctx)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// hidden replaces the folders of the corpora in an error by their names: clients do not see paths of
// the server.
func (s *Set) hidden(err error) error {
	if err == nil {
		return nil
	}
	var folders []string // and names, the longest folder first
	s.mu.RLock()
	for _, name := range slices.SortedFunc(maps.Keys(s.entries), func(a, b string) int {
		return cmp.Or(len(s.entries[b].dir)-len(s.entries[a].dir), strings.Compare(a, b))
	}) {
		dir := s.entries[name].dir
		if folders = append(folders, "corpus "+dir+": ", "corpus "+name+": "); filepath.IsAbs(dir) {
			folders = append(folders, dir, name)
		}
	}
	s.mu.RUnlock()
	text, p := strings.NewReplacer(folders...), *problem.Of(err)
	p.Detail, p.Errors = text.Replace(p.Detail), slices.Clone(p.Errors)
	for i, e := range p.Errors {
		p.Errors[i] = &huma.ErrorDetail{Message: text.Replace(e.Message), Location: e.Location, Value: e.Value}
	}
	return &p
}

// Close closes the corpora. A corpus that is in use is closed when that ends; asking for one is
// a problem from now on.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, e := range s.entries {
		errs = append(errs, e.close())
	}
	return errors.Join(errs...)
}

// maxMapped is the maximum number of bytes of mapped files that stay in memory after a
// request. Pages of a mapped index count as memory of the process until they are released;
// reading them again from the system's cache is cheap.
const maxMapped = 96 << 20

// visible returns the entry of a corpus that the user of a request may query, or nil.
func (s *Set) visible(ctx context.Context, name string) *entry {
	s.mu.RLock()
	e := s.entries[name]
	s.mu.RUnlock()
	if e == nil || e.visible != nil && !e.visible(ctx) {
		return nil
	}
	return e
}

// sharded returns the corpus of shards of a name, or nil if the corpus is one index or unknown; done
// gives it back.
func (s *Set) sharded(ctx context.Context, name string) (x *shardSet, done func(), err error) {
	e := s.visible(ctx, name)
	if e == nil || e.shards == nil {
		return nil, nil, nil
	}
	done, ok := e.shards.users.Use()
	if !ok {
		return nil, nil, errClosed
	}
	return e.shards, done, nil
}

// errClosed is the problem of a corpus that was closed before the request.
var errClosed = problem.New(http.StatusServiceUnavailable, "the server is shutting down")

// get returns the corpus of a name, which is one index; done gives it back. An unknown name is a
// problem.
func (s *Set) get(ctx context.Context, name string) (c *openCorpus, done func(), err error) {
	e := s.visible(ctx, name)
	if e == nil {
		names, hint := s.Names(ctx), ""
		if len(names) == 0 {
			return nil, nil, problem.New(http.StatusNotFound, "no corpus %q: this server has no corpora", name)
		}
		if near := settings.Nearest(name, names); near != "" {
			hint = ": did you mean " + near + "?"
		}
		return nil, nil, problem.New(http.StatusNotFound, "no corpus %q: wanted one of %s%s", name, strings.Join(names, ", "), hint)
	}
	if e.shards != nil {
		return nil, nil, notSharded(name)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	unused, ok := e.now.users.Use()
	if !ok {
		return nil, nil, errClosed
	}
	if e.now.Changed() {
		if n, err := corpus.Open(e.dir); err == nil { // else the old one serves on
			unused()
			before := e.now
			e.now = hold(n)
			unused, _ = e.now.users.Use()
			_ = before.users.Close() // it was read only
		}
	}
	c = e.now
	return c, func() {
		if mapfile.Held() > maxMapped {
			_ = c.Release() // pages that cannot be released stay
		}
		unused()
	}, nil
}

// totals remembers how many matches queries have.
type totals struct {
	mu    sync.Mutex
	known map[query]int64
}

// query is a query on the part of a corpus that a condition selects.
type query struct{ patt, condition string }

// maxTotals bounds the totals that are remembered.
const maxTotals = 10_000

func (t *totals) get(q query) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.known[q]
	return n, ok
}

func (t *totals) put(q query, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= maxTotals {
		t.known = map[query]int64{}
	}
	t.known[q] = n
}

// Use calls do with the corpus of a name, which stays open until do is done. An unknown
// name is a problem.
func (s *Set) Use(ctx context.Context, name string, do func(c *corpus.Corpus) error) error {
	c, done, err := s.get(ctx, name)
	if err != nil {
		return err
	}
	defer done()
	return do(c.Corpus)
}
