package dedup

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
)

// spillPrefix begins the names of files with groups that exceed the memory.
const spillPrefix = "group-"

// settings returns the settings that must be the same when a run is resumed.
func (r *run) settings() (json.RawMessage, error) {
	return json.Marshal(struct {
		Method   string
		Config   any
		Rank     Rank
		Order    Order
		Annotate bool
		Explain  bool
		MinWords int
		Out      string
		Dropped  string
		Index    string
		Update   bool
		Report   bool `json:",omitempty"`
	}{r.cfg.Method.Name(), r.cfg.Method.Config(), r.cfg.Rank, r.cfg.Order, r.cfg.Annotate, r.cfg.Explain, r.cfg.MinWords, r.cfg.Out, r.cfg.Dropped, r.cfg.Index, r.cfg.Update, r.cfg.ReportFile != ""})
}

// openFolder opens the work folder, an empty one or the folder of the run to resume.
func (r *run) openFolder() (unlock func(), err error) {
	m, err := loadManifest(r.dir)
	switch {
	case r.cfg.Force:
		m = nil
	case errors.As(err, new(*fs.PathError)):
		return nil, r.unusable(err)
	case err != nil:
		return nil, err
	case m != nil && m.Named && !r.cfg.Resume:
		m = nil
	case m != nil && m.Named:
		return nil, fmt.Errorf("%s: %w", r.cfg.Out, errors.Join(pipeline.ErrComplete, r.clearNamed()))
	case m != nil && !r.cfg.Resume:
		return nil, fmt.Errorf("%s: %w", r.dir, pipeline.ErrUnfinished)
	case m == nil && r.cfg.Resume && r.cfg.Out != "":
		list, err := os.ReadDir(r.dir)
		if len(list) == 0 && exists(r.cfg.Out) && !exists(r.unfinished()) { // a run killed at its beginning left a lock
			if err == nil {
				err = disk.Remove(r.dir)
			}
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return nil, fmt.Errorf("%s: %w", r.cfg.Out, errors.Join(pipeline.ErrComplete, err))
		}
	}
	if err := r.makeFolder(); err != nil {
		return nil, err
	}
	unlock, err = lock(filepath.Join(r.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	fail := func(err error) (func(), error) {
		unlock()
		return nil, err
	}
	if m == nil {
		if err := r.empty(); err != nil {
			return fail(err)
		}
	}
	if r.folder, err = extsort.OpenFolder(r.dir); err != nil {
		return fail(err)
	}
	if r.fresh = m == nil; r.fresh {
		m = &manifest{Format: manifestFormat, Tables: map[string]*tableState{}, Counts: map[string]int64{}, Times: map[string]float64{}}
	}
	r.m = m
	if slices.Contains(r.cfg.Inputs, "-") && !m.Spooled {
		if r.cfg.Stdin == nil {
			return fail(errors.New("-: no standard input"))
		}
		if _, err := records.Spool(r.cfg.Stdin, r.dir); err != nil {
			return fail(errors.Join(err, r.clear()))
		}
		m.Spooled = true
	}
	return unlock, nil
}

// unfinished returns the name of the work folder before its lock exists and while it
// is cleared.
func (r *run) unfinished() string { return files.Unfinished(filepath.Clean(r.dir)) }

// makeFolder creates the work folder with a lock in it, by a rename. So an empty
// folder is from a run that was killed after its last step, never before its first.
func (r *run) makeFolder() error {
	if _, err := os.Lstat(r.dir); err == nil {
		return disk.MkdirAll(r.dir)
	}
	part := r.unfinished()
	if err := disk.MkdirAll(part); err != nil {
		return r.unusable(err)
	}
	f, err := disk.OpenFile(filepath.Join(part, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err == nil {
		f.Close()
		err = disk.Rename(part, r.dir)
	}
	if err != nil && exists(r.dir) { // another run was first: its lock decides
		return disk.RemoveAll(part)
	}
	return err
}

// unusable returns the error of a work folder that cannot be created or read. It names the
// output, or the work folder if the caller chose one, and not the files in the folder.
func (r *run) unusable(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	if r.cfg.Out != "" && r.dir == r.cfg.Out+".work" {
		return fmt.Errorf("output %s: its work folder cannot be used: %w", r.cfg.Out, err)
	}
	return fmt.Errorf("work folder %s: cannot be used: %w", r.dir, err)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// newToken returns a unique name for a run.
func newToken() string { return rand.Text() }

// stdin returns the file that holds the copy of standard input.
func (r *run) stdin() string { return filepath.Join(r.dir, "stdin") }

// begin starts a run, or compares its settings and input with the run to resume.
func (r *run) begin(src Source) error {
	// Buffers are taken as a whole: a small input needs no large ones.
	if _, total := src.Progress(); total >= 0 {
		r.plan = newPlan(min(r.cfg.Memory-r.cfg.held(), max(4*MinMemory, 128*total)))
	}
	set, err := r.settings()
	if err != nil {
		return err
	}
	m := r.m
	switch {
	case m.Settings == nil:
		m.Settings, m.Input, m.Token = set, src.Identity(), newToken()
		for _, t := range append(r.tables(), marksTable) {
			if m.Tables[t.Name] != nil {
				return fmt.Errorf("%s: two tables %q", r.cfg.Method.Name(), t.Name)
			}
			m.Tables[t.Name] = &tableState{Table: t}
		}
		if err := r.useIndex(); err != nil {
			return err
		}
	case string(m.Settings) != string(set):
		return fmt.Errorf("%s: the run was begun with other settings (%s): take the same ones and the version that began it, or %w", r.dir, settings.Differences(m.Settings, set, "then", "now"), ErrStartOver)
	case m.Input != src.Identity():
		return fmt.Errorf("%s: the input has changed since the run began: %w", r.dir, ErrStartOver)
	}
	if err := r.checkOwn(); err != nil {
		return fmt.Errorf("%s: %w: %w", filepath.Join(r.dir, manifestName), err, ErrStartOver)
	}
	if err := r.checkIndex(); err != nil {
		return err
	}
	var keep []extsort.Run
	for _, t := range m.Tables {
		keep = append(keep, t.Runs...)
	}
	if err := r.folder.Sweep(keep); err != nil {
		return err
	}
	if err := r.folder.Check(keep); err != nil {
		return err
	}
	if m.Docs > 0 {
		if err := checkIDs(r.dir, workIDs, m.IDs, m.Docs); err != nil {
			return err
		}
	}
	return r.save()
}

// checkOwn reports tables of the manifest that are not the tables of the run.
func (r *run) checkOwn() error {
	m := r.m
	if len(m.Steps) > 0 && !m.Sketched {
		return errors.New("steps follow a sketch that is not done")
	}
	for i, t := range append([]Table{marksTable, ranksTable, ordersTable}, r.tables()...) {
		s := m.Tables[t.Name]
		if s == nil && (i == 0 || i > 2 && !m.Sketched) || s != nil && s.Table != t {
			return fmt.Errorf("no table %s as this method has it", t.Name)
		}
	}
	return nil
}

// lockName is the file that is locked while a run is at work in the folder.
const lockName = "lock"

// empty removes everything but the lock from the work folder, the manifest first. It
// leaves a folder with other files unchanged.
func (r *run) empty() error {
	if err := r.check(); err != nil {
		return err
	}
	return r.take(manifestName, "")
}

// check rejects a folder with files that no run creates.
func (r *run) check() error {
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !isOurs(e.Name()) {
			return fmt.Errorf("%s: holds %s, which is not of a work folder: name another one", r.dir, e.Name())
		}
	}
	return nil
}

// take removes the file first from the work folder, then all other files but the lock
// and the file stays.
func (r *run) take(first, stays string) error {
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	names := []string{}
	for _, e := range list {
		switch name := e.Name(); name {
		case lockName, stays:
		case first:
			names = append([]string{name}, names...)
		default:
			names = append(names, name)
		}
	}
	for _, name := range names {
		if err := disk.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func isOurs(name string) bool {
	name = strings.TrimPrefix(name, files.UnfinishedPrefix)
	return strings.HasPrefix(name, manifestName) || strings.HasPrefix(name, indexName+".") || strings.HasSuffix(name, ".run") || strings.HasSuffix(name, ".run.part") ||
		strings.HasPrefix(name, spillPrefix) || strings.HasPrefix(name, sorterPrefix) ||
		slices.Contains([]string{lockName, "ids.dat", "ids.off", "ranks.dat", "stdin", keptName, cutsName}, name)
}

// clear removes the work folder of a run that will not be resumed. It first renames
// the folder to the name from before its start.
func (r *run) clear() error {
	if err := r.empty(); err != nil {
		return err
	}
	part := r.unfinished()
	if err := disk.Rename(r.dir, part); err != nil {
		return err
	}
	return vanish(part, lockName)
}

// clearNamed removes the work folder of a finished run; the manifest, which records
// that, comes last.
func (r *run) clearNamed() error {
	if err := r.check(); err != nil {
		return err
	}
	if err := r.take("", manifestName); err != nil {
		return err
	}
	return vanish(r.dir, lockName, manifestName)
}

// vanish removes the last files of a work folder and the folder.
func vanish(dir string, names ...string) error {
	for _, name := range names {
		if err := disk.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return disk.Remove(dir)
}

// save writes the state to stable storage, unless sketches are held, and removes files that are no
// longer needed.
func (r *run) save() error {
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	var disk int64
	for _, e := range list {
		if st, err := e.Info(); err == nil {
			disk += st.Size()
		}
	}
	r.m.Disk = max(r.m.Disk, disk)
	if r.held == nil {
		if err := r.m.save(r.dir); err != nil {
			return err
		}
	}
	gone := r.gone
	r.gone = nil
	return r.folder.Remove(gone)
}

// remove removes a table from the manifest.
func (r *run) remove(table string) {
	if t := r.m.Tables[table]; t != nil {
		r.gone = append(r.gone, t.Runs...)
		delete(r.m.Tables, table)
	}
}
