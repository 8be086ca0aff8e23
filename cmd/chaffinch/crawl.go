package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/render"
	"chaffinch/crawl/schedule"
	"chaffinch/page"
	"chaffinch/text/langid"
)

type crawlGroup struct {
	Run      crawlCmd         `cmd:"" default:"withargs" help:"Fetch and clean pages (also: chaffinch crawl SEED)."`
	Status   crawlStatusCmd   `cmd:"" help:"Show the state of a crawl."`
	Sites    crawlSitesCmd    `cmd:"" help:"List the hosts of a crawl by yield."`
	Why      crawlWhyCmd      `cmd:"" help:"Show the pages fetched from a host, and the reasons for skipped pages."`
	Propose  crawlProposeCmd  `cmd:"" help:"Propose seeds for a language."`
	Changes  crawlChangesCmd  `cmd:"" help:"List pages that appeared, changed or disappeared since an earlier crawl, or the pages to visit now."`
	Export   crawlExportGroup `cmd:"" help:"Write the link graph or the hosts of a crawl as a table."`
	Report   crawlReportCmd   `cmd:"" help:"Write the state of a crawl as an HTML page, with its yield curve."`
	Policy   crawlPolicyCmd   `cmd:"" help:"Write a page about a crawl for the owners of sites."`
	Forget   crawlForgetCmd   `cmd:"" help:"Remove a page or a site from the texts and archives of crawls."`
	Replay   crawlReplayCmd   `cmd:"" help:"Show the pages of a crawl or of a web archive in the browser, offline."`
	Simulate crawlSimulateCmd `cmd:"" help:"Compare crawl orders on a simulated web."`
}

type crawlCmd struct {
	Seed []string `arg:"" optional:"" help:"Seeds: URLs, or files of URLs (one per line, a sitemap, a feed, CDXJ, or WARC for its pages and links); - is standard input. Not needed to resume a crawl."`

	seedFormatFlag
	Out     string     `short:"o" required:"" placeholder:"DIR" help:"Folder of the crawl. An existing crawl in it is resumed."`
	Again   string     `placeholder:"DIR" help:"Repeat the crawl in this folder, or in the folder or address that its ranks shared, with its seeds, languages and settings. Unchanged pages are neither transferred nor stored again."`
	Contact string     `placeholder:"MAIL" help:"E-mail address or web page of the person responsible for the crawl. It is part of every request."`
	Langs   []string   `placeholder:"TAG[:X][=N]" help:"Wanted languages, such as gd,ga. ga:0.9 sets the minimum confidence. gd=2,ga=1 aims at twice as much gd as ga: hosts of the language that lacks text are fetched first. Default: any language."`
	Langid  langidFile `placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`

	Filter []string `placeholder:"NAME|FILE" help:"Keep no text of pages that these quality rules drop: ${filterRules}, or rule files (.json, docs/guides/filter.md). Such text does not count as yield, so their hosts lose priority."`

	Types []string `placeholder:"TYPE[:SIZE]" help:"Types of pages to read: html (with plain text), and ${documentFormats}; with the most bytes of a page, as in html,pdf:20MB. Default: html."`

	Within  string   `group:"Scope" placeholder:"WHAT|FILE" help:"Follow links only to URLs in the folders of the seeds (seeds), on their hosts (host) or on their registered domains (domain). FILE holds patterns of URLs, one per line. Default: all URLs."`
	Include []string `group:"Scope" sep:"none" placeholder:"PATTERN|FILE" help:"Follow links only to URLs that match a pattern, too: example.org (with subdomains), .br, example.org/news/ or /*.pdf$, with * and $ as in robots.txt. Seeds need not match. Repeatable."`
	Exclude []string `group:"Scope" sep:"none" placeholder:"PATTERN|FILE" help:"Fetch no URL that matches a pattern, whatever the other options say. Repeatable."`

	MaxDepth        *int  `group:"Scope" placeholder:"N" help:"Follow at most N links from a seed; 0 fetches only the seeds. Pages in sitemaps and feeds are one link away, redirects do not count. Default: ${crawlDepth}."`
	MaxPagesPerHost int64 `group:"Scope" placeholder:"N" help:"Fetch at most N pages of a host. Default: no limit."`
	Site            bool  `group:"Scope" help:"Fetch all pages of the seeds' hosts, sitemaps and feeds first: --within host, unless given, and --policy site."`

	excludedSitesFlag

	NearDuplicates string `default:"" enum:",drop,keep" placeholder:"WHAT" help:"Text of near-duplicates, which never counts as new: drop or keep. Default: drop."`

	crawlRankFlags
	MaxPages int64         `placeholder:"N" help:"Stop when the crawl has N pages."`
	MaxTime  time.Duration `placeholder:"TIME" help:"Stop this run after TIME, such as 2h."`

	Delay       time.Duration `group:"Politeness" placeholder:"TIME" help:"Minimum time between the end of a response and the next request to the host. A longer Crawl-delay of the host is respected. Default: ${crawlDelay}."`
	Connections int           `range:"[1,)" group:"Politeness" default:"${crawlConnections}" placeholder:"N" help:"Maximum number of concurrent requests; at most one per host and IP address. Default: ${default}."`

	renderFlags

	Policy       string   `placeholder:"NAME" help:"Crawl order: ${crawlPolicies}. Default: best-first."`
	Memory       byteSize `default:"256MiB" placeholder:"SIZE" help:"Memory for hosts, queued and known URLs, robots.txt files and fingerprints of texts, at least 96MiB; the rest is on disk. Default: ${default}."`
	ArchiveSize  byteSize `default:"1GB" placeholder:"SIZE" help:"Size at which a new WARC file is started. Default: ${default}."`
	Jobs         int      `short:"j" placeholder:"N" help:"Pages cleaned in parallel. Default: one per processor."`
	Proxy        string   `placeholder:"URL" help:"HTTP proxy."`
	AllowPrivate bool     `help:"Allow private addresses, such as 127.0.0.1 and 192.168.0.0/16, also when the crawl is resumed."`
	Listen       string   `placeholder:"ADDR" help:"Serve metrics of the crawl at this address, such as 127.0.0.1:9100: /metrics for Prometheus, /healthz."`
	Quiet        bool     `short:"q" help:"No progress, no summary; errors are still shown."`
}

