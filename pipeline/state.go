package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// stateVersion is the version of the state file. History:
//
//	1: first
//	2: outputs lie next to their final names until they are complete; several outputs
//	3: the same for all commands; the list of errors is an output
const stateVersion = 3

// State is a checkpoint of a run with a report of type R. It is saved next to the output, after
// everything that it counts is on stable storage.
type State[R any] struct {
	Version int `json:"version"`
	// Job is the hash of all settings that affect the outputs. Inputs is the hash of the list
	// of inputs. A run resumes only if both match.
	Job    string `json:"job"`
	Inputs string `json:"inputs"`
	// Mark is the position of the next record, nil for the beginning.
	Mark json.RawMessage `json:"mark,omitempty"`
	// Outputs holds the place where each output continues, in the order of the job.
	Outputs []Place `json:"outputs,omitempty"`
	// Done reports whether everything is written and only publishing remains.
	Done   bool `json:"done"`
	Report R    `json:"report"`
}

// Place is the position where an output continues.
type Place struct {
	Length int64 `json:"length"`
	// Writer is the state of the writer of the output.
	Writer json.RawMessage `json:"writer,omitempty"`
}

// older is a state of an earlier version, of pages (2) or of a filter (1).
type older struct {
	Version        int
	Recipe, Job    string
	Inputs, Input  string
	Mark, Position json.RawMessage
	Outputs        json.RawMessage // lengths
	ErrorList      int64           `json:"error_list"`
	Out            []Place
	Done           bool
	Report         json.RawMessage
}

// resumes reports whether a run can resume from the state of an earlier version.
func (o *older) resumes() bool {
	return o.Version == 2 && o.Recipe != "" || o.Version == 1 && o.Job != ""
}

// upgrade returns the state in the current version.
func (o *older) upgrade() ([]byte, error) {
	s := State[json.RawMessage]{Version: stateVersion, Job: o.Job, Inputs: o.Input, Mark: o.Position, Outputs: o.Out, Done: o.Done, Report: o.Report}
	if o.Version == 2 {
		var lengths []int64
		if len(o.Outputs) > 0 {
			if err := json.Unmarshal(o.Outputs, &lengths); err != nil {
				return nil, err
			}
		}
		s.Job, s.Inputs, s.Mark = o.Recipe, o.Inputs, o.Mark
		for _, n := range append(lengths, o.ErrorList) {
			s.Outputs = append(s.Outputs, Place{Length: n})
		}
	}
	return json.Marshal(&s)
}

// Place returns the place of output i, the zero Place at the beginning.
func (s *State[R]) Place(i int) Place {
	if i < len(s.Outputs) {
		return s.Outputs[i]
	}
	return Place{}
}

// StateFile returns the name of the state file of an output.
func StateFile(out string) string { return filepath.Clean(out) + ".state" }

// LoadState reads a state file. It returns nil without an error if the file does not exist.
// sound returns an error for a state that is valid in its version, but cannot have been saved
// by a run.
func LoadState[R any](file string, sound func(*State[R]) error) (*State[R], error) {
	b, err := archive.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head older
	if err = files.Unseal(b, &head); err == nil && head.resumes() {
		b, err = head.upgrade()
	} else if err == nil && head.Version != stateVersion {
		return nil, fmt.Errorf("%s: state version %d, this build reads %d: resume with the build that began the run, or remove the file to start over", file, head.Version, stateVersion)
	}
	s := new(State[R])
	if err == nil {
		err = files.Unseal(b, s)
	}
	if err == nil && slices.ContainsFunc(s.Outputs, func(p Place) bool { return p.Length < 0 }) {
		err = fmt.Errorf("places of outputs %v, wanted lengths of at least 0", s.Outputs)
	}
	if err == nil {
		err = sound(s)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a state file: %w: remove it to start over", file, err)
	}
	return s, nil
}

// SaveState writes a state file atomically: a reader finds either the complete old file or the
// complete new file.
func SaveState[R any](file string, s *State[R]) error {
	s.Version = stateVersion
	return files.WriteSealed(file, s, " ")
}

// ErrComplete is returned on resuming a run whose output exists and that has no checkpoint.
var ErrComplete = errors.New("the output is there and has no checkpoint of an unfinished run: nothing to resume")

// ErrUnfinished is returned if the output belongs to an interrupted run and the caller requests
// neither to resume it nor to start over.
var ErrUnfinished = errors.New("an unfinished run: resume it, or start over")

// Begin determines the state from which a run starts. s is a new state with the hashes of job
// and inputs. If resume is set, Begin replaces s by the state that an unfinished run saved in
// file. Otherwise Begin saves s before an output is changed, so that an output without a state
// is complete. A saved state without progress is replaced, and force starts over in any case.
// out is a file that exists once the output is complete.
func (s *State[R]) Begin(file, out string, resume, force bool, sound func(*State[R]) error) error {
	old, err := LoadState(file, sound)
	switch {
	case force:
	case err != nil:
		return err
	case old != nil && !old.Progressed():
	case old == nil && resume:
		if _, err := os.Stat(out); err == nil {
			return ErrComplete
		}
	case old == nil, old.Done && !resume:
	case !resume:
		return fmt.Errorf("%s: %w", file, ErrUnfinished)
	default:
		if err := old.Check(file, s.Job, s.Inputs); err != nil {
			return err
		}
		*s = *old
		return nil
	}
	if err := disk.MkdirAll(filepath.Dir(file)); err != nil {
		return err
	}
	if err := SaveState(file, s); err != nil {
		return fmt.Errorf("output %s: its checkpoint cannot be written: %w", strings.TrimSuffix(file, ".state"), err)
	}
	return nil
}

// Progressed reports whether the run has saved a checkpoint after its beginning.
func (s *State[R]) Progressed() bool { return s.Done || s.Mark != nil }

// Check returns an error if a run with the given hashes of job and inputs must not resume from
// s.
func (s *State[R]) Check(file, job, inputs string) error {
	const fix = "give the same command as before to the version that began the run, or remove the file to start over"
	switch {
	case s.Job != job:
		return fmt.Errorf("%s: the unfinished run has other settings (flags, rules, models or version): %s", file, fix)
	case s.Inputs != inputs:
		return fmt.Errorf("%s: the inputs have changed since the unfinished run began: %s", file, fix)
	}
	return nil
}
