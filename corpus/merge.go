package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"

	"chaffinch/internal/bitpack"
)

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
	if err := c.translate(w, bitpack.Width(uint64(max(m.n-1, 0))), p); err != nil {
		return 0, err
	}
	return int64(m.n), p.finish(w, c.name)
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
	if r.n == 0 {
		return ranks, nil
	}
	for i, x := range ranks {
		ranks[i] = final[x]
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
