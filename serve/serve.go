// Package serve implements the server: an HTTP API and a browser interface that clean pages
// and query corpora. [New] returns a [Server]; [Server.Handler] returns its HTTP handler.
//
// serve.go assembles the server. Package access controls access, package gate limits
// concurrency; clean.go, batch.go, show.go and text.go handle pages and text, package corpora
// corpora, package reports reports. view/ holds the browser interface, without a build step
// and without external files. The API is described by OpenAPI 3.1, generated from the types
// of requests and responses. Errors are values of package problem.
//
// Unstable: this package may change in any release.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch"
	"chaffinch/clean/perplexity"
	"chaffinch/filter"
	"chaffinch/format/wacz"
	"chaffinch/pipeline"
	"chaffinch/serve/access"
	"chaffinch/serve/corpora"
	"chaffinch/serve/desk"
	"chaffinch/serve/desk/documents"
	"chaffinch/serve/explain"
	"chaffinch/serve/fcs"
	"chaffinch/serve/gate"
	"chaffinch/serve/manual"
	"chaffinch/serve/problem"
	"chaffinch/serve/replay"
	"chaffinch/serve/reports"
	"chaffinch/serve/space"
	"chaffinch/serve/visit"
	"chaffinch/text/tag"
	"chaffinch/text/tag/installed"
)

// Config configures a Server.
type Config struct {
	// Version is the version of the program.
	Version string
	// Corpora are the folders of indexes by the names that they are asked by.
	Corpora map[string]string
	// Sources is the folder of an index of package plagiarism, "" for none.
	Sources string
	// Reports is a folder whose reports are shown, "" for none.
	Reports string
	// Hosts and Token are as in access.Config.
	Hosts []string
	Token string
	// WordModel is the word model of /v1/perplexity, a file or the name of an embedded
	// model, and WordCompat the program to be bug-compatible with, as for
	// [perplexity.Load]. Default: the embedded English model.
	WordModel, WordCompat string
	// WordModels are the files of other models of words by the names that requests give them.
	WordModels map[string]string
	// LabelModels are model files of package text/label, which requests name as rules.
	LabelModels map[string]string
	// Taggers are the models of built-in taggers. Default: the taggers of package installed.
	Taggers *tag.Set
	// Lazy reads models when a page needs them; else they are there before the first one.
	Lazy bool
	// Visitor fetches pages; nil fetches none. It is not closed.
	Visitor *visit.Visitor
	// Desk is a set under annotation; nil: none. It is not closed.
	Desk *desk.Desk
	// Documents is a set of documents under annotation; nil: none. It is not closed.
	Documents *documents.Desk
	// Space stores users, workspaces and uploaded corpora; nil: none. It is not closed.
	Space *space.Server
	// Archive is a web archive whose pages are shown instead of the start page; nil: none. It is not closed.
	Archive *wacz.Reader
	// Limits bounds concurrency, sizes and times.
	Limits Limits
	// Log gets a record for every request.
	Log slog.Handler
}

// Limits bounds a Server. Zero fields are replaced by DefaultLimits.
type Limits struct {
	// Workers is the number of pages and queries processed at once, 0 for one per
	// processor. Queue is the number of requests that may wait.
	Workers, Queue int
	// PerClient is the maximum number of concurrent requests of an IPv4 address or IPv6 network (/64);
	// requests of the machine itself do not count.
	PerClient int
	// Body is the maximum size of a body, or of a line of a batch, in bytes; Bodies of all
	// bodies in memory together.
	Body, Bodies int64
	// Page is the maximum number of bytes of a page that are parsed; the rest is cut, and
	// the page states the cut. Default: Body.
	Page int64
	// PageTime is the time limit of a page, RequestTime of a request other than batches
	// and exports.
	PageTime, RequestTime time.Duration
	// Idle is the time that a client may take to send the next part of a body, or to receive
	// a part of a response.
	Idle time.Duration
}

// DefaultLimits are the limits unless others are given.
var DefaultLimits = Limits{
	Queue: 64, PerClient: 32, Body: 32 << 20, Bodies: 256 << 20,
	PageTime: 10 * time.Second, RequestTime: 5 * time.Minute, Idle: 30 * time.Second,
}

// Server serves. Make one with New.
type Server struct {
	cfg        Config
	log        *slog.Logger
	gate       *gate.Gate
	metrics    *metrics
	cleaners   cache[cleanerKey, *chaffinch.Cleaner]
	rules      cache[string, *filter.Set]
	explainers cache[PageSettings, *explain.Explainer]
	detector   func() ([]pipeline.Stage, error)
	taggers    func() (*tag.Set, error)
	words      cache[wordKey, perplexity.Model]
	corpora    *corpora.Set
	sources    *sources        // nil: none
	reports    *reports.Folder // nil: none
	handler    http.Handler
	direct     http.Handler // without protection against remote clients
	stopping   atomic.Bool
	grace      time.Duration // after which open requests are cut off when the server stops
}

