package crawl

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"chaffinch/crawl/schedule"
	"chaffinch/crawl/texts"
	"chaffinch/internal/files"
)

const checkpointName = "checkpoint"

// checkpoint is the head of the file "checkpoint", before the state of the scheduler.
type checkpoint struct {
	At       time.Duration
	Journal  int // number of the journal that follows
	Ends     ends
	Rules    int64 // length of the file of robots.txt
	Texts    texts.State
	Reasons  map[string]int64
	Langs    map[string]int64
	Filtered map[string]int64 // by filter rule
	Failures map[string]int64
	Excluded map[string]int64      // by rule
	Moved    []schedule.Link       // targets of seeds that redirect permanently
	Renders  map[string]int64      // by result
	Gains    map[uint32]renderGain // by host
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumMark is followed by the checksum of a checkpoint: the CRC-32C of the bytes before it, in 8
// hexadecimal digits.
const sumMark = "\nsum "

// checkpointFile is an open checkpoint.
type checkpointFile interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// readCheckpoint returns the head of a checkpoint, and a reader for the state of the scheduler.
func readCheckpoint(f checkpointFile) (head checkpoint, state *bufio.Reader, err error) {
	size, err := verifySum(f)
	if err != nil {
		return head, nil, err
	}
	state = bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<16)
	return head, state, gob.NewDecoder(state).Decode(&head)
}

// verifySum verifies the checksum of a checkpoint and returns the length of the data.
func verifySum(f checkpointFile) (size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	end := make([]byte, len(sumMark)+8)
	if size = info.Size() - int64(len(end)); size < 0 {
		return 0, files.ErrSum
	}
	if _, err := f.ReadAt(end, size); err != nil {
		return 0, err
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, err
	}
	if string(end) != fmt.Sprintf("%s%08x", sumMark, sum.Sum32()) {
		return 0, files.ErrSum
	}
	return size, nil
}

// validate returns an error for values that no checkpoint of the crawl in dir can have. Outputs are
// truncated to these values, and later archives are removed.
func (c *checkpoint) validate(dir string) error {
	if c.At < 0 || c.Ends.Warc < 0 || c.Ends.Size < 0 || c.Ends.Text < 0 || c.Rules < 0 {
		return fmt.Errorf("%+v after %v, %d bytes of robots.txt", c.Ends, c.At, c.Rules)
	}
	for number, want := range map[int]bool{c.Journal - 1: true, c.Journal + 1: false} {
		if _, err := os.Stat(journalName(dir, number)); (err == nil) != want {
			return fmt.Errorf("journal %d does not follow", c.Journal)
		}
	}
	return nil
}

func (c *crawl) path(name string) string { return filepath.Join(c.cfg.Dir, name) }

// checkpoint writes the state, so that the next run reads only later events.
func (c *crawl) checkpoint() error {
	if err := errors.Join(c.sched.Flush(c.now()), c.noteExcluded()); err != nil { // the head has all that is excluded
		return err
	}
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
		Reasons: c.status.Reasons, Langs: c.status.Langs, Filtered: c.status.Rules, Failures: c.status.Failures, Excluded: c.status.Excluded, Moved: c.moved,
		Renders: c.status.Renders, Gains: c.rendering.gains,
	}
	err = files.Replace(c.path(checkpointName), func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		out := io.MultiWriter(w, sum)
		if err := errors.Join(gob.NewEncoder(out).Encode(head), c.sched.Save(now, out)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%s%08x", sumMark, sum.Sum32())
		return err
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

// open starts a crawl, or restores its state from the last checkpoint and the events after
// it.
func (c *crawl) open(ctx context.Context) error {
	if err := c.keepSettings(); err != nil {
		return err
	}
	if c.settings.Again != "" {
		var err error
		if c.previous, err = openPrevious(ctx, c.cfg.OpenStore, c.settings.Again, againFile(c.cfg.Dir), c.settings.dir); err != nil {
			return err
		}
	}
	head := checkpoint{Journal: 1}
	f, err := os.Open(c.path(checkpointName))
	var in *bufio.Reader
	switch {
	case err == nil:
		defer f.Close()
		if head, in, err = readCheckpoint(f); err == nil {
			err = head.validate(c.cfg.Dir)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: the file is damaged: restore it from a backup, or repeat the crawl in a new folder", f.Name(), err)
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if c.rules, err = openRules(c.cfg.Dir, Agent, head.Rules, c.cfg.memory().rules); err != nil {
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
	if c.texts, err = texts.Open(texts.Config{Dir: c.path("fingerprints"), Memory: c.cfg.memory().texts}, head.Texts); err != nil {
		return err
	}
	maps.Copy(c.status.Reasons, head.Reasons)
	maps.Copy(c.status.Langs, head.Langs)
	maps.Copy(c.status.Rules, head.Filtered)
	maps.Copy(c.status.Failures, head.Failures)
	maps.Copy(c.status.Excluded, head.Excluded)
	if in != nil {
		if err := c.restoreScope(head.Moved); err != nil {
			return err
		}
	}
	maps.Copy(c.status.Renders, head.Renders)
	maps.Copy(c.rendering.gains, head.Gains)
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
	for rule, n := range c.sched.Excluded() { // the journal has them
		count(c.status.Excluded, rule, n)
	}
	clear(c.excluded)
	c.runStart, c.elapsedBefore = time.Now(), last
	c.outage.last = last
	if in == nil && length == 0 {
		err = c.seed()
	} else {
		err = c.record(event{At: last, Lost: true, Away: c.downTime()})
	}
	if err != nil {
		return err
	}
	return c.receive()
}
