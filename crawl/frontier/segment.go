package frontier

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"chaffinch/internal/disk"
)

// segmentWriter writes a segment, run by run.
type segmentWriter struct {
	q         *Queue
	number    uint32
	index     uint16
	file      *disk.File
	out       *bufio.Writer
	offset    int64
	remaining int64
	head      [binary.MaxVarintLen64]byte
}

func (q *Queue) create() (*segmentWriter, error) {
	number := uint32(q.next)
	index := slices.Index(q.segments, nil)
	if index < 0 {
		index = len(q.segments)
		q.segments = append(q.segments, nil)
	}
	if index >= maxSegments {
		return nil, fmt.Errorf("queue in %s: more than %d files: call Prune", q.dir, maxSegments)
	}
	f, err := disk.Create(q.file(number))
	if err != nil {
		return nil, err
	}
	q.next++
	return &segmentWriter{q: q, number: number, index: uint16(index), file: f, out: bufio.NewWriterSize(f, 1<<16)}, nil
}

// begin starts a run with the items that are added next.
func (w *segmentWriter) begin(r *run, score uint8) {
	r.segment, r.score, r.remaining = w.index, score, 0
	r.moveTo(w.offset)
}

func (w *segmentWriter) add(item []byte) error {
	n := binary.PutUvarint(w.head[:], uint64(len(item)))
	if w.offset+int64(n+len(item)) > maxSegment {
		return fmt.Errorf("%s: longer than 1 TiB", w.q.file(w.number))
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
	return w.q.open(int(w.index), w.number, w.remaining)
}

// open opens a written segment.
func (q *Queue) open(index int, number uint32, left int64) error {
	f, err := os.Open(q.file(number))
	if err != nil {
		return err
	}
	q.segments[index] = &segment{number: number, file: f, remaining: left}
	return nil
}

// segmentReader reads runs of a segment in the order of hosts.
type segmentReader struct {
	file *os.File
	in   *bufio.Reader
	at   int64 // offset of the next byte of in
	item []byte
}

// seek moves to the start of a run.
func (m *segmentReader) seek(at int64) error {
	if gap := at - m.at; gap >= 0 && gap < 1<<16 {
		m.at = at
		_, err := m.in.Discard(int(gap))
		return err
	}
	m.at = at
	m.in.Reset(io.NewSectionReader(m.file, at, maxSegment))
	return nil
}

// takeNext removes the first item of a run and returns its bytes.
func (q *Queue) takeNext(m *segmentReader, r *run) ([]byte, error) {
	if err := m.seek(r.at()); err != nil {
		return nil, q.damage(r)
	}
	size, err := binary.ReadUvarint(m.in)
	if err != nil || size > maxItem {
		return nil, q.damage(r)
	}
	m.item = slices.Grow(m.item[:0], int(size))[:size]
	if _, err := io.ReadFull(m.in, m.item); err != nil {
		return nil, q.damage(r)
	}
	var head [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(head[:], size) + int(size)
	m.at += int64(n)
	start, err := m.in.Peek(maxHead)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return m.item, q.skip(r, n, start)
}

// compact merges adjacent segments into one, so that half of the allowed number is left. It chooses
// the segments with the fewest items.
func (q *Queue) compact() error {
	width := len(q.order) - q.cfg.Segments/2
	first, least := 0, int64(math.MaxInt64)
	for i := range len(q.order) - width + 1 {
		var left int64
		for _, n := range q.order[i : i+width] {
			left += q.segments[n].remaining
		}
		if left < least {
			first, least = i, left
		}
	}
	merged := map[uint16]*segmentReader{}
	for _, n := range q.order[first : first+width] {
		f := q.segments[n].file
		merged[n] = &segmentReader{file: f, in: bufio.NewReaderSize(io.NewSectionReader(f, 0, maxSegment), 1<<16)}
	}
	w, err := q.create()
	if err != nil {
		return err
	}
	var runs []run
	for host := range q.hosts.Len() {
		to := q.hosts.At(host)
		for *to != 0 && merged[q.run(*to).segment] == nil {
			to = &q.run(*to).next
		}
		if *to == 0 {
			continue
		}
		one := q.run(*to) // becomes the merged run
		runs = runs[:0]
		for i := *to; i != 0 && merged[q.run(i).segment] != nil; i = one.next {
			r := q.run(i)
			runs = append(runs, *r)
			if one.next = r.next; r != one {
				r.next, q.freeRun = q.freeRun, i
			}
		}
		if err := q.merge(w, one, runs, merged); err != nil {
			return errors.Join(err, w.file.Close())
		}
		if host%releaseHosts == 0 {
			q.Release()
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	q.order = slices.Replace(q.order, first, first+width, w.index)
	return nil
}

// merge writes the remaining items of runs, oldest first, as one run.
func (q *Queue) merge(w *segmentWriter, to *run, runs []run, from map[uint16]*segmentReader) error {
	w.begin(to, 0)
	for len(runs) > 0 {
		best := 0
		for i := range runs {
			if runs[i].score > runs[best].score {
				best = i
			}
		}
		r := &runs[best]
		if to.remaining == 0 {
			to.score = r.score
		}
		item, err := q.takeNext(from[r.segment], r)
		if err != nil {
			return err
		}
		if err := w.add(item); err != nil {
			return err
		}
		to.remaining++
		if r.remaining == 0 {
			runs = slices.Delete(runs, best, best+1)
		}
	}
	return nil
}
