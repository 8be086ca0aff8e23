package main

import (
	"context"

	"chaffinch/filter/job"
)

type filterApplyCmd struct{ filterFlags }

// Help is the long text of --help.
func (filterApplyCmd) Help() string {
	return `Applies rules to the scores that filter run --annotate wrote, without scoring documents again.
Rules that drop or change lines work as in filter run.

Examples:
  chaffinch filter corpus.jsonl -o scored.jsonl --rules fineweb_corpus --annotate
  chaffinch filter apply scored.jsonl -o good.jsonl --rules my.json
  chaffinch filter apply scored.jsonl --rules my.json --annotate | less

Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// Run decides again.
func (c *filterApplyCmd) Run(ctx context.Context, con *console) error {
	return c.filter(ctx, con, job.Config{Scored: true})
}
