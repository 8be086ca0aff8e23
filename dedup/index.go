package dedup

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
)

// indexFormat is the version of an index, see docs/reference/formats/dedup-index.md:
//
//	1: first
//	2: names of settings in snake_case, percent of exact and decontaminate
const indexFormat = 2

const indexName = "index.json"

// Index holds the records and ids of the documents of a corpus, so that later
// documents can be compared with them. Documents are numbered in the order in which
// they were added.
type Index struct {
	dir    string
	folder *extsort.Folder
	s      indexState
	gone   bitmap // forgotten documents
}

// indexState is the manifest of an index.
type indexState struct {
	Format    int                    `json:"format"`
	Method    string                 `json:"method"`
	Config    json.RawMessage        `json:"config"`
	Docs      int64                  `json:"docs"`
	Forgotten int64                  `json:"forgotten"`
	Gone      string                 `json:"gone,omitempty"`     // file of the forgotten
	GoneSum   *uint32                `json:"gone_sum,omitempty"` // its CRC-32C; the first builds wrote none
	Serial    int                    `json:"serial"`             // of files beside the runs
	IDs       string                 `json:"ids"`                // begins the names of the files of ids
	IDState   idState                `json:"id_state"`
	Tables    map[string]*tableState `json:"tables"`
	Last      string                 `json:"last"` // the run that updated it last
}

// OpenIndex opens an index. It returns an error if there is none.
func OpenIndex(dir string) (*Index, error) {
	x := &Index{dir: dir}
	name := filepath.Join(dir, indexName)
	body, err := readChecked(name, errMakeAgain)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no index there: a run that updates it makes one", dir)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &x.s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if x.s.Format != indexFormat {
		return nil, fmt.Errorf("%s: format %d, this build reads %d: make the index again or upgrade chaffinch", name, x.s.Format, indexFormat)
	}
	if err := checkTables(x.s.Tables, x.s.Docs); err != nil {
		return nil, fmt.Errorf("%s: %w: make the index again", name, err)
	}
	return x, blame(x.open(), dir)
}

// checkTables rejects tables that no run can have written.
func checkTables(tables map[string]*tableState, docs int64) error {
	if docs < 0 || docs > noDoc {
		return fmt.Errorf("%d documents", docs)
	}
	for name, t := range tables {
		if t == nil || t.Key < 1 || t.Record < t.Key || t.Doc < 0 || t.Record > 1<<16 {
			return fmt.Errorf("table %q: no such table can be", name)
		}
		for _, r := range t.Runs {
			if r.Name != filepath.Base(r.Name) || r.Record != t.Record || r.Records < 0 {
				return fmt.Errorf("table %q: run %q: no such run can be", name, r.Name)
			}
		}
	}
	return nil
}

// newIndex returns an empty index in memory; save writes it.
func newIndex(dir string, m Method) (*Index, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range list {
		if name := e.Name(); !isOurs(name) && name != files.Unfinished(indexName) { // what a killed run left is ours
			return nil, fmt.Errorf("%s: holds %s, but no index: name another folder", dir, e.Name())
		}
	}
	cfg, err := json.Marshal(m.Config())
	if err != nil {
		return nil, err
	}
	x := &Index{dir: dir, s: indexState{Format: indexFormat, Method: m.Name(), Config: cfg, IDs: "ids", Tables: map[string]*tableState{}}}
	for _, t := range m.Tables() {
		x.s.Tables[t.Name] = &tableState{Table: t}
	}
	return x, x.open()
}

// open opens the runs and the list of forgotten documents.
func (x *Index) open() (err error) {
	if x.folder, err = extsort.OpenFolder(x.dir); err != nil {
		return err
	}
	if err := x.folder.Check(x.runs()); err != nil {
		return err
	}
	if x.s.Docs > 0 {
		if err := checkIDs(x.dir, x.s.IDs, x.s.IDState, x.s.Docs); err != nil {
			return err
		}
	}
	if x.s.Gone == "" {
		return nil
	}
	name := filepath.Join(x.dir, filepath.Base(x.s.Gone))
	b, err := os.ReadFile(name)
	if err != nil {
		return &damage{name, errors.Unwrap(err)}
	}
	if int64(len(b)) != 8*x.s.Forgotten {
		return &damage{name, fmt.Errorf("%d bytes, wanted %d", len(b), 8*x.s.Forgotten)}
	}
	if x.s.GoneSum != nil && crc32.Checksum(b, castagnoli) != *x.s.GoneSum {
		return &damage{name, errors.New("checksum does not match")}
	}
	x.gone = newBitmap(x.s.Docs)
	for i := 0; i < len(b); i += 8 {
		doc := int64(binary.BigEndian.Uint64(b[i:]))
		if doc < 0 || doc >= x.s.Docs {
			return &damage{name, fmt.Errorf("document %d of %d", doc, x.s.Docs)}
		}
		x.gone.set(doc)
	}
	return nil
}

func (x *Index) runs() (all []extsort.Run) {
	for _, t := range x.s.Tables {
		all = append(all, t.Runs...)
	}
	return all
}

// check returns an error unless the index was made by the method with the same
// settings.
func (x *Index) check(m Method) error {
	cfg, err := json.Marshal(m.Config())
	if err != nil {
		return err
	}
	if x.s.Method != m.Name() {
		return fmt.Errorf("index %s: made by %s, this run is %s: take the same method, or another index", x.dir, x.s.Method, m.Name())
	}
	if string(x.s.Config) != string(cfg) {
		return fmt.Errorf("index %s: made by %s with other settings (%s): take the same ones, or another index", x.dir, x.s.Method, settings.Differences(x.s.Config, cfg, "index", "run"))
	}
	return nil
}

