package plagiarism

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"unsafe"

	"chaffinch/model"
)

// IndexConfig configures the fingerprints of an index. A fingerprint is an unordered
// pair of content words. It is unchanged if words between them are inserted, deleted
// or replaced, and if the two words are swapped.
type IndexConfig struct {
	// Span is the number of following content words with which a word is paired. A
	// content word is a word that is not among the most frequent ones.
	Span int `json:"span"`
	// Sample keeps one in Sample fingerprints, chosen by hash.
	Sample int `json:"sample"`
	// Common is the share of running text above which a word is not a content word.
	// It is measured on the first sources (4 MiB).
	Common float64 `json:"common"`
}

// DefaultIndex is the default configuration.
var DefaultIndex = IndexConfig{Span: 4, Sample: 2, Common: 0.0015}

// Check returns an error if a setting is invalid.
func (c *IndexConfig) Check() error {
	switch {
	case c.Span < 1 || c.Span > 32:
		return fmt.Errorf("plagiarism index: span %d: wanted 1 to 32 content words", c.Span)
	case c.Sample < 1 || c.Sample > 1024:
		return fmt.Errorf("plagiarism index: sample %d: wanted 1 to 1024", c.Sample)
	case !(c.Common > 0 && c.Common <= 1):
		return fmt.Errorf("plagiarism index: common %v: wanted a share above 0, at most 1", c.Common)
	}
	return nil
}

// indexKind is the kind of the index in its container.
const indexKind = "plagiarism.index"

// indexBehaviour versions the words and fingerprints.
//
//	1  pairs of content words, sections of 16384 words
const indexBehaviour = 1

// indexFile is the file in the folder of an index.
const indexFile = "index.chf"

// A posting has 10 bytes. The first 4 are the 32 bits of the fingerprint below its
// bucket bits, big-endian for sorting. The section and the word in it follow,
// little-endian.
const postingSize = 10

// Index is a collection of source documents with their fingerprints. It is safe for
// concurrent use.
type Index struct {
	// Config is the configuration with which the index was built.
	Config IndexConfig

	file     *model.File
	path     string // of the file, for errors
	texts    []byte
	ends     []byte // uint64 each: end of the text of each document
	ids      []byte
	idEnds   []byte // uint64 each
	secs     []byte // of each section: uint32 document, uint64 start byte
	dir      []byte // uint64 each: first posting of each bucket, followed by the end
	filter   []byte // uint64 for each bucket: which values filterBit has for its postings; nil without
	postings []byte
	shift    uint // shift that gives the bucket of a fingerprint
	common   *wordSet
}

// Docs returns the number of documents.
func (x *Index) Docs() int { return len(x.ends) / 8 }

// Sections returns the number of sections.
func (x *Index) Sections() int { return len(x.secs) / 12 }

// Fingerprints returns the number of fingerprints of all texts.
func (x *Index) Fingerprints() int64 { return int64(len(x.postings) / postingSize) }

// Bytes returns the number of bytes of all texts.
func (x *Index) Bytes() int64 { return int64(len(x.texts)) }

// ID returns the id of document d.
func (x *Index) ID(d int) string { return string(cutAt(x.ids, x.idEnds, d)) }

// ByID returns a map from ids to document numbers.
func (x *Index) ByID() map[string]int {
	m := make(map[string]int, x.Docs())
	for d := range x.Docs() {
		m[x.ID(d)] = d
	}
	return m
}

// Text returns the text of document d. It is valid until Close.
func (x *Index) Text(d int) string {
	b := cutAt(x.texts, x.ends, d)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func cutAt(b, ends []byte, n int) []byte {
	from := uint64(0)
	if n > 0 {
		from = binary.LittleEndian.Uint64(ends[8*(n-1):])
	}
	return b[from:binary.LittleEndian.Uint64(ends[8*n:])]
}

// section returns the document of a section and its start byte.
func (x *Index) section(n int) (doc, from int) {
	b := x.secs[12*n:]
	return int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint64(b[4:]))
}

// Close unmaps the file.
func (x *Index) Close() error {
	if x.file == nil {
		return nil
	}
	return x.file.Close()
}

// verified is the maximum size in bytes of an index whose checksum OpenIndex verifies.
const verified = 256 << 20

// OpenIndex opens the index in the folder dir. The checksum of files up to 256 MiB is
// verified. For larger files, call Verify.
func OpenIndex(dir string) (*Index, error) {
	path := filepath.Join(dir, indexFile)
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no plagiarism index (made by plagiarism index SOURCES -o %s): %w", dir, dir, err)
	}
	open := model.OpenUnverified
	if st.Size() <= verified {
		open = model.Open
	}
	f, err := open(path)
	if err != nil {
		return nil, rebuildError(path, err)
	}
	x, err := readIndex(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	x.path = path
	return x, nil
}

// Verify compares the whole file with its checksum.
func (x *Index) Verify() error {
	if x.file == nil {
		return nil
	}
	return rebuildError(x.path, x.file.Verify())
}

// rebuildError adds a hint to rebuild the index to the error of a damaged file.
func rebuildError(path string, err error) error {
	var damaged *model.DamageError
	if errors.As(err, &damaged) {
		return fmt.Errorf("index %s: %s: rebuild it (plagiarism index)", path, damaged.What)
	}
	return err
}

