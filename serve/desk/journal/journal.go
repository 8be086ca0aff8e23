// Package journal stores the steps of people: an append-only log of events for each person,
// in one folder that one server opens at a time. [Lock] locks the folder, [Team] opens the logs.
//
// Unstable: this package may change in any release.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/serve/problem"
)

// Files of the folder of logs.
const (
	Ending   = ".jsonl" // the log of a person: NAME.jsonl
	lockFile = "lock"
)

// Judged is the name of the log of adjudicated labels. No person may use it.
const Judged = "judged"

// MaxPeople is the maximum number of people of a set, including people without labels.
const MaxPeople = 1000

// Who is a person, as a query names them.
type Who struct {
	Person string `query:"person" required:"true" maxLength:"60" doc:"Name of the annotator: lower-case letters, digits, - and _."`
}

// Name returns the name of an annotator, or a problem if it is invalid or reserved.
func (w Who) Name() (string, error) {
	if w.Person == Judged {
		return "", problem.New(http.StatusUnprocessableEntity, "person %q: reserved for adjudicated labels: wanted another name", w.Person)
	}
	if err := CheckName(w.Person); err != nil {
		return "", problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	return w.Person, nil
}

// CheckName returns an error if a name cannot be the name of a file.
func CheckName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLower(r) && !unicode.Is(unicode.Lo, r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '-' && r != '_'
	})
	if name == "" || len(name) > 60 || bad {
		return fmt.Errorf("person %q: wanted up to 60 bytes of lower-case letters, digits, - and _", name)
	}
	return nil
}

// Stale returns the problem of a change to a document that the person has changed elsewhere. what
// is "page" or "document", want and got are the numbers of steps.
func Stale(name, what string, want, got int) error {
	return problem.New(http.StatusConflict, "%s has labelled this %s in another window or on another machine (%d steps there, %d here): nothing was overwritten; reload the page", name, what, want, got)
}

// Lock creates the folder of the logs of the set in dir, and locks it until the file is closed.
func Lock(dir, folder string) (io.Closer, error) {
	logs := filepath.Join(dir, folder)
	if err := disk.MkdirAll(logs); err != nil {
		return nil, err
	}
	f, err := disk.OpenLocked(filepath.Join(logs, lockFile))
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("%s: this set is open in another server: use or stop that server", dir)
	}
	return f, err
}

// Log is the log of one person. Its file is created with the first event.
type Log[E any] struct {
	name string
	f    *disk.File // nil: not open
}

// read reads the events of a log and calls each with them. It removes an incomplete last line;
// torn is the size of that line in bytes.
func (l *Log[E]) read(each func(E) error) (torn int, err error) {
	b, err := os.ReadFile(l.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	whole := bytes.LastIndexByte(b, '\n') + 1
	n := 0
	for line := range bytes.Lines(b[:whole]) {
		n++
		var e E
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, fmt.Errorf("%s:%d: %w: wanted an event as the server writes it", l.name, n, err)
		}
		if err := each(e); err != nil {
			return 0, fmt.Errorf("%s:%d: %w", l.name, n, err)
		}
	}
	if torn = len(b) - whole; torn == 0 {
		return 0, nil
	}
	if err := l.open(); err != nil {
		return 0, err
	}
	if err := errors.Join(l.f.Truncate(int64(whole)), l.f.Sync()); err != nil {
		return 0, errors.Join(err, l.Close())
	}
	return torn, nil
}

// open opens the file, and creates it if it is missing.
func (l *Log[E]) open() (err error) {
	if l.f, err = disk.OpenFile(l.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		l.f = nil
		return err
	}
	return disk.SyncDir(filepath.Dir(l.name))
}

// Add writes events, all or none, and returns when they are on the disk.
func (l *Log[E]) Add(events ...E) error {
	out, err := Lines(events)
	if err != nil {
		return err
	}
	if l.f == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	size, err := l.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err = l.f.Write(out); err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		return errors.Join(err, l.f.Truncate(size)) // remove a partial line before the next one
	}
	return nil
}

// Replace replaces all events.
func (l *Log[E]) Replace(events ...E) error {
	out, err := Lines(events)
	if err != nil {
		return err
	}
	if err := l.Close(); err != nil {
		return err
	}
	l.f = nil // opened again by Add
	return files.WriteFile(l.name, out)
}

// Close closes the file.
func (l *Log[E]) Close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}

// Lines returns a list as JSON lines.
func Lines[T any](list []T) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, x := range list {
		if err := enc.Encode(x); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// Draw returns a pseudo-random number that depends on name alone.
func Draw(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() * 0x9e3779b97f4a7c15 // the last letters hardly change the high bits of FNV-1a
}

// OneOf reports whether name is in a pseudo-random sample of one in n names.
func OneOf(n uint64, name string) bool { return Draw(name)>>40%n == 0 }
