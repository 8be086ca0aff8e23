package dedup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Job says what is to be done, and how.
type Job struct {
	// Open opens the collection; it is called twice.
	Open func() (Source, error)
	// Sink makes what writes documents to w.
	Sink func(w io.Writer) (Sink, error)
	// Method finds the duplicates.
	Method Method
	// Rank says which copy stays. "" is ByID.
	Rank Rank
	// Out is the file of the result. It appears when the run is done. "" writes
	// to Stdout.
	Out    string
	Stdout io.Writer
	// Dropped is a file that gets the documents and paragraphs left out, "" for
	// none.
	Dropped string
	// Annotate keeps all and writes what was found beside it.
	Annotate bool
	// MinWords drops documents of which fewer words remain.
	MinWords int
	// Work is the work folder. "" is Out with ".work" behind it.
	Work string
	// Resume goes on with the run that left the work folder; Force throws that
	// away. With neither a work folder is an error.
	Resume, Force bool
	// Memory bounds what the run holds, in bytes. 0 is DefaultMemory.
	Memory int64
	// Jobs is the number of workers, 0 for one a processor. The result does not
	// depend on it.
	Jobs int
	// Checkpoint is the time between two checkpoints; full memory is one too. 0
	// is a minute.
	Checkpoint time.Duration
	// Progress is told of the work, from one goroutine at a time: the step, what
	// was done and of how much (0 if not known). nil is not told.
	Progress func(step string, done, total int64)
}

// MinMemory is the least memory that a run takes.
const MinMemory = 16 << 20

// plan divides the memory of a run. Sums leave a quarter for the garbage
// collector and the runtime.
type plan struct {
	records int64 // sketching: buffers of all workers
	flight  int64 // sketching: documents
	marks   int64
	table   int64 // grouping: each table that is filled
	groups  int64
	ranks   int64
	method  int64
}

func newPlan(memory int64) plan {
	return plan{
		records: memory / 2, flight: memory / 8,
		marks: memory / 16, table: memory / 8, groups: memory / 16, ranks: memory / 8, method: memory / 4,
	}
}

// run is a job at work.
type run struct {
	job    Job
	plan   plan
	dir    string
	m      *manifest
	serial atomic.Int64 // of run files
	ranks  ranks
	gone   []string // files to remove when the manifest does not name them any more
}

// Run takes the duplicates out of a collection.
func Run(ctx context.Context, job Job) (rep *Report, err error) {
	job.Rank = cmp.Or(job.Rank, ByID)
	job.Memory = max(cmp.Or(job.Memory, DefaultMemory()), MinMemory)
	job.Jobs = cmp.Or(job.Jobs, runtime.GOMAXPROCS(0))
	job.Checkpoint = cmp.Or(job.Checkpoint, time.Minute)
	if job.Progress == nil {
		job.Progress = func(string, int64, int64) {}
	}
	if job.Work == "" && job.Out != "" {
		job.Work = job.Out + ".work"
	}
	if !slices.Contains(Ranks, job.Rank) {
		return nil, fmt.Errorf("rank %q is not known: take one of %v", job.Rank, Ranks)
	}
	r := &run{job: job, plan: newPlan(job.Memory), dir: job.Work}
	if r.dir == "" {
		if job.Resume {
			return nil, errors.New("only a run that writes a file, or has a work folder, can be resumed: name one")
		}
		if r.dir, err = os.MkdirTemp("", "chaffinch-dedup-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(r.dir)
	}
	src, err := job.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if err := r.begin(src); err != nil {
		return nil, err
	}
	defer r.ranks.close()
	if err := r.sketch(ctx, src); err != nil {
		return nil, err
	}
	if err := r.group(ctx); err != nil {
		return nil, err
	}
	return r.rewrite(ctx)
}

// DefaultMemory is a quarter of the memory of the machine, at least 256 MiB.
func DefaultMemory() int64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 1 << 30
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return max(kb<<10/4, 256<<20)
			}
		}
	}
	return 1 << 30
}

// settings are what a resumed run must have in common with the one before.
func (r *run) settings() (json.RawMessage, error) {
	return json.Marshal(struct {
		Method   string
		Config   any
		Rank     Rank
		Annotate bool
		MinWords int
		Dropped  bool
	}{r.job.Method.Name(), r.job.Method.Config(), r.job.Rank, r.job.Annotate, r.job.MinWords, r.job.Dropped != ""})
}

