package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/build"
	"chaffinch/build/recipe"
	"chaffinch/corpus"
	"chaffinch/format/wacz"
	"chaffinch/input"
	"chaffinch/serve"
	"chaffinch/serve/access"
	"chaffinch/serve/desk"
	"chaffinch/serve/desk/documents"
	"chaffinch/serve/space"
	"chaffinch/serve/visit"
)

// askedCorpora are the corpora that a server can be asked.
type askedCorpora struct {
	Corpus []string `arg:"" optional:"" name:"index" help:"Corpora to serve: folders of indexes (chaffinch corpus index) or of builds with an index (chaffinch build), named by their folder, or as NAME=FOLDER."`
}

// fetchFlags say whether a server fetches pages.
type fetchFlags struct {
	Fetch string `placeholder:"CONTACT" help:"Fetch public web pages for clients, obeying robots.txt. CONTACT is the e-mail address or web page of the person responsible, and is part of every request."`
}

type serveCmd struct {
	askedCorpora

	Langid langidFile `placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`
	Listen string     `default:"127.0.0.1:8017" placeholder:"ADDR" help:"Address and port to listen on; port 0 selects a free one. Default: ${default}, reachable only from this machine."`
	Token  string     `xor:"who" env:"CHAFFINCH_TOKEN" placeholder:"WORD" help:"Token that clients must send. Default: a random token, part of the printed address."`
	Open   bool       `xor:"who" help:"No token: everyone who can reach the address has access."`
	Host   []string   `placeholder:"NAME" help:"Host names under which clients may reach the server; * for any. Default: localhost, 127.0.0.1 and ::1, or another address in --listen."`

	fetchFlags
	Reports string   `placeholder:"DIR" help:"Show the reports of builds, crawls, deduplication and evaluations in this folder, finished or running."`
	Words   []string `placeholder:"NAME=FILE" help:"Additional word models for /v1/perplexity, under these names: written by \"chaffinch train words\", in ARPA format, or of PyPlexity (.st)."`
	Rules   []string `name:"rules" placeholder:"NAME=FILE" help:"Models of \"chaffinch train labels\", which requests name as rules."`
	Sources string   `placeholder:"DIR" help:"Index of sources (chaffinch plagiarism index) for /v1/plagiarism."`

	Store       string   `group:"Workspaces" placeholder:"DIR" help:"Store users, workspaces (subcorpora, history, saved queries, labels) and uploaded corpora in this folder; it is created if missing. Default: none; the browser stores subcorpora and labels."`
	Allow       []string `group:"Workspaces" placeholder:"DIR" help:"Folders on the server whose corpora an administrator may add in the browser."`
	Quota       byteSize `group:"Workspaces" default:"2GiB" placeholder:"SIZE" help:"Maximum size of the uploaded files and built corpora of a user whose account has no quota. Default: ${default}."`
	UserCorpora int      `group:"Workspaces" range:"[1,)" default:"${userCorpora}" placeholder:"N" help:"Maximum number of uploaded corpora of a user whose account has no limit. Default: ${default}."`

	Annotate    string   `group:"Annotation" placeholder:"DIR" help:"Set under annotation: a folder of pages to label in the browser, which grows into a gold set. With --pages it is created if missing."`
	Pages       []string `group:"Annotation" placeholder:"FILE" help:"Add these pages to the set first: HTML and text files, folders, WARC, WET, JSON lines, plain or compressed. Pages already in the set are skipped."`
	InputFormat string   `default:"" enum:",html,text,jsonl,warc,vertical,prevertical,markdown,xml" group:"Annotation" placeholder:"NAME" help:"Format of --pages, and of the files in archives: html, text, jsonl or warc (also WET and ARC); for documents also vertical, prevertical, markdown or xml (TEI). Default: by content."`
	Sample      int      `group:"Annotation" placeholder:"N" help:"Random sample of N of --pages. Default: all."`
	Labels      string   `group:"Annotation" enum:"roles,text," default:"" placeholder:"KIND" help:"Labels of blocks: roles, such as title and navigation, or text (text or boilerplate), which takes a third of the keystrokes. Default: as in the set, else roles. Lines of plain text are always labelled text or boilerplate."`
	Blank       bool     `group:"Annotation" help:"Hide proposals, so that the model does not influence annotators; for evaluation sets."`
	Scheme      string   `group:"Annotation" placeholder:"NAME" help:"Label whole documents instead of blocks, with the labels of this scheme: ${schemes}, or a JSON file. Default: as in the set. --pages then also reads verticals and other clean text."`
	Double      *float64 `group:"Annotation" range:"[0,1]" placeholder:"SHARE" help:"Documents: share that two annotators label, to measure their agreement. Default: ${double}."`
	Random      *float64 `group:"Annotation" range:"[0,1]" placeholder:"SHARE" help:"Documents: share drawn at random for evaluation; the model is least certain about the others. Default: ${random}."`
	Seed        uint64   `group:"Annotation" default:"1" placeholder:"N" help:"Seed of --sample and of the random documents. Default: ${default}."`

	Workers     int           `group:"Limits" short:"j" placeholder:"N" help:"Pages and queries processed in parallel. Default: one per processor."`
	Queue       int           `group:"Limits" range:"[1,)" default:"${serveQueue}" placeholder:"N" help:"Length of the request queue; further requests get status 503. Default: ${default}."`
	PerClient   int           `group:"Limits" range:"[1,)" default:"${servePerClient}" placeholder:"N" help:"Concurrent requests per IPv4 address or IPv6 network (/64); requests from this machine do not count. Default: ${default}."`
	MaxBody     byteSize      `group:"Limits" default:"32MiB" placeholder:"SIZE" help:"Maximum size of a request body, or of a line of a batch. Default: ${default}."`
	PageTime    time.Duration `group:"Limits" range:"(0,)" default:"${servePageTime}" placeholder:"TIME" help:"Time limit per page; slower pages are dropped. Default: ${default}."`
	RequestTime time.Duration `group:"Limits" range:"(0,)" default:"${serveRequestTime}" placeholder:"TIME" help:"Time limit per request; slower requests get status 504. Default: ${default}."`

	archive *wacz.Reader // shown instead of the start page, if set

	Log string `default:"faults" enum:"requests,faults" help:"What to log to standard error, as JSON lines: all requests, or only errors (faults). Default: ${default}."`
}

