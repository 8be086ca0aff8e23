package journal

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/serve/problem"
)

// Team holds the annotators of a set: a state P of each, from the events E of a log. It is not
// safe for concurrent use.
type Team[P, E any] struct {
	// Folder is the folder of the logs.
	Folder string
	// Start returns the state of an annotator without events.
	Start func(name string, log *Log[E]) P
	// Apply changes the state by an event of the log. It returns the number of labels that
	// belong to nothing in the set.
	Apply func(p P, e E) (lost int, err error)
	// Notice, if not nil, is called with each repair of a log.
	Notice func(text string)

	people map[string]P
	logs   []*Log[E]
}

// All returns the opened annotators by name.
func (t *Team[P, E]) All() map[string]P { return t.people }

// Open opens the logs of all annotators in the folder.
func (t *Team[P, E]) Open() error {
	files, err := os.ReadDir(t.Folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), Ending); ok {
			if _, err := t.Person(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Person returns the annotator with a name, and reads the log the first time.
func (t *Team[P, E]) Person(name string) (p P, err error) {
	if err := CheckName(name); err != nil {
		return p, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	if p, ok := t.people[name]; ok {
		return p, nil
	}
	if len(t.people) >= MaxPeople {
		return p, problem.New(http.StatusUnprocessableEntity, "%d annotators: a set allows no more", len(t.people))
	}
	l := &Log[E]{name: filepath.Join(t.Folder, name+Ending)}
	p = t.Start(name, l)
	lost := 0
	torn, err := l.read(func(e E) error {
		n, err := t.Apply(p, e)
		lost += n
		return err
	})
	if err != nil {
		return p, err
	}
	if torn > 0 {
		t.notice("%s: the last line was incomplete: %d bytes removed", name+Ending, torn)
	}
	if lost > 0 {
		t.notice("%s: %d labels of missing pages, documents or blocks ignored", name+Ending, lost)
	}
	if t.people == nil {
		t.people = map[string]P{}
	}
	t.people[name] = p
	t.logs = append(t.logs, l)
	return p, nil
}

func (t *Team[P, E]) notice(format string, args ...any) {
	if t.Notice != nil {
		t.Notice(fmt.Sprintf(format, args...))
	}
}

// Close closes the logs.
func (t *Team[P, E]) Close() error {
	var err error
	for _, l := range t.logs {
		err = errors.Join(err, l.Close())
	}
	return err
}
