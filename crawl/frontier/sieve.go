package frontier

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
)

// SieveConfig configures a [Sieve].
type SieveConfig struct {
	// Pending is the most keys until the next flush. Default: 4 Mi. At most 128 Ki of them are in memory;
	// the others are in a temporary file.
	Pending int
	// Recent is the size of the table of recent keys, a power of two; each takes 8 bytes. It drops
	// links that are on every page of a site. Default: 1 Mi.
	Recent int
}

// DefaultSieve takes at most 20 MB.
var DefaultSieve = SieveConfig{Pending: 4 << 20, Recent: 1 << 20}

// Sieve separates items with new keys from items with keys seen before. It is not safe for
// concurrent use.
type Sieve struct {
	dir        string
	cfg        SieveConfig
	generation int
	known      int64

	recent  []uint64
	pending int             // number of keys since the last flush
	keys    *extsort.Sorter // the keys, each with the index of its item in the order of Add; nil without a key
	items   *disk.File      // items of the pending keys in the order of Add, each after its length
	out     *bufio.Writer
	head    [binary.MaxVarintLen64]byte
	err     error // of a flush: every later call returns it
}

// OpenSieve opens the sieve in a folder with the state after flush number generation; 0 is an empty
// sieve. Later flushes in the folder are ignored.
func OpenSieve(dir string, generation int, cfg SieveConfig) (*Sieve, error) {
	if cfg.Pending < 1 || cfg.Recent < 1 || cfg.Recent&(cfg.Recent-1) != 0 {
		return nil, fmt.Errorf("sieve: %d pending and %d recent keys, wanted at least one of each, the latter a power of two", cfg.Pending, cfg.Recent)
	}
	s := &Sieve{dir: dir, cfg: cfg, generation: generation, recent: make([]uint64, cfg.Recent)}
	if generation > 0 {
		info, err := os.Stat(s.file(generation))
		if err != nil {
			return nil, err
		}
		if info.Size()%8 != 0 {
			return nil, fmt.Errorf("%s: %d bytes, wanted a multiple of 8: the file is damaged", s.file(generation), info.Size())
		}
		s.known = info.Size() / 8
	}
	var err error
	if s.items, err = disk.Scratch(dir); err != nil {
		return nil, err
	}
	s.out = bufio.NewWriterSize(s.items, 1<<16)
	return s, nil
}

// Close releases the sieve; items that were not flushed are lost.
func (s *Sieve) Close() error {
	err := s.items.Close()
	if s.keys != nil {
		err = errors.Join(err, s.keys.Close())
	}
	return err
}

// Known returns the number of flushed keys.
func (s *Sieve) Known() int64 { return s.known }

// Pending returns the number of items that wait for the next flush.
func (s *Sieve) Pending() int { return s.pending }

// Full reports whether the sieve must be flushed before the next Add.
func (s *Sieve) Full() bool { return s.pending == s.cfg.Pending }

// Generation returns the number of flushes that wrote a file.
func (s *Sieve) Generation() int { return s.generation }

func (s *Sieve) file(generation int) string {
	return filepath.Join(s.dir, fmt.Sprintf("seen-%08d", generation))
}

const (
	// keyBytes is the size of a key, pendingBytes the size of a key with the index of its item.
	keyBytes     = 8
	pendingBytes = keyBytes + 4
	// runKeys is the number of keys that are sorted at once.
	runKeys = 128 << 10
)

// addKey adds a key with the index of its item.
func (s *Sieve) addKey(key uint64, index int) (err error) {
	if s.keys == nil {
		if s.keys, err = extsort.New(extsort.Config{Record: pendingBytes, Key: keyBytes, Memory: 2 * runKeys * pendingBytes, Dir: s.dir}); err != nil {
			return err
		}
	}
	b, err := s.keys.Add()
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(b, key)
	binary.LittleEndian.PutUint32(b[keyBytes:], uint32(index))
	return nil
}

// errFull indicates that the caller did not flush.
var errFull = errors.New("sieve: full: call Flush")

// Add adds an item unless its key was seen recently. Keys are hashes of 64 bits: among a hundred
// million URLs, one crawl in three thousand mistakes a new URL for a known one.
func (s *Sieve) Add(key uint64, item []byte) error {
	if key == 0 {
		key = 1 // 0 marks an empty slot of s.recent
	}
	slot := &s.recent[key&uint64(len(s.recent)-1)]
	if *slot == key {
		return nil
	}
	if s.err != nil || s.Full() {
		return cmp.Or(s.err, errFull)
	}
	*slot = key
	n := binary.PutUvarint(s.head[:], uint64(len(item)))
	if _, err := s.out.Write(s.head[:n]); err != nil {
		return err
	}
	if _, err := s.out.Write(item); err != nil {
		return err
	}
	if err := s.addKey(key, s.pending); err != nil {
		return err
	}
	s.pending++
	return nil
}