// Help is the long text of --help.
func (crawlGroup) Help() string {
	return `Examples:
  chaffinch crawl seeds.txt --langs gd,ga --contact you@example.org -o crawl/
  chaffinch crawl status crawl/
  chaffinch crawl simulate --pages 20000

Run "chaffinch crawl run --help" for all flags.`
}

// Help is the long text of --help.
func (crawlCmd) Help() string {
	return `Fetches pages from the seeds, cleans each page on arrival, and prefers hosts that yield clean text in the wanted languages (new text per byte fetched). With --filter, only text that passes the rules counts. It obeys robots.txt (RFC 9309).

The folder holds the responses (warc/), the clean pages (text.jsonl), and a journal. The same command resumes a crawl that was stopped, was killed or has reached a limit.

Examples:
  chaffinch crawl seeds.txt --langs gd,ga --contact you@example.org -o crawl/
  chaffinch crawl seeds.txt --filter nontext --contact you@example.org -o crawl/
  chaffinch crawl https://news.example.org/ --site --contact you@example.org -o news/
  chaffinch crawl seeds.txt --include .br --exclude /tag/ --contact you@example.org -o crawl/
  chaffinch crawl -o crawl/ --max-pages 100000
  chaffinch crawl --again crawl/ -o crawl-2/
  chaffinch build linguist crawl/ -o corpus/
  chaffinch crawl simulate

Exit code: 0 finished, or a limit was reached; 1 finished, and no page has text; 2 failed; 130 interrupted.`
}

