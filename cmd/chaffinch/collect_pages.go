package main

import (
	"context"
	"fmt"

	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/pipeline"
)

// collectPages reads the pages of sets and segments them into blocks. Unreadable pages are
// reported, and have no blocks.
func collectPages(ctx context.Context, sets []*evalclean.Set, lang string, cfg gold.CollectConfig, steps steps, before ...pipeline.Stage) (*gold.Collection, error) {
	cfg.Progress = func(done, total int) { steps.show("pages", done, total) }
	col, failed, err := evalclean.Collect(ctx, sets, lang, cfg, before...)
	if err != nil {
		return nil, err
	}
	for _, it := range col.Items {
		if err := failed[it]; err != nil {
			fmt.Fprintf(steps.errors, "chaffinch: %v\n", err)
		}
	}
	return col, nil
}
