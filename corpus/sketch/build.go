package sketch

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"chaffinch/corpus"
	"chaffinch/internal/bitpack"
	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
	"chaffinch/internal/parallel"
	"chaffinch/model"
)

// fileName is the name of the sketch file in the folder of an index.
const fileName = "sketch.chf"

// Kind and version of a sketch file in the container of package model.
const (
	kind      = "corpus.sketch"
	behaviour = 1
)

// BuildConfig configures how sketches are computed.
type BuildConfig struct {
	// Memory bounds the bytes of records held in memory. Records that do not fit are sorted on
	// disk, in the folder of the index. It does not affect the result.
	Memory int64
	// Workers is the number of goroutines that search. Default: one per processor. It does not
	// affect the result.
	Workers int
	// Tool is the program and version that computed the sketches. It is stored in the file.
	Tool string
	// OnProgress, if set, is called with the number of finished and of all parts of the search.
	OnProgress func(done, all int)
}

// DefaultBuild is the default configuration.
var DefaultBuild = BuildConfig{Memory: 128 << 20}

// BuildReport describes computed sketches.
type BuildReport struct {
	Relations []RelationCount
	// Records is the number of instances of relations: pairs of positions, or positions of a unary
	// relation.
	Records int64
	// Triples is the number of distinct combinations of headword, relation and collocate.
	Triples int64
	Words   int64 // headwords with a sketch
	Bytes   int64 // size of the file
}

// RelationCount is the number of instances of a relation.
type RelationCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// meta is the metadata in the header of a sketch file.
type meta struct {
	Index     uint32     `json:"index"`  // checksum of the index
	Tokens    int64      `json:"tokens"` // of the index
	Attr      string     `json:"attr"`   // of headwords and collocates
	Relations []Relation `json:"relations"`
	Counts    []int64    `json:"counts"` // records of each relation
	Order     []string   `json:"order,omitempty"`
	Grammar   string     `json:"grammar,omitempty"` // source
	Records   int64      `json:"records"`
	Paired    int64      `json:"paired"` // records with a collocate
	Triples   int64      `json:"triples"`
	Words     int64      `json:"words"`
}

// keyAttr returns the attribute of headwords: lempos, else lemma, else the first one.
func keyAttr(c *corpus.Corpus) (*corpus.Attr, error) {
	for _, name := range []string{"lempos", "lemma"} {
		if slices.Contains(c.Attrs(), name) {
			return c.Attr(name)
		}
	}
	return c.Attr("")
}

// partTokens is the number of tokens that one goroutine searches at a time.
const partTokens = 1 << 20

// Build computes the sketches of a corpus and stores them in the folder of its index. The corpus
// must be a whole index. The same index and grammar give the same bytes.
func Build(ctx context.Context, c *corpus.Corpus, g *Grammar, cfg BuildConfig) (rep BuildReport, err error) {
	if c.Condition() != "" {
		return rep, errors.New("sketches: a part of a corpus, wanted the whole one")
	}
	rules, err := g.compile(ctx, c)
	if err != nil {
		return rep, err
	}
	key, err := keyAttr(c)
	if err != nil {
		return rep, err
	}
	cfg.Workers = cmp.Or(cfg.Workers, min(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	cfg.Memory = cmp.Or(cfg.Memory, DefaultBuild.Memory)
	sorter, err := extsort.New(extsort.Config{Record: recordLen, Key: recordLen, Memory: cfg.Memory / 2, Workers: cfg.Workers, Dir: c.Dir(), Merge: func(_, _ []byte) {}})
	if err != nil {
		return rep, err
	}
	if err := search(ctx, c, rules, key, sorter, cfg); err != nil {
		return rep, errors.Join(err, sorter.Close())
	}
	if err := c.Release(); err != nil { // sorting needs memory, but not the index
		return rep, errors.Join(err, sorter.Close())
	}
	sorted, err := sorter.Sort()
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, sorted.Close()) }()
	w, err := model.Create(filepath.Join(c.Dir(), fileName), model.Header{Kind: kind, Behaviour: behaviour, Tool: cfg.Tool})
	if err != nil {
		return rep, err
	}
	b := &builder{ctx: ctx, c: c, g: g, key: key, w: w, cfg: cfg}
	if err := b.write(sorted); err != nil {
		w.Abort()
		return rep, fmt.Errorf("sketches of %s: %w", c.Dir(), err)
	}
	if err := w.Close(); err != nil {
		return rep, err
	}
	rep = BuildReport{Records: b.meta.Records, Triples: b.meta.Triples, Words: b.meta.Words}
	for i, r := range g.Relations {
		rep.Relations = append(rep.Relations, RelationCount{r.Name, b.meta.Counts[i]})
	}
	st, err := os.Stat(filepath.Join(c.Dir(), fileName))
	if err == nil {
		rep.Bytes = st.Size()
	}
	return rep, err
}

