// Package job filters collections. [Run] reads documents, scores them with several workers, and
// writes the kept documents unchanged and in their order. Checkpoints allow an interrupted run
// to resume. [Sites] summarizes the documents by site.
//
// Unstable: this package may change in any release.
package job

import (
	"errors"
	"fmt"
	"slices"

	"chaffinch/filter"
	"chaffinch/filter/pii"
	"chaffinch/input/records"
	"chaffinch/internal/files"
	_ "chaffinch/model/data/fineweb2"
	_ "chaffinch/model/data/languages"
	_ "chaffinch/model/data/names"
	_ "chaffinch/model/data/nontext"
	_ "chaffinch/model/data/registers"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/pipeline"
)

// Config configures the input, the rules and the outputs of a run. Input that cannot be read is
// copied unchanged, and so are documents on which the rules failed. A run that reads standard
// input or writes none of its outputs to a file cannot be resumed.
type Config struct {
	pipeline.Job
	// Input configures how Inputs are read.
	Input records.Config
	// Set holds the rules.
	Set *filter.Set
	// Lang is the language of all documents. If "", the language of each document is used, and
	// detected if it is unknown.
	Lang string
	// Dropped is the output file of dropped documents, with their scores and the reason; "" for
	// none.
	Dropped string
	// ReportFile is the file of a report in HTML: what each rule dropped, a histogram of each score
	// with its limit, and examples on both sides of the limit; "" for none. All scores of each
	// document are computed for it.
	ReportFile string
	// Scored reads the scores from an annotated collection instead of computing them.
	Scored bool
	// PII "mask" replaces personal data by its kind, "pseudonym" by pseudonyms
	// ([pii.Pseudonyms]), and "annotate" records its positions. "" does neither.
	PII string
	// PIIKinds are the kinds of personal data to find. Default: [pii.Kinds], all but names.
	PIIKinds []pii.Kind
	// PseudonymKey is the key of pseudonyms, of at least 16 bytes. Runs with the same key use
	// the same pseudonyms.
	PseudonymKey []byte
	// PIIReport is the output file of the personal data in kept documents; "" for none. It is
	// TSV with a header, or JSON lines if its name ends in .jsonl, also compressed (.gz, .zst).
	// A row has the id of the document, the start and end in the text of the input document in
	// code points, the kind, and the country of an identification number.
	PIIReport string
	// Sites lists hosts whose documents are dropped; nil for none.
	Sites *SiteList
	// Annotate keeps all documents and records the scores, the decision and the effect on each
	// line.
	Annotate bool
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

// Result counts the results of a run.
type Result struct {
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
	// Gaps counts the documents for which the rules have no data of their language.
	filter.Gaps
	// Bad is the number of pieces of input that could not be read as documents. Outside is the
	// number of bytes that belong to no document. Both are copied unchanged.
	Bad     int64 `json:"bad"`
	Outside int64 `json:"outside_bytes"`
	// Failed is the number of documents on which the rules failed because of a fault in the
	// program. They are kept unchanged.
	Failed int64 `json:"failed"`
	// Details holds the data of [Config.ReportFile], nil without it.
	Details *Details `json:"details,omitempty"`
}

func newResult() *Result {
	return &Result{PII: map[string]int64{}, Dropped: map[string]*Tally{}, Lines: map[string]*Tally{}, Langs: map[string]int64{}}
}

func tallyOf(m map[string]*Tally, name string) *Tally {
	t := m[name]
	if t == nil {
		t = new(Tally)
		m[name] = t
	}
	return t
}

// withDefaults returns c with defaults for missing values, and validates it.
func (c Config) withDefaults() (Config, error) {
	if err := c.SetDefaults(); err != nil {
		return c, err
	}
	switch {
	case c.Set == nil:
		return c, errors.New("no rules")
	case !slices.Contains([]string{"", "mask", "pseudonym", "annotate"}, c.PII):
		return c, fmt.Errorf("personal data %q: wanted mask, pseudonym or annotate", c.PII)
	case c.PII == "annotate" && !c.Annotate, c.PII != "annotate" && c.PII != "" && c.Annotate:
		return c, errors.New("personal data: annotation marks its place, a run without annotation masks it")
	case c.PII == "pseudonym" && len(c.PseudonymKey) == 0:
		return c, errors.New("pseudonyms: no key (wanted: a secret of at least 16 bytes that you keep: the same key gives the same pseudonyms)")
	case c.PII != "pseudonym" && len(c.PseudonymKey) > 0:
		return c, errors.New("pseudonyms: a key is given, but no pseudonyms are requested")
	case c.PIIKinds != nil && c.PII == "" && c.PIIReport == "":
		return c, errors.New("kinds of personal data are given, but neither a treatment nor a report is requested")
	case c.Annotate && c.Dropped != "":
		return c, errors.New("a run that annotates drops nothing: an output of dropped text needs a run without annotation")
	case c.Resume && !c.resumable():
		return c, errors.New("only a run that writes a file can be resumed: name one")
	}
	if _, err := pii.NewFinder(c.PIIKinds); err != nil {
		return c, err
	}
	if c.PII == "pseudonym" {
		if _, err := pii.NewPseudonyms(c.PseudonymKey); err != nil {
			return c, err
		}
	}
	c.Input = c.Input.For(&c.Job)
	return c, c.apart()
}

// resumable reports whether the run leaves checkpoints. A run that reads standard input does
// not, because its input cannot be read again.
func (c *Config) resumable() bool {
	return c.ToFile() && !slices.Contains(c.Inputs, "-")
}

// apart returns an error if an output is an input or another output, or if a later run over the
// inputs would read it.
func (c *Config) apart() error {
	outputs := []files.Place{{What: "output", Path: c.Out}, {What: "output of dropped text", Path: c.Dropped}, {What: "report", Path: c.ReportFile}, {What: "report of personal data", Path: c.PIIReport}}
	return files.CheckOutputs(c.Inputs, outputs, nil)
}
