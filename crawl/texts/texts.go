// Package texts detects texts that a crawl has seen before: exact duplicates by hash, and
// near-duplicates by a fingerprint of package simhash. [Open] returns a [Set]; [Set.Has] and
// [Set.Near] look up texts.
//
// Hashes and fingerprints are held in memory up to a limit, and then in sorted runs on disk. Runs
// are merged in the background, so that there are few (a log-structured merge tree; O'Neil and
// others 1996). A fingerprint is stored four times, ordered by each of its blocks (Manku and others
// 2007, section 3). Results depend only on the texts and their order, not on the memory.
//
// Unstable: this package may change in any release.
package texts

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"chaffinch/crawl/simhash"
	"chaffinch/internal/extsort"
	"chaffinch/internal/panics"
)

// Config configures a [Set].
type Config struct {
	// Dir is the folder of the runs. It must not contain other files.
	Dir string
	// Memory is the most bytes of memory that the set takes, at least [MinMemory].
	Memory int64
}

// MinMemory is the least value of [Config.Memory].
const MinMemory = 8 << 20

// Run is a file of a set.
type Run struct {
	Name    string
	Records int64
}

// State lists the files of a set, for [Open].
type State struct{ Runs []Run }

// Set holds hashes and fingerprints of texts. It is not safe for concurrent use.
type Set struct {
	cfg        Config
	folder     *extsort.Folder
	maxEntries int // most hashes, and most fingerprints, in memory
	hashes     map[uint64]struct{}
	prints     *simhash.Table
	runs       []run // oldest and largest runs first
	lastState  State
	retired    []extsort.Run // merged runs that a saved state may need

	merging chan merged // nil if no merge is running
	cancel  context.CancelFunc
}

// run is a run with a finder.
type run struct {
	extsort.Run
	*extsort.Finder
}

// merged is the result of a merge of n runs from index first on.
type merged struct {
	first, n int
	run      extsort.Run
	err      error
}

// A record consists of the number of a table, a key, and the place of a record. Table 0 holds the
// hashes of texts, the others fingerprints, each rotated so that another block comes first.
const (
	tableBytes = 1
	keyBytes   = 8
	record     = tableBytes + keyBytes + 8
)

const (
	// textBytes is the memory of a hash and a fingerprint.
	textBytes = 20 + 32
	// growth is the least ratio of the size of a run to the total size of the runs after it.
	growth = 3
	// maxCompared is the most fingerprints of a run that are compared for each block. A run of a
	// hundred million unrelated texts has about 1,500.
	maxCompared = 1 << 16
)

