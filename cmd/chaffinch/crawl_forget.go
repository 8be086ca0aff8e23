package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"chaffinch/crawl"
	"chaffinch/crawl/scope"
	"chaffinch/internal/files"
	"chaffinch/page"
)

type crawlForgetCmd struct {
	What string   `arg:"" placeholder:"URL|SITE" help:"A URL, with all URLs that begin with it, or a site, with its subdomains: example.org/page.html, example.org."`
	Dir  []string `arg:"" placeholder:"DIR" help:"Folders of crawls that do not run."`

	excludedSitesFlag

	DryRun bool `short:"n" help:"Print what would be removed; change nothing."`
}

// Help is the long text of --help.
func (crawlForgetCmd) Help() string {
	return `Removes a page or a site from text.jsonl and from the archives (warc/) of crawls: responses, requests, metadata and robots.txt. Each file is replaced as a whole; other records keep their places, so that the crawl can be resumed, repeated and built from. The journal keeps the URLs, without text, so that they are not fetched again. With --excluded-sites, the site is added to that list, which later crawls and builds honour.

Corpora that were built before are built again, from the remaining pages: run the same chaffinch build.

Examples:
  chaffinch crawl forget example.org crawl/ --dry-run
  chaffinch crawl forget example.org/private/ crawl/ crawl-2/ --excluded-sites excluded.txt

Exit code: 0 completed; 1 completed, and nothing matched; 2 failed.`
}

// Run removes the pages.
func (c *crawlForgetCmd) Run(ctx context.Context, con *console) error {
	if err := checkExcluded(c.What); err != nil {
		return err
	}
	list, err := scope.NewList([]string{c.What})
	if err != nil {
		return err
	}
	var all int64
	for _, dir := range c.Dir {
		f, err := crawl.Forget(ctx, dir, list, c.DryRun)
		if err != nil {
			return err
		}
		all += f.Texts + f.Records
		for _, url := range f.Pages {
			fmt.Fprintln(con.out, url)
		}
		verb := "removed"
		if c.DryRun {
			verb = "would be removed"
		}
		fmt.Fprintf(con.err, "%s: %s, and %s in %s %s (%s)\n", dir, count(f.Texts, "text"), count(f.Records, "record"), count(int64(f.Archives), "archive"), verb, megabytes(f.Bytes))
	}
	if c.ExcludedSites != "" && !c.DryRun {
		if err := c.add(con); err != nil {
			return err
		}
	}
	if all == 0 {
		return errNo{"nothing matches " + c.What}
	}
	return nil
}

// add adds the site to the list of excluded sites.
func (c *crawlForgetCmd) add(con *console) error {
	old, err := os.ReadFile(c.ExcludedSites)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	list, err := scope.Read(strings.NewReader(string(old)))
	if err != nil {
		e := page.AsError(err)
		e.File = c.ExcludedSites
		return e
	}
	if slices.Contains(list, c.What) {
		return nil
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		old = append(old, '\n')
	}
	if err := files.WriteFile(c.ExcludedSites, append(old, c.What+"\n"...)); err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s: added %s\n", c.ExcludedSites, c.What)
	return nil
}

// checkExcluded returns an error for a pattern that only crawls understand: lists of excluded sites
// are also filters of builds.
func checkExcluded(pattern string) error {
	if strings.ContainsAny(pattern, "*$") || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, ".") {
		return fmt.Errorf("%q: wanted a host, with its subdomains, or the beginning of a URL: example.org, example.org/private/", pattern)
	}
	return nil
}
