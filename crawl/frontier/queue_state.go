package frontier

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Save writes the state of a queue, besides its segments, after a Commit.
func (q *Queue) Save(w io.Writer) error {
	b := binary.AppendUvarint(nil, uint64(q.next))
	var kept []uint32 // segments that Prune keeps
	for _, i := range q.order {
		if x := q.segments[i]; x.remaining > 0 {
			kept = append(kept, x.number)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(kept)))
	for _, n := range kept {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(q.hosts.Len()))
	for host := range q.hosts.Len() {
		first, n := *q.hosts.At(host), 0
		for i := first; i != 0; i = q.run(i).next {
			n++
		}
		b = binary.AppendUvarint(b, uint64(n))
		for i := first; i != 0; i = q.run(i).next {
			r := q.run(i)
			b = binary.AppendUvarint(b, uint64(q.segments[r.segment].number))
			b = binary.AppendUvarint(b, uint64(r.at()))
			b = binary.AppendUvarint(b, uint64(r.remaining))
			b = append(b, r.score)
		}
		if host%releaseHosts == 0 {
			q.Release()
		}
		if len(b) >= 1<<16 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// LoadQueue opens a queue with the state that Save wrote.
func LoadQueue(dir string, cfg QueueConfig, in interface {
	io.Reader
	io.ByteReader
}) (*Queue, error) {
	q := NewQueue(dir, cfg)
	var err error
	number := func() uint64 {
		if err != nil {
			return 0
		}
		var n uint64
		n, err = binary.ReadUvarint(in)
		return n
	}
	damaged := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format+": the file is damaged", args...)
		}
	}
	next := number()
	if q.next = int(next); next < 1 || next > math.MaxUint32 {
		damaged("next segment: %d", next)
	}
	indices := map[uint64]uint16{} // by number
	for n := number(); n > 0 && err == nil; n-- {
		segment := number()
		if _, ok := indices[segment]; ok || segment >= next || len(q.segments) >= maxSegments {
			damaged("segment %d, wanted a new number below %d", segment, next)
		}
		if err == nil {
			index := len(q.segments)
			q.segments = append(q.segments, nil)
			indices[segment] = uint16(index)
			err = q.open(index, uint32(segment), 0)
			q.order = append(q.order, uint16(index))
		}
	}
	hosts := number()
	if hosts > math.MaxUint32 {
		damaged("%d hosts", hosts)
	}
	for host := uint64(0); host < hosts && err == nil; host++ {
		q.hosts.Add()
		for n := number(); n > 0 && err == nil; n-- {
			segment, offset, left := number(), number(), number()
			index, ok := indices[segment]
			if !ok {
				damaged("segment %d: not in the list", segment)
			}
			if offset > maxSegment || left < 1 || left > math.MaxUint32 {
				damaged("%d items at byte %d", left, offset)
			}
			var score byte
			if err == nil {
				score, err = in.ReadByte()
			}
			if err == nil {
				r := q.addRun(uint32(host))
				r.segment, r.score, r.remaining = index, score, uint32(left)
				r.moveTo(int64(offset))
				q.segments[index].remaining += int64(left)
				q.length += int64(left)
			}
		}
		if host%releaseHosts == 0 {
			q.Release()
		}
	}
	if err != nil {
		q.Close()
		return nil, fmt.Errorf("queue in %s: %w", dir, err)
	}
	return q, nil
}
