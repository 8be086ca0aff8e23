package minhash

import (
	"encoding/binary"

	"chaffinch/dedup/shingle"
	"chaffinch/input/records"

	"github.com/zeebo/xxh3"
)

// signer computes signatures. It is not safe for concurrent use; use one for each
// worker. The results of its methods are valid until the next call.
type signer struct {
	m        *Method
	shingler *shingle.Shingler
	similar  similar

	raw, text []byte
	starts    []int
	tokens    []uint64
	shingles  []uint64
	sig       []uint64
	rows      []byte
}

// newSigner returns a new Signer.
func (m *Method) newSigner() *signer {
	s := &signer{m: m, sig: make([]uint64, m.values())}
	s.rows = make([]byte, 8*m.cfg.Rows)
	if m.scheme.words != nil {
		s.shingler = shingle.New(*m.scheme.words)
	}
	return s
}

// Shingles returns the hashes of the shingles of a document in order, repeated
// ones as often as they occur. compare is false for a document that has no
// near-duplicates, since it is empty or too short.
func (s *signer) Shingles(d *records.Doc) (hashes []uint64, compare bool) {
	s.shingles = s.shingles[:0]
	if s.shingler != nil {
		s.words(d)
		return s.shingles, len(s.shingles) > 0
	}
	return s.shingles, s.published(s.join(d))
}

// words makes shingles of our own words. They go across the boundaries of
// paragraphs, which differ between copies more often than the words.
func (s *signer) words(d *records.Doc) {
	s.tokens = s.tokens[:0]
	if s.m.cfg.NgramUnit == "char" {
		s.tokens = s.shingler.Tokens(s.tokens, s.join(d), false)
	} else {
		for i := range d.Paras {
			s.tokens = s.shingler.Tokens(s.tokens, d.Paras[i].Text, d.Tokenized)
		}
	}
	s.shingles = shingle.NGrams(s.shingles, s.tokens, min(s.m.cfg.Ngram, len(s.tokens)))
}

// join returns the text of a document: paragraphs as lines, the tokens of a
// vertical between blanks.
func (s *signer) join(d *records.Doc) []byte {
	if len(d.Paras) == 1 && !d.Tokenized {
		return d.Paras[0].Text
	}
	s.raw = s.raw[:0]
	for i := range d.Paras {
		if i > 0 {
			s.raw = append(s.raw, '\n')
		}
		from := len(s.raw)
		s.raw = append(s.raw, d.Paras[i].Text...)
		if d.Tokenized {
			for j := from; j < len(s.raw); j++ {
				if s.raw[j] == '\n' {
					s.raw[j] = ' '
				}
			}
		}
	}
	return s.raw
}

// published makes the shingles of a published scheme.
func (s *signer) published(text []byte) (compare bool) {
	c := &s.m.scheme
	s.text = c.text(s.text[:0], text)
	units := 0
	chars := s.m.cfg.NgramUnit == "char"
	if len(s.text) > 0 {
		s.starts = starts(s.starts[:0], s.text, chars)
		units = len(s.starts) - 1
	}
	n := s.m.cfg.Ngram
	switch {
	case c.short == allAlike && units < n:
		return true
	case units == 0 || units < c.least || c.short == noShingle && units < n:
		return false
	}
	n = min(n, units)
	gap := 1 // the blank between words
	if chars {
		gap = 0
	}
	for i := range units - n + 1 {
		s.shingles = append(s.shingles, c.hash(s.text[s.starts[i]:s.starts[i+n]-gap]))
	}
	return true
}

// Sign returns the signature of a set of shingles: bands*rows values, of our own
// at least 256. The part
// of equal values in two signatures estimates the Jaccard similarity of the
// sets.
func (s *signer) Sign(shingles []uint64) []uint64 {
	if f := s.m.scheme.family; f != nil {
		f.sign(s.sig, shingles)
	} else {
		s.similar.sign(s.sig, shingles)
	}
	return s.sig
}

// key writes the key of a band, Bits/8 bytes, into dst. Keys of different bands
// are different but for accidents.
func (s *signer) key(dst []byte, sig []uint64, band int) {
	r := s.m.cfg.Rows
	for i, v := range sig[band*r : (band+1)*r] {
		binary.LittleEndian.PutUint64(s.rows[8*i:], v)
	}
	if s.m.cfg.Bits == 64 {
		binary.BigEndian.PutUint64(dst, xxh3.HashSeed(s.rows, uint64(band)))
		return
	}
	k := xxh3.Hash128Seed(s.rows, uint64(band)).Bytes()
	copy(dst, k[:])
}

// nibble cuts a value of a signature to 4 bits (b-bit minwise hashing: Li and
// König, WWW 2010).
func nibble(v uint64) byte { return byte(v * golden >> 60) }

// sample packs the first values of a signature into dst, two to a byte.
func sample(dst []byte, sig []uint64) {
	for i := range dst {
		dst[i] = nibble(sig[2*i]) | nibble(sig[min(2*i+1, len(sig)-1)])<<4
	}
}

// estimate returns the Jaccard similarity of two documents from the samples of
// their signatures: the part that agrees, less what agrees by accident.
func estimate(a, b []byte) float64 {
	same := 0
	for i, x := range a {
		x ^= b[i]
		if x&15 == 0 {
			same++
		}
		if x>>4 == 0 {
			same++
		}
	}
	const chance = 1.0 / 16
	return max(0, (float64(same)/float64(2*len(a))-chance)/(1-chance))
}
