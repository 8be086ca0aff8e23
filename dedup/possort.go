package dedup

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"chaffinch/internal/disk"
)

// positionSorter sorts records of any length by position. It has a file for each range of
// positions, intended to be sorted in memory. A record consists of its position (8
// bytes), its length (8) and its bytes.
type positionSorter struct {
	docs   int64 // places are below it
	memory int64
	files  []*disk.File
	bufs   []*bufio.Writer
}

const (
	sorterPrefix = "shelf-" // part of the file format
	maxSorter    = 256
)

// openPositionSorter opens the sorter of an output to append to files of the given lengths.
func (r *run) openPositionSorter(number int, lengths []int64) (*positionSorter, error) {
	s := &positionSorter{docs: max(r.m.Docs, 1), memory: r.plan.method}
	n := min(max(2*r.m.Bytes/s.memory+1, 1), maxSorter)
	for i := range n {
		var at int64
		if int(i) < len(lengths) {
			at = lengths[i]
		}
		f, err := openAt(filepath.Join(r.dir, fmt.Sprintf("%s%d-%d", sorterPrefix, number, i)), at)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		s.files = append(s.files, f)
		s.bufs = append(s.bufs, bufio.NewWriterSize(f, 1<<14))
	}
	return s, nil
}

func (s *positionSorter) add(pos int64, b []byte) error {
	var head [16]byte
	binary.BigEndian.PutUint64(head[:], uint64(pos))
	binary.BigEndian.PutUint64(head[8:], uint64(len(b)))
	w := s.bufs[pos*int64(len(s.bufs))/s.docs]
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// sync writes all records to stable storage and returns the lengths of the files.
func (s *positionSorter) sync() ([]int64, error) {
	lengths := make([]int64, len(s.files))
	for i, f := range s.files {
		if err := s.bufs[i].Flush(); err != nil {
			return nil, err
		}
		st, err := f.Stat()
		if err != nil {
			return nil, err
		}
		lengths[i] = st.Size()
		if err := f.Sync(); err != nil {
			return nil, err
		}
	}
	return lengths, nil
}

// writeTo writes the records in order. It is called after sync.
func (s *positionSorter) writeTo(ctx context.Context, w io.Writer) error {
	for _, f := range s.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.sorted(w, f); err != nil {
			return err
		}
	}
	return nil
}

// sorted writes the records of one file in order. It reads the file into memory if it
// fits, otherwise each record from disk.
func (s *positionSorter) sorted(w io.Writer, f *disk.File) error {
	type record struct{ pos, at, n int64 }
	var list []record
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var from io.ReaderAt = f
	if st.Size() <= s.memory {
		b := make([]byte, st.Size())
		if _, err := io.ReadFull(io.NewSectionReader(f, 0, st.Size()), b); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		from = bytes.NewReader(b)
	}
	var head [16]byte
	for at := int64(0); at < st.Size(); {
		if _, err := from.ReadAt(head[:], at); err != nil {
			return fmt.Errorf("%s: at byte %d: %w", f.Name(), at, err)
		}
		x := record{int64(binary.BigEndian.Uint64(head[:])), at + 16, int64(binary.BigEndian.Uint64(head[8:]))}
		if at = x.at + x.n; x.n < 0 || at > st.Size() {
			return &damage{f.Name(), fmt.Errorf("no record at byte %d", x.at)}
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b record) int { return cmp.Compare(a.pos, b.pos) })
	for _, x := range list {
		if _, err := io.Copy(w, io.NewSectionReader(from, x.at, x.n)); err != nil {
			return err
		}
	}
	return nil
}

func (s *positionSorter) close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
