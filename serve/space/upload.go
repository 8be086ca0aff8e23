package space

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"chaffinch/build"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/pipeline"
	"chaffinch/serve/access"
	"chaffinch/serve/problem"
)

// The states of an uploaded corpus.
const (
	stateNew         = "new" // files are being uploaded
	stateQueued      = "queued"
	stateBuilding    = "building"
	stateReady       = "ready"
	stateFailed      = "failed"
	stateCancelled   = "cancelled"
	stateInterrupted = "interrupted" // by the end of the server
)

// Upload describes an uploaded corpus.
type Upload struct {
	Name    string        `json:"name"`
	Owner   string        `json:"owner"`
	Corpus  string        `json:"corpus" doc:"Name of the corpus in /v1/corpora."`
	Created time.Time     `json:"created"`
	State   string        `json:"state" enum:"new,queued,building,ready,failed,cancelled,interrupted"`
	Shared  bool          `json:"shared,omitempty" doc:"Whether all users of the server may query the corpus."`
	Build   BuildSettings `json:"build"`
	Error   string        `json:"error,omitempty" doc:"Why the build failed."`
	Hint    string        `json:"hint,omitempty" doc:"What to change."`
	Skipped []string      `json:"skipped,omitempty" doc:"First inputs that could not be read."`
	Pages   int64         `json:"pages,omitempty" doc:"Pages of the built corpus."`
	Tokens  int64         `json:"tokens,omitempty" doc:"Tokens of the built corpus."`
	Built   int64         `json:"built_bytes,omitempty" doc:"Size of the built corpus."`

	Files    int              `json:"files" doc:"Number of uploaded files."`
	Bytes    int64            `json:"bytes" doc:"Size of the uploaded files."`
	Position int              `json:"position,omitempty" doc:"Position in the queue, from 1."`
	Progress *pipeline.Status `json:"progress,omitempty" doc:"Progress of the running build."`
}

// BuildSettings configures the build of an uploaded corpus.
type BuildSettings struct {
	Recipe string   `json:"recipe,omitempty" doc:"Recipe with an index. Default: linguist."`
	Langs  []string `json:"langs,omitempty" maxItems:"50" doc:"Languages to keep, such as de or fo:0.7. Default: every language."`
	Keep   string   `json:"keep,omitempty" enum:",text,article,main,body" doc:"Part of web pages to keep. Default: as in the recipe."`
	Clean  string   `json:"clean,omitempty" enum:",jsonl,vertical,prevertical,xml,markdown,text" doc:"The files are clean text in this format: it is kept unchanged. Default: detected; web pages are cleaned."`
	// All keeps duplicates and non-text.
	All   bool     `json:"all,omitempty" doc:"Keep duplicates and non-text."`
	URLs  []string `json:"urls,omitempty" maxItems:"1000" doc:"Addresses to crawl."`
	Pages int64    `json:"pages,omitempty" minimum:"0" doc:"Maximum number of crawled pages."`
}

// upload is an uploaded corpus with its folder. The Server's lock protects it.
type upload struct {
	Upload
	dir    string
	cancel context.CancelFunc // of the running build
	shared atomic.Bool        // as Shared, without the lock
}

// Names in the folder of an uploaded corpus.
const (
	uploadName   = "corpus.json"
	sourceFolder = "source"
	crawlFolder  = "crawl"
	buildFolder  = "build"
)

// served returns the name under which the corpus of a user is served.
func served(owner, name string) string {
	if owner == access.Owner.Name {
		return name
	}
	return name + "~" + owner
}

// openUploads reads the uploaded corpora. Queued builds stay in the queue; a build that was running
// is marked as interrupted.
func (s *Server) openUploads() error {
	if err := s.readServed(); err != nil {
		return err
	}
	root := filepath.Join(s.cfg.Dir, uploads)
	names, err := filepath.Glob(filepath.Join(root, "*", "*", uploadName))
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		u := &upload{dir: filepath.Dir(name)}
		if err := json.Unmarshal(b, &u.Upload); err != nil {
			return fmt.Errorf("%s: %w: wanted a corpus as the server writes it", name, err)
		}
		u.shared.Store(u.Shared)
		u.Files, u.Bytes = folderSize(filepath.Join(u.dir, sourceFolder))
		if u.State == stateBuilding {
			u.State, u.Hint = stateInterrupted, "Build it again: the build resumes."
		}
		s.all[u.Corpus] = u
		if u.State == stateQueued {
			s.queue = append(s.queue, u)
		}
	}
	slices.SortStableFunc(s.queue, func(a, b *upload) int { return a.Created.Compare(b.Created) })
	return nil
}

