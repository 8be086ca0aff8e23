package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/parallel"
	"chaffinch/model"
)

// indexKind is the kind of index files, indexBehaviour the version of their contents.
const (
	indexKind      = "search.index"
	indexBehaviour = 2
)

// Doc is a document to index.
type Doc struct{ ID, Text string }

// maxTokens is the maximum number of tokens: positions have 32 bits.
const maxTokens = 1<<32 - 2

// Build writes an index of documents to the file path. workers is the number of workers, 0 for one
// per core. It uses 12 bytes of memory for each word of the text.
func Build(ctx context.Context, path string, docs iter.Seq2[Doc, error], cfg Config, workers int) error {
	b, err := newBuilder(cfg, workers)
	if err != nil {
		return err
	}
	var batch []Doc
	size := 0
	for d, err := range docs {
		if err != nil {
			return err
		}
		batch, size = append(batch, d), size+len(d.Text)
		if size > batchBytes {
			if err := b.add(ctx, batch); err != nil {
				return err
			}
			batch, size = batch[:0], 0
		}
	}
	if err := b.add(ctx, batch); err != nil {
		return err
	}
	return b.write(path, cfg)
}

// batchBytes is the size of text that is analysed at a time.
const batchBytes = 4 << 20

type builder struct {
	analyzer *analyzer
	workers  []*counter
	surface  map[string]uint32 // from words as written to terms or left
	ids      map[string]uint32 // from terms to their numbers
	terms    []string
	tokens   []uint32 // the terms of all documents, in order
	ends     []int    // the end of each document in tokens
	names    []string
}

// stopWord marks a stop word.
const stopWord = math.MaxUint32

// counter numbers the words of a part of the documents.
type counter struct {
	scanner
	ids   map[string]uint32
	words []string
	// tokens holds the words of the part in order, ends the end of each document.
	tokens []uint32
	ends   []int
}

func newBuilder(cfg Config, workers int) (*builder, error) {
	a, err := newAnalyzer(cfg)
	if err != nil {
		return nil, err
	}
	b := &builder{analyzer: a, surface: map[string]uint32{}, ids: map[string]uint32{}}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range workers {
		b.workers = append(b.workers, &counter{scanner: scanner{plain: cfg.Plain}, ids: map[string]uint32{}})
	}
	return b, nil
}

// add analyses documents, one part per worker, and numbers their words in the order of the
// documents.
func (b *builder) add(ctx context.Context, docs []Doc) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n := len(b.workers)
	parallel.Each(n, n, func(i int) { b.workers[i].count(docs[i*len(docs)/n : (i+1)*len(docs)/n]) })
	var number []uint32
	for _, w := range b.workers {
		number = number[:0]
		for _, word := range w.words {
			number = append(number, b.number(word))
		}
		from := len(b.tokens)
		for _, t := range w.tokens {
			b.tokens = append(b.tokens, number[t])
		}
		for _, end := range w.ends {
			b.ends = append(b.ends, from+end)
		}
	}
	for _, d := range docs {
		b.names = append(b.names, d.ID)
	}
	if len(b.tokens) > maxTokens {
		return fmt.Errorf("more than %d words: cut the collection into several", maxTokens)
	}
	return nil
}

// number returns the number of the term of a word.
func (b *builder) number(word string) uint32 {
	id, ok := b.surface[word]
	if ok {
		return id
	}
	id = stopWord
	if term := b.analyzer.term(word); term != "" {
		if id, ok = b.ids[term]; !ok {
			id = uint32(len(b.terms))
			b.ids[term] = id
			b.terms = append(b.terms, term)
		}
	}
	b.surface[word] = id
	return id
}

func (c *counter) count(docs []Doc) {
	clear(c.ids)
	c.words, c.tokens, c.ends = c.words[:0], c.tokens[:0], c.ends[:0]
	for i := range docs {
		c.each(docs[i].Text, func(word []byte) {
			id, ok := c.ids[string(word)]
			if !ok {
				id = uint32(len(c.words))
				c.words = append(c.words, string(word))
				c.ids[c.words[id]] = id
			}
			c.tokens = append(c.tokens, id)
		})
		c.ends = append(c.ends, len(c.tokens))
	}
}

// header is the metadata of an index.
type header struct {
	Config
	Docs   int    `json:"docs"`
	Tokens uint64 `json:"tokens"`
	// Filled is the number of documents with a word.
	Filled int `json:"filled"`
}