// begin opens the work folder: an empty one, or that of the run to resume.
func (r *run) begin(src Source) error {
	set, err := r.settings()
	if err != nil {
		return err
	}
	m, err := loadManifest(r.dir)
	switch {
	case r.job.Force:
		m = nil
	case err != nil:
		return err
	case m != nil && !r.job.Resume:
		return fmt.Errorf("%s: an unfinished run: go on with --resume, or start over with --force", r.dir)
	case m != nil && string(m.Settings) != string(set):
		return fmt.Errorf("%s: the run was begun with other settings\n  then %s\n  now  %s\ntake the same ones, or start over with --force", r.dir, m.Settings, set)
	case m != nil && m.Input != src.Identity():
		return fmt.Errorf("%s: the input has changed since the run began: start over with --force", r.dir)
	}
	if m == nil {
		if err := r.empty(); err != nil {
			return err
		}
		m = &manifest{Format: manifestFormat, Settings: set, Input: src.Identity(), Tables: map[string]*tableState{}, Counts: map[string]int64{}, Times: map[string]float64{}}
		for _, t := range r.tables() {
			m.Tables[t.Name] = &tableState{Table: t}
		}
		m.Tables[marksTable.Name] = &tableState{Table: marksTable}
	}
	r.m = m
	if err := r.sweep(); err != nil {
		return err
	}
	return r.save()
}

// tables are those of the method and the engine's own.
func (r *run) tables() []Table {
	t := slices.Clone(r.job.Method.Tables())
	if r.job.Rank != ByInput {
		t = append(t, rankTable)
	}
	return t
}

// empty makes the work folder, or empties it of an old run. A folder with other
// things in it is left alone.
func (r *run) empty() error {
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return err
	}
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !isOurs(e.Name()) {
			return fmt.Errorf("%s: holds %s, which is not of a work folder: name another one with --work", r.dir, e.Name())
		}
	}
	if err := os.Remove(filepath.Join(r.dir, manifestName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range list {
		if err := os.Remove(filepath.Join(r.dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func isOurs(name string) bool {
	return strings.HasPrefix(name, manifestName) || strings.HasSuffix(name, ".run") || strings.HasPrefix(name, "group-") ||
		slices.Contains([]string{"ids.dat", "ids.off", "ranks.dat", "stdin"}, name)
}

// sweep removes the runs of steps that were broken off.
func (r *run) sweep() error {
	named := map[string]bool{}
	for _, t := range r.m.Tables {
		for _, x := range t.Runs {
			named[x.Name] = true
			if _, n, ok := strings.Cut(strings.TrimSuffix(x.Name, ".run"), "."); ok {
				i, _ := strconv.ParseInt(n, 10, 64)
				r.serial.Store(max(r.serial.Load(), i))
			}
		}
	}
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if (strings.HasSuffix(e.Name(), ".run") || strings.HasPrefix(e.Name(), "group-")) && !named[e.Name()] {
			if err := os.Remove(filepath.Join(r.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// save makes the state safe, and removes what is not needed any more.
func (r *run) save() error {
	if err := r.m.save(r.dir); err != nil {
		return err
	}
	for _, name := range r.gone {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
			return err
		}
	}
	r.gone = r.gone[:0]
	return nil
}

// remove takes a table out of the manifest.
func (r *run) remove(table string) {
	if t := r.m.Tables[table]; t != nil {
		for _, x := range t.Runs {
			r.gone = append(r.gone, x.Name)
		}
		delete(r.m.Tables, table)
	}
}

// pending adds a run to a table, safe with the next save.
func (r *run) pending(t Table, x runFile) {
	r.m.Tables[t.Name].Runs = append(r.m.Tables[t.Name].Runs, x)
}

// timed notes how long a step took.
func (r *run) timed(step string, do func() error) error {
	start := time.Now()
	err := do()
	r.m.Times[step] += time.Since(start).Seconds()
	return err
}

// group decides.
func (r *run) group(ctx context.Context) error {
	if slices.Contains(r.m.Steps, "group") {
		return nil
	}
	g := &Group{run: r, marks: newBuffer(marksTable, r.plan.marks), counts: map[string]int64{}}
	if err := g.rank(); err != nil {
		return err
	}
	if err := r.openRanks(r.plan.ranks); err != nil {
		return err
	}
	if err := r.job.Method.Group(ctx, g); err != nil {
		return err
	}
	for _, t := range r.m.Tables {
		if t.Name != marksTable.Name {
			r.remove(t.Name)
		}
	}
	return g.commit("group")
}