// New returns a Server. It opens the corpora.
func New(cfg Config) (*Server, error) {
	l, d := &cfg.Limits, DefaultLimits
	set(&l.Workers, runtime.GOMAXPROCS(0))
	set(&l.Queue, d.Queue)
	set(&l.PerClient, d.PerClient)
	set(&l.Body, d.Body)
	set(&l.Bodies, max(d.Bodies, 2*l.Body))
	set(&l.Page, l.Body)
	set(&l.PageTime, d.PageTime)
	set(&l.RequestTime, d.RequestTime)
	set(&l.Idle, d.Idle)
	set(&cfg.WordModel, wordModel)
	if cfg.Log == nil {
		cfg.Log = slog.DiscardHandler
	}
	s := &Server{
		cfg: cfg, grace: grace, log: slog.New(logHandler{cfg.Log}), metrics: newMetrics(),
		gate:     gate.New(gate.Config{Workers: l.Workers, Queue: l.Queue, PerClient: l.PerClient, BodyBytes: l.Bodies, MaxBody: l.Body, Form: maxForm}),
		detector: sync.OnceValues(func() ([]pipeline.Stage, error) { return detectStages(*l) }),
		taggers:  sync.OnceValues(func() (*tag.Set, error) { return installed.Set() }),
	}
	if cfg.Taggers != nil {
		s.taggers = func() (*tag.Set, error) { return cfg.Taggers, nil }
	}
	var err error
	if !cfg.Lazy {
		if _, err := s.detector(); err != nil {
			return nil, err
		}
		if _, err := s.cleaner(cleanerKey{}); err != nil {
			return nil, err
		}
	}
	for name := range cfg.WordModels {
		if _, err := s.wordModelOf(wordKey{name, ""}); err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
	}
	for name := range cfg.LabelModels {
		if _, err := s.ruleSet(name); err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
	}
	if s.corpora, err = corpora.Open(cfg.Corpora); err != nil {
		return nil, err
	}
	if cfg.Sources != "" {
		if s.sources, err = openSources(cfg.Sources); err != nil {
			return nil, errors.Join(err, s.corpora.Close())
		}
	}
	if cfg.Reports != "" {
		if s.reports, err = reports.Open(cfg.Reports); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if cfg.Space != nil {
		if err = cfg.Space.Start(s.corpora); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if s.handler, err = s.routes(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// set sets a field that is zero.
func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Close closes corpora, sources and reports.
func (s *Server) Close() error {
	err := s.corpora.Close()
	if s.sources != nil {
		err = errors.Join(err, s.sources.users.Close())
	}
	if s.reports != nil {
		err = errors.Join(err, s.reports.Close())
	}
	return err
}

// Handler returns the handler of all requests.
func (s *Server) Handler() http.Handler { return s.handler }

// public are the paths that need no token.
var public = []string{"/healthz", "/readyz"}

// batchPath is the path whose body is read line by line.
const batchPath = "/v1/batch"

// routes puts the ways together.
func (s *Server) routes() (http.Handler, error) {
	mux := http.NewServeMux()
	api := humago.New(mux, s.description())
	api.UseMiddleware(problem.Repeated(api))
	s.register(api)
	var parts corpora.Parts
	if s.cfg.Space != nil {
		parts = s.cfg.Space.Parts
		space.Register(api, s.cfg.Space, s.cfg.Limits.Body)
	}
	corpora.Register(api, s.corpora, s.gate, parts)
	reports.Register(api, s.reports, s.gate)
	if s.cfg.Desk != nil {
		desk.Register(api, s.cfg.Desk, s.gate)
	}
	if s.cfg.Documents != nil {
		documents.Register(api, s.cfg.Documents, s.gate)
	}
	describeBodies(api.OpenAPI())
	files, err := assets()
	if err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if s.cfg.Archive != nil {
			http.Redirect(w, r, replay.Path, http.StatusSeeOther)
			return
		}
		files["index.html"]().serve(w, r)
	})
	if s.cfg.Archive != nil {
		mux.Handle("GET "+replay.Path, s.replay())
	}
	mux.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) { files["docs.html"]().serve(w, r) })
	mux.Handle("GET "+manual.Path, manual.Handler())
	mux.HandleFunc("GET /assets/{name}", func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.PathValue("name")]
		if !ok {
			problem.New(http.StatusNotFound, "no file %q", r.PathValue("name")).Write(w)
			return
		}
		f().serve(w, r)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.stopping.Load() {
			problem.New(http.StatusServiceUnavailable, "the server is shutting down").Write(w)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.Handle("GET /fcs", fcs.Handler(s.corpora, s.gate))
	mux.Handle("POST /mcp", s.mcpHandler())
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { nothing(mux, w, r) })
	s.direct = s.timed(s.unpacked(mux))
	guard := access.Config{Hosts: s.cfg.Hosts, Token: s.cfg.Token, Public: public}
	if s.cfg.Space != nil {
		guard.Users = s.cfg.Space.Users().Find
	}
	guarded := access.Guard(guard, s.gate.Guard(s.direct, batchPath))
	return s.watched(mux, safeHeaders(guarded)), nil
}

