// Package extsort sorts more records than fit into memory: [New] sorts within one process,
// [OpenFolder] in files that outlive it. Records are byte strings of one length that begin with
// their key. Keys compare as bytes, and records with equal keys are merged into one.
//
// A [Sorter] uses memory and one temporary file. Its result does not depend on the memory limit,
// provided that Merge is commutative and associative. A [Stream] takes less memory for records that
// are read once. The runs of a [Folder] are files: several [Writer] values write them, and a [Merger]
// reads them as one sequence. A caller that stores the list of runs can resume after a crash.
package extsort

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"

	"chaffinch/internal/disk"
	"chaffinch/internal/huge"
)

// Config configures a [Sorter].
type Config struct {
	// Record is the length of a record in bytes, Key the length of its key.
	Record, Key int
	// Memory limits the bytes held at once. The minimum is a few thousand records. Half of it holds
	// records, half is for sorting.
	Memory int64
	// Expect is the expected number of records, if known. The Sorter allocates memory for them at
	// once, within Memory. The actual number may be larger or smaller.
	Expect uint64
	// Workers is the number of goroutines that sort. Default: 1. The result does not depend on it.
	Workers int
	// Dir is the folder of the temporary file. Default: the folder of the system.
	Dir string
	// Merge adds src to dst, which has the same key. If nil, all records are kept, and records with
	// equal keys keep the order in which they were added.
	Merge func(dst, src []byte)
}

const (
	// growth is the factor by which the buffer grows. Unused memory is not touched.
	growth     = 4
	minRecords = 1024
	maxRecord  = 1024 // bytes
)

// Sorter collects and sorts records.
type Sorter struct {
	cfg  Config
	buf  []byte
	aux  []byte
	max  int // bytes of buf
	room int // initial size of buf in bytes
	spilled
	err error // of the file: every later call returns it
}

// spilled holds sorted runs in a temporary file.
type spilled struct {
	file *disk.File
	w    *bufio.Writer
	runs []run
	size int64 // bytes in file
}

type run struct{ from, to int64 }

// New returns a Sorter.
func New(cfg Config) (*Sorter, error) {
	if cfg.Key < 1 || cfg.Record < cfg.Key || cfg.Record > maxRecord {
		return nil, fmt.Errorf("extsort: records of %d bytes with keys of %d", cfg.Record, cfg.Key)
	}
	n := max(cfg.Memory/2/int64(cfg.Record), minRecords)
	first := min(max(cfg.Expect, minRecords), uint64(n))
	return &Sorter{cfg: cfg, max: int(n) * cfg.Record, room: int(first) * cfg.Record}, nil
}

// Add returns the buffer of the next record, which the caller fills before the next call.
func (s *Sorter) Add() ([]byte, error) {
	if len(s.buf)+s.cfg.Record > cap(s.buf) {
		if err := s.grow(); err != nil {
			return nil, err
		}
	}
	n := len(s.buf)
	s.buf = s.buf[:n+s.cfg.Record]
	return s.buf[n:], nil
}

// grow makes space: it enlarges the buffer, otherwise merges records, otherwise writes a run.
func (s *Sorter) grow() error {
	if s.err != nil {
		return s.err
	}
	if cap(s.buf) < s.max {
		n := min(max(growth*cap(s.buf), s.room), s.max)
		s.buf = append(huge.Make[byte](n, 0)[:0], s.buf...)
		return nil
	}
	s.sort()
	if len(s.buf) <= s.max/2 {
		return nil
	}
	s.err = s.spill()
	return s.err
}

// sort sorts the buffer and merges records with equal keys. merge merges adjacent records with
// equal keys.
func (s *Sorter) sort() {
	if cap(s.aux) < len(s.buf) {
		s.aux = huge.Make[byte](cap(s.buf), 0)
	}
	s.buf, s.aux = Sort(s.buf, s.aux[:len(s.buf)], s.cfg.Record, s.cfg.Key, s.cfg.Workers)
	s.merge()
}

// merge merges neighbours with equal keys.
func (s *Sorter) merge() {
	if s.cfg.Merge == nil || len(s.buf) == 0 {
		return
	}
	size, key := s.cfg.Record, s.cfg.Key
	out := 0
	for i := size; i < len(s.buf); i += size {
		rec := s.buf[i : i+size]
		if bytes.Equal(s.buf[out:out+key], rec[:key]) {
			s.cfg.Merge(s.buf[out:out+size], rec)
			continue
		}
		out += size
		if out != i {
			copy(s.buf[out:out+size], rec)
		}
	}
	s.buf = s.buf[:out+size]
}

// spill writes the buffer, which is sorted, as a run.
func (s *Sorter) spill() error {
	err := s.write(s.cfg.Dir, s.buf)
	if err == nil {
		err = s.endRun()
	}
	s.buf = s.buf[:0]
	return err
}

