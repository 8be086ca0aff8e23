package extsort

import (
	"encoding/binary"
	"fmt"
)

// Finder finds records of a run by a prefix of their keys. It holds one block, and eight bytes for
// each block of the run. It is not safe for concurrent use.
type Finder struct {
	file  *runFile
	heads []uint64 // first bytes of each block, 0 if unknown
	buf   []byte
	recs  []byte // of the block that was read last
	block int64  // its number, -1 at first
}

// Finder opens a run.
func (f *Folder) Finder(r Run) (*Finder, error) {
	file, err := openRun(f.dir, r)
	if err != nil {
		return nil, err
	}
	if file.record < 8 {
		file.file.Close()
		return nil, fmt.Errorf("extsort: records of %d bytes, wanted at least 8 to look them up", file.record)
	}
	return &Finder{file: file, heads: make([]uint64, file.blocks(file.records)), buf: make([]byte, file.blockBytes()+sumSize), block: -1}, nil
}

// Close closes the run.
func (x *Finder) Close() error { return x.file.file.Close() }

// Prefix calls fn for the records that begin with prefix, in order, until it returns false. A
// record is valid until fn returns. The prefix must not be longer than the key.
func (x *Finder) Prefix(prefix []byte, fn func(rec []byte) bool) error {
	lo, hi := int64(0), int64(len(x.heads))
	for lo < hi { // to the first block that does not start below the prefix
		mid := (lo + hi) / 2
		isBelow, err := x.startsBelow(mid, prefix)
		if err != nil {
			return err
		}
		if isBelow {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for b := max(lo-1, 0); b < int64(len(x.heads)); b++ {
		if err := x.load(b); err != nil {
			return err
		}
		i, n := 0, len(x.recs)/x.file.record
		for j := n; i < j; {
			if mid := (i + j) / 2; below(x.recs[mid*x.file.record:], prefix) {
				i = mid + 1
			} else {
				j = mid
			}
		}
		for ; i < n; i++ {
			rec := x.recs[i*x.file.record:][:x.file.record]
			if string(rec[:len(prefix)]) != string(prefix) || !fn(rec) {
				return nil
			}
		}
	}
	return nil
}

// startsBelow reports whether the first record of a block is below prefix. It reads the block only
// if the known bytes do not decide it.
func (x *Finder) startsBelow(block int64, prefix []byte) (bool, error) {
	if head := x.heads[block]; head != 0 {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], head)
		n := min(len(prefix), len(b))
		if known, wanted := string(b[:n]), string(prefix[:n]); known != wanted || n == len(prefix) {
			return known < wanted, nil
		}
	}
	if err := x.load(block); err != nil {
		return false, err
	}
	return below(x.recs, prefix), nil
}

// load reads a block unless it is loaded.
func (x *Finder) load(block int64) (err error) {
	if block == x.block {
		return nil
	}
	x.block = -1
	if x.recs, err = x.file.read(x.buf, block); err != nil {
		return err
	}
	x.block, x.heads[block] = block, binary.BigEndian.Uint64(x.recs)
	return nil
}
