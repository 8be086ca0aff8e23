package main

import (
	"context"

	"chaffinch/filter/job"
)

type filterApplyCmd struct{ filterFlags }

// Help is the long text of --help.
func (filterApplyCmd) Help() string {
	return `Takes the scores that filter run --annotate wrote and decides by other limits: no document is
scored anew. Lines that rules take out or change are done as by filter run.

Examples:
  chaffinch filter corpus.jsonl -o scored.jsonl --rules fineweb_corpus --annotate
  chaffinch filter apply scored.jsonl -o good.jsonl --rules my.json
  chaffinch filter apply scored.jsonl --rules my.json --annotate | less

Exit code: 0 done; 1 done, but some input could not be read; 2 not done.`
}

// Run decides again.
func (c *filterApplyCmd) Run(ctx context.Context, con *console) error {
	return c.filter(ctx, con, job.Job{Scored: true})
}
