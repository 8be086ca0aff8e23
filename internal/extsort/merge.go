package extsort

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// MergeConfig configures [Folder.Merge].
type MergeConfig struct {
	// Memory is the size of the buffers in bytes, see MaxRuns.
	Memory int64
	// From and To limit the keys to the range from From to before To. Both may be shorter than a
	// key; nil means no limit.
	From, To []byte
}

// readBytes is the minimum size in bytes of a read of a run, if memory allows.
const readBytes = 64 << 10

// maxReadBytes is the maximum size in bytes of a read of a run.
const maxReadBytes = 1 << 20

// MaxRuns returns the number of runs that can be merged at once with the given memory in bytes.
// Compact reduces their number.
func MaxRuns(memory int64) int { return int(max(memory/readBytes, 2)) }

// Merge opens runs, which must have the same Record and Key, as one sorted sequence. Several
// Mergers may be open at once, also of the same runs.
func (f *Folder) Merge(runs []Run, cfg MergeConfig) (*Merger, error) {
	m := &Merger{}
	if len(runs) == 0 {
		return m, nil
	}
	l := runs[0].layout()
	if err := l.check(); err != nil {
		return nil, err
	}
	full := l.blockBytes() + sumSize
	each := min(int(cfg.Memory)/len(runs), maxReadBytes) / full * full
	if each == 0 && len(runs) > 2 {
		return nil, fmt.Errorf("extsort: %d runs cannot be merged within %d bytes: compact them first", len(runs), cfg.Memory)
	}
	longest := int64(1) // blocks of a run
	for _, r := range runs {
		longest = max(longest, l.blocks(r.Records))
	}
	each = int(min(int64(max(each, full)), longest*int64(full)))
	buf := make([]byte, each*len(runs))
	var in []refiller
	for i, r := range runs {
		if r.Record != l.record || r.Key != l.key {
			return nil, errors.Join(fmt.Errorf("extsort: run %s has records of %d bytes with keys of %d, others of %d and %d", r.Name, r.Record, r.Key, l.record, l.key), m.Close())
		}
		file, err := openRun(f.dir, r)
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		m.files = append(m.files, file)
		rd := &runReader{file: file, buf: buf[i*each : (i+1)*each : (i+1)*each], end: r.Records}
		if cfg.To != nil {
			if rd.end, err = file.find(cfg.To, rd.buf); err != nil {
				return nil, errors.Join(err, m.Close())
			}
		}
		if cfg.From != nil {
			if rd.at, err = file.find(cfg.From, rd.buf); err != nil {
				return nil, errors.Join(err, m.Close())
			}
		}
		in = append(in, rd)
	}
	var err error
	if m.tree, err = newTree(l.record, l.key, in); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// Merger reads runs as one sorted sequence.
type Merger struct {
	tree  *tree
	files []*runFile
}

// Next returns the next record, nil at the end. It is valid until the next
// call and must not be changed.
func (m *Merger) Next() ([]byte, error) {
	if m.tree == nil {
		return nil, nil
	}
	return m.tree.next()
}

// All returns the remaining records. A record is valid until the next one. The sequence ends after
// an error.
func (m *Merger) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			rec, err := m.Next()
			if rec == nil && err == nil || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the files and frees the buffers.
func (m *Merger) Close() error {
	var err error
	for _, f := range m.files {
		err = errors.Join(err, f.file.Close())
	}
	m.files, m.tree = nil, nil
	return err
}

// runReader reads records at to end-1 of a run.
type runReader struct {
	file    *runFile
	buf     []byte
	at, end int64
}

func (r *runReader) refill() ([]byte, error) {
	if r.at >= r.end {
		return nil, nil
	}
	block := r.at / r.file.perBlock
	b, err := r.file.read(r.buf, block)
	if err != nil {
		return nil, err
	}
	first := block * r.file.perBlock // the number of the first record of b
	size := int64(r.file.record)
	end := min(first+int64(len(b))/size, r.end)
	b = b[(r.at-first)*size : (end-first)*size]
	r.at = end
	return b, nil
}

// Compact merges runs into fewer, so that they can be merged with cfg.Memory. It returns the runs
// to use from now on, in order, and the replaced runs. It does not remove the latter, since they
// may be in a manifest: store the new list, then Remove the old runs. Prefix names the new files;
// Unique is as in WriterConfig.
func (f *Folder) Compact(runs []Run, cfg WriterConfig) (now, old []Run, err error) {
	fan := MaxRuns(cfg.Memory)
	made := map[string]bool{}
	now = slices.Clone(runs)
	for len(now) > fan {
		var next []Run
		left := now
		for excess := len(now) - fan; excess > 0 && len(left) > 1; {
			// One read buffer of the memory is used for the output.
			n := min(excess+1, max(fan-1, 2), len(left))
			run, err := f.Join(context.Background(), left[:n], cfg)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range left[:n] {
				if !made[r.Name] {
					old = append(old, r)
				} else if err := f.Remove([]Run{r}); err != nil {
					return nil, nil, err
				}
			}
			made[run.Name] = true
			next = append(next, run)
			left = left[n:]
			excess -= n - 1
		}
		now = append(next, left...)
	}
	return now, old, nil
}

// Join merges runs into one that replaces them; see [Folder.Compact].
func (f *Folder) Join(ctx context.Context, runs []Run, cfg WriterConfig) (Run, error) {
	m, err := f.Merge(runs, MergeConfig{Memory: max(cfg.Memory-readBytes, readBytes)})
	if err != nil {
		return Run{}, err
	}
	defer m.Close()
	l := runs[0].layout()
	records := int64(0)
	for _, r := range runs {
		records += r.Records
	}
	out, err := f.create(cfg.Prefix, l, l.fileSize(records))
	if err != nil {
		return Run{}, err
	}
	p := packer{out: out, buf: make([]byte, max(readBytes, l.blockBytes()+sumSize))}
	var last []byte
	for n := int64(0); ; n++ {
		rec, err := m.Next()
		if err == nil && n%(1<<16) == 0 {
			err = ctx.Err()
		}
		if err != nil {
			out.file.Discard()
			return Run{}, err
		}
		if rec == nil {
			return p.finish()
		}
		if cfg.Unique && l.key == l.record {
			if string(rec) == string(last) {
				continue
			}
			last = append(last[:0], rec...)
		}
		if err := p.add(rec); err != nil {
			return Run{}, err
		}
	}
}

// Split returns at most parts-1 keys that divide the records of runs into parts of about the same
// size, in order. Each part can be read by a Merge with From and To. Keys have length bytes, so
// that records with the same first length bytes stay together. It reads some blocks of each run.
func (f *Folder) Split(runs []Run, parts, length int) ([][]byte, error) {
	total := int64(0)
	for _, r := range runs {
		total += r.Records
	}
	var samples []string
	buf := []byte(nil)
	for _, r := range runs {
		file, err := openRun(f.dir, r)
		if err != nil {
			return nil, err
		}
		if n := file.blockBytes() + sumSize; len(buf) < n {
			buf = make([]byte, n)
		}
		// 64 samples for each part in total, distributed over the runs by their number of records.
		blocks := file.blocks(r.Records)
		n := min(max(int64(parts)*64*r.Records/max(total, 1), 1), blocks)
		for i := range n {
			b, err := file.read(buf[:file.blockBytes()+sumSize], i*blocks/n)
			if err != nil {
				file.file.Close()
				return nil, err
			}
			samples = append(samples, string(b[:min(length, r.Key)]))
		}
		file.file.Close()
	}
	slices.Sort(samples)
	var keys [][]byte
	for i := 1; i < parts && len(samples) > 0; i++ {
		if s := samples[i*len(samples)/parts]; len(keys) == 0 && s > samples[0] || len(keys) > 0 && s > string(keys[len(keys)-1]) {
			keys = append(keys, []byte(s))
		}
	}
	return keys, nil
}
