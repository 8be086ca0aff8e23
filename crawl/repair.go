package crawl

import (
	"bufio"
	"bytes"
	"cmp"
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

// checkLast fails if what the last event wrote, between two places, is not there as
// it was written, or if bytes follow that no crawl has written.
func (p *present) checkLast(before, last ends) error {
	if last.Warc > 0 {
		name := archiveName(p.dir, last.Warc)
		start := before.Size
		if before.Warc != last.Warc {
			start = 0
		}
		err := readRange(name, start, last.Size, func(r io.Reader) error {
			if start == last.Size {
				return nil
			}
			z, err := gzip.NewReader(r)
			if err == nil {
				_, err = io.Copy(io.Discard, z)
			}
			return err
		})
		if err := cmp.Or(err, p.checkRest(name, last.Size, "\x1f\x8b")); err != nil {
			return err
		}
	}
	name := textName(p.dir)
	err := readRange(name, max(last.Text-1, 0), last.Text, func(r io.Reader) error {
		if b, err := io.ReadAll(r); err != nil || len(b) > 0 && b[0] != '\n' {
			return cmp.Or(err, errors.New("no record ends here"))
		}
		return nil
	})
	return cmp.Or(err, p.checkRest(name, last.Text, "{"))
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
func (c *crawl) replay(from checkpoint) (at time.Duration, end ends, length int64, err error) {
	at, end = from.At, from.Ends
	before := end
	there := present{dir: c.cfg.Dir, sizes: map[string]int64{}}
	name := journalName(c.cfg.Dir, c.number)
	length, err = readJournal(name, func(e event) error {
		if e.Ends != nil {
			ok, err := there.has(*e.Ends)
			if err != nil {
				return err
			}
			if !ok {
				return errJournalEnds
			}
			before, end = end, *e.Ends
		}
		at = e.At
		return c.apply(e)
	})
	if err == nil {
		err = there.checkLast(before, end)
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
