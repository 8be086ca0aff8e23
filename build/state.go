package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/periodic"
	"chaffinch/pipeline"
)

// State is the state of the build in a folder. It is read from files, during and after the
// build.
type State struct {
	Steps []StepState `json:"steps"`
	// Todo lists the steps of the recipe that were not started.
	Todo []string `json:"todo,omitempty"`
	// Working is the progress of the running step, or nil if no build is running.
	Working *pipeline.Status `json:"working,omitempty"`
	// Index is the folder of the index in the folder of the build, or "". Tokens is the
	// number of its tokens.
	Index  string `json:"index,omitempty"`
	Tokens int64  `json:"tokens,omitempty"`
}

// Left returns the amount of text that the last completed text step kept.
func (s *State) Left() (a Amount) {
	for i := range s.Steps {
		if f := s.Steps[i].Flow; f != nil && s.Steps[i].Done {
			a = f.Kept
		}
	}
	return a
}

// IndexOf returns the folder of the index of the build in a folder. It reports false if the
// folder holds no build or does not exist.
func IndexOf(dir string) (index string, ok bool, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", false, nil
	}
	s, err := ReadState(os.DirFS(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", true, fmt.Errorf("%s: %w", dir, err)
	case s.Index == "":
		return "", true, fmt.Errorf("%s: a build without an index: its recipe needs the sections vertical and index, and all steps up to the index done", dir)
	}
	return filepath.Join(dir, s.Index), true, nil
}

// StepState is the state of a step that was started.
type StepState struct {
	Name     string    `json:"name"`
	Does     string    `json:"does"`
	Done     bool      `json:"done"`
	Error    string    `json:"error,omitempty"` // reason for which the step failed
	Seconds  float64   `json:"seconds"`
	Memory   int64     `json:"memory,omitempty"` // peak memory of the program, in bytes
	Flow     *Flow     `json:"flow,omitempty"`   // nil if not known yet, or if the step processes no text
	Problems []Problem `json:"problems,omitempty"`
}

const (
	workingPath = stepsFolder + "/working.json"
	// every is the interval at which a running build updates its file. A build is considered
	// killed if nothing locks its folder, or without locks if its file is older than stale.
	every = 2 * time.Second
	stale = 15 * time.Second
)

// ReadState reads the state of the build in a folder. The error is fs.ErrNotExist if there
// is no build.
func ReadState(dir fs.FS) (*State, error) {
	b, err := fs.ReadFile(dir, StateName)
	if err != nil {
		return nil, err
	}
	l, err := parseLedger(StateName, b)
	if err != nil {
		return nil, err
	}
	s := &State{}
	for _, e := range l.Steps {
		s.Steps = append(s.Steps, StepState{e.Name, e.Does, e.Done, e.Error, e.Cost.Seconds, e.Cost.Memory, e.Flow, e.problems()})
		if e.Name == indexStepName && e.Done && len(e.Outputs) > 0 {
			s.Index, s.Tokens = filepath.FromSlash(e.Outputs[0].Path), e.Tokens
		}
	}
	if r, err := l.recipe(); err == nil { // none in merged builds
		names := stepsOf(r).names()
		slices.SortStableFunc(s.Steps, func(a, b StepState) int { // a step that ran again is last in the ledger
			return slices.Index(names, a.Name) - slices.Index(names, b.Name)
		})
		s.Todo = slices.DeleteFunc(names, func(name string) bool { return l.entry(name) != nil })
	}
	st, err := fs.Stat(dir, workingPath)
	if err == nil && time.Since(st.ModTime()) < stale && isLocked(dir) {
		if b, err = fs.ReadFile(dir, workingPath); err == nil {
			s.Working = new(pipeline.Status)
			if err := json.Unmarshal(b, s.Working); err != nil {
				return nil, fmt.Errorf("%s: %w", workingPath, err)
			}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return s, err
}

// isLocked reports whether a build locks its folder, and true if that is unknown.
func isLocked(dir fs.FS) bool {
	locked, err := disk.Locked(dir, lockName)
	return locked || err != nil
}

// heart writes the progress of a running step to a file.
type heart struct {
	file string
	mu   sync.Mutex
	now  pipeline.Status
	stop func()
}

// newHeart starts writing progress.
func newHeart(b *builder, st PlannedStep) *heart {
	h := &heart{file: b.path(filepath.FromSlash(workingPath)), now: pipeline.Status{Step: st.Name, Number: st.Number, Steps: st.Steps, Total: -1}}
	h.stop = periodic.Every(every, h.write)
	return h
}

// write writes the progress. It ignores errors: the step itself fails on a full disk.
func (h *heart) write() {
	h.mu.Lock()
	b, err := json.Marshal(h.now)
	h.mu.Unlock()
	if err != nil {
		panic(err) // plain data
	}
	_ = files.WriteFile(h.file, b)
}

// update records progress. It does nothing if h is nil.
func (h *heart) update(s pipeline.Status) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = s
}

// end stops writing and removes the file.
func (h *heart) end() {
	h.stop()
	_ = disk.Remove(h.file) // a file that stays is soon stale
}
