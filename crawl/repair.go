package crawl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"chaffinch/page"
)

// After a power failure the journal may be ahead of the outputs: its last lines
// reached the disk, the bytes that they tell of did not. Then the journal ends
// where the outputs do. Bytes that are there and are others than those that were
// written come of no failure: such a folder is refused.

// maxZeros is how many zero bytes an archive or a record may end with. A file system
// shows what it could not write as zeros, in blocks that are larger.
const maxZeros = 256

// present knows how many bytes of the outputs are there.
type present struct {
	dir   string
	sizes map[string]int64
}

// size returns the length of an output, without zeros at its end that were never
// written; 0 if there is no such file.
func (p *present) size(name string) (int64, error) {
	if n, ok := p.sizes[name]; ok {
		return n, nil
	}
	n, err := writtenBytes(name)
	if err == nil {
		p.sizes[name] = n
	}
	return n, err
}

func writtenBytes(name string) (int64, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 1<<16)
	for end := info.Size(); end > 0; {
		b := buf[:min(end, int64(len(buf)))]
		if _, err := f.ReadAt(b, end-int64(len(b))); err != nil {
			return 0, err
		}
		kept := bytes.TrimRight(b, "\x00")
		end -= int64(len(b) - len(kept))
		if len(kept) > 0 {
			if info.Size()-end <= maxZeros {
				return info.Size(), nil
			}
			return end, nil
		}
	}
	if info.Size() <= maxZeros {
		return info.Size(), nil
	}
	return 0, nil
}

// has reports whether the outputs reach to a place.
func (p *present) has(at ends) (bool, error) {
	text, err := p.size(textName(p.dir))
	if err != nil || text < at.Text || at.Warc == 0 {
		return text >= at.Text, err
	}
	archive, err := p.size(archiveName(p.dir, at.Warc))
	return archive >= at.Size, err
}

// checkedBytes is how far back from the end of an archive its records are unpacked. Once
// a second all is brought to the disk, so a power failure takes no more than what came
// since then; and before an archive is left for the next one.
const checkedBytes = 64 << 20

// whole reports whether what an event wrote, between two places, is there as it was
// written. Where it holds zeros instead, a power failure has taken it: the disk keeps
// blocks in any order. It fails if other bytes stand there.
func (p *present) whole(before, at ends) (bool, error) {
	if at.Warc > 0 {
		name := archiveName(p.dir, at.Warc)
		size, err := p.size(name)
		if err != nil {
			return false, err
		}
		start := before.Size
		if before.Warc != at.Warc {
			start = 0
		}
		if start < at.Size && at.Size > size-checkedBytes {
			if ok, err := intact(name, start, at.Size, unpacks); !ok {
				return false, err
			}
		}
	}
	if before.Text == at.Text {
		return true, nil
	}
	return intact(textName(p.dir), before.Text, at.Text, func(b []byte) error {
		if b[len(b)-1] != '\n' {
			return errors.New("no record ends here")
		}
		return nil
	})
}

// unpacks fails if b is not packed as the records of an archive are.
func unpacks(b []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		_, err = io.Copy(io.Discard, z)
	}
	return err
}

// lostBlock is what a file system shows of a block that it could not write: the smallest
// there are.
var lostBlock = make([]byte, 512)

// intact reports whether a part of a file is as check wants it; it fails if it is not,
// and no block of it was lost.
func intact(name string, from, to int64, check func([]byte) error) (ok bool, err error) {
	around := max(from-int64(len(lostBlock)), 0) // a lost block may reach over the ends
	err = readRange(name, around, to+int64(len(lostBlock)), func(r io.Reader) error {
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if len(b) < int(to-around) {
			return nil // what is missing was never written
		}
		if err = check(b[from-around : to-around]); err != nil && bytes.Contains(b, lostBlock) {
			return nil
		}
		ok = err == nil
		return err
	})
	return ok, err
}

// checkBehind fails if bytes follow the end of the outputs that no crawl has written.
func (p *present) checkBehind(end ends) error {
	if end.Warc > 0 {
		if err := p.checkRest(archiveName(p.dir, end.Warc), end.Size, "\x1f\x8b"); err != nil {
			return err
		}
	}
	return p.checkRest(textName(p.dir), end.Text, "{")
}

// checkRest fails if the bytes behind the end of an output begin with other ones
// than what was to be written there, as far as it was.
func (p *present) checkRest(name string, end int64, begin string) error {
	return readRange(name, end, end+int64(len(begin)), func(r io.Reader) error {
		b, err := io.ReadAll(r)
		if err == nil && string(b) != begin[:len(b)] && len(bytes.Trim(b, "\x00")) > 0 {
			err = errors.New("no record begins here")
		}
		return err
	})
}

// readRange reads a part of a file, if it is there.
func readRange(name string, from, to int64, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := read(io.NewSectionReader(f, from, to-from)); err != nil {
		return fmt.Errorf("%s: byte %d: %w: it was changed", name, from, err)
	}
	return nil
}

// replay does the events of the journal again, as far as the outputs go, and returns
// where it ends: the time, the outputs and the length of the journal.
func (c *crawl) replay(ctx context.Context, from checkpoint) (at time.Duration, end ends, length int64, err error) {
	at, end = from.At, from.Ends
	there := present{dir: c.cfg.Dir, sizes: map[string]int64{}}
	name := journalName(c.cfg.Dir, c.number)
	length, err = readJournal(name, func(e event) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Ends != nil {
			ok, err := there.has(*e.Ends)
			if ok && err == nil {
				ok, err = there.whole(end, *e.Ends)
			}
			if err != nil {
				return err
			}
			if !ok {
				return errJournalEnds
			}
			end = *e.Ends
		}
		at = e.At
		return c.apply(e)
	})
	if err == nil {
		err = there.checkBehind(end)
	}
	if err == nil {
		err = c.tellCut(name, length)
	}
	return at, end, length, err
}

// tellCut tells of the events behind the end of a journal.
func (c *crawl) tellCut(name string, length int64) error {
	if c.cfg.OnRepair == nil {
		return nil
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(length, io.SeekStart); err != nil {
		return err
	}
	events := 0
	for in := bufio.NewReaderSize(f, 1<<16); ; {
		line, err := in.ReadSlice('\n')
		if err == nil && len(bytes.Trim(line, "\x00")) > 1 {
			events++
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
	if events > 0 {
		c.cfg.OnRepair(&page.Error{File: name, Offset: length, Err: fmt.Errorf("archive and records have less than the journal, as after a power failure: its last %d events are done again", events)})
	}
	return nil
}