// Open opens the set with a state; the zero state is an empty set.
func Open(cfg Config, from State) (s *Set, err error) {
	if cfg.Memory < MinMemory {
		return nil, fmt.Errorf("memory for fingerprints: %d bytes, wanted at least %d", cfg.Memory, MinMemory)
	}
	s = &Set{cfg: cfg, maxEntries: int(cfg.Memory / 2 / textBytes), lastState: from}
	if s.folder, err = extsort.OpenFolder(cfg.Dir); err != nil {
		return nil, err
	}
	s.resetMemory()
	list := make([]extsort.Run, len(from.Runs))
	for i, r := range from.Runs {
		list[i] = extsort.Run{Name: r.Name, Records: r.Records, Record: record, Key: record}
	}
	if err := s.folder.Sweep(list); err != nil {
		return nil, err
	}
	for _, r := range list {
		if err := s.open(r); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// resetMemory empties the sets in memory.
func (s *Set) resetMemory() {
	s.hashes, s.prints = map[uint64]struct{}{}, simhash.NewTable(s.maxEntries)
}

func (s *Set) open(r extsort.Run) error {
	x, err := s.folder.Finder(r)
	if err == nil {
		s.runs = append(s.runs, run{r, x})
	}
	return damageError(err)
}

// damageError adds the consequences for the crawl to the error of a damaged file.
func damageError(err error) error {
	var d *extsort.Damage
	if errors.As(err, &d) {
		return fmt.Errorf("fingerprints of texts in %s: %w: the file was changed, or the disk is defective: repeat the crawl in a new folder; archives and texts are not affected", d.Path, d.Err)
	}
	return err
}

// Close stops a merge and closes the files. Texts that were not saved are lost.
func (s *Set) Close() (err error) {
	if s.merging != nil {
		s.cancel()
		<-s.merging
	}
	for _, r := range s.runs {
		err = errors.Join(err, r.Close())
	}
	return err
}

// Has reports whether a text with this hash was added.
func (s *Set) Has(text uint64) (found bool, err error) {
	if _, ok := s.hashes[text]; ok {
		return true, nil
	}
	prefix := binary.BigEndian.AppendUint64([]byte{0}, text)
	for i := len(s.runs) - 1; i >= 0 && !found && err == nil; i-- {
		err = s.runs[i].Prefix(prefix, func([]byte) bool { found = true; return false })
	}
	return found, damageError(err)
}

// Near returns the place of the nearest fingerprint, the greatest place of equally near ones; ok is
// false if all differ in more than [simhash.Near] bits.
func (s *Set) Near(fingerprint uint64) (place int64, ok bool, err error) {
	nearest := simhash.Near + 1
	look := func(p uint64, at int64) {
		if d := bits.OnesCount64(p ^ fingerprint); d < nearest || d == nearest && ok && at > place {
			nearest, place, ok = d, at, true
		}
	}
	if print, at, found := s.prints.Find(fingerprint); found {
		look(print, at)
	}
	for b := range simhash.Blocks {
		turn := simhash.BlockBits * b
		turned := bits.RotateLeft64(fingerprint, turn)
		prefix := binary.BigEndian.AppendUint16([]byte{byte(1 + b)}, uint16(turned>>(64-simhash.BlockBits)))
		for _, r := range s.runs {
			looks := 0
			err := r.Prefix(prefix, func(rec []byte) bool {
				look(bits.RotateLeft64(binary.BigEndian.Uint64(rec[tableBytes:]), -turn), int64(binary.BigEndian.Uint64(rec[tableBytes+keyBytes:])))
				looks++
				return looks < maxCompared
			})
			if err != nil {
				return 0, false, damageError(err)
			}
		}
	}
	return place, ok, nil
}

// AddText adds the hash of a text.
func (s *Set) AddText(text uint64) error {
	if err := s.makeSpace(); err != nil {
		return err
	}
	s.hashes[text] = struct{}{}
	return nil
}

// AddNear adds the fingerprint of the text with the record at a place.
func (s *Set) AddNear(fingerprint uint64, place int64) error {
	if err := s.makeSpace(); err != nil {
		return err
	}
	s.prints.Add(fingerprint, place)
	return nil
}

// makeSpace frees memory if the limit is reached.
func (s *Set) makeSpace() error {
	if len(s.hashes) < s.maxEntries && s.prints.Len() < s.maxEntries {
		return nil
	}
	return s.flush()
}

// flush writes the sets in memory to disk.
func (s *Set) flush() error {
	if len(s.hashes) > 0 || s.prints.Len() > 0 {
		list, err := s.write()
		if err != nil {
			return err
		}
		for _, r := range list {
			if err := s.open(r); err != nil {
				return err
			}
		}
		s.resetMemory()
	}
	return s.merge()
}

// writerConfig returns the configuration of runs.
func (s *Set) writerConfig() extsort.WriterConfig {
	return extsort.WriterConfig{Prefix: "texts", Record: record, Key: record, Memory: s.cfg.Memory / 8, Unique: true}
}

func (s *Set) write() ([]extsort.Run, error) {
	w, err := s.folder.NewWriter(s.writerConfig())
	if err != nil {
		return nil, err
	}
	add := func(table int, key, place uint64) error {
		rec, err := w.Add()
		if err == nil {
			rec[0] = byte(table)
			binary.BigEndian.PutUint64(rec[tableBytes:], key)
			binary.BigEndian.PutUint64(rec[tableBytes+keyBytes:], place)
		}
		return err
	}
	for text := range s.hashes { // the writer sorts them
		if err := add(0, text, 0); err != nil {
			return nil, err
		}
	}
	for print, place := range s.prints.All() {
		for b := range simhash.Blocks {
			if err := add(1+b, bits.RotateLeft64(print, simhash.BlockBits*b), uint64(place)); err != nil {
				return nil, err
			}
		}
	}
	return w.Flush()
}

// merge replaces runs by the result of a completed merge. It starts another merge if the last runs
// are not much smaller than the run before them.
func (s *Set) merge() error {
	if s.merging != nil {
		select {
		case m := <-s.merging:
			s.merging = nil
			x, err := (*extsort.Finder)(nil), m.err
			if err == nil {
				x, err = s.folder.Finder(m.run)
			}
			if err != nil {
				return damageError(err)
			}
			for _, r := range s.runs[m.first : m.first+m.n] {
				s.retired = append(s.retired, r.Run)
				if err := r.Close(); err != nil {
					return errors.Join(err, x.Close())
				}
			}
			s.runs = slices.Replace(s.runs, m.first, m.first+m.n, run{m.run, x})
		default:
			return nil
		}
	}
	first, after := len(s.runs), int64(0)
	for first > 0 && (first == len(s.runs) || s.runs[first-1].Records < growth*after) {
		first--
		after += s.runs[first].Records
	}
	if len(s.runs)-first < 2 {
		return nil
	}
	list := make([]extsort.Run, 0, len(s.runs)-first)
	for _, r := range s.runs[first:] {
		list = append(list, r.Run)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan merged, 1)
	s.merging, s.cancel = done, cancel
	cfg := s.writerConfig()
	go func() {
		m := merged{first: first, n: len(list)}
		m.err = panics.Catch(func() (err error) { m.run, err = s.folder.Join(ctx, list, cfg); return err })
		done <- m
	}()
	return nil
}

// Save writes the sets in memory to disk, and returns the state for [Open]. Files that only earlier
// states need exist until Prune.
func (s *Set) Save() (State, error) {
	if err := s.flush(); err != nil {
		return State{}, err
	}
	s.lastState = State{}
	for _, r := range s.runs {
		s.lastState.Runs = append(s.lastState.Runs, Run{r.Name, r.Records})
	}
	return s.lastState, nil
}

// Prune removes the files that the last saved state does not need.
func (s *Set) Prune() error {
	var gone []extsort.Run
	s.retired = slices.DeleteFunc(s.retired, func(r extsort.Run) bool {
		if slices.Contains(s.lastState.Runs, Run{r.Name, r.Records}) {
			return false
		}
		gone = append(gone, r)
		return true
	})
	return s.folder.Remove(gone)
}
