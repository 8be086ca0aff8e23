// Package live records the state and output of a running evaluation in a file, so that a server can
// show them. [Begin] starts the file and [Read] reads it.
package live

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/files"
	"chaffinch/internal/periodic"
)

// Ending is the suffix of the names of such files.
const Ending = ".eval"

const (
	every = 2 * time.Second
	// stale is the age of the file after which a running evaluation counts as killed.
	stale = 15 * time.Second
	// maxOutput is the maximum size in bytes of the recorded output, its end.
	maxOutput = 256 << 10
)

// State is the state of an evaluation.
type State struct {
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	// Step is the current step; Done of Total parts of it are done.
	Step  string `json:"step,omitempty"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	// Said is the output. Cut is set if its beginning is missing.
	Said string `json:"said,omitempty"`
	Cut  bool   `json:"cut,omitempty"`
	// Ended is the time of the end, Error the reason of a failure.
	Ended time.Time `json:"ended,omitzero"`
	Error string    `json:"error,omitempty"`
	// Alive is set if the evaluation is running, by the time of the file.
	Alive bool `json:"-"`
}

// Recorder records the state of a command. A nil Recorder records nothing.
type Recorder struct {
	file string
	stop func()
	mu   sync.Mutex
	now  State
}

// Begin starts recording the state of a command in a file.
func Begin(file, command string) (*Recorder, error) {
	if !strings.HasSuffix(file, Ending) {
		return nil, fmt.Errorf("%s: wanted a name that ends in %s: by it the file is known to be that of an evaluation", file, Ending)
	}
	t := &Recorder{file: file, now: State{Command: command, Started: time.Now().UTC()}}
	if err := t.write(); err != nil {
		return nil, err
	}
	t.stop = periodic.Every(every, func() { _ = t.write() }) // a full disk must not stop the evaluation
	return t, nil
}

func (t *Recorder) write() error {
	t.mu.Lock()
	b, err := json.Marshal(t.now)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	return files.WriteFile(t.file, b)
}

// Progress records the progress of a step.
func (t *Recorder) Progress(step string, done, total int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Step, t.now.Done, t.now.Total = step, done, total
}

// Write records output. It never fails.
func (t *Recorder) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Said += string(p)
	if over := len(t.now.Said) - maxOutput; over > 0 {
		t.now.Cut = true
		t.now.Said = t.now.Said[over:]
		if _, rest, ok := strings.Cut(t.now.Said, "\n"); ok {
			t.now.Said = rest
		}
	}
	return len(p), nil
}

// End records the end of the command and its error.
func (t *Recorder) End(err error) error {
	if t == nil {
		return nil
	}
	t.stop()
	t.mu.Lock()
	t.now.Step, t.now.Done, t.now.Total, t.now.Ended = "", 0, 0, time.Now().UTC()
	if err != nil {
		t.now.Error = err.Error()
	}
	t.mu.Unlock()
	return t.write()
}

// Read reads the state of an evaluation.
func Read(dir fs.FS, name string) (*State, error) {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, err
	}
	b, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	s := new(State)
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%s: no state of an evaluation: %w", name, err)
	}
	s.Alive = s.Ended.IsZero() && time.Since(st.ModTime()) < stale
	return s, nil
}
