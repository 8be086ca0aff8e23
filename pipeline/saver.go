package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Durable is an output that another run can continue.
type Durable interface {
	// Cut lets another run continue after everything that was written so far, and returns
	// the place.
	Cut() (Place, error)
	// Sync returns when everything up to the last Cut is on stable storage.
	Sync() error
	// Publish gives the output its name, which until then belongs to the output of an earlier
	// run. It is called when everything is on stable storage and the state says so.
	Publish() error
	// Close ends the output. One that was not published waits for another run.
	Close() error
}

// Cutter is a Durable that may be packed: its bytes then depend on where it was cut, and it is
// cut where it is full and nowhere else.
type Cutter interface {
	Packed() bool
	Full() bool
}

// Finisher is a Durable that writes something when the run has come to its end.
type Finisher interface {
	// Finish is called once, after the last record and before the last Sync. It may stop when
	// ctx is done; the run can then be resumed.
	Finish(ctx context.Context) error
}

// Saver keeps the outputs of a run together: they are cut, brought to stable storage and given
// their names in one go, and a checkpoint says how far they are.
type Saver[R any] struct {
	// State is the state of the run. The caller keeps its Report, the Saver everything else.
	State State[R]
	// Outputs are the outputs, the main one first: it gets its name last, so that everything is
	// there once it is.
	Outputs []Durable
	// Save, if set, keeps a checkpoint.
	Save func(*State[R]) error
	// Every is the time between two checkpoints.
	Every time.Duration

	saved time.Time // the last checkpoint, or the first step
}

// Step is called between two records, with a function that returns the place in the input. It
// cuts the outputs where a packed one is full, and saves a checkpoint if the time has come or now
// is set: of packed outputs where they are cut anyway.
func (s *Saver[R]) Step(now bool, mark func() ([]byte, error)) error {
	if s.saved.IsZero() {
		s.saved = time.Now()
	}
	packed, full := s.packed()
	save := s.Save != nil && full == packed && (now || time.Since(s.saved) >= s.Every)
	if !save && !full {
		return nil
	}
	if err := s.cut(); err != nil || !save {
		return err
	}
	at, err := mark()
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	s.State.Mark = at
	return s.save()
}

// Finish ends the outputs and saves that they are whole.
func (s *Saver[R]) Finish(ctx context.Context) error {
	for _, o := range s.Outputs {
		if f, ok := o.(Finisher); ok {
			if err := f.Finish(ctx); err != nil {
				return err
			}
		}
	}
	if err := s.cut(); err != nil {
		return err
	}
	s.State.Done = true
	return s.save()
}

// Publish gives all outputs their names.
func (s *Saver[R]) Publish() error {
	for _, o := range slices.Backward(s.Outputs) {
		if err := o.Publish(); err != nil {
			return err
		}
	}
	return nil
}

// packed reports whether an output is packed, and whether one is full.
func (s *Saver[R]) packed() (packed, full bool) {
	for _, o := range s.Outputs {
		if c, ok := o.(Cutter); ok {
			packed, full = packed || c.Packed(), full || c.Full()
		}
	}
	return packed, full
}

// cut cuts all outputs and notes their places.
func (s *Saver[R]) cut() (err error) {
	s.State.Outputs = make([]Place, len(s.Outputs))
	for i, o := range s.Outputs {
		if s.State.Outputs[i], err = o.Cut(); err != nil {
			return err
		}
	}
	return nil
}

// save brings the outputs to stable storage, then saves the state that says so.
func (s *Saver[R]) save() error {
	for _, o := range slices.Backward(s.Outputs) {
		if err := o.Sync(); err != nil {
			return err
		}
	}
	s.saved = time.Now()
	if s.Save == nil {
		return nil
	}
	if err := s.Save(&s.State); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}
