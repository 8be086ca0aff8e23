package frontier

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"chaffinch/internal/disk"
	"chaffinch/internal/offheap"
)

// QueueConfig configures a [Queue].
type QueueConfig struct {
	// Batch is the bytes of items that are sorted at once. Default: 12 MiB.
	Batch int
	// Segments is the most files of the queue; beyond it the smallest are merged. A host takes 16
	// bytes in memory for each file with its items. Default: 6.
	Segments int
	// Memory is the most bytes of memory for hosts. The rest is in a temporary file. Default: no limit.
	Memory int64
}

// DefaultQueue takes at most 24 MB while items are added, besides the memory for hosts.
var DefaultQueue = QueueConfig{Batch: 12 << 20, Segments: 6}

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

	memory   *offheap.Memory
	hosts    *offheap.Table[uint32] // index of the first run by host; 0 for none
	runs     *offheap.Table[run]    // run 0 is unused
	freeRun  uint32                 // first of the list of unused runs
	segments []*segment             // nil if unused
	order    []uint16               // indices of the segments, oldest first
	length   int64

	batch      []byte         // items since the last Commit, each after its length
	added      []itemPosition // positions of the items in batch
	readBuffer []byte
}

// run holds the remaining items of a host in a segment. The runs of a host are a list, those in older
// segments first.
type run struct {
	next       uint32 // index of the next run of the host; 0 for none
	remaining  uint32
	offset     uint32
	offsetHigh uint8  // bits of the offset from 32 on
	score      uint8  // of the item at the offset
	segment    uint16 // index
}

func (r *run) at() int64 { return int64(r.offsetHigh)<<32 | int64(r.offset) }

func (r *run) moveTo(at int64) { r.offset, r.offsetHigh = uint32(at), uint8(at>>32) }

// maxSegment is the greatest size of a segment, and maxSegments the most segments with files.
const (
	maxSegment  = 1 << 40
	maxSegments = 1 << 16
)

type segment struct {
	number    uint32
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
	m := offheap.New(dir, cfg.Memory)
	q := &Queue{dir: dir, cfg: cfg, next: 1, memory: m, hosts: offheap.NewTable[uint32](m), runs: offheap.NewTable[run](m)}
	q.runs.Add()
	return q
}

// Close closes the files.
func (q *Queue) Close() error {
	err := q.memory.Close()
	for _, s := range q.segments {
		if s != nil {
			err = errors.Join(err, s.file.Close())
		}
	}
	return err
}

// Release removes the part of the memory for hosts that is in a file from the memory of the process.
func (q *Queue) Release() { q.memory.Release() }

// HostBytes returns the bytes for hosts, in memory and in the temporary file.
func (q *Queue) HostBytes() int64 { return q.memory.Used() }

// Len returns the number of committed items of all hosts.
func (q *Queue) Len() int64 { return q.length }

// releaseHosts is the number of hosts in a pass over many between two releases of memory. The system
// maps up to 64 KiB around each run that is used.
const releaseHosts = 256

// firstRun returns the index of the first run of a host, 0 for none.
func (q *Queue) firstRun(host uint32) uint32 {
	if int(host) >= q.hosts.Len() {
		return 0
	}
	return *q.hosts.At(int(host))
}

func (q *Queue) run(i uint32) *run { return q.runs.At(int(i)) }

// Head returns the score of the next item of a host; 0 if it has none.
func (q *Queue) Head(host uint32) uint8 {
	best, _ := q.bestRun(host)
	if best == 0 {
		return 0
	}
	return q.run(best).score
}

// bestRun returns the run of a host whose first item has the highest score, the oldest of several, and
// the run before it; 0 for none.
func (q *Queue) bestRun(host uint32) (best, before uint32) {
	last := uint32(0)
	for i := q.firstRun(host); i != 0; i = q.run(i).next {
		if best == 0 || q.run(i).score > q.run(best).score {
			best, before = i, last
		}
		last = i
	}
	return best, before
}

// Add adds an item. It is available after the next Commit.
func (q *Queue) Add(it Item) error {
	if len(q.batch) >= q.cfg.Batch {
		if err := q.Commit(); err != nil {
			return err
		}
	}
	at := len(q.batch)
	if at > q.cfg.Batch/16 && cap(q.batch) < q.cfg.Batch { // growing in steps would take more memory
		q.batch = slices.Grow(q.batch, q.cfg.Batch+readAhead-at)
	}
	q.batch = it.AppendTo(q.batch)
	q.added = append(q.added, itemPosition{uint32(at), uint32(len(q.batch) - at), it.Host, it.Score})
	return nil
}

// Commit writes the added items to a segment, and merges segments if there are too many.
func (q *Queue) Commit() error {
	if len(q.added) == 0 {
		return nil
	}
	slices.SortFunc(q.added, func(a, b itemPosition) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
	})
	w, err := q.create()
	if err != nil {
		return err
	}
	var r *run
	for i, p := range q.added {
		if i%releaseHosts == releaseHosts-1 {
			q.Release()
		}
		if i == 0 || q.added[i-1].host != p.host {
			r = q.addRun(p.host)
			w.begin(r, p.score)
		}
		r.remaining++
		if err := w.add(q.batch[p.at : p.at+p.length]); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	q.length += int64(len(q.added))
	q.batch, q.added = q.batch[:0], q.added[:0]
	if err := w.close(); err != nil {
		return err
	}
	q.order = append(q.order, w.index)
	if len(q.order) > q.cfg.Segments {
		return q.compact()
	}
	return nil
}

