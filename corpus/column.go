package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/vertical"
	"chaffinch/internal/bitpack"
	"chaffinch/pipeline"
)

// column turns a sequence of values into a lexicon, numbers and postings, in
// bounded memory.
//
// Words are numbered as they are found, and the numbers of the values are written to
// disk. When the memory is used up, the sorted words are written to
// disk as a run with a separate numbering. Finally, the runs are merged into one
// lexicon in byte order. The place of a word in the lexicon is its final number.
// The numbers on disk are translated run by run. So the result does not depend on
// the memory.
type column struct {
	dir  string
	name string // section prefix, such as "attr/word"
	n    int64  // values so far
	ids  *part  // uint32 each
	lex  *words
	// shared holds lex if other goroutines number the values of the column.
	shared atomic.Pointer[sharedWords]
	runs   []wordRun
	// Words of all runs, one after another. Created with the first run.
	words *part // sorted: uvarint length, bytes, uvarint count
	ranks *part // uint32: place of each word in its run, by its number in the run
	final *part // uint32: final number of each word, sorted
	// inMemory holds the final number of each word if there was no run on disk.
	inMemory []uint32
	// derived are columns over the lexicon of this one.
	derived []derivedColumn
	merged  chan struct{} // closed when the derived columns have all values
}

// derivedColumn holds one value for each distinct value of another column, in the
// order of the lexicon. of computes it.
type derivedColumn struct {
	*column
	of func(dst, value []byte) []byte
}

// derive adds an attribute derived from c.
func (c *column) derive(name string, of func(dst, value []byte) []byte) (*column, error) {
	d, err := newColumn(c.dir, name)
	if err != nil {
		return nil, err
	}
	c.derived = append(c.derived, derivedColumn{d, of})
	return d, nil
}

// wordRun is a sorted piece of the lexicon.
type wordRun struct {
	until   int64 // values of this and earlier runs
	numbers int   // of words, also of words that do not occur
	n       int   // words
	first   int64 // numbers of earlier runs
	at, to  int64 // in column.words
}

func newColumn(dir, name string) (*column, error) {
	ids, err := newPart(dir)
	if err != nil {
		return nil, err
	}
	return &column{dir: dir, name: name, ids: ids, lex: newWords(), merged: make(chan struct{})}, nil
}

// add appends a value.
func (c *column) add(b []byte) {
	c.ids.uint32(c.lex.add(b))
	c.n++
}

// addAgain is add, but faster if the value is often the previous one.
func (c *column) addAgain(b []byte) {
	c.ids.uint32(c.lex.addAgain(b))
	c.n++
}

// addToken is add, while other goroutines number values of the column.
func (c *column) addToken(b []byte) {
	c.shared.Load().update(func() { c.add(b) })
}

// addNumbered appends values that another goroutine has numbered.
func (c *column) addNumbered(x *vertical.Column) {
	if x.Table != len(c.runs) { // the words were written to disk in the meantime
		for _, s := range x.Values {
			c.addToken(x.Data[s.From:s.To])
		}
		return
	}
	most := uint32(0)
	for _, n := range x.Numbers {
		most = max(most, n)
	}
	c.lex.reserve(int(most))
	count := c.lex.count
	for _, n := range x.Numbers {
		count[n]++
	}
	c.ids.put(x.Numbers)
	c.n += int64(len(x.Numbers))
}

// share prepares the column for goroutines that number values.
func (c *column) share() {
	s := newSharedWords(len(c.runs))
	c.lex = s.words
	c.shared.Store(s)
}

// memory returns the bytes held by the words.
func (c *column) memory() int64 {
	if s := c.shared.Load(); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return c.lex.memory()
}

// fill appends empty values until the column has n values.
func (c *column) fill(n int64) {
	for c.n < n {
		c.addAgain(nil)
	}
}

// spill ends a run and releases its memory.
func (c *column) spill() (err error) {
	if c.lex.len() == 0 {
		return nil
	}
	if s := c.shared.Load(); s != nil {
		s.mu.Lock() // goroutines may still number values with words of this run
		defer s.mu.Unlock()
	}
	if c.words == nil {
		for _, p := range []**part{&c.words, &c.ranks, &c.final} {
			if *p, err = newPart(c.dir); err != nil {
				return err
			}
		}
	}
	sorted := c.lex.sorted()
	r := wordRun{until: c.n, numbers: c.lex.len(), n: len(sorted), first: c.ranks.n / 4, at: c.words.n}
	rank := make([]uint32, r.numbers)
	for i, n := range sorted {
		rank[n] = uint32(i)
		w := c.lex.word(n)
		c.words.uvarint(uint64(len(w)))
		c.words.Write(w)
		c.words.uvarint(uint64(c.lex.count[n]))
	}
	c.ranks.put(rank)
	r.to = c.words.n
	c.runs = append(c.runs, r)
	if c.lex = newWords(); c.shared.Load() != nil {
		c.share()
	}
	return nil
}

