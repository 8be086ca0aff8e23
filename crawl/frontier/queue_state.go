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
	var age []uint32 // segments that Prune keeps
	for _, n := range q.segmentOrder {
		if q.segments[n].remaining > 0 {
			age = append(age, n)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(age)))
	for _, n := range age {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(q.hosts)))
	for _, runs := range q.hosts {
		b = binary.AppendUvarint(b, uint64(len(runs)))
		for _, r := range runs {
			b = binary.AppendUvarint(b, uint64(r.segment))
			b = binary.AppendUvarint(b, uint64(r.offset))
			b = binary.AppendUvarint(b, uint64(r.remaining))
			b = append(b, r.score)
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
	for n := number(); n > 0 && err == nil; n-- {
		segment := number()
		if segment >= next || q.segments[uint32(segment)] != nil {
			damaged("segment %d, wanted a new number below %d", segment, next)
		}
		if err == nil {
			err = q.open(uint32(segment), 0)
			q.segmentOrder = append(q.segmentOrder, uint32(segment))
		}
	}
	hosts := number()
	q.hosts = make([][]run, 0, min(hosts, 1<<20))
	for i := uint64(0); i < hosts && err == nil; i++ {
		var runs []run
		for n := number(); n > 0 && err == nil; n-- {
			segment, offset, left := number(), number(), number()
			if segment >= next || q.segments[uint32(segment)] == nil {
				damaged("segment %d: not in the list", segment)
			}
			if offset > math.MaxUint32 || left < 1 || left > math.MaxUint32 {
				damaged("%d items at byte %d", left, offset)
			}
			r := run{segment: uint32(segment), offset: uint32(offset), remaining: uint32(left)}
			if err == nil {
				r.score, err = in.ReadByte()
			}
			if err == nil {
				q.segments[r.segment].remaining += int64(r.remaining)
				q.length += int64(r.remaining)
				runs = append(runs, r)
			}
		}
		q.hosts = append(q.hosts, runs)
	}
	if err != nil {
		q.Close()
		return nil, fmt.Errorf("queue in %s: %w", dir, err)
	}
	return q, nil
}
