package main

import (
	"context"
	"fmt"
	"strings"

	evallabels "chaffinch/lab/eval/labels"
	"chaffinch/lab/eval/result"
	"chaffinch/pipeline"
)

type evalLabelsCmd struct {
	labelInput

	SaveFolds string   `placeholder:"FILE" help:"Write the documents with their folds (.jsonl) for other programs, and exit."`
	Outcomes  []string `placeholder:"FILE" help:"Results of other programs on the same folds (.json), as lab/compare/labels/run.sh writes them; repeatable."`
	Save      string   `placeholder:"FILE" help:"Write the table as JSON, for eval report."`
	Quiet     bool     `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (evalLabelsCmd) Help() string {
	return `Compares classifiers in a cross-validation by site. Training is the processor time of all folds, speed that of
classifying on one core, model the mean size of a model file. lab/compare/labels/run.sh runs fastText, scikit-learn and an
embedding on the same folds and prints one table.

Examples:
  chaffinch eval labels labels.jsonl
  chaffinch eval labels labels.jsonl --save-folds folds.jsonl
  chaffinch eval labels labels.jsonl --outcomes fasttext.json`
}

// Run measures, and prints a table.
func (c *evalLabelsCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.SaveFolds, c.Save); err != nil {
		return err
	}
	cfg, err := c.config()
	if err != nil {
		return err
	}
	data, err := c.read(ctx)
	if err != nil {
		return err
	}
	set, err := evallabels.New(cfg, data.Docs)
	if err != nil {
		return err
	}
	if c.SaveFolds != "" {
		if err := writeFile(c.SaveFolds, set.Write); err != nil {
			return err
		}
		_, err := fmt.Fprintf(con.err, "%s: %s\n", c.SaveFolds, count(int64(len(set.Docs)), "document"))
		return err
	}
	var others []*evallabels.Outcome
	for _, name := range c.Outcomes {
		o, err := set.Read(name)
		if err != nil {
			return fmt.Errorf("--outcomes: %w", err)
		}
		others = append(others, o)
	}
	bar := startBars(con, c.Quiet)
	own, err := set.Run(ctx, func(done, total int) {
		bar.show(pipeline.Status{Step: fmt.Sprintf("fold %d of %d", done, total)})
	})
	bar.stop()
	if err != nil {
		return err
	}
	t := set.Table(strings.Join(c.Data, ", "), append([]*evallabels.Outcome{own}, others...))
	return writeTables(con.out, []*result.Table{t}, c.Save)
}
