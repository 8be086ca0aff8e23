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
	"strings"
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

// A record is one instance of a relation. All of it is its key, in this order: headword,
// relation, third word + 1, collocate, position of the headword, position of the collocate.
const (
	recordLen  = 4 + 2 + 4 + 4 + 4 + 4
	maxRelated = math.MaxUint16
)

type record struct {
	head, third, coll, at, collAt uint32
	relation                      uint16
}

func (r *record) put(b []byte) {
	binary.BigEndian.PutUint32(b, r.head)
	binary.BigEndian.PutUint16(b[4:], r.relation)
	binary.BigEndian.PutUint32(b[6:], r.third)
	binary.BigEndian.PutUint32(b[10:], r.coll)
	binary.BigEndian.PutUint32(b[14:], r.at)
	binary.BigEndian.PutUint32(b[18:], r.collAt)
}

func (r *record) get(b []byte) {
	r.head = binary.BigEndian.Uint32(b)
	r.relation = binary.BigEndian.Uint16(b[4:])
	r.third = binary.BigEndian.Uint32(b[6:])
	r.coll = binary.BigEndian.Uint32(b[10:])
	r.at = binary.BigEndian.Uint32(b[14:])
	r.collAt = binary.BigEndian.Uint32(b[18:])
}

// compiled is a rule on a corpus.
type compiled struct {
	*rule
	q                    *corpus.Query
	one, two, three      int // numbers of the labels; -1: none
	third                *corpus.Attr
	parts                map[uint32]uint32 // first word of the values of third that are several words
	unary                bool
	relationNo, dualRelN uint16
}

