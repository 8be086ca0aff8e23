package lm

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"chaffinch/model"
)

// Gram is an n-gram to be written to a model.
type Gram struct {
	// Words are the ids, the last word first.
	Words [MaxOrder]uint32
	// Prob and Backoff are log10 values. Backoff is 0 if the n-gram is not a context.
	Prob, Backoff float32
	// Count replaces both in a model of kind MLE.
	Count uint64
}

// GramReader reads n-grams of one order in the order of compare.
type GramReader interface {
	// Next reads the next n-gram into g. ok is false at the end.
	Next(g *Gram) (ok bool, err error)
}

// Grams holds the n-grams of one order.
type Grams interface {
	Len() uint64
	// Open starts reading the n-grams. It may be called several times in sequence, and
	// concurrently for consecutive orders.
	Open() (GramReader, error)
}

// Spec is the content of a model to be written.
type Spec struct {
	Estimator Estimator
	Tokeniser Tokeniser
	// Words are the words in the order of their ids: <unk>, <s>, </s>, and the others. Frequent
	// words should come first, so that they share cache lines.
	Words []string
	// Grams holds orders 1, 2, and so on. The suffix of each longer n-gram (without its first
	// word) must be among the shorter n-grams. Order 1 has one n-gram for each word, in the
	// order of ids.
	Grams []Grams
	// Columns holds all orders instead of Grams if they are in memory.
	Columns []Columns
	// Bits is the length of a stored probability or back-off weight. 1 to 16 means a codebook
	// for each order, 32 an exact float32. A model of kind MLE stores exact counts and ignores
	// Bits.
	Bits uint
	// Unit is the weight of a count of 1 in a model of kind MLE. Total is the count of all
	// words except <s>.
	Unit  float64
	Total uint64
}

// compare orders n-grams of k words as a model stores them: by the id of the last word, then by
// the scrambled ids of the words to the left. vocabulary is the number of words.
func compare(a, b *[MaxOrder]uint32, k, vocabulary int) int {
	if c := cmp.Compare(a[0], b[0]); c != 0 || k == 1 {
		return c
	}
	n := keyBits(vocabulary)
	for i := 1; i < k; i++ {
		if a[i] != b[i] {
			return cmp.Compare(scramble(a[i], n), scramble(b[i], n))
		}
	}
	return 0
}

// Scramble returns the number by which compare orders a word other than the last one, in a
// vocabulary of n words.
func Scramble(id uint32, n int) uint32 { return uint32(scramble(id, keyBits(n))) }

// Unscramble is the inverse of [Scramble].
func Unscramble(key uint32, n int) uint32 { return unscramble(uint64(key), keyBits(n)) }

// Size returns the size in bytes of a model of kind KneserNey without its header. It depends on
// the words, the number of n-grams of each order, and the bits of a value.
func Size(words []string, ngrams []uint64, bits uint) int64 {
	m := meta{Order: len(ngrams), Ngrams: ngrams}
	size := int64(len(words))*4 + 4*(int64(len(words))*4/3+1)
	for _, w := range words {
		size += int64(len(w))
	}
	for range ngrams {
		m.ValueBits = append(m.ValueBits, bits)
		m.BackoffBits = append(m.BackoffBits, bits)
	}
	for k := range ngrams {
		var l level
		if err := l.layout(&m, k+1); err != nil {
			return math.MaxInt64
		}
		size += int64(l.size())
		if bits <= 16 {
			size += 2 * 4 << bits
		}
	}
	return size
}