// write appends sorted records to the current run. dir is the folder of the file.
func (s *spilled) write(dir string, sorted []byte) error {
	if s.file == nil {
		f, err := disk.Scratch(dir)
		if err != nil {
			return fmt.Errorf("extsort: %w", err)
		}
		s.file, s.w = f, bufio.NewWriterSize(f, 1<<18)
	}
	n, err := s.w.Write(sorted)
	s.size += int64(n)
	return s.failed(err)
}

// endRun ends the current run.
func (s *spilled) endRun() error {
	from := int64(0)
	if n := len(s.runs); n > 0 {
		from = s.runs[n-1].to
	}
	s.runs = append(s.runs, run{from, s.size})
	return s.failed(s.w.Flush())
}

func (s *spilled) failed(err error) error {
	if err != nil {
		return fmt.Errorf("extsort: writing %s: %w", s.file.Name(), err)
	}
	return nil
}

// close removes the file.
func (s *spilled) close() error {
	f := s.file
	*s = spilled{}
	if f == nil {
		return nil
	}
	return f.Close()
}

// Sort returns the sorted records. The Sorter must not be used afterwards.
func (s *Sorter) Sort() (*Sorted, error) {
	if s.err != nil {
		return nil, s.err
	}
	s.sort()
	s.aux = nil
	if len(s.runs) > 0 {
		if len(s.buf) > 0 {
			if err := s.spill(); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
		s.buf, s.w = nil, nil
	}
	return &Sorted{cfg: s.cfg, buf: s.buf, spilled: s.spilled}, nil
}

// Close discards the records.
func (s *Sorter) Close() error {
	s.buf, s.aux = nil, nil
	return s.close()
}

// Sorted is a sorted sequence of records.
type Sorted struct {
	cfg Config
	buf []byte
	spilled
}

// Len returns the number of records. With Merge and runs on disk it is the sum over the runs, an
// upper bound.
func (s *Sorted) Len() uint64 {
	n := int64(len(s.buf))
	for _, r := range s.runs {
		n += r.to - r.from
	}
	return uint64(n) / uint64(s.cfg.Record)
}

// Spilled returns the number of runs on disk.
func (s *Sorted) Spilled() int { return len(s.runs) }

// Close frees the memory and removes the temporary file.
func (s *Sorted) Close() error {
	s.buf = nil
	return s.close()
}

// Open returns a Reader at the first record. Several readers may be open.
func (s *Sorted) Open() (*Reader, error) {
	r := &Reader{cfg: s.cfg, buf: s.buf}
	if len(s.runs) == 0 {
		return r, nil
	}
	size := int(min(max(s.cfg.Memory/int64(2*len(s.runs)), 1<<12), 1<<20)) / s.cfg.Record * s.cfg.Record
	size = max(size, s.cfg.Record)
	buf := make([]byte, size*len(s.runs))
	var in []refiller
	for i, x := range s.runs {
		in = append(in, &section{file: s.file, run: x, buf: buf[i*size : (i+1)*size : (i+1)*size]})
	}
	var err error
	if r.tree, err = newTree(s.cfg.Record, s.cfg.Key, in); err != nil {
		return nil, err
	}
	if s.cfg.Merge != nil {
		r.out = make([]byte, s.cfg.Record)
		r.ahead, err = r.tree.next()
	}
	return r, err
}

// section reads a run of a temporary file.
type section struct {
	file *disk.File
	run  run
	buf  []byte
}

func (s *section) refill() ([]byte, error) {
	b := s.buf[:min(int64(len(s.buf)), s.run.to-s.run.from)]
	if len(b) == 0 {
		return nil, nil
	}
	if _, err := s.file.ReadAt(b, s.run.from); err != nil {
		return nil, fmt.Errorf("extsort: reading back %s: %w", s.file.Name(), err)
	}
	s.run.from += int64(len(b))
	return b, nil
}

// Reader reads a sorted sequence.
type Reader struct {
	cfg   Config
	buf   []byte // in memory: the remaining records
	tree  *tree  // on disk
	out   []byte // with Merge: the result for equal keys
	ahead []byte // with Merge: the next record of tree
}

// Next returns the next record, nil at the end. It is valid until the next
// call and must not be changed.
func (r *Reader) Next() ([]byte, error) {
	if r.tree == nil {
		if len(r.buf) == 0 {
			return nil, nil
		}
		rec := r.buf[:r.cfg.Record]
		r.buf = r.buf[r.cfg.Record:]
		return rec, nil
	}
	if r.cfg.Merge == nil {
		return r.tree.next()
	}
	if r.ahead == nil {
		return nil, nil
	}
	copy(r.out, r.ahead)
	for {
		var err error
		if r.ahead, err = r.tree.next(); err != nil {
			return nil, err
		}
		if r.ahead == nil || !bytes.Equal(r.ahead[:r.cfg.Key], r.out[:r.cfg.Key]) {
			return r.out, nil
		}
		r.cfg.Merge(r.out, r.ahead)
	}
}
