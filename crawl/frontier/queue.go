package frontier

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"chaffinch/internal/disk"
)

// QueueConfig sets the memory of a queue.
type QueueConfig struct {
	// Batch is how many bytes of items are sorted at once.
	Batch int
	// Segments is how many files the queue may have before the smallest become one;
	// a host takes 16 bytes in each that holds items of it.
	Segments int
}

// DefaultQueue takes 48 MB while items come in.
var DefaultQueue = QueueConfig{Batch: 24 << 20, Segments: 24}

// Queue keeps items on disk and gives those of a host in the order of their
// score, equal ones in the order in which they came. It is not safe for use by
// several goroutines.
//
// Each batch of items, sorted by host and score, becomes one file, a segment. What
// a host has in one is a run; the next item of a host is the best of the heads of
// its runs. Segments never change; what was taken is known by where runs begin.
type Queue struct {
	dir  string
	cfg  QueueConfig
	next int // number of the next segment

	hosts    [][]run // by host, those of older segments first
	segments map[uint32]*segment
	age      []uint32 // the numbers of the segments, oldest first
	length   int64

	batch []byte  // items since the last Commit, each with its length
	order []place // of the items in batch
	read  []byte
}

// run is what is left of a host's items in one segment.
type run struct {
	segment, offset, left uint32
	score                 uint8 // of the item at offset
}

type segment struct {
	file *os.File
	left int64 // items that were not taken
}

// place is where an item stands in a batch.
type place struct {
	at, length uint32
	host       uint32
	score      uint8
}

// NewQueue returns an empty queue whose files will be in a folder.
func NewQueue(dir string, cfg QueueConfig) *Queue {
	return &Queue{dir: dir, cfg: cfg, next: 1, segments: map[uint32]*segment{}}
}

