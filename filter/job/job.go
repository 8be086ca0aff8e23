// Package job filters collections: it reads documents, has workers score them, and
// writes those that stay as they stood, in their order. With checkpoints, so that an
// interrupted run goes on.
//
// Unstable: this package may change in any release.
package job

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/files"
)

// Job says what is to be filtered, and how.
type Job struct {
	// Inputs are files and folders, read as Input says; "-" is Stdin. Of Input,
	// OnError is told of what cannot be read; such pieces are passed on as they are.
	Inputs []string
	Input  records.Config
	Stdin  io.Reader
	// Set are the rules.
	Set *filter.Set
	// Lang is the language of all documents. "" takes that of each, and has it
	// detected where it is not known.
	Lang string
	// Out is the file of what stays. It appears when the run is done. "" writes to
	// Stdout.
	Out    string
	Stdout io.Writer
	// Dropped is a file that gets the documents left out, with their scores and the
	// reason; "" for none.
	Dropped string
	// Scored takes the scores that an annotated collection holds in place of new ones.
	Scored bool
	// PII "mask" replaces personal data by its kind, "annotate" writes where it stands;
	// "" does neither.
	PII string
	// Sites are hosts whose documents go; nil for none.
	Sites *SiteList
	// Annotate keeps all and writes the scores, the decision and what would become of
	// each line.
	Annotate bool
	// Resume goes on with an interrupted run; Force throws its checkpoint away. With
	// neither a checkpoint is an error.
	Resume, Force bool
	// Jobs is the number of workers, 0 for one a processor. The result does not
	// depend on it.
	Jobs int
	// Checkpoint is the time between two checkpoints. 0 is a minute.
	Checkpoint time.Duration
	// OnFailed is told of each document over which the rules failed, a fault of the
	// program: it stays as it is, and the run goes on. nil is not told.
	OnFailed func(error)
	// Progress is told of the work, from one goroutine: bytes read and how many there
	// are. nil is not told.
	Progress func(done, total int64)
}

// Tally counts text.
type Tally struct {
	Docs  int64 `json:"docs"`
	Words int64 `json:"words"`
	Bytes int64 `json:"bytes"`
}

func (t *Tally) add(o Tally) {
	t.Docs += o.Docs
	t.Words += o.Words
	t.Bytes += o.Bytes
}

// Report tells what a run did.
type Report struct {
	// In is what was read, Out what stays of it.
	In  Tally `json:"in"`
	Out Tally `json:"out"`
	// Dropped counts the documents that went, by the first rule that they broke.
	Dropped map[string]*Tally `json:"dropped"`
	// Lines counts the lines that rules took out of documents that stay, and what
	// they held. Docs is the number of lines.
	Lines map[string]*Tally `json:"lines"`
	// Changed is the number of documents that stay and lost a part.
	Changed int64 `json:"changed"`
	// Unchanged is the number of lines that rules would have changed, but whose
	// format has no way to: tokens and typed blocks.
	Unchanged int64 `json:"unchanged,omitempty"`
	// PII counts the personal data in documents that stay, if that is looked for.
	PII map[string]int64 `json:"pii,omitempty"`
	// Langs counts the documents by language, Detected those whose was not known.
	Langs    map[string]int64 `json:"langs"`
	Detected int64            `json:"detected"`
	// Bad is the number of pieces of input that could not be read as documents, and
	// Outside how many bytes belong to no document. They are passed on as they are.
	Bad     int64 `json:"bad"`
	Outside int64 `json:"outside_bytes"`
	// Failed is the number of documents over which the rules failed, a fault of the
	// program. They stay as they are.
	Failed int64 `json:"failed"`
}

func newReport() *Report {
	return &Report{PII: map[string]int64{}, Dropped: map[string]*Tally{}, Lines: map[string]*Tally{}, Langs: map[string]int64{}}
}

func tallyOf(m map[string]*Tally, name string) *Tally {
	t := m[name]
	if t == nil {
		t = new(Tally)
		m[name] = t
	}
	return t
}

// maxJobs is more workers than any machine keeps busy.
const maxJobs = 1024

// withDefaults fills in what was left out and tells what is wrong.
func (j Job) withDefaults() (Job, error) {
	j.Jobs = cmp.Or(j.Jobs, runtime.GOMAXPROCS(0))
	j.Checkpoint = cmp.Or(j.Checkpoint, time.Minute)
	if j.Progress == nil {
		j.Progress = func(int64, int64) {}
	}
	switch {
	case j.Set == nil:
		return j, errors.New("no rules")
	case j.Jobs < 0 || j.Jobs > maxJobs:
		return j, fmt.Errorf("%d jobs: wanted 1 to %d", j.Jobs, maxJobs)
	case j.PII != "" && j.PII != "mask" && j.PII != "annotate":
		return j, fmt.Errorf("personal data %q: take mask or annotate", j.PII)
	case j.PII == "annotate" && !j.Annotate, j.PII == "mask" && j.Annotate:
		return j, errors.New("personal data: a run that annotates tells where it stands, one that does not masks it")
	case j.Annotate && j.Dropped != "":
		return j, errors.New("a run that annotates leaves nothing out: an output of what is dropped needs a run without annotation")
	case j.Resume && !j.resumable():
		return j, errors.New("only a run that writes a file can be resumed: name one")
	}
	j.Input.Split = records.SplitOf(j.Input.Split, j.Inputs)
	return j, j.apart()
}

// resumable tells whether the run leaves checkpoints: not of standard input, which
// is gone with the run.
func (j *Job) resumable() bool {
	for _, in := range j.Inputs {
		if in == "-" {
			return false
		}
	}
	return j.Out != "" && !files.Special(j.Out)
}

// apart refuses outputs that are inputs or each other, and those that a later
// reading of the inputs would take for input.
func (j *Job) apart() error {
	outputs := []files.Place{{What: "output", Path: j.Out}, {What: "output of what is dropped", Path: j.Dropped}}
	return files.Separate(j.Inputs, outputs, nil)
}
