package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"chaffinch/internal/disk"
)

// event is a line of an annotator's log: a step on a page. Logs are append-only; undo is
// another event.
type event struct {
	Page string `json:"page"`
	// Seq counts the events of the person on the page, from 1.
	Seq int `json:"seq"`
	// Group is the same for what one key did on several pages, and rises in the file.
	Group int    `json:"group"`
	Time  string `json:"time"` // RFC 3339
	What  string `json:"what"` // see the constants
	// By is the adjudicator, in the file of adjudicated labels.
	By string `json:"by,omitempty"`
	// Blank reports whether proposals were hidden.
	Blank bool `json:"blank,omitempty"`
	// Millis is the time since the person's last key on the page.
	Millis int64  `json:"ms,omitempty"`
	Labels []mark `json:"labels,omitempty"`
}

// The kinds of events.
const (
	didLabel  = "label"
	didAlike  = "alike"  // the like blocks of the site's other pages
	didAccept = "accept" // the proposals of the blocks without a label; the page is done
	didUndo   = "undo"
	didReopen = "reopen" // a page that was done
)

// mark is the label of a block.
type mark struct {
	// Start and End are the bytes of the block in the decoded page.
	Start int `json:"start"`
	End   int `json:"end"`
	// Label is a role, with a star in a further article, or text or boilerplate for a
	// line; "" takes the label back.
	Label string `json:"label"`
	// Proposed is the label proposed by the model, with its probability.
	Proposed string  `json:"proposed,omitempty"`
	Score    float32 `json:"score,omitempty"`
}

// logFile is the file of one person's events. It is made with the first of them.
type logFile struct {
	name string
	f    *disk.File // nil: not open
}

const logEnding = ".jsonl"

// personName returns an error if a name cannot be the name of a file.
func personName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLower(r) && !unicode.Is(unicode.Lo, r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '-' && r != '_'
	})
	if name == "" || len(name) > 60 || bad {
		return fmt.Errorf("person %q: wanted up to 60 bytes of lower-case letters, digits, - and _", name)
	}
	return nil
}

// openLog opens the log of a person and calls each with its events. It removes an incomplete
// last line; torn is the size of that line in bytes.
func openLog(dir, person string, each func(event) error) (l *logFile, torn int, err error) {
	name := filepath.Join(dir, person+logEnding)
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	whole := bytes.LastIndexByte(b, '\n') + 1
	n := 0
	for line := range bytes.Lines(b[:whole]) {
		n++
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w: wanted an event as the server writes it", name, n, err)
		}
		if err := each(e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	l = &logFile{name: name}
	if torn = len(b) - whole; torn == 0 {
		return l, 0, nil
	}
	if err := l.open(); err != nil {
		return nil, 0, err
	}
	if err := errors.Join(l.f.Truncate(int64(whole)), l.f.Sync()); err != nil {
		return nil, 0, errors.Join(err, l.close())
	}
	return l, torn, nil
}

// open opens the file, and makes it.
func (l *logFile) open() (err error) {
	if l.f, err = disk.OpenFile(l.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		l.f = nil
		return err
	}
	return disk.SyncDir(filepath.Dir(l.name))
}

// add writes events, all or none, and returns when they are on the disk.
func (l *logFile) add(events []event) error {
	out, err := jsonLines(events)
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

// jsonLines returns a list as JSON lines.
func jsonLines[T any](list []T) ([]byte, error) {
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

func (l *logFile) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