// Run crawls.
func (c *crawlCmd) Run(ctx context.Context, con *console) error {
	cfg, err := c.config(ctx, con)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a tenth of the time saved for some 80 MB
	}
	limitMemory(crawlMemory + cfg.Memory/2)
	view := newCrawlView(con)
	if !c.Quiet {
		cfg.OnSnapshot = view.show
	}
	if c.Listen != "" {
		stop, see, err := serveMetrics(c.Listen, con)
		if err != nil {
			return fmt.Errorf("--listen: %w", err)
		}
		defer stop()
		show := cfg.OnSnapshot
		cfg.OnSnapshot = func(s crawl.Snapshot) {
			see(s)
			if show != nil {
				show(s)
			}
		}
	}
	if p, ok := cfg.Renderer.(*render.Pool); ok {
		defer p.Close()
	}
	cfg.OnRepair = func(e *page.Error) { fmt.Fprintf(con.err, "chaffinch: %v\n", e) }
	failed := faults{con: con}
	cfg.OnError = func(e *page.Error) { failed.report(e) }
	if c.Rank != "" {
		return c.runRank(ctx, con, cfg, view)
	}
	report, err := crawl.Run(ctx, cfg)
	view.clear()
	if err != nil {
		return err
	}
	if report.Reason == crawl.NoResponse {
		way := "check the seeds and the network, and run the same command again"
		if strings.HasSuffix(report.Failed, fetch.PrivateAddress.String()) {
			way = "--allow-private allows such addresses"
		}
		return fmt.Errorf("%s (%s): %s", report.Reason, report.Failed, way)
	}
	if !c.Quiet {
		if report.Reason != crawl.Interrupted { // which the last line says
			fmt.Fprintf(con.err, "%s after %v\n", report.Reason, report.Time.Round(time.Second))
		}
		if err := printCrawlResult(con.err, report.Snapshot); err != nil {
			return err
		}
	}
	if !c.Quiet && cfg.Schedule.Policy.Name == schedule.Site.Name {
		fmt.Fprintln(con.err, completeness(report))
	}
	if report.Reason == crawl.Interrupted { // at once: the journal of a large crawl takes long to read
		return fmt.Errorf("interrupted after %v: run the same command to resume; chaffinch crawl report %s writes the report", report.Time.Round(time.Second), c.Out)
	}
	name, err := crawl.SaveReport(ctx, c.Out)
	if err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.err, "report: %s\n", name)
	}
	if report.Reason == crawl.Exhausted && len(report.Langs) == 0 {
		return errNo{fmt.Sprintf("%s, and no page has text: chaffinch crawl sites %s lists the hosts, crawl why shows their responses", report.Reason, c.Out)}
	}
	return nil
}