// Close closes the files.
func (q *Queue) Close() (err error) {
	for _, s := range q.segments {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// Len returns the number of items of all hosts that were committed.
func (q *Queue) Len() int64 { return q.length }

// HostLen returns the number of items of a host that were committed.
func (q *Queue) HostLen(host uint32) (n int) {
	if int(host) < len(q.hosts) {
		for _, r := range q.hosts[host] {
			n += int(r.left)
		}
	}
	return n
}

// Head returns the score of the item of a host that Take would give, 0 without one.
func (q *Queue) Head(host uint32) uint8 {
	if int(host) >= len(q.hosts) || len(q.hosts[host]) == 0 {
		return 0
	}
	runs := q.hosts[host]
	return runs[bestRun(runs)].score
}

// Add takes an item in; it can be taken out after the next Commit.
func (q *Queue) Add(it Item) error {
	if len(q.batch) >= q.cfg.Batch {
		if err := q.Commit(); err != nil {
			return err
		}
	}
	at := len(q.batch)
	q.batch = it.AppendTo(q.batch)
	q.order = append(q.order, place{uint32(at), uint32(len(q.batch) - at), it.Host, it.Score})
	return nil
}

// Commit makes a segment of the items that were added, and one of several small
// ones where there are too many.
func (q *Queue) Commit() error {
	if len(q.order) == 0 {
		return nil
	}
	slices.SortFunc(q.order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
	})
	w, err := q.create()
	if err != nil {
		return err
	}
	for i, p := range q.order {
		if i == 0 || q.order[i-1].host != p.host {
			q.addRun(p.host, w.begin(p.score))
		}
		runs := q.hosts[p.host]
		runs[len(runs)-1].left++
		if err := w.add(q.batch[p.at : p.at+p.length]); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	q.length += int64(len(q.order))
	q.batch, q.order = q.batch[:0], q.order[:0]
	if err := w.close(); err != nil {
		return err
	}
	q.age = append(q.age, w.number)
	if len(q.age) > q.cfg.Segments {
		return q.compact()
	}
	return nil
}

func (q *Queue) addRun(host uint32, r run) {
	if n := int(host) + 1; n > len(q.hosts) {
		q.hosts = append(q.hosts, make([][]run, n-len(q.hosts))...)
	}
	q.hosts[host] = append(q.hosts[host], r)
}

// Take takes the next item of a host out. Its path is valid until the next call.
func (q *Queue) Take(host uint32) (it Item, ok bool, err error) {
	if int(host) >= len(q.hosts) || len(q.hosts[host]) == 0 {
		return Item{}, false, nil
	}
	runs := q.hosts[host]
	best := bestRun(runs)
	item, err := q.takeFrom(&runs[best])
	if err != nil {
		return Item{}, false, err
	}
	if runs[best].left == 0 {
		q.hosts[host] = slices.Delete(runs, best, best+1)
	}
	q.length--
	it, err = ParseItem(item)
	return it, err == nil, err
}

// Drop takes all items of a host out and returns how many there were.
func (q *Queue) Drop(host uint32) (n int64) {
	if int(host) >= len(q.hosts) {
		return 0
	}
	for _, r := range q.hosts[host] {
		n += int64(r.left)
		q.segments[r.segment].left -= int64(r.left)
	}
	q.hosts[host] = nil
	q.length -= n
	return n
}

// bestRun returns the run whose head has the highest score, the first of several.
func bestRun(runs []run) (best int) {
	for i := range runs {
		if runs[i].score > runs[best].score {
			best = i
		}
	}
	return best
}

// readAhead is what one reading of a segment fetches: an item and the head of the
// next one, if they are short.
const readAhead = 512

// maxItem is more than an item has, in bytes.
const maxItem = 1 << 24

// takeFrom takes the first item of a run out and returns its bytes.
func (q *Queue) takeFrom(r *run) (item []byte, err error) {
	s := q.segments[r.segment]
	for want := readAhead; ; want *= 4 {
		q.read = slices.Grow(q.read[:0], want)[:want]
		n, err := s.file.ReadAt(q.read, int64(r.offset))
		if err != nil && err != io.EOF {
			return nil, err
		}
		size, head := binary.Uvarint(q.read[:n])
		if head <= 0 || size > maxItem {
			return nil, q.damage(r)
		}
		end := head + int(size)
		if n < end || r.left > 1 && n < end+16 && n == want {
			if n < want || want > 1<<20 {
				return nil, q.damage(r)
			}
			continue
		}
		item = q.read[head:end]
		r.left--
		r.offset += uint32(end)
		s.left--
		if r.left > 0 {
			_, head := binary.Uvarint(q.read[end:n])
			if head <= 0 {
				return nil, q.damage(r)
			}
			next, err := ParseItem(q.read[end+head : n])
			if err != nil {
				return nil, q.damage(r)
			}
			r.score = next.Score
		}
		return item, nil
	}
}

func (q *Queue) damage(r *run) error {
	return fmt.Errorf("%s: byte %d: no item stands here: the file is damaged", q.file(r.segment), r.offset)
}

func (q *Queue) file(number uint32) string {
	return filepath.Join(q.dir, fmt.Sprintf("queue-%08d", number))
}

// compact makes one segment of neighbours in age, so that half of those that may
// be are left: of those that have the fewest items.
func (q *Queue) compact() error {
	width := len(q.age) - q.cfg.Segments/2
	first, least := 0, int64(math.MaxInt64)
	for i := range len(q.age) - width + 1 {
		var left int64
		for _, n := range q.age[i : i+width] {
			left += q.segments[n].left
		}
		if left < least {
			first, least = i, left
		}
	}
	merged := map[uint32]bool{}
	for _, n := range q.age[first : first+width] {
		merged[n] = true
	}
	w, err := q.create()
	if err != nil {
		return err
	}
	for host, runs := range q.hosts {
		isMerged := func(r run) bool { return merged[r.segment] }
		from := slices.IndexFunc(runs, isMerged)
		if from < 0 {
			continue
		}
		to := from
		for to < len(runs) && isMerged(runs[to]) {
			to++
		}
		one, err := q.merge(w, uint32(host), runs[from:to])
		if err != nil {
			return errors.Join(err, w.file.Close())
		}
		q.hosts[host] = slices.Replace(runs, from, to, one)
	}
	if err := w.close(); err != nil {
		return err
	}
	q.age = slices.Replace(q.age, first, first+width, w.number)
	return nil
}

// merge writes what is left of runs of one host, oldest first, as one run.
func (q *Queue) merge(w *segmentWriter, host uint32, runs []run) (run, error) {
	runs = slices.Clone(runs)
	one := w.begin(runs[bestRun(runs)].score)
	for len(runs) > 0 {
		best := bestRun(runs)
		item, err := q.takeFrom(&runs[best])
		if err != nil {
			return run{}, err
		}
		if err := w.add(item); err != nil {
			return run{}, err
		}
		one.left++
		if runs[best].left == 0 {
			runs = slices.Delete(runs, best, best+1)
		}
	}
	return one, nil
}

// Prune removes the segments of which nothing is left, and those that no queue
// knows: no checkpoint needs them.
func (q *Queue) Prune() (err error) {
	q.age = slices.DeleteFunc(q.age, func(n uint32) bool {
		s := q.segments[n]
		if s.left > 0 {
			return false
		}
		err = errors.Join(err, s.file.Close())
		delete(q.segments, n)
		return true
	})
	for n, s := range q.segments {
		if !slices.Contains(q.age, n) { // merged
			err = errors.Join(err, s.file.Close())
			delete(q.segments, n)
		}
	}
	return errors.Join(err, removeNumbered(q.dir, "queue-", func(n int) bool { return q.segments[uint32(n)] == nil }))
}

// Sync brings all files of the queue's folder to stable storage.
func (q *Queue) Sync() error { return disk.SyncFileSystem(q.dir) }

// segmentWriter writes a segment, run by run.
type segmentWriter struct {
	q      *Queue
	number uint32
	file   *disk.File
	out    *bufio.Writer
	offset int64
	left   int64
	head   [binary.MaxVarintLen64]byte
}

func (q *Queue) create() (*segmentWriter, error) {
	number := uint32(q.next)
	f, err := disk.Create(q.file(number))
	if err != nil {
		return nil, err
	}
	q.next++
	return &segmentWriter{q: q, number: number, file: f, out: bufio.NewWriterSize(f, 1<<16)}, nil
}

// begin returns a run whose items will be added next.
func (w *segmentWriter) begin(score uint8) run {
	return run{segment: w.number, offset: uint32(w.offset), score: score}
}

func (w *segmentWriter) add(item []byte) error {
	n := binary.PutUvarint(w.head[:], uint64(len(item)))
	if w.offset+int64(n+len(item)) > math.MaxUint32 {
		return fmt.Errorf("%s: longer than 4 GiB: set a smaller batch", w.q.file(w.number))
	}
	if _, err := w.out.Write(w.head[:n]); err != nil {
		return err
	}
	if _, err := w.out.Write(item); err != nil {
		return err
	}
	w.offset += int64(n + len(item))
	w.left++
	return nil
}

// close makes the segment readable.
func (w *segmentWriter) close() error {
	if err := w.out.Flush(); err != nil {
		return errors.Join(err, w.file.Close())
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return w.q.open(w.number, w.left)
}

// open opens a segment that was written.
func (q *Queue) open(number uint32, left int64) error {
	f, err := os.Open(q.file(number))
	if err != nil {
		return err
	}
	q.segments[number] = &segment{file: f, left: left}
	return nil
}
