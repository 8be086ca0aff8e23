// Command chaffinch-frontier fetches and cleans the pages that a URLFrontier hands out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/scope"
	"chaffinch/crawl/urlfrontier"
	"chaffinch/page"
	"chaffinch/text/langid"
)

type command struct {
	Address string `arg:"" help:"Host and port of the frontier, such as localhost:7071."`

	Out     string   `short:"o" required:"" placeholder:"DIR" help:"Folder for archives (warc/) and clean pages (text.jsonl). The same folder continues them."`
	Contact string   `required:"" placeholder:"MAIL" help:"E-mail address or web page of the person responsible for the crawl. It is part of every request."`
	Langs   []string `placeholder:"TAG[:X]" help:"Wanted languages, such as gd,ga. ga:0.9 sets the minimum confidence. Default: any language."`

	Crawl    string        `placeholder:"ID" help:"Crawl to take URLs of. Default: all crawls."`
	URLs     int           `name:"urls" default:"1000" placeholder:"N" help:"Most URLs to hold at a time. Default: ${default}."`
	PerQueue int           `default:"10" placeholder:"N" help:"Most URLs of a queue in a request. Default: ${default}."`
	Lease    time.Duration `default:"10m" placeholder:"TIME" help:"Time after which the frontier hands a URL out again if it has no status. Default: ${default}."`
	Refetch  time.Duration `placeholder:"TIME" help:"Time until the next visit of a fetched page. Default: never."`
	Retry    time.Duration `default:"1h" placeholder:"TIME" help:"Time until the next visit after a failure, which doubles with each failure. Default: ${default}."`
	Retries  int           `default:"4" placeholder:"N" help:"Failures of a URL after which it is done. Default: ${default}."`
	TLS      bool          `name:"tls" help:"Encrypt the connection to the frontier."`

	Include       []string      `sep:"none" placeholder:"PATTERN" help:"Report only links that match a pattern: example.org (with subdomains), .br, example.org/news/ or /*.pdf$. Repeatable."`
	Exclude       []string      `sep:"none" placeholder:"PATTERN" help:"Fetch and report no URL that matches a pattern. Repeatable."`
	ExcludedSites string        `placeholder:"FILE" help:"Sites that asked to be excluded: patterns as with --exclude, one per line."`
	Delay         time.Duration `placeholder:"TIME" help:"Minimum time between the end of a response and the next request to the host. A longer Crawl-delay of the host is respected. Default: ${delay}."`
	Jobs          int           `short:"j" placeholder:"N" help:"Pages cleaned in parallel. Default: one per processor."`
	AllowPrivate  bool          `help:"Allow private addresses, such as 127.0.0.1 and 192.168.0.0/16."`
	Quiet         bool          `short:"q" help:"No summary; errors are still shown."`
}

// Help is the long text of --help.
func (command) Help() string {
	return `Takes URLs from a URLFrontier (https://github.com/crawler-commons/url-frontier), fetches and cleans the pages, and reports their status and links. It obeys robots.txt (RFC 9309). It runs until SIGTERM or Ctrl-C.

Example:
  chaffinch-frontier localhost:7071 --contact you@example.org --langs gd,ga -o pages/

Exit code: 0 stopped by a signal; 2 failed.`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var cmd command
	parser, err := kong.New(&cmd, kong.Name("chaffinch-frontier"), kong.Description("Fetches and cleans the pages that a URLFrontier hands out."),
		kong.UsageOnError(), kong.Vars{"delay": crawl.Default.Schedule.Delay.String()})
	if err != nil {
		panic(err) // the struct above
	}
	if _, err = parser.Parse(os.Args[1:]); err == nil {
		err = cmd.run(ctx, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "chaffinch-frontier: %v\n", err)
		os.Exit(2)
	}
}

// run runs the client until ctx ends.
func (c *command) run(ctx context.Context, log io.Writer) error {
	cfg := crawl.Default
	cfg.Dir, cfg.Contact, cfg.Workers = c.Out, c.Contact, c.Jobs
	cfg.Scope = scope.Rules{Include: c.Include, Exclude: c.Exclude}
	if c.Delay > 0 {
		cfg.Schedule.Delay = c.Delay
		cfg.Schedule.MaxDelay = max(cfg.Schedule.MaxDelay, c.Delay)
		cfg.Schedule.AddressDelay = min(cfg.Schedule.AddressDelay, c.Delay)
	}
	cfg.OnError = func(e *page.Error) { fmt.Fprintf(log, "chaffinch-frontier: %v\n", e) }
	for _, s := range c.Langs {
		lang, err := langid.ParseWanted(s)
		if err != nil {
			return fmt.Errorf("--langs: %w", err)
		}
		cfg.Clean.Langs = append(cfg.Clean.Langs, lang)
	}
	if c.ExcludedSites != "" {
		var err error
		if cfg.ExcludedSites, err = readList(c.ExcludedSites); err != nil {
			return fmt.Errorf("--excluded-sites: %w", err)
		}
	}
	net := fetch.Default
	net.UserAgent = crawl.UserAgent(version(), c.Contact)
	net.AllowPrivate, net.MaxFlight = c.AllowPrivate, 256<<20
	client, err := fetch.New(net)
	if err != nil {
		return err
	}
	defer client.Close()
	cfg.Fetcher = client
	worker, err := crawl.NewWorker(cfg)
	if err != nil {
		return err
	}
	u := urlfrontier.Default
	u.Address, u.TLS, u.Crawl, u.Any = c.Address, c.TLS, c.Crawl, c.Crawl == ""
	u.URLs, u.PerQueue, u.Lease, u.Refetch, u.Retry, u.Retries = c.URLs, c.PerQueue, c.Lease, c.Refetch, c.Retry, c.Retries
	u.Visitor = worker
	u.OnRetry = func(err error) { fmt.Fprintf(log, "chaffinch-frontier: %v\n", err) }
	t, err := urlfrontier.Run(ctx, u)
	err = errors.Join(err, worker.Close())
	if !c.Quiet {
		fmt.Fprintf(log, "%d URLs taken, %d visited, %d pages with text, %d without a response; %d status and %d links stored, %d refused; %d URLs return\n",
			t.Taken, t.Visited, t.Records, t.Failed, t.Reported, t.Discovered, t.Skipped, t.Taken-t.Reported)
	}
	return err
}

// readList reads a file of patterns.
func readList(name string) (*scope.List, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	patterns, err := scope.Read(f)
	if err != nil {
		return nil, err
	}
	return scope.NewList(patterns)
}

// version returns the revision of the program, "unknown" if it is not known.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}
