package job

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/merge"
)

// stateVersion is the version of the checkpoint. History:
//
//	1: first
const stateVersion = 1

// state is a checkpoint. It lies beside the output.
type state struct {
	Version int
	// Job is a hash of the rules and all settings that change the output.
	Job string
	// Input tells whether the inputs are the same.
	Input    string
	Position *records.Position `json:",omitempty"`
	Out      []outputState
	Done     bool // all is written; only names are to be given
	Report   *Report
}

// outputState is what a checkpoint knows of an output.
type outputState struct {
	Length int64
	Writer records.WriterState
}

// StateFile returns the name of the checkpoint of an output.
func StateFile(out string) string { return filepath.Clean(out) + ".state" }

// Resumable reports whether an interrupted run has left a checkpoint of its output.
func Resumable(out string) bool {
	_, err := os.Stat(StateFile(out))
	return out != "" && err == nil
}

// hash tells jobs apart.
func (j *Job) hash() string {
	b, err := json.Marshal(j.Behaviour())
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Behaviour returns what the outputs follow from beside the inputs, as encoding/json takes
// it: rules, models, settings, and the version of the scores.
func (j *Job) Behaviour() any {
	in := j.Input
	in.Stdin = ""
	return struct {
		Rules                any
		Input                records.Config
		Lang, Out, Dropped   string
		PII                  string
		Sites                uint64
		Models               []uint64
		Annotate, Scored     bool
		StateVersion, Scores int
	}{j.Set.Config(), in, j.Lang, j.Out, j.Dropped, j.PII, j.Sites.hash(), j.Set.ModelSums(), j.Annotate, j.Scored, stateVersion, scoreVersion}
}

// scoreVersion changes with the behaviour of the scores.
const scoreVersion = 2

// begin finds the state to start from and opens the outputs.
func (r *run) begin() error {
	fresh := state{Version: stateVersion, Job: r.job.hash(), Input: r.src.Identity(), Out: make([]outputState, 2), Report: newReport()}
	r.state = fresh
	if r.job.resumable() {
		old, err := loadState(StateFile(r.job.Out))
		switch {
		case r.job.Force:
		case err != nil:
			return err
		case old == nil && r.job.Resume:
			if _, err := os.Stat(r.job.Out); err == nil {
				return ErrComplete
			}
		case old == nil:
		case !r.job.Resume:
			return fmt.Errorf("%s: the checkpoint of an unfinished run: resume it, or force a new one", StateFile(r.job.Out))
		case old.Job != fresh.Job:
			return fmt.Errorf("%s: the unfinished run has other rules, flags or outputs, or was begun by another version: give the same command as before to the version that began the run, or force a new one", StateFile(r.job.Out))
		case old.Input != fresh.Input:
			return fmt.Errorf("%s: the inputs have changed since the unfinished run began: force a new one", StateFile(r.job.Out))
		default:
			r.state = *old
		}
		if r.state.Position == nil && !r.state.Done {
			if err := r.saveState(); err != nil { // an output without a state is whole
				return err
			}
		}
	}
	if r.state.Done {
		for _, name := range []string{r.job.Out, r.job.Dropped} {
			if name != "" {
				r.outs = append(r.outs, &output{name: name})
			}
		}
		return nil
	}
	if r.state.Position != nil {
		if err := r.src.Seek(*r.state.Position); err != nil {
			return err
		}
	}
	for i, name := range []string{r.job.Out, r.job.Dropped} {
		if i == 1 && name == "" {
			break
		}
		o, err := r.create(name, i == 1 || r.job.Annotate, r.state.Out[i])
		if err != nil {
			return err
		}
		r.outs = append(r.outs, o)
	}
	return nil
}

func loadState(file string) (*state, error) {
	b, err := archive.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(state)
	if err = files.Unseal(b, s); err == nil && s.Version == stateVersion {
		err = s.sound()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a checkpoint: %w: force a new run", file, err)
	}
	if s.Version != stateVersion {
		return nil, fmt.Errorf("%s: version %d, this build reads %d: resume with the build that began the run, or force a new one", file, s.Version, stateVersion)
	}
	return s, nil
}

// sound reports what no checkpoint has that a run saved, and adds empty tables.
func (s *state) sound() error {
	if len(s.Out) != 2 || s.Out[0].Length < 0 || s.Out[1].Length < 0 {
		return fmt.Errorf("outputs %v, wanted the lengths of two", s.Out)
	}
	if s.Report == nil {
		return errors.New("no report")
	}
	rep := newReport()
	merge.Add(rep, s.Report)
	s.Report = rep
	if s.Report.Out.Bytes > 0 && s.Out[0].Length == 0 {
		return fmt.Errorf("%d bytes stay and the output is empty", s.Report.Out.Bytes)
	}
	return nil
}

// checkpoint saves the state after p if a checkpoint is due.
// Packed outputs are cut where one is full and nowhere else.
func (r *run) checkpoint(p *records.Piece[*verdict]) error {
	is := func(fn func(*files.Growing) bool) bool {
		return slices.ContainsFunc(r.outs, func(o *output) bool { return fn(o.file) })
	}
	packed, full := is((*files.Growing).Packed), is((*files.Growing).Full)
	due := r.job.resumable() && time.Since(r.safe) > r.job.Checkpoint && full == packed
	if !full && !due {
		return nil
	}
	for i, o := range r.outs {
		if err := o.writer.Flush(); err != nil {
			return err
		}
		n, err := o.file.Cut()
		if err != nil {
			return err
		}
		r.state.Out[i] = outputState{n, o.writer.State()}
	}
	if !due {
		return nil
	}
	for _, o := range r.outs {
		if err := o.file.Sync(); err != nil {
			return err
		}
	}
	r.state.Position = &p.After
	r.state.Report.Bad += p.Bad - r.bad
	r.bad, r.safe = p.Bad, time.Now()
	return r.saveState()
}

func (r *run) saveState() error {
	if !r.job.resumable() {
		return nil
	}
	return files.WriteSealed(StateFile(r.job.Out), &r.state, "")
}

func (r *run) removeState() error {
	if !r.job.resumable() {
		return nil
	}
	return disk.Remove(StateFile(r.job.Out))
}