// Write writes the sections of a model to w.
func Write(w *model.Writer, s *Spec) error {
	m := meta{Order: max(len(s.Grams), len(s.Columns)), Estimator: s.Estimator, Tokeniser: s.Tokeniser}
	if s.Estimator == MLE {
		m.Unit, m.Total = s.Unit, s.Total
	}
	if s.Bits == 0 || s.Bits > 16 && s.Bits != 32 {
		return fmt.Errorf("lm: %d bits for a value, wanted 1 to 16 or 32", s.Bits)
	}
	var all []books
	for k, g := range s.Grams {
		m.Ngrams = append(m.Ngrams, g.Len())
		b, err := newBooks(g, s, k == len(s.Grams)-1)
		if err != nil {
			return err
		}
		all = append(all, b)
	}
	for k := range s.Columns {
		m.Ngrams = append(m.Ngrams, uint64(len(s.Columns[k].Prob)))
	}
	if s.Columns != nil {
		all = columnBooks(s)
	}
	for k, b := range all {
		m.ValueBits = append(m.ValueBits, b.bits)
		if k < m.Order-1 {
			m.BackoffBits = append(m.BackoffBits, b.bowBits)
		}
	}
	if len(m.Ngrams) > 0 && m.Ngrams[0] != uint64(len(s.Words)) {
		return fmt.Errorf("lm: %d words, but %d 1-grams", len(s.Words), m.Ngrams[0])
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("lm: %w", err)
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	w.Section("meta")
	w.Write(b)
	text, ends, slots, err := vocabSections(s.Words)
	if err != nil {
		return fmt.Errorf("lm: %w", err)
	}
	for _, v := range []struct {
		name string
		data []byte
	}{{"vocab.text", text}, {"vocab.ends", ends}, {"vocab.slots", slots}} {
		w.Section(v.name)
		w.Write(v.data)
	}
	for k, b := range all {
		for _, x := range []struct {
			name string
			book []float32
		}{{"value", b.value}, {"backoff", b.bow}} {
			if x.book != nil {
				w.Section(fmt.Sprintf("%s.%d", x.name, k+1))
				for _, v := range x.book {
					w.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
				}
			}
		}
		w.Section(fmt.Sprintf("gram.%d", k+1))
		write := writeLevel
		if s.Columns != nil {
			write = writeColumns
		}
		if err := write(w, s, &m, k, newEncoder(b.value), newEncoder(b.bow)); err != nil {
			return err
		}
	}
	return nil
}

// writeLevel writes the records of order k+1. It reads the next order concurrently to find the
// start of the children of each n-gram.
func writeLevel(w *model.Writer, s *Spec, m *meta, k int, value, backoff encoder) error {
	var l level
	if err := l.layout(m, k+1); err != nil {
		return fmt.Errorf("lm: %w", err)
	}
	r, err := s.Grams[k].Open()
	if err != nil {
		return err
	}
	var below GramReader
	var child Gram
	more, childs := false, uint64(0)
	if k+1 < m.Order {
		if below, err = s.Grams[k+1].Open(); err != nil {
			return err
		}
		if more, err = below.Next(&child); err != nil {
			return err
		}
	}
	p := packer{put: func(b []byte) error { _, err := w.Write(b); return err }}
	var g, last Gram
	n := len(s.Words)
	for i := uint64(0); i < l.n; i++ {
		ok, err := r.Next(&g)
		if err != nil {
			return err
		}
		if !ok || i > 0 && compare(&last.Words, &g.Words, k+1, n) >= 0 || k == 0 && uint64(g.Words[0]) != i {
			return fmt.Errorf("lm: %d-gram %d of %d is missing or out of order", k+1, i, l.n)
		}
		last = g
		if k > 0 {
			p.field(scramble(g.Words[k], l.keyLen), l.keyLen)
		}
		if s.Estimator == MLE {
			p.field(g.Count, l.valLen)
		} else {
			p.field(value.code(g.Prob), l.valLen)
			if k+1 < m.Order {
				p.field(backoff.code(g.Backoff), l.bowLen)
			}
		}
		if below != nil {
			p.field(childs, l.subLen)
			for more && slices.Equal(child.Words[:k+1], g.Words[:k+1]) {
				childs++
				if more, err = below.Next(&child); err != nil {
					return err
				}
			}
		}
		if err := p.flush(false); err != nil {
			return err
		}
	}
	if more {
		return fmt.Errorf("lm: the %d-gram of ids %v (last word first) extends no %d-gram", k+2, child.Words[:k+2], k+1)
	}
	p.field(0, l.keyLen)
	p.field(0, l.valLen)
	p.field(0, l.bowLen)
	p.field(childs, l.subLen)
	return p.flush(true)
}

// Memory returns a model in memory, for small models and tests.
func Memory(h model.Header, s *Spec) (*Model, error) {
	h.Kind, h.Behaviour = Kind, Behaviour
	w := model.Memory(h)
	if err := Write(w, s); err != nil {
		return nil, err
	}
	b, err := w.Bytes()
	if err != nil {
		return nil, err
	}
	return Parse(h.Name, bytes.Clone(b))
}

// Slice holds n-grams in memory, in the order of compare.
type Slice []Gram

// Len returns the number of n-grams.
func (s Slice) Len() uint64 { return uint64(len(s)) }

// Open starts reading the n-grams.
func (s Slice) Open() (GramReader, error) { return &sliceReader{s: s}, nil }

type sliceReader struct {
	s Slice
	i int
}

func (r *sliceReader) Next(g *Gram) (bool, error) {
	if r.i == len(r.s) {
		return false, nil
	}
	*g = r.s[r.i]
	r.i++
	return true, nil
}
