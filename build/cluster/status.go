package cluster

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
)

// StepProgress is the progress of a step.
type StepProgress struct {
	Name string
	// Tasks is the number of tasks. Missing lists the tasks that are not done.
	Tasks   int
	Missing []int
	// Leased is the number of missing tasks that are leased to a worker.
	Leased int
	// Seconds is the total time of the completed tasks.
	Seconds float64
}

// Status returns the plan of a store and the progress of its steps.
func Status(ctx context.Context, s store.Store) (p *Plan, list []StepProgress, err error) {
	if p, err = LoadPlan(ctx, s); err != nil {
		return nil, nil, err
	}
	for _, planned := range p.Steps {
		st := StepProgress{Name: planned.Name, Tasks: planned.Tasks}
		if st.Missing, err = Missing(ctx, s, p, planned.Name); err != nil {
			return nil, nil, err
		}
		missing := map[string]bool{} // leases of missing tasks
		for _, n := range st.Missing {
			missing[leaseFolder+taskName(st.Name, n)] = true
		}
		for o, err := range s.List(ctx, leaseFolder+planned.Name+"/") {
			if err != nil {
				return nil, nil, err
			}
			if missing[o.Name] && time.Since(o.Changed) < defaultLease {
				st.Leased++
			}
		}
		if err := p.ofOne(ctx, s, st); err != nil {
			return nil, nil, err
		}
		list = append(list, st)
	}
	return p, list, nil
}

// ofOne returns an error if the first completed task belongs to another plan. One of the two
// files is then damaged or was copied from elsewhere.
func (p *Plan) ofOne(ctx context.Context, s store.Store, st StepProgress) error {
	n := 0
	for n < len(st.Missing) && st.Missing[n] == n {
		n++
	}
	if n == st.Tasks {
		return nil
	}
	_, err := p.manifest(ctx, s, st.Name, n)
	return err
}

// Ranks returns the ranks, among of workers, that own the given tasks of a step.
func (p *Plan) Ranks(step string, tasks []int, of int) []int {
	var list []int
	all := Work{Worker: Worker{Of: 1}}
	for i, n := range all.mine(p, p.tasks(step)) {
		if slices.Contains(tasks, n) {
			list = append(list, i%of)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Manifests ranges over the manifests of a step in order of its tasks. A missing manifest is
// an error.
func Manifests(ctx context.Context, s store.Store, p *Plan, step string) iter.Seq2[*Manifest, error] {
	return func(yield func(*Manifest, error) bool) {
		if err := p.has(s, step); err != nil {
			yield(nil, err)
			return
		}
		for n := range p.tasks(step) {
			m, err := p.manifest(ctx, s, step, n)
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// Concat writes the outputs with the given name of all tasks of a step, one after another.
// The outputs are lines, compressed according to the name. If the last line of a task has no
// line end and others follow, Concat adds one, like the output of one process.
func Concat(ctx context.Context, s store.Store, p *Plan, step, name string, w io.Writer) error {
	if err := p.has(s, step); err != nil {
		return err
	}
	kind, _ := packed.CutSuffix(name)
	j := joint{w: w, kind: kind}
	for n := range p.tasks(step) {
		err := parallel.Pipe(func(to io.Writer) error { return Copy(ctx, s, p, step, n, name, to) }, j.add)
		if err != nil {
			return err
		}
	}
	return nil
}

// joint concatenates files of lines.
type joint struct {
	w     io.Writer
	kind  packed.Kind
	open  bool   // the last line has no line end
	held  []byte // beginning of the current file, not yet written
	holds bool
}

// Write writes b, or buffers it until it is known whether a line end precedes it.
func (j *joint) Write(b []byte) (int, error) {
	if j.holds {
		j.held = append(j.held, b...)
		return len(b), nil
	}
	return j.w.Write(b)
}

// add appends a file.
func (j *joint) add(in io.Reader) error {
	j.holds, j.held = true, j.held[:0]
	tee := io.TeeReader(in, j)
	r, err := packed.NewReader(tee, packed.Trusted)
	if err != nil {
		return err
	}
	defer r.Close()
	if b, _ := r.Peek(1); len(b) > 0 && j.open {
		if err := j.end(); err != nil {
			return err
		}
	}
	j.holds = false
	if _, err := j.w.Write(j.held); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			j.open = buf[n-1] != '\n'
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	_, err = io.Copy(io.Discard, tee)
	return err
}

// end writes a line end.
func (j *joint) end() error {
	if j.kind == packed.Plain {
		_, err := io.WriteString(j.w, "\n")
		return err
	}
	p, err := packed.NewWriter(j.w, j.kind, false)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(p, "\n"); err != nil {
		return err
	}
	return p.Close()
}

// Copy writes an output of a task. It returns an error if the output differs from the
// manifest.
func Copy(ctx context.Context, s store.Store, p *Plan, step string, n int, name string, w io.Writer) error {
	m, err := p.manifest(ctx, s, step, n)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return fmt.Errorf("%s in %s has no %s", m.Task, s, name)
	}
	in, err := s.Open(ctx, path.Join(m.Task, name), 0, -1)
	if err != nil {
		return err
	}
	defer in.Close()
	size, hash, err := sum(in, w)
	if err == nil && (size != m.Files[i].Bytes || hash != m.Files[i].SHA256) {
		err = fmt.Errorf("%s/%s in %s: not what its task has made: remove %s.json, and it is made again", m.Task, name, s, m.Task)
	}
	return err
}

// manifest reads the manifest of a completed task.
func (p *Plan) manifest(ctx context.Context, s store.Store, step string, n int) (*Manifest, error) {
	m, err := LoadManifest(ctx, s, step, n)
	if err == nil && m == nil {
		err = fmt.Errorf("%s in %s is not done", taskName(step, n), s)
	}
	if err == nil && m.Plan != p.id {
		err = fmt.Errorf("%s in %s is of another plan than %s there: bring the right one back, or remove the manifest, and the task is done again", manifestName(step, n), s, PlanName)
	}
	return m, err
}
