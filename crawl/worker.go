package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/periodic"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// Worker fetches and cleans the pages that another program schedules, such as a URL frontier. It
// obeys robots.txt and the delays. Its folder holds the archives (warc/) and the records
// (text.jsonl) of a crawl, but no journal: the other program keeps the state of the URLs. It is safe
// for concurrent use.
type Worker struct {
	c    *crawl
	lock *os.File

	rules originRules
	mu    sync.Mutex // protects the outputs
	fault error      // of a write to the outputs, which may have been written in part
	later map[string]time.Time
	from  time.Time // not before: an earlier process may have requested a host just now
	sweep int       // number of entries of later at which past ones are removed
}

// Visit is the result of a page.
type Visit struct {
	// Status is the status of the response; 0 if there is none.
	Status int
	// Failed is the reason why there is no response, as in a crawl. A later request may succeed.
	Failed string
	// Reason is the reason why the page has no record; "" if it has one.
	Reason string
	// Lang is the language of the page.
	Lang string
	// Links holds the URLs that a crawl may follow. Redirected reports whether they are the target of
	// a redirect.
	Links      []string
	Redirected bool
	// Busy reports whether the server asked for a pause (status 429 or 503), RetryAfter its length,
	// if it is known.
	Busy       bool
	RetryAfter time.Duration
	// Delay is the delay that robots.txt demands; 0 without one.
	Delay time.Duration
}

// Reasons of visits in addition to the reasons of pages in a crawl.
const (
	ReasonInvalid  = "invalid-url"
	ReasonRobots   = "robots.txt"
	ReasonExcluded = excludedSite
	ReasonFailed   = "failed" // the program failed on the page
)

// Reasons of visits without the rules of the site.
const (
	failedRobots       = "robots.txt-unavailable"
	failedReservations = "tdmrep.json-unavailable"
)

// maxVisitURL is the most bytes of a URL.
const maxVisitURL = 8192

// workerState is the name of the file with the valid lengths of the outputs.
const workerState = "worker.json"

// NewWorker opens the folder cfg.Dir. It uses the fields Dir, Contact, Clean, Scope, ExcludedSites,
// Schedule (the delays), Fetcher, Workers, ArchiveSize and OnError of cfg.
func NewWorker(cfg Config) (*Worker, error) {
	switch {
	case cfg.Contact == "":
		return nil, errors.New("no contact: wanted the e-mail address or web page of the operator, which is sent with each request")
	case cfg.Scope.Within != "":
		return nil, fmt.Errorf("within %s: a frontier has no seeds: use patterns to include", cfg.Scope.Within)
	case cfg.Schedule.Delay < 0:
		return nil, fmt.Errorf("delay: %v, wanted at least 0", cfg.Schedule.Delay)
	}
	cfg.Render, cfg.Renderer = RenderNever, nil
	c, err := newCrawl(cfg)
	if err != nil {
		return nil, err
	}
	c.settings = Settings{Langs: langNames(cfg.Clean.Langs), Schedule: cfg.Schedule}
	if _, ok, err := ReadSettings(cfg.Dir); ok || err != nil {
		return nil, errors.Join(err, fmt.Errorf("%s: the folder of a crawl: wanted another folder", cfg.Dir))
	}
	w := &Worker{c: c, rules: originRules{most: maxRuleOrigins}, later: map[string]time.Time{}}
	if w.lock, err = lockFolder(cfg.Dir); err != nil {
		return nil, err
	}
	err = w.open()
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// open opens the outputs. Bytes after the last Sync are removed.
func (w *Worker) open() error {
	var at ends
	b, err := os.ReadFile(w.stateFile())
	if err == nil {
		w.from = time.Now().Add(w.c.cfg.Schedule.Delay)
		err = json.Unmarshal(b, &at)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.stateFile(), err)
	}
	c := w.c
	if c.out, err = openOutputs(c.cfg.Dir, at, c.cfg.ArchiveSize, c.archiveHead); err != nil {
		return err
	}
	if c.processing, err = openProcessing(c.cfg.Dir, c.cfg.Workers); err != nil {
		return err
	}
	return w.Sync() // marks the folder
}

// checkNoWorker returns an error if a folder is the folder of a worker.
func checkNoWorker(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, workerState)); err != nil {
		return nil
	}
	return fmt.Errorf("%s: the folder of a frontier client: wanted another folder", dir)
}

func (w *Worker) stateFile() string { return filepath.Join(w.c.cfg.Dir, workerState) }