// write inverts the documents and writes the index.
func (b *builder) write(path string, cfg Config) error {
	order := make([]uint32, len(b.terms)) // terms by name
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return cmp.Compare(b.terms[i], b.terms[j]) })
	places, starts := b.places()
	h := header{Config: cfg, Docs: len(b.names), Tokens: uint64(len(places))}
	lengths := make([]uint64, len(b.names))
	from := 0
	for d, end := range b.ends {
		for _, t := range b.tokens[from:end] {
			if t != stopWord {
				lengths[d]++
			}
		}
		if lengths[d] > 0 {
			h.Filled++
		}
		from = end
	}
	config, err := json.Marshal(h)
	if err != nil {
		return err
	}
	w, err := model.Create(path, model.Header{Kind: indexKind, Behaviour: indexBehaviour, Config: config})
	if err != nil {
		return err
	}
	out := writer{Writer: w}
	out.strings("names", len(b.names), func(i int) string { return b.names[i] })
	out.numbers("lengths", lengths)
	out.strings("terms", len(order), func(i int) string { return b.terms[order[i]] })
	b.lists(&out, order, places, starts)
	if out.err != nil {
		w.Abort()
		return out.err
	}
	return w.Close()
}

// place is the position of a word.
type place struct{ doc, pos uint32 }

// places sorts the words by term and position. The places of term t are
// places[starts[t]:starts[t+1]]. A stop word also takes a position.
func (b *builder) places() (places []place, starts []int) {
	starts = make([]int, len(b.terms)+1)
	for _, t := range b.tokens {
		if t != stopWord {
			starts[t+1]++
		}
	}
	for t := range b.terms {
		starts[t+1] += starts[t]
	}
	next := slices.Clone(starts)
	places = make([]place, starts[len(b.terms)])
	from := 0
	for d, end := range b.ends {
		for i, t := range b.tokens[from:end] {
			if t != stopWord {
				places[next[t]] = place{uint32(d), uint32(i)}
				next[t]++
			}
		}
		from = end
	}
	return places, starts
}

// lists writes the lists of all terms and their offsets.
func (b *builder) lists(out *writer, order []uint32, places []place, starts []int) {
	var docs, positions []byte
	dfs, totals, mosts := make([]uint64, len(order)), make([]uint64, len(order)), make([]uint64, len(order))
	docsAt, positionsAt := make([]uint64, len(order)), make([]uint64, len(order))
	var e encoder
	for i, t := range order {
		docsAt[i], positionsAt[i] = uint64(len(docs)), uint64(len(positions))
		of := places[starts[t]:starts[t+1]]
		docs, positions = e.append(docs, positions, of)
		df := len(e.docs)
		dfs[i], totals[i], mosts[i] = uint64(df), uint64(len(of)-df), uint64(slices.Max(e.counts))+1
	}
	out.numbers("df", dfs)
	out.numbers("more", totals)
	out.numbers("most", mosts)
	out.numbers("docs-at", docsAt)
	out.numbers("positions-at", positionsAt)
	out.bytes("docs", append(docs, make([]byte, pad)...))
	out.bytes("positions", append(positions, make([]byte, pad)...))
}

// writer writes sections and remembers the first error.
type writer struct {
	*model.Writer
	err error
}

func (w *writer) bytes(name string, b []byte) {
	w.Section(name)
	if _, err := w.Write(b); w.err == nil {
		w.err = err
	}
}

// numbers writes an array of numbers.
func (w *writer) numbers(name string, xs []uint64) {
	most := uint64(0)
	for _, x := range xs {
		most = max(most, x)
	}
	var buf bytes.Buffer
	p := bitpack.NewWriter(&buf, bitpack.Width(most))
	for _, x := range xs {
		p.Add(x)
	}
	if err := p.Close(); w.err == nil {
		w.err = err
	}
	w.bytes(name, buf.Bytes())
}

// strings writes n strings in sequence and their ends.
func (w *writer) strings(name string, n int, at func(int) string) {
	var text []byte
	ends := make([]uint64, n)
	for i := range n {
		text = append(text, at(i)...)
		ends[i] = uint64(len(text))
	}
	w.bytes(name, text)
	w.numbers(name+"-end", ends)
}
