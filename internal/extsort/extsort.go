// Package extsort sorts more records than fit into memory. Records are byte
// strings of one length that begin with their key; keys compare as bytes, and
// records with equal keys are merged into one.
//
// What comes out does not depend on the memory allowed, as long as Merge gives
// the same in any order.
package extsort

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Config says what is sorted.
type Config struct {
	// Record is the length of a record in bytes, Key that of its key.
	Record, Key int
	// Memory bounds the bytes held at once; smaller than a few thousand
	// records is taken as that. Half of it holds records, half is for sorting.
	Memory int64
	// Dir is where the temporary file goes, "" means the system's folder.
	Dir string
	// Merge adds src to dst, which has the same key. With nil all records are
	// kept, in no defined order among equal keys.
	Merge func(dst, src []byte)
}

const minRecords = 1024

// Sorter collects records.
type Sorter struct {
	cfg  Config
	buf  []byte
	aux  []byte
	max  int // bytes of buf
	file *os.File
	w    *bufio.Writer
	runs []run
	size int64 // bytes in file
}

type run struct{ from, to int64 }

// New starts a sort.
func New(cfg Config) (*Sorter, error) {
	if cfg.Key < 1 || cfg.Record < cfg.Key {
		return nil, fmt.Errorf("extsort: records of %d bytes with keys of %d", cfg.Record, cfg.Key)
	}
	n := max(cfg.Memory/2/int64(cfg.Record), minRecords)
	return &Sorter{cfg: cfg, max: int(n) * cfg.Record}, nil
}

// Add returns room for one more record, which the caller fills before the
// next call.
func (s *Sorter) Add() ([]byte, error) {
	n := len(s.buf)
	if n+s.cfg.Record > cap(s.buf) {
		if err := s.grow(); err != nil {
			return nil, err
		}
		n = len(s.buf)
	}
	s.buf = s.buf[:n+s.cfg.Record]
	return s.buf[n : n+s.cfg.Record], nil
}

// grow makes room: by a larger buffer, else by merging, else by a new run.
func (s *Sorter) grow() error {
	if cap(s.buf) < s.max {
		n := min(max(2*cap(s.buf), minRecords*s.cfg.Record), s.max)
		s.buf = append(make([]byte, 0, n), s.buf...)
		return nil
	}
	s.sort()
	if len(s.buf) <= s.max/2 {
		return nil
	}
	return s.spill()
}

func (s *Sorter) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.cfg.Dir, "chaffinch-sort-*")
		if err != nil {
			return fmt.Errorf("extsort: %w", err)
		}
		s.file, s.w = f, bufio.NewWriterSize(f, 1<<18)
	}
	n, err := s.w.Write(s.buf)
	if err == nil {
		err = s.w.Flush()
	}
	if err != nil {
		return fmt.Errorf("extsort: writing %s: %w", s.file.Name(), err)
	}
	s.runs = append(s.runs, run{s.size, s.size + int64(n)})
	s.size += int64(n)
	s.buf = s.buf[:0]
	return nil
}

// Sort ends the collection. The Sorter must not be used afterwards.
func (s *Sorter) Sort() (*Sorted, error) {
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
	return &Sorted{cfg: s.cfg, buf: s.buf, file: s.file, runs: s.runs}, nil
}

// Close gives up.
func (s *Sorter) Close() error {
	s.buf, s.aux = nil, nil
	return remove(s.file)
}

func remove(f *os.File) error {
	if f == nil {
		return nil
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Sorted is the sorted sequence.
type Sorted struct {
	cfg  Config
	buf  []byte
	file *os.File
	runs []run
}

// Spilled tells how many runs went to disk.
func (s *Sorted) Spilled() int { return len(s.runs) }

// Close frees the memory and removes the temporary file.
func (s *Sorted) Close() error {
	s.buf = nil
	f := s.file
	s.file = nil
	return remove(f)
}

// Open starts to read from the beginning. Several readers may be open.
func (s *Sorted) Open() (*Reader, error) {
	r := &Reader{cfg: s.cfg, buf: s.buf}
	if len(s.runs) == 0 {
		return r, nil
	}
	size := int(min(max(s.cfg.Memory/int64(2*len(s.runs)), 1<<12), 1<<20))
	r.out = make([]byte, s.cfg.Record)
	for _, x := range s.runs {
		src := &source{
			in:  bufio.NewReaderSize(io.NewSectionReader(s.file, x.from, x.to-x.from), size),
			rec: make([]byte, s.cfg.Record),
		}
		if ok, err := src.next(); err != nil {
			return nil, err
		} else if ok {
			r.heap = append(r.heap, src)
		}
	}
	for i := len(r.heap)/2 - 1; i >= 0; i-- {
		r.down(i)
	}
	return r, nil
}

// Reader reads a sorted sequence.
type Reader struct {
	cfg  Config
	buf  []byte    // in memory: what is left
	heap []*source // on disk
	out  []byte
}

type source struct {
	in  *bufio.Reader
	rec []byte
}

func (s *source) next() (bool, error) {
	_, err := io.ReadFull(s.in, s.rec)
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("extsort: reading back: %w", err)
	}
	return true, nil
}

// Next returns the next record, nil at the end. It is valid until the next
// call and must not be changed.
func (r *Reader) Next() ([]byte, error) {
	if r.out == nil {
		if len(r.buf) == 0 {
			return nil, nil
		}
		rec := r.buf[:r.cfg.Record]
		r.buf = r.buf[r.cfg.Record:]
		return rec, nil
	}
	if len(r.heap) == 0 {
		return nil, nil
	}
	copy(r.out, r.heap[0].rec)
	if err := r.advance(); err != nil {
		return nil, err
	}
	for r.cfg.Merge != nil && len(r.heap) > 0 && bytes.Equal(r.heap[0].rec[:r.cfg.Key], r.out[:r.cfg.Key]) {
		r.cfg.Merge(r.out, r.heap[0].rec)
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// advance moves the first source on.
func (r *Reader) advance() error {
	ok, err := r.heap[0].next()
	if err != nil {
		return err
	}
	if !ok {
		last := len(r.heap) - 1
		r.heap[0] = r.heap[last]
		r.heap = r.heap[:last]
	}
	r.down(0)
	return nil
}

// down restores the heap below i.
func (r *Reader) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(r.heap) {
			return
		}
		if c+1 < len(r.heap) && r.less(c+1, c) {
			c++
		}
		if !r.less(c, i) {
			return
		}
		r.heap[c], r.heap[i] = r.heap[i], r.heap[c]
		i = c
	}
}

func (r *Reader) less(i, j int) bool {
	return bytes.Compare(r.heap[i].rec[:r.cfg.Key], r.heap[j].rec[:r.cfg.Key]) < 0
}
