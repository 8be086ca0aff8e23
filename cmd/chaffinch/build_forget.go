package main

import (
	"context"
	"runtime/debug"
	"strings"

	"chaffinch/build"
	"chaffinch/crawl/scope"
	"chaffinch/dedup"
	"chaffinch/pipeline"
)

type buildForgetCmd struct {
	forgetFlags
	Jobs   int    `short:"j" placeholder:"N" help:"Workers. Default: one per processor. Does not change the output."`
	Memory string `default:"" placeholder:"SIZE" help:"Memory limit, such as 1GiB; the rest is sorted on disk, in the folder. Default: a quarter of the machine's memory, at least 256MiB. Does not change the output."`
}

// Help is the long text of --help.
func (buildForgetCmd) Help() string {
	return `Removes a page or a site from builds: from the cleaned text, and from all that was made from it, such as the vertical, the index and the exports. It reads the folder of the build, which holds the recipe, and not the inputs. Steps whose input changes run again, so that copies of the removed pages on other sites come back if they were dropped as duplicates. Later builds in the folder exclude the pages, too.

Files that the recipe names are read again: run the command where the build ran.

Examples:
  chaffinch build forget example.org corpus/ --dry-run
  chaffinch build forget example.org/private/ corpus/ --excluded-sites excluded.txt

Exit code: 0 completed; 1 completed, and nothing matched; 2 failed.`
}

// Run removes the pages.
func (c *buildForgetCmd) Run(ctx context.Context, con *console) error {
	memory, err := memoryLimit(c.Memory, max(pipeline.DefaultMemory(), build.MinMemory))
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(dedup.HeapLimit(memory))
	return c.run(con, func(dir string, list *scope.List) (out forgotten, err error) {
		cfg := build.ForgetConfig{Site: c.What, Match: list.MatchURL, DryRun: c.DryRun}
		cfg.Build.Version = programVersion()
		cfg.Build.Out, cfg.Build.Workers, cfg.Build.Memory = dir, c.Jobs, memory
		f, err := build.Forget(ctx, cfg)
		out = forgotten{n: f.Records, urls: f.URLs, what: count(f.Records, "record") + " of text", bytes: f.Bytes}
		if len(f.Steps) > 0 {
			out.more = "run again: " + strings.Join(f.Steps, ", ")
		}
		return out, err
	})
}
