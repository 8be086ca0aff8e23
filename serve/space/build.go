package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/build"
	"chaffinch/build/recipe"
	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/page/weburl"
	"chaffinch/pipeline"
	"chaffinch/serve/corpora"
	"chaffinch/serve/problem"
	"chaffinch/text/langid"
)

// Limits of a crawl.
const (
	defaultPages = 200
	maxPages     = 10_000
	maxCrawl     = time.Hour
	crawlConns   = 8
)

// maxSkipped is the number of skipped inputs that are shown.
const maxSkipped = 20

// Start adds the stored corpora to a set, and builds uploaded corpora, one at a time, until Close.
func (s *Server) Start(set *corpora.Set) error {
	s.set = set
	for _, c := range s.served {
		if err := set.Add(c.Name, c.index(), nil); err != nil {
			return fmt.Errorf("%s: corpus %s: %w", filepath.Join(s.cfg.Dir, servedName), c.Name, err)
		}
	}
	for _, u := range s.all {
		index, ok, err := build.IndexOf(filepath.Join(u.dir, buildFolder))
		if u.State == stateNew || !ok || err != nil {
			continue
		}
		if err := set.Add(u.Corpus, index, visible(u)); err != nil {
			s.log.Warn("uploaded corpus left out", "corpus", u.Corpus, "error", err.Error())
			u.State, u.Error, u.Hint = stateFailed, err.Error(), "Build it again."
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.ended = stop, make(chan struct{})
	go s.builds(ctx)
	return nil
}

// checkBuild returns a problem if settings cannot be used.
func (s *Server) checkBuild(b *BuildSettings) error {
	wrong := func(format string, args ...any) error {
		return problem.New(http.StatusUnprocessableEntity, format, args...)
	}
	if names := recipes(); b.Recipe != "" && !slices.Contains(names, b.Recipe) {
		return wrong("recipe %q: wanted one of %s", b.Recipe, strings.Join(names, ", "))
	}
	cfg := langid.DefaultFilter
	for _, l := range b.Langs {
		w, err := langid.ParseWanted(l)
		if err != nil {
			return wrong("langs: %v", err)
		}
		cfg.Langs = append(cfg.Langs, w)
	}
	if len(b.Langs) > 0 {
		if _, err := langid.NewFilter(cfg); err != nil {
			return wrong("langs: %v", err)
		}
	}
	if len(b.URLs) > 0 && s.cfg.Contact == "" {
		return wrong("urls: this server does not crawl: wanted files, or a server that fetches pages")
	}
	for _, u := range b.URLs {
		at, err := weburl.Parse(u, nil)
		if err != nil || !strings.HasPrefix(at.String(), "http") {
			return wrong("urls: %q: wanted an address that begins with https:// or http://", u)
		}
	}
	if b.Pages > maxPages {
		return wrong("pages: %d: wanted at most %d", b.Pages, maxPages)
	}
	return nil
}

// enqueue queues the build of a corpus.
func (s *Server) enqueue(owner, name string, b BuildSettings) (Upload, error) {
	if err := s.checkBuild(&b); err != nil {
		return Upload{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.own(owner, name)
	if err != nil {
		return Upload{}, err
	}
	switch {
	case u.State == stateQueued || u.State == stateBuilding:
		return Upload{}, problem.New(http.StatusConflict, "corpus %q is %s already: wait, or cancel it", name, u.State)
	case u.Files == 0 && len(b.URLs) == 0:
		return Upload{}, problem.New(http.StatusUnprocessableEntity, "corpus %q has no files and no addresses: wanted some", name)
	}
	u.Build, u.State, u.Error, u.Hint, u.Skipped = b, stateQueued, "", "", nil
	if err := u.write(); err != nil {
		return Upload{}, err
	}
	s.queue = append(s.queue, u)
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return s.shown(u), nil
}

// cancelBuild cancels a build, or takes it out of the queue.
func (s *Server) cancelBuild(owner, name string) (Upload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.own(owner, name)
	if err != nil {
		return Upload{}, err
	}
	switch u.State {
	case stateBuilding:
		u.cancel()
	case stateQueued:
		s.queue = slices.DeleteFunc(s.queue, func(x *upload) bool { return x == u })
		u.State, u.Hint = stateCancelled, "Build it again."
		err = u.write()
	default:
		return Upload{}, problem.New(http.StatusConflict, "corpus %q is %s: wanted a queued or running build", name, u.State)
	}
	return s.shown(u), err
}

// builds builds the corpora of the queue until ctx ends.
func (s *Server) builds(ctx context.Context) {
	defer close(s.ended)
	for ctx.Err() == nil {
		s.mu.Lock()
		var u *upload
		var run context.Context
		if len(s.queue) > 0 {
			u, s.queue = s.queue[0], s.queue[1:]
			run, u.cancel = context.WithCancel(ctx)
			u.State, u.Progress = stateBuilding, &pipeline.Status{}
			if err := u.write(); err != nil {
				s.log.Warn("state not written", "corpus", u.Corpus, "error", err.Error())
			}
		}
		s.mu.Unlock()
		if u == nil {
			select {
			case <-ctx.Done():
			case <-s.wake:
			}
			continue
		}
		err := panics.Catch(func() error { return s.build(run, u) })
		s.end(ctx, u, err)
	}
}

// end records the result of a build.
func (s *Server) end(ctx context.Context, u *upload, err error) {
	_, built := folderSize(filepath.Join(u.dir, buildFolder))
	_, crawled := folderSize(filepath.Join(u.dir, crawlFolder))
	s.mu.Lock()
	defer s.mu.Unlock()
	u.cancel()
	u.Progress, u.Built = nil, built+crawled
	var h *hintError
	switch {
	case err == nil:
		u.State = stateReady
	case ctx.Err() != nil:
		u.State, u.Hint = stateInterrupted, "Build it again: the build resumes."
	case errors.Is(err, context.Canceled):
		u.State, u.Hint = stateCancelled, "Build it again: the build resumes."
	case errors.As(err, &h):
		u.State, u.Error, u.Hint = stateFailed, h.Error(), h.hint
	default:
		u.State, u.Error, u.Hint = stateFailed, s.hidden(err.Error()), "Change the files or the settings, and build it again."
		s.log.Warn("build failed", "corpus", u.Corpus, "error", panics.Detail(err))
	}
	if err := u.write(); err != nil {
		s.log.Warn("state not written", "corpus", u.Corpus, "error", err.Error())
	}
}

// hidden removes the folder of the server from a message.
func (s *Server) hidden(text string) string {
	return strings.ReplaceAll(text, filepath.Clean(s.cfg.Dir)+string(os.PathSeparator), "")
}

// hintError is a failure with a hint on what to change.
type hintError struct{ text, hint string }

func (e *hintError) Error() string { return e.text }

// build builds a corpus and serves it.
func (s *Server) build(ctx context.Context, u *upload) error {
	s.mu.Lock()
	b, left := u.Build, s.usage(u.Owner).Bytes
	files := u.Files
	s.mu.Unlock()
	// The build replaces the earlier build.
	left = s.quota(u.Owner).Bytes - left + u.Built
	var inputs []string
	if files > 0 {
		inputs = append(inputs, filepath.Join(u.dir, sourceFolder))
	}
	if len(b.URLs) > 0 {
		dir := filepath.Join(u.dir, crawlFolder)
		if err := s.crawl(ctx, u, dir, b); err != nil {
			return err
		}
		_, n := folderSize(dir)
		left -= n
		inputs = append(inputs, dir)
	}
	if left <= 0 {
		return &hintError{"The quota is used up.", "Delete another corpus, or ask the administrator for a larger quota."}
	}
	r, err := recipeOf(b)
	if err != nil {
		return err
	}
	out := filepath.Join(u.dir, buildFolder)
	cfg := build.Config{Recipe: r, Version: s.cfg.Version, Disk: left}
	cfg.Inputs, cfg.Out, cfg.Workers = inputs, out, s.cfg.Workers
	cfg.Memory = Memory
	cfg.OnProgress = func(p pipeline.Status) { s.progress(u, p) }
	cfg.OnError = func(e *page.Error) { s.skipped(u, e.Error()) }
	res, err := build.Run(ctx, cfg)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.failure(out, b, err)
	}
	st, err := build.ReadState(os.DirFS(out))
	if err != nil {
		return err
	}
	if st.Tokens == 0 {
		return noText(b)
	}
	index, _, err := build.IndexOf(out)
	if err != nil {
		return err
	}
	if !s.set.Has(u.Corpus) {
		if err := s.set.Add(u.Corpus, index, visible(u)); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Pages, u.Tokens = st.Left().Pages, st.Tokens
	for _, w := range res.Warnings {
		if len(u.Skipped) < maxSkipped {
			u.Skipped = append(u.Skipped, w)
		}
	}
	return nil
}

// failure adds a hint to the error of a build.
func (s *Server) failure(out string, b BuildSettings, err error) error {
	if st, e := build.ReadState(os.DirFS(out)); e == nil && len(st.Steps) > 0 && st.Left().Pages == 0 && st.Steps[0].Done {
		return noText(b)
	}
	return err
}

// noText is the failure of a build that has no text.
func noText(b BuildSettings) error {
	hint := "Check that the files hold web pages or text."
	if len(b.Langs) > 0 {
		hint = fmt.Sprintf("Are the texts in the languages %s? Leave the languages empty to keep every language.", strings.Join(b.Langs, ", "))
	}
	if !b.All {
		hint += " Keep duplicates and non-text, if the texts are lists or very short."
	}
	return &hintError{"No text was kept.", hint}
}

// progress shows the progress of a build.
func (s *Server) progress(u *upload, p pipeline.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Progress = &p
}

// skipped records an input that could not be read.
func (s *Server) skipped(u *upload, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(u.Skipped) < maxSkipped {
		u.Skipped = append(u.Skipped, s.hidden(text))
	}
}

// recipeOf returns the recipe for settings.
func recipeOf(b BuildSettings) (*build.Recipe, error) {
	r, err := build.Load(cmp.Or(b.Recipe, "linguist"))
	if err != nil {
		return nil, err
	}
	r.Clean.Langs = b.Langs
	r.Clean.Keep = cmp.Or(b.Keep, r.Clean.Keep)
	r.Exports = nil
	if b.Clean != "" {
		r.Input.Form, r.Input.Kept = b.Clean, true
	}
	if b.All {
		r.Filter, r.Dedup = nil, nil
	}
	r.Input.Parquet = recipe.ReadParquet
	return r, nil
}

// crawl fetches the pages of a corpus from the web. It starts again if the addresses have changed.
func (s *Server) crawl(ctx context.Context, u *upload, dir string, b BuildSettings) error {
	same, err := crawl.StartedWith(dir, b.URLs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !same {
		if err := disk.RemoveAll(dir); err != nil {
			return err
		}
	}
	cfg := crawl.Default
	cfg.Dir, cfg.Contact, cfg.Connections, cfg.Workers = dir, s.cfg.Contact, crawlConns, s.cfg.Workers
	cfg.MaxPages, cfg.MaxTime, cfg.Seeds = cmp.Or(b.Pages, defaultPages), maxCrawl, b.URLs
	if same {
		cfg.Seeds = nil
	}
	for _, l := range b.Langs {
		w, err := langid.ParseWanted(l)
		if err != nil {
			return err
		}
		cfg.Clean.Langs = append(cfg.Clean.Langs, w)
	}
	if cfg.Fetcher = s.cfg.Fetcher; cfg.Fetcher == nil {
		net := fetch.Default
		net.UserAgent = crawl.UserAgent(s.cfg.Version, s.cfg.Contact)
		if cfg.Fetcher, err = fetch.New(net); err != nil {
			return err
		}
	}
	cfg.OnError = func(e *page.Error) { s.skipped(u, e.Error()) }
	cfg.OnSnapshot = func(n crawl.Snapshot) {
		s.progress(u, pipeline.Status{Step: "crawl", Part: "pages", Done: n.Totals.Pages, Total: cfg.MaxPages})
	}
	report, err := crawl.Run(ctx, cfg)
	switch {
	case err != nil:
		return err
	case report.Reason == crawl.Interrupted:
		return context.Canceled
	case report.Reason == crawl.NoResponse:
		return &hintError{"No address answered: " + report.Failed, "Check the addresses."}
	}
	return nil
}
