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

// sectionSize is the number of bytes of a section: uint32 document, uint64 start byte.
const sectionSize = 12

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
	secs     []byte // sectionSize bytes each
	dir      []byte // uint64 each: first posting of each bucket, followed by the end
	filter   []byte // uint64 for each bucket: which values filterBit has for its postings; nil without
	postings []byte
	shift    uint // shift that gives the bucket of a fingerprint
	common   *wordSet
}

// Docs returns the number of documents.
func (x *Index) Docs() int { return len(x.ends) / 8 }

// Sections returns the number of sections.
func (x *Index) Sections() int { return len(x.secs) / sectionSize }

// Bytes returns the number of bytes of all texts.
func (x *Index) Bytes() int64 { return int64(len(x.texts)) }

// ID returns the id of document d.
func (x *Index) ID(d int) (string, error) {
	b, err := x.cut("id", x.ids, x.idEnds, d)
	return string(b), err
}

// Text returns the text of document d. It is valid until Close.
func (x *Index) Text(d int) (string, error) {
	b, err := x.cut("text", x.texts, x.ends, d)
	return unsafe.String(unsafe.SliceData(b), len(b)), err
}

// cut returns a part of b, which ends where ends specifies and begins at the end of the part before.
func (x *Index) cut(what string, b, ends []byte, d int) ([]byte, error) {
	if d < 0 || d >= len(ends)/8 {
		return nil, x.damage("document %d of %d", d, len(ends)/8)
	}
	from, to := uint64(0), binary.LittleEndian.Uint64(ends[8*d:])
	if d > 0 {
		from = binary.LittleEndian.Uint64(ends[8*(d-1):])
	}
	if from > to || to > uint64(len(b)) {
		return nil, x.damage("%s of document %d from byte %d to %d of %d", what, d, from, to, len(b))
	}
	return b[from:to], nil
}

// section returns the document of a section, its text, and the byte where the section begins.
func (x *Index) section(n int) (doc int, text string, from int, err error) {
	b := x.secs[sectionSize*n:]
	doc, start := int(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint64(b[4:])
	text, err = x.Text(doc)
	if err == nil && start >= uint64(len(text)) {
		err = x.damage("section %d begins at byte %d of %d of document %d", n, start, len(text), doc)
	}
	return doc, text, int(start), err
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
	x, err := readIndex(path, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return x, nil
}

// Verify compares the whole file with its checksum.
func (x *Index) Verify() error {
	if x.file == nil {
		return nil
	}
	return rebuildError(x.path, x.file.Verify())
}

// damaged is the error of a damaged index.
type damaged struct{ path, what string }

// Error names the damage and suggests to rebuild the index.
func (e *damaged) Error() string {
	return fmt.Sprintf("index %s: %s: rebuild it (plagiarism index)", e.path, e.what)
}

// damage returns the error for a damaged place.
func (x *Index) damage(format string, a ...any) error {
	return &damaged{x.path, fmt.Sprintf(format, a...) + ": the index is damaged"}
}

// rebuildError adds a hint to rebuild the index to the error of a damaged file.
func rebuildError(path string, err error) error {
	var e *model.DamageError
	if errors.As(err, &e) {
		return &damaged{path, e.What}
	}
	return err
}

// readIndex parses an index. It validates only sizes, so that a large index opens as fast as a small one.
// Positions are validated when they are used.
func readIndex(path string, f *model.File) (*Index, error) {
	if err := f.Want(indexKind, indexBehaviour, indexBehaviour); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	x := &Index{file: f, path: path}
	if err := json.Unmarshal(f.Config, &x.Config); err != nil {
		return nil, fmt.Errorf("%s: settings of the index: %w", path, err)
	}
	if err := x.Config.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var common []byte
	for _, s := range []struct {
		name string
		b    *[]byte
		unit int // size of an element
	}{
		{"texts", &x.texts, 1}, {"ends", &x.ends, 8}, {"ids", &x.ids, 1}, {"id_ends", &x.idEnds, 8}, {"sections", &x.secs, sectionSize},
		{"directory", &x.dir, 8}, {"postings", &x.postings, postingSize}, {"common", &common, 8},
	} {
		b, ok := f.Section(s.name)
		if !ok {
			return nil, x.damage("no section %q", s.name)
		}
		if len(b)%s.unit != 0 {
			return nil, x.damage("section %q of %d bytes, wanted a multiple of %d", s.name, len(b), s.unit)
		}
		*s.b = b
	}
	if len(x.idEnds) != len(x.ends) {
		return nil, x.damage("%d ids of %d documents", len(x.idEnds)/8, len(x.ends)/8)
	}
	buckets := len(x.dir)/8 - 1
	if buckets < 1 || buckets&(buckets-1) != 0 {
		return nil, x.damage("directory of %d buckets, wanted a power of two", buckets)
	}
	x.shift = uint(64 - bits.TrailingZeros(uint(buckets)))
	if x.filter, _ = f.Section("filter"); x.filter != nil && len(x.filter) != 8*buckets {
		return nil, x.damage("filter of %d bytes for %d buckets", len(x.filter), buckets)
	}
	words := make([]uint64, len(common)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(common[8*i:])
	}
	x.common = newWordSet(words)
	return x, nil
}

// filterBit returns the bit of a fingerprint in the filter of its bucket. low is the fingerprint
// without the bits of the bucket.
func filterBit(low uint64) uint64 { return low >> 58 }

// dropUnknown removes most fingerprints that have no postings from p.
func (x *Index) dropUnknown(p *prints) {
	if x.filter == nil {
		return
	}
	fs, at, filter, shift, n := p.f, p.at[:len(p.f)], x.filter, x.shift, 0
	for i, f := range fs {
		fs[n], at[n] = f, at[i]
		values := binary.LittleEndian.Uint64(filter[8*(f>>shift):])
		n += int(values >> filterBit(f<<(64-shift)) & 1) // not a branch, since it is random
	}
	p.f, p.at = fs[:n], at[:n]
}

// bucket returns the first posting and the number of postings of the bucket of a fingerprint.
func (x *Index) bucket(f uint64) (lo, n int, err error) {
	b := int(f >> x.shift) // 0 for 64
	from, to := binary.LittleEndian.Uint64(x.dir[8*b:]), binary.LittleEndian.Uint64(x.dir[8*b+8:])
	if all := uint64(len(x.postings) / postingSize); from > to || to > all {
		return 0, 0, x.damage("bucket %d from posting %d to %d of %d", b, from, to, all)
	}
	return int(from), int(to - from), nil
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
	sections, want := x.Sections(), bits.ReverseBytes32(low)
	for p := x.postings[at*postingSize : end*postingSize]; len(p) >= postingSize && limit > 0; p = p[postingSize:] {
		v := binary.LittleEndian.Uint64(p)
		if uint32(v) != want {
			break
		}
		if k := int(v >> 32); k < sections {
			hits = append(hits, hit{int32(k), s, int32(binary.LittleEndian.Uint16(p[8:]))})
			limit--
		}
	}
	return hits
}
