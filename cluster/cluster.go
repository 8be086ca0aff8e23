// Package cluster shares work among processes on any number of machines that see one
// place for files, without a process that tells them what to do. A [Plan] cuts the input
// into shards; each [Step] of a [Job] does one task to each. A worker takes the tasks
// that fall to its rank, or leases them. What a task makes appears as a whole, with a
// [Manifest], or not at all, so that workers may be killed, begun again and be more or
// fewer the next time: what is done is not done again, and the result is the same.
package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/guard"
	"chaffinch/internal/stop"
	"chaffinch/internal/workdir"
	"chaffinch/store"
)

// Job is work for many workers. All of them give the same, but for Worker and what
// follows it.
type Job struct {
	// Name is that of the command, Program the version of the program.
	Name, Program string
	// Settings are all that the outputs follow from, as JSON encodes it.
	Settings any
	// Behaviour is a hash of what the program makes of the settings, "" for nothing to
	// tell: it differs between programs whose version tells nothing.
	Behaviour string
	// Inputs are files, folders and addresses.
	Inputs []string
	// ShardBytes is how large shards are to be; 0 takes what the plan that is there
	// says, else 128 MiB, or what makes 10,000 shards.
	ShardBytes int64
	// Whole leaves files whole; else web archives are cut.
	Whole bool
	// Steps are what is done, in this order.
	Steps []Step
	// Out is where plan and outputs lie.
	Out store.Store
	// Open finds the stores of inputs that are addresses; nil knows none.
	Open store.Opener

	// Worker is who does the work.
	Worker Worker
	// Until is the last step that is done, "" for all.
	Until string
	// Wait is how long to wait for tasks of others that a step needs. 0 ends instead.
	Wait time.Duration
	// Lease is after which time without a sign of life a lease counts for nothing; 0 is
	// two minutes.
	Lease time.Duration
	// Scratch is a folder for temporary files; "" is the store if that is a folder,
	// else that of the system.
	Scratch string
	// OnTask is told of each task before it begins. nil is not told.
	OnTask func(t *Task)
	// OnHeld, if set, is called before Run waits for a task that another worker holds:
	// with the name of the task and what its lease says of the worker.
	OnHeld func(task, by string)

	work  string // folder of temporary files
	known *manifests
}

// Step is a part of the work, done by one task to each shard.
type Step struct {
	// Name is part of the names of outputs.
	Name string
	// Tasks is the number of tasks, 0 for one a shard.
	Tasks int
	// All tells that a task needs all tasks of the steps before, not just those of the
	// same number.
	All bool
	// Again does a task again that is done: what Do hands on elsewhere is not kept.
	Again bool
	// Do does a task: it leaves its outputs in the folder [Task.Out].
	Do func(ctx context.Context, t *Task) error
}

// Task is a part of a step.
type Task struct {
	Step   string
	Number int
	// Plan is the plan that it is of.
	Plan *Plan
	// Pieces are the input of the shard, to be read as packages input does.
	Pieces []input.Piece
	// Out is a folder for outputs, and Work one for other files; both are empty.
	Out, Work string
	// Report is what the manifest keeps of the work, as JSON encodes it.
	Report any

	job *Job
}

// Name names the task: its step and number.
func (t *Task) Name() string { return taskName(t.Step, t.Number) }

// Of is the number of tasks of the step.
func (t *Task) Of() int { return t.Plan.tasks(t.Step) }

func taskName(step string, number int) string { return path.Join(step, fmt.Sprintf("%05d", number)) }

// manifestName is the name of the manifest of a task.
func manifestName(step string, number int) string { return taskName(step, number) + ".json" }

// Manifest tells what a task has made. With it the outputs are there.
type Manifest struct {
	Task string `json:"task"`
	// Plan is the hash of the plan, and Program the version that did the task.
	Plan    string `json:"plan"`
	Program string `json:"program"`
	// Pieces are what was read of the input, as it was then.
	Pieces []Piece `json:"pieces,omitempty"`
	// Files are the outputs.
	Files []File `json:"files"`
	// Report is what the task tells of itself.
	Report json.RawMessage `json:"report,omitempty"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds"`
	// By says which worker did it.
	By string `json:"by"`
}

