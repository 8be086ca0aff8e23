// Package crawl fetches and cleans web pages, and prefers hosts that yield clean text in
// the wanted languages. [Run] starts or resumes a crawl, and [ReadHistory] reads its
// journal.
//
// A crawl is a folder. It holds archives of the responses (warc/) and the records of the
// clean pages (text.jsonl). A journal of all events and a checkpoint allow a later run to
// resume.
//
// One goroutine owns the state: the [schedule.Scheduler], the journal and the outputs. It
// passes tasks to goroutines that fetch and clean, and writes their results: first the
// archive and the record, then the event.
//
// Unstable: this package may change in any release.
package crawl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"chaffinch"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/crawl/texts"
	"chaffinch/internal/budget"
	"chaffinch/internal/disk"
	"chaffinch/internal/parallel"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Config configures a crawl.
type Config struct {
	// Dir is the folder of the crawl.
	Dir string
	// Seeds holds the start URLs of a new crawl.
	Seeds []string
	// Contact is the e-mail address or URL of the operator, sent with each request.
	// Required.
	Contact string
	// Again is the folder of an earlier crawl to repeat, or the folder or address that its ranks
	// shared. Its seeds are added, and its pages are downloaded only if they have changed. Default: none.
	Again string
	// OpenStore opens the store of Again if ranks shared it. Default: folders only.
	OpenStore OpenStore
	// Clean configures cleaning, the wanted languages and the rules of Clean.Filter. Pages that
	// the rules drop get no record and yield no text.
	Clean chaffinch.Options
	// NearDuplicates selects how to treat near-duplicates: [Drop] or [Keep]. Their text
	// never counts as new.
	NearDuplicates string
	// Scope holds the rules for URLs. Default: all URLs.
	Scope scope.Rules
	// ExcludedSites holds sites that asked to be excluded. No request is sent to them. The list may
	// change between runs. Default: none.
	ExcludedSites *scope.List
	// Schedule configures politeness and order. Its Shares refer to the languages of Clean.
	Schedule schedule.Config
	// Fetcher fetches pages. AllowPrivate states that it connects to private addresses. The
	// value is stored for later runs: without it, they would give up the hosts.
	Fetcher      Fetcher
	AllowPrivate bool
	// Types are the types of pages that are read. They replace Clean.Formats. Pages of other types
	// are archived and dropped ([page.OtherFormat]). Default: [DefaultTypes].
	Types []Type
	// Render selects the pages whose scripts are run: [RenderNever], [RenderAuto] or [RenderAlways].
	// It may change between runs. Default: RenderNever.
	Render string
	// Renderer runs them. Default: none. Pages that need scripts are then dropped as
	// [page.Scripted].
	Renderer Renderer
	// Connections is the maximum number of concurrent requests.
	Connections int
	// Workers is the number of pages cleaned concurrently. Default: GOMAXPROCS.
	Workers int
	// MaxPages ends the run when the crawl has this many pages, of all its ranks. MaxTime ends it after
	// this duration of the run. Default: no limit.
	MaxPages int64
	MaxTime  time.Duration
	// Memory is the maximum memory in bytes for hosts, queued URLs, known URLs, robots.txt files and
	// fingerprints of texts, at least [MinMemory]. The rest is on disk, except about 80 bytes per host.
	// It may change between runs. Default: 256 MiB.
	Memory int64
	// ArchiveSize is the size in bytes at which a new archive is started.
	ArchiveSize int64
	// CheckpointEvents is the number of events between checkpoints.
	CheckpointEvents int
	// OnRepair, if set, receives the parts removed to resume after a power failure.
	OnRepair func(*page.Error)
	// OnError, if set, receives the seeds that cannot be used and the pages on which the
	// program failed. The crawl continues without them.
	OnError func(*page.Error)
	// OnSnapshot, if set, receives the state about once per second.
	OnSnapshot func(Snapshot)

	share *share // of a rank; nil for a whole crawl
}

// Default is the configuration of a medium-sized crawl on one machine.
var Default = Config{
	NearDuplicates:   Drop,
	Types:            DefaultTypes,
	Schedule:         defaultSchedule(),
	Connections:      200,
	Memory:           256 << 20,
	ArchiveSize:      1 << 30,
	CheckpointEvents: 50_000,
}

// Values of [Config.NearDuplicates].
const (
	Drop = "drop" // write no record
	Keep = "keep"
)

// EndReason is the reason for the end of a run.
type EndReason string

// Reasons why a run ends.
const (
	Exhausted   EndReason = "nothing is left to fetch"
	PageLimit   EndReason = "the number of pages is reached"
	TimeLimit   EndReason = "the time is up"
	Interrupted EndReason = "interrupted"
	NoResponse  EndReason = "no seed answered"
)

