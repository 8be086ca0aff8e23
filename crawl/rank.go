package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/epochs"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/periodic"
)

// Rank configures a process that shares a crawl with others.
type Rank struct {
	// Store holds the shared crawl.
	Store store.Store
	// Name identifies the rank. A restarted process resumes the work of its name.
	Name string
	// Epoch is the duration of an epoch, and Lease the age of a heartbeat after which a rank counts as
	// dead. All ranks use the same.
	Epoch, Lease time.Duration
	// OnSeal, if set, receives the end of each epoch.
	OnSeal func(*epochs.Seal)
}

// DefaultLease is the default of the command.
const DefaultLease = 2 * time.Minute

// rankState is the state of a rank between two programs.
type rankState struct {
	Epoch     int   `json:"epoch"` // that it crawls; see unused and between
	Folder    int   `json:"folder"`
	Owned     []int `json:"owned"`     // partitions
	Gone      []int `json:"gone"`      // partitions that it owned before, in this folder
	Journal   int   `json:"journal"`   // first journal of the epoch
	Ends      ends  `json:"ends"`      // of the outputs when the epoch began
	Sent      int   `json:"sent"`      // generation of the sent links then
	Published int   `json:"published"` // number of the journal after the epoch; 0 while it is crawled
	Queued    int64 `json:"queued"`    // at its end
	Hosts     int   `json:"hosts"`
	Pages     int64 `json:"pages"` // in the folder, of epochs that it crawled
	// Away is the time for which the program did not run, before the epoch.
	Away time.Duration `json:"away,omitempty"`
}

// rank is a running rank.
type rank struct {
	cfg   Config
	r     Rank
	x     epochs.Exchange
	dir   string
	state rankState
	last  *epochs.Seal
}

// RunRank does the work of a rank until the crawl is complete, has Config.MaxPages pages, or ctx ends. Config.Dir is its own
// folder.
func RunRank(ctx context.Context, cfg Config, r Rank) (*epochs.Seal, error) {
	k := &rank{cfg: cfg, r: r, dir: cfg.Dir}
	if r.Epoch <= 0 || r.Lease <= 0 {
		return nil, fmt.Errorf("epoch %v, lease %v: wanted positive durations", r.Epoch, r.Lease)
	}
	k.x = epochs.Exchange{Store: r.Store, Rank: r.Name, Dir: cfg.Dir, Lease: r.Lease, Limit: cfg.MaxPages}
	if err := disk.MkdirAll(cfg.Dir); err != nil {
		return nil, err
	}
	if err := k.load(); err != nil {
		return nil, err
	}
	err := k.loop(ctx)
	leave, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	return k.last, errors.Join(err, k.x.Leave(leave))
}

func (k *rank) stateFile() string { return filepath.Join(k.dir, "rank.json") }

func (k *rank) load() error {
	b, err := os.ReadFile(k.stateFile())
	if errors.Is(err, fs.ErrNotExist) {
		k.state = rankState{Epoch: unused, Journal: 1}
		return nil
	}
	if err == nil {
		err = json.Unmarshal(b, &k.state)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: remove the folder; the rank starts again", k.stateFile(), err)
	}
	return nil
}

func (k *rank) save() error {
	return files.Replace(k.stateFile(), func(w io.Writer) error { return json.NewEncoder(w).Encode(k.state) })
}

