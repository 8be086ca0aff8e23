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

// QueueConfig configures a [Queue].
type QueueConfig struct {
	// Batch is the bytes of items that are sorted at once. Default: 24 MiB.
	Batch int
	// Segments is the most files of the queue; beyond it the smallest are merged. A host takes 16
	// bytes in memory for each file with its items. Default: 24.
	Segments int
}

// DefaultQueue takes 48 MB while items are added.
var DefaultQueue = QueueConfig{Batch: 24 << 20, Segments: 24}

// Queue stores items on disk and returns the items of a host by descending score, equal ones in the
// order of Add. It is not safe for concurrent use.
//
// Each batch of items, sorted by host and score, is written to a file, a segment. The items of a
// host in a segment are a run. The next item of a host is the best of the first items of its runs.
// Segments never change: the start of each run shows which items were taken.
type Queue struct {
	dir  string
	cfg  QueueConfig
	next int // number of the next segment

	hosts        [][]run // by host, runs in older segments first
	segments     map[uint32]*segment
	segmentOrder []uint32 // numbers of the segments, oldest first
	length       int64

	batch      []byte         // items since the last Commit, each after its length
	order      []itemPosition // positions of the items in batch
	readBuffer []byte
}

// run holds the remaining items of a host in a segment.
type run struct {
	segment, offset, remaining uint32
	score                      uint8 // of the item at offset
}

type segment struct {
	file      *os.File
	remaining int64 // items that were not taken
}

// itemPosition is the position of an item in a batch.
type itemPosition struct {
	at, length uint32
	host       uint32
	score      uint8
}

// NewQueue returns an empty queue with its files in dir.
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

// Len returns the number of committed items of all hosts.
func (q *Queue) Len() int64 { return q.length }

// HostLen returns the number of committed items of a host.
func (q *Queue) HostLen(host uint32) (n int) {
	if int(host) < len(q.hosts) {
		for _, r := range q.hosts[host] {
			n += int(r.remaining)
		}
	}
	return n
}

// Head returns the score of the next item of a host; 0 if it has none.
func (q *Queue) Head(host uint32) uint8 {
	if int(host) >= len(q.hosts) || len(q.hosts[host]) == 0 {
		return 0
	}
	runs := q.hosts[host]
	return runs[bestRun(runs)].score
}

// Add adds an item. It is available after the next Commit.
func (q *Queue) Add(it Item) error {
	if len(q.batch) >= q.cfg.Batch {
		if err := q.Commit(); err != nil {
			return err
		}
	}
	at := len(q.batch)
	q.batch = it.AppendTo(q.batch)
	q.order = append(q.order, itemPosition{uint32(at), uint32(len(q.batch) - at), it.Host, it.Score})
	return nil
}

