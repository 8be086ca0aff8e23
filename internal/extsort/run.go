package extsort

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// A run file holds sorted records of one length:
//
//	header  64 bytes: magic "chafrun", version; little-endian uint32 record,
//	        key and block length in bytes; uint64 number of records; zeros; and
//	        in the last 8 bytes the XXH3 of the bytes before
//	blocks  as many whole records as fit into 16 KiB, then the XXH3 of these
//	        bytes, seeded with the number of the block, little-endian
//
// The last block may be shorter. A file gets its final name when all of it is on the disk.
const (
	runMagic   = "chafrun\x01"
	headerSize = 64
	sumSize    = 8
	blockSize  = 16 << 10

	runSuffix = ".run"
)

// Run identifies a complete run file of a Folder. Manifests store it.
type Run struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	// Record and Key are the lengths in bytes of a record and of its sort key.
	Record int `json:"record"`
	Key    int `json:"key"`
}

// Bytes returns the size of the file.
func (r Run) Bytes() int64 { return r.layout().fileSize(r.Records) }

func (r Run) layout() layout { return newLayout(r.Record, r.Key) }

// layout is the arrangement of records in the file of a run.
type layout struct {
	record, key int
	perBlock    int64 // records
}

func newLayout(record, key int) layout {
	return layout{record, key, int64(max(blockSize/max(record, 1), 1))} // check reports other lengths
}

func (l layout) check() error {
	if l.key < 1 || l.record < l.key || l.record > maxRecord {
		return fmt.Errorf("extsort: records of %d bytes with keys of %d, wanted at most %d", l.record, l.key, maxRecord)
	}
	return nil
}

// blockBytes returns the length of a full block without its checksum.
func (l layout) blockBytes() int { return int(l.perBlock) * l.record }

// offset returns the offset of a block.
func (l layout) offset(block int64) int64 {
	return headerSize + block*int64(l.blockBytes()+sumSize)
}

func (l layout) blocks(records int64) int64 { return (records + l.perBlock - 1) / l.perBlock }

func (l layout) fileSize(records int64) int64 {
	return headerSize + records*int64(l.record) + l.blocks(records)*sumSize
}

func (l layout) header(records int64) []byte {
	h := make([]byte, headerSize)
	copy(h, runMagic)
	binary.LittleEndian.PutUint32(h[8:], uint32(l.record))
	binary.LittleEndian.PutUint32(h[12:], uint32(l.key))
	binary.LittleEndian.PutUint32(h[16:], uint32(l.blockBytes()))
	binary.LittleEndian.PutUint64(h[20:], uint64(records))
	binary.LittleEndian.PutUint64(h[headerSize-sumSize:], xxh3.Hash(h[:headerSize-sumSize]))
	return h
}

// Damage is the error of a run whose content is not the written one: the file was changed,
// truncated or removed, or the disk is faulty.
type Damage struct {
	Path string
	Err  error // the cause
}

// Error returns the file, the cause and what to do.
func (d *Damage) Error() string {
	return fmt.Sprintf("work file %s: %v: the file was changed or the disk is at fault: remove the work folder and start again", d.Path, d.Err)
}

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// runFile is an open run.
type runFile struct {
	layout
	path    string
	file    *os.File
	records int64
}

// openRun opens a run and checks it against its entry in a manifest.
func openRun(dir string, r Run) (*runFile, error) {
	l := r.layout()
	if err := l.check(); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, r.Name)
	f, err := os.Open(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, &Damage{path, err}
	}
	h := make([]byte, headerSize)
	_, err = f.ReadAt(h, 0)
	info, statErr := f.Stat()
	switch {
	case statErr != nil:
		err = statErr
	case err != nil && err != io.EOF:
	case info.Size() != r.Bytes():
		err = fmt.Errorf("%d bytes, wanted %d for %d records", info.Size(), r.Bytes(), r.Records)
	case string(h) != string(l.header(r.Records)):
		err = fmt.Errorf("its header is not that of %d sorted records of %d bytes", r.Records, r.Record)
	}
	if err != nil {
		f.Close()
		return nil, &Damage{path, err}
	}
	return &runFile{layout: l, path: path, file: f, records: r.Records}, nil
}

// read reads and checks blocks from block first, as many as fit into buf. It returns their records,
// which are in buf without gaps.
func (f *runFile) read(buf []byte, first int64) ([]byte, error) {
	full := f.blockBytes() + sumSize
	count := min(int64(len(buf)/full), f.blocks(f.records)-first)
	if count <= 0 {
		return nil, nil
	}
	records := min(count*f.perBlock, f.records-first*f.perBlock)
	n := int(records)*f.record + int(count)*sumSize
	if _, err := f.file.ReadAt(buf[:n], f.offset(first)); err != nil {
		return nil, &Damage{f.path, fmt.Errorf("at byte %d: %w", f.offset(first), err)}
	}
	out := 0
	for i := range count {
		at := int(i) * full
		m := int(min(f.perBlock, records-i*f.perBlock)) * f.record
		block := buf[at : at+m]
		if want := binary.LittleEndian.Uint64(buf[at+m:]); xxh3.HashSeed(block, uint64(first+i)) != want {
			return nil, &Damage{f.path, fmt.Errorf("wrong checksum of the %d bytes at %d", m, f.offset(first+i))}
		}
		if out < at {
			copy(buf[out:], block)
		}
		out += m
	}
	return buf[:out], nil
}

// find returns the number of the first record that is not below key, which may be shorter than the
// key of a record. buf holds one block.
func (f *runFile) find(key, buf []byte) (int64, error) {
	lo, hi := int64(0), f.blocks(f.records) // the record is in the block before lo, or the first record of lo
	for lo < hi {
		mid := (lo + hi) / 2
		b, err := f.read(buf[:f.blockBytes()+sumSize], mid)
		if err != nil {
			return 0, err
		}
		if below(b, key) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, nil
	}
	b, err := f.read(buf[:f.blockBytes()+sumSize], lo-1)
	if err != nil {
		return 0, err
	}
	i, j := 0, len(b)/f.record
	for i < j {
		if mid := (i + j) / 2; below(b[mid*f.record:], key) {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return (lo-1)*f.perBlock + int64(i), nil
}

// below reports whether a record that starts with rec sorts before key.
func below(rec, key []byte) bool { return string(rec[:len(key)]) < string(key) }
