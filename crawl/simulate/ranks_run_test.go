package simulate

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/epochs"
	"chaffinch/crawl/frontier"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
)

// RanksConfig configures a simulated crawl of several ranks.
type RanksConfig struct {
	Config
	Ranks  int
	Store  store.Store
	Epoch  time.Duration
	Epochs int // most epochs; 0 until the crawl is complete
	// Kill, if set, returns when in the epoch a rank is killed; a negative time for never. Another
	// rank with a new name replaces it in the next epoch.
	Kill func(epoch, rank int) time.Duration
	// OnRequest, if set, receives each request.
	OnRequest func(Request)
}

// Request is a request of a rank.
type Request struct {
	Rank     string
	Task     schedule.Task
	From, To time.Duration
}

// RanksResult is the result of a simulated crawl of several ranks.
type RanksResult struct {
	Time    time.Duration // until the last seal
	Fetched map[string]int
	Lost    int // pages of killed ranks that did not count
	Seals   []*epochs.Seal
}

// lease is the lease of simulated ranks, and drainTime the time for requests after the end of an
// epoch.
const (
	lease     = time.Minute
	drainTime = 10 * time.Second
)

// simRank is a simulated rank.
type simRank struct {
	cfg     *RanksConfig
	w       *Web
	x       epochs.Exchange
	dir     string
	s       *schedule.Scheduler
	sent    *epochs.Sent
	owned   []bool // by partition
	parts   []int  // partitions that it owns
	most    int64  // most pages in all epochs
	bundle  *epochs.Bundle
	report  epochs.Report
	pages   []string // fetched in the epoch
	running completions
	started map[uint32]time.Duration // by host
	now     time.Duration
}

func newSimRank(w *Web, cfg *RanksConfig, name string, clock *time.Duration) (*simRank, error) {
	r := &simRank{cfg: cfg, w: w, dir: filepath.Join(cfg.Dir, name), started: map[uint32]time.Duration{}}
	for _, d := range []string{"frontier", "sent"} {
		if err := disk.MkdirAll(filepath.Join(r.dir, d)); err != nil {
			return nil, err
		}
	}
	now := func() time.Time { return time.Unix(0, 0).Add(*clock) }
	r.x = epochs.Exchange{Store: cfg.Store, Rank: name, Dir: r.dir, Lease: lease, Limit: cfg.Pages, Now: now}
	at := schedule.Frontier{Dir: filepath.Join(r.dir, "frontier"), Sieve: frontier.DefaultSieve, Queue: frontier.DefaultQueue, Owns: r.owns}
	var err error
	if r.s, err = schedule.Open(cfg.Schedule, at, func(uint32, []byte) bool { return true }); err != nil {
		return nil, err
	}
	if r.sent, err = epochs.OpenSent(filepath.Join(r.dir, "sent"), 0); err != nil {
		return nil, errors.Join(err, r.s.Close())
	}
	return r, nil
}

func (r *simRank) owns(origin string) bool {
	return r.owned[epochs.Partition(schedule.HostName(origin))]
}

func (r *simRank) close() error { return errors.Join(r.s.Close(), r.sent.Close()) }

// begin starts the epoch after a seal.
func (r *simRank) begin(ctx context.Context, seal *epochs.Seal, now time.Duration, seeds []schedule.Link) error {
	owned, kept, fresh := seal.Split(r.x.Rank, r.parts)
	r.owned, r.parts = owned, slices.Concat(kept, fresh)
	r.bundle, r.report, r.pages, r.now = epochs.NewBundle(r.dir), epochs.Report{}, nil, now
	r.most = math.MaxInt64
	if n, ok := seal.Share(r.x.Rank); ok {
		r.most = r.s.Totals().Pages + n
	}
	if err := r.s.Disown(now); err != nil {
		return err
	}
	var list []schedule.Link
	collect := func(l schedule.Link) error {
		list = append(list, l)
		return nil
	}
	err := errors.Join(r.x.History(ctx, seal, fresh, collect), r.x.Links(ctx, seal, kept, collect))
	if err != nil {
		return err
	}
	// Fetched URLs that the rank knows are not queued again.
	return r.s.Add(now, append(list, seeds...))
}

// run crawls until a time. If drain is set, it waits for the running requests.
func (r *simRank) run(end time.Duration, drain bool) error {
	gap := time.Second / time.Duration(r.cfg.Rate)
	for r.now < end {
		var t schedule.Task
		ok, again := false, time.Duration(-1)
		if r.s.Totals().Pages+int64(len(r.running)) < r.most {
			var err error
			if t, ok, again, err = r.s.Take(r.now); err != nil {
				return err
			}
		}
		next := r.now + gap
		if ok {
			c := completion{at: r.now + 50*time.Millisecond, task: t}
			if t.Kind != schedule.Resolve {
				c.at = r.now + min(r.w.hosts[hostOf(t.Origin)].latency, drainTime)
			}
			r.started[t.Host] = r.now
			heap.Push(&r.running, c)
		} else {
			if again >= 0 {
				next = max(again, next)
			} else {
				next = max(end, next)
			}
			if len(r.running) > 0 {
				next = min(next, max(r.running[0].at, r.now+1))
			}
		}
		if err := r.complete(min(next, end)); err != nil {
			return err
		}
		r.now = next
	}
	if drain {
		return r.complete(math.MaxInt64)
	}
	return nil
}