// folderSize returns the number of files of a folder, and their size.
func folderSize(dir string) (n int, bytes int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if st, err := e.Info(); err == nil {
				n, bytes = n+1, bytes+st.Size()
			}
		}
		return nil // a file that is being removed
	})
	return n, bytes
}

// write stores the description of a corpus.
func (u *upload) write() error {
	u.Corpus = served(u.Owner, u.Name)
	of := u.Upload
	of.Position, of.Progress = 0, nil
	return files.WriteJSON(filepath.Join(u.dir, uploadName), of, "  ")
}

// usage returns the number of corpora of a user and their size.
func (s *Server) usage(owner string) (q Quota) {
	for _, u := range s.all {
		if u.Owner == owner {
			q.Bytes += u.Bytes + u.Built
			q.Corpora++
		}
	}
	return q
}

// uploadsOf returns the corpora of a user, or of everyone for "", ordered by name.
func (s *Server) uploadsOf(owner string) []Upload {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Upload{}
	for _, name := range slices.Sorted(maps.Keys(s.all)) {
		if u := s.all[name]; owner == "" || u.Owner == owner {
			list = append(list, s.shown(u))
		}
	}
	return list
}

// shown returns a copy of the description of a corpus.
func (s *Server) shown(u *upload) Upload {
	of := u.Upload
	of.Position = slices.Index(s.queue, u) + 1
	if of.Progress != nil {
		p := *of.Progress
		of.Progress = &p
	}
	return of
}

// own returns a corpus of a user, or a problem. The caller holds the lock.
func (s *Server) own(owner, name string) (*upload, error) {
	if u := s.all[served(owner, name)]; u != nil && u.Owner == owner && u.Name == name {
		return u, nil
	}
	return nil, problem.New(http.StatusNotFound, "no uploaded corpus of the owner %s has the name %q: wanted one in /v1/workspace/corpora", owner, name)
}

