package main

import (
	"context"
	"fmt"

	"chaffinch/crawl"
	"chaffinch/crawl/scope"
)

type crawlForgetCmd struct{ forgetFlags }

// Help is the long text of --help.
func (crawlForgetCmd) Help() string {
	return `Removes a page or a site from text.jsonl and from the archives (warc/) of crawls: responses, requests, metadata and robots.txt. Each file is replaced as a whole; other records keep their places, so that the crawl can be resumed, repeated and built from. The journal keeps the URLs, without text, so that they are not fetched again. With --excluded-sites, the site is added to that list, which later crawls and builds honour.

chaffinch build forget removes the pages from corpora that were built before, chaffinch corpus forget from indexes.

Examples:
  chaffinch crawl forget example.org crawl/ --dry-run
  chaffinch crawl forget example.org/private/ crawl/ crawl-2/ --excluded-sites excluded.txt

Exit code: 0 completed; 1 completed, and nothing matched; 2 failed.`
}

// Run removes the pages.
func (c *crawlForgetCmd) Run(ctx context.Context, con *console) error {
	return c.run(con, func(dir string, list *scope.List) (forgotten, error) {
		f, err := crawl.Forget(ctx, dir, list, c.DryRun)
		what := fmt.Sprintf("%s, and %s in %s", count(f.Texts, "text"), count(f.Records, "record"), count(int64(f.Archives), "archive"))
		return forgotten{n: f.Texts + f.Records, urls: f.Pages, what: what, bytes: f.Bytes}, err
	})
}
