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

// StepStatus tells how far a step is.
type StepStatus struct {
	Name string
	// Tasks is how many it has, Missing which of them are not done.
	Tasks   int
	Missing []int
	// Leased is the number of those that are missing and leased to a worker.
	Leased int
	// Seconds is how long the tasks took that are done.
	Seconds float64
}

// Status tells how far the plan of a store is.
func Status(ctx context.Context, s store.Store) (p *Plan, list []StepStatus, err error) {
	if p, err = LoadPlan(ctx, s); err != nil {
		return nil, nil, err
	}
	for _, planned := range p.Steps {
		st := StepStatus{Name: planned.Name, Tasks: planned.Tasks}
		if st.Missing, err = Missing(ctx, s, p, planned.Name); err != nil {
			return nil, nil, err
		}
		for o, err := range s.List(ctx, leaseFolder+planned.Name+"/") {
			if err != nil {
				return nil, nil, err
			}
			if time.Since(o.Changed) < time.Hour {
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

// ofOne returns an error if the first task that is done is of another plan: one of the two is
// damaged then, or from elsewhere.
func (p *Plan) ofOne(ctx context.Context, s store.Store, st StepStatus) error {
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

// Ranks lists the ranks, of so many, to which tasks of a step fall.
func (p *Plan) Ranks(step string, tasks []int, of int) []int {
	var list []int
	all := Job{Worker: Worker{Of: 1}}
	for i, n := range all.mine(p, p.tasks(step)) {
		if slices.Contains(tasks, n) {
			list = append(list, i%of)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Manifests ranges over the manifests of a step, in the order of its tasks. One that
// is not there is an error.
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

// Concat writes the outputs of that name of all tasks of a step, one behind the other:
// lines, packed as the name says. The last line of a task without an end gets one if
// others follow, as in the output of one process.
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

// joint puts files of lines together.
type joint struct {
	w     io.Writer
	kind  packed.Kind
	open  bool   // the last line has no end
	held  []byte // of the file at hand, not yet written
	holds bool
}

// Write writes b, or holds it until it is known what comes before.
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
	r, err := packed.NewReader(tee, packed.Own)
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

// end writes the end of a line.
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

// Copy writes an output of a task, and fails if it is not what the task has made.
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

// manifest reads the manifest of a task, which is done.
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
