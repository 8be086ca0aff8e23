package main

import (
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/lab/eval/live"
)

// evalCmd holds the commands that evaluate the other commands against gold annotations.
type evalCmd struct {
	Clean     evalCleanCmd     `cmd:"" help:"Evaluate the cleaning of pages against gold text."`
	Dedup     evalDedupCmd     `cmd:"" help:"Evaluate deduplication on planted duplicates, beside other programs."`
	Charset   evalCharsetCmd   `cmd:"" help:"Evaluate the detection of encodings on files whose encoding is known."`
	Classify  evalClassifyCmd  `cmd:"" help:"Evaluate the effect of cleaning on document classification."`
	IR        evalIRCmd        `cmd:"" name:"ir" help:"Evaluate search on judged topics, and the effect of cleaning."`
	Langid    evalLangidCmd    `cmd:"" help:"Evaluate language identification, beside other programs."`
	Lines     evalLinesCmd     `cmd:"" help:"Evaluate line labelling of plain text, beside other systems."`
	Labels    evalLabelsCmd    `cmd:"" help:"Compare classifiers of documents in a cross-validation by site."`
	LM        evalLMCmd        `cmd:"" name:"lm" help:"Evaluate cleaned text as training data for a small language model."`
	Metadata  evalMetadataCmd  `cmd:"" help:"Evaluate titles, authors, dates and licences of pages."`
	Nontext   evalNontextCmd   `cmd:"" help:"Evaluate models of non-text: good text lost, bad text found, by kind."`
	Report    evalReportCmd    `cmd:"" help:"Write saved evaluation results as one HTML report."`
	Roles     evalRolesCmd     `cmd:"" help:"Evaluate the roles of blocks (title, by-line, body, comment, ...) against gold annotations."`
	Structure evalStructureCmd `cmd:"" help:"Evaluate tables, code, formulas, lists, footnotes and callouts in Markdown."`
	Tag       evalTagCmd       `cmd:"" help:"Score taggers by the measures of CoNLL 2018."`
	Token     evalTokenCmd     `cmd:"" help:"Evaluate tokens and sentences against gold annotations."`

	Plagiarism evalPlagiarismCmd `cmd:"" help:"Evaluate the search for copied passages on known cases, by the measures of PAN."`

	Live string `placeholder:"FILE" help:"Write the progress and output of the evaluation to this file (.eval) while it runs, for chaffinch serve --reports."`
}

// AfterApply starts writing the state of the evaluation to the file of --live.
func (c *evalCmd) AfterApply(k *kong.Context, con *console) error {
	if c.Live == "" {
		return nil
	}
	if err := checkPlaces(k); err != nil {
		return err
	}
	t, err := live.Begin(c.Live, "chaffinch "+strings.Join(os.Args[1:], " "))
	if err != nil {
		return err
	}
	con.out = liveOutput{io.MultiWriter(con.out, t), con.out, t}
	return nil
}

// liveOutput is the output of an evaluation whose state is written to a file; raw is the
// console's output.
type liveOutput struct {
	io.Writer
	raw  io.Writer
	live *live.Recorder
}

// liveOf returns the writer of an evaluation's state, nil without --live.
func liveOf(con *console) *live.Recorder {
	out, _ := con.out.(liveOutput)
	return out.live
}
