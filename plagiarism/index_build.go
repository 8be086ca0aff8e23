package plagiarism

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/guard"
	"chaffinch/internal/workdir"
	"chaffinch/model"
)

// IndexBuilder makes an index of documents that come one after the other. Texts
// go to the file at once, fingerprints are sorted on disk.
type IndexBuilder struct {
	cfg    IndexConfig
	w      *model.Writer
	sorter *extsort.Sorter
	work   *workdir.Folder // nil in memory
	made   string          // the folder, if it was not there before
	ends   []byte
	ids    []byte
	idEnds []byte
	secs   []byte
	size   uint64
	seen   map[uint64]bool
	// Until enough text is here to tell which words are frequent, documents wait.
	waiting []document
	held    int
	common  map[uint64]bool
	prints  prints
	n       int64
}

type document struct {
	num  int
	text string
}

// sampleBytes is how much text tells which words are frequent.
const sampleBytes = 4 << 20

// A record of the sort: fingerprint big-endian, section, place.
const recordSize = 14

// NewIndexBuilder starts an index in the folder dir, which is made if it is
// missing; "" makes one in memory. memory bounds the bytes held for sorting;
// what does not fit goes to temporary files in the folder. What builders that
// were killed have left there is removed.
func NewIndexBuilder(dir string, cfg IndexConfig, memory int64, tool string) (*IndexBuilder, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	js, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	h := model.Header{Kind: indexKind, Behaviour: indexBehaviour, Config: js, Tool: tool}
	b := &IndexBuilder{cfg: cfg, seen: map[uint64]bool{}}
	temp := ""
	if dir == "" {
		b.w = model.Memory(h)
	} else {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			b.made = dir
		}
		if err := disk.MkdirAll(dir); err != nil {
			return nil, err
		}
		if b.work, err = workdir.Make(dir); err != nil {
			return nil, err
		}
		temp = b.work.Path
		if b.w, err = model.Create(filepath.Join(dir, indexFile), h); err != nil {
			return nil, errors.Join(err, b.work.Close())
		}
	}
	b.sorter, err = extsort.New(extsort.Config{Record: recordSize, Key: recordSize, Memory: memory, Workers: runtime.GOMAXPROCS(0), Dir: temp})
	if err != nil {
		return nil, errors.Join(err, b.Abort())
	}
	b.w.Section("texts")
	return b, nil
}

// Add adds a document. An id that was there before is an error, and a fault of
// the program over a text is one; after these others may be added.
func (b *IndexBuilder) Add(id, text string) error {
	key := idKey(id)
	if b.seen[key] {
		return &DuplicateError{ID: id}
	}
	b.seen[key] = true
	if _, err := io.WriteString(b.w, text); err != nil {
		return fmt.Errorf("plagiarism index: writing texts: %w", err)
	}
	b.size += uint64(len(text))
	b.ends = binary.LittleEndian.AppendUint64(b.ends, b.size)
	b.ids = append(b.ids, id...)
	b.idEnds = binary.LittleEndian.AppendUint64(b.idEnds, uint64(len(b.ids)))
	d := document{len(b.ends)/8 - 1, text}
	if b.common != nil {
		return b.index(d)
	}
	b.waiting = append(b.waiting, d)
	if b.held += len(text); b.held < sampleBytes {
		return nil
	}
	return b.start()
}

// idKey is a hash of an id.
func idKey(id string) uint64 {
	h := uint64(hashSeed)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * hashPrime
	}
	return mix(h)
}

// DuplicateError tells that an id was used by a document before.
type DuplicateError struct{ ID string }

// Error names the id.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("document id %q is there twice: ids must differ, or passages could not be told apart", e.ID)
}