// serveVars holds the variables in the help of the flags.
var serveVars = kong.Vars{
	"serveQueue": fmt.Sprint(serve.DefaultLimits.Queue), "servePerClient": fmt.Sprint(serve.DefaultLimits.PerClient),
	"schemes": strings.Join(documents.Embedded(), ", "), "double": fmt.Sprint(documents.Default.Double), "random": fmt.Sprint(documents.Default.Random),
	"userCorpora": fmt.Sprint(space.DefaultQuota.Corpora), "servePageTime": serve.DefaultLimits.PageTime.String(), "serveRequestTime": serve.DefaultLimits.RequestTime.String(),
}

// Help is the long text of --help.
func (serveCmd) Help() string {
	return `Starts a server with an HTTP API and a browser interface: clean pages and see the reasons, query corpora, label pages or documents, upload and build corpora. It prints its address. The interface works offline; /docs and /openapi.json describe the API. The server fetches nothing from the web, unless --fetch is given.

Examples:
  chaffinch serve
  chaffinch serve news.idx old=archive/1990.idx
  chaffinch serve corpus/
  chaffinch serve --reports corpora/
  chaffinch serve --store workspaces/
  chaffinch serve --annotate mine --pages crawl.warc.gz --sample 50
  chaffinch serve --annotate genres --pages corpus.jsonl --sample 2000 --scheme registers
  chaffinch serve --listen 0.0.0.0:8017 --host corpora.example.org --log requests 2>>requests.jsonl
  curl -H "Authorization: Bearer $TOKEN" --data-binary @page.html -H "Content-Type: text/html" "http://127.0.0.1:8017/v1/clean?format=markdown"

Exit code: 0 stopped by a signal, after completing all open requests; 2 failed.`
}

// serveGC is the heap that may grow between two collections of garbage, in percent: pages
// come and go so fast that the usual 100 costs a fifth of the time. GOGC overrides it.
const serveGC = 400

// serveMemory is the soft memory limit of the server, so that many concurrent clients do not
// cost several times the size of their requests. GOMEMLIMIT overrides it.
const serveMemory = 1 << 30

// serveSpare is the number of threads in addition to the threads that clean pages, so that
// requests are refused within milliseconds while all workers are busy. GOMAXPROCS overrides
// it.
const serveSpare = 4