// Commit writes the added items to a segment, and merges segments if there are too many.
func (q *Queue) Commit() error {
	if len(q.order) == 0 {
		return nil
	}
	slices.SortFunc(q.order, func(a, b itemPosition) int {
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
		runs[len(runs)-1].remaining++
		if err := w.add(q.batch[p.at : p.at+p.length]); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	q.length += int64(len(q.order))
	q.batch, q.order = q.batch[:0], q.order[:0]
	if err := w.close(); err != nil {
		return err
	}
	q.segmentOrder = append(q.segmentOrder, w.number)
	if len(q.segmentOrder) > q.cfg.Segments {
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

// Take removes the next item of a host and returns it. Its path is valid until the next call.
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
	if runs[best].remaining == 0 {
		q.hosts[host] = slices.Delete(runs, best, best+1)
	}
	q.length--
	it, err = ParseItem(item)
	return it, err == nil, err
}

// Drop removes all items of a host and returns their number.
func (q *Queue) Drop(host uint32) (n int64) {
	if int(host) >= len(q.hosts) {
		return 0
	}
	for _, r := range q.hosts[host] {
		n += int64(r.remaining)
		q.segments[r.segment].remaining -= int64(r.remaining)
	}
	q.hosts[host] = nil
	q.length -= n
	return n
}

// bestRun returns the index of the run whose first item has the highest score, the first of
// several.
func bestRun(runs []run) (best int) {
	for i := range runs {
		if runs[i].score > runs[best].score {
			best = i
		}
	}
	return best
}

// readAhead is the size of a read of a segment: an item and the start of the next one, if they are
// short.
const readAhead = 512

// maxItem is more than the bytes of any item.
const maxItem = 1 << 24

// takeFrom removes the first item of a run and returns its bytes.
func (q *Queue) takeFrom(r *run) (item []byte, err error) {
	s := q.segments[r.segment]
	for want := readAhead; ; want *= 4 {
		q.readBuffer = slices.Grow(q.readBuffer[:0], want)[:want]
		n, err := s.file.ReadAt(q.readBuffer, int64(r.offset))
		if err != nil && err != io.EOF {
			return nil, err
		}
		size, head := binary.Uvarint(q.readBuffer[:n])
		if head <= 0 || size > maxItem {
			return nil, q.damage(r)
		}
		end := head + int(size)
		if n < end || r.remaining > 1 && n < end+16 && n == want {
			if n < want || want > 1<<20 {
				return nil, q.damage(r)
			}
			continue
		}
		item = q.readBuffer[head:end]
		r.remaining--
		r.offset += uint32(end)
		s.remaining--
		if r.remaining > 0 {
			_, head := binary.Uvarint(q.readBuffer[end:n])
			if head <= 0 {
				return nil, q.damage(r)
			}
			next, err := ParseItem(q.readBuffer[end+head : n])
			if err != nil {
				return nil, q.damage(r)
			}
			r.score = next.Score
		}
		return item, nil
	}
}

func (q *Queue) damage(r *run) error {
	return fmt.Errorf("%s: byte %d: no item at this place: the file is damaged", q.file(r.segment), r.offset)
}

func (q *Queue) file(number uint32) string {
	return filepath.Join(q.dir, fmt.Sprintf("queue-%08d", number))
}

// compact merges adjacent segments into one, so that half of the allowed number is left. It chooses
// the segments with the fewest items.
func (q *Queue) compact() error {
	width := len(q.segmentOrder) - q.cfg.Segments/2
	first, least := 0, int64(math.MaxInt64)
	for i := range len(q.segmentOrder) - width + 1 {
		var left int64
		for _, n := range q.segmentOrder[i : i+width] {
			left += q.segments[n].remaining
		}
		if left < least {
			first, least = i, left
		}
	}
	merged := map[uint32]bool{}
	for _, n := range q.segmentOrder[first : first+width] {
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
	q.segmentOrder = slices.Replace(q.segmentOrder, first, first+width, w.number)
	return nil
}

// merge writes the remaining items of the runs of a host, oldest first, as one run.
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
		one.remaining++
		if runs[best].remaining == 0 {
			runs = slices.Delete(runs, best, best+1)
		}
	}
	return one, nil
}

// Prune removes empty segments and files of merged ones. The caller must have saved a checkpoint
// without them.
func (q *Queue) Prune() (err error) {
	q.segmentOrder = slices.DeleteFunc(q.segmentOrder, func(n uint32) bool {
		s := q.segments[n]
		if s.remaining > 0 {
			return false
		}
		err = errors.Join(err, s.file.Close())
		delete(q.segments, n)
		return true
	})
	for n, s := range q.segments {
		if !slices.Contains(q.segmentOrder, n) { // merged
			err = errors.Join(err, s.file.Close())
			delete(q.segments, n)
		}
	}
	return errors.Join(err, removeNumbered(q.dir, "queue-", func(n int) bool { return q.segments[uint32(n)] == nil }))
}

// Sync writes all files in the folder to stable storage.
func (q *Queue) Sync() error { return disk.SyncFileSystem(q.dir) }

// segmentWriter writes a segment, run by run.
type segmentWriter struct {
	q         *Queue
	number    uint32
	file      *disk.File
	out       *bufio.Writer
	offset    int64
	remaining int64
	head      [binary.MaxVarintLen64]byte
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

// begin returns a run for the items that are added next.
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
	w.remaining++
	return nil
}

// close completes the segment and opens it for reading.
func (w *segmentWriter) close() error {
	if err := w.out.Flush(); err != nil {
		return errors.Join(err, w.file.Close())
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return w.q.open(w.number, w.remaining)
}

// open opens a written segment.
func (q *Queue) open(number uint32, left int64) error {
	f, err := os.Open(q.file(number))
	if err != nil {
		return err
	}
	q.segments[number] = &segment{file: f, remaining: left}
	return nil
}
