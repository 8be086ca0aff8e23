package extsort

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// WriterConfig says what a Writer writes.
type WriterConfig struct {
	// Prefix begins the names of the files: the name of the table.
	Prefix string
	// Record is the length of a record in bytes, at most 1024; records sort by
	// the first Key of them. Records with equal keys come out of a run in the
	// order in which they were added, and out of a merge in that of the runs:
	// for a result that does not depend on who wrote what, let Key be Record.
	Record, Key int
	// Memory is what the Writer grows to, in bytes; smaller than about 64 KiB is
	// taken as that. Half of it holds records, half is for sorting.
	Memory int64
	// Unique keeps one of several records that are equal in all bytes, in each
	// run; it needs Key to be Record.
	Unique bool
}

// Writer collects records and writes them to sorted runs. It is not safe for
// concurrent use: each worker has its own, on the same Folder.
type Writer struct {
	layout
	folder *Folder
	cfg    WriterConfig
	buf    []byte
	aux    []byte
	most   int // bytes of buf
	runs   []Run
	err    error // of the first run that could not be written: no more is tried
}

// firstBytes is what a Writer begins with: many are open at once that are given little.
const firstBytes = 128 << 10

// NewWriter starts to collect records.
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

// Add returns room for one more record, which the caller fills before the next
// call. It may hold old bytes.
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

// Flush writes what is left and returns all runs written since the last Flush:
// they are on the disk and are the caller's now.
func (w *Writer) Flush() ([]Run, error) {
	if err := w.spill(); err != nil {
		return nil, err
	}
	runs := w.runs
	w.runs = nil
	return runs, nil
}

// Pending tells how many records are held in memory.
func (w *Writer) Pending() int { return len(w.buf) / w.record }

// spill sorts the buffer and writes it. Where that has failed, it fails for good: what
// is full stays full, and each record would sort the buffer again.
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

// unique takes out records that equal the one before.
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

// packer cuts records into blocks with checksums and writes many at once.
type packer struct {
	out  *runOut
	buf  []byte // room for some blocks with their checksums
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