// Run serves until a signal comes.
func (c *serveCmd) Run(ctx context.Context, con *console) (err error) {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(serveGC))
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		limit := int64(serveMemory)
		if c.Store != "" {
			limit += 2 * space.Memory // of a build, with its models
		}
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	}
	if os.Getenv("GOMAXPROCS") == "" {
		cfg.Limits.Workers = cmp.Or(cfg.Limits.Workers, runtime.GOMAXPROCS(0))
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + serveSpare))
	}
	cfg.Log, cfg.Archive = c.logs(con), c.archive
	if c.labelsDocuments() {
		if cfg.Documents, err = c.documents(ctx, con, cfg.Log); err != nil {
			return fmt.Errorf("--annotate %w", err)
		}
		defer func() { err = errors.Join(err, cfg.Documents.Close()) }()
	} else if cfg.Desk, err = c.desk(ctx, con, cfg.Log); err != nil {
		return err
	} else if cfg.Desk != nil {
		defer func() { err = errors.Join(err, cfg.Desk.Close()) }()
	}
	if cfg.Space, err = c.space(cfg); err != nil {
		return err
	}
	if cfg.Space != nil {
		defer func() { err = errors.Join(err, cfg.Space.Close()) }()
	}
	s, shut, err := c.open(cfg)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		host, port, _ := net.SplitHostPort(c.Listen)
		err = fmt.Errorf("another program uses port %s: name another port, or --listen %s for a free one", port, net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("--listen %s: %w", c.Listen, err), shut())
	}
	fmt.Fprintf(con.out, "%s\n", c.address(l.Addr(), cfg.Token))
	if names := slices.Sorted(maps.Keys(cfg.Corpora)); len(names) > 0 {
		fmt.Fprintf(con.err, "corpora: %s\n", strings.Join(names, ", "))
	}
	return errors.Join(s.Serve(ctx, l), shut())
}

// space opens the folder of workspaces, nil if there is none.
func (c *serveCmd) space(cfg serve.Config) (*space.Server, error) {
	if c.Store == "" {
		if len(c.Allow) > 0 {
			return nil, errors.New("--allow needs --store DIR, where added corpora are listed")
		}
		return nil, nil
	}
	users, err := openUsers(c.Store, true)
	if err != nil {
		return nil, fmt.Errorf("--store %w", err)
	}
	list, err := users.List()
	if err != nil {
		return nil, fmt.Errorf("--store %w", err)
	}
	if cfg.Token == "" && len(list) > 0 {
		return nil, fmt.Errorf("--open: %s has %s: leave out --open, or remove the users", c.Store, count(int64(len(list)), "user"))
	}
	of := space.Config{Dir: c.Store, Version: cfg.Version, Quota: space.Quota{Bytes: int64(c.Quota), Corpora: c.UserCorpora}, Workers: cfg.Limits.Workers / 2, Contact: c.Fetch, Log: cfg.Log}
	for _, dir := range c.Allow {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		of.Roots = append(of.Roots, abs)
	}
	s, err := space.Open(of)
	if err != nil {
		return nil, fmt.Errorf("--store %w", err)
	}
	return s, nil
}