// close removes the temporary files of the column and its derived columns.
func (c *column) close() {
	c.closeOwn()
	for _, d := range c.derived {
		d.close()
	}
}

func (c *column) closeOwn() {
	for _, p := range []*part{c.ids, c.words, c.ranks, c.final} {
		if p != nil {
			p.close()
		}
	}
}

// runReader is a run during the merge.
type runReader struct {
	in    *bufio.Reader
	left  int
	word  []byte
	count uint64
	final finalWriter
}

// finalWriter writes the final numbers of one run into its place in the common
// file.
type finalWriter struct {
	p   *part
	at  int64
	buf []byte
}

func (f *finalWriter) add(x uint32) error {
	f.buf = binary.LittleEndian.AppendUint32(f.buf, x)
	if len(f.buf) < runBuffer {
		return nil
	}
	return f.flush()
}

func (f *finalWriter) flush() error {
	if _, err := f.p.f.WriteAt(f.buf, f.at); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	f.at += int64(len(f.buf))
	f.p.n = max(f.p.n, f.at)
	f.buf = f.buf[:0]
	return nil
}

// runBuffer is the size of the read and write buffers of a run during the merge.
// It is small because there may be thousands of runs.
const runBuffer = 1 << 12

func (r *runReader) next() error {
	r.left--
	n, err := readUvarint(r.in)
	if err != nil {
		return err
	}
	if uint64(cap(r.word)) < n {
		r.word = make([]byte, n)
	}
	r.word = r.word[:n]
	if _, err := io.ReadFull(r.in, r.word); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	r.count, err = readUvarint(r.in)
	return err
}

