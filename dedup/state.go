package dedup

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// State is the state of a run at its last checkpoint.
type State struct {
	// Docs and Bytes count the input read so far. Bad and Failed are counts as in
	// [Result].
	Docs, Bytes, Bad, Failed int64
	// Steps are the finished steps. Seconds holds the duration of each step, in
	// seconds.
	Steps   []string
	Seconds map[string]float64
	// Disk is the largest size of the folder at a checkpoint, in bytes.
	Disk int64
	// Report counts the documents rewritten so far; nil before rewriting.
	Report *Result
}

// ReadState reads the state of the run in a work folder. The error is fs.ErrNotExist
// if there is no run.
func ReadState(work fs.FS) (*State, error) {
	b, err := fs.ReadFile(work, manifestName)
	if err != nil {
		return nil, err
	}
	line, err := unwrap(manifestName, b, ErrStartOver)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", manifestName, err, ErrStartOver)
	}
	s := &State{Docs: m.Docs, Bytes: m.Bytes, Bad: m.Bad, Failed: m.Failed, Steps: m.Steps, Seconds: m.Times, Disk: m.Disk}
	if m.Writing != nil {
		s.Report = m.Writing.Report
	}
	return s, nil
}
