package dedup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/sorts"
)

func sortTables(t []IndexTable) {
	sorts.Func(t, func(a, b IndexTable) int { return cmp.Compare(a.Name, b.Name) })
}

// copyRecords copies records with new document numbers. It skips records for which
// number returns a negative one.
func copyRecords(out *extsort.Writer, in iter.Seq2[[]byte, error], t Table, number func(doc int64, rec []byte) int64) error {
	for rec, err := range in {
		if err != nil {
			return err
		}
		n := number(DocAt(rec[t.Doc:]), rec)
		if n < 0 {
			continue
		}
		b, err := out.Add()
		if err != nil {
			return err
		}
		copy(b, rec)
		PutDoc(b[t.Doc:], n)
	}
	return nil
}

// openIndex opens the index of the run, or begins one if it is to be updated.
func (r *run) openIndex() (err error) {
	if r.cfg.Index == "" {
		return nil
	}
	_, err = os.Stat(filepath.Join(r.cfg.Index, indexName))
	if r.cfg.Update && errors.Is(err, fs.ErrNotExist) {
		r.index, err = newIndex(r.cfg.Index, r.cfg.Method)
	} else {
		r.index, err = OpenIndex(r.cfg.Index)
	}
	if err != nil {
		return err
	}
	return r.index.check(r.cfg.Method)
}

// useIndex adds the runs of the index before the runs of the input, as links in the
// work folder.
func (r *run) useIndex() error {
	if r.index == nil {
		return nil
	}
	r.m.Indexed, r.m.IndexIs = r.index.s.Docs, r.index.identity()
	for name, t := range r.index.s.Tables {
		for i, x := range t.Runs {
			from, err := filepath.Abs(filepath.Join(r.index.dir, x.Name))
			if err != nil {
				return err
			}
			x.Name = fmt.Sprintf("%s-index-%06d.run", name, i)
			to := filepath.Join(r.dir, x.Name)
			if err := disk.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := disk.Symlink(from, to); err != nil {
				return err
			}
			r.m.Tables[name].Runs = append(r.m.Tables[name].Runs, x)
		}
	}
	return nil
}

// identity returns a string that changes when the index changes.
func (x *Index) identity() string {
	return fmt.Sprintf("%s %d %d %d", x.s.Last, x.s.Serial, x.s.Docs, x.s.Forgotten)
}

// checkIndex compares the index with the index that the run began with. The run itself
// may have updated it.
func (r *run) checkIndex() error {
	switch {
	case r.index == nil && r.m.IndexIs == "":
		return nil
	case r.index == nil || r.index.identity() != r.m.IndexIs && r.index.s.Last != r.m.Token:
		return fmt.Errorf("%s: the index has changed since the run began: %w", r.dir, ErrStartOver)
	}
	return nil
}

// sameIndex compares the locked index on disk with the index that the run opened:
// another run may have updated it since.
func (r *run) sameIndex() error {
	disk := new(Index)
	body, err := readChecked(filepath.Join(r.index.dir, indexName), errMakeAgain)
	if err == nil {
		err = json.Unmarshal(body, &disk.s)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // a new one
	}
	if err == nil && disk.identity() != r.index.identity() {
		err = fmt.Errorf("index %s: another run has updated it since this one began: %w", r.index.dir, ErrStartOver)
	}
	return err
}

// update adds the documents that stay to the index.
func (r *run) update() error {
	x := r.index
	if !r.cfg.Update || x.s.Last == r.m.Token {
		return nil
	}
	unlock, err := x.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.sameIndex(); err != nil {
		return err
	}
	keep, err := readKept(r.dir, r.m.Docs)
	if err != nil {
		return err
	}
	defer keep.close()
	w, err := openIDs(x.dir, x.s.IDs, x.s.IDState, x.s.Docs)
	if err != nil {
		return err
	}
	defer w.close()
	docs := x.s.Docs
	err = eachID(r.dir, workIDs, r.m.Docs, func(doc int64, id []byte) error {
		if !keep.stays.has(doc) {
			return nil
		}
		docs++
		return w.add(string(id))
	})
	if err == nil {
		err = w.sync()
	}
	if err != nil {
		return err
	}
	number := keep.stays.numbers()
	keeper, picks := r.cfg.Method.(IndexKeeper)
	for _, t := range r.cfg.Method.Tables() {
		out, err := x.folder.NewWriter(extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: r.plan.table})
		if err != nil {
			return err
		}
		err = copyRecords(out, r.scan(t.Name, r.plan.merge, nil, nil), t, func(doc int64, rec []byte) int64 {
			doc -= r.m.Indexed
			if doc < 0 || !keep.stays.has(doc) ||
				picks && !keeper.KeepRecord(t.Name, rec, func(para int32) bool { return keep.dropped(doc, para) }) {
				return -1
			}
			return r.m.Indexed + number(doc)
		})
		err = errors.Join(err, keep.err)
		if err != nil {
			return err
		}
		runs, err := out.Flush()
		if err != nil {
			return err
		}
		x.s.Tables[t.Name].Runs = append(x.s.Tables[t.Name].Runs, runs...)
	}
	x.s.Docs, x.s.IDState, x.s.Last = docs, w.idState, r.m.Token
	return x.save()
}