// desk opens the set under annotation, nil if there is none.
func (c *serveCmd) desk(ctx context.Context, con *console, log slog.Handler) (*desk.Desk, error) {
	if c.Annotate == "" {
		if len(c.Pages) > 0 || c.InputFormat != "" || c.Sample > 0 || c.Blank || c.Labels != "" || c.Scheme != "" || c.Double != nil || c.Random != nil {
			return nil, errors.New("--pages, --input-format, --sample, --labels, --blank, --scheme, --double and --random need --annotate DIR")
		}
		return nil, nil
	}
	switch {
	case c.Double != nil || c.Random != nil:
		return nil, errors.New("--double and --random are for documents: add --scheme NAME to create a set of documents")
	case c.InputFormat != "" && !slices.Contains([]string{"html", "text", "jsonl", "warc"}, c.InputFormat):
		return nil, fmt.Errorf("--input-format %s: blocks of pages are labelled: wanted html, text, jsonl or warc, or --scheme NAME to label documents", c.InputFormat)
	}
	if len(c.Pages) > 0 {
		in := input.Default
		in.Form, in.OnHTML = c.InputFormat, reportHTMLField(con)
		a, err := desk.Add(ctx, c.Annotate, c.Pages, desk.AddConfig{Input: in, Sample: c.Sample, Seed: c.Seed,
			Skipped: func(err error) { fmt.Fprintf(con.err, "chaffinch: %v\n", err) }})
		if err != nil {
			return nil, fmt.Errorf("--annotate %s: %w", c.Annotate, err)
		}
		fmt.Fprintf(con.err, "%s: %s added, %d already in the set\n", c.Annotate, count(int64(a.Pages), "page"), a.Known)
	}
	d, err := desk.Open(ctx, desk.Config{Dir: c.Annotate, Labels: c.Labels, Blank: c.Blank, Log: slog.New(log)})
	if errors.Is(err, desk.ErrNoSet) && len(c.Pages) == 0 {
		return nil, fmt.Errorf("--annotate %w; --pages FILE,... creates a new set, in a separate folder", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--annotate %w", err)
	}
	return d, nil
}

// labelsDocuments reports whether documents are labelled, and not blocks of pages.
func (c *serveCmd) labelsDocuments() bool {
	return c.Annotate != "" && (c.Scheme != "" || documents.Is(c.Annotate))
}

// documents opens the set of documents under annotation.
func (c *serveCmd) documents(ctx context.Context, con *console, log slog.Handler) (_ *documents.Desk, err error) {
	if c.Labels != "" || c.Blank {
		return nil, fmt.Errorf("%s: --labels and --blank are for blocks of pages: this is a set of documents", c.Annotate)
	}
	cfg := documents.Default
	cfg.Dir, cfg.Seed, cfg.Log = c.Annotate, c.Seed, slog.New(log)
	if c.Double != nil {
		cfg.Double = *c.Double
	}
	if c.Random != nil {
		cfg.Random = *c.Random
	}
	if c.Scheme != "" {
		if cfg.Scheme, err = documents.ReadScheme(c.Scheme); err != nil {
			return nil, err
		}
	}
	if len(c.Pages) > 0 {
		in := input.Default
		in.Form, in.Parquet = c.InputFormat, recipe.ReadParquet
		a, err := documents.Add(ctx, c.Annotate, c.Pages, documents.AddConfig{Scheme: cfg.Scheme, Input: in, Sample: c.Sample, Seed: c.Seed,
			Skipped: func(err error) { fmt.Fprintf(con.err, "chaffinch: %v\n", err) }})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Annotate, err)
		}
		fmt.Fprintf(con.err, "%s: %s added, %d already in the set, %d skipped\n", c.Annotate, count(int64(a.Documents), "document"), a.Known, a.Skipped)
	}
	d, err := documents.Open(ctx, cfg)
	if errors.Is(err, documents.ErrNoSet) && len(c.Pages) == 0 {
		err = fmt.Errorf("%w; --pages FILE,... creates a new set, in a separate folder", err)
	}
	return d, err
}

// config returns the settings of the server.
func (c *serveCmd) config() (serve.Config, error) {
	cfg := serve.Config{Version: programVersion(), Token: c.Token, Hosts: c.Host, Sources: c.Sources, Reports: c.Reports, Corpora: map[string]string{}, Limits: serve.Limits{
		Workers: c.Workers, Queue: c.Queue, PerClient: c.PerClient, Body: int64(c.MaxBody), PageTime: c.PageTime, RequestTime: c.RequestTime,
	}}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return cfg, fmt.Errorf("--listen %s: wanted an address and a port, such as 127.0.0.1:8017", c.Listen)
	}
	for _, h := range c.Host {
		if _, err := netip.ParseAddr(h); err != nil && strings.ContainsAny(h, ":/[] ") {
			return cfg, fmt.Errorf("--host %s: wanted a host name without scheme, port and path, such as corpora.example.org", h)
		}
	}
	local, any := host == "localhost", host == ""
	if ip, err := netip.ParseAddr(host); err == nil {
		local, any = ip.IsLoopback(), ip.IsUnspecified()
	}
	switch {
	case !local && c.Token == "" && !c.Open:
		return cfg, fmt.Errorf("--listen %s: other machines can reach this address: set a token (--token WORD, or CHAFFINCH_TOKEN), or allow access without one (--open)", c.Listen)
	case any && len(c.Host) == 0:
		return cfg, fmt.Errorf("--listen %s: no host name: name the server with --host corpora.example.org, or --host '*' for any name", c.Listen)
	case c.Token == "" && !c.Open:
		cfg.Token = rand.Text()
	}
	if len(c.Host) == 0 && !slices.Contains(access.Loopback, host) {
		cfg.Hosts = []string{host}
	}
	if cfg.WordModels, err = namedFiles("--words", c.Words); err != nil {
		return cfg, err
	}
	if cfg.LabelModels, err = namedFiles("--rules", c.Rules); err != nil {
		return cfg, err
	}
	return cfg, c.folders(cfg.Corpora)
}

