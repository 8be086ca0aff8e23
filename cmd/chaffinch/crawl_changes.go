package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"chaffinch/crawl"
)

type crawlChangesCmd struct {
	Dir      string        `arg:"" placeholder:"DIR" help:"Folder of a crawl. The crawls that it repeats (crawl run --again) are read as well."`
	Due      int           `range:"[0,)" placeholder:"N" help:"Write the URLs of the N pages to visit now instead, by their estimated rates of change."`
	Interval time.Duration `default:"720h" placeholder:"TIME" help:"With --due: time between crawls of N pages. Default: 30 days (720h)."`
}

// Help is the long text of --help.
func (crawlChangesCmd) Help() string {
	return `Lists pages that appeared, changed or disappeared since the crawl that this one repeats, compared by clean text. The output is tab-separated: URL, change, visits, estimated changes per day (empty after one visit without dates). Pages that are unchanged or were not visited are only counted.

--due uses changes of text, Last-Modified, and dates in sitemaps and feeds. Pages that no crawl knows are not listed.

Examples:
  chaffinch crawl changes crawl-2/ > changes.tsv
  chaffinch crawl changes crawl-2/ --due 10000 > due.txt
  chaffinch crawl due.txt --again crawl-2/ --max-depth 0 -o crawl-3/

Exit code: 0 completed; 2 failed.`
}

// Run writes the changes.
func (c *crawlChangesCmd) Run(ctx context.Context, con *console) (err error) {
	if c.Interval <= 0 {
		return fmt.Errorf("--interval: %v (wanted more than 0)", c.Interval)
	}
	if err := notShared(ctx, c.Dir, ""); err != nil {
		return err
	}
	pages, err := crawl.OpenChanges(ctx, c.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pages.Close()) }()
	out := bufio.NewWriter(con.out)
	if c.Due > 0 {
		list, err := pages.Due(time.Now(), c.Interval, c.Due)
		if err != nil {
			return err
		}
		for _, url := range list {
			fmt.Fprintln(out, url)
		}
		return out.Flush()
	}
	var counts [crawl.NotVisited + 1]int64
	fmt.Fprintln(out, "url\tchange\tvisits\tchanges_per_day")
	for p, err := range pages.All() {
		if err != nil {
			return err
		}
		if counts[p.Change]++; p.Change != crawl.Unchanged && p.Change != crawl.NotVisited {
			rate := "" // of all pages
			if len(p.Past.Visits) > 0 || p.Past.Age > 0 {
				rate = fmt.Sprintf("%.4f", p.Rate)
			}
			fmt.Fprintf(out, "%s\t%v\t%d\t%s\n", p.URL, p.Change, len(p.Past.Visits)+1, rate)
		}
	}
	for k, n := range counts {
		fmt.Fprintf(con.err, "%s %v\n", count(n, "page"), crawl.Change(k))
	}
	return out.Flush()
}
