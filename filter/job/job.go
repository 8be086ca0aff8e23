// Package job filters collections. [Run] reads documents, scores them with several workers, and
// writes the kept documents unchanged and in their order. Checkpoints allow an interrupted run
// to resume. [Sites] summarizes the documents by site.
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
	_ "chaffinch/model/data/nontext"
	_ "chaffinch/model/data/segmenters"
)

// Job configures the input, the rules and the outputs of a run.
type Job struct {
	// Inputs are files and folders, read as Input configures; "-" is Stdin. Input.OnError
	// receives input that cannot be read; such input is copied unchanged.
	Inputs []string
	Input  records.Config
	Stdin  io.Reader
	// Set holds the rules.
	Set *filter.Set
	// Lang is the language of all documents. If "", the language of each document is used, and
	// detected if it is unknown.
	Lang string
	// Out is the output file of kept documents. It appears when the run is complete. If "", the
	// output is written to Stdout.
	Out    string
	Stdout io.Writer
	// Dropped is the output file of dropped documents, with their scores and the reason; "" for
	// none.
	Dropped string
	// ReportFile is the file of a report in HTML: what each rule dropped, a histogram of each score
	// with its limit, and examples on both sides of the limit; "" for none. All scores of each
	// document are computed for it.
	ReportFile string
	// Scored reads the scores from an annotated collection instead of computing them.
	Scored bool
	// PII "mask" replaces personal data by its kind, and "annotate" records its positions. ""
	// does neither.
	PII string
	// Sites lists hosts whose documents are dropped; nil for none.
	Sites *SiteList
	// Annotate keeps all documents and records the scores, the decision and the effect on each
	// line.
	Annotate bool
	// Resume resumes an interrupted run. Force discards its checkpoint. Without either, an
	// existing checkpoint is an error.
	Resume, Force bool
	// Jobs is the number of workers. It does not affect the result. Default: 0, one per
	// processor.
	Jobs int
	// Checkpoint is the time between two checkpoints. Default: 1 minute.
	Checkpoint time.Duration
	// OnFailed, if set, is called for each document on which the rules failed because of a
	// fault in the program. The document is kept unchanged, and the run continues.
	OnFailed func(error)
	// Progress, if set, is called with the number of bytes read and the total, from one
	// goroutine.
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

// Report counts the results of a run.
type Report struct {
	// In counts the documents read, Out the kept text.
	In  Tally `json:"in"`
	Out Tally `json:"out"`
	// Dropped counts the dropped documents, by the first limit that they exceed.
	Dropped map[string]*Tally `json:"dropped"`
	// Lines counts the lines that rules removed from kept documents, by rule. Docs is the
	// number of lines.
	Lines map[string]*Tally `json:"lines"`
	// Changed is the number of kept documents that lost a part.
	Changed int64 `json:"changed"`
	// Unchanged is the number of lines that rules would have changed, but whose format does not
	// allow it: tokens and typed blocks.
	Unchanged int64 `json:"unchanged,omitempty"`
	// PII counts the personal data in kept documents, if requested.
	PII map[string]int64 `json:"pii,omitempty"`
	// Langs counts the documents by language, Detected the documents whose language was
	// detected.
	Langs    map[string]int64 `json:"langs"`
	Detected int64            `json:"detected"`
	// Bad is the number of pieces of input that could not be read as documents. Outside is the
	// number of bytes that belong to no document. Both are copied unchanged.
	Bad     int64 `json:"bad"`
	Outside int64 `json:"outside_bytes"`
	// Failed is the number of documents on which the rules failed because of a fault in the
	// program. They are kept unchanged.
	Failed int64 `json:"failed"`
	// Details holds the data of [Job.ReportFile], nil without it.
	Details *Details `json:"details,omitempty"`
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

// maxJobs is the maximum number of workers.
const maxJobs = 1024

// withDefaults returns j with defaults for missing values, and validates it.
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

// resumable reports whether the run leaves checkpoints. A run that reads standard input does
// not, because its input cannot be read again.
func (j *Job) resumable() bool {
	for _, in := range j.Inputs {
		if in == "-" {
			return false
		}
	}
	return j.Out != "" && !files.Special(j.Out)
}

// apart returns an error if an output is an input or another output, or if a later run over the
// inputs would read it.
func (j *Job) apart() error {
	outputs := []files.Place{{What: "output", Path: j.Out}, {What: "output of what is dropped", Path: j.Dropped}, {What: "report", Path: j.ReportFile}}
	return files.CheckOutputs(j.Inputs, outputs, nil)
}
