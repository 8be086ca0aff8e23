package crawl

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"time"

	"chaffinch/crawl/schedule"
	"chaffinch/crawl/texts"
	"chaffinch/internal/files"
)

// checkpoint is what stands before the scheduler's state in the file of that name.
type checkpoint struct {
	At       time.Duration
	Journal  int // the journal that follows
	Ends     ends
	Rules    int64 // length of the file of robots.txt
	Texts    texts.State
	Reasons  map[string]int64
	Langs    map[string]int64
	Failures map[string]int64
}

func (c *crawl) path(name string) string { return filepath.Join(c.cfg.Dir, name) }

// checkpoint writes the state, so that what came before need not be read again.
func (c *crawl) checkpoint() error {
	if err := errors.Join(c.out.sync(), c.rules.file.Sync(), c.journal.sync()); err != nil {
		return err
	}
	known, err := c.texts.Save()
	if err != nil {
		return err
	}
	now := c.now()
	head := checkpoint{
		At: now, Journal: c.number + 1, Ends: c.out.at, Rules: c.rules.length, Texts: known,
		Reasons: c.status.Reasons, Langs: c.status.Langs, Failures: c.status.Failures,
	}
	err = files.Replace(c.path("checkpoint"), func(w io.Writer) error {
		if err := gob.NewEncoder(w).Encode(head); err != nil {
			return err
		}
		return c.sched.Save(now, w)
	})
	if err != nil {
		return err
	}
	if err := c.journal.close(); err != nil {
		return err
	}
	c.number++
	c.events = 0
	if c.journal, err = openJournal(c.cfg.Dir, c.number, 0); err != nil {
		return err
	}
	return errors.Join(c.sched.Prune(), c.texts.Prune())
}

// open begins a crawl, or finds where it was left: the last checkpoint, and the
// events after it.
func (c *crawl) open(ctx context.Context) error {
	if err := c.keepSettings(); err != nil {
		return err
	}
	if c.settings.Again != "" {
		var err error
		if c.previous, err = openPrevious(ctx, c.settings.Again, againFile(c.cfg.Dir), c.settings.dir); err != nil {
			return err
		}
	}
	head := checkpoint{Journal: 1}
	f, err := os.Open(c.path("checkpoint"))
	var in *bufio.Reader
	switch {
	case err == nil:
		defer f.Close()
		in = bufio.NewReaderSize(f, 1<<16)
		if err := gob.NewDecoder(in).Decode(&head); err != nil {
			return fmt.Errorf("%s: %w: the file is damaged", f.Name(), err)
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if c.rules, err = openRules(c.cfg.Dir, Agent, head.Rules); err != nil {
		return err
	}
	if in == nil {
		c.sched, err = schedule.Open(c.cfg.Schedule, c.frontier(), c.rules.allowed)
	} else {
		c.sched, err = schedule.Load(c.cfg.Schedule, c.frontier(), c.rules.allowed, in)
	}
	if err != nil {
		return err
	}
	if c.texts, err = texts.Open(texts.Config{Dir: c.path("fingerprints"), Memory: c.cfg.Memory}, head.Texts); err != nil {
		return err
	}
	maps.Copy(c.status.Reasons, head.Reasons)
	maps.Copy(c.status.Langs, head.Langs)
	maps.Copy(c.status.Failures, head.Failures)
	c.number = head.Journal
	last, end, length, err := c.replay(ctx, head)
	if err != nil {
		return err
	}
	if c.out, err = openOutputs(c.cfg.Dir, end, c.cfg.ArchiveSize, c.archiveHead); err != nil {
		return err
	}
	if c.journal, err = openJournal(c.cfg.Dir, c.number, length); err != nil {
		return err
	}
	c.began, c.before = time.Now(), last
	if in == nil && length == 0 {
		return c.seed()
	}
	e := event{At: last, Lost: true}
	if _, err := c.note(e); err != nil {
		return err
	}
	return c.apply(e)
}