// Result holds the final state of a run and the reason why it ended.
type Result struct {
	Snapshot
	Reason EndReason
}

// crawl is a running crawl.
type crawl struct {
	cfg           Config
	cleaner       *chaffinch.Cleaner
	langs         []string // languages
	sched         *schedule.Scheduler
	settings      Settings
	previous      *previous // the repeated crawl, or nil
	rules         *rules
	scope         *scope.Scope
	outage        outage
	streaks       streaks
	moved         []schedule.Link  // targets of seeds that redirect permanently
	excluded      map[string]int64 // by rule, since the last event of the journal that counts them
	out           *outputs
	journal       *journal
	number        int           // of the journal
	texts         *texts.Set    // seen by this crawl
	runStart      time.Time     // of this run
	slept         time.Duration // time in this run for which the machine slept
	elapsedBefore time.Duration // age of the crawl then
	events        int           // since the last checkpoint
	unsynced      bool          // events were written since the last sync
	status        Snapshot
	processing    *processing // pages being processed
	rendering     rendering
	ranking       ranking
	pages         *budget.Budget // memory of pages being cleaned
}

func (c *crawl) now() time.Duration { return c.elapsedBefore + time.Since(c.runStart) }

// newCrawl returns a crawl that is not open.
func newCrawl(cfg Config) (c *crawl, err error) {
	cfg.Workers = parallel.Workers(cfg.Workers)
	cfg.Clean.Links, cfg.Clean.NoMetadata = true, false // links and opt-outs are read from pages
	c = &crawl{cfg: cfg, status: newSnapshot(), excluded: map[string]int64{}, streaks: streaks{}, rendering: rendering{gains: map[uint32]renderGain{}}, pages: budget.New(pipeline.PageMemory(cfg.Workers))}
	for _, l := range cfg.Clean.Langs {
		c.langs = append(c.langs, l.Lang)
	}
	if c.cleaner, err = chaffinch.New(cfg.Clean); err != nil {
		return nil, err
	}
	c.scope, err = scope.New(cfg.Scope)
	return c, err
}

