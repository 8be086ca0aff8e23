package plagiarism

import (
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
	"sync/atomic"

	"chaffinch/dedup/shingle"
	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
	"chaffinch/internal/workdir"
	"chaffinch/model"
	"chaffinch/pipeline"
)

// IndexBuilder builds an index of a sequence of documents. Texts are written to the
// file immediately. Fingerprints are sorted on disk, and other sections wait there.
type IndexBuilder struct {
	cfg     IndexConfig
	w       *model.Writer
	workers int
	prints  *extsort.Stream // sort records
	work    *workdir.Folder // nil in memory
	made    string          // the folder, if the builder created it
	// Sections that are written after the texts.
	ends, ids, idEnds, secs, dir, filter spool

	docs     int
	sections uint32
	size     uint64 // of the texts in bytes
	idSize   uint64 // of the ids in bytes
	seen     *idSet
	// Documents that wait until there is enough text to find the frequent words.
	waiting  []document
	held     int
	frequent []uint64                // words
	common   *wordSet                // the same
	known    atomic.Pointer[wordSet] // common, for workers that process documents ahead
	current  sectionPrints           // of the current document
	n        int64
}

type document struct {
	num      int
	id, text string
}

// sampleBytes is the size of the text used to find the frequent words.
const sampleBytes = 4 << 20

// idShare is the divisor of the memory that ids may use.
const idShare = 16

// A record of the sort: fingerprint big-endian, section, place. Records are added in the order of
// sections and places, and sorted by the fingerprint.
const recordSize, fingerprintSize = 14, 8

// NewIndexBuilder starts an index in the folder dir, which is created if missing. If
// dir is "", the index is in memory. memory bounds the bytes for sorting and for ids;
// the rest is written to temporary files in the folder. Temporary files of killed
// builders are removed.
func NewIndexBuilder(dir string, cfg IndexConfig, memory int64, tool string) (*IndexBuilder, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	js, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	h := model.Header{Kind: indexKind, Behaviour: indexBehaviour, Config: js, Tool: tool}
	b := &IndexBuilder{cfg: cfg, workers: runtime.GOMAXPROCS(0)}
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
	b.ends.dir, b.ids.dir, b.idEnds.dir, b.secs.dir, b.dir.dir, b.filter.dir = temp, temp, temp, temp, temp, temp
	b.seen = newIDSet(temp, memory/idShare)
	memory -= memory / idShare
	b.prints, err = extsort.NewStream(extsort.Config{Record: recordSize, Key: fingerprintSize, Memory: memory, Workers: b.workers, Dir: temp})
	if err != nil {
		return nil, errors.Join(err, b.Abort())
	}
	b.w.Section("texts")
	return b, nil
}

// Add adds a document. It returns an error for a duplicate id, or if the program fails
// on the text. Further documents may be added after these errors.
func (b *IndexBuilder) Add(id, text string) error { return b.add(id, text, nil) }

// add is Add with precomputed passages. found is nil if they are not known.
func (b *IndexBuilder) add(id, text string, found *sectionPrints) error {
	if isNew, err := b.seen.add(idKey(id)); err != nil {
		return err
	} else if !isNew {
		return &DuplicateError{ID: id}
	}
	if _, err := io.WriteString(b.w, text); err != nil {
		return fmt.Errorf("plagiarism index: writing texts: %w", err)
	}
	b.size += uint64(len(text))
	b.idSize += uint64(len(id))
	if err := errors.Join(b.ends.uint64(b.size), b.ids.string(id), b.idEnds.uint64(b.idSize)); err != nil {
		return err
	}
	d := document{b.docs, id, text}
	b.docs++
	switch {
	case b.common != nil && found != nil:
		return b.take(d, found)
	case b.common != nil:
		return b.index(d)
	}
	b.waiting = append(b.waiting, d)
	if b.held += len(text); b.held < sampleBytes && len(b.waiting) < maxWaiting {
		return nil
	}
	return b.start()
}

// maxWaiting is the maximum number of documents in the sample for frequent words. Only a collection of
// empty or tiny texts has as many.
const maxWaiting = 1 << 20

// idKey returns a hash of an id.
func idKey(id string) uint64 {
	h := uint64(hashSeed)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * hashPrime
	}
	return shingle.Mix(h)
}

// DuplicateError reports an id that an earlier document has.
type DuplicateError struct{ ID string }

// Error returns a message with the id.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("document id %q is there twice: ids must differ, or passages could not be told apart", e.ID)
}