// search adds the records of all rules to the sorter. Each rule is searched in parts of the corpus.
func search(ctx context.Context, c *corpus.Corpus, rules []compiled, attr *corpus.Attr, sorter *extsort.Sorter, cfg BuildConfig) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	key := &keys{Attr: attr}
	key.empty, key.hasEmpty = attr.ID("")
	parts := int(c.Size()/partTokens) + 1
	var mu sync.Mutex // of the sorter and of done
	done := 0
	flush := func(batch []record) {
		mu.Lock()
		defer mu.Unlock()
		for i := range batch {
			b, err := sorter.Add()
			if err != nil {
				stop(err)
				return
			}
			batch[i].put(b)
		}
	}
	parallel.Each(cfg.Workers, parts*len(rules), func(i int) {
		if ctx.Err() != nil {
			return
		}
		x, part := &rules[i%len(rules)], i/len(rules)
		first, end := int64(part)*c.Size()/int64(parts), int64(part+1)*c.Size()/int64(parts)
		batch := make([]record, 0, 1<<12)
		add := func(r record) {
			if batch = append(batch, r); len(batch) == cap(batch) {
				flush(batch)
				batch = batch[:0]
			}
		}
		for m, err := range x.q.Bindings(ctx, first, end) {
			if err != nil {
				stop(fmt.Errorf("line %d of the grammar: %w", x.line, err))
				return
			}
			x.records(key, m.Labels, add)
		}
		flush(batch)
		mu.Lock()
		defer mu.Unlock()
		if done++; cfg.OnProgress != nil {
			cfg.OnProgress(done, parts*len(rules))
		}
	})
	return context.Cause(ctx)
}

// builder writes a sketch file.
type builder struct {
	ctx  context.Context
	c    *corpus.Corpus
	g    *Grammar
	key  *corpus.Attr
	w    *model.Writer
	cfg  BuildConfig
	meta meta

	body    int64    // bytes of the body
	heads   []uint64 // where the sketch of each word begins in the body, one more
	totals  []uint64 // f(*,*,w) of each word
	inverse *extsort.Sorter
}

// An inverse record is a distinct triple by its context. Its key is collocate, relation, third
// word + 1, headword; f(w1,R,w2) and f(w1,R,*) follow.
const (
	inverseKey = 4 + 2 + 4 + 4
	inverseLen = inverseKey + 4 + 8
)

// group is the part of a sketch with one relation.
type group struct {
	relation uint16
	third    uint32
	total    uint64 // f(w,R,*)
	n        int    // collocates
	entries  []byte // of the collocates
	lists    []byte // of positions
	// coll is the current collocate: its count and where its positions begin in lists.
	coll, lastAt uint32
	last         uint32 // collocate before
	count        uint64
	from         int
	colls        []triple
}

// triple is a collocate with its count.
type triple struct {
	coll  uint32
	count uint64
}

func (b *builder) write(sorted *extsort.Sorted) (err error) {
	b.meta = meta{Index: b.c.Checksum(), Tokens: b.c.Size(), Attr: b.key.Name(), Relations: b.g.Relations, Order: b.g.Order, Grammar: b.g.Text, Counts: make([]int64, len(b.g.Relations))}
	b.heads, b.totals = make([]uint64, b.key.Len()+1), make([]uint64, b.key.Len())
	b.inverse, err = extsort.New(extsort.Config{Record: inverseLen, Key: inverseKey, Memory: b.cfg.Memory / 4, Workers: b.cfg.Workers, Dir: b.c.Dir()})
	if err != nil {
		return err
	}
	if err := b.sketches(sorted); err != nil {
		return errors.Join(err, b.inverse.Close())
	}
	contexts, err := b.inverse.Sort()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, contexts.Close()) }()
	if err := b.contexts(contexts); err != nil {
		return err
	}
	b.w.Header().Config, err = json.Marshal(b.meta)
	return err
}

