package dedup

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
)

// tableState is the entry of a table in the manifest.
type tableState struct {
	Table
	Runs []extsort.Run
}

// newWriter returns a writer for the records of a table, sorted by the whole record.
func (r *run) newWriter(t Table, memory int64) (*extsort.Writer, error) {
	m, ok := r.cfg.Method.(SingletonIgnorer)
	hashed := ok && m.IgnoresSingletons(t.Name)
	return r.folder.NewWriter(extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: memory, Hashed: hashed})
}

// ready returns the runs of a table, few enough to be merged at once.
func (r *run) ready(table string) (*tableState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.m.Tables[table]
	if t == nil {
		return nil, fmt.Errorf("dedup: no table %q", table)
	}
	if len(t.Runs) <= extsort.MaxRuns(r.plan.merge) {
		return t, nil
	}
	runs, old, err := r.folder.Compact(t.Runs, extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: r.plan.merge})
	if err != nil {
		return nil, err
	}
	t.Runs = runs
	r.gone = append(r.gone, old...)
	return t, r.save()
}

// scan reads the records r with from <= r < to; nil means no limit.
func (r *run) scan(table string, memory int64, from, to []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		c, err := r.cursor(table, memory, from, to)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.Close()
		for {
			rec, err := c.Next()
			if rec == nil && err == nil || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// spill holds the records of a group that exceed the memory.
type spill struct {
	f *disk.File
	w *bufio.Writer
}

func (r *Records) toDisk(dir string, rec []byte) error {
	if r.spill == nil {
		f, err := disk.Scratch(dir)
		if err != nil {
			return err
		}
		r.spill = &spill{f, bufio.NewWriterSize(f, 1<<16)}
	}
	_, err := r.spill.w.Write(rec)
	return err
}

func (s *spill) all(record int, yield func([]byte, error) bool) {
	if err := s.w.Flush(); err != nil {
		yield(nil, err)
		return
	}
	in := bufio.NewReaderSize(io.NewSectionReader(s.f, 0, 1<<62), 1<<16)
	rec := make([]byte, record)
	for {
		_, err := io.ReadFull(in, rec)
		if err == io.EOF {
			return
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

func (s *spill) close() error { return s.f.Close() }

// forgotten returns the documents of the index whose records in a table are ignored.
func (r *run) forgotten(table string) bitmap {
	if r.index == nil || r.index.s.Tables[table] == nil {
		return nil
	}
	return r.index.gone
}
