package dedup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/files"
)

// The following functions remove duplicates in steps that different processes can do, each
// for a part. [SketchShard] processes a part of the collection and [GroupKeys] a part of
// the keys. [MarkShards] processes a part of the marks if the method is [Divided], else
// all marks. [RewriteShard] processes a part of the collection. Each step writes a folder
// that the next step reads. The result has the same bytes as the output of [Run].

// SingletonIgnorer is implemented by a method that ignores records of some tables if no other
// record has the same key.
type SingletonIgnorer interface {
	// IgnoresSingletons reports whether Group ignores records of that table that are the only
	// ones with their key.
	IgnoresSingletons(table string) bool
}

// ignoresSingletons reports whether records of a table that are the only ones with their key can
// be left out. Only repeated ids are counted.
func (c *Config) ignoresSingletons(table string) bool {
	l, ok := c.Method.(SingletonIgnorer)
	return table == orderTable.Name || ok && l.IgnoresSingletons(table)
}

// Sketched describes the sketch of a part of the collection.
type Sketched struct {
	Docs   int64           `json:"docs"`
	Bytes  int64           `json:"bytes"`
	Bad    int64           `json:"bad"`
	Failed int64           `json:"failed"`
	IDs    json.RawMessage `json:"ids"`
}

// Names of files and folders that steps pass on.
const (
	tablesName = "tables.json" // the tables in a folder
	shardName  = "shard.json"  // a shard, beside its marks
	groupKeys  = "keys"        // tables of the method, written by [GroupKeys]
	groupIDs   = "ids"         // repeated ids, written by [GroupKeys]
)

// KeysName returns the name of the folder in which [SketchShard] writes a part of the
// keys, for [GroupKeys].
func KeysName(part int) string { return fmt.Sprintf("keys-%03d", part) }

// RestName is the name of the folder of records that are not divided by key, for
// [MarkShards].
const RestName = "rest"

// saveTables writes the list of tables in a folder.
func saveTables(dir string, tables map[string]*tableState) error {
	return saveJSON(filepath.Join(dir, tablesName), tables)
}

func loadTables(dir string) (tables map[string]*tableState, err error) {
	name := filepath.Join(dir, tablesName)
	if err = loadJSON(name, &tables); err == nil {
		if err = checkTables(tables, 0); err != nil {
			err = &damage{name, err}
		}
	}
	return tables, err
}

func saveJSON(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeChecked(name, b)
}

func loadJSON(name string, v any) error {
	b, err := readChecked(name, ErrStartOver)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return &damage{name, err}
	}
	return nil
}

// flush ends a writer and stores its runs in tables.
func flush(tables map[string]*tableState, t Table, w *extsort.Writer) error {
	runs, err := w.Flush()
	tables[t.Name] = &tableState{t, runs}
	return err
}

// newRun returns the run of a part in its work folder.
func newRun(cfg Config) (r *run, unlock func(), err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, nil, err
	}
	if cfg.Index != "" || cfg.Order != InInput {
		return nil, nil, errors.New("parts of a collection are compared with no index, and stay in their order")
	}
	r = &run{cfg: cfg, plan: newPlan(cfg.Memory - cfg.held()), dir: cfg.Work, shards: true, part: wholeTask}
	unlock, err = r.openFolder()
	return r, unlock, err
}

// SketchShard sketches the inputs and writes the records into the folder out.
// Records that can be divided by key are in that many parts, see [KeysName], the
// others in [RestName].
func SketchShard(ctx context.Context, cfg Config, parts int, out string) (*Sketched, error) {
	r, unlock, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	defer unlock()
	src, err := r.open(false)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if err := r.begin(src); err != nil {
		return nil, err
	}
	if err := r.sketch(ctx, src); err != nil {
		return nil, err
	}
	names := []string{RestName}
	for p := range parts {
		names = append(names, KeysName(p))
	}
	var folders []*extsort.Folder
	var tables []map[string]*tableState
	for _, name := range names {
		f, err := extsort.OpenFolder(filepath.Join(out, name))
		if err != nil {
			return nil, err
		}
		folders, tables = append(folders, f), append(tables, map[string]*tableState{})
	}
	for _, t := range r.tables() {
		if err := r.cut(ctx, t, folders, tables); err != nil {
			return nil, err
		}
	}
	for i, name := range names {
		if err := saveTables(filepath.Join(out, name), tables[i]); err != nil {
			return nil, err
		}
	}
	for _, ext := range []string{".dat", ".off"} {
		if err := disk.Rename(filepath.Join(r.dir, workIDs+ext), filepath.Join(out, RestName, workIDs+ext)); err != nil {
			return nil, err
		}
	}
	s := &Sketched{Docs: r.m.Docs, Bytes: r.m.Bytes, Bad: r.m.Bad, Failed: r.m.Failed}
	s.IDs, err = json.Marshal(r.m.IDs)
	return s, err
}

// cut writes a table into the folders of the parts of its keys, or the folder of the
// rest.
func (r *run) cut(ctx context.Context, t Table, folders []*extsort.Folder, tables []map[string]*tableState) error {
	to := make([]*extsort.Writer, len(folders))
	from, n := 0, 1 // the rest
	if r.cfg.ignoresSingletons(t.Name) {
		from, n = 1, len(folders)-1
	}
	for i := from; i < from+n; i++ {
		var err error
		if to[i], err = folders[i].NewWriter(writing(t, r.plan.table/int64(n))); err != nil {
			return err
		}
	}
	for rec, err := range r.scan(t.Name, r.plan.merge, nil, nil) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		i := from + int(xxh3.Hash(rec[:t.Key])%uint64(n))
		b, err := to[i].Add()
		if err != nil {
			return err
		}
		copy(b, rec)
	}
	for i := from; i < from+n; i++ {
		if err := flush(tables[i], t, to[i]); err != nil {
			return err
		}
	}
	return nil
}

