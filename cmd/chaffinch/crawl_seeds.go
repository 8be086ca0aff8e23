package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/readers"
	"chaffinch/page"
)

// seedErrors prints why seeds cannot be used: the first ones, and the number of the others.
type seedErrors struct {
	con *console
	n   int64
}

func (e *seedErrors) add(err *page.Error) {
	if e.n++; e.n <= shownErrors {
		fmt.Fprintf(e.con.err, "chaffinch: %v\n", err)
	}
}

func (e *seedErrors) end() {
	if more := e.n - shownErrors; more > 0 {
		fmt.Fprintf(e.con.err, "chaffinch: %s more cannot be used\n", count(more, "seed"))
	}
}

// usable returns the seeds that can be asked for. The others are reported: one of many
// must not end a crawl.
func (c *crawlCmd) usable(seeds []string, bad *seedErrors) (list []string) {
	for _, s := range seeds {
		l, err := crawl.ParseSeed(s)
		if err == nil {
			err = c.checkPrivate(l)
		}
		if err != nil {
			bad.add(&page.Error{Offset: -1, Err: err})
			continue
		}
		list = append(list, s)
	}
	return list
}

// checkPrivate fails if a seed names an address that may not be asked.
func (c *crawlCmd) checkPrivate(l schedule.Link) error {
	if c.AllowPrivate || c.Proxy != "" {
		return nil
	}
	name := schedule.HostName(l.Origin)
	if a, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil && !fetch.IsPublic(a) {
		return fmt.Errorf("seed %s%s: %s is a private address: --allow-private allows such addresses", l.Origin, l.Path, name)
	}
	return nil
}

// readSeeds reads URLs, and files of URLs in a format, "" to detect it. An argument that names a file is one.
func readSeeds(ctx context.Context, args []string, format string, bad *seedErrors) (seeds []string, err error) {
	for _, arg := range args {
		_, err := os.Stat(arg)
		if arg != "-" && errors.Is(err, os.ErrNotExist) && (strings.Contains(arg, "://") || strings.Contains(arg, ".") && !strings.HasSuffix(arg, ".txt")) {
			seeds = append(seeds, arg)
			continue
		}
		list, err := seedFile(ctx, arg, format, bad)
		if err != nil {
			return nil, err
		}
		seeds = append(seeds, list...)
	}
	return seeds, nil
}

// inFile adds the name of a file to an error in it.
func inFile(name string, err error) error {
	e := page.AsError(err)
	e.File = name
	return e
}

// seedFile returns the seeds of a file, and reports unreadable ones to bad.
func seedFile(ctx context.Context, name, format string, bad *seedErrors) ([]string, error) {
	in, shut, err := openFile(name, anything, bad.con)
	if err != nil {
		return nil, err
	}
	defer shut()
	before := bad.n
	list, err := crawl.ReadSeeds(readers.Until(ctx, in), format, func(e *page.Error) {
		e.File = name
		bad.add(e)
	})
	if err != nil {
		return nil, inFile(name, err)
	}
	if len(list) == 0 && bad.n == before {
		return nil, fmt.Errorf("%s: no seeds found: wanted URLs, one per line, a sitemap, a feed, CDXJ or WARC", name)
	}
	return list, nil
}
