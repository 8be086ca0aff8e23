package corpus

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"chaffinch/internal/extsort"
	"chaffinch/internal/timecheck"
)

// maxNGram is the maximum length of an n-gram.
const maxNGram = 6

// sortMemory is the default memory for counting n-grams, in bytes. It does not
// affect the counts.
const sortMemory = 96 << 20

// gram is an n-gram with its count in each corpus. It is valid until the next one.
type gram struct {
	keys []uint32
	freq [2]int64
}

// grams yields the n-grams of the corpora of v, at most two, in the order of
// their keys. For n = 1 it yields every key, even if no corpus has it. borders holds
// for each corpus the structure that no n-gram crosses, or nil.
func (v *vocabulary) grams(ctx context.Context, n int, borders []*Struct) iter.Seq2[gram, error] {
	if n == 1 {
		return v.single(ctx)
	}
	return func(yield func(gram, error) bool) {
		if n < 1 || n > maxNGram {
			yield(gram{}, fmt.Errorf("n-grams of %d words: 1 to %d can be counted", n, maxNGram))
			return
		}
		if err := v.sortGrams(ctx, n, borders, yield); err != nil {
			yield(gram{}, err)
		}
	}
}

func (v *vocabulary) single(ctx context.Context) iter.Seq2[gram, error] {
	return func(yield func(gram, error) bool) {
		var freqs [2][]int64
		for c := range v.attrs {
			var err error
			if freqs[c], err = v.counts(ctx, c); err != nil {
				yield(gram{}, err)
				return
			}
		}
		work := timecheck.New(ctx)
		g := gram{keys: make([]uint32, 1)}
		for k := range freqs[0] {
			if err := work.Done(0); err != nil {
				yield(gram{}, err)
				return
			}
			g.keys[0] = uint32(k)
			for c := range v.attrs {
				g.freq[c] = freqs[c][k]
			}
			if !yield(g, nil) {
				return
			}
		}
	}
}

// sortGrams counts by sorting. A record holds the keys, big-endian, and one count
// for each corpus.
func (v *vocabulary) sortGrams(ctx context.Context, n int, borders []*Struct, yield func(gram, error) bool) error {
	key, size := 4*n, 4*n+8*len(v.attrs)
	sorter, err := extsort.New(extsort.Config{Record: size, Key: key, Memory: cmp.Or(v.memory, sortMemory), Merge: func(dst, src []byte) {
		for at := key; at < size; at += 8 {
			binary.LittleEndian.PutUint64(dst[at:], binary.LittleEndian.Uint64(dst[at:])+binary.LittleEndian.Uint64(src[at:]))
		}
	}})
	if err != nil {
		return err
	}
	for c := range v.attrs {
		if err := v.addGrams(ctx, c, n, borders[c], sorter); err != nil {
			sorter.Close()
			return err
		}
	}
	sorted, err := sorter.Sort()
	if err != nil {
		return err
	}
	defer sorted.Close()
	r, err := sorted.Open()
	if err != nil {
		return err
	}
	g := gram{keys: make([]uint32, n)}
	work := timecheck.New(ctx)
	for {
		if err := work.Done(size); err != nil {
			return err
		}
		rec, err := r.Next()
		if err != nil || rec == nil {
			return err
		}
		for i := range g.keys {
			g.keys[i] = binary.BigEndian.Uint32(rec[4*i:])
		}
		for c := range v.attrs {
			g.freq[c] = int64(binary.LittleEndian.Uint64(rec[key+8*c:]))
		}
		if !yield(g, nil) {
			return nil
		}
	}
}

// addGrams adds the n-grams of corpus c to sorter.
func (v *vocabulary) addGrams(ctx context.Context, c, n int, border *Struct, sorter *extsort.Sorter) error {
	a, keys := v.attrs[c], v.keys[c]
	window := make([]byte, 4*n) // the last n keys
	have, work := 0, timecheck.New(ctx)
	for start, end := range v.corpora[c].intervals() {
		next := cutsFrom(border, start)
		have = 0
		for pos := start; pos < end; pos++ {
			if err := work.Done(0); err != nil {
				return err
			}
			if next.at(pos) {
				have = 0
			}
			k := keys[a.At(pos)]
			if k == none {
				have = 0
				continue
			}
			copy(window, window[4:])
			binary.BigEndian.PutUint32(window[4*(n-1):], k)
			if have++; have < n {
				continue
			}
			rec, err := sorter.Add()
			if err != nil {
				return err
			}
			copy(rec, window)
			clear(rec[4*n:])
			rec[4*n+8*c] = 1
		}
	}
	return nil
}

// cuts reports for ascending positions whether an occurrence of a structure begins
// or ends there.
type cuts struct {
	s     *Struct
	i     int
	start int64
	end   int64
}

// cutsFrom returns the cuts of s from position pos.
func cutsFrom(s *Struct, pos int64) cuts {
	c := cuts{s: s, i: -1}
	if s != nil && pos > 0 {
		c.i = s.after(pos-1) - 2 // before the last one that begins before pos
	}
	c.i = max(c.i, -1)
	c.advance()
	return c
}

func (c *cuts) advance() {
	if c.i++; c.s == nil || c.i >= c.s.Len() {
		c.start, c.end = -1, -1
		return
	}
	c.start, c.end = c.s.Span(c.i)
}

// at reports whether a structure begins or ends at pos. It must be called for every
// position in order.
func (c *cuts) at(pos int64) bool {
	cut := false
	for c.end >= 0 && c.end <= pos {
		cut = true
		c.advance()
	}
	return cut || c.start == pos
}