// addRun appends an empty run to the runs of a host.
func (q *Queue) addRun(host uint32) *run {
	for int(host) >= q.hosts.Len() {
		q.hosts.Add()
	}
	to := q.hosts.At(int(host))
	for *to != 0 {
		to = &q.run(*to).next
	}
	if *to = q.freeRun; *to == 0 {
		*to = uint32(q.runs.Len())
		return q.runs.Add()
	}
	r := q.run(*to)
	q.freeRun = r.next
	*r = run{}
	return r
}

// removeRun removes a run of a host, which follows the run before.
func (q *Queue) removeRun(host, i, before uint32) {
	r := q.run(i)
	if before == 0 {
		*q.hosts.At(int(host)) = r.next
	} else {
		q.run(before).next = r.next
	}
	r.next, q.freeRun = q.freeRun, i
}

// Take removes the next item of a host and returns it. Its path is valid until the next call.
func (q *Queue) Take(host uint32) (it Item, ok bool, err error) {
	best, before := q.bestRun(host)
	if best == 0 {
		return Item{}, false, nil
	}
	r := q.run(best)
	item, err := q.takeFrom(r)
	if err != nil {
		return Item{}, false, err
	}
	if r.remaining == 0 {
		q.removeRun(host, best, before)
	}
	q.length--
	it, err = ParseItem(item)
	return it, err == nil, err
}

// Drop removes all items of a host and returns their number.
func (q *Queue) Drop(host uint32) (n int64) {
	for i := q.firstRun(host); i != 0; i = q.firstRun(host) {
		r := q.run(i)
		n += int64(r.remaining)
		q.segments[r.segment].remaining -= int64(r.remaining)
		q.removeRun(host, i, 0)
	}
	q.length -= n
	return n
}

const (
	// readAhead is the size of a read of a segment: an item and the start of the next one, if they are
	// short.
	readAhead = 512
	// maxItem is more than the bytes of any item.
	maxItem = 1 << 24
	// maxHead is the most bytes of an item up to its score: its length, host and score.
	maxHead = 4 + binary.MaxVarintLen32 + 1
)

// takeFrom removes the first item of a run and returns its bytes.
func (q *Queue) takeFrom(r *run) (item []byte, err error) {
	s := q.segments[r.segment]
	for want := readAhead; ; want *= 4 {
		q.readBuffer = slices.Grow(q.readBuffer[:0], want)[:want]
		n, err := s.file.ReadAt(q.readBuffer, r.at())
		if err != nil && err != io.EOF {
			return nil, err
		}
		size, head := binary.Uvarint(q.readBuffer[:n])
		if head <= 0 || size > maxItem {
			return nil, q.damage(r)
		}
		end := head + int(size)
		if n < end || r.remaining > 1 && n < end+maxHead && n == want {
			if n < want || want > 1<<20 {
				return nil, q.damage(r)
			}
			continue
		}
		return q.readBuffer[head:end], q.skip(r, end, q.readBuffer[end:n])
	}
}

// skip moves the start of a run by the size of its first item, to the start of an item.
func (q *Queue) skip(r *run, size int, start []byte) error {
	r.moveTo(r.at() + int64(size))
	r.remaining--
	q.segments[r.segment].remaining--
	if r.remaining == 0 {
		return nil
	}
	_, n := binary.Uvarint(start)
	if n <= 0 {
		return q.damage(r)
	}
	_, m := binary.Uvarint(start[n:])
	if m <= 0 || n+m >= len(start) {
		return q.damage(r)
	}
	r.score = start[n+m]
	return nil
}

func (q *Queue) damage(r *run) error {
	return fmt.Errorf("%s: byte %d: no item at this place: the file is damaged", q.file(q.segments[r.segment].number), r.at())
}

func (q *Queue) file(number uint32) string {
	return filepath.Join(q.dir, fmt.Sprintf("queue-%08d", number))
}

// Prune removes empty segments and files of merged ones. The caller must have saved a checkpoint
// without them.
func (q *Queue) Prune() (err error) {
	q.order = slices.DeleteFunc(q.order, func(i uint16) bool { return q.segments[i].remaining == 0 })
	kept := map[uint32]bool{}
	for i, s := range q.segments {
		switch {
		case s == nil:
		case slices.Contains(q.order, uint16(i)):
			kept[s.number] = true
		default: // empty or merged
			err = errors.Join(err, s.file.Close())
			q.segments[i] = nil
		}
	}
	return errors.Join(err, removeNumbered(q.dir, "queue-", func(n int) bool { return !kept[uint32(n)] }))
}

// Sync writes all files in the folder to stable storage.
func (q *Queue) Sync() error { return disk.SyncFileSystem(q.dir) }