type runHeap []*runReader

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].word, h[j].word) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*runReader)) }
func (h *runHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// merged holds the lexicon while it is written.
type merged struct {
	n    int   // words
	text int64 // bytes
	lens *part // uvarint
	freq *part // uvarint
}

// merge writes the section with the words and records lengths and counts.
func (c *column) merge(w sections, memory int64) (*merged, error) {
	defer close(c.merged)
	m := new(merged)
	var err error
	if m.lens, err = newPart(c.dir); err != nil {
		return nil, err
	}
	if m.freq, err = newPart(c.dir); err != nil {
		return nil, err
	}
	w.Section(c.name + "/text")
	out := bufio.NewWriterSize(w, partBuffer)
	var value []byte
	add := func(word []byte, count uint64) error {
		out.Write(word)
		for _, d := range c.derived {
			value = d.of(value[:0], word)
			d.add(value)
			if m.n&0xfff == 0 && d.lex.memory() > memory/int64(len(c.derived)) {
				if err := d.spill(); err != nil {
					return err
				}
			}
		}
		m.lens.uvarint(uint64(len(word)))
		m.freq.uvarint(count)
		m.text += int64(len(word))
		m.n++
		return nil
	}
	if len(c.runs) == 0 && c.lex.memory() <= memory/4 { // leaves memory to the derived columns
		err = c.mergeOne(add)
	} else {
		err = c.mergeRuns(m, add)
	}
	return m, cmp.Or(err, out.Flush())
}

// mergeOne calls add with the words in memory. None are on disk.
func (c *column) mergeOne(add func(word []byte, count uint64) error) error {
	c.inMemory = make([]uint32, c.lex.len())
	for i, n := range c.lex.sorted() {
		c.inMemory[n] = uint32(i)
		if err := add(c.lex.word(n), uint64(c.lex.count[n])); err != nil {
			return err
		}
	}
	if c.n > 0 {
		c.runs = append(c.runs, wordRun{until: c.n})
	}
	c.lex = newWords()
	return nil
}

// mergeRuns calls add with the words of all runs, each once, and records their final numbers.
func (c *column) mergeRuns(m *merged, add func(word []byte, count uint64) error) error {
	if err := c.spill(); err != nil {
		return err
	}
	var h runHeap
	for _, r := range c.runs {
		if r.n == 0 {
			continue
		}
		in, err := c.words.section(r.at, r.to, runBuffer)
		if err != nil {
			return err
		}
		rr := &runReader{in: in, left: r.n, final: finalWriter{p: c.final, at: 4 * r.first}}
		if err := rr.next(); err != nil {
			return err
		}
		h = append(h, rr)
	}
	heap.Init(&h)
	var word []byte
	for len(h) > 0 {
		word = append(word[:0], h[0].word...)
		count := uint64(0)
		for len(h) > 0 && bytes.Equal(h[0].word, word) {
			r := h[0]
			count += r.count
			if err := r.final.add(uint32(m.n)); err != nil {
				return err
			}
			if r.left == 0 {
				if err := r.final.flush(); err != nil {
					return err
				}
				heap.Pop(&h)
				continue
			}
			if err := r.next(); err != nil {
				return err
			}
			heap.Fix(&h, 0)
		}
		if err := add(word, count); err != nil {
			return err
		}
	}
	return nil
}

// finish writes all sections of the column and returns the number of distinct
// values. memory bounds the memory for the lists and the derived values.
func (c *column) finish(w sections, memory int64) (values int64, err error) {
	defer c.closeOwn()
	m, err := c.merge(w, memory)
	if err != nil {
		return 0, err
	}
	defer m.lens.close()
	defer m.freq.close()
	if err := writeSums(w, c.name+"/ends", m.lens, m.n, uint64(m.text)); err != nil {
		return 0, err
	}
	if err := writeSums(w, c.name+"/freq", m.freq, m.n, uint64(c.n)); err != nil {
		return 0, err
	}
	p, err := newInverter(c.dir, m, c.n, memory)
	if err != nil {
		return 0, err
	}
	defer p.close()
	w.Section(c.name + "/ids")
	if err := c.translate(bitpack.NewWriter(w, bitpack.Width(uint64(max(m.n-1, 0)))), p); err != nil {
		return 0, err
	}
	return int64(m.n), p.finish(w, c.name)
}

// translate writes the values as final numbers. It also passes them to p
// concurrently.
func (c *column) translate(out *bitpack.Writer, p *inverter) error {
	in, err := c.ids.reader()
	if err != nil {
		return err
	}
	type piece struct {
		ids []uint32
		at  uint32
	}
	at, run := int64(0), -1
	var final []uint32
	return cmp.Or(pipeline.Flow[piece]{Workers: 2, Read: func(x *piece) error {
		for run < 0 || at == c.runs[run].until {
			if run++; run == len(c.runs) {
				return io.EOF
			}
			if final, err = c.numbers(c.runs[run]); err != nil {
				return err
			}
		}
		b, err := in.Peek(int(min(4*(c.runs[run].until-at), partBuffer)))
		if err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		x.ids, x.at = x.ids[:0], uint32(at)
		for i := 0; i < len(b); i += 4 {
			id := final[binary.LittleEndian.Uint32(b[i:])]
			out.Add(uint64(id))
			x.ids = append(x.ids, id)
		}
		at += int64(len(b) / 4)
		in.Discard(len(b))
		return nil
	}, Use: func(x *piece) error {
		for i, id := range x.ids {
			p.add(id, x.at+uint32(i))
		}
		return nil
	}}.Run(context.Background()), out.Close())
}

// numbers returns the final number of each word of a run, by its number in the run.
func (c *column) numbers(r wordRun) ([]uint32, error) {
	if c.inMemory != nil {
		return c.inMemory, nil
	}
	final, err := c.final.uint32s(r.first, r.n)
	if err != nil {
		return nil, err
	}
	ranks, err := c.ranks.uint32s(r.first, r.numbers)
	if err != nil {
		return nil, err
	}
	for i, x := range ranks {
		if r.n > 0 {
			ranks[i] = final[x]
		}
	}
	return ranks, nil
}

// uint32s reads n numbers of a part, starting at index first.
func (p *part) uint32s(first int64, n int) ([]uint32, error) {
	in, err := p.section(4*first, 4*(first+int64(n)), partBuffer)
	if err != nil {
		return nil, err
	}
	xs := make([]uint32, n)
	for i := range xs {
		if xs[i], err = readUint32(in); err != nil {
			return nil, err
		}
	}
	return xs, nil
}

// writeSums writes the running sums of the n numbers of p, from 0 to total, as
// a packed array of n+1 numbers.
func writeSums(w sections, section string, p *part, n int, total uint64) error {
	in, err := p.reader()
	if err != nil {
		return err
	}
	w.Section(section)
	out := bitpack.NewWriter(w, bitpack.Width(total))
	sum := uint64(0)
	out.Add(0)
	for range n {
		x, err := readUvarint(in)
		if err != nil {
			return err
		}
		sum += x
		out.Add(sum)
	}
	return out.Close()
}

// appendLower appends b in lower case, using Unicode's simple mapping: one
// character at a time, regardless of language.
func appendLower(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, b[i])
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}