// nothing answers a request that there is no way for: 405 where there is one for
// another method, else 404.
func nothing(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	var methods []string
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := mux.Handler(other); pattern != "/" {
			methods = append(methods, m)
		}
	}
	if len(methods) > 0 {
		w.Header().Set("Allow", strings.Join(methods, ", "))
		problem.New(http.StatusMethodNotAllowed, "%s %s: wanted %s", r.Method, r.URL.Path, strings.Join(methods, ", ")).Write(w)
		return
	}
	problem.New(http.StatusNotFound, "nothing at %s: see /docs", r.URL.Path).Write(w)
}

// safeHeaders sets what holds for every answer; a page sets its own policy.
func safeHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		next.ServeHTTP(w, r)
	})
}

// timed bounds the time of a request, but for a batch, whose lines have theirs.
func (s *Server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != batchPath {
			ctx, cancel := context.WithTimeout(r.Context(), s.cfg.Limits.RequestTime)
			defer cancel()
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// description is the head of the OpenAPI document.
func (s *Server) description() huma.Config {
	c := huma.DefaultConfig("Chaffinch", s.cfg.Version)
	c.Info.Description = "Clean web pages, and search text corpora."
	c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", nil // the page of the docs is our own; answers have no $schema
	c.RejectUnknownQueryParameters = true
	if s.cfg.Token != "" {
		c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer", Description: "The token in the address printed by the server."}}
		c.Security = []map[string][]string{{"token": {}}}
	}
	c.Formats = map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat}
	c.Tags = []*huma.Tag{{Name: "pages", Description: "Clean pages, and inspect the decisions."}, {Name: "text", Description: "Languages, tokens and perplexity of text."}, {Name: "corpora", Description: "Query the corpora of the server."}, {Name: "reports", Description: "Reports in the folder of the server."}}
	if s.cfg.Space != nil {
		c.Tags = append(c.Tags, &huma.Tag{Name: "workspace", Description: "Save subcorpora, queries and labels, and upload corpora."})
	}
	if s.cfg.Desk != nil || s.cfg.Documents != nil {
		c.Tags = append(c.Tags, &huma.Tag{Name: "annotation", Description: "Label blocks of pages, or documents."})
	}
	return c
}

// describeBodies removes contentMediaType, which huma adds to the format binary, from the schemas of
// bodies: OpenAPI 3.0 does not have it.
func describeBodies(doc *huma.OpenAPI) {
	for _, path := range doc.Paths {
		if path.Post == nil || path.Post.RequestBody == nil {
			continue
		}
		for _, m := range path.Post.RequestBody.Content {
			for _, s := range []*huma.Schema{m.Schema, m.Schema.Properties["file"]} {
				if s != nil && s.Format == "binary" {
					s.Format, s.Extensions = "", map[string]any{"format": s.Format}
				}
			}
		}
	}
}

// register adds the operations on pages and text.
func (s *Server) register(api huma.API) {
	op := func(tag, id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Tags: []string{tag},
			MaxBodyBytes: s.cfg.Limits.Body, SkipValidateBody: true}
	}
	pages := func(id, path, summary string) huma.Operation {
		o := op("pages", id, path, summary)
		o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{}}
		for _, m := range []string{"text/html", "text/plain", "application/warc"} {
			o.RequestBody.Content[m] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		}
		o.RequestBody.Content["multipart/form-data"] = formOf("html", "text")
		o.Middlewares = huma.Middlewares{s.takesForms}
		o.RequestBody.Content["application/json"] = &huma.MediaType{Schema: api.OpenAPI().Components.Schemas.Schema(itemType, true, "Page")}
		return o
	}
	clean := pages("clean", "/v1/clean", "Clean the pages in the body")
	clean.Description = "The body is a page (HTML or plain text in any encoding, or JSON), or a file of pages (WARC or JSON lines, plain or compressed). A dropped page is not an error: its text is empty, and the header Chaffinch-Drop holds the reason."
	types := map[string]reflect.Type{}
	for _, f := range answerFormats() {
		types[f.Media[0]] = nil
	}
	types["application/json"] = reflect.TypeFor[any]() // a page, or an array of pages
	problem.Answers(api, &clean, "Clean text", types)
	problem.Register(api, clean, s.clean)
	batch := op("pages", "batch", batchPath, "Clean pages sent as JSON lines, and return JSON lines in the same order")
	batch.Middlewares = huma.Middlewares{refusesForms}
	batch.Description = "Each line is an object with html or text, and optionally id, url and lang. Responses are streamed while the request is still being sent. For an invalid line the response has its number as id, the reason in drop, and error."
	problem.Answers(api, &batch, "A JSON line for each line of the body", map[string]reflect.Type{"application/x-ndjson": nil})
	problem.Register(api, batch, s.batch)
	api.OpenAPI().Paths[batchPath].Post.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{ // documented only, since huma would parse a declared body
		"application/x-ndjson": {Schema: api.OpenAPI().Components.Schemas.Schema(itemType, true, "Page")}}}
	scrape := op("pages", "scrape", "/v2/scrape", "Fetch and clean a page, compatible with Firecrawl's API")
	scrape.Description = "For clients of Firecrawl. Supports the formats markdown, rawHtml and links; ignores other options."
	scrape.SkipValidateBody = false
	huma.Register(api, scrape, s.scrape)
	api.OpenAPI().Paths[scrape.Path].Post.Responses["default"].Content["application/json"] = &huma.MediaType{
		Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[scraped](), true, "")}
	ex := pages("explain", "/v1/explain", "Show the decisions and reasons of every method on a page, as HTML")
	problem.Answers(api, &ex, "The page", map[string]reflect.Type{"text/html": nil})
	problem.Register(api, ex, s.explain)
	render := pages("render", "/v1/render", "Render the page, decoded, without running or loading anything")
	problem.Answers(api, &render, "The page", map[string]reflect.Type{"text/html": nil, "text/plain": nil})
	problem.Register(api, render, s.render)
	problem.Register(api, pages("filter", "/v1/filter", "Score the clean text of a page by quality rules, and decide"), s.filter)
	detect := pages("detect", "/v1/detect", "Detect encoding and languages of a page or text")
	detect.Tags = []string{"text"}
	problem.Register(api, detect, s.detect)
	text := func(id, path, summary string) huma.Operation {
		o := op("text", id, path, summary)
		o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{
			"text/plain": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}, "multipart/form-data": formOf("text")}}
		o.Middlewares = huma.Middlewares{refusesJSON, s.takesForms}
		return o
	}
	tokenize := text("tokenize", "/v1/tokenize", "Split text into sentences and tokens")
	problem.Answers(api, &tokenize, "Tokens", map[string]reflect.Type{"application/json": reflect.TypeFor[tokenized](), "text/plain": nil})
	problem.Register(api, tokenize, s.tokenize)
	search := text("plagiarism", "/v1/plagiarism", "Find passages of a text that were derived from the sources of the server")
	search.MaxBodyBytes = min(search.MaxBodyBytes, maxSuspicious)
	problem.Register(api, search, s.plagiarism)
	problem.Register(api, text("perplexity", "/v1/perplexity", "Score each line of a text with a word model"), s.perplexityOf)
	huma.Register(api, huma.Operation{OperationID: "about", Method: http.MethodGet, Path: "/v1/about", Summary: "List the capabilities of the server", Tags: []string{"pages"}},
		func(ctx context.Context, _ *struct{}) (*struct{ Body about }, error) {
			return &struct{ Body about }{s.about(ctx)}, nil
		})
}

// about lists the capabilities of the server.
func (s *Server) about(ctx context.Context) about {
	a := about{Workspace: s.cfg.Space != nil, Version: s.cfg.Version, Sources: s.sources != nil, Reports: s.reports != nil, Desk: s.cfg.Desk != nil, Documents: s.cfg.Documents != nil, Fetch: s.cfg.Visitor != nil, Corpora: s.corpora.Names(ctx), Words: s.wordModels(), Measures: []measure{}, Keyness: []measure{}}
	s.aboutPages(&a)
	aboutMeasures(&a)
	return a
}

// grace is the time for open requests to end when the server stops.
const grace = 20 * time.Second

// Serve answers on a listener until ctx ends, then lets the open requests end. It
// closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: min(10*time.Second, s.cfg.Limits.Idle), IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(s.cfg.Log, slog.LevelWarn),
	}
	requests, cut := context.WithCancel(context.WithoutCancel(ctx)) // the context of all requests
	defer cut()
	server.BaseContext = func(net.Listener) context.Context { return requests }
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.grace)
	defer cancel()
	err := server.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) {
		cut() // queries and pages end with their requests
		return errors.Join(fmt.Errorf("requests were still in progress after %v", s.grace), server.Close())
	}
	return err
}
