package extsort

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"
)

// WriterConfig configures a [Writer].
type WriterConfig struct {
	// Prefix is the prefix of the file names: the name of the table.
	Prefix string
	// Record is the length of a record in bytes, at most 1024. Records are sorted by their first
	// Key bytes. Records with equal keys keep the order in which they were added within a run, and
	// the order of the runs in a merge. For a result that does not depend on which Writer wrote a
	// record, set Key to Record.
	Record, Key int
	// Memory is the maximum size of the Writer in bytes, at least about 64 KiB. Half of it holds
	// records, the rest is for sorting.
	Memory int64
	// Unique keeps one of several identical records in each run. It requires Key to be Record.
	Unique bool
	// Hashed states that the first byte of a key is random. Records are then distributed by it while
	// they are in a processor's cache. The result does not depend on it.
	Hashed bool
}

// Writer collects records and writes them to sorted runs. It is not safe for concurrent use: each
// worker has a separate Writer on the same Folder.
type Writer struct {
	layout
	folder *Folder
	cfg    WriterConfig
	chunks [][]byte // full ones
	spread *spread  // with Hashed, the records before chunks, if there are many
	open   []byte   // the chunk that is filled
	spare  [][]byte // empty chunks, smaller than a folderChunk
	chunk  int      // size of a full chunk in bytes
	most   int      // maximum number of full chunks
	runs   []Run
	err    error // of the first run that could not be written: later writes fail with it
}

const (
	// folderChunk is the size in bytes of the chunks that Writers take from their folder.
	folderChunk = 64 << 10
	// leastChunks is the minimum number of chunks in the memory of a Writer.
	leastChunks = 32
	// spreadBits is the number of bits by which a Writer distributes records, if it has memory for
	// leastSpread chunks and holds firstSpread.
	spreadBits, leastSpread, firstSpread = 8, 2048, 64
	// slabChunks is the number of chunks that a folder allocates at once.
	slabChunks = 32
)

// NewWriter returns a Writer.
func (f *Folder) NewWriter(cfg WriterConfig) (*Writer, error) {
	l := newLayout(cfg.Record, cfg.Key)
	if err := l.check(); err != nil {
		return nil, err
	}
	most := max(cfg.Memory/2, 2*int64(l.blockBytes()))
	chunk := max(min(most/leastChunks, folderChunk)/int64(cfg.Record), 1) * int64(cfg.Record)
	return &Writer{layout: l, folder: f, cfg: cfg, chunk: int(chunk), most: int(most / chunk)}, nil
}

// Add returns the buffer of the next record, which the caller fills before the next call. It may
// hold old bytes.
func (w *Writer) Add() ([]byte, error) {
	n := len(w.open)
	if n+w.record > cap(w.open) {
		return w.addToNext()
	}
	w.open = w.open[:n+w.record]
	return w.open[n:], nil
}

// addToNext is Add in a new chunk.
func (w *Writer) addToNext() ([]byte, error) {
	if err := w.next(); err != nil {
		return nil, err
	}
	w.open = w.open[:w.record]
	return w.open, nil
}

// next opens a chunk.
func (w *Writer) next() error {
	if w.open != nil {
		w.chunks = append(w.chunks, w.open)
		w.open = nil
	}
	if w.spread != nil || w.cfg.Hashed && w.most >= leastSpread && len(w.chunks) == firstSpread {
		w.distribute()
	}
	if w.full() >= w.most {
		if err := w.spill(); err != nil {
			return err
		}
	}
	w.open = w.alloc()
	return nil
}

// distribute moves the records of w.chunks to w.spread.
func (w *Writer) distribute() {
	if w.spread == nil {
		w.spread = newSpread(w.record, 0, spreadBits, w.alloc)
	}
	w.spreadAll(w.chunks)
	w.chunks = w.chunks[:0]
}

// spreadAll moves the records of chunks to w.spread.
func (w *Writer) spreadAll(chunks [][]byte) {
	for _, c := range chunks {
		w.spread.add(c)
		w.free(c)
	}
}

// full returns the number of chunks apart from the open one.
func (w *Writer) full() int {
	if w.spread == nil {
		return len(w.chunks)
	}
	return len(w.chunks) + w.spread.chunks
}

// alloc returns an empty chunk.
func (w *Writer) alloc() []byte {
	if w.chunk > folderChunk-w.record {
		return w.folder.alloc()
	}
	last := len(w.spare) - 1
	if last < 0 {
		return make([]byte, 0, w.chunk)
	}
	c := w.spare[last]
	w.spare = w.spare[:last]
	return c
}

// free recycles a chunk.
func (w *Writer) free(chunk []byte) {
	if cap(chunk) == folderChunk {
		w.folder.free(chunk)
	} else {
		w.spare = append(w.spare, chunk[:0])
	}
}

// Flush writes the collected records and returns all runs written since the last Flush. They are on
// the disk and belong to the caller.
func (w *Writer) Flush() ([]Run, error) {
	if err := w.spill(); err != nil {
		return nil, err
	}
	runs := w.runs
	w.runs = nil
	return runs, nil
}

// FlushRepeated writes the records of several Writers with the same configuration as one run. It
// drops records that share their first key bytes with no other record. If a Writer has written a
// run already, it is like Flush of each.
func FlushRepeated(writers []*Writer, key int) ([]Run, error) {
	w := writers[0]
	if slices.ContainsFunc(writers, func(o *Writer) bool { return len(o.runs) > 0 || o.err != nil }) {
		var all []Run
		for _, o := range writers {
			runs, err := o.Flush()
			if err != nil {
				return nil, err
			}
			all = append(all, runs...)
		}
		return all, nil
	}
	for _, o := range writers[1:] {
		w.take(o)
	}
	if w.err = w.writeRun(key, len(writers)); w.err != nil {
		return nil, w.err
	}
	return w.Flush()
}