// start finds the frequent words of the waiting documents and indexes the documents.
func (b *IndexBuilder) start() error {
	b.frequent = frequent(b.waiting, b.cfg.Common)
	b.common = newWordSet(b.frequent)
	b.known.Store(b.common)
	waiting := b.waiting
	b.waiting = nil
	type found struct {
		document
		sectionPrints
	}
	var faults []error
	err := pipeline.Flow[found]{Read: func(x *found) error {
		if len(waiting) == 0 {
			return io.EOF
		}
		x.document, waiting = waiting[0], waiting[1:]
		return nil
	}, Work: func(_ int, x *found) error {
		if len(x.text) > longDocument {
			return nil
		}
		return x.find(x.text, b.common, &b.cfg, nil)
	}, Use: func(x *found) (err error) {
		if len(x.text) > longDocument {
			err = b.index(x.document)
		} else {
			err = b.take(x.document, &x.sectionPrints)
		}
		if err != nil && !errors.As(err, new(*panics.Panic)) {
			return err
		}
		faults = append(faults, err)
		return nil
	}}.Run(context.Background())
	if err != nil {
		return err
	}
	return errors.Join(faults...)
}

// minCommon is the minimum number of occurrences of a frequent word.
const minCommon = 20

// mostCounts is the maximum number of goroutines that count words. It is bounded
// because their counts must be added up.
const mostCounts = 4

// frequent returns the words whose share of the texts is more than share, sorted.
func frequent(docs []document, share float64) []uint64 {
	type part struct {
		count map[uint64]int
		all   int
	}
	parts := make([]part, min(runtime.GOMAXPROCS(0), mostCounts))
	parallel.Each(0, len(parts), func(i int) {
		p := &parts[i]
		p.count = map[uint64]int{}
		var w words
		for ; i < len(docs); i += len(parts) {
			text := docs[i].text[:min(len(docs[i].text), sampleBytes)]
			for from := 0; from < len(text); {
				w.reset(from)
				from = w.cut(text, from, sectionWords)
				p.all += w.len()
				for _, h := range w.hash {
					p.count[h]++
				}
			}
		}
	})
	count, all := parts[0].count, parts[0].all
	for _, p := range parts[1:] {
		all += p.all
		for h, n := range p.count {
			count[h] += n
		}
	}
	var common []uint64
	for h, n := range count {
		if n >= minCommon && float64(n) > share*float64(all) {
			common = append(common, h)
		}
	}
	slices.Sort(common)
	return common
}

// Docs returns the number of documents added.
func (b *IndexBuilder) Docs() int { return b.docs }

// Bytes returns the total length of the texts added.
func (b *IndexBuilder) Bytes() int64 { return int64(b.size) }

// Fingerprints returns the number of fingerprints, which is final after Close.
func (b *IndexBuilder) Fingerprints() int64 { return b.n }

// Close finishes the index.
func (b *IndexBuilder) Close(ctx context.Context) error {
	if err := b.finish(ctx); err != nil {
		return errors.Join(err, b.Abort())
	}
	err := b.w.Close()
	return errors.Join(err, b.closeTables(), b.work.Close())
}

// Abort discards the index and removes its files. An existing index is kept.
func (b *IndexBuilder) Abort() error {
	b.w.Abort()
	err := errors.Join(b.closeTables(), b.work.Close())
	if b.made != "" {
		disk.Remove(b.made) // fails if the folder is not empty
	}
	return err
}

// closeTables removes the temporary files of sections, ids and fingerprints.
func (b *IndexBuilder) closeTables() error {
	var errs []error
	for _, s := range []*spool{&b.ends, &b.ids, &b.idEnds, &b.secs, &b.dir, &b.filter} {
		errs = append(errs, s.close())
	}
	if b.seen != nil {
		errs = append(errs, b.seen.close())
	}
	if b.prints != nil {
		errs = append(errs, b.prints.Close())
	}
	return errors.Join(errs...)
}

// Index finishes an index in memory and returns it.
func (b *IndexBuilder) Index() (*Index, error) {
	if err := b.finish(context.Background()); err != nil {
		return nil, errors.Join(err, b.closeTables())
	}
	raw, err := b.w.Bytes()
	if err != nil {
		return nil, err
	}
	f, err := model.Parse("memory", raw)
	if err != nil {
		return nil, err
	}
	return readIndex("memory", f)
}

// finish writes all sections except the texts.
func (b *IndexBuilder) finish(ctx context.Context) error {
	if b.common == nil {
		if err := b.start(); err != nil {
			return err
		}
	}
	if err := b.seen.close(); err != nil {
		return err
	}
	var common spool
	for _, h := range b.frequent {
		if err := common.uint64(h); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		name string
		*spool
	}{{"ends", &b.ends}, {"ids", &b.ids}, {"id_ends", &b.idEnds}, {"sections", &b.secs}, {"common", &common}} {
		b.w.Section(s.name)
		if err := errors.Join(s.copyTo(b.w), s.close()); err != nil {
			return err
		}
	}
	return errors.Join(b.postings(ctx), b.prints.Close())
}