// sketches writes the grammar, the sketches of all headwords and their tables.
func (b *builder) sketches(sorted *extsort.Sorted) error {
	b.w.Section("grammar")
	if _, err := b.w.Write([]byte(b.g.Text)); err != nil {
		return err
	}
	b.w.Section("body")
	if err := b.bodies(sorted); err != nil {
		return err
	}
	if err := b.array("heads", b.heads); err != nil {
		return err
	}
	return b.array("totals", b.totals)
}

// array writes a section with numbers.
func (b *builder) array(name string, xs []uint64) error {
	b.w.Section(name)
	most := uint64(0)
	for _, x := range xs {
		most = max(most, x)
	}
	w := bitpack.NewWriter(b.w, bitpack.Width(most))
	for _, x := range xs {
		w.Add(x)
	}
	return w.Close()
}

// bodies writes the sketches of all headwords.
func (b *builder) bodies(sorted *extsort.Sorted) error {
	in, err := sorted.Open()
	if err != nil {
		return err
	}
	g := new(group)
	head, begun := uint32(0), false
	next := uint32(0) // head whose beginning is not set
	var r record
	for n := 0; ; n++ {
		if n&0xfff == 0 && b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		rec, err := in.Next()
		if err != nil {
			return err
		}
		if rec == nil {
			break
		}
		r.get(rec)
		newHead := !begun || r.head != head
		if newHead || r.relation != g.relation || r.third != g.third {
			if begun {
				if err := b.group(head, g); err != nil {
					return err
				}
			}
			g.reset(r.relation, r.third)
		}
		if newHead {
			for ; next <= r.head; next++ {
				b.heads[next] = uint64(b.body)
			}
			head, begun = r.head, true
			b.meta.Words++
		}
		g.add(&r)
		b.meta.Records++
		b.meta.Counts[r.relation]++
		if !b.g.Relations[r.relation].Unary {
			b.meta.Paired++
			b.totals[r.coll]++
		}
	}
	if begun {
		if err := b.group(head, g); err != nil {
			return err
		}
	}
	for ; int(next) < len(b.heads); next++ {
		b.heads[next] = uint64(b.body)
	}
	return nil
}

func (g *group) reset(relation uint16, third uint32) {
	*g = group{relation: relation, third: third, entries: g.entries[:0], lists: g.lists[:0], colls: g.colls[:0]}
}

// add adds a record, which follows the earlier ones.
func (g *group) add(r *record) {
	if g.count == 0 || r.coll != g.coll {
		g.finish()
		g.coll, g.from, g.lastAt = r.coll, len(g.lists), 0
	}
	g.lists = binary.AppendUvarint(g.lists, uint64(r.at-g.lastAt))
	g.lists = binary.AppendVarint(g.lists, int64(r.collAt)-int64(r.at))
	g.lastAt = r.at
	g.count++
	g.total++
}

// finish ends the current collocate.
func (g *group) finish() {
	if g.count == 0 {
		return
	}
	g.entries = binary.AppendUvarint(g.entries, uint64(g.coll-g.last))
	g.entries = binary.AppendUvarint(g.entries, g.count)
	g.entries = binary.AppendUvarint(g.entries, uint64(len(g.lists)-g.from))
	g.colls = append(g.colls, triple{g.coll, g.count})
	g.last, g.count = g.coll, 0
	g.n++
}

// group writes a group of a sketch.
func (b *builder) group(head uint32, g *group) error {
	g.finish()
	var h []byte
	for _, x := range []uint64{uint64(g.relation), uint64(g.third), g.total, uint64(g.n), uint64(len(g.entries)), uint64(len(g.lists))} {
		h = binary.AppendUvarint(h, x)
	}
	for _, p := range [][]byte{h, g.entries, g.lists} {
		if _, err := b.w.Write(p); err != nil {
			return err
		}
		b.body += int64(len(p))
	}
	b.meta.Triples += int64(g.n)
	if b.g.Relations[g.relation].Unary {
		return nil
	}
	for _, t := range g.colls {
		rec, err := b.inverse.Add()
		if err != nil {
			return err
		}
		binary.BigEndian.PutUint32(rec, t.coll)
		binary.BigEndian.PutUint16(rec[4:], g.relation)
		binary.BigEndian.PutUint32(rec[6:], g.third)
		binary.BigEndian.PutUint32(rec[10:], head)
		binary.BigEndian.PutUint32(rec[14:], uint32(min(t.count, math.MaxUint32)))
		binary.BigEndian.PutUint64(rec[18:], g.total)
	}
	return nil
}

// Remove removes the sketches from the folder of an index.
func Remove(dir string) error {
	if err := disk.Remove(filepath.Join(dir, fileName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