// take moves the records of o, which has the same configuration, to w.
func (w *Writer) take(o *Writer) {
	if o.spread == nil {
		w.chunks = append(w.chunks, o.all()...)
		return
	}
	if w.spread == nil {
		w.spread = newSpread(w.record, 0, spreadBits, w.alloc)
	}
	for b, chunks := range o.spread.all() {
		w.spread.bins[b] = append(w.spread.bins[b], chunks...)
	}
	w.spread.chunks += o.spread.chunks
	o.spread = nil
	w.chunks = append(w.chunks, o.all()...)
}

// all removes and returns the chunks with records, apart from distributed ones.
func (w *Writer) all() [][]byte {
	chunks := w.chunks
	if len(w.open) > 0 {
		chunks = append(chunks, w.open)
	}
	w.chunks, w.open = nil, nil
	return chunks
}

// Pending returns about the number of bytes of the records in memory.
func (w *Writer) Pending() int { return w.full()*w.chunk + len(w.open) }

// spill sorts the buffer and writes it. After a failure it always fails: a full disk stays full,
// and a retry for each record would sort the buffer again.
func (w *Writer) spill() error {
	if w.err == nil {
		w.err = w.writeRun(0, 1)
	}
	return w.err
}

// writeRun writes all records. Records that share their first single bytes with no other record are
// dropped; 0 drops none.
func (w *Writer) writeRun(single, workers int) error {
	chunks := w.all()
	total := length(chunks)
	var bins [][][]byte
	if w.spread != nil {
		w.spreadAll(chunks)
		bins, total = w.spread.all(), 0
		for _, b := range bins {
			total += length(b)
		}
		w.spread = nil
	}
	if total == 0 {
		return nil
	}
	out, err := w.folder.create(w.cfg.Prefix, w.layout, w.fileSize(int64(total/w.record)))
	if err != nil {
		return err
	}
	p := packer{out: out, buf: make([]byte, max(min(total, packBytes), w.blockBytes())+sumSize)}
	add := p.add
	if w.cfg.Unique && w.key == w.record {
		var last []byte
		add = func(sorted []byte) error {
			sorted = unique(sorted, w.record)
			if string(sorted[:w.record]) == string(last) {
				sorted = sorted[w.record:]
			}
			if len(sorted) > 0 {
				last = append(last[:0], sorted[len(sorted)-w.record:]...)
			}
			return p.add(sorted)
		}
	}
	if bins == nil && single == 0 && isSorted(chunks, w.record, w.key) {
		for _, c := range chunks {
			if err := add(c); err != nil {
				return err
			}
			w.free(c)
		}
	} else {
		s := newBinSorter(w.record, w.key, workers)
		s.alloc, s.free, s.emit = w.alloc, w.free, add
		if bins != nil {
			err = s.sortSpread(bins, spreadBits, single)
		} else {
			err = s.sort(chunks, 0, single)
		}
		if err != nil {
			return err
		}
	}
	if out.records == 0 && p.used+p.open == 0 {
		out.file.Discard()
		return nil
	}
	run, err := p.finish()
	if err != nil {
		return err
	}
	w.runs = append(w.runs, run)
	return nil
}

// packBytes is the size of the buffer for blocks.
const packBytes = 256 << 10

// isSorted reports whether the records of chunks are in order.
func isSorted(chunks [][]byte, size, key int) bool {
	last := chunks[0][:size]
	for _, c := range chunks {
		for i := 0; i < len(c); i += size {
			rec := c[i : i+size]
			if bytes.Compare(last[:key], rec[:key]) > 0 {
				return false
			}
			last = rec
		}
	}
	return true
}

// unique removes records that equal the previous one.
func unique(buf []byte, size int) []byte {
	out := size
	for i := size; i < len(buf); i += size {
		if string(buf[i:i+size]) != string(buf[out-size:out]) {
			if i != out {
				copy(buf[out:out+size], buf[i:])
			}
			out += size
		}
	}
	return buf[:out]
}

// packer divides records into blocks with checksums and writes many blocks at once.
type packer struct {
	out  *runOut
	buf  []byte // some blocks with their checksums
	used int    // bytes of buf in finished blocks
	open int    // bytes of the block after them
}

// add appends records.
func (p *packer) add(b []byte) error {
	full := p.out.blockBytes()
	for len(b) > 0 {
		n := min(full-p.open, len(b))
		copy(p.buf[p.used+p.open:], b[:n])
		p.open += n
		b = b[n:]
		if p.open == full {
			if err := p.closeBlock(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *packer) closeBlock() error {
	block := p.buf[p.used : p.used+p.open]
	full := p.out.blockBytes() + sumSize
	number := p.out.done + int64(p.used/full)
	p.used += p.open
	binary.LittleEndian.PutUint64(p.buf[p.used:], xxh3.HashSeed(block, uint64(number)))
	p.used += sumSize
	p.open = 0
	if p.used+full > len(p.buf) {
		return p.flush()
	}
	return nil
}

func (p *packer) flush() error {
	full := p.out.blockBytes() + sumSize
	blocks := int64((p.used + full - 1) / full)
	records := (int64(p.used) - blocks*sumSize) / int64(p.out.record)
	err := p.out.write(p.buf[:p.used], records, blocks)
	p.used = 0
	return err
}

// finish writes the rest and closes the run.
func (p *packer) finish() (Run, error) {
	if p.open > 0 {
		if err := p.closeBlock(); err != nil {
			return Run{}, err
		}
	}
	if p.used > 0 {
		if err := p.flush(); err != nil {
			return Run{}, err
		}
	}
	return p.out.finish()
}
