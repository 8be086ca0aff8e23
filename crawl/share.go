package crawl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chaffinch/crawl/epochs"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
)

// share is the part of a crawl that a rank does in an epoch.
type share struct {
	owned []bool // by partition
	late  bool   // not the first epoch
	pages int64  // most pages of the crawl in its folder
	// links calls fn for the links from other ranks, and for URLs that earlier owners fetched.
	links func(fn func(schedule.Link) error) error
}

// owns reports whether the rank owns an origin.
func (s *share) owns(origin string) bool { return s.owned[epochs.Partition(schedule.HostName(origin))] }

// filter returns owns, or nil if the crawl is not shared.
func (s *share) filter() func(origin string) bool {
	if s == nil {
		return nil
	}
	return s.owns
}

// markFetched marks the seeds that earlier owners fetched.
func (s *share) markFetched(seeds []schedule.Link) []schedule.Link {
	if s == nil {
		return seeds
	}
	at := map[string]int{}
	for i, l := range seeds {
		at[l.Origin+l.Path] = i
	}
	s.links(func(l schedule.Link) error { // receive returns the error
		if i, ok := at[l.Origin+l.Path]; ok && l.Depth == schedule.Fetched {
			seeds[i].Depth = l.Depth
		}
		return nil
	})
	return seeds
}

// receivedLinks is the number of links in an event.
const receivedLinks = 10_000

// receive adds the links from other ranks.
func (c *crawl) receive() error {
	if c.cfg.share == nil {
		return nil
	}
	e := event{At: c.now()}
	add := func() error {
		if len(e.Received) == 0 {
			return nil
		}
		err := c.record(e)
		e.Received = e.Received[:0]
		return err
	}
	err := c.cfg.share.links(func(l schedule.Link) error {
		if e.Received = append(e.Received, l); len(e.Received) < receivedLinks {
			return nil
		}
		return add()
	})
	return errors.Join(err, add())
}

// collector reads the journals of an epoch for its bundle.
type collector struct {
	crawl  crawl // for the scope
	sent   *epochs.Sent
	bundle *epochs.Bundle
	report epochs.Report
	ends   ends
	began  ends // ends at the beginning of the epoch
	start  time.Time
	away   time.Duration
	visits []byte                   // places of the responses in the objects of the epoch
	tasks  map[uint32]schedule.Task // by host
}

// newCollector returns a collector for the crawl in a folder.
func newCollector(cfg Config, sent *epochs.Sent, bundle *epochs.Bundle) (*collector, error) {
	c := &collector{sent: sent, bundle: bundle, tasks: map[uint32]schedule.Task{}}
	c.report = epochs.Report{Langs: map[string]int64{}, Reasons: map[string]int64{}, Failures: map[string]int64{}}
	c.crawl = crawl{cfg: cfg, status: newSnapshot(), excluded: map[string]int64{}}
	var err error
	if c.crawl.scope, err = scope.New(cfg.Scope); err != nil {
		return nil, err
	}
	s, err := SettingsOf(cfg.Dir)
	if err != nil {
		return nil, err
	}
	c.start = s.Began
	return c, c.crawl.restoreScope(nil)
}

// read reads the journals from number first to before.
func (c *collector) read(ctx context.Context, first, before int) error {
	for n := first; n < before; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := journalName(c.crawl.cfg.Dir, n)
		if _, err := os.Stat(name); err != nil {
			return err
		}
		if _, err := readJournal(name, c.add); err != nil {
			return err
		}
	}
	return c.sent.Flush(c.bundle)
}

// add adds the links and the counts of an event.
func (c *collector) add(e event) error {
	c.away += e.Away
	if b, ok := placeOf(e.Page, c.start.Add(e.At+c.away)); ok {
		if archive, offset := b.archive(); int(archive) == c.began.Warc {
			b.set(archive, offset-c.began.Size)
		}
		c.visits = append(c.visits, b[:]...)
	}
	switch {
	case e.Seed != nil:
		for _, l := range e.Seed {
			if l.Depth != schedule.Fetched && c.crawl.cfg.share.owns(l.Origin) {
				if err := c.sent.Add(c.bundle, l); err != nil {
					return err
				}
			}
		}
	case e.Take != nil:
		c.tasks[e.Take.Host] = *e.Take
	case e.Done != nil:
		return c.done(e)
	}
	return nil
}

func (c *collector) done(e event) error {
	t, o := c.tasks[e.Done.Host], e.Done
	if e.Ends != nil {
		c.ends = *e.Ends
	}
	if e.Failed != "" {
		count(c.report.Failures, e.Failed, 1)
	}
	if o.Failure || o.Busy || o.Unavailable || t.Kind == schedule.Resolve {
		return nil
	}
	if t.Kind == schedule.Page {
		c.report.Pages++
		c.report.Bytes += o.Bytes
		c.report.Clean += o.Clean
		if p := e.Page; p != nil && p.Reason != "" {
			count(c.report.Reasons, p.Reason, 1)
		} else if p != nil {
			count(c.report.Langs, p.Lang, 1)
		}
		if err := c.bundle.Add(schedule.Link{Origin: t.Origin, Path: t.Path, Depth: schedule.Fetched}); err != nil {
			return err
		}
	}
	for _, l := range c.crawl.inScope(e) {
		depth := t.Depth
		if !o.Redirected && !l.List {
			depth++
		}
		if l.Depth = uint8(depth); depth > c.crawl.cfg.Schedule.MaxDepth {
			continue
		}
		if err := c.sent.Add(c.bundle, l); err != nil {
			return err
		}
	}
	return nil
}

// outputs returns the parts of the outputs between two places, by the suffix of their objects.
func (c *collector) outputs(dir string, from ends) (list []slice) {
	if c.ends.Text > from.Text {
		list = append(list, slice{textName(dir), ".jsonl", from.Text, c.ends.Text})
	}
	for n := max(from.Warc, 1); n <= c.ends.Warc; n++ {
		s := slice{archiveName(dir, n), sharedArchive(n), 0, -1}
		if n == from.Warc {
			s.from = from.Size
		}
		if n == c.ends.Warc {
			s.to = c.ends.Size
		}
		if s.to < 0 || s.to > s.from {
			list = append(list, s)
		}
	}
	return list
}

// slice is a part of a file. If to is negative, it is the rest.
type slice struct {
	file, suffix string
	from, to     int64
}

// crawlFolder returns the folder of the crawl of a rank in its scratch folder. A rank starts another
// one if its pages do not count, or if it gets partitions back.
func crawlFolder(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("crawl-%03d", number))
}
