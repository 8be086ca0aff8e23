package cluster

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chaffinch/build/store"
	"chaffinch/input"
	"chaffinch/internal/files"
	"chaffinch/internal/periodic"
	"chaffinch/internal/settings"
)

// planVersion is the version of the plan format. History:
//
//	1: first
const planVersion = 1

// PlanName is the name of the plan in its store.
const PlanName = "plan.json"

// HasPlan reports whether a folder holds a plan.
func HasPlan(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, PlanName))
	return err == nil
}

// Bounds of a plan. The minimum size of shards keeps the cost of starting a shard small. The
// maximum number of shards increases their size.
const (
	minShard  = 128 << 20
	maxShards = 10_000
	maxPlan   = 1 << 30 // bytes of the file
)

// Plan describes the work, divided into shards that do not depend on the workers.
type Plan struct {
	Version int `json:"version"`
	// Job is the name of the work, such as "build". Program is the version of the program.
	Job     string `json:"job"`
	Program string `json:"program"`
	// Settings are the settings on which the outputs depend.
	Settings json.RawMessage `json:"settings"`
	// Behaviour is the field of [Work].
	Behaviour string `json:"behaviour,omitempty"`
	// Inputs are the inputs that the user named.
	Inputs []string `json:"inputs"`
	// ShardBytes is the target size of shards in bytes.
	ShardBytes int64 `json:"shard_bytes"`
	// Steps are the steps in order.
	Steps []PlannedStep `json:"steps"`
	// Shards are the parts of the input in order.
	Shards []Shard `json:"shards"`

	id string // hash of the plan
}

// PlannedStep is a step of a plan.
type PlannedStep struct {
	Name string `json:"name"`
	// Tasks is the number of tasks, each done by one worker.
	Tasks int `json:"tasks"`
}

// Shard is a part of the input.
type Shard struct {
	Pieces []Piece `json:"pieces"`
}

// Piece is a piece of a file in its state when the plan was made.
type Piece struct {
	input.Piece
	// Tag differs if the file has changed.
	Tag string `json:"tag,omitempty"`
}

// Bytes returns the number of bytes that the shard reads.
func (s *Shard) Bytes() (n int64) {
	for i := range s.Pieces {
		n += s.Pieces[i].Bytes()
	}
	return n
}

