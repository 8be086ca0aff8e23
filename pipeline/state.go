package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"chaffinch/internal/archive"
	"chaffinch/internal/files"
)

// stateVersion is the version of the state file. History:
//
//	1: first
//	2: outputs lie beside their names until they are whole; there may be several
const stateVersion = 2

// State is a checkpoint: how far a run has come. It is saved beside the output
// after everything that it counts is on stable storage.
type State struct {
	Version int `json:"version"`
	// Recipe is the hash of the recipe and Inputs that of the list of inputs:
	// a run goes on only with the same.
	Recipe string `json:"recipe"`
	Inputs string `json:"inputs"`
	// Mark is where the next page begins, nil for the beginning.
	Mark json.RawMessage `json:"mark,omitempty"`
	// Outputs and ErrorList are the lengths in bytes of the outputs, in the order
	// of the job, and of the list of errors.
	Outputs   []int64 `json:"outputs,omitempty"`
	ErrorList int64   `json:"error_list"`
	// Done tells that the run has written all: only names are to be given.
	Done   bool    `json:"done"`
	Report *Report `json:"report"`
}

// copy returns a deep copy of r, an empty report for nil.
func (r *Report) copy() *Report {
	c := newReport()
	if r == nil {
		return c
	}
	d, t, u, l, o, e, f, k := c.Dropped, c.Cut, c.Rules, c.Langs, c.OtherLangs, c.ErrorsByFile, c.LostFields, c.Skipped
	*c = *r
	c.Dropped, c.Cut, c.Rules, c.Langs, c.OtherLangs, c.ErrorsByFile, c.LostFields, c.Skipped = d, t, u, l, o, e, f, k
	c.ShortenedFirst = slices.Clone(r.ShortenedFirst)
	maps.Copy(d, r.Dropped)
	maps.Copy(t, r.Cut)
	maps.Copy(l, r.Langs)
	maps.Copy(u, r.Rules)
	maps.Copy(o, r.OtherLangs)
	maps.Copy(e, r.ErrorsByFile)
	maps.Copy(f, r.LostFields)
	maps.Copy(k, r.Skipped)
	return c
}

// Length returns the length of the i-th output, 0 at the beginning.
func (s *State) Length(i int) int64 {
	if i < len(s.Outputs) {
		return s.Outputs[i]
	}
	return 0
}

// StateFile returns the name of the state file of an output.
func StateFile(out string) string { return filepath.Clean(out) + ".state" }

// LoadState reads a state file. It returns nil without an error if there is
// none.
func LoadState(file string) (*State, error) {
	b, err := archive.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(State)
	if err = files.Unseal(b, s); err == nil && s.Version == stateVersion {
		err = s.sound()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a state file: %w: remove it to start over", file, err)
	}
	if s.Version != stateVersion {
		return nil, fmt.Errorf("%s: state version %d, this build reads %d: resume with the build that began the run, or remove the file to start over", file, s.Version, stateVersion)
	}
	return s, nil
}

// sound reports numbers that no state has that a run saved.
func (s *State) sound() error {
	if s.Done && s.Report == nil {
		return errors.New("the run is done and has no report")
	}
	if s.ErrorList < 0 || slices.ContainsFunc(s.Outputs, func(n int64) bool { return n < 0 }) {
		return fmt.Errorf("lengths %d and %d of outputs, wanted at least 0", s.Outputs, s.ErrorList)
	}
	if s.Report != nil && s.Report.BytesOut > 0 && !slices.ContainsFunc(s.Outputs, func(n int64) bool { return n > 0 }) {
		return fmt.Errorf("the run wrote %d bytes and its outputs are empty", s.Report.BytesOut)
	}
	return nil
}

// SaveState writes a state file so that a reader finds the old one or the new
// one whole, whatever happens.
func SaveState(file string, s *State) error {
	s.Version = stateVersion
	return files.WriteSealed(file, s, " ")
}

// Check reports whether a run with the given hashes of recipe and inputs may
// go on from s.
func (s *State) Check(file, recipe, inputs string) error {
	const way = "give the same command as before to the version that began the run, or remove the file to start over"
	switch {
	case s.Recipe != recipe:
		return fmt.Errorf("%s: the unfinished run has another recipe (other flags, models or version): %s", file, way)
	case s.Inputs != inputs:
		return fmt.Errorf("%s: the inputs have changed since the unfinished run began: %s", file, way)
	}
	return nil
}
