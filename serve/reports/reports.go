// Package reports serves the reports of builds, crawls, deduplication and evaluations in a
// folder, finished or running. [Open] opens a folder; [Folder.List] and [Folder.View] return
// its reports. The state of a running report is read from its regular files; the journal of
// a crawl is read incrementally.
//
// The folder is an os.Root, so no name or link leads out of it. HTML reports are sent with a
// policy that allows only our own scripts, in a separate origin.
//
// Unstable: this package may change in any release.
package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"chaffinch/build"
	"chaffinch/crawl"
	"chaffinch/dedup"
	"chaffinch/lab/eval/live"
)

// Kinds of reports.
const (
	Build   = "build"
	Crawl   = "crawl"
	Dedup   = "dedup"   // a removal of duplicates at work or interrupted: its work folder
	Eval    = "eval"    // an evaluation with a state file
	Figures = "figures" // a file of JSON: summaries, results of evaluations
	Page    = "page"    // a file of HTML
)

// States of what wrote a report.
const (
	Running = "running"
	Stopped = "stopped" // interrupted, or killed
	Failed  = "failed"
	Done    = "done"
)

// Bounds of the search for reports.
const (
	maxDepth   = 6
	maxEntries = 200_000 // of folders
	maxHeads   = 5000    // HTML files that one listing opens
	maxReports = 1000
	maxFigures = 4 << 20 // bytes of a file of JSON
	maxCrawls  = 8       // histories that are kept in memory
	// fresh is the time since its last write within which a crawl or a removal of
	// duplicates counts as running. Both write more often, the latter at checkpoints.
	fresh = 150 * time.Second
)

// Folder is a folder with reports.
type Folder struct {
	root *os.Root
	fs   fs.FS

	mu     sync.Mutex
	crawls map[string]*following
	heads  heads
}

// following is a crawl that is looked at more than once.
type following struct {
	turn    chan struct{} // holds a token while it is not being read
	history *crawl.History
	used    time.Time
}

// Open opens a folder. Close it.
func Open(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return nil, fmt.Errorf("%s: %w: wanted a folder with reports of builds, crawls or evaluations", dir, p.Err)
	}
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, fs: root.FS(), crawls: map[string]*following{}}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Entry is a report of a list.
type Entry struct {
	Path    string    `json:"path" doc:"Path in the folder of reports."`
	Kind    string    `json:"kind" enum:"build,crawl,dedup,eval,figures,page"`
	State   string    `json:"state" enum:"running,stopped,failed,done"`
	Changed time.Time `json:"changed"`
	Says    string    `json:"says,omitempty" doc:"Progress."`
}

// Reports lists the reports of the folder.
type Reports struct {
	Reports []Entry `json:"reports"`
	// More reports whether the folder has more reports than are listed.
	More bool `json:"more"`
}

// ownFiles are files of a build or crawl whose folder is a report itself.
var ownFiles = map[string]bool{"build.json": true, "crawl.json": true, "manifest.json": true}

// file returns the entry of a file that is a report itself. reads, if not nil, is how many
// files may be read to find out.
func (f *Folder) file(name string, d fs.DirEntry, reads *int) (e Entry, ok bool) {
	kind := ""
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm":
		kind = Page
	case ".json":
		kind = Figures
	case live.Ending:
		kind = Eval
	}
	if kind == "" || ownFiles[path.Base(name)] {
		return e, false
	}
	st, err := d.Info()
	if err != nil || !st.Mode().IsRegular() || kind != Page && st.Size() > maxFigures || kind == Page && !f.isReport(name, st, reads) {
		return e, false
	}
	e = Entry{Path: name, Kind: kind, State: Done, Changed: st.ModTime().UTC()}
	if kind == Eval {
		if s, err := live.Read(f.fs, name); err == nil {
			e.State, e.Says = evalState(s)
		} else {
			e.State, e.Says = Failed, err.Error()
		}
	}
	return e, true
}

// evalState returns the state of an evaluation as a word and a sentence.
func evalState(s *live.State) (state, says string) {
	switch {
	case s.Alive:
		if says = s.Step; s.Total > 0 {
			says += fmt.Sprintf(", %d of %d", s.Done, s.Total)
		}
		return Running, says
	case s.Ended.IsZero():
		return Stopped, s.Step
	case s.Error != "":
		return Failed, s.Error
	}
	return Done, ""
}