// Run crawls until no URL is left, a limit is reached or ctx ends. In all cases, a later run
// can resume the crawl.
func Run(ctx context.Context, cfg Config) (report *Result, err error) {
	if cfg.Contact == "" {
		return nil, errors.New("no contact: wanted the e-mail address or web page of the operator, which is sent with each request")
	}
	switch {
	case cfg.Connections < 1:
		return nil, fmt.Errorf("connections: %d, wanted at least 1", cfg.Connections)
	case cfg.MaxPages < 0:
		return nil, fmt.Errorf("pages: %d, wanted at least 0", cfg.MaxPages)
	case cfg.MaxTime < 0:
		return nil, fmt.Errorf("time: %v, wanted at least 0", cfg.MaxTime)
	case cfg.Schedule.Delay < 0:
		return nil, fmt.Errorf("delay: %v, wanted at least 0", cfg.Schedule.Delay)
	}
	if cfg.Memory < MinMemory {
		return nil, fmt.Errorf("memory: %d bytes, wanted at least %d", cfg.Memory, MinMemory)
	}
	if cfg.NearDuplicates != Drop && cfg.NearDuplicates != Keep {
		return nil, fmt.Errorf("near-duplicates: %q, wanted %s or %s", cfg.NearDuplicates, Drop, Keep)
	}
	if err := checkRender(cfg.Render); err != nil {
		return nil, err
	}
	cfg.Clean.Formats = formatsOf(cfg.Types)
	c, err := newCrawl(cfg)
	if err != nil {
		return nil, err
	}
	if err := checkShares(cfg.Schedule.Shares, c.langs); err != nil {
		return nil, err
	}
	if d := cfg.Schedule.MaxDepth; d < 0 || d > schedule.MaxDepth {
		return nil, fmt.Errorf("depth: %d, wanted 0 to %d", d, schedule.MaxDepth)
	}
	lock, err := lockFolder(cfg.Dir)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := checkNoWorker(cfg.Dir); err != nil {
		return nil, err
	}
	if err := c.open(ctx); err != nil {
		return nil, errors.Join(err, c.close())
	}
	if c.processing, err = openProcessing(cfg.Dir, c.cfg.Workers); err == nil {
		err = beginRun(cfg.Dir)
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	why, err := c.loop(ctx)
	if err == nil {
		err = c.checkpoint()
	}
	state := c.finalState()
	err = errors.Join(err, c.close())
	err = errors.Join(err, endRun(cfg.Dir, why, err))
	return &Result{Snapshot: state, Reason: why}, err
}

// lockFolder creates the folders of a crawl and locks them against other crawls.
func lockFolder(dir string) (*os.File, error) {
	for _, d := range []string{"", "warc", "journal", "frontier"} {
		if err := disk.MkdirAll(filepath.Join(dir, d)); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := disk.Lock(f); errors.Is(err, disk.ErrLocked) {
		f.Close()
		return nil, fmt.Errorf("%s: another crawl runs in this folder: %w", dir, err)
	}
	return f, nil
}

func (c *crawl) close() error {
	var errs []error
	if c.journal != nil {
		errs = append(errs, c.journal.close())
	}
	errs = append(errs, c.previous.close(), c.processing.close())
	if c.out != nil {
		errs = append(errs, c.out.close())
	}
	if c.rules != nil {
		errs = append(errs, c.rules.file.Close())
	}
	if c.texts != nil {
		errs = append(errs, c.texts.Close())
	}
	if c.sched != nil {
		errs = append(errs, c.sched.Close())
	}
	return errors.Join(errs...)
}

const (
	// drain is the time for running tasks after a limit of the crawl is reached.
	drain = 10 * time.Second
	// drainInterrupted is the time for running tasks after an interruption.
	drainInterrupted = 500 * time.Millisecond
)

// loop starts tasks and writes their results.
func (c *crawl) loop(ctx context.Context) (why EndReason, err error) {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer c.pages.StopWith(working)()
	results := make(chan *result)
	running := 0
	defer func() { // after an error
		for stop(); running > 0; running-- {
			<-results
		}
	}()
	end := func(reason EndReason, wait time.Duration) {
		if why == "" {
			why = reason
		}
		time.AfterFunc(wait, stop)
	}
	var until <-chan time.Time
	if c.cfg.MaxTime > 0 {
		until = time.After(c.cfg.MaxTime)
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	wake := time.NewTimer(time.Hour)
	defer wake.Stop()
	interrupt := ctx.Done()
	tried := false // a task has ended in this run
	for {
		again := time.Duration(-1)
		for why == "" && running < c.cfg.Connections {
			if c.sched.Totals().Pages+int64(running) >= c.maxPages() {
				if running == 0 {
					end(PageLimit, drain)
				}
				break
			}
			now := c.now()
			t, ok, next, err := c.sched.Take(now)
			if err != nil {
				return why, err
			}
			if again = next; !ok {
				keys, stalled := c.sched.Stalled(now, next)
				if !stalled {
					break
				}
				c.events += int(keys / 1000) // a checkpoint removes the files of earlier flushes
				if err := c.record(event{At: now, Flush: true}); err != nil {
					return why, err
				}
				continue
			}
			place, err := c.appendEvent(event{At: now, Take: &t})
			if err != nil {
				return why, err
			}
			running++
			group, optouts := c.groupOf(t), c.optoutsOf(t)
			go func() { results <- c.do(working, t, place, group, optouts) }()
		}
		if running == 0 && why != "" {
			return why, nil
		}
		if running == 0 && again < 0 {
			return Exhausted, nil
		}
		if running == 0 && tried && c.sched.AllFailed() {
			return NoResponse, nil
		}
		if again >= 0 {
			wake.Reset(max(again-c.now(), time.Millisecond))
		}
		select {
		case r := <-results:
			tried = true
			if running--; !r.ended { // else the task stays in the journal, and the next run repeats it
				err = c.finish(r)
			}
			r.release()
		case <-second.C:
			err = c.tick()
		case <-wake.C:
		case <-until:
			end(TimeLimit, drain)
		case <-interrupt:
			end(Interrupted, drainInterrupted)
			interrupt = nil // received
		}
		if err != nil {
			return why, err
		}
	}
}

// maxPages returns the number of pages at which the run ends.
func (c *crawl) maxPages() int64 {
	switch {
	case c.cfg.share != nil:
		return c.cfg.share.pages
	case c.cfg.MaxPages > 0:
		return c.cfg.MaxPages
	}
	return math.MaxInt64
}

// appendEvent appends an event to the journal and returns its place.
func (c *crawl) appendEvent(e event) (place uint64, err error) {
	c.events++
	c.unsynced = true
	return c.journal.write(e)
}

// record appends an event to the journal and applies it.
func (c *crawl) record(e event) error {
	if _, err := c.appendEvent(e); err != nil {
		return err
	}
	return c.apply(e)
}

// tick reports progress, syncs the outputs and writes a checkpoint if one is due.
func (c *crawl) tick() error {
	if c.cfg.OnSnapshot != nil {
		c.cfg.OnSnapshot(c.state())
	}
	if err := c.noteSleep(); err != nil {
		return err
	}
	if !c.unsynced {
		return nil
	}
	c.unsynced = false
	if err := c.out.sync(); err != nil {
		return err
	}
	if err := c.journal.sync(); err != nil {
		return err
	}
	if c.events >= c.cfg.CheckpointEvents {
		return c.checkpoint()
	}
	return nil
}
