package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"chaffinch/crawl/scope"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
)

// forgetFlags are the arguments of the commands that remove pages on request.
type forgetFlags struct {
	What string   `arg:"" placeholder:"URL|SITE" help:"A URL, with all URLs that begin with it, or a site, with its subdomains: example.org/page.html, example.org."`
	Dir  []string `arg:"" placeholder:"DIR" help:"Folders."`
	excludedSitesFlag
	DryRun bool `short:"n" help:"Print what would be removed; change nothing."`
}

// forgotten describes the items removed from a folder, or to be removed.
type forgotten struct {
	n    int64    // removed items
	urls []string // printed
	// what describes the items, as in "1 text, and 6 records in 1 archive".
	what  string
	bytes int64
	more  string // a further line, if set
}

// run removes the pages from each folder.
func (c *forgetFlags) run(con *console, forget func(dir string, list *scope.List) (forgotten, error)) error {
	if err := checkExcluded(c.What); err != nil {
		return err
	}
	list, err := scope.NewList([]string{c.What})
	if err != nil {
		return err
	}
	var all int64
	for _, dir := range c.Dir {
		f, err := forget(dir, list)
		for _, url := range f.urls {
			fmt.Fprintln(con.out, url)
		}
		if err != nil {
			return err
		}
		all += f.n
		verb := "removed"
		if c.DryRun {
			verb = "would be removed"
		}
		size := ""
		if f.bytes > 0 {
			size = " (" + report.Size(f.bytes) + ")"
		}
		fmt.Fprintf(con.err, "%s: %s %s%s\n", dir, f.what, verb, size)
		if f.more != "" {
			fmt.Fprintf(con.err, "%s: %s\n", dir, f.more)
		}
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
func (c *forgetFlags) add(con *console) error {
	old, err := os.ReadFile(c.ExcludedSites)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	list, err := scope.Read(bytes.NewReader(old))
	if err != nil {
		return inFile(c.ExcludedSites, err)
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
	bare := strings.TrimPrefix(strings.TrimPrefix(pattern, "http://"), "https://")
	if bare == "" || strings.ContainsAny(pattern, "*$") || strings.HasPrefix(bare, "/") || strings.HasPrefix(bare, ".") {
		return fmt.Errorf("%q: wanted a host, with its subdomains, or the beginning of a URL: example.org, example.org/private/", pattern)
	}
	return nil
}