// complete completes the requests up to a time.
func (r *simRank) complete(until time.Duration) error {
	for len(r.running) > 0 && r.running[0].at <= until {
		c := heap.Pop(&r.running).(completion)
		host := hostOf(c.task.Origin)
		o := schedule.Outcome{Host: c.task.Host, Took: r.w.hosts[host].latency}
		switch c.task.Kind {
		case schedule.Resolve:
			o.Address = c.task.Origin
		case schedule.Page:
			r.w.Page(host, c.task.Path, &o)
			r.report.Pages++
			r.report.Bytes += o.Bytes
			r.report.Clean += o.Clean
			r.pages = append(r.pages, c.task.Origin+c.task.Path)
			if err := r.bundle.Add(schedule.Link{Origin: c.task.Origin, Path: c.task.Path, Depth: schedule.Fetched}); err != nil {
				return err
			}
			for _, l := range o.Links {
				l.Depth = uint8(min(c.task.Depth+1, schedule.MaxDepth))
				if err := r.sent.Add(r.bundle, l); err != nil {
					return err
				}
			}
		}
		if r.cfg.OnRequest != nil && c.task.Kind != schedule.Resolve {
			r.cfg.OnRequest(Request{r.x.Rank, c.task, r.started[c.task.Host], c.at})
		}
		if err := r.s.Done(c.at, o); err != nil {
			return err
		}
	}
	return nil
}

// publish ends the epoch.
func (r *simRank) publish(ctx context.Context, epoch int) error {
	if err := errors.Join(r.s.Flush(r.now), r.sent.Flush(r.bundle)); err != nil {
		return err
	}
	r.report.Queued = r.s.Queued()
	err := r.x.Publish(ctx, epoch, r.bundle, r.report)
	return errors.Join(err, r.bundle.Close(), r.x.Beat(ctx))
}

// RunRanks crawls w with several ranks in virtual time.
func RunRanks(ctx context.Context, w *Web, cfg RanksConfig) (res *RanksResult, err error) {
	res = &RanksResult{Fetched: map[string]int{}}
	var now time.Duration
	made := 0
	var ranks []*simRank
	defer func() {
		for _, r := range ranks {
			err = errors.Join(err, r.close())
		}
	}()
	add := func() error {
		r, err := newSimRank(w, &cfg, fmt.Sprintf("rank-%03d", made), &now)
		if err != nil {
			return err
		}
		made++
		ranks = append(ranks, r)
		return r.x.Beat(ctx)
	}
	for range cfg.Ranks {
		if err := add(); err != nil {
			return nil, err
		}
	}
	seal, err := ranks[0].x.Seal(ctx, nil)
	if err != nil {
		return nil, err
	}
	for ; !seal.Done() && !seal.Full(cfg.Pages) && (cfg.Epochs == 0 || seal.Epoch < cfg.Epochs) && ctx.Err() == nil; res.Seals = append(res.Seals, seal) {
		epoch := seal.Epoch + 1
		var seeds []schedule.Link
		if seal.Epoch == 0 {
			seeds = w.Seeds(cfg.Seeds)
		}
		var living []*simRank
		killed := 0
		end := now + cfg.Epoch
		for i, r := range ranks {
			if err := r.begin(ctx, seal, now, seeds); err != nil {
				return nil, err
			}
			kill := time.Duration(-1)
			if cfg.Kill != nil {
				kill = cfg.Kill(epoch, i)
			}
			if kill >= 0 {
				err = errors.Join(r.run(now+min(kill, cfg.Epoch), false), r.bundle.Close(), r.close())
				res.Lost += len(r.pages)
				killed++
			} else {
				err = r.run(end, true)
				living = append(living, r)
			}
			if err != nil {
				return nil, err
			}
		}
		ranks, now = living, end+drainTime
		for _, r := range ranks {
			if err := r.publish(ctx, epoch); err != nil {
				return nil, err
			}
		}
		for range killed {
			if err := add(); err != nil {
				return nil, err
			}
		}
		last := seal
		for waited := time.Duration(0); ; waited += lease / 4 {
			if seal, err = ranks[0].x.Seal(ctx, last); err != nil {
				return nil, err
			}
			if seal != nil {
				break
			}
			if waited > 2*lease {
				return nil, fmt.Errorf("epoch %d: no seal after %v", epoch, waited)
			}
			now += lease / 4
			for _, r := range ranks {
				if err := r.x.Beat(ctx); err != nil {
					return nil, err
				}
			}
		}
		for _, r := range ranks {
			if _, ok := seal.Bundles[r.x.Rank]; !ok {
				continue
			}
			for _, url := range r.pages {
				res.Fetched[url]++
			}
		}
	}
	res.Time = now
	for _, r := range ranks {
		if !slices.Contains(seal.Ranks, r.x.Rank) {
			return res, fmt.Errorf("rank %s owns nothing", r.x.Rank)
		}
	}
	return res, ctx.Err()
}
