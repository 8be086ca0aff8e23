package cluster

import (
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

	"chaffinch/build/store"
	"chaffinch/internal/files"
	"chaffinch/internal/readers"
)

// manifestName returns the name of the manifest of a task.
func manifestName(step string, number int) string { return taskName(step, number) + ".json" }

// Manifest describes the outputs of a completed task. It is written after the outputs.
type Manifest struct {
	Task string `json:"task"`
	// Plan is the hash of the plan. Program is the version that did the task.
	Plan    string `json:"plan"`
	Program string `json:"program"`
	// Pieces are the input, in its state at that time.
	Pieces []Piece `json:"pieces,omitempty"`
	// Files are the outputs.
	Files []File `json:"files"`
	// Report is the report of the task.
	Report json.RawMessage `json:"report,omitempty"`
	// Seconds is the time that the task took.
	Seconds float64 `json:"seconds"`
	// By identifies the worker.
	By string `json:"by"`
}

// File is an output of a task.
type File struct {
	// Name is relative to the folder of the task.
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Missing returns the tasks of a step that are not done.
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

// tasks returns the number of tasks of a step, or 0 if the plan lacks it.
func (p *Plan) tasks(step string) int {
	for _, s := range p.Steps {
		if s.Name == step {
			return s.Tasks
		}
	}
	return 0
}

// done reports whether a task is done.
func (w *Work) done(ctx context.Context, p *Plan, step string, n int) (bool, error) {
	m, err := LoadManifest(ctx, w.Out, step, n)
	if err != nil || m == nil {
		return false, err
	}
	if m.Plan != p.id {
		return false, fmt.Errorf("%s in %s: of another plan than %s there: remove it, or name another place", manifestName(step, n), w.Out, PlanName)
	}
	return true, nil
}

// maxManifest bounds the bytes of a manifest.
const maxManifest = 256 << 20

// LoadManifest reads the manifest of a task, or returns nil if the task is not done.
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

// sound returns an error for values that no manifest of the task has.
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

// Outputs returns the folder with the outputs of another task, and its manifest. It fetches
// the outputs if they are remote. If folders are given, only outputs in these folders are
// guaranteed to be present.
func (t *Task) Outputs(ctx context.Context, step string, n int, folders ...string) (dir string, m *Manifest, err error) {
	if m, err = t.work.manifest(ctx, t.Plan, step, n); err != nil {
		return "", nil, err
	}
	wanted := *m
	wanted.Files = nil
	for _, f := range m.Files {
		if first, _, _ := strings.Cut(f.Name, "/"); folders == nil || slices.Contains(folders, first) {
			wanted.Files = append(wanted.Files, f)
		}
	}
	if f, ok := t.work.Out.(store.Folder); ok {
		dir = f.Path(taskName(step, n))
	} else {
		dir = filepath.Join(t.Work, "of", step, strconv.Itoa(n))
		for _, f := range wanted.Files {
			if err := fetch(ctx, t.work.Out, path.Join(taskName(step, n), f.Name), filepath.Join(dir, filepath.FromSlash(f.Name)), 0, f.Bytes); err != nil {
				return "", nil, err
			}
		}
	}
	return dir, m, wanted.check(ctx, dir)
}

// manifests caches manifests that many tasks read.
type manifests struct {
	mu    sync.Mutex
	list  map[string]*Manifest
	files int // of all of them
}

// Bounds of the cache: the number of tasks of a cached step, and the number of files.
const (
	fewTasks   = 64
	knownFiles = 1 << 18
)

// manifest returns the manifest of a completed task.
func (w *Work) manifest(ctx context.Context, p *Plan, step string, n int) (*Manifest, error) {
	if p.tasks(step) > fewTasks {
		return p.manifest(ctx, w.Out, step, n)
	}
	k, name := w.known, taskName(step, n)
	k.mu.Lock()
	defer k.mu.Unlock()
	if m := k.list[name]; m != nil {
		return m, nil
	}
	m, err := p.manifest(ctx, w.Out, step, n)
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

// sumOf returns the length and the hash of a file.
func sumOf(ctx context.Context, name string) (int64, string, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	return sum(readers.Until(ctx, f), io.Discard)
}
