package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
	"chaffinch/internal/table"
)

type crawlStatusCmd struct {
	Dir string `arg:"" placeholder:"DIR|ADDRESS" help:"Folder of a crawl, finished or running; or the folder or address that its ranks share."`
}

// Help is the long text of --help.
func (crawlStatusCmd) Help() string {
	return `Shows the state of a crawl: pages, text, yield, best and worst hosts, languages, and reasons for missing text.

Example: chaffinch crawl status crawl/

Exit code: 0 completed; 2 failed.`
}

// Run prints the state of the crawl.
func (c *crawlStatusCmd) Run(ctx context.Context, con *console) error {
	if ranks, err := printRanks(ctx, c.Dir, con.out); ranks || err != nil {
		return err
	}
	h, err := crawl.ReadHistory(ctx, c.Dir, nil)
	if err != nil {
		return err
	}
	s := h.Snapshot()
	out := bufio.NewWriter(con.out)
	fmt.Fprintf(out, "%v: %s, %d in the last minute, %s of clean text in %s (%.2f %%), %s known\n", s.Time.Round(time.Second),
		count(s.Totals.Pages, "page"), h.Minute, report.Size(s.Totals.Clean), report.Size(s.Totals.Bytes), 100*s.Totals.Yield(), count(int64(s.Hosts), "host"))
	if err := printCounts(out, s); err != nil {
		return err
	}
	if s.Totals.Pages == 0 {
		return out.Flush()
	}
	t := table.New("host", ">pages", ">clean MB", ">MB", ">yield %")
	add := func(name string, list []crawl.HostStatus) {
		for _, h := range list {
			t.Add(name+h.Name, fmt.Sprint(h.Pages), fmt.Sprintf("%.2f", float64(h.Clean)/1e6), fmt.Sprintf("%.2f", float64(h.Bytes)/1e6), fmt.Sprintf("%.2f", 100*h.Yield()))
		}
	}
	add("best, ", s.Best)
	add("worst, ", s.Worst)
	fmt.Fprintln(out)
	if err := t.Write(out, ""); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nyield, % of the bytes since the previous line:")
	curve := table.New(">pages", ">time", ">yield %", ">clean MB")
	before := crawl.Point{}
	step := max((len(h.Curve)+9)/10, 1)
	for i := step - 1; i < len(h.Curve); i += step {
		p := h.Curve[i]
		curve.Add(fmt.Sprint(p.Pages), p.Time.Round(time.Second).String(), fmt.Sprintf("%.2f", 100*schedule.Yield(p.Clean-before.Clean, p.Bytes-before.Bytes)), fmt.Sprintf("%.2f", float64(p.Clean)/1e6))
		before = p
	}
	if err := curve.Write(out, ""); err != nil {
		return err
	}
	return out.Flush()
}

type crawlSitesCmd struct {
	Dir  string `arg:"" placeholder:"DIR" help:"Folder of a crawl, finished or running."`
	Most int    `short:"n" default:"50" placeholder:"N" help:"Number of hosts to show, 0 for all. Default: ${default}."`
}

// Help is the long text of --help.
func (crawlSitesCmd) Help() string {
	return `Lists the hosts of a crawl, with the most clean text first.

Example: chaffinch crawl sites crawl/ -n 0

Exit code: 0 completed; 2 failed.`
}

// Run lists the hosts.
func (c *crawlSitesCmd) Run(ctx context.Context, con *console) error {
	if err := notShared(ctx, c.Dir, ""); err != nil {
		return err
	}
	h, err := crawl.ReadHistory(ctx, c.Dir, nil)
	if err != nil {
		return err
	}
	t := table.New("host", ">pages", ">text", ">filtered", ">clean MB", ">MB", ">yield %", ">failed", ">links to it")
	out := bufio.NewWriter(con.out)
	shown := 0
	for _, s := range h.Sites {
		if s.Pages == 0 && s.Failures == 0 {
			continue // not asked yet
		}
		if shown++; c.Most > 0 && shown > c.Most {
			continue
		}
		t.Add(s.Origin, fmt.Sprint(s.Pages), fmt.Sprint(s.Records), fmt.Sprint(s.Filtered()), fmt.Sprintf("%.2f", float64(s.Clean)/1e6), fmt.Sprintf("%.2f", float64(s.Bytes)/1e6),
			fmt.Sprintf("%.2f", 100*s.Yield()), fmt.Sprint(s.Failures), fmt.Sprint(s.LinkedFrom))
	}
	if err := t.Write(out, ""); err != nil {
		return err
	}
	if c.Most > 0 && shown > c.Most {
		fmt.Fprintf(out, "and %s\n", count(int64(shown-c.Most), "more host"))
	}
	return out.Flush()
}