// open makes a server that fetches pages, if it shall; shut closes it.
func (f fetchFlags) open(cfg serve.Config) (s *serve.Server, shut func() error, err error) {
	end := func() {}
	if f.Fetch != "" {
		if cfg.Visitor, err = visit.New(visit.Config{Contact: f.Fetch, Version: cfg.Version, MaxBytes: cfg.Limits.Body, Pause: time.Second}); err != nil {
			return nil, nil, fmt.Errorf("--fetch: %w", err)
		}
		end = func() { cfg.Visitor.Close() }
	}
	if s, err = serve.New(cfg); err != nil {
		end()
		return nil, nil, err
	}
	return s, func() error {
		defer end()
		return s.Close()
	}, nil
}

// folders fills in the folders of the corpora by their names.
func (c askedCorpora) folders(dirs map[string]string) error {
	for _, arg := range c.Corpus {
		name, dir, named := strings.Cut(arg, "=")
		if !named {
			dir = arg
			var err error
			if name, err = corpusName(dir); err != nil {
				return err
			}
		}
		if name == "" || strings.ContainsAny(name, "/?#%") {
			return fmt.Errorf("%s: wanted a corpus name without / ? # %%, such as news=%s", arg, dir)
		}
		var err error
		if dir, err = indexAt(dir); err != nil {
			return err
		}
		if other := dirs[name]; other != "" {
			return fmt.Errorf("%s: same name as %s (%s): rename one, such as other=%s", arg, other, name, dir)
		}
		dirs[name] = dir
	}
	return nil
}

// corpusName returns the name of the corpus in a folder: the last part of its path, or for
// the index in a build the name of the build's folder.
func corpusName(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	above := filepath.Dir(abs)
	if index, ok, err := build.IndexOf(above); ok && err == nil && index == abs {
		abs = above
	}
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(abs), ".idx"), corpus.ShardList), nil
}

// indexAt returns the folder of an index: dir, or the index of the build in dir.
func indexAt(dir string) (string, error) {
	index, ok, err := build.IndexOf(dir)
	if !ok && err == nil {
		return dir, nil
	}
	return index, err
}

// openIndex opens the index in a folder, which may be the folder of a build.
func openIndex(dir string) (*corpus.Corpus, error) {
	if strings.HasSuffix(dir, corpus.ShardList) {
		return nil, fmt.Errorf("%s: a list of shards, wanted the folder of one index for this command", dir)
	}
	index, err := indexAt(dir)
	if err != nil {
		return nil, err
	}
	return corpus.Open(index)
}

// logs returns the handler of the server log.
func (c *serveCmd) logs(con *console) slog.Handler {
	level := slog.LevelWarn
	if c.Log == "requests" {
		level = slog.LevelInfo
	}
	return slog.NewJSONHandler(con.err, &slog.HandlerOptions{Level: level})
}

// address returns the address to open in a browser.
func (c *serveCmd) address(a net.Addr, token string) string {
	u := url.URL{Scheme: "http", Host: a.String(), Path: "/"}
	if len(c.Host) > 0 && c.Host[0] != "*" {
		_, port, _ := net.SplitHostPort(a.String())
		u.Host = net.JoinHostPort(c.Host[0], port)
	}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}

// namedFiles returns the files of the values NAME=FILE of a flag.
func namedFiles(flag string, values []string) (files map[string]string, err error) {
	for _, v := range values {
		name, file, ok := strings.Cut(v, "=")
		if !ok || name == "" || files[name] != "" {
			return nil, fmt.Errorf("%s %s: wanted NAME=FILE with distinct names", flag, v)
		}
		if files == nil {
			files = map[string]string{}
		}
		files[name] = file
	}
	return files, nil
}