// Sync writes the outputs to stable storage. Results of earlier visits may be reported afterwards.
// A worker that is opened again removes the output of later visits. After an error of the outputs,
// Sync and Visit return it.
func (w *Worker) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault != nil {
		return w.fault
	}
	if err := w.c.out.sync(); err != nil {
		return err
	}
	return files.Replace(w.stateFile(), func(to io.Writer) error { return json.NewEncoder(to).Encode(w.c.out.at) })
}

// Close closes the folder. It does not call Sync.
func (w *Worker) Close() error {
	err := w.c.processing.close()
	if w.c.out != nil {
		err = errors.Join(err, w.c.out.close())
	}
	return errors.Join(err, w.lock.Close())
}

// Visit fetches and cleans a page. Depth is its distance from a seed, and via the URL of the page that
// links to it, "" if it is unknown. The request waits for the delays of the host and its address.
// An error is from the outputs or from ctx.
func (w *Worker) Visit(ctx context.Context, url string, depth int, via string) (*Visit, error) {
	u, err := weburl.Parse(url, nil)
	if err != nil || len(url) > maxVisitURL || u.Scheme() != "http" && u.Scheme() != "https" {
		return &Visit{Reason: ReasonInvalid}, nil
	}
	origin, target := scope.Origin(u)
	if w.c.cfg.ExcludedSites.Match(origin, target) != "" {
		return &Visit{Reason: ReasonExcluded}, nil
	}
	if rule := w.c.scope.Refuses(origin, target); rule != "" {
		return &Visit{Reason: rule}, nil
	}
	rules, failed, err := w.siteRules(ctx, u)
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return failed, nil
	}
	delay := rules.group.Delay
	if !rules.allows(u.Target()) {
		return &Visit{Reason: ReasonRobots, Delay: delay}, nil
	}
	r := &result{via: via, optouts: rules.optouts(target), task: schedule.Task{Kind: schedule.Page, Origin: origin, Path: target, Depth: min(max(depth, 0), schedule.MaxDepth)}}
	if err := w.do(ctx, u, r, delay, w.c.getPage); err != nil {
		return nil, err
	}
	v := visitOf(r, delay)
	for _, l := range r.outcome.Links {
		if w.c.scope.Excludes(l.Origin, l.Path) == "" {
			v.Links = append(v.Links, l.Origin+l.Path)
		}
	}
	return v, nil
}

// visitOf returns the visit of a page.
func visitOf(r *result, delay time.Duration) *Visit {
	v := &Visit{Delay: delay, Failed: r.failed, Busy: r.outcome.Busy, RetryAfter: r.outcome.RetryAfter, Redirected: r.outcome.Redirected}
	if p := r.page; p != nil {
		v.Status, v.Reason, v.Lang = p.Status, p.Reason, p.Lang
	}
	return v
}

// siteRules returns the rules for a URL, or the visit of a URL whose rules are not available.
func (w *Worker) siteRules(ctx context.Context, u weburl.URL) (siteRules, *Visit, error) {
	var failed *Visit
	var err error
	rules, ended := w.rules.get(ctx, origin(u), func(was siteRules) (rules siteRules, valid time.Duration) {
		if rules = was; was.tried == 0 {
			rules = siteRules{}
			if rules.group, failed, err = w.robots(ctx, u); rules.group == nil {
				return rules, noRulesAge
			}
		}
		if !w.c.cfg.Schedule.Reservations || !rules.allows(robots.ReservationsPath) {
			return rules, rulesAge
		}
		rules.reserved, failed, err = w.reservations(ctx, u, rules.group.Delay)
		if rules.tried++; rules.tried >= schedule.MaxReservationTries {
			failed = nil
		}
		if err != nil || failed != nil {
			return rules, 0 // the next visit tries again
		}
		rules.tried = 0
		return rules, rulesAge
	})
	if err = errors.Join(err, ended); err != nil || ctx.Err() != nil {
		return rules, nil, errors.Join(err, ctx.Err())
	}
	if failed == nil && rules.group == nil {
		failed = &Visit{Failed: failedRobots}
	}
	return rules, failed, nil
}