// bucket describes the postings of a bucket of the directory.
type bucket struct {
	number   int
	postings uint64
	filter   uint64
}

// partPostings holds the postings of a part of the sorted fingerprints.
type partPostings struct {
	part    extsort.Part
	out     []byte
	buckets []bucket // in order; the first and the last may continue in other parts
}

// compute sorts the fingerprints of the part and encodes their postings.
func (x *partPostings) compute(prints *extsort.Stream, worker, bucketBits int) error {
	recs, err := prints.Sort(worker, x.part)
	x.out, x.buckets = x.out[:0], x.buckets[:0]
	for rec := recs; len(rec) > 0; rec = rec[recordSize:] {
		f := binary.BigEndian.Uint64(rec)
		number := int(f >> (64 - bucketBits)) // 0 if there are no bits
		if n := len(x.buckets); n == 0 || x.buckets[n-1].number != number {
			x.buckets = append(x.buckets, bucket{number: number})
		}
		last := &x.buckets[len(x.buckets)-1]
		last.postings++
		last.filter |= 1 << filterBit(f<<bucketBits)
		x.out = binary.BigEndian.AppendUint32(x.out, uint32(f<<bucketBits>>32))
		x.out = binary.LittleEndian.AppendUint32(x.out, binary.BigEndian.Uint32(rec[8:]))
		x.out = binary.LittleEndian.AppendUint16(x.out, binary.BigEndian.Uint16(rec[12:]))
	}
	return err
}

// postings writes the sorted fingerprints and their directory, about 16 postings
// per bucket.
func (b *IndexBuilder) postings(ctx context.Context) error {
	bucketBits := min(bits.Len64(uint64(b.n)/16), 32)
	b.w.Section("postings")
	if err := b.dir.uint64(0); err != nil {
		return err
	}
	var open bucket // its postings include all earlier buckets
	closeUntil := func(number int) error {
		for ; open.number < number; open.number++ {
			if err := errors.Join(b.dir.uint64(open.postings), b.filter.uint64(open.filter)); err != nil {
				return err
			}
			open.filter = 0
		}
		return nil
	}
	err := pipeline.Flow[partPostings]{Workers: b.workers, Read: func(x *partPostings) (err error) {
		x.part, err = b.prints.Next()
		return err
	}, Work: func(worker int, x *partPostings) error {
		return x.compute(b.prints, worker, bucketBits)
	}, Use: func(x *partPostings) error {
		for _, k := range x.buckets {
			if err := closeUntil(k.number); err != nil {
				return err
			}
			open.postings += k.postings
			open.filter |= k.filter
		}
		_, err := b.w.Write(x.out)
		return err
	}}.Run(ctx)
	if err != nil {
		return err
	}
	if err := closeUntil(1 << bucketBits); err != nil {
		return err
	}
	b.w.Section("directory")
	if err := b.dir.copyTo(b.w); err != nil {
		return err
	}
	b.w.Section("filter")
	return b.filter.copyTo(b.w)
}

// prints computes fingerprints.
type prints struct {
	hash  []uint64 // of content words
	place []int32
	// The sampled fingerprints, each with the place of its first word, in the order of the places.
	f  []uint64
	at []int32
}

// compute computes the sampled fingerprints of a piece of text.
func (p *prints) compute(w *words, common *wordSet, cfg *IndexConfig) {
	p.hash, p.place = p.hash[:0], p.place[:0]
	for i, h := range w.hash {
		if !common.has(h) {
			p.hash = append(p.hash, h)
			p.place = append(p.place, int32(i))
		}
	}
	sample := uint64(cfg.Sample)
	mask := sample - 1
	byMask := sample&mask == 0 // without a division
	n := len(p.hash) * cfg.Span
	p.f, p.at = resize(p.f, n), resize(p.at, n)
	n = 0
	for i, h := range p.hash {
		at := p.place[i]
		for _, g := range p.hash[i+1 : min(i+1+cfg.Span, len(p.hash))] {
			f := shingle.Mix(min(g, h)*hashPrime ^ bits.RotateLeft64(max(g, h), 31))
			rest := f & mask
			if !byMask {
				rest = f % sample
			}
			if g == h {
				rest = 1
			}
			p.f[n], p.at[n] = f, at
			if rest == 0 { // not a branch, since it is random
				n++
			}
		}
	}
	p.f, p.at = p.f[:n], p.at[:n]
}
