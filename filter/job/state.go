package job

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chaffinch/filter/pii"
	"chaffinch/input/records"
	"chaffinch/internal/merge"
	"chaffinch/pipeline"
)

// stateVersion is the version of the settings in a checkpoint.
const stateVersion = 1

// Resumable reports whether an interrupted run left a checkpoint of its output. A damaged
// checkpoint counts too: [Run] returns its error.
func Resumable(out string) bool {
	if out == "" {
		return false
	}
	s, err := pipeline.LoadState(pipeline.StateFile(out), sound)
	return err != nil || s != nil && s.Progressed()
}

// hash returns a hash that identifies the settings.
func (c *Config) hash() string {
	b, err := json.Marshal(c.Behaviour())
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Behaviour returns everything except the inputs that determines the outputs: rules, models,
// settings, and the version of the scores. The value can be marshalled by encoding/json.
func (c *Config) Behaviour() any {
	in := c.Input
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
		Details              bool       `json:",omitempty"`
		PIIKinds             []pii.Kind `json:",omitempty"`
		PIIReport            string     `json:",omitempty"`
		Key                  string     `json:",omitempty"`
	}{c.Set.Config(), in, c.Lang, c.Out, c.Dropped, c.PII, c.Sites.hash(), c.Set.ModelSums(), c.Annotate, c.Scored, stateVersion, scoreVersion, c.ReportFile != "", c.PIIKinds, c.PIIReport, c.keySum()}
}

// keySum returns a value that identifies the key of pseudonyms and does not reveal it, "" if
// there is no key.
func (c *Config) keySum() string {
	if len(c.PseudonymKey) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, c.PseudonymKey)
	mac.Write([]byte("checkpoint"))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// scoreVersion is the version of the behaviour of the scores.
const scoreVersion = 2

// begin determines the state to start from and opens the outputs.
func (r *run) begin() error {
	r.Every = r.cfg.Checkpoint
	r.State = pipeline.State[*Result]{Job: r.cfg.hash(), Inputs: r.src.Identity(), Report: newResult()}
	if r.cfg.resumable() {
		file := pipeline.StateFile(r.cfg.Out)
		if err := r.State.Begin(file, r.cfg.Out, r.cfg.Resume, r.cfg.Force, sound); err != nil {
			return err
		}
		r.Save = func(s *pipeline.State[*Result]) error { return pipeline.SaveState(file, s) }
	}
	if r.cfg.ReportFile != "" {
		r.State.Report.Details = r.State.Report.Details.withMaps()
	}
	if r.State.Mark != nil && !r.State.Done {
		if err := r.src.Goto(r.State.Mark); err != nil {
			return err
		}
	}
	if err := r.create(r.cfg.Out, r.cfg.Annotate); err != nil {
		return err
	}
	if r.cfg.Dropped != "" {
		if err := r.create(r.cfg.Dropped, true); err != nil {
			return err
		}
	}
	if r.cfg.PIIReport == "" {
		return nil
	}
	return r.createPlaces()
}

// createPlaces opens the report of personal data.
func (r *run) createPlaces() (err error) {
	at := r.State.Place(len(r.Outputs))
	if r.places, err = r.stream(r.cfg.PIIReport, at); err != nil {
		return err
	}
	r.Outputs = append(r.Outputs, r.places)
	if at.Length > 0 || r.State.Done || placesJSON(r.cfg.PIIReport) {
		return nil
	}
	_, err = r.places.Write([]byte(placesHead))
	return err
}

// stream opens an output at a place.
func (r *run) stream(name string, at pipeline.Place) (*pipeline.Stream, error) {
	switch {
	case name == "":
		return pipeline.NewStream(r.cfg.Stdout), nil
	case !r.cfg.resumable():
		return pipeline.CreateStream(name)
	}
	return pipeline.OpenStream(name, at.Length, r.State.Done)
}

// create opens the next output at the position in the state.
func (r *run) create(name string, annotate bool) error {
	at := r.State.Place(len(r.Outputs))
	stream, err := r.stream(name, at)
	if err != nil {
		return err
	}
	o, err := records.NewOutput(stream, records.WriterConfig{Annotate: annotate, Field: attrVerdict, Split: r.cfg.Input.Split, Compat: r.cfg.Input.Compat}, at)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", pipeline.StateFile(r.cfg.Out), err), stream.Close())
	}
	r.outs, r.Outputs = append(r.outs, o), append(r.Outputs, o)
	return nil
}

// sound returns an error for a state that no run can have saved, and initializes its maps.
func sound(s *pipeline.State[*Result]) error {
	if s.Report == nil {
		return errors.New("no report")
	}
	rep := newResult()
	merge.Add(rep, s.Report)
	s.Report = rep
	if rep.Out.Bytes > 0 && s.Place(0).Length == 0 {
		return fmt.Errorf("%d bytes stay and the output is empty", rep.Out.Bytes)
	}
	return nil
}
