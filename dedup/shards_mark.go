package dedup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"chaffinch/internal/extsort"
)

// Division is a way to divide the marking of a method among processes.
type Division int

// The divisions.
const (
	// Undivided marking is done by one process.
	Undivided Division = iota
	// ByKey marking of a group depends only on this group and the ranks of its
	// documents. Each process handles a part of the keys.
	ByKey
	// ByCluster marking of a cluster of documents, or of a single one, depends on all
	// its groups. Each process reads all groups and marks the clusters for which
	// [Group.Owns] returns true.
	ByCluster
)

// Divided is implemented by a method that needs the rank or other records of a
// document only if a record of a [SingletonIgnorer] table names it. Data of other documents is
// not passed on.
type Divided interface {
	SingletonIgnorer
	// Divide returns how the marking can be divided.
	Divide() Division
}

// DivisionOf returns how the marking of a method can be divided.
func DivisionOf(m Method) Division {
	if d, ok := m.(Divided); ok {
		return d.Divide()
	}
	return Undivided
}

// Part is one of Of parts of a task, numbered from 0.
type Part struct{ Number, Of int }

// wholeTask is the complete task.
var wholeTask = Part{0, 1}

// GroupFolders returns the names of the folders in the output of [GroupKeys] for a
// part of the keys that a part of the marking needs.
func GroupFolders(m Method, part Part, keys int) (names []string) {
	if DivisionOf(m) != ByKey || keys%part.Of == part.Number {
		names = append(names, groupKeys)
	}
	if part.Number == 0 { // which counts them
		names = append(names, groupIDs)
	}
	return names
}

// MarksAll reports whether this process marks everything.
func (g *Group) MarksAll() bool { return g.run.part.Of == 1 }

// Owns reports whether this process marks the cluster identified by one of its
// documents, for a method that is divided [ByCluster].
func (g *Group) Owns(cluster int64) bool {
	return cluster%int64(g.run.part.Of) == int64(g.run.part.Number)
}

// markedShard describes a shard marked by [MarkShards], for [RewriteShard].
type markedShard struct {
	Base  int64            `json:"base"` // number of its first document in the collection
	Docs  int64            `json:"docs"`
	IDs   map[int64]string `json:"ids"` // of the documents that its marks name
	Marks *tableState      `json:"marks"`
}

// MarksName returns the name of the folder with the marks of a shard.
func MarksName(shard int) string { return fmt.Sprintf("%05d", shard) }

// MarkShards decides on documents. rest are the folders named [RestName] that
// [SketchShard] wrote; groups are the folders that [GroupKeys] wrote, one for each
// part of the keys. Only the subfolders that [GroupFolders] names need to exist. It
// writes the marks of each shard into a folder of out, see [MarksName]. A part other
// than the first writes no folder for a shard without marks. The counts of the reports
// of all parts add up to the counts of the method.
func MarkShards(ctx context.Context, cfg Config, shards []Sketched, rest, groups []string, part Part, out string) (*Result, error) {
	r, unlock, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.part = part
	for _, s := range shards {
		r.m.Docs += s.Docs
		if part.Number > 0 {
			continue // the first part counts
		}
		r.m.Bytes += s.Bytes
		r.m.Bad += s.Bad
		r.m.Failed += s.Failed
	}
	if err := r.adoptGroups(groups); err != nil {
		return nil, err
	}
	if err := r.ask(); err != nil {
		return nil, err
	}
	for _, t := range r.tables() {
		if r.cfg.ignoresSingletons(t.Name) {
			continue
		}
		w, err := r.newWriter(t, r.plan.table)
		if err != nil {
			return nil, err
		}
		if err := r.gather(ctx, t, w, shards, rest); err != nil {
			return nil, err
		}
		if err := flush(r.m.Tables, t, w); err != nil {
			return nil, err
		}
	}
	r.m.Tables[marksTable.Name] = &tableState{Table: marksTable}
	if err := r.adoptIDs(shards, rest); err != nil {
		return nil, err
	}
	r.m.Sketched = true
	if err := r.save(); err != nil {
		return nil, err
	}
	defer r.ranks.close()
	if err := r.group(ctx); err != nil {
		return nil, err
	}
	base := int64(0)
	for i, s := range shards {
		if err := r.handOut(filepath.Join(out, MarksName(i)), base, s.Docs); err != nil {
			return nil, err
		}
		base += s.Docs
	}
	return r.complete(&Result{Method: r.cfg.Method.Name(), Rank: r.cfg.Rank, Reasons: map[string]*Tally{}}), nil
}

