// Package space stores what the users of a server make, in one folder: their accounts, their
// workspaces (subcorpora, query history, saved queries, labels of hits) and the corpora that they
// upload. [Open] opens a folder, [Register] adds the operations, [Server.Start] builds corpora.
//
// The folder holds users.json (accounts, with hashes of tokens), corpora.json (corpora added by an
// administrator), workspaces/USER.jsonl (a log of changes) and corpora/USER/NAME (sources and build).
// Files are replaced atomically and logs are append-only, so a copy of the folder is a backup.
//
// Unstable: this package may change in any release.
package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"chaffinch/build"
	"chaffinch/crawl"
	"chaffinch/internal/disk"
	"chaffinch/serve/access"
	"chaffinch/serve/corpora"
	"chaffinch/serve/desk/journal"
)

// Config configures a Server.
type Config struct {
	// Dir is the folder of everything that is stored. It is created if it is missing.
	Dir string
	// Version is the version of the program.
	Version string
	// Roots are the folders whose corpora an administrator may add. Default: none.
	Roots []string
	// Quota is the quota of users whose account has none.
	Quota Quota
	// Workers is the number of workers of a build. Default: half of the processors that Go may
	// use, so that queries stay fast.
	Workers int
	// Contact is the contact of the operator in requests of crawls. Default: "", no crawls.
	Contact string
	// Fetcher fetches pages of crawls. Default: a client that refuses private addresses.
	Fetcher crawl.Fetcher
	// Log gets a record of each repair and each failed build.
	Log slog.Handler
	// Now is the clock. Default: time.Now.
	Now func() time.Time
}

// Quota bounds what a user stores.
type Quota struct {
	// Bytes bounds the uploaded files and the built corpora.
	Bytes int64 `json:"bytes,omitempty" minimum:"0" doc:"Maximum size of uploaded files and built corpora in bytes. Default: the quota of the server."`
	// Corpora bounds the number of uploaded corpora.
	Corpora int `json:"corpora,omitempty" minimum:"0" doc:"Maximum number of uploaded corpora. Default: the quota of the server."`
}

// Memory is the memory limit of a build; the rest is sorted on disk.
const Memory = build.MinMemory

// DefaultQuota is the quota unless another is given.
var DefaultQuota = Quota{Bytes: 2 << 30, Corpora: 20}

// or returns q, with zero fields replaced by the fields of other.
func (q Quota) or(other Quota) Quota {
	if q.Bytes == 0 {
		q.Bytes = other.Bytes
	}
	if q.Corpora == 0 {
		q.Corpora = other.Corpora
	}
	return q
}

// Names in the folder.
const (
	lockName    = "lock"
	workspaces  = "workspaces"
	uploads     = "corpora"
	servedName  = "corpora.json"
	accountName = "users.json"
	trash       = "trash" // folders to be removed
)

// Server stores workspaces. It is safe for concurrent use.
type Server struct {
	cfg   Config
	log   *slog.Logger
	lock  io.Closer
	users *Users
	set   *corpora.Set // nil before Start

	mu     sync.Mutex // protects team, uploads, queue and the files of uploads
	team   journal.Team[*workspace, event]
	all    map[string]*upload // by served name
	queue  []*upload
	served []Served
	wake   chan struct{}
	stop   context.CancelFunc
	ended  chan struct{}
}

// Open opens the folder and locks it against a second server.
func Open(cfg Config) (_ *Server, err error) {
	cfg.Quota = cfg.Quota.or(DefaultQuota)
	cfg.Workers = cmp.Or(cfg.Workers, max(1, runtime.GOMAXPROCS(0)/2))
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.DiscardHandler
	}
	s := &Server{cfg: cfg, log: slog.New(cfg.Log), users: OpenUsers(cfg.Dir), all: map[string]*upload{}, wake: make(chan struct{}, 1)}
	for _, dir := range []string{workspaces, uploads} {
		if err := disk.MkdirAll(filepath.Join(cfg.Dir, dir)); err != nil {
			return nil, err
		}
	}
	if s.lock, err = lock(cfg.Dir); err != nil {
		return nil, err
	}
	if err := disk.RemoveAll(filepath.Join(cfg.Dir, trash)); err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	s.team = journal.Team[*workspace, event]{
		Folder: filepath.Join(cfg.Dir, workspaces), Start: newWorkspace,
		Apply:  func(w *workspace, e event) (int, error) { return 0, w.apply(e) },
		Notice: func(text string) { s.log.Warn(text) },
	}
	if _, err = s.users.List(); err == nil {
		err = s.team.Open()
	}
	if err == nil {
		err = s.openUploads()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// lock locks the folder until the file is closed.
func lock(dir string) (io.Closer, error) {
	f, err := disk.OpenLocked(filepath.Join(dir, lockName))
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("%s: open in another server: stop that server, or name another folder", dir)
	}
	return f, err
}

// Close stops the running build, which can be resumed, and closes the folder.
func (s *Server) Close() error {
	if s.stop != nil {
		s.stop()
		<-s.ended
	}
	err := s.team.Close()
	return errors.Join(err, s.lock.Close())
}

// Users returns the accounts.
func (s *Server) Users() *Users { return s.users }

// work returns the workspace of the user of a request.
func (s *Server) work(ctx context.Context) (*workspace, error) {
	u := access.Who(ctx)
	if u.Name == "" {
		return nil, errNobody
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.team.Person(u.Name)
}

// workspaces returns the workspaces of all users.
func (s *Server) workspaces() []*workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.team.All()))
}

// quota returns the quota of a user.
func (s *Server) quota(name string) Quota {
	a, _ := s.users.account(name)
	return a.Quota.or(s.cfg.Quota)
}
