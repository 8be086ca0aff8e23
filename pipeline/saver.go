package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Durable is an output that a later run can continue.
type Durable interface {
	// Cut makes everything written so far resumable and returns the place where another run
	// continues.
	Cut() (Place, error)
	// Sync returns when everything up to the last Cut is on stable storage.
	Sync() error
	// Publish renames the output to its final name, which until then belongs to the output of
	// an earlier run. It is called after everything is on stable storage and the saved state is
	// done.
	Publish() error
	// Close closes the output. An unpublished output can be continued by another run.
	Close() error
}

// Cutter is a Durable that may be compressed. The bytes of a compressed output depend on where
// it was cut, so it is cut only where it is full.
type Cutter interface {
	Packed() bool
	Full() bool
}

// Finisher is a Durable that writes data at the end of a run.
type Finisher interface {
	// Finish is called once, after the last record and before the last Sync. It may stop when
	// ctx is done; the run can then be resumed.
	Finish(ctx context.Context) error
}

// Saver keeps the outputs of a run consistent. They are cut, synced and published together, and
// a checkpoint records their lengths.
type Saver[R any] struct {
	// State is the state of the run. The caller maintains its Report, the Saver all other
	// fields.
	State State[R]
	// Outputs are the outputs, the main output first. It is published last, so that all outputs
	// exist once it exists.
	Outputs []Durable
	// Save, if set, saves a checkpoint.
	Save func(*State[R]) error
	// Every is the time between two checkpoints.
	Every time.Duration

	saved time.Time // the last checkpoint, or the first step
}

// Step is called between two records, with a function that returns the position in the input.
// It cuts the outputs if a compressed output is full. It saves a checkpoint if one is due or
// now is set. With compressed outputs, checkpoints are saved only where the outputs are full.
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

// Finish finishes the outputs and saves the state as done.
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

// Publish publishes all outputs.
func (s *Saver[R]) Publish() error {
	for _, o := range slices.Backward(s.Outputs) {
		if err := o.Publish(); err != nil {
			return err
		}
	}
	return nil
}

// packed reports whether an output is compressed and whether an output is full.
func (s *Saver[R]) packed() (packed, full bool) {
	for _, o := range s.Outputs {
		if c, ok := o.(Cutter); ok {
			packed, full = packed || c.Packed(), full || c.Full()
		}
	}
	return packed, full
}

// cut cuts all outputs and records their places.
func (s *Saver[R]) cut() (err error) {
	s.State.Outputs = make([]Place, len(s.Outputs))
	for i, o := range s.Outputs {
		if s.State.Outputs[i], err = o.Cut(); err != nil {
			return err
		}
	}
	return nil
}

// save syncs the outputs, then saves the state.
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
