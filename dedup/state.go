package dedup

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// State is how a run stands, as its work folder tells at the last checkpoint.
type State struct {
	// Docs and Bytes are what was read; Bad and Failed are those of Report.
	Docs, Bytes, Bad, Failed int64
	// Steps are those that are done, Seconds how long each took.
	Steps   []string
	Seconds map[string]float64
	// Disk is the most that the folder held, in bytes.
	Disk int64
	// Report is as far as the rewriting has come; nil before it.
	Report *Report
}

// ReadState reads how the run in a work folder stands. The error is fs.ErrNotExist if
// there is none.
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
