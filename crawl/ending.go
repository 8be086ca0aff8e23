package crawl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// Ending describes the end of the last run of a crawl.
type Ending struct {
	Time time.Time `json:"time"`
	// Reason is the reason, "" after an error.
	Reason EndReason `json:"why,omitempty"`
	// Error is the error that ended the run, or "".
	Error string `json:"error,omitempty"`
}

const endingName = "ended.json"

// ReadEnding returns how the last run of the crawl in a folder ended; ok is false while
// it runs, and after it was killed.
func ReadEnding(dir fs.FS) (e Ending, ok bool, err error) {
	b, err := fs.ReadFile(dir, endingName)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false, nil
	}
	if err != nil {
		return e, false, err
	}
	if err := json.Unmarshal(b, &e); err != nil {
		return e, false, fmt.Errorf("%s: %w: the file is damaged", endingName, err)
	}
	return e, true, nil
}

// beginRun removes the ending of the previous run.
func beginRun(dir string) error { return disk.RemoveAll(filepath.Join(dir, endingName)) }

// endRun writes the ending of a run.
func endRun(dir string, why EndReason, failed error) error {
	e := Ending{Time: time.Now().UTC().Truncate(time.Second), Reason: why}
	if failed != nil {
		e.Reason, e.Error = "", failed.Error()
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return files.WriteFile(filepath.Join(dir, endingName), append(b, '\n'))
}