// folder returns the entry of a folder, and reports whether it belongs to a build, a crawl or
// deduplication.
func (f *Folder) folder(name string) (e Entry, ok bool) {
	if st, err := f.stat(name, "build.json"); err == nil {
		e = Entry{Path: name, Kind: Build, State: Done, Changed: st.ModTime().UTC()}
		if s, err := f.build(name); err == nil {
			e.State, e.Says = buildState(s)
		} else {
			e.State, e.Says = Failed, err.Error()
		}
		if e.State == Running {
			e.Changed = time.Now().UTC().Truncate(time.Minute)
		}
		return e, true
	}
	if st, err := f.stat(name, "crawl.json"); err == nil {
		e = f.crawlEntry(name)
		if e.Changed.IsZero() {
			e.Changed = st.ModTime().UTC()
		}
		return e, true
	}
	if st, err := f.stat(name, "manifest.json"); err == nil {
		if s, err := f.dedup(name); err == nil {
			return Entry{Path: name, Kind: Dedup, State: recent(st.ModTime()), Changed: st.ModTime().UTC(), Says: steps(len(s.Steps))}, true
		}
	}
	return e, false
}

func (f *Folder) stat(parts ...string) (fs.FileInfo, error) {
	return fs.Stat(f.fs, path.Join(parts...))
}

// sub is a folder in the folder.
func (f *Folder) sub(name string) (fs.FS, error) { return fs.Sub(f.fs, name) }

func (f *Folder) build(name string) (*build.State, error) {
	dir, err := f.sub(name)
	if err != nil {
		return nil, err
	}
	return build.ReadState(dir)
}

func (f *Folder) dedup(name string) (*dedup.State, error) {
	dir, err := f.sub(name)
	if err != nil {
		return nil, err
	}
	return dedup.ReadState(dir)
}

// recent returns the state of a report by the time of its last write.
func recent(written time.Time) string {
	if time.Since(written) < fresh {
		return Running
	}
	return Stopped
}

// crawlEntry returns the state of a crawl: as its last run noted, else by the times of
// its journal.
func (f *Folder) crawlEntry(name string) Entry {
	e := Entry{Path: name, Kind: Crawl, State: Stopped}
	list, err := fs.ReadDir(f.fs, path.Join(name, "journal"))
	if err != nil {
		return e
	}
	for _, d := range list {
		if st, err := d.Info(); err == nil && st.ModTime().After(e.Changed) {
			e.Changed = st.ModTime().UTC()
		}
	}
	e.State = recent(e.Changed)
	dir, err := f.sub(name)
	if err != nil {
		return e
	}
	end, ended, err := crawl.ReadEnding(dir)
	switch {
	case err != nil:
		e.State, e.Says = Failed, err.Error()
	case !ended:
		if st, err := f.stat(name, "report.html"); err == nil && !st.ModTime().Before(e.Changed) {
			e.State = Done // of a version that noted no ending
		}
	case end.Error != "":
		e.State, e.Says, e.Changed = Failed, end.Error, end.Time
	case end.Reason == crawl.NoResponse:
		e.State, e.Says, e.Changed = Failed, string(end.Reason), end.Time
	case end.Reason == crawl.Interrupted:
		e.State, e.Says, e.Changed = Stopped, string(end.Reason), end.Time
	default:
		e.State, e.Says, e.Changed = Done, string(end.Reason), end.Time
	}
	return e
}

// buildState returns the state of a build as a word and a sentence.
func buildState(s *build.State) (state, says string) {
	if w := s.Working; w != nil {
		says = fmt.Sprintf("step %d of %d, %s", w.Number, w.Steps, w.Step)
		if w.Total > 0 {
			says += fmt.Sprintf(", %d %%", 100*min(w.Done, w.Total)/w.Total)
		}
		return Running, says
	}
	for _, step := range s.Steps {
		switch {
		case step.Error == "interrupted" || step.Error == "" && !step.Done:
			return Stopped, "in step " + step.Name
		case step.Error != "":
			return Failed, "in step " + step.Name + ": " + step.Error
		}
	}
	return Done, steps(len(s.Steps))
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// regular opens a regular file: a pipe would hold its reader.
func (f *Folder) regular(name string) (fs.File, error) {
	st, err := fs.Stat(f.fs, name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: %w", name, fs.ErrNotExist)
	}
	return f.fs.Open(name)
}

// figures reads a file of JSON.
func (f *Folder) figures(name string) (v any, err error) {
	b, err := fs.ReadFile(f.fs, name)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("%s: not JSON: %w", name, err)
	}
	return v, nil
}