// adoptGroups adds the tables of the parts of the keys to the run.
func (r *run) adoptGroups(groups []string) error {
	for _, t := range r.tables() {
		if !r.cfg.ignoresSingletons(t.Name) {
			continue
		}
		name := groupKeys
		if t.Name == orderTable.Name {
			name = groupIDs
		}
		state := &tableState{Table: t}
		for p, dir := range groups {
			if !slices.Contains(GroupFolders(r.cfg.Method, r.part, p), name) {
				continue
			}
			dir := filepath.Join(dir, name)
			tables, err := loadTables(dir)
			if err != nil {
				return err
			}
			if tables[t.Name] == nil {
				return fmt.Errorf("%s: no table %s of this method", dir, t.Name)
			}
			runs, err := r.link(dir, tables[t.Name].Runs, fmt.Sprintf("%s-part%03d", t.Name, p))
			if err != nil {
				return err
			}
			state.Runs = append(state.Runs, runs...)
		}
		r.m.Tables[t.Name] = state
	}
	return nil
}

// ask records the documents that the method may ask about, if the method is [Divided].
func (r *run) ask() error {
	if _, ok := r.cfg.Method.(Divided); !ok {
		return nil
	}
	asked := newBitmap(r.m.Docs)
	for _, t := range r.tables() {
		if !r.cfg.ignoresSingletons(t.Name) {
			continue
		}
		for rec, err := range r.scan(t.Name, r.plan.merge, nil, nil) {
			if err != nil {
				return err
			}
			asked.set(DocAt(rec[t.Doc:]))
		}
	}
	r.asked = asked
	return nil
}

// adoptIDs writes one list of the ids of all shards. Ids of documents that the run
// does not ask about are empty.
func (r *run) adoptIDs(shards []Sketched, rest []string) error {
	ids, err := openIDs(r.dir, workIDs, idState{}, 0)
	if err != nil {
		return err
	}
	defer ids.close()
	base := int64(0)
	for i, dir := range rest {
		var s idState
		if err := json.Unmarshal(shards[i].IDs, &s); err != nil {
			return fmt.Errorf("%s: ids: %w", dir, err)
		}
		if err := checkIDs(dir, workIDs, s, shards[i].Docs); err != nil {
			return err
		}
		err := eachID(dir, workIDs, shards[i].Docs, func(doc int64, id []byte) error {
			if r.asked != nil && !r.asked.has(base+doc) {
				id = nil
			}
			return ids.add(string(id))
		})
		if err != nil {
			return err
		}
		base += shards[i].Docs
	}
	r.m.IDs = ids.idState
	return ids.sync()
}

// handOut writes the marks of the documents of a shard into a folder, with the ids of
// the documents that they name. If there are no marks, only the first part writes the
// folder.
func (r *run) handOut(dir string, base, docs int64) error {
	own, err := readIDs(r.dir, workIDs)
	if err != nil {
		return err
	}
	defer own.close()
	names := map[int64]string{}
	from, till := make([]byte, DocBytes), make([]byte, DocBytes)
	PutDoc(from, base)
	PutDoc(till, base+docs)
	var w *extsort.Writer
	open := func() error {
		to, err := extsort.OpenFolder(dir)
		if err == nil {
			w, err = to.NewWriter(writing(marksTable, r.plan.marks))
		}
		return err
	}
	if r.part.Number == 0 {
		if err := open(); err != nil {
			return err
		}
	}
	for rec, err := range r.scan(marksTable.Name, r.plan.merge, from, till) {
		if err == nil && w == nil {
			err = open()
		}
		if err != nil {
			return err
		}
		b, err := w.Add()
		if err != nil {
			return err
		}
		copy(b, rec)
		var m Mark
		m.get(rec)
		for _, doc := range []int64{m.First, m.Cluster} {
			if doc < 0 || doc >= r.m.Docs || names[doc] != "" { // a Namer resolves other numbers
				continue
			}
			if names[doc], err = own.at(doc); err != nil {
				return err
			}
		}
	}
	if w == nil {
		return nil
	}
	runs, err := w.Flush()
	if err != nil {
		return err
	}
	return saveJSON(filepath.Join(dir, shardName), markedShard{base, docs, names, &tableState{marksTable, runs}})
}

// adoptMarks adds the marks in dirs to the run. Its documents are numbered after the
// documents of earlier shards.
func (r *run) adoptMarks(dirs []string) error {
	marks := &tableState{Table: marksTable}
	r.known = map[int64]string{}
	for i, dir := range dirs {
		var s markedShard
		err := loadJSON(filepath.Join(dir, shardName), &s)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue // nothing was found there
		}
		if err != nil {
			return err
		}
		if s.Marks == nil || s.Base < 0 || s.Docs < 0 || s.Base > noDoc-s.Docs || checkTables(map[string]*tableState{"marks": s.Marks}, s.Docs) != nil {
			return &damage{filepath.Join(dir, shardName), fmt.Errorf("%d documents from %d on, with no marks of them", s.Docs, s.Base)}
		}
		runs, err := r.link(dir, s.Marks.Runs, fmt.Sprintf("%s-shard%03d", marksTable.Name, i))
		if err != nil {
			return err
		}
		marks.Runs = append(marks.Runs, runs...)
		r.m.Indexed, r.m.Docs = s.Base, s.Docs
		maps.Copy(r.known, s.IDs)
	}
	r.m.Tables[marksTable.Name] = marks
	return nil
}
