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

// After a power failure the journal may be ahead of the outputs: its last lines reached the disk,
// the records that they describe did not. Then replay ends the journal where the outputs end. Bytes
// that differ from the written ones are not the result of a power failure: such a folder is
// rejected.

// maxZeros is the most zero bytes at the end of an archive or a record. File systems show blocks
// that could not be written as zeros, and blocks are larger.
const maxZeros = 256

// outputSizes determines the valid lengths of the outputs.
type outputSizes struct {
	dir    string
	cached map[string]int64
}

// size returns the length of an output, without zeros at its end that were never written. It
// returns 0 if the file does not exist.
func (p *outputSizes) size(name string) (int64, error) {
	if n, ok := p.cached[name]; ok {
		return n, nil
	}
	n, err := writtenBytes(name)
	if err == nil {
		p.cached[name] = n
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

// reach reports whether the outputs reach the lengths in at.
func (p *outputSizes) reach(at ends) (bool, error) {
	text, err := p.size(textName(p.dir))
	if err != nil || text < at.Text || at.Warc == 0 {
		return text >= at.Text, err
	}
	archive, err := p.size(archiveName(p.dir, at.Warc))
	return archive >= at.Size, err
}

// checkedBytes is the size of the end of an archive whose records are unpacked. All files are
// synced once a second and before a new archive is started, so a power failure affects only later
// bytes.
const checkedBytes = 64 << 20

// complete reports whether the outputs of an event, between the lengths before and at, are complete.
// If they hold zeros, a power failure lost them: disks write blocks in any order. Other bytes are
// an error.
func (p *outputSizes) complete(before, at ends) (bool, error) {
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
			if ok, err := intact(name, start, at.Size, checkGzip); !ok {
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

// checkGzip returns an error if b is not valid gzip.
func checkGzip(b []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		_, err = io.Copy(io.Discard, z)
	}
	return err
}

// lostBlock is the smallest block that a file system could not write.
var lostBlock = make([]byte, 512)

// intact reports whether check accepts a part of a file. It returns an error if check does not, and
// no block of the part was lost.
func intact(name string, from, to int64, check func([]byte) error) (ok bool, err error) {
	around := max(from-int64(len(lostBlock)), 0) // a lost block may extend beyond the part
	err = readRange(name, around, to+int64(len(lostBlock)), func(r io.Reader) error {
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if len(b) < int(to-around) {
			return nil // the missing part was never written
		}
		if err = check(b[from-around : to-around]); err != nil && bytes.Contains(b, lostBlock) {
			return nil
		}
		ok = err == nil
		return err
	})
	return ok, err
}

// checkTrailing returns an error if the outputs continue with bytes that no crawl has written.
func (p *outputSizes) checkTrailing(end ends) error {
	if end.Warc > 0 {
		if err := p.checkTail(archiveName(p.dir, end.Warc), end.Size, "\x1f\x8b"); err != nil {
			return err
		}
	}
	return p.checkTail(textName(p.dir), end.Text, "{")
}

// checkTail returns an error if the bytes of an output after end do not start with begin, or as
// much of it as was written.
func (p *outputSizes) checkTail(name string, end int64, begin string) error {
	return readRange(name, end, end+int64(len(begin)), func(r io.Reader) error {
		b, err := io.ReadAll(r)
		if err == nil && string(b) != begin[:len(b)] && len(bytes.Trim(b, "\x00")) > 0 {
			err = errors.New("no record begins here")
		}
		return err
	})
}

// readRange calls read with a part of a file, if the file exists.
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

// replay applies the events of the journal up to the end of the outputs. It returns the time, the
// outputs and the length of the journal there.
func (c *crawl) replay(ctx context.Context, from checkpoint) (at time.Duration, end ends, length int64, err error) {
	at, end = from.At, from.Ends
	there := outputSizes{dir: c.cfg.Dir, cached: map[string]int64{}}
	name := journalName(c.cfg.Dir, c.number)
	length, err = readJournal(name, func(e event) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Ends != nil {
			ok, err := there.reach(*e.Ends)
			if ok && err == nil {
				ok, err = there.complete(end, *e.Ends)
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
		err = there.checkTrailing(end)
	}
	if err == nil {
		err = c.reportCut(name, length)
	}
	return at, end, length, err
}

// reportCut reports the events after the end of a journal to OnRepair.
func (c *crawl) reportCut(name string, length int64) error {
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
		c.cfg.OnRepair(&page.Error{File: name, Offset: length, Err: fmt.Errorf("archive and records end before the journal, as after a power failure: its last %d events are repeated", events)})
	}
	return nil
}