// loop crawls epoch by epoch.
func (k *rank) loop(ctx context.Context) error {
	if err := k.x.Beat(ctx); err != nil {
		return err
	}
	seals, err := epochs.Seals(ctx, k.r.Store)
	if err != nil {
		return err
	}
	if len(seals) > 0 {
		k.last = seals[len(seals)-1]
	}
	if !k.current(seals) {
		if err := k.startAgain(); err != nil {
			return err
		}
	}
	for k.last == nil || !k.last.Done() && !k.last.Full(k.cfg.MaxPages) {
		if k.last != nil && slices.Contains(k.last.Ranks, k.r.Name) {
			if err := k.epoch(ctx); err != nil {
				return err
			}
		}
		if err := k.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// current reports whether the state of the rank fits the last seal: no epoch ended without the rank.
func (k *rank) current(seals []*epochs.Seal) bool {
	last := len(seals) - 1
	switch at := k.state.Epoch; {
	case at == unused:
		return true
	case at >= 0:
		return last == at-1
	default:
		at = between(at)
		return last == at-1 || last == at && k.counts(seals[at])
	}
}

// counts reports whether a seal has the bundle of the rank, and partitions for it.
func (k *rank) counts(seal *epochs.Seal) bool {
	_, ok := seal.Bundles[k.r.Name]
	return ok && slices.Contains(seal.Ranks, k.r.Name)
}

// unused is the epoch of a rank that has not begun. between returns the epoch that ranks between this
// epoch and the next one store, and vice versa.
const unused = -1

func between(epoch int) int { return -1 - epoch }

// startAgain leaves the folder of the crawl. The next epoch starts in another one.
func (k *rank) startAgain() error {
	k.state = rankState{Epoch: unused, Folder: k.state.Folder + 1, Journal: 1}
	return k.save()
}

// epoch crawls the epoch after the last seal and publishes its bundle.
func (k *rank) epoch(ctx context.Context) error {
	if k.state.Epoch != k.last.Epoch+1 {
		if err := k.begin(); err != nil {
			return err
		}
	}
	cfg := k.cfg
	cfg.Dir = crawlFolder(k.dir, k.state.Folder)
	owned, kept, fresh := k.last.Split(k.r.Name, k.state.Owned)
	pages := int64(math.MaxInt64)
	if n, ok := k.last.Share(k.r.Name); ok {
		pages = k.state.Pages + n
	}
	cfg.share = &share{owned: owned, late: k.last.Epoch > 0, pages: pages, links: func(fn func(schedule.Link) error) error {
		return errors.Join(k.x.History(ctx, k.last, fresh, fn), k.x.Links(ctx, k.last, kept, fn))
	}}
	// The rank is alive until heartbeats fail, also after an interruption until its bundle is published.
	alive, lose := context.WithCancelCause(context.WithoutCancel(ctx))
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		k.beats(alive, lose)
	}()
	defer func() {
		lose(nil)
		<-beats
	}()
	if k.state.Published == 0 {
		if err := k.crawl(ctx, alive, cfg); err != nil {
			return err
		}
	}
	if err := k.publish(alive, cfg); err != nil {
		return errors.Join(context.Cause(alive), err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after epoch %d: run the same command to resume: %w", k.last.Epoch+1, ctx.Err())
	}
	return nil
}

// begin enters the epoch after the last seal.
func (k *rank) begin() error {
	owned, _, fresh := k.last.Split(k.r.Name, k.state.Owned)
	for _, p := range k.state.Owned {
		if !owned[p] {
			k.state.Gone = append(k.state.Gone, p)
		}
	}
	if slices.ContainsFunc(fresh, func(p int) bool { return slices.Contains(k.state.Gone, p) }) {
		if err := k.startAgain(); err != nil {
			return err
		}
	}
	k.state.Epoch, k.state.Published = k.last.Epoch+1, 0
	return k.save()
}

// crawl crawls until the epoch, ctx or alive ends.
func (k *rank) crawl(ctx, alive context.Context, cfg Config) error {
	end := time.Now().Add(k.r.Epoch)
	cfg.MaxTime = k.r.Epoch
	if k.cfg.MaxTime > 0 {
		cfg.MaxTime = min(cfg.MaxTime, k.cfg.MaxTime)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(alive, stop)()
	res, err := Run(running, cfg)
	if err == nil && res.Reason == NoResponse {
		periodic.Pause(running, time.Until(end)) // and tries again in the next epoch
	}
	if err = cmp.Or(err, context.Cause(alive)); err != nil {
		return err
	}
	k.state.Queued, k.state.Hosts, k.state.Pages = res.Queued, res.Hosts, res.Totals.Pages
	if res.Reason == Exhausted {
		k.state.Queued = 0
	}
	if k.state.Published, err = journalAfter(cfg.Dir, k.state.Journal); err != nil {
		return err
	}
	return k.save()
}

// journalAfter returns the number of the current journal, which is empty after a run.
func journalAfter(dir string, from int) (int, error) {
	for n := from; ; n++ {
		if _, err := os.Stat(journalName(dir, n+1)); errors.Is(err, fs.ErrNotExist) {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// beats publishes heartbeats until ctx ends. It calls stop if that fails for half a lease. The store may
// retry for longer.
func (k *rank) beats(ctx context.Context, stop context.CancelCauseFunc) {
	last := time.Now()
	for periodic.Pause(ctx, k.r.Lease/4) == nil {
		start, end := time.Now(), last.Add(k.r.Lease/2)
		beat, cancel := context.WithDeadline(ctx, end)
		err := k.x.Beat(beat)
		cancel()
		if err == nil {
			last = start
		} else if ctx.Err() == nil && !time.Now().Before(end) {
			stop(fmt.Errorf("no heartbeat for %v: another rank may take the hosts: %w", k.r.Lease/2, err))
		}
	}
}

// publish publishes the outputs and the bundle of the epoch.
func (k *rank) publish(ctx context.Context, cfg Config) (err error) {
	folder := filepath.Join(cfg.Dir, "sent")
	if err := disk.MkdirAll(folder); err != nil {
		return err
	}
	sent, err := epochs.OpenSent(folder, k.state.Sent)
	if err != nil {
		return err
	}
	bundle := epochs.NewBundle(k.dir)
	defer func() { err = errors.Join(err, sent.Close(), bundle.Close()) }()
	c, err := newCollector(cfg, sent, bundle)
	if err != nil {
		return err
	}
	c.ends, c.began, c.away = k.state.Ends, k.state.Ends, k.state.Away
	if err := errors.Join(c.read(ctx, k.state.Journal, k.state.Published), k.publishSettings(ctx, cfg.Dir)); err != nil {
		return err
	}
	c.report.Queued, c.report.Hosts = k.state.Queued, k.state.Hosts
	for _, s := range c.outputs(cfg.Dir, k.state.Ends) {
		name := fmt.Sprintf("pages/%06d/%s%s", k.state.Epoch, k.r.Name, s.suffix)
		if err := k.put(ctx, name, s); err != nil {
			return err
		}
		c.report.Objects = append(c.report.Objects, name)
	}
	if len(c.visits) > 0 {
		name := fmt.Sprintf("pages/%06d/%s%s", k.state.Epoch, k.r.Name, visitsSuffix)
		if err := store.Write(ctx, k.r.Store, k.dir, name, c.visits, true); err != nil {
			return err
		}
		c.report.Objects = append(c.report.Objects, name)
	}
	if err := k.x.Publish(ctx, k.state.Epoch, bundle, c.report); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	next := k.state
	next.Owned = k.last.Owned(k.r.Name)
	next.Journal, next.Ends, next.Sent, next.Published = k.state.Published, c.ends, sent.Generation(), 0
	next.Away = c.away
	next.Epoch = between(k.state.Epoch)
	k.state = next
	return errors.Join(k.save(), sent.Prune())
}

// put publishes a part of a file.
func (k *rank) put(ctx context.Context, name string, s slice) error {
	f, err := os.Open(s.file)
	if err != nil {
		return err
	}
	defer f.Close()
	if s.to < 0 {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		s.to = info.Size()
	}
	made := filepath.Join(k.dir, "output")
	err = files.Replace(made, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, s.from, s.to-s.from))
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(k.r.Store.Put(ctx, name, made, true), disk.Remove(made))
}

// wait waits for the next seal.
func (k *rank) wait(ctx context.Context) error {
	beat := time.Time{}
	for {
		if time.Since(beat) > k.r.Lease/4 {
			if err := k.x.Beat(ctx); err != nil {
				return err
			}
			beat = time.Now()
		}
		seal, err := k.x.Seal(ctx, k.last)
		if err != nil {
			return err
		}
		if seal != nil {
			if k.r.OnSeal != nil {
				k.r.OnSeal(seal)
			}
			if k.state.Epoch != unused && !k.counts(seal) {
				if err := k.startAgain(); err != nil { // its pages do not count, or it owns nothing
					return err
				}
			}
			k.last = seal
			return nil
		}
		if err := periodic.Pause(ctx, min(k.r.Lease/16, 2*time.Second)); err != nil {
			return fmt.Errorf("interrupted: run the same command to resume: %w", err)
		}
	}
}
