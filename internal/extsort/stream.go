package extsort

import (
	"cmp"
	"fmt"
	"io"
	"math/bits"

	"chaffinch/internal/huge"
)

// Stream sorts records that are read once. It distributes records to bins by the first bits of
// their keys while they are added, in memory or, bin by bin, in a temporary file. Each bin is
// sorted in a processor's cache after it is read. It takes half the memory of a [Sorter].
type Stream struct {
	cfg     Config
	pool    *chunkPool
	sorters []bin // one for each worker
	piece   int   // maximum size of a Part in bytes
	most    int   // maximum number of chunks
	spread  *spread
	disk    *spilled // a run for each bin, several times
	first   int      // number of the first of these runs
	parts   []Part   // that Next returns
	err     error    // of the file: every later call returns it
}

const (
	// streamChunk is the maximum size in bytes of the chunks of a Stream, streamSlab the maximum size in
	// bytes of the memory that it allocates at once.
	streamChunk, streamSlab = 2 << 10, 4 << 20
	// streamBits is the maximum number of key bits by which a Stream distributes records.
	streamBits = 10
)

// NewStream returns a Stream. Expect and Merge have no effect: records with equal keys are kept, in the
// order in which they were added.
func NewStream(cfg Config) (*Stream, error) {
	if err := newLayout(cfg.Record, cfg.Key).check(); err != nil {
		return nil, err
	}
	s := &Stream{cfg: cfg, pool: &chunkPool{size: max(streamChunk/cfg.Record, 1) * cfg.Record, slab: 16 << 10}, disk: &spilled{}}
	for range max(cfg.Workers, 1) {
		s.sorters = append(s.sorters, bin{size: cfg.Record, key: cfg.Key})
	}
	s.piece = max(min(int(cfg.Memory)/(16*len(s.sorters)), binBytes, binRecords*cfg.Record)/cfg.Record*cfg.Record, s.pool.size)
	s.most = max(int(cfg.Memory)/2/s.pool.size, 8)
	s.start(0, streamBits)
	return s, nil
}

// start starts to distribute records, which share their first from bits, by at most n bits.
func (s *Stream) start(from, n int) {
	s.spread = newSpread(s.cfg.Record, from, min(n, bits.Len(uint(s.most/4)), 8*s.cfg.Key-from), s.pool.alloc)
}

// chunkPool allocates and recycles chunks.
type chunkPool struct {
	size  int
	slab  int      // size of the next allocation in bytes
	spare [][]byte // empty chunks
}

// alloc returns an empty chunk.
func (p *chunkPool) alloc() []byte {
	if len(p.spare) == 0 {
		for slab := huge.Make[byte](max(p.slab, p.size), 0); len(slab) >= p.size; slab = slab[p.size:] {
			p.spare = append(p.spare, slab[:0:p.size])
		}
		p.slab = min(2*p.slab, streamSlab)
	}
	last := len(p.spare) - 1
	c := p.spare[last]
	p.spare = p.spare[:last]
	return c
}

// Add copies records.
func (s *Stream) Add(recs []byte) error {
	if s.err != nil {
		return s.err
	}
	s.spread.add(recs)
	if s.spread.chunks >= s.most {
		s.err = s.spill()
	}
	return s.err
}

// spill writes all records to the file, bin by bin.
func (s *Stream) spill() error {
	err := s.disk.write(s.cfg.Dir, nil)
	for _, chunks := range s.spread.all() {
		for _, c := range chunks {
			if err == nil {
				err = s.disk.write(s.cfg.Dir, c)
			}
		}
		s.pool.spare = append(s.pool.spare, chunks...)
		if err == nil {
			err = s.disk.endRun()
		}
	}
	s.start(s.spread.from, s.spread.n)
	return err
}

// Part is a part of the sorted sequence. Its records are not sorted yet.
type Part struct {
	sections []run
	chunks   [][]byte // the records after them
	size     int      // in bytes
	from     int      // bits of the key that all records share
}

// Next returns the parts in order, then io.EOF. Nothing can be added afterwards.
func (s *Stream) Next() (Part, error) {
	if s.spread != nil {
		s.parts = s.bins()
	}
	for s.err == nil && len(s.parts) > 0 {
		p := s.parts[0]
		s.parts = s.parts[1:]
		if p.size <= s.piece {
			return p, nil
		}
		parts := s.cut(p)
		if p.from < 8*s.cfg.Key {
			parts = s.divide(p, parts)
		}
		s.parts = append(parts, s.parts...)
	}
	return Part{}, cmp.Or(s.err, io.EOF)
}

// bins returns the bins with records as parts.
func (s *Stream) bins() (parts []Part) {
	from, runs := s.spread.from+s.spread.n, s.disk.runs[s.first:]
	bins := s.spread.all()
	for b, chunks := range bins {
		p := Part{chunks: chunks, size: length(chunks), from: from}
		for r := b; r < len(runs); r += len(bins) {
			p.sections = append(p.sections, runs[r])
			p.size += int(runs[r].to - runs[r].from)
		}
		if p.size > 0 {
			parts = append(parts, p)
		}
	}
	s.spread = nil
	return parts
}

// cut divides a part into pieces in the order in which the records were added.
func (s *Stream) cut(p Part) (pieces []Part) {
	for _, x := range p.sections {
		for ; x.from < x.to; x.from += int64(s.piece) {
			to := min(x.from+int64(s.piece), x.to)
			pieces = append(pieces, Part{sections: []run{{x.from, to}}, size: int(to - x.from), from: p.from})
		}
	}
	for i, c := range p.chunks {
		pieces = append(pieces, Part{chunks: p.chunks[i : i+1], size: len(c), from: p.from})
	}
	return pieces
}

// divide distributes the records of a part, whose pieces are given, by further bits.
func (s *Stream) divide(p Part, pieces []Part) []Part {
	s.first = len(s.disk.runs)
	s.start(p.from, bits.Len(uint(4*p.size/s.piece)))
	var buf []byte
	for _, x := range pieces {
		var err error
		if buf, err = s.load(buf, x); err == nil {
			err = s.Add(buf)
		}
		if s.err = err; err != nil {
			break
		}
		s.pool.spare = append(s.pool.spare, x.chunks...)
	}
	return s.bins()
}

// load copies the records of a part to buf, which it may replace.
func (s *Stream) load(buf []byte, p Part) ([]byte, error) {
	buf = resized(buf, p.size)
	at := 0
	for _, x := range p.sections {
		to := at + int(x.to-x.from)
		if _, err := s.disk.file.ReadAt(buf[at:to], x.from); err != nil {
			return buf, fmt.Errorf("extsort: reading back %s: %w", s.disk.file.Name(), err)
		}
		at = to
	}
	for _, c := range p.chunks {
		at += copy(buf[at:], c)
	}
	return buf, nil
}

// Sort returns the sorted records of a part, valid until the next call for this worker, from 0. Several
// workers may call it concurrently.
func (s *Stream) Sort(worker int, p Part) (sorted []byte, err error) {
	b := &s.sorters[worker]
	if b.recs, err = s.load(b.recs, p); err != nil {
		return nil, err
	}
	b.sortKeys(p.size/b.size, differ([][]byte{b.recs}, b.size, b.key, p.from))
	b.gather(func(int) bool { return true })
	return b.out, nil
}

// Close discards the records.
func (s *Stream) Close() error {
	s.spread, s.sorters, s.pool = nil, nil, nil
	return s.disk.close()
}
