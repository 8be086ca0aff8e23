package corpus

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/parallel"
	"chaffinch/model"
)

// meta is the metadata in the header of an index.
type meta struct {
	Tokens   int64        `json:"tokens"`
	Attrs    []metaAttr   `json:"attributes"`
	Structs  []metaStruct `json:"structures"`
	Document string       `json:"document"`
}

type metaAttr struct {
	Name string `json:"name"`
	From string `json:"derived_from,omitempty"`
}

type metaStruct struct {
	Name  string     `json:"name"`
	Attrs []metaAttr `json:"attributes"`
}

// Kind and version of an index in the container of package model.
//
//	1  first
//	2  derived attributes of structures: year, month, day, host
const (
	kind      = "corpus.index"
	behaviour = 2
)

// fileName is the name of the index file in its folder.
const fileName = "index.chf"

// Size returns the number of tokens read so far.
func (b *Builder) Size() int64 { return b.size }

// Finish writes the index and moves it to its final path, replacing any existing
// index.
func (b *Builder) Finish() (rep BuildReport, err error) {
	defer func() { err = errors.Join(err, b.Close()) }()
	w, err := model.Create(filepath.Join(b.dir, fileName), model.Header{
		Kind: kind, Behaviour: behaviour, Tool: b.cfg.Tool, DataSHA256: hex.EncodeToString(b.sum.Sum(nil)),
	})
	if err != nil {
		return rep, err
	}
	if rep, err = b.write(w); err != nil {
		w.Abort()
		return rep, fmt.Errorf("corpus %s: %w", b.dir, err)
	}
	if err := w.Close(); err != nil {
		return rep, err
	}
	st, err := os.Stat(filepath.Join(b.dir, fileName))
	if err != nil {
		return rep, err
	}
	rep.Bytes = st.Size()
	return rep, nil
}

// piece writes some sections of an index.
type piece struct {
	write func(w sections, memory int64) error
	last  bool // starts after the others, because it needs their results
	to    *aside
}

func (b *Builder) write(w *model.Writer) (rep BuildReport, err error) {
	slices.SortFunc(b.structs, func(x, y *structBuilder) int { return strings.Compare(x.name, y.name) })
	m := meta{Tokens: b.size, Document: b.cfg.Document}
	rep = BuildReport{Tokens: b.size, Read: b.read, Failed: b.failed}
	cols := b.cols
	for i := range b.cols {
		m.Attrs = append(m.Attrs, metaAttr{Name: b.cfg.Columns[i]})
	}
	if b.cfg.Lower != "" {
		lower, err := b.cols[0].derive("attr/"+b.cfg.Lower, appendLower)
		if err != nil {
			return rep, err
		}
		cols = append(slices.Clone(cols), lower)
		m.Attrs = append(m.Attrs, metaAttr{Name: b.cfg.Lower, From: b.cfg.Columns[0]})
	}
	var pieces []*piece
	for i, c := range cols {
		rep.Values = append(rep.Values, Count{Name: m.Attrs[i].Name})
		rep.Runs += len(c.runs)
		last := i == len(b.cols)
		pieces = append(pieces, &piece{last: last, write: func(w sections, memory int64) (err error) {
			if last {
				<-b.cols[0].merged
			}
			rep.Values[i].Count, err = c.finish(w, memory)
			return err
		}})
	}
	pieces = append(pieces, &piece{write: func(w sections, _ int64) error { return b.writeGlue(w) }})
	m.Structs = make([]metaStruct, len(b.structs))
	for i, s := range b.structs {
		rep.Structs = append(rep.Structs, Count{s.name, s.n})
		m.Structs[i].Name = s.name
		pieces = append(pieces, &piece{write: func(w sections, memory int64) (err error) {
			m.Structs[i].Attrs, err = s.finish(w, b.size, memory)
			return err
		}})
	}
	if err := b.writeAll(w, pieces); err != nil {
		return rep, err
	}
	w.Header().Config, err = json.Marshal(m)
	return rep, err
}

// atOnce is the maximum number of pieces of an index that are written concurrently.
// Each has its share of the memory. Pieces that sort places hold open files for
// each range.
const atOnce = 4

// writeAll writes the pieces in order. With several processors, all pieces but the
// first are written to temporary files concurrently.
func (b *Builder) writeAll(w *model.Writer, pieces []*piece) error {
	workers := min(runtime.GOMAXPROCS(0), len(pieces), atOnce)
	memory := b.cfg.Memory / 2 / int64(workers)
	if workers == 1 {
		for _, p := range pieces {
			if err := p.write(w, memory); err != nil {
				return err
			}
		}
		return nil
	}
	defer func() {
		for _, p := range pieces {
			if p.to != nil {
				p.to.p.close()
			}
		}
	}()
	order := slices.Clone(pieces)
	slices.SortStableFunc(order, func(x, y *piece) int {
		switch {
		case x.last == y.last:
			return 0
		case x.last:
			return 1
		}
		return -1
	})
	errs := make([]error, len(order))
	var failed atomic.Bool
	parallel.Each(workers, len(order), func(i int) {
		p, to := order[i], sections(w)
		if failed.Load() && p != pieces[0] { // the last pieces depend on it
			return
		}
		if p != pieces[0] {
			if p.to, errs[i] = newAside(b.work.Path); errs[i] == nil {
				to = p.to
			}
		}
		if errs[i] == nil {
			errs[i] = p.write(to, memory)
		}
		if errs[i] != nil {
			failed.Store(true)
		}
	})
	if err := cmp.Or(errs...); err != nil { // all pieces fail on a full disk
		return err
	}
	for _, p := range pieces[1:] {
		if err := p.to.copy(w); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) writeGlue(w sections) error {
	in, err := b.glue.reader()
	if err != nil {
		return err
	}
	w.Section("glue")
	out := bitpack.NewWriter(w, 1)
	at := int64(0)
	for at < b.glued {
		gap, err := readUvarint(in)
		if err != nil {
			return err
		}
		out.AddZeros(gap)
		if at += int64(gap) + 1; at > b.size {
			break // a mark after the last token
		}
		out.Add(1)
	}
	out.AddZeros(uint64(max(b.size-at, 0)))
	return out.Close()
}