// readIndex parses an index and validates everything that later reads rely on.
func readIndex(f *model.File) (*Index, error) {
	if err := f.Want(indexKind, indexBehaviour, indexBehaviour); err != nil {
		return nil, err
	}
	x := &Index{file: f}
	if err := json.Unmarshal(f.Config, &x.Config); err != nil {
		return nil, fmt.Errorf("settings of the index: %w", err)
	}
	if err := x.Config.Check(); err != nil {
		return nil, err
	}
	var common []byte
	for name, b := range map[string]*[]byte{
		"texts": &x.texts, "ends": &x.ends, "ids": &x.ids, "id_ends": &x.idEnds,
		"sections": &x.secs, "directory": &x.dir, "postings": &x.postings, "common": &common,
	} {
		s, ok := f.Section(name)
		if !ok {
			return nil, fmt.Errorf("no section %q: the index is damaged: build it again", name)
		}
		*b = s
	}
	bad := func(what string) (*Index, error) {
		return nil, fmt.Errorf("%s: the index is damaged: build it again", what)
	}
	n := len(x.ends) / 8
	if len(x.ends)%8 != 0 || len(x.idEnds) != 8*n || !ascending(x.ends, 0, len(x.texts)) || !ascending(x.idEnds, 0, len(x.ids)) {
		return bad("documents do not fit their texts")
	}
	if len(x.secs)%12 != 0 || len(common)%8 != 0 || len(x.postings)%postingSize != 0 {
		return bad("sections of odd length")
	}
	for i := range x.Sections() {
		doc, from := x.section(i)
		if doc >= n || from < 0 || from >= len(x.Text(doc)) {
			return bad(fmt.Sprintf("section %d begins outside its document", i))
		}
	}
	buckets := len(x.dir)/8 - 1
	x.shift = 64
	for b := buckets; b > 1; b >>= 1 {
		x.shift--
	}
	if len(x.dir)%8 != 0 || buckets != 1<<(64-x.shift) || !ascending(x.dir, 0, len(x.postings)/postingSize) {
		return bad("directory does not fit the postings")
	}
	if x.filter, _ = f.Section("filter"); x.filter != nil && len(x.filter) != 8*buckets {
		return bad("filter does not fit the directory")
	}
	var words []uint64
	for i := 0; i < len(common); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(common[i:]))
	}
	x.common = newWordSet(words)
	return x, nil
}

// ascending reports whether the numbers ascend from lo to hi.
func ascending(b []byte, lo, hi int) bool {
	at := uint64(lo)
	for i := 0; i < len(b); i += 8 {
		v := binary.LittleEndian.Uint64(b[i:])
		if v < at || v > uint64(hi) {
			return false
		}
		at = v
	}
	return true
}

// filterBit returns the bit of a fingerprint in the filter of its bucket. low is the fingerprint
// without the bits of the bucket.
func filterBit(low uint64) uint64 { return low >> 58 }

// dropUnknown removes most fingerprints that have no postings from p.
func (x *Index) dropUnknown(p *prints) {
	if x.filter == nil {
		return
	}
	n := 0
	for i, f := range p.f {
		p.f[n], p.at[n] = f, p.at[i]
		values := binary.LittleEndian.Uint64(x.filter[8*(f>>x.shift):])
		n += int(values >> filterBit(f<<(64-x.shift)) & 1) // not a branch, since it is random
	}
	p.f, p.at = p.f[:n], p.at[:n]
}

// bucket returns the first posting and the number of postings of the bucket of a fingerprint.
func (x *Index) bucket(f uint64) (lo, n int) {
	b := int(f >> x.shift) // 0 for 64
	lo = int(binary.LittleEndian.Uint64(x.dir[8*b:]))
	return lo, int(binary.LittleEndian.Uint64(x.dir[8*b+8:])) - lo
}

// low returns the bits of a fingerprint that its postings hold.
func (x *Index) low(f uint64) uint32 { return uint32(f << (64 - x.shift) >> 32) }

// head returns the bits of the fingerprint of a posting.
func (x *Index) head(posting int) uint32 {
	return binary.BigEndian.Uint32(x.postings[posting*postingSize:])
}

// fewPostings is the number of postings of a bucket from which binary search is faster.
const fewPostings = 48

// guess returns the probable position of a fingerprint among n postings. The fingerprints of a
// bucket are random numbers in order.
func guess(low uint32, n int) int { return int(uint64(low) * uint64(n) >> 32) }

// find appends at most limit postings of a fingerprint to hits. lo and n are its bucket, s is its
// place in the suspicious section.
func (x *Index) find(hits []hit, f uint64, lo, n, limit int, s int32) []hit {
	if n == 0 {
		return hits
	}
	low, at, end := x.low(f), 0, lo+n
	if n <= fewPostings {
		at = lo + guess(low, n)
		for at < end && x.head(at) < low {
			at++
		}
		for at > lo && x.head(at-1) >= low {
			at--
		}
	} else {
		i, j := lo, end
		for i < j {
			if m := int(uint(i+j) >> 1); x.head(m) < low {
				i = m + 1
			} else {
				j = m
			}
		}
		at = i
	}
	sections := x.Sections()
	for p := x.postings[at*postingSize : end*postingSize]; len(p) >= postingSize && limit > 0; p = p[postingSize:] {
		v := binary.LittleEndian.Uint64(p)
		if bits.ReverseBytes32(uint32(v)) != low {
			break
		}
		if k := int(v >> 32); k < sections {
			hits = append(hits, hit{int32(k), s, int32(binary.LittleEndian.Uint16(p[8:]))})
			limit--
		}
	}
	return hits
}