// save replaces the manifest, then removes files that it does not name.
func (x *Index) save() error {
	b, err := json.Marshal(&x.s)
	if err != nil {
		return err
	}
	if err := writeChecked(filepath.Join(x.dir, indexName), b); err != nil {
		return err
	}
	if err := x.folder.Sweep(x.runs()); err != nil {
		return err
	}
	list, err := os.ReadDir(x.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch ext := filepath.Ext(e.Name()); {
		case e.Name() == x.s.Gone, e.Name() == x.s.IDs+".dat", e.Name() == x.s.IDs+".off":
		case ext == ".gone", ext == ".dat", ext == ".off":
			if err := disk.Remove(filepath.Join(x.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// lock takes the index for this process alone.
func (x *Index) lock() (unlock func(), err error) {
	if unlock, err = lock(filepath.Join(x.dir, lockName)); err != nil {
		return nil, fmt.Errorf("index %s: %w", x.dir, err)
	}
	return unlock, nil
}

// IndexInfo describes the content of an index.
type IndexInfo struct {
	Method    string          `json:"method"`
	Config    json.RawMessage `json:"config"`
	Docs      int64           `json:"docs"`      // that count
	Forgotten int64           `json:"forgotten"` // that Merge would take out
	Tables    []IndexTable    `json:"tables"`
}

// IndexTable is a table of an index.
type IndexTable struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`
	Runs    int    `json:"runs"`
}

// Info returns a description of the content of the index.
func (x *Index) Info() IndexInfo {
	info := IndexInfo{Method: x.s.Method, Config: x.s.Config, Docs: x.s.Docs - x.s.Forgotten, Forgotten: x.s.Forgotten}
	for _, t := range x.s.Tables {
		it := IndexTable{Name: t.Name, Runs: len(t.Runs)}
		for _, r := range t.Runs {
			it.Records += r.Records
			it.Bytes += r.Bytes()
		}
		info.Tables = append(info.Tables, it)
	}
	sortTables(info.Tables)
	return info
}

// Forget removes documents from the index by their ids, one per line of r.
// [Index.Merge] frees their disk space. It returns the number of documents removed and
// the number of different ids that were not found.
func (x *Index) Forget(r io.Reader) (docs, unknown int64, err error) {
	unlock, err := x.lock()
	if err != nil {
		return 0, 0, err
	}
	defer unlock()
	found := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if id := lines.Text(); id != "" {
			found[id] = false
		}
	}
	if err := lines.Err(); err != nil {
		return 0, 0, err
	}
	if x.gone == nil {
		x.gone = newBitmap(x.s.Docs)
	}
	err = eachID(x.dir, x.s.IDs, x.s.Docs, func(doc int64, id []byte) error {
		if _, ok := found[string(id)]; ok {
			found[string(id)] = true
			if !x.gone.has(doc) {
				x.gone.set(doc)
				docs++
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	for _, ok := range found {
		if !ok {
			unknown++
		}
	}
	if docs == 0 {
		return 0, unknown, nil
	}
	var b []byte
	for doc := range x.s.Docs {
		if x.gone.has(doc) {
			b = binary.BigEndian.AppendUint64(b, uint64(doc))
		}
	}
	x.s.Serial++
	x.s.Gone, x.s.Forgotten = fmt.Sprintf("%d.gone", x.s.Serial), x.s.Forgotten+docs
	sum := crc32.Checksum(b, castagnoli)
	x.s.GoneSum = &sum
	if err := files.WriteFile(filepath.Join(x.dir, x.s.Gone), b); err != nil {
		return 0, 0, err
	}
	return docs, unknown, x.save()
}

// Merge merges each table into one run and drops forgotten documents. memory is in
// bytes.
func (x *Index) Merge(memory int64) (err error) {
	defer func() { err = blame(err, x.dir) }()
	unlock, err := x.lock()
	if err != nil {
		return err
	}
	defer unlock()
	keep := newBitmap(x.s.Docs)
	for doc := range x.s.Docs {
		if !x.gone.has(doc) {
			keep.set(doc)
		}
	}
	number := keep.numbers()
	x.s.Serial++
	w := &idWriter{}
	name := fmt.Sprintf("ids%d", x.s.Serial)
	if w, err = openIDs(x.dir, name, idState{}, 0); err != nil {
		return err
	}
	defer w.close()
	var docs int64
	err = eachID(x.dir, x.s.IDs, x.s.Docs, func(doc int64, id []byte) error {
		if !keep.has(doc) {
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
	for _, t := range x.s.Tables {
		runs, _, err := x.folder.Compact(t.Runs, extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: memory / 2})
		if err != nil {
			return err
		}
		m, err := x.folder.Merge(runs, extsort.MergeConfig{Memory: memory / 2})
		if err != nil {
			return err
		}
		out, err := x.folder.NewWriter(extsort.WriterConfig{Prefix: t.Name, Record: t.Record, Key: t.Record, Memory: memory / 4})
		if err == nil {
			err = copyRecords(out, m.All(), t.Table, func(doc int64, _ []byte) int64 {
				if !keep.has(doc) {
					return -1
				}
				return number(doc)
			})
		}
		if err = errors.Join(err, m.Close()); err != nil {
			return err
		}
		if t.Runs, err = out.Flush(); err != nil {
			return err
		}
	}
	x.s.Docs, x.s.Forgotten, x.s.Gone, x.s.GoneSum, x.gone = docs, 0, "", nil, nil
	x.s.IDs, x.s.IDState = name, w.idState
	return x.save()
}