// writing returns the configuration for writing a table.
func writing(t Table, memory int64) extsort.WriterConfig {
	return extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: memory}
}

// shift appends the records of a table of a shard whose documents are numbered from
// base on in the collection. It skips documents that the run does not ask about.
func (r *run) shift(ctx context.Context, out *extsort.Writer, dir string, t *tableState, base int64) error {
	folder, err := extsort.OpenFolder(dir)
	if err != nil {
		return err
	}
	m, err := folder.Merge(t.Runs, extsort.MergeConfig{Memory: r.plan.merge})
	if err != nil {
		return err
	}
	defer m.Close()
	return copyRecords(out, m.All(), t.Table, func(doc int64, _ []byte) int64 {
		if doc += base; ctx.Err() != nil || r.asked != nil && !r.asked.has(doc) {
			return -1
		}
		return doc
	})
}

// GroupKeys merges the records of one part of the keys. dirs are the folders that
// [SketchShard] wrote for each shard, in the order of the collection. It drops records
// that are the only ones with their key. [MarkShards] reads the folder out, or the
// parts of it that [GroupFolders] names.
func GroupKeys(ctx context.Context, cfg Config, shards []Sketched, dirs []string, out string) error {
	r, unlock, err := newRun(cfg)
	if err != nil {
		return err
	}
	defer unlock()
	folders := map[string]map[string]*tableState{groupKeys: {}, groupIDs: {}}
	for _, t := range r.tables() {
		if !r.cfg.ignoresSingletons(t.Name) {
			continue
		}
		all, err := r.folder.NewWriter(writing(t, r.plan.table))
		if err != nil {
			return err
		}
		if err := r.gather(ctx, t, all, shards, dirs); err != nil {
			return err
		}
		if err := flush(r.m.Tables, t, all); err != nil {
			return err
		}
		name := groupKeys
		if t.Name == orderTable.Name {
			name = groupIDs
		}
		to, err := extsort.OpenFolder(filepath.Join(out, name))
		if err != nil {
			return err
		}
		kept, err := to.NewWriter(writing(t, r.plan.table))
		if err != nil {
			return err
		}
		if err := r.company(t, kept); err != nil {
			return err
		}
		if err := flush(folders[name], t, kept); err != nil {
			return err
		}
	}
	for name, tables := range folders {
		if err := disk.MkdirAll(filepath.Join(out, name)); err != nil {
			return err
		}
		if err := saveTables(filepath.Join(out, name), tables); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// gather appends the records of a table of all shards.
func (r *run) gather(ctx context.Context, t Table, out *extsort.Writer, shards []Sketched, dirs []string) error {
	base := int64(0)
	for i, dir := range dirs {
		tables, err := loadTables(dir)
		if err != nil {
			return err
		}
		here := tables[t.Name]
		if here == nil || here.Table != t {
			return fmt.Errorf("%s: no table %s of this method", dir, t.Name)
		}
		if err := r.shift(ctx, out, dir, here, base); err != nil {
			return err
		}
		base += shards[i].Docs
	}
	return ctx.Err()
}

// company copies the records of a table that share their key with another record.
func (r *run) company(t Table, out *extsort.Writer) error {
	last, kept, some := make([]byte, t.Record), false, false
	put := func(rec []byte) error {
		b, err := out.Add()
		if err == nil {
			copy(b, rec)
		}
		return err
	}
	for rec, err := range r.scan(t.Name, r.plan.merge, nil, nil) {
		if err != nil {
			return err
		}
		if some && bytes.Equal(rec[:t.Key], last[:t.Key]) {
			if !kept {
				if err := put(last); err != nil {
					return err
				}
			}
			if err := put(rec); err != nil {
				return err
			}
			kept = true
		} else {
			kept = false
		}
		copy(last, rec)
		some = true
	}
	return nil
}

// link makes runs of another folder available in the work folder.
func (r *run) link(dir string, runs []extsort.Run, prefix string) ([]extsort.Run, error) {
	runs = slices.Clone(runs)
	for i := range runs {
		from, err := filepath.Abs(filepath.Join(dir, runs[i].Name))
		if err != nil {
			return nil, err
		}
		runs[i].Name = fmt.Sprintf("%s-%06d.run", prefix, i)
		if err := disk.Symlink(from, filepath.Join(r.dir, runs[i].Name)); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// RewriteShard writes the documents of a shard that stay to Out and the
// others to Dropped. marks are the folders that all parts of [MarkShards] wrote for
// the shard. The report counts the documents of the shard.
func RewriteShard(ctx context.Context, cfg Config, marks ...string) (*Result, error) {
	r, unlock, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	defer unlock()
	src, err := r.open(false)
	if err != nil {
		return nil, err
	}
	r.m.Input = src.Identity()
	if err := src.Close(); err != nil {
		return nil, err
	}
	if err := r.adoptMarks(marks); err != nil {
		return nil, err
	}
	if err := r.rewrite(ctx); err != nil {
		return nil, err
	}
	rep := r.report()
	for _, name := range []string{r.cfg.Dropped, r.cfg.Out} {
		if name == "" {
			continue
		}
		if err := files.Publish(name); err != nil {
			return nil, err
		}
	}
	return rep, nil
}