// create adds a corpus without files.
func (s *Server) create(owner, name string) (Upload, error) {
	if err := checkName(name); err != nil {
		return Upload{}, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	q := s.quota(owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	as := served(owner, name)
	if s.all[as] != nil || s.set != nil && s.set.Has(as) {
		return Upload{}, problem.New(http.StatusConflict, "corpus %q: exists already: wanted another name", name)
	}
	if used := s.usage(owner); used.Corpora >= q.Corpora {
		return Upload{}, problem.New(http.StatusRequestEntityTooLarge, "%d corpora: your quota is %d: delete one first", used.Corpora, q.Corpora)
	}
	u := &upload{Upload: Upload{Name: name, Owner: owner, Created: s.cfg.Now().UTC(), State: stateNew}, dir: filepath.Join(s.cfg.Dir, uploads, owner, name)}
	if err := disk.MkdirAll(filepath.Join(u.dir, sourceFolder)); err != nil {
		return Upload{}, err
	}
	if err := u.write(); err != nil {
		return Upload{}, err
	}
	s.all[u.Corpus] = u
	return u.Upload, nil
}

// Limits of uploaded files.
const (
	maxFiles = 50_000 // of a corpus
	maxDepth = 16     // folders in each other
)

// checkPath returns an error if a path cannot be the path of an uploaded file.
func checkPath(name string) error {
	bad := !fs.ValidPath(name) || name == "." || len(name) > 1000 || !filepath.IsLocal(filepath.FromSlash(name)) || strings.Count(name, "/") >= maxDepth ||
		strings.ContainsFunc(name, func(r rune) bool {
			return unicode.IsControl(r) || r == '\\' || r == ':' || r == unicode.ReplacementChar
		})
	for part := range strings.SplitSeq(name, "/") {
		bad = bad || len(part) > 200
	}
	if bad {
		return fmt.Errorf("path %q: wanted a relative path such as folder/page.html, without .., \\, : and control characters", name)
	}
	return nil
}

// store appends a piece to a file of a corpus. The offset is the size of the file so far; 0 starts
// it again.
func (s *Server) store(owner, name, file string, offset int64, piece []byte) (Upload, error) {
	if err := checkPath(file); err != nil {
		return Upload{}, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	q := s.quota(owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.own(owner, name)
	if err != nil {
		return Upload{}, err
	}
	if u.State == stateQueued || u.State == stateBuilding {
		return Upload{}, problem.New(http.StatusConflict, "corpus %q is %s: wait for the end of the build, or cancel it", name, u.State)
	}
	at := filepath.Join(u.dir, sourceFolder, filepath.FromSlash(file))
	size := int64(-1)
	if st, err := os.Lstat(at); err == nil {
		if !st.Mode().IsRegular() {
			return Upload{}, problem.New(http.StatusConflict, "path %q: a folder of this name exists: wanted another name", file)
		}
		size = st.Size()
	}
	if offset != 0 && offset != size {
		return Upload{}, problem.New(http.StatusConflict, "offset %d: %s has %d bytes: wanted this offset, or 0 to start again", offset, file, max(size, 0))
	}
	if size < 0 && u.Files >= maxFiles {
		return Upload{}, problem.New(http.StatusRequestEntityTooLarge, "%d files: a corpus has at most %d: upload an archive instead", u.Files, maxFiles)
	}
	old := int64(0)
	if offset == 0 {
		old = max(size, 0)
	}
	if used := s.usage(owner).Bytes - old + int64(len(piece)); used > q.Bytes {
		return Upload{}, problem.New(http.StatusRequestEntityTooLarge, "%s: your corpora would have %d bytes: your quota is %d: delete a corpus, or upload less", file, used, q.Bytes)
	}
	if err := appendTo(at, offset, piece); err != nil {
		if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
			return Upload{}, problem.New(http.StatusConflict, "path %q: a file has the name of a folder: wanted another name", file)
		}
		return Upload{}, err
	}
	if size < 0 {
		u.Files++
	}
	u.Bytes += int64(len(piece)) - old
	return s.shown(u), nil
}

// appendTo writes a piece at the end of a file, which has the size offset.
func appendTo(name string, offset int64, piece []byte) (err error) {
	if err := disk.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	flag := os.O_WRONLY | os.O_CREATE
	if offset == 0 {
		flag |= os.O_TRUNC
	}
	f, err := disk.OpenFile(name, flag, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	if _, err := f.Write(piece); err != nil {
		return errors.Join(err, f.Truncate(offset))
	}
	return nil
}

// remove deletes a corpus. A running build is cancelled first.
func (s *Server) remove(ctx context.Context, owner, name string) error {
	for {
		s.mu.Lock()
		u, err := s.own(owner, name)
		if err != nil {
			s.mu.Unlock()
			return err
		}
		if u.State != stateBuilding {
			s.queue = slices.DeleteFunc(s.queue, func(x *upload) bool { return x == u })
			delete(s.all, u.Corpus)
			old := filepath.Join(s.cfg.Dir, trash, newID())
			err := errors.Join(s.set.Remove(u.Corpus), disk.MkdirAll(filepath.Dir(old)), disk.Rename(u.dir, old))
			s.mu.Unlock()
			return errors.Join(err, disk.RemoveAll(old))
		}
		u.cancel()
		s.mu.Unlock()
		select { // the build notices soon
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// share sets whether all users may query a corpus.
func (s *Server) share(owner, name string, shared bool) (Upload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.own(owner, name)
	if err != nil {
		return Upload{}, err
	}
	u.Shared = shared
	u.shared.Store(shared)
	return s.shown(u), u.write()
}

// visible returns the function that reports whether the user of a request may query a corpus.
func visible(u *upload) func(context.Context) bool {
	return func(ctx context.Context) bool {
		who := access.Who(ctx).Name
		return who == u.Owner || u.shared.Load() && who != ""
	}
}

// recipes returns the names of the recipes that an uploaded corpus may use: embedded recipes with
// an index for any language.
var recipes = sync.OnceValue(func() (names []string) {
	for _, name := range build.BundledNames() {
		if r, err := build.Load(name); err == nil && r.Index != nil && len(r.Clean.Langs) == 0 {
			names = append(names, name)
		}
	}
	return names
})