// robots fetches the robots.txt for a URL. It returns the visit of the URL if it is not available.
func (w *Worker) robots(ctx context.Context, u weburl.URL) (*robots.Group, *Visit, error) {
	at, err := weburl.Parse("/robots.txt", &u)
	for hops := 0; err == nil; hops++ {
		from, target := scope.Origin(at)
		r := &result{task: schedule.Task{Kind: schedule.Robots, Origin: from, Path: target, Hops: hops}}
		if err = w.do(ctx, at, r, 0, w.c.getRobots); err != nil {
			break
		}
		switch to := r.outcome.Redirect; {
		case r.robots != nil:
			return r.robots.group, nil, nil
		case to.Origin == "":
			return nil, failedRules(r, failedRobots), nil
		default:
			at, err = weburl.Parse(to.Origin+to.Path, nil)
		}
	}
	return nil, nil, err
}

// reservations fetches the tdmrep.json for a URL. It returns nil if there is none, and the visit of the
// URL if the server did not respond or demands a pause.
func (w *Worker) reservations(ctx context.Context, u weburl.URL, delay time.Duration) (*robots.Reservations, *Visit, error) {
	at, err := weburl.Parse(robots.ReservationsPath, &u)
	if err != nil {
		return nil, nil, err
	}
	from, target := scope.Origin(at)
	r := &result{task: schedule.Task{Kind: schedule.Reservations, Origin: from, Path: target}}
	if err := w.do(ctx, at, r, delay, w.c.getReservations); err != nil {
		return nil, nil, err
	}
	switch {
	case r.outcome.Failure || r.outcome.Busy:
		return nil, failedRules(r, failedReservations), nil
	case r.robots == nil:
		return nil, nil, nil
	}
	return robots.ParseReservations(r.robots.Body), nil, nil
}

// failedRules returns the visit of a URL after a request for rules that failed, without a response with the
// given reason.
func failedRules(r *result, reason string) *Visit {
	return &Visit{Failed: cmp.Or(r.failed, reason), Busy: r.outcome.Busy, RetryAfter: r.outcome.RetryAfter}
}

// do waits for the host of u and its address, calls get, and writes the result.
func (w *Worker) do(ctx context.Context, u weburl.URL, r *result, delay time.Duration, get func(context.Context, weburl.URL, *result)) error {
	c := w.c
	defer r.release()
	list, err := c.cfg.Fetcher.Lookup(ctx, u.Host())
	if err != nil {
		if r.fail(err); ctx.Err() != nil {
			return ctx.Err()
		}
		return nil
	}
	var address netip.Addr
	if len(list) > 0 {
		address = list[0]
		r.task.Address = address.String()
	}
	cfg := c.cfg.Schedule
	leave, ok := c.enter(ctx, u.Host(), address, true, max(cfg.Delay, delay), cfg.AddressDelay)
	if !ok {
		return ctx.Err()
	}
	defer leave()
	if err := w.pause(ctx, u.Host()); err != nil {
		return err
	}
	if err := panics.Catch(func() error { get(ctx, u, r); return nil }); err != nil {
		r.failProcessing(err)
	}
	if ctx.Err() != nil { // the caller is to blame, not the host
		return ctx.Err()
	}
	w.postpone(u.Host(), r)
	if r.processingErr != nil && c.cfg.OnError != nil {
		c.cfg.OnError(&page.Error{Document: u.String(), Offset: -1, Err: r.processingErr})
	}
	if r.fatal != nil {
		return r.fatal
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault == nil {
		w.fault = c.writeResult(r)
	}
	return w.fault
}

// pause waits until the host may be requested again after a slow, busy or failed response.
func (w *Worker) pause(ctx context.Context, host string) error {
	w.mu.Lock()
	until := w.later[host]
	w.mu.Unlock()
	if until.Before(w.from) {
		until = w.from
	}
	if wait := time.Until(until); wait > 0 {
		return periodic.Pause(ctx, wait)
	}
	return ctx.Err()
}

// postpone sets the time of the next request to a host, by the rules of the scheduler.
func (w *Worker) postpone(host string, r *result) {
	cfg := w.c.cfg.Schedule
	wait := min(time.Duration(cfg.Factor*float64(r.outcome.Took)), cfg.MaxDelay)
	if r.outcome.Failure || r.outcome.Busy {
		wait = max(cfg.MaxDelay, min(r.outcome.RetryAfter, maxPause))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.later) >= max(w.sweep, maxDoors) {
		for h, at := range w.later {
			if time.Now().After(at) {
				delete(w.later, h)
			}
		}
		w.sweep = 2 * len(w.later)
	}
	w.later[host] = time.Now().Add(wait)
}

// maxRuleOrigins is the number of origins whose robots.txt is kept in memory.
const maxRuleOrigins = 10_000

// maxPause is the longest pause that a server can demand.
const maxPause = 24 * time.Hour
