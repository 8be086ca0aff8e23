package plagiarism

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"

	"chaffinch/internal/disk"
)

const (
	// leastIDs is the minimum number of hashes that an idSet holds in memory.
	leastIDs = 1 << 16
	// idCost is an upper bound of the memory of a hash in bytes, also while it is written.
	idCost = 32
	// idBlock is the number of hashes that are read at a time.
	idBlock = 512
)

// idSet is a set of hashes of ids. It holds recent hashes in memory. All others are in one sorted
// temporary file, of which it holds the first hash of each block.
type idSet struct {
	dir    string
	limit  int // maximum number of recent hashes
	recent map[uint64]struct{}
	file   *disk.File
	n      int64 // hashes in file
	heads  []uint64
	buf    [8 * idBlock]byte
}

// newIDSet returns an empty set that uses about memory bytes, and temporary files in dir. If dir is
// "", all hashes are in memory.
func newIDSet(dir string, memory int64) *idSet {
	s := &idSet{dir: dir, limit: math.MaxInt, recent: map[uint64]struct{}{}}
	if dir != "" {
		s.limit = int(max(memory/idCost, leastIDs))
	}
	return s
}

// add adds a hash and reports whether it was missing.
func (s *idSet) add(key uint64) (bool, error) {
	if _, ok := s.recent[key]; ok {
		return false, nil
	}
	if ok, err := s.onDisk(key); ok || err != nil {
		return false, err
	}
	s.recent[key] = struct{}{}
	if len(s.recent) < s.limit {
		return true, nil
	}
	return true, s.spill()
}

// onDisk reports whether the file contains a hash.
func (s *idSet) onDisk(key uint64) (bool, error) {
	block, ok := slices.BinarySearch(s.heads, key)
	if ok || block == 0 {
		return ok, nil
	}
	from := int64(block-1) * idBlock
	b := s.buf[:8*min(s.n-from, idBlock)]
	if _, err := s.file.ReadAt(b, 8*from); err != nil {
		return false, fmt.Errorf("plagiarism index: reading %s: %w", s.file.Name(), err)
	}
	_, ok = sort.Find(len(b)/8, func(i int) int {
		return cmp.Compare(key, binary.LittleEndian.Uint64(b[8*i:]))
	})
	return ok, nil
}

// spill merges the recent hashes with the file.
func (s *idSet) spill() error {
	recent := make([]uint64, 0, len(s.recent))
	for key := range s.recent {
		recent = append(recent, key)
	}
	slices.Sort(recent)
	file, err := disk.Scratch(s.dir)
	if err != nil {
		return fmt.Errorf("plagiarism index: %w", err)
	}
	if err := s.mergeTo(file, recent); err != nil {
		return errors.Join(fmt.Errorf("plagiarism index: writing %s: %w", file.Name(), err), file.Close())
	}
	old := s.file
	s.file, s.n = file, s.n+int64(len(recent))
	clear(s.recent)
	if old != nil {
		return old.Close()
	}
	return nil
}

// mergeTo writes the hashes of the file and of recent, which is sorted, and replaces the heads.
func (s *idSet) mergeTo(file io.Writer, recent []uint64) error {
	w := bufio.NewWriterSize(file, spoolBytes)
	n, heads := 0, make([]uint64, 0, (int(s.n)+len(recent))/idBlock+1)
	put := func(key uint64) {
		if n%idBlock == 0 {
			heads = append(heads, key)
		}
		n++
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), key)) // Flush returns the error
	}
	if s.file != nil {
		r := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, 8*s.n), spoolBytes)
		for range s.n {
			b, err := r.Peek(8)
			if err != nil {
				return err
			}
			key := binary.LittleEndian.Uint64(b)
			r.Discard(8)
			for len(recent) > 0 && recent[0] < key {
				put(recent[0])
				recent = recent[1:]
			}
			put(key)
		}
	}
	for _, key := range recent {
		put(key)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.heads = heads
	return nil
}

// close frees the memory and removes the file.
func (s *idSet) close() (err error) {
	if s.file != nil {
		err = s.file.Close()
	}
	s.file, s.n, s.heads, s.recent = nil, 0, nil, nil
	return err
}