// load reads the plan of a store, or returns nil if there is none.
func load(ctx context.Context, s store.Store) (*Plan, error) {
	b, err := store.Read(ctx, s, PlanName, maxPlan)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 { // or its name is reserved, see [store.Folder]
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &Plan{id: hashOf(b)}
	switch err := files.Unseal(b, p); {
	case errors.Is(err, files.ErrSum):
		return nil, fmt.Errorf("%s in %s: %w: bring it back, or begin again in another folder", PlanName, s, err)
	case err != nil:
		return nil, fmt.Errorf("%s in %s: no plan: %w: name another folder", PlanName, s, err)
	}
	var set bytes.Buffer
	if json.Compact(&set, p.Settings) == nil { // the form in which settings are compared
		p.Settings = set.Bytes()
	}
	if p.Version != planVersion {
		return nil, fmt.Errorf("%s in %s: version %d, wanted %d: resume with the program that made it, or name another folder", PlanName, s, p.Version, planVersion)
	}
	if err := p.sound(); err != nil {
		return nil, fmt.Errorf("%s in %s: %w: the plan is damaged: bring it back, or begin again in another folder", PlanName, s, err)
	}
	return p, nil
}

// maxTasks bounds the tasks of a step.
const maxTasks = 1 << 24

// sound returns an error for values that no plan made by makePlan has.
func (p *Plan) sound() error {
	if len(p.Shards) == 0 || len(p.Steps) == 0 {
		return fmt.Errorf("%d shards and %d steps, wanted at least one", len(p.Shards), len(p.Steps))
	}
	seen := map[string]bool{}
	for i, s := range p.Steps {
		if !fs.ValidPath(s.Name) || strings.Contains(s.Name, "/") || s.Name == "." || seen[s.Name] {
			return fmt.Errorf("step %d is called %q", i, s.Name)
		}
		if seen[s.Name] = true; s.Tasks < 1 || s.Tasks > maxTasks {
			return fmt.Errorf("step %s has %d tasks, wanted 1 to %d", s.Name, s.Tasks, maxTasks)
		}
	}
	for i := range p.Shards {
		for k := range p.Shards[i].Pieces {
			if x := &p.Shards[i].Pieces[k]; x.Name == "" || x.Size < 0 || x.From < 0 || x.From > x.Size || x.To < 0 || x.To > x.Size || x.To > 0 && x.To <= x.From {
				return fmt.Errorf("shard %d, piece %d: bytes %d to %d of %d of the file %q", i, k, x.From, x.To, x.Size, x.Name)
			}
		}
	}
	return nil
}

// LoadPlan reads the plan of a store.
func LoadPlan(ctx context.Context, s store.Store) (*Plan, error) {
	p, err := load(ctx, s)
	if err == nil && p == nil {
		err = fmt.Errorf("%s: no %s in it: the folder is not the output of a build, or no worker has started yet", s, PlanName)
	}
	return p, err
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// differs describes the differences between work and the plan, or returns "".
func (p *Plan) differs(w *Work, set []byte) string {
	var list []string
	say := func(what, then, now string) {
		if then != now {
			list = append(list, fmt.Sprintf("%s: then %s, now %s", what, cmp.Or(then, "none"), cmp.Or(now, "none")))
		}
	}
	say("command", p.Job, w.Name)
	say("program", p.Program, w.Program)
	say("inputs", strings.Join(p.Inputs, " "), strings.Join(w.Inputs, " "))
	if w.ShardBytes > 0 {
		say("bytes of a shard", fmt.Sprint(p.ShardBytes), fmt.Sprint(w.ShardBytes))
	}
	if d := settings.Differences(p.Settings, set, "then", "now"); d != "" {
		list = append(list, d)
	}
	if len(list) == 0 && p.Behaviour != w.Behaviour {
		list = append(list, fmt.Sprintf("the program has other results for the same settings: resume with the program that started the run; it was built from other sources, though both are called %s", p.Program))
	}
	return strings.Join(list, "; ")
}

// Check returns an error if work differs from the work of the plan.
func (p *Plan) Check(w *Work) error {
	set, err := json.Marshal(w.Settings)
	if err != nil {
		return err
	}
	if d := p.differs(w, set); d != "" {
		return fmt.Errorf("%w (%s)", ErrOther, d)
	}
	same := len(p.Steps) == len(w.Steps)
	for i := 0; same && i < len(p.Steps); i++ {
		same = p.Steps[i] == PlannedStep{w.Steps[i].Name, cmp.Or(w.Steps[i].Tasks, len(p.Shards))}
	}
	if !same {
		return fmt.Errorf("%s: its steps are not the steps of the job: the plan is damaged: bring it back, or begin again in another folder", PlanName)
	}
	return nil
}

// ErrOther is the error of work whose store holds another plan.
var ErrOther = errors.New("another plan lies there: give the same inputs and settings as before, or name another place")

// plan returns the existing plan of the work, or a new plan.
func (w *Work) plan(ctx context.Context) (*Plan, error) {
	set, err := json.Marshal(w.Settings)
	if err != nil {
		return nil, err
	}
	p, err := load(ctx, w.Out)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(2 * store.Reserved); p == nil; {
		if err := w.makePlan(ctx, set); err != nil {
			return nil, err
		}
		if p, err = load(ctx, w.Out); err == nil && p == nil { // the first worker has only reserved its name
			err = periodic.Pause(ctx, 100*time.Millisecond)
		}
		if err == nil && p == nil && time.Now().After(end) {
			err = fmt.Errorf("%s: another process has not written its %s within %v", w.Out, PlanName, 2*store.Reserved)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := p.Check(w); err != nil {
		return nil, fmt.Errorf("%s: %w", w.Out, err)
	}
	return p, nil
}

// makePlan writes a plan unless another worker has written one.
func (w *Work) makePlan(ctx context.Context, set []byte) error {
	all, err := w.list(ctx)
	if err != nil {
		return err
	}
	total := int64(0)
	for i := range all {
		total += max(all[i].Size, 0)
	}
	p := Plan{Version: planVersion, Job: w.Name, Program: w.Program, Settings: set, Behaviour: w.Behaviour, Inputs: w.Inputs, ShardBytes: w.ShardBytes}
	if p.ShardBytes <= 0 {
		p.ShardBytes = max(minShard, total/maxShards)
	}
	if p.Shards, err = w.shards(ctx, all, p.ShardBytes); err != nil {
		return err
	}
	for i := range w.Steps {
		s := &w.Steps[i]
		p.Steps = append(p.Steps, PlannedStep{s.Name, cmp.Or(s.Tasks, len(p.Shards))})
	}
	b, err := json.MarshalIndent(&p, "", " ")
	if err != nil {
		return err
	}
	if err := w.put(ctx, PlanName, files.Seal(b), false); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// put writes bytes to an object.
func (w *Work) put(ctx context.Context, name string, b []byte, replace bool) error {
	return store.Write(ctx, w.Out, w.temp, name, b, replace)
}

// list returns the files of all inputs.
func (w *Work) list(ctx context.Context) (all []Piece, err error) {
	for _, name := range w.Inputs {
		if name == "-" {
			return nil, errors.New("standard input is read by one process: save it as a file and name that")
		}
		if store.IsAddress(name) {
			list, err := w.listAddress(ctx, name)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
			continue
		}
		for _, p := range input.List([]string{name}) {
			if p.Problem == "" && p.Size < 0 {
				p.Problem = "no file but a pipe or device, which cannot be read again: save it as a file"
			}
			if p.Problem != "" {
				return nil, fmt.Errorf("input %s: %s", p.Name, p.Problem)
			}
			o, err := store.StatFile(p.Name)
			if err != nil {
				return nil, err
			}
			all = append(all, Piece{p, o.Tag})
		}
	}
	seen := map[string]bool{}
	for i := range all {
		if seen[all[i].Name] {
			return nil, fmt.Errorf("input %s: named twice: name it once", all[i].Name)
		}
		seen[all[i].Name] = true
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no files in %s", strings.Join(w.Inputs, ", "))
	}
	return all, nil
}

// shards divides the input into shards of about most bytes. It combines consecutive files
// and splits web archives.
func (w *Work) shards(ctx context.Context, all []Piece, most int64) (list []Shard, err error) {
	held := int64(0)
	add := func(p Piece) {
		n := p.Bytes()
		if len(list) == 0 || held+n > most {
			list, held = append(list, Shard{}), 0
		}
		s := &list[len(list)-1]
		s.Pieces, held = append(s.Pieces, p), held+n
	}
	for _, p := range all {
		for p.Size-p.From > most+most/4 && !w.Whole {
			at, err := w.cut(ctx, &p, p.From+most)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			if at >= p.Size {
				break
			}
			q := p
			q.To = at
			add(q)
			p.From = at
		}
		add(p)
	}
	return list, nil
}

// cut returns an offset at which a file can be split.
func (w *Work) cut(ctx context.Context, p *Piece, near int64) (int64, error) {
	var in io.ReaderAt
	if store.IsAddress(p.Name) {
		s, name, err := w.open(p.Name)
		if err != nil {
			return 0, err
		}
		in = &window{ctx: ctx, s: s, name: name, size: p.Size}
	} else {
		f, err := os.Open(p.Name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		in = f
	}
	return input.Cut(in, p.Size, near)
}