// Flush calls emit for the first item of each new key, in the order of Add. The bytes of an item
// are valid until emit returns. After an error the sieve can only be closed.
func (s *Sieve) Flush(emit func(item []byte) error) error {
	if s.err == nil && s.pending > 0 {
		s.err = s.flush(emit)
	}
	return s.err
}

func (s *Sieve) flush(emit func(item []byte) error) error {
	isNew, err := s.merge()
	if err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.items.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.items, 1<<16)
	var item []byte
	for i := range s.pending {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if isNew[i/64]>>(i%64)&1 == 0 {
			if _, err := in.Discard(int(n)); err != nil {
				return err
			}
			continue
		}
		item = slices.Grow(item[:0], int(n))[:n]
		if _, err := io.ReadFull(in, item); err != nil {
			return err
		}
		if err := emit(item); err != nil {
			return err
		}
	}
	s.pending = 0
	if err := s.items.Truncate(0); err != nil {
		return err
	}
	_, err = s.items.Seek(0, io.SeekStart)
	s.out.Reset(s.items)
	return err
}

// merge writes the file of the next generation and returns a bit set of the pending items with a
// new key, by index.
func (s *Sieve) merge() (isNew []uint64, err error) {
	isNew = make([]uint64, (s.pending+63)/64)
	sorted, err := s.keys.Sort()
	if err != nil {
		return nil, err
	}
	s.keys = nil
	defer func() { err = errors.Join(err, sorted.Close()) }()
	pending, err := sorted.Open()
	if err != nil {
		return nil, err
	}
	old := &keyReader{}
	if s.generation > 0 {
		f, err := os.Open(s.file(s.generation))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		old = newKeyReader(f)
	}
	to, err := disk.Create(s.file(s.generation + 1))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	out := bufio.NewWriterSize(to, 1<<20)
	known, last := s.known, uint64(0) // no key is 0
	for {
		b, err := pending.Next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			break
		}
		key, index := binary.BigEndian.Uint64(b), binary.LittleEndian.Uint32(b[keyBytes:])
		if key == last { // equal keys are in the order of Add
			continue
		}
		last = key
		seen, err := old.copyUpTo(key, out)
		if err != nil {
			return nil, err
		}
		if !seen {
			known++
			isNew[index/64] |= 1 << (index % 64)
		}
		var to [keyBytes]byte
		binary.LittleEndian.PutUint64(to[:], key)
		out.Write(to[:]) // Flush returns the error
	}
	if err := old.copyRest(out); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	s.known = known
	s.generation++
	return isNew, nil
}

// Forget empties the table of recent keys, as in a newly opened sieve, so that later results depend
// only on the files.
func (s *Sieve) Forget() { clear(s.recent) }

// Prune removes the files of all flushes except the last one.
func (s *Sieve) Prune() error {
	return removeNumbered(s.dir, "seen-", func(n int) bool { return n != s.generation })
}

// removeNumbered removes the files in a folder whose names are a prefix and an unwanted number.
func removeNumbered(dir, prefix string, unwanted func(n int) bool) error {
	list, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
	if err != nil {
		return err
	}
	for _, name := range list {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(name), prefix+"%d", &n); err != nil || !unwanted(n) {
			continue
		}
		if err := disk.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// keyReader reads a sorted file of keys in blocks, since there are many old keys between two new
// ones.
type keyReader struct {
	in     io.Reader // nil for no keys
	block  []byte
	unread []byte // unread part of the block
}

func newKeyReader(r io.Reader) *keyReader {
	return &keyReader{in: r, block: make([]byte, 1<<20)}
}

// fill reads the next block if the last one is used up.
func (r *keyReader) fill() error {
	if r.in == nil || len(r.unread) > 0 {
		return nil
	}
	n, err := io.ReadFull(r.in, r.block)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("sieve: %w", err)
	}
	if n%8 != 0 {
		return fmt.Errorf("sieve: %w", io.ErrUnexpectedEOF)
	}
	r.unread = r.block[:n]
	return nil
}

// copyUpTo copies the keys below key to out, and reports whether key follows. If so it is skipped.
func (r *keyReader) copyUpTo(key uint64, out *bufio.Writer) (found bool, err error) {
	for {
		if err := r.fill(); err != nil || len(r.unread) == 0 {
			return false, err
		}
		at := 0
		for at < len(r.unread) && binary.LittleEndian.Uint64(r.unread[at:]) < key {
			at += 8
		}
		if _, err := out.Write(r.unread[:at]); err != nil {
			return false, err
		}
		if r.unread = r.unread[at:]; len(r.unread) > 0 {
			if found = binary.LittleEndian.Uint64(r.unread) == key; found {
				r.unread = r.unread[8:]
			}
			return found, nil
		}
	}
}

// copyRest copies the remaining keys to out.
func (r *keyReader) copyRest(out *bufio.Writer) error {
	for {
		if err := r.fill(); err != nil || len(r.unread) == 0 {
			return err
		}
		if _, err := out.Write(r.unread); err != nil {
			return err
		}
		r.unread = nil
	}
}