// compile compiles the rules of a grammar.
func (g *Grammar) compile(ctx context.Context, c *corpus.Corpus) ([]compiled, error) {
	if len(g.Relations) > maxRelated {
		return nil, fmt.Errorf("%d relations, wanted at most %d", len(g.Relations), maxRelated)
	}
	var out []compiled
	firsts := map[string]map[uint32]uint32{}
	for i := range g.rules {
		r := &g.rules[i]
		q, err := c.Pattern(ctx, r.query, corpus.PatternConfig{Attr: r.attr, Within: r.within})
		if err != nil {
			return nil, &GrammarError{Name: g.name, Line: r.line, Err: err}
		}
		rel := &g.Relations[r.relation]
		labels := q.Labels()
		x := compiled{rule: r, q: q, unary: rel.Unary, relationNo: uint16(r.relation), dualRelN: uint16(max(r.dual, 0)),
			one: slices.Index(labels, "1"), two: slices.Index(labels, "2"), three: slices.Index(labels, "3")}
		if rel.Third != "" {
			if x.third, err = c.Attr(rel.Third); err != nil {
				return nil, &GrammarError{Name: g.name, Line: r.line, Err: err}
			}
			if firsts[rel.Third] == nil {
				firsts[rel.Third] = firstWords(x.third)
			}
			x.parts = firsts[rel.Third]
		}
		need := []struct {
			label  string
			at     int
			wanted bool
		}{{"1", x.one, true}, {"2", x.two, !rel.Unary}, {"3", x.three, x.third != nil}}
		for _, n := range need {
			if n.wanted && n.at < 0 {
				return nil, &GrammarError{Name: g.name, Line: r.line, Err: fmt.Errorf("found no label %s: in the query, wanted it before a token, as in %s:[]", n.label, n.label)}
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// firstWords returns the first word of each value that consists of several ones, such as de of
// de+le, if the first word is a value too. A token of several words is a preposition and an article.
func firstWords(a *corpus.Attr) map[uint32]uint32 {
	out := map[uint32]uint32{}
	for id := range uint32(a.Len()) {
		if word, rest, ok := strings.Cut(a.Word(id), "+"); ok && word != "" && rest != "" {
			if first, ok := a.ID(word); ok {
				out[id] = first
			}
		}
	}
	return out
}

// keys numbers the headword of each token.
type keys struct {
	*corpus.Attr
	empty    uint32 // number of the empty value, which is no headword
	hasEmpty bool
}

// of returns the number of the headword of token pos. ok is false if it has none or pos is -1.
func (k *keys) of(pos int64) (n uint32, ok bool) {
	if pos < 0 {
		return 0, false
	}
	n = k.At(pos)
	return n, !k.hasEmpty || n != k.empty
}

// records calls add with the records of a way to match.
func (x *compiled) records(key *keys, labels []int64, add func(record)) {
	r := record{relation: x.relationNo}
	one := labels[x.one]
	head, ok := key.of(one)
	if !ok {
		return
	}
	if x.third != nil {
		three := labels[x.three]
		if three < 0 {
			return
		}
		r.third = x.third.At(three)
		if f, ok := x.parts[r.third]; ok {
			r.third = f
		}
		r.third++
	}
	r.head, r.at, r.collAt = head, uint32(one), uint32(one)
	if x.unary {
		add(r)
		return
	}
	two := labels[x.two]
	if r.coll, ok = key.of(two); !ok {
		return
	}
	r.collAt = uint32(two)
	add(r)
	if x.dual >= 0 || x.symmetric {
		if x.dual >= 0 {
			r.relation = x.dualRelN
		}
		r.head, r.coll, r.at, r.collAt = r.coll, r.head, r.collAt, r.at
		add(r)
	}
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
	b.meta = meta{Index: b.c.Checksum(), Tokens: b.c.Size(), Attr: b.key.Name(), Relations: b.g.Relations, Order: b.g.Order, Counts: make([]int64, len(b.g.Relations))}
	b.heads, b.totals = make([]uint64, b.key.Len()+1), make([]uint64, b.key.Len())
	b.inverse, err = extsort.New(extsort.Config{Record: inverseLen, Key: inverseKey, Memory: b.cfg.Memory / 4, Workers: b.cfg.Workers, Dir: b.c.Dir()})
	if err != nil {
		return err
	}
	b.w.Section("grammar")
	if _, err := b.w.Write([]byte(b.g.Text)); err != nil {
		return errors.Join(err, b.inverse.Close())
	}
	b.w.Section("body")
	if err := b.bodies(sorted); err != nil {
		return errors.Join(err, b.inverse.Close())
	}
	if err := b.array("heads", b.heads); err != nil {
		return errors.Join(err, b.inverse.Close())
	}
	if err := b.array("totals", b.totals); err != nil {
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

// maxContext is the maximum number of headwords that share a context of the thesaurus. More
// frequent contexts say little about a word and make the search slow.
const maxContext = 10_000

// contexts writes the headwords of each context with their scores, for the thesaurus, and the sum of
// the scores of each headword.
func (b *builder) contexts(sorted *extsort.Sorted) error {
	in, err := sorted.Open()
	if err != nil {
		return err
	}
	b.w.Section("contexts")
	at := make([]uint64, b.key.Len()+1) // where the contexts of each collocate begin
	sums := make([]float64, b.key.Len())
	size, next := uint64(0), uint32(0)
	var ctx []byte // encoded heads and scores
	type member struct {
		head  uint32
		score float32
	}
	var members []member
	var key [inverseKey - 4]byte
	flush := func() error {
		if len(members) > 1 && len(members) <= maxContext {
			coll := binary.BigEndian.Uint32(key[:])
			for ; next <= coll; next++ {
				at[next] = size
			}
			ctx = ctx[:0]
			last := uint32(0)
			for _, m := range members {
				ctx = binary.AppendUvarint(ctx, uint64(m.head-last))
				ctx = binary.LittleEndian.AppendUint32(ctx, math.Float32bits(m.score))
				last = m.head
			}
			head := binary.AppendUvarint(nil, uint64(binary.BigEndian.Uint16(key[4:])))
			head = binary.AppendUvarint(head, uint64(binary.BigEndian.Uint32(key[6:])))
			head = binary.AppendUvarint(head, uint64(len(ctx)))
			for _, p := range [][]byte{head, ctx} {
				if _, err := b.w.Write(p); err != nil {
					return err
				}
				size += uint64(len(p))
			}
		}
		if len(members) <= maxContext {
			for _, m := range members {
				sums[m.head] += float64(m.score)
			}
		}
		members = members[:0]
		return nil
	}
	for n := 0; ; n++ {
		if n&0xfff == 0 && b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		rec, err := in.Next()
		if err != nil {
			return err
		}
		if rec == nil || string(rec[:len(key)]) != string(key[:]) {
			if n > 0 {
				if err := flush(); err != nil {
					return err
				}
			}
			if rec == nil {
				break
			}
			copy(key[:], rec)
		}
		head := binary.BigEndian.Uint32(rec[10:])
		f, total := float64(binary.BigEndian.Uint32(rec[14:])), float64(binary.BigEndian.Uint64(rec[18:]))
		coll := binary.BigEndian.Uint32(rec)
		if s := float32(aScore(f, total, float64(b.totals[coll]), float64(b.meta.Paired))); s > 0 && len(members) <= maxContext {
			members = append(members, member{head, s})
		}
	}
	for ; int(next) < len(at); next++ {
		at[next] = size
	}
	if err := b.array("contexts/at", at); err != nil {
		return err
	}
	b.w.Section("sums")
	var out []byte
	for _, s := range sums {
		out = binary.LittleEndian.AppendUint64(out[:0], math.Float64bits(s))
		if _, err := b.w.Write(out); err != nil {
			return err
		}
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