type crawlWhyCmd struct {
	Dir  string `arg:"" placeholder:"DIR" help:"Folder of a crawl, finished or running."`
	Host string `arg:"" help:"Host, such as example.org, or the URL of a page on it."`
}

// Help is the long text of --help.
func (crawlWhyCmd) Help() string {
	return `Shows the pages fetched from a host, the reasons for skipped pages, and the weight of the host in the order best-first. The weight is the product of four factors from 0 to 1. The first is trust, which links from seeds and trusted sites pass on; the second is the trust of the sites that the host links to. The others are the length of its name and its language. Trust is reduced if pages of the site have no word of the links from other sites, as on expired domains.

Example: chaffinch crawl why crawl/ example.org

Exit code: 0 completed; 2 failed, or the host is not in the crawl.`
}

// Run prints the state of the host.
func (c *crawlWhyCmd) Run(ctx context.Context, con *console) error {
	host, wanted := "", c.Host
	if l, err := crawl.ParseSeed(c.Host); err == nil {
		if host, wanted = schedule.HostName(l.Origin), l.Origin; !strings.Contains(c.Host, "://") {
			_, wanted, _ = strings.Cut(l.Origin, "://")
		}
	}
	if err := notShared(ctx, c.Dir, host); err != nil {
		return err
	}
	h, err := crawl.ReadHistory(ctx, c.Dir, nil)
	if err == nil {
		err = h.ReadWeights()
	}
	if err != nil {
		return err
	}
	found := false
	out := bufio.NewWriter(con.out)
	for _, s := range h.Sites {
		if _, host, _ := strings.Cut(s.Origin, "://"); host != wanted && s.Origin != wanted && schedule.HostName(s.Origin) != wanted {
			continue
		}
		found = true
		fmt.Fprintf(out, "%s: %s, %s with text, %s of clean text in %s (%.2f %%; the crawl has run %v)\n", s.Origin, count(s.Pages, "page"), count(s.Records, "page"),
			report.Size(s.Clean), report.Size(s.Bytes), 100*s.Yield(), h.Time.Round(time.Second))
		fmt.Fprintf(out, "links: %d from other hosts, %d to other hosts; its URLs were linked %d times\n", s.LinkedFrom, s.LinksTo, s.Known)
		if w := s.Weights; w != nil {
			fmt.Fprintf(out, "order at the last checkpoint: estimated yield %.2f %%, weight %.2f (trust %.2f, trust of linked sites %.2f, name %.2f, language %.2f)\n",
				100*w.Expected, w.Weight(), w.Trust, w.Targets, w.Name, w.Lang)
		}
		if why := s.Distrust(); why != "" {
			fmt.Fprintln(out, "low weight: "+why)
		}
		switch {
		case s.RobotsAt == 0 && s.Failures > 0:
			fmt.Fprintln(out, "robots.txt: could not be fetched, so no page may be fetched")
		case s.RobotsAt == 0:
			fmt.Fprintln(out, "robots.txt: not fetched yet")
		case s.CrawlDelay > 0:
			fmt.Fprintf(out, "robots.txt: read, with a Crawl-delay of %v\n", s.CrawlDelay)
		default:
			fmt.Fprintln(out, "robots.txt: read")
		}
		if s.Failures > 0 {
			fmt.Fprintf(out, "requests without a response, or asked to retry later: %d\n", s.Failures)
		}
		for _, name := range sorts.ByValue(s.Failed) {
			fmt.Fprintf(out, "no response, %s: %d\n", name, s.Failed[name])
		}
		for _, name := range sorts.ByValue(s.Langs) {
			fmt.Fprintf(out, "text, %s: %s\n", name, count(s.Langs[name], "page"))
		}
		for _, name := range sorts.ByValue(s.Reasons) {
			fmt.Fprintf(out, "no text, %s: %s\n", name, count(s.Reasons[name], "page"))
		}
		for _, name := range sorts.ByValue(s.Rules) {
			fmt.Fprintf(out, "filtered, %s: %s\n", name, count(s.Rules[name], "page"))
		}
		if n := s.Duplicates(); n > 0 {
			fmt.Fprintf(out, "duplicates: %.0f %% of the texts, which do not count as yield\n", 100*float64(n)/float64(n+s.Records))
		}
		switch s.Anomaly() {
		case "mirror":
			fmt.Fprintln(out, "mirror: most of its texts were already fetched from other hosts")
		case "trap":
			fmt.Fprintln(out, "trap: many new URLs, hardly any text")
		}
	}
	if !found {
		return fmt.Errorf("%s: no host %q in the crawl: chaffinch crawl sites lists the hosts", c.Dir, c.Host)
	}
	return out.Flush()
}
