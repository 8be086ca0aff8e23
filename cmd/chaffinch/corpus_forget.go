package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/build"
	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/crawl/scope"
	"chaffinch/internal/settings"
)

type corpusForgetCmd struct {
	forgetFlags
	Grammar string `short:"g" placeholder:"FILE" help:"Sketch grammar, as for chaffinch corpus sketches. Default: the grammar that the word sketches hold."`
	Memory  string `default:"256MiB" help:"Memory limit; the rest is sorted on disk, in DIR (${default}). Does not change the index."`
}

// Help is the long text of --help.
func (corpusForgetCmd) Help() string {
	return `Removes the documents of a page or a site from indexes of corpora, by the attribute url of <doc>. The index is built again from the remaining documents, and replaces the old one as a whole. It is the index of a vertical without the others. Word sketches are computed again, and alignments keep the pairs of remaining segments. The verticals themselves are not changed.

For the index of a build, use chaffinch build forget.

Examples:
  chaffinch corpus forget example.org corpus.idx --dry-run
  chaffinch corpus forget example.org/private/ corpus.idx --excluded-sites excluded.txt

Exit code: 0 completed; 1 completed, and nothing matched; 2 failed.`
}

// Run removes the documents.
func (c *corpusForgetCmd) Run(ctx context.Context, con *console) error {
	memory, err := settings.ParseSize(c.Memory)
	if err != nil {
		return fmt.Errorf("--memory %w", err)
	}
	return c.run(con, func(dir string, list *scope.List) (out forgotten, err error) {
		if err := notOfBuild(dir); err != nil {
			return out, err
		}
		f, err := sketch.Forget(ctx, dir, c.Grammar, corpus.ForgetConfig{Match: list.MatchURL, DryRun: c.DryRun, Memory: memory / 2, Tool: "chaffinch " + version})
		out = forgotten{n: f.Documents, urls: f.URLs, what: fmt.Sprintf("%s with %s", count(f.Documents, "document"), count(f.Tokens, "token"))}
		if len(f.Aligned) > 0 {
			out.more = "aligned again with " + strings.Join(f.Aligned, ", ")
		}
		return out, err
	})
}

// notOfBuild returns an error if dir is a build, or the index in a build.
func notOfBuild(dir string) error {
	for _, folder := range []string{dir, filepath.Dir(filepath.Clean(dir))} {
		index, ok, err := build.IndexOf(folder)
		if !ok {
			continue
		}
		if folder != dir {
			a, err1 := os.Stat(index)
			b, err2 := os.Stat(dir)
			if err != nil || err1 != nil || err2 != nil || !os.SameFile(a, b) {
				continue
			}
		}
		return fmt.Errorf("%s: a build, whose other outputs hold the pages, too: use chaffinch build forget with the folder %s", dir, folder)
	}
	return nil
}
