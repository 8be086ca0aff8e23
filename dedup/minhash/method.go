package minhash

import (
	"encoding/binary"
	"slices"

	"chaffinch/dedup"
	"chaffinch/dedup/shingle"
	"chaffinch/input/records"
)

// The tables that Sketch fills.
const (
	bandsTable    = "bands"    // band key, document
	sampleTable   = "sample"   // document, 4 bits of the values of its signature
	shinglesTable = "shingles" // document, hash of a shingle: only where pairs are verified
)

const (
	// maxSample bounds the values of a signature that are kept, by 4 bits each,
	// to estimate similarity, and of our own is also the least number of values:
	// the standard error of the estimate is at most 0.033.
	maxSample = 256
	// maxShingles bounds the set of a document that pairs are verified with:
	// the least hashes of a larger one estimate its similarity, with a
	// standard error of at most 0.002.
	maxShingles = 1 << 16
)

// values is the length of a signature.
func (m *Method) values() int {
	n := m.cfg.Bands * m.cfg.Rows
	if m.scheme.family == nil {
		n = max(n, maxSample)
	}
	return n
}

func (m *Method) keyBytes() int    { return m.cfg.Bits / 8 }
func (m *Method) sampleBytes() int { return max(min(m.values(), maxSample)/2, 1) }
func (m *Method) verified() bool   { return m.cfg.Verify > 0 }

// selected reports whether pairs of candidates are compared.
func (m *Method) selected() bool { return m.verified() || m.cfg.Threshold > 0 }

// Tables returns the tables of band keys, of samples of signatures, from which
// similarity is estimated, and, if pairs are verified, of shingles.
func (m *Method) Tables() []dedup.Table {
	key := m.keyBytes()
	tables := []dedup.Table{
		{Name: bandsTable, Record: key + dedup.DocBytes, Key: key, Doc: key},
		{Name: sampleTable, Record: dedup.DocBytes + m.sampleBytes(), Key: dedup.DocBytes},
	}
	if m.verified() {
		tables = append(tables, dedup.Table{Name: shinglesTable, Record: dedup.DocBytes + 8, Key: dedup.DocBytes})
	}
	return tables
}

// IgnoresSingletons reports whether records of the table that are the only ones with their key
// are ignored: true for bands.
func (m *Method) IgnoresSingletons(table string) bool { return table == bandsTable }

// Divide returns ByCluster: each process finds all clusters and marks some of them. If
// pairs are compared, each process compares the candidates of its clusters.
func (m *Method) Divide() dedup.Division { return dedup.ByCluster }

// Sketcher returns a new sketcher.
func (m *Method) Sketcher() dedup.Sketcher { return &sketcher{signer: m.newSigner()} }

type sketcher struct {
	signer *signer
	sorter shingle.Sorter
}

// Sketch emits the records of d.
func (s *sketcher) Sketch(d *records.Doc, num int64, emit func(table int) []byte) {
	shingles, compare := s.signer.Shingles(d)
	if !compare {
		return
	}
	m := s.signer.m
	sig := s.signer.Sign(shingles)
	key := m.keyBytes()
	for band := range m.cfg.Bands {
		rec := emit(0)
		s.signer.key(rec[:key], sig, band)
		dedup.PutDoc(rec[key:], num)
	}
	rec := emit(1)
	dedup.PutDoc(rec, num)
	sample(rec[dedup.DocBytes:], sig)
	if !m.verified() {
		return
	}
	s.sorter.Sort(shingles)
	shingles = slices.Compact(shingles)
	for _, h := range shingles[:min(len(shingles), maxShingles)] {
		rec := emit(2)
		dedup.PutDoc(rec, num)
		binary.BigEndian.PutUint64(rec[dedup.DocBytes:], h)
	}
}
