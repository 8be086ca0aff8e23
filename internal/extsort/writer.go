package extsort

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// WriterConfig configures a [Writer].
type WriterConfig struct {
	// Prefix is the prefix of the file names: the name of the table.
	Prefix string
	// Record is the length of a record in bytes, at most 1024. Records are sorted by their first
	// Key bytes. Records with equal keys keep the order in which they were added within a run, and
	// the order of the runs in a merge. For a result that does not depend on which Writer wrote a
	// record, set Key to Record.
	Record, Key int
	// Memory is the maximum size of the Writer in bytes, at least about 64 KiB. Half of it holds
	// records, half is for sorting.
	Memory int64
	// Unique keeps one of several identical records in each run. It requires Key to be Record.
	Unique bool
}

// Writer collects records and writes them to sorted runs. It is not safe for concurrent use: each
// worker has a separate Writer on the same Folder.
type Writer struct {
	layout
	folder *Folder
	cfg    WriterConfig
	buf    []byte
	aux    []byte
	most   int // maximum size of buf in bytes
	runs   []Run
	err    error // of the first run that could not be written: later writes fail with it
}

// firstBytes is the initial size of the buffers of a Writer. Many Writers with few records are open
// at once.
const firstBytes = 128 << 10

// NewWriter returns a Writer.
func (f *Folder) NewWriter(cfg WriterConfig) (*Writer, error) {
	l := newLayout(cfg.Record, cfg.Key)
	if err := l.check(); err != nil {
		return nil, err
	}
	least := 2 * l.perBlock
	most := max(cfg.Memory/2/int64(cfg.Record), least)
	first := min(most, max(least, firstBytes/int64(cfg.Record)))
	return &Writer{layout: l, folder: f, cfg: cfg, buf: make([]byte, 0, first*int64(cfg.Record)), most: int(most) * cfg.Record}, nil
}

// Add returns the buffer of the next record, which the caller fills before the next call. It may
// hold old bytes.
func (w *Writer) Add() ([]byte, error) {
	n := len(w.buf)
	if n+w.record > cap(w.buf) {
		if cap(w.buf) < w.most {
			w.buf = append(make([]byte, 0, min(2*cap(w.buf), w.most)), w.buf...)
		} else if err := w.spill(); err != nil {
			return nil, err
		}
		n = len(w.buf)
	}
	w.buf = w.buf[:n+w.record]
	return w.buf[n : n+w.record], nil
}

// Flush writes the collected records and returns all runs written since the last Flush. They are on
// the disk and belong to the caller.
func (w *Writer) Flush() ([]Run, error) {
	if err := w.spill(); err != nil {
		return nil, err
	}
	runs := w.runs
	w.runs = nil
	return runs, nil
}

// Pending returns the number of records in memory.
func (w *Writer) Pending() int { return len(w.buf) / w.record }

// spill sorts the buffer and writes it. After a failure it always fails: a full disk stays full,
// and a retry for each record would sort the buffer again.
func (w *Writer) spill() error {
	if w.err == nil {
		w.err = w.writeRun()
	}
	return w.err
}

func (w *Writer) writeRun() error {
	if len(w.buf) == 0 {
		return nil
	}
	if len(w.aux) < cap(w.buf) {
		w.aux = make([]byte, cap(w.buf))
	}
	sortRecords(w.buf, w.aux, w.record, w.key)
	if w.cfg.Unique && w.key == w.record {
		w.buf = unique(w.buf, w.record)
	}
	out, err := w.folder.create(w.cfg.Prefix, w.layout, w.fileSize(int64(len(w.buf)/w.record)))
	if err != nil {
		return err
	}
	p := packer{out: out, buf: w.aux[:min(len(w.aux), 1<<20)]}
	if err := p.add(w.buf); err != nil {
		return err
	}
	run, err := p.finish()
	if err != nil {
		return err
	}
	w.runs = append(w.runs, run)
	w.buf = w.buf[:0]
	return nil
}

// unique removes records that equal the previous one.
func unique(buf []byte, size int) []byte {
	out := size
	for i := size; i < len(buf); i += size {
		if string(buf[i:i+size]) != string(buf[out-size:out]) {
			if i != out {
				copy(buf[out:out+size], buf[i:])
			}
			out += size
		}
	}
	return buf[:out]
}

// packer divides records into blocks with checksums and writes many blocks at once.
type packer struct {
	out  *runOut
	buf  []byte // some blocks with their checksums
	used int    // bytes of buf in finished blocks
	open int    // bytes of the block after them
}

// add appends records.
func (p *packer) add(b []byte) error {
	full := p.out.blockBytes()
	for len(b) > 0 {
		n := min(full-p.open, len(b))
		copy(p.buf[p.used+p.open:], b[:n])
		p.open += n
		b = b[n:]
		if p.open == full {
			if err := p.closeBlock(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *packer) closeBlock() error {
	block := p.buf[p.used : p.used+p.open]
	full := p.out.blockBytes() + sumSize
	number := p.out.done + int64(p.used/full)
	p.used += p.open
	binary.LittleEndian.PutUint64(p.buf[p.used:], xxh3.HashSeed(block, uint64(number)))
	p.used += sumSize
	p.open = 0
	if p.used+full > len(p.buf) {
		return p.flush()
	}
	return nil
}

func (p *packer) flush() error {
	full := p.out.blockBytes() + sumSize
	blocks := int64((p.used + full - 1) / full)
	records := (int64(p.used) - blocks*sumSize) / int64(p.out.record)
	err := p.out.write(p.buf[:p.used], records, blocks)
	p.used = 0
	return err
}

// finish writes the rest and closes the run.
func (p *packer) finish() (Run, error) {
	if p.open > 0 {
		if err := p.closeBlock(); err != nil {
			return Run{}, err
		}
	}
	if p.used > 0 {
		if err := p.flush(); err != nil {
			return Run{}, err
		}
	}
	return p.out.finish()
}