// File is an output of a task.
type File struct {
	// Name is that in the folder of the task.
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Result tells what a worker did.
type Result struct {
	Plan *Plan
	// Did is the number of tasks that it has done, Found that of those of its own that
	// were done already.
	Did, Found int
	// Bad are the errors of tasks whose input is not as it was: they were not done.
	Bad []error
	// Waits is the step that could not begin, "" for none, and Missing the number of
	// tasks that it waits for.
	Waits   string
	Missing int
	// Held lists the tasks that other workers have leased and are at work on, each with
	// its worker.
	Held []string
}

// ErrInput is the error of a task whose input is not there, or not as it was when the
// plan was made.
var ErrInput = errors.New("the input has changed since the plan was made: bring it back, or begin anew in another place")

// Run does the tasks of a worker.
func Run(ctx context.Context, job Job) (*Result, error) {
	s, err := Open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	j, p := s.job, s.Plan
	res := &Result{Plan: p}
	for {
		last, err := j.steps(ctx, p, res)
		if err != nil || !j.Worker.Lease || len(res.Bad) > 0 {
			return res, err
		}
		waited := res.Waits != ""
		if settled, err := j.settle(ctx, p, last, res); err != nil || !settled || !waited {
			return res, err
		}
		res.Found = -res.Did // they are found again
	}
}

// steps does the tasks of all steps that fall to the worker, up to the last one that can
// begin, and returns its index.
func (j *Job) steps(ctx context.Context, p *Plan, res *Result) (last int, err error) {
	res.Waits, res.Missing = "", 0
	for i := range j.Steps {
		last = i
		if err := j.step(ctx, p, i, res); err != nil || res.Waits != "" || j.Steps[i].Name == j.Until {
			return last, err
		}
	}
	return last, nil
}

// Session is a job at work in one process. Its methods may be called from several
// goroutines.
type Session struct {
	// Plan is that of the job.
	Plan *Plan

	job    *Job
	work   *workdir.Folder
	unsync func() // ends what [disk.Temporary] began for work
}

// Open begins to work on a job: it makes the plan, or reads the one that is there. [Run]
// does so by itself; a session is for who says otherwise which process does which task.
func Open(ctx context.Context, job Job) (s *Session, err error) {
	j := &job
	if j.Lease <= 0 {
		j.Lease = 2 * time.Minute
	}
	if err := j.checkSteps(); err != nil {
		return nil, err
	}
	s = &Session{job: j}
	if s.work, err = j.scratch(); err != nil {
		return nil, err
	}
	j.work, j.known = s.work.Path, &manifests{}
	s.unsync = disk.Temporary(j.work)
	if s.Plan, err = j.plan(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close removes the temporary files.
func (s *Session) Close() error {
	s.unsync()
	return s.work.Close()
}

// Do does a task of a step that the plan has, unless it is done.
func (s *Session) Do(ctx context.Context, step Step, n int) error {
	done, err := s.job.done(ctx, s.Plan, step.Name, n)
	if err == nil && (!done || step.Again) {
		_, err = s.job.take(ctx, s.Plan, &step, n)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", taskName(step.Name, n), err)
	}
	return nil
}

func (j *Job) checkSteps() error {
	if j.Until == "" {
		return nil
	}
	var names []string
	for i := range j.Steps {
		names = append(names, j.Steps[i].Name)
	}
	if !slices.Contains(names, j.Until) {
		return fmt.Errorf("step %q: there are %v", j.Until, names)
	}
	return nil
}

// scratch makes a folder for temporary files. On a disk that several machines see each
// has one of its own: locks need not be seen from machine to machine.
func (j *Job) scratch() (*workdir.Folder, error) {
	dir := j.Scratch
	if f, ok := j.Out.(store.Folder); ok && dir == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		dir = f.Path(".work/" + filepath.Base(host))
		if err := disk.MkdirAll(dir); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		return workdir.Temp()
	}
	return workdir.Make(dir)
}

// step does the tasks of a step that fall to the worker.
func (j *Job) step(ctx context.Context, p *Plan, i int, res *Result) (err error) {
	list := j.mine(p, p.Steps[i].Tasks)
	if i == 0 || !j.Steps[i].All {
		if list, err = j.tasks(ctx, p, i, list, res); err != nil || len(list) == 0 {
			return err
		}
		if j.Wait <= 0 {
			res.Waits, res.Missing = j.Steps[i].Name, len(list)
			return nil
		}
	}
	if err := j.await(ctx, p, i, res); err != nil || res.Waits != "" {
		return err
	}
	_, err = j.tasks(ctx, p, i, list, res)
	return err
}

// tasks does these tasks of a step, as far as they are not done. It returns those that
// need the one of the same number before, which another worker has not done yet.
func (j *Job) tasks(ctx context.Context, p *Plan, i int, list []int, res *Result) (waiting []int, err error) {
	s := &j.Steps[i]
	for _, n := range list {
		done, err := j.done(ctx, p, s.Name, n)
		if err != nil {
			return nil, err
		}
		if !done && !s.All && i > 0 {
			before, err := j.done(ctx, p, j.Steps[i-1].Name, n)
			if err != nil {
				return nil, err
			}
			if !before {
				waiting = append(waiting, n)
				continue
			}
		}
		if done {
			res.Found++
			continue
		}
		switch did, err := j.take(ctx, p, s, n); {
		case errors.Is(err, ErrInput):
			res.Bad = append(res.Bad, err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", taskName(s.Name, n), err)
		case did:
			res.Did++
		}
	}
	return waiting, nil
}

// mine lists the tasks that fall to the worker, large shards first.
func (j *Job) mine(p *Plan, tasks int) []int {
	order := make([]int, tasks)
	for i := range order {
		order[i] = i
	}
	if tasks == len(p.Shards) {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(p.Shards[b].Bytes(), p.Shards[a].Bytes())
		})
	}
	if j.Worker.Lease {
		return order
	}
	var mine []int
	for i := j.Worker.Rank; i < tasks; i += j.Worker.Of {
		mine = append(mine, order[i])
	}
	return mine
}

// await waits until the tasks of all steps before one are done. Those that were found bad
// stay missing, so that it does not wait then.
func (j *Job) await(ctx context.Context, p *Plan, i int, res *Result) error {
	until := time.Now().Add(j.Wait)
	first := 0 // the steps before are done, and stay so
	for {
		missing := 0
		for k := first; k < i; k++ {
			list, err := Missing(ctx, j.Out, p, p.Steps[k].Name)
			if err != nil {
				return err
			}
			if len(list) == 0 && k == first {
				first++
			}
			if (missing == 0 || !j.Steps[k].All) && j.Worker.Lease && j.Wait > 0 && len(res.Bad) == 0 { // whose worker may have died
				if _, err := j.tasks(ctx, p, k, list, res); err != nil {
					return err
				}
			}
			missing += len(list)
		}
		if missing == 0 {
			return nil
		}
		if len(res.Bad) > 0 || !time.Now().Before(until) {
			res.Waits, res.Missing = j.Steps[i].Name, missing
			return nil
		}
		if err := pause(ctx, min(time.Second, j.Wait)); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Missing lists the tasks of a step that are not done.
func Missing(ctx context.Context, s store.Store, p *Plan, step string) ([]int, error) {
	if err := p.has(s, step); err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for o, err := range s.List(ctx, step+"/") {
		if err != nil {
			return nil, err
		}
		if o.Size > 0 {
			done[o.Name] = true
		}
	}
	var list []int
	for n := range p.tasks(step) {
		if !done[manifestName(step, n)] {
			list = append(list, n)
		}
	}
	return list, nil
}

// has returns an error if the plan lacks a step.
func (p *Plan) has(s store.Store, step string) error {
	if p.tasks(step) > 0 {
		return nil
	}
	return fmt.Errorf("%s in %s: no step %s", PlanName, s, step)
}

// tasks is the number of tasks of a step, 0 if the plan lacks it.
func (p *Plan) tasks(step string) int {
	for _, s := range p.Steps {
		if s.Name == step {
			return s.Tasks
		}
	}
	return 0
}

// done tells whether a task is.
func (j *Job) done(ctx context.Context, p *Plan, step string, n int) (bool, error) {
	m, err := LoadManifest(ctx, j.Out, step, n)
	if err != nil || m == nil {
		return false, err
	}
	if m.Plan != p.id {
		return false, fmt.Errorf("%s in %s: of another plan than %s there: remove it, or name another place", manifestName(step, n), j.Out, PlanName)
	}
	return true, nil
}

// maxManifest bounds the bytes of a manifest.
const maxManifest = 256 << 20

// LoadManifest reads what a task has made, nil if it is not done.
func LoadManifest(ctx context.Context, s store.Store, step string, n int) (*Manifest, error) {
	name := manifestName(step, n)
	b, err := store.Read(ctx, s, name, maxManifest)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := files.Unseal(b, m); err != nil {
		return nil, fmt.Errorf("%s in %s: no manifest: %w: remove it, and the task is done again", name, s, err)
	}
	if err := m.sound(taskName(step, n)); err != nil {
		return nil, fmt.Errorf("%s in %s: %w: the manifest is damaged: remove it, and the task is done again", name, s, err)
	}
	return m, nil
}

// sound reports what no manifest of a task has.
func (m *Manifest) sound(task string) error {
	if m.Task != task {
		return fmt.Errorf("it is of the task %q", m.Task)
	}
	if !(m.Seconds >= 0) || m.Seconds > math.MaxInt32 {
		return fmt.Errorf("%v seconds", m.Seconds)
	}
	for _, f := range m.Files {
		if !fs.ValidPath(f.Name) || f.Name == "." || f.Bytes < 0 || len(f.SHA256) != 2*sha256.Size {
			return fmt.Errorf("file %q of %d bytes with the SHA-256 %q", f.Name, f.Bytes, f.SHA256)
		}
	}
	return nil
}

// take does a task, unless somebody else is at work on it.
func (j *Job) take(ctx context.Context, p *Plan, s *Step, n int) (did bool, err error) {
	if j.Worker.Lease {
		l, err := j.lease(ctx, s.Name, n)
		if err != nil || l == nil {
			return false, err
		}
		defer l.end()
		if done, err := j.done(ctx, p, s.Name, n); err != nil || done {
			return false, err
		}
	}
	t := &Task{Step: s.Name, Number: n, Plan: p, job: j}
	dir, err := disk.MkdirTemp(j.work, "task-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, disk.RemoveAll(dir)) }()
	t.Out, t.Work = filepath.Join(dir, "out"), filepath.Join(dir, "work")
	for _, d := range []string{t.Out, t.Work} {
		if err := disk.MkdirAll(d); err != nil {
			return false, err
		}
	}
	if j.OnTask != nil {
		j.OnTask(t)
	}
	start := time.Now()
	var pieces []Piece
	if s.Name == p.Steps[0].Name && !s.All && t.Of() == len(p.Shards) {
		pieces = p.Shards[n].Pieces
	}
	if t.Pieces, err = j.bring(ctx, pieces, filepath.Join(dir, "in")); err != nil {
		return false, err
	}
	if err := guard.Do(func() error { return s.Do(ctx, t) }); err != nil {
		if e := j.unchanged(ctx, pieces); e != nil {
			err = e
		}
		return false, err
	}
	if err := j.unchanged(ctx, pieces); err != nil {
		return false, err
	}
	m := &Manifest{Task: t.Name(), Plan: p.id, Program: j.Program, Pieces: pieces, By: j.Worker.String()}
	if m.Report, err = json.Marshal(t.Report); err != nil {
		return false, err
	}
	return true, j.publish(ctx, t, m, start)
}

// publish makes the outputs of a task appear, the manifest last.
func (j *Job) publish(ctx context.Context, t *Task, m *Manifest, start time.Time) error {
	err := filepath.WalkDir(t.Out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(t.Out, file)
		if err != nil {
			return err
		}
		f := File{Name: filepath.ToSlash(rel)}
		if f.Bytes, f.SHA256, err = sumOf(ctx, file); err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		// What is there is of a worker that was killed before its manifest.
		return j.Out.Put(ctx, path.Join(t.Name(), f.Name), file, true)
	})
	if err != nil {
		return err
	}
	m.Seconds = time.Since(start).Seconds()
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return j.put(ctx, manifestName(t.Step, t.Number), files.Seal(b), true)
}

// Outputs returns the folder in which the outputs of another task lie, fetched if they lie
// elsewhere, and what it has told. With folders only the outputs in these are there for
// sure.
func (t *Task) Outputs(ctx context.Context, step string, n int, folders ...string) (dir string, m *Manifest, err error) {
	if m, err = t.job.manifest(ctx, t.Plan, step, n); err != nil {
		return "", nil, err
	}
	wanted := *m
	wanted.Files = nil
	for _, f := range m.Files {
		if first, _, _ := strings.Cut(f.Name, "/"); folders == nil || slices.Contains(folders, first) {
			wanted.Files = append(wanted.Files, f)
		}
	}
	if f, ok := t.job.Out.(store.Folder); ok {
		dir = f.Path(taskName(step, n))
	} else {
		dir = filepath.Join(t.Work, "of", step, strconv.Itoa(n))
		for _, f := range wanted.Files {
			if err := fetch(ctx, t.job.Out, path.Join(taskName(step, n), f.Name), filepath.Join(dir, filepath.FromSlash(f.Name)), 0, f.Bytes); err != nil {
				return "", nil, err
			}
		}
	}
	return dir, m, wanted.check(ctx, dir)
}

// manifests are those of tasks that many other tasks read.
type manifests struct {
	mu    sync.Mutex
	list  map[string]*Manifest
	files int // of all of them
}

// Bounds of what is held: a step of few tasks, which all tasks of a later one read, and so
// many files.
const (
	fewTasks   = 64
	knownFiles = 1 << 18
)

// manifest returns that of a task that is done.
func (j *Job) manifest(ctx context.Context, p *Plan, step string, n int) (*Manifest, error) {
	if p.tasks(step) > fewTasks {
		return p.manifest(ctx, j.Out, step, n)
	}
	k, name := j.known, taskName(step, n)
	k.mu.Lock()
	defer k.mu.Unlock()
	if m := k.list[name]; m != nil {
		return m, nil
	}
	m, err := p.manifest(ctx, j.Out, step, n)
	if err != nil {
		return nil, err
	}
	if k.files += len(m.Files); k.list == nil || k.files > knownFiles {
		k.list, k.files = map[string]*Manifest{}, len(m.Files)
	}
	k.list[name] = m
	return m, nil
}

// check compares the outputs in a folder with the manifest.
func (m *Manifest) check(ctx context.Context, dir string) error {
	for _, f := range m.Files {
		n, sum, err := sumOf(ctx, filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil {
			return err
		}
		if n != f.Bytes || sum != f.SHA256 {
			return fmt.Errorf("%s/%s: not what its task has made: remove %s.json, and it is made again", m.Task, f.Name, m.Task)
		}
	}
	return nil
}

// sumOf is the length and the hash of a file.
func sumOf(ctx context.Context, name string) (int64, string, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	return sum(stop.Reader(ctx, f), io.Discard)
}
