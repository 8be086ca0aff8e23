// Package live tells by a file how an evaluation stands while it runs, and what it has
// printed so far, for who shows reports while they grow.
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

// Ending is that of the names of such files, by which they are known.
const Ending = ".eval"

const (
	every = 2 * time.Second
	// stale is how long after its last sign an evaluation counts as killed.
	stale = 15 * time.Second
	// maxSaid bounds what is kept of what was printed, in bytes: the last of it.
	maxSaid = 256 << 10
)

// State is how an evaluation stands.
type State struct {
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	// Step is what is done now, Done of Total parts of it.
	Step  string `json:"step,omitempty"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	// Said is what it has printed, Cut that the beginning is missing.
	Said string `json:"said,omitempty"`
	Cut  bool   `json:"cut,omitempty"`
	// Ended is when it ended, Error why too early.
	Ended time.Time `json:"ended,omitzero"`
	Error string    `json:"error,omitempty"`
	// Alive tells that it runs, by the time of the file.
	Alive bool `json:"-"`
}

// Teller tells. A nil one tells nobody.
type Teller struct {
	file string
	stop func()
	mu   sync.Mutex
	now  State
}

// Begin begins to tell by a file how a command stands.
func Begin(file, command string) (*Teller, error) {
	if !strings.HasSuffix(file, Ending) {
		return nil, fmt.Errorf("%s: wanted a name that ends in %s: by it the file is known to be that of an evaluation", file, Ending)
	}
	t := &Teller{file: file, now: State{Command: command, Started: time.Now().UTC()}}
	if err := t.write(); err != nil {
		return nil, err
	}
	t.stop = periodic.Every(every, func() { _ = t.write() }) // a disk that is full later stops no evaluation
	return t, nil
}

func (t *Teller) write() error {
	t.mu.Lock()
	b, err := json.Marshal(t.now)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	return files.WriteFile(t.file, b)
}

// Tell notes how far a step is.
func (t *Teller) Tell(step string, done, total int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Step, t.now.Done, t.now.Total = step, done, total
}

// Write notes what is printed. It never fails.
func (t *Teller) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Said += string(p)
	if over := len(t.now.Said) - maxSaid; over > 0 {
		t.now.Cut = true
		t.now.Said = t.now.Said[over:]
		if _, rest, ok := strings.Cut(t.now.Said, "\n"); ok {
			t.now.Said = rest
		}
	}
	return len(p), nil
}

// End tells that the command has ended, and how.
func (t *Teller) End(err error) error {
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

// Read reads how an evaluation stands.
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