// start finds the frequent words of the documents that wait, and indexes them.
func (b *IndexBuilder) start() error {
	b.common = frequent(b.waiting, b.cfg.Common)
	waiting := b.waiting
	b.waiting = nil
	var faults []error
	for _, d := range waiting {
		err := b.index(d)
		if err != nil && !errors.As(err, new(*guard.Panic)) {
			return err
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// minCommon is how often a word must be there to count as frequent.
const minCommon = 20

// frequent returns the words that are more than a share of the texts.
func frequent(docs []document, share float64) map[uint64]bool {
	count := map[uint64]int{}
	all := 0
	var w words
	for _, d := range docs {
		text := d.text[:min(len(d.text), sampleBytes)]
		for from := 0; from < len(text); {
			w.reset(from)
			from = w.cut(text, from, sectionWords)
			all += w.len()
			for _, h := range w.hash {
				count[h]++
			}
		}
	}
	common := map[uint64]bool{}
	for h, n := range count {
		if n >= minCommon && float64(n) > share*float64(all) {
			common[h] = true
		}
	}
	return common
}

// index adds the sections and fingerprints of a document.
func (b *IndexBuilder) index(d document) error {
	err := guard.Do(func() error { return b.sections(d) })
	if errors.As(err, new(*guard.Panic)) {
		b.prints = prints{} // in no known state
		return fmt.Errorf("passages of document %q are not all in the index: %w", cutAt(b.ids, b.idEnds, d.num), err)
	}
	return err
}

func (b *IndexBuilder) sections(d document) (err error) {
	sections(d.text, func(s *section) {
		num := len(b.secs) / 12
		b.secs = binary.LittleEndian.AppendUint32(b.secs, uint32(d.num))
		b.secs = binary.LittleEndian.AppendUint64(b.secs, uint64(s.base))
		b.prints.each(&s.words, b.common, &b.cfg, func(f uint64, place int) {
			if err != nil {
				return
			}
			var rec []byte
			if rec, err = b.sorter.Add(); err != nil {
				return
			}
			binary.BigEndian.PutUint64(rec, f)
			binary.BigEndian.PutUint32(rec[8:], uint32(num))
			binary.BigEndian.PutUint16(rec[12:], uint16(place))
			b.n++
		})
	})
	return err
}

// Docs returns the number of documents that were added.
func (b *IndexBuilder) Docs() int { return len(b.ends) / 8 }

// Bytes returns the length of the texts that were added.
func (b *IndexBuilder) Bytes() int64 { return int64(b.size) }

// Fingerprints returns the number of fingerprints, which is final after Close.
func (b *IndexBuilder) Fingerprints() int64 { return b.n }

// Close finishes the index.
func (b *IndexBuilder) Close(ctx context.Context) error {
	if err := b.finish(ctx); err != nil {
		return errors.Join(err, b.Abort())
	}
	err := b.w.Close()
	return errors.Join(err, b.work.Close())
}

// Abort gives up; nothing is left behind, but the index that was there before.
func (b *IndexBuilder) Abort() error {
	b.w.Abort()
	err := b.work.Close()
	if b.made != "" {
		disk.Remove(b.made) // which fails if somebody put something there
	}
	return err
}

// Index finishes an index in memory and returns it.
func (b *IndexBuilder) Index() (*Index, error) {
	if err := b.finish(context.Background()); err != nil {
		return nil, err
	}
	raw, err := b.w.Bytes()
	if err != nil {
		return nil, err
	}
	f, err := model.Parse("memory", raw)
	if err != nil {
		return nil, err
	}
	return readIndex(f)
}

// finish writes all but the texts.
func (b *IndexBuilder) finish(ctx context.Context) error {
	if b.common == nil {
		if err := b.start(); err != nil {
			return err
		}
	}
	var common []uint64
	for h := range b.common {
		common = append(common, h)
	}
	slices.Sort(common)
	var packed []byte
	for _, h := range common {
		packed = binary.LittleEndian.AppendUint64(packed, h)
	}
	for _, s := range []struct {
		name string
		b    []byte
	}{{"ends", b.ends}, {"ids", b.ids}, {"id_ends", b.idEnds}, {"sections", b.secs}, {"common", packed}} {
		b.w.Section(s.name)
		if _, err := b.w.Write(s.b); err != nil {
			return err
		}
	}
	sorted, err := b.sorter.Sort()
	if err != nil {
		return err
	}
	return errors.Join(b.postings(ctx, sorted), sorted.Close())
}

// postings writes the sorted fingerprints and their directory: some 16 postings
// a bucket.
func (b *IndexBuilder) postings(ctx context.Context, sorted *extsort.Sorted) error {
	r, err := sorted.Open()
	if err != nil {
		return err
	}
	bucketBits := min(bits.Len64(uint64(b.n)/16), 32)
	dir := make([]byte, 8*(1<<bucketBits+1))
	b.w.Section("postings")
	var out bytes.Buffer
	n, bucket := uint64(0), 0
	for {
		rec, err := r.Next()
		if err != nil {
			return err
		}
		if rec == nil {
			break
		}
		if n&(1<<20-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f := binary.BigEndian.Uint64(rec)
		k := int(f >> (64 - bucketBits)) // 0 for no bits
		for ; bucket < k; bucket++ {
			binary.LittleEndian.PutUint64(dir[8*(bucket+1):], n)
		}
		var p [postingSize]byte
		binary.BigEndian.PutUint32(p[:], uint32(f<<bucketBits>>32))
		binary.LittleEndian.PutUint32(p[4:], binary.BigEndian.Uint32(rec[8:]))
		binary.LittleEndian.PutUint16(p[8:], binary.BigEndian.Uint16(rec[12:]))
		out.Write(p[:])
		if n++; out.Len() >= 1<<16 {
			if _, err := b.w.Write(out.Bytes()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	if _, err := b.w.Write(out.Bytes()); err != nil {
		return err
	}
	for ; bucket < 1<<bucketBits; bucket++ {
		binary.LittleEndian.PutUint64(dir[8*(bucket+1):], n)
	}
	b.w.Section("directory")
	_, err = b.w.Write(dir)
	return err
}

// prints makes fingerprints.
type prints struct {
	hash  []uint64 // of content words
	place []int32
}

// each calls fn for each fingerprint of a piece of text that the sample keeps,
// in the order of the first word, with the place of that word.
func (p *prints) each(w *words, common map[uint64]bool, cfg *IndexConfig, fn func(f uint64, place int)) {
	p.hash, p.place = p.hash[:0], p.place[:0]
	for i, h := range w.hash {
		if !common[h] {
			p.hash = append(p.hash, h)
			p.place = append(p.place, int32(i))
		}
	}
	for i, h := range p.hash {
		for _, g := range p.hash[i+1 : min(i+1+cfg.Span, len(p.hash))] {
			if g == h {
				continue
			}
			f := mix(min(g, h)*hashPrime ^ bits.RotateLeft64(max(g, h), 31))
			if f%uint64(cfg.Sample) == 0 {
				fn(f, int(p.place[i]))
			}
		}
	}
}
