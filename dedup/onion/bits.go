package onion

import (
	"fmt"

	"chaffinch/internal/disk"
)

// pageBytes is the unit in which a bitSet grows and goes to disk.
const pageBytes = 1 << 14

// bitSet is the set of seen n-grams, one bit for each number. It holds as many pages
// as its memory permits. Other pages are in a file and replace pages that were not
// used recently (the clock algorithm). Errors of the file are kept until Err.
type bitSet struct {
	limit int // pages in memory
	dir   string
	slots []slot
	where []int32 // of a page: its slot + 1, 0 if it is in the file or empty
	saved []bool  // of a page: whether the file has it
	hand  int
	file  *disk.File
	err   error
}

type slot struct {
	page   int
	bits   *[pageBytes]byte
	used   bool // lately
	change bool
}

// newBitSet returns a set that holds about memory bytes. Its file, if any, is in dir.
func newBitSet(memory int64, dir string) *bitSet {
	return &bitSet{limit: int(max(memory/(pageBytes+64), 4)), dir: dir}
}

// bit returns the byte and the mask of a number, nil if the number is in no page and
// grow is false.
func (s *bitSet) bit(num uint64, grow bool) (b *byte, mask byte, at *slot) {
	page := int(num / (8 * pageBytes))
	if page >= len(s.where) {
		if !grow {
			return nil, 0, nil
		}
		for page >= len(s.where) {
			s.where, s.saved = append(s.where, 0), append(s.saved, false)
		}
	}
	if s.where[page] == 0 {
		if !grow && !s.saved[page] {
			return nil, 0, nil
		}
		s.load(page)
	}
	at = &s.slots[s.where[page]-1]
	at.used = true
	return &at.bits[num/8%pageBytes], 1 << (num % 8), at
}

// Has reports whether num is in the set.
func (s *bitSet) Has(num uint64) bool {
	b, mask, _ := s.bit(num, false)
	return b != nil && *b&mask != 0
}

// Add adds num and reports whether it was new.
func (s *bitSet) Add(num uint64) bool {
	b, mask, at := s.bit(num, true)
	if *b&mask != 0 {
		return false
	}
	*b |= mask
	at.change = true
	return true
}

// Remove removes num.
func (s *bitSet) Remove(num uint64) {
	if b, mask, at := s.bit(num, false); b != nil {
		*b &^= mask
		at.change = true
	}
}

// load reads a page into a slot.
func (s *bitSet) load(page int) {
	i := len(s.slots)
	if i < s.limit {
		s.slots = append(s.slots, slot{bits: new([pageBytes]byte)})
	} else {
		i = s.evict()
	}
	x := &s.slots[i]
	x.page, x.change = page, false
	s.where[page] = int32(i + 1)
	if !s.saved[page] {
		clear(x.bits[:])
		return
	}
	if s.err != nil {
		return
	}
	if _, err := s.file.ReadAt(x.bits[:], int64(page)*pageBytes); err != nil {
		s.fail(err)
	}
}

// evict empties a slot.
func (s *bitSet) evict() int {
	for s.slots[s.hand].used {
		s.slots[s.hand].used = false
		s.hand = (s.hand + 1) % len(s.slots)
	}
	x := &s.slots[s.hand]
	s.where[x.page] = 0
	if x.change {
		s.save(x)
	}
	i := s.hand
	s.hand = (s.hand + 1) % len(s.slots)
	return i
}

func (s *bitSet) save(x *slot) {
	if s.err != nil {
		return
	}
	if s.file == nil {
		f, err := disk.Scratch(s.dir)
		if err != nil {
			s.fail(err)
			return
		}
		s.file = f
	}
	if _, err := s.file.WriteAt(x.bits[:], int64(x.page)*pageBytes); err != nil {
		s.fail(err)
		return
	}
	s.saved[x.page] = true
}

func (s *bitSet) fail(err error) {
	if s.err == nil {
		s.err = fmt.Errorf("onion: the set of seen n-grams: %w", err)
	}
}

// Err returns the first error of the file.
func (s *bitSet) Err() error { return s.err }

// Close removes the file.
func (s *bitSet) Close() error {
	s.slots, s.where = nil, nil
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