// config returns the settings of the flags; other settings are taken from the crawl in the
// folder.
func (c *crawlCmd) config(ctx context.Context, con *console) (cfg crawl.Config, err error) {
	cfg = crawl.Default
	var was crawl.Settings
	var old bool
	if c.Rank == "" {
		if was, old, err = crawl.ReadSettings(c.Out); err != nil {
			return cfg, err
		}
	}
	if !old && c.Again != "" {
		if was, _, err = crawl.RepeatedSettings(ctx, storeOf, c.Again); err != nil {
			return cfg, fmt.Errorf("--again: %w", err)
		}
	}
	if old || c.Again != "" {
		cfg.Contact, cfg.Schedule, cfg.Scope, cfg.NearDuplicates = was.Contact, was.Schedule, was.Scope, was.NearDuplicates
		cfg.Schedule.Reservations = was.Schedule.Reservations || !old
		if len(c.Langs) == 0 {
			c.Langs = was.Languages()
		}
		cfg.Clean.Filter = was.Filter
		c.AllowPrivate = c.AllowPrivate || was.AllowPrivate
		if was.Types != nil {
			cfg.Types = was.Types
		}
	}
	if len(c.Types) > 0 {
		if cfg.Types, err = crawl.ParseTypes(c.Types); err != nil {
			return cfg, fmt.Errorf("--types: %w", err)
		}
	}
	if c.Contact != "" {
		cfg.Contact = c.Contact
	}
	if cfg.Contact == "" {
		return cfg, errors.New("no contact: give your e-mail address or web page with --contact, so that server operators can reach you")
	}
	bad := seedErrors{con: con}
	if cfg.Seeds, err = readSeeds(ctx, c.Seed, c.InputFormat, &bad); err != nil {
		return cfg, err
	}
	cfg.Seeds = c.usable(cfg.Seeds, &bad)
	bad.end()
	if len(cfg.Seeds) == 0 && bad.n > 0 {
		return cfg, errors.New("no usable seed")
	}
	if old && len(cfg.Seeds) > 0 {
		same, err := crawl.StartedWith(c.Out, cfg.Seeds)
		if err != nil {
			return cfg, err
		}
		if !same {
			return cfg, fmt.Errorf("%s: this crawl has other seeds: leave them out to resume it, or name another folder", c.Out)
		}
	}
	if !old && c.Again == "" && len(cfg.Seeds) == 0 {
		return cfg, fmt.Errorf("%s: no crawl to resume: name seeds, as URLs or files of URLs", c.Out)
	}
	if cfg.Clean.Langs, cfg.Schedule.Shares, err = readShares(c.Langs); err != nil {
		return cfg, err
	}
	if len(c.Filter) > 0 {
		set, err := readRules("--filter", c.Filter, nil, nil, nil)
		if err != nil {
			return cfg, err
		}
		rules := set.Config()
		cfg.Clean.Filter = &rules
	}
	if c.Delay > 0 {
		cfg.Schedule.Delay = c.Delay
		cfg.Schedule.MaxDelay = max(cfg.Schedule.MaxDelay, c.Delay)
		cfg.Schedule.AddressDelay = min(cfg.Schedule.AddressDelay, c.Delay)
	}
	if c.Policy != "" {
		if cfg.Schedule.Policy, err = schedule.PolicyOf(c.Policy); err != nil {
			return cfg, fmt.Errorf("--policy: %w", err)
		}
	}
	if err := c.scope(&cfg, con); err != nil {
		return cfg, err
	}
	cfg.Again, cfg.OpenStore, cfg.NearDuplicates = c.Again, storeOf, cmp.Or(c.NearDuplicates, cfg.NearDuplicates)
	cfg.Dir, cfg.Connections, cfg.Workers = c.Out, c.Connections, c.Jobs
	cfg.MaxPages, cfg.MaxTime, cfg.ArchiveSize, cfg.AllowPrivate = c.MaxPages, c.MaxTime, int64(c.ArchiveSize), c.AllowPrivate
	if cfg.Memory = int64(c.Memory); cfg.Memory < crawl.MinMemory {
		return cfg, fmt.Errorf("--memory %d: wanted at least %d bytes", cfg.Memory, crawl.MinMemory)
	}
	net := fetch.Default
	net.UserAgent = crawl.UserAgent(programVersion(), cfg.Contact)
	net.MaxBytesOf = crawl.MaxBytesOf(cfg.Types)
	net.Proxy, net.AllowPrivate, net.MaxFlight = c.Proxy, c.AllowPrivate, crawlFlight
	if cfg.Fetcher, err = fetch.New(net); err != nil {
		return cfg, err
	}
	return cfg, c.renderFlags.apply(&cfg, was.Render, con)
}

// readShares parses wanted languages, each with its share of the text after "=", or without
// shares.
func readShares(list []string) (langs []langid.Wanted, shares []float64, err error) {
	var tags []string
	for _, s := range list {
		tag, _, _ := strings.Cut(s, "=")
		tags = append(tags, tag)
	}
	if langs, err = wantedLangs(tags); err != nil {
		return nil, nil, err
	}
	for i, s := range list {
		if _, share, shared := strings.Cut(s, "="); shared {
			x, err := strconv.ParseFloat(share, 64)
			if err != nil || !(x > 0) {
				return nil, nil, fmt.Errorf("--langs: %q: share %q: wanted a number above 0, as in %s=2", s, share, langs[i].Lang)
			}
			shares = append(shares, x)
		}
	}
	if shares != nil && len(shares) != len(langs) {
		return nil, nil, fmt.Errorf("--langs: %s: give each language a share, or none", strings.Join(list, ","))
	}
	return langs, shares, nil
}
