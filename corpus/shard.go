package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
)

// Shard is a part of a corpus that answers with counts. A *Corpus is a shard; package
// serve/corpora has shards on other servers. See [Shards].
type Shard interface {
	// Dir returns the folder or the address, which identifies the shard in errors.
	Dir() string
	// Ask answers a request. The answer must be read before ctx ends.
	Ask(ctx context.Context, r *Request) (*Counts, error)
	Close() error
}

// Op is an operation of a shard.
type Op string

// Operations of shards. The rows of all of them, except OpMeasures, OpHits, OpSentences, OpDocuments and OpExcerpt, are complete and
// sorted by their keys.
const (
	OpSize        Op = "size"        // tokens, and a description of the whole shard
	OpCount       Op = "count"       // hits of a query
	OpWords       Op = "words"       // words or n-grams: key: tokens; N: frequency, document frequency
	OpFrequencies Op = "frequencies" // frequencies of Items, in their order
	OpMeasures    Op = "measures"    // figures of Items that need positions, in their order
	OpDivision    Op = "division"    // parts for the deviation of proportions: N: tokens of the smallest part, tokens in no part
	OpFreqs       Op = "freqs"       // hits by value: key: values; N: hits
	OpParts       Op = "parts"       // values of an attribute of a structure: key: value; N: structures, tokens
	OpCollocates  Op = "collocates"  // words around hits: key: word; N: hits
	OpHits        Op = "hits"        // hits with their text
	OpBins        Op = "bins"        // hits in equal parts of the whole corpus: N: hits of each part
	OpTerms       Op = "terms"       // terms: key: tokens; N: frequency
	OpForms       Op = "forms"       // forms of the terms Items: key: number of the term, form; N: all hits, hits whose head is the lemma
	OpSentences   Op = "sentences"   // sentences of the hits Numbers: N: match in the sentence, document; text: language, words
	OpQuery       Op = "query"       // the query in CQL
	OpDocuments   Op = "documents"   // documents in corpus order: N: first token, token after the last, hits
	OpExcerpt     Op = "excerpt"     // text of the tokens Numbers[0] to Numbers[1], with Numbers[2] tokens of context
	OpValues      Op = "values"      // values of By with Prefix: key: value; N: tokens or structures
	OpEpochs      Op = "epochs"      // hits of Items at Times, values of By, in the order of Items
)

// operation answers a request.
type operation struct {
	// lacks reports whether a field is missing or too large; nil: no field is needed.
	lacks func(r *Request) bool
	// ask answers for a corpus, hits for the hits of the query, which the request must have. One of them
	// is set.
	ask  func(c *Corpus, ctx context.Context, r *Request, out *Counts) error
	hits func(q *Query, ctx context.Context, r *Request, out *Counts) error
}

func lacksWords(r *Request) bool { return r.Words == nil }

// operations are the operations, also of other packages. Ask answers OpSize.
var operations = map[Op]operation{
	OpSize:        {},
	OpCount:       {hits: (*Query).askCount},
	OpWords:       {ask: (*Corpus).askWords, lacks: lacksWords},
	OpFrequencies: {ask: (*Corpus).askFrequencies, lacks: lacksWords},
	OpMeasures:    {ask: (*Corpus).askMeasures, lacks: func(r *Request) bool { return r.Words == nil || len(r.ItemFreqs) != len(r.Items) }},
	OpDivision:    {ask: (*Corpus).askDivision, lacks: lacksWords},
	OpFreqs:       {hits: (*Query).askFreqs, lacks: func(r *Request) bool { return r.Freqs == nil }},
	OpParts:       {ask: (*Corpus).askParts, lacks: func(r *Request) bool { return r.By == "" }},
	OpCollocates:  {hits: (*Query).askCollocates, lacks: func(r *Request) bool { return r.Collocations == nil }},
	OpHits:        {hits: (*Query).askHits, lacks: func(r *Request) bool { return r.Hits == nil }},
	OpBins:        {hits: (*Query).askBins, lacks: func(r *Request) bool { return r.Bins < 1 || r.Bins > maxBins || r.Total < 1 }},
	OpTerms:       {ask: (*Corpus).askTerms, lacks: func(r *Request) bool { return r.Terms == nil }},
	OpForms:       {ask: (*Corpus).askForms, lacks: func(r *Request) bool { return r.Terms == nil || len(r.Items) > atOnceItems }},
	OpSentences:   {hits: (*Query).askSentences, lacks: func(r *Request) bool { return r.Hits == nil }},
	OpQuery:       {hits: func(*Query, context.Context, *Request, *Counts) error { return nil }},
	OpDocuments:   {hits: (*Query).askDocuments, lacks: func(r *Request) bool { return r.Documents == nil }},
	OpExcerpt:     {ask: (*Corpus).askExcerpt, lacks: lacksSpan},
	OpValues:      {ask: (*Corpus).askValues},
	OpEpochs:      {ask: (*Corpus).askEpochs, lacks: func(r *Request) bool { return r.Words == nil || r.By == "" }},
}

// RegisterOp adds an operation of shards. Package sketch calls it.
func RegisterOp(op Op, ask func(ctx context.Context, c *Corpus, r *Request, out *Counts) error) {
	operations[op] = operation{ask: func(c *Corpus, ctx context.Context, r *Request, out *Counts) error { return ask(ctx, c, r, out) }}
}

// Request is a question to a shard. An operation ignores the fields that it does not need.
type Request struct {
	Op    Op          `json:"op"`
	Parts []Selection `json:"parts,omitempty"` // each selects a part of the one before
	Query string      `json:"query,omitempty"`
	By    string      `json:"by,omitempty"` // attribute of a structure

	Words        *WordListConfig    `json:"words,omitempty"`
	Freqs        *FreqConfig        `json:"freqs,omitempty"`
	Collocations *CollocationConfig `json:"collocations,omitempty"`
	Hits         *ConcordanceConfig `json:"hits,omitempty"`
	Terms        *TermConfig        `json:"terms,omitempty"`
	Documents    *DocumentConfig    `json:"documents,omitempty"`

	// Items are words or n-grams. Freqs holds their frequencies in all shards.
	Items     [][]string `json:"items,omitempty"`
	ItemFreqs []int64    `json:"item_freqs,omitempty"`
	// Names and With are relations and collocates of word sketches.
	Names []string `json:"names,omitempty"`
	With  []string `json:"with,omitempty"`
	// Values are values of By, in the order of the figures of rows. Rest adds all others.
	Values []string `json:"values,omitempty"`
	Rest   bool     `json:"rest,omitempty"`
	// Times are the numbers at the start of values of By, in ascending order.
	Times  []float64 `json:"times,omitempty"`
	Prefix string    `json:"prefix,omitempty"` // of values
	// Numbers selects hits by their numbers in the shard, from 0, in ascending order.
	Numbers []int64 `json:"numbers,omitempty"`
	// Total is the number of tokens of all shards. Before is the number of tokens, under "", and of
	// structures in the shards before this one.
	Total  int64            `json:"total,omitempty"`
	Before map[string]int64 `json:"before,omitempty"`
	Bins   int              `json:"bins,omitempty"`
}

// Counts is the answer of a shard: counts before scores are computed.
type Counts struct {
	Tokens int64    `json:"tokens"` // of the selected part
	Hits   int64    `json:"hits"`
	CQL    string   `json:"cql,omitempty"`
	Labels []string `json:"labels,omitempty"`
	Hints  []string `json:"hints,omitempty"`
	Parts  bool     `json:"parts,omitempty"` // as in Freqs
	Info   *Info    `json:"info,omitempty"`
	// Rows yields the rows. It is read once.
	Rows iter.Seq2[Row, error] `json:"-"`
}

// Row is a row of Counts.
type Row struct {
	Key  []string `json:"k,omitempty"`
	N    []int64  `json:"n,omitempty"`
	Text []string `json:"t,omitempty"`
}

// Ask answers as a shard.
func (c *Corpus) Ask(ctx context.Context, r *Request) (*Counts, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("shard %s: %w", c.dir, err)
	}
	whole := c
	for _, x := range r.Parts {
		var err error
		if c, _, err = c.selected(ctx, x); err != nil {
			return nil, err
		}
	}
	out := &Counts{Tokens: c.Size(), Rows: listed[Row](nil)}
	var q *Query
	if r.Query != "" {
		var err error
		if q, err = c.Query(ctx, r.Query); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(q.constraints, func(x compiledConstraint) bool { return x.freq }) {
			return nil, errors.New("a condition on a frequency, as in f(1.word) > 10, needs one index: shards do not know the frequencies of the whole corpus")
		}
		out.CQL, out.Labels = q.text, q.labels
	}
	switch op := operations[r.Op]; {
	case r.Op == OpSize:
		info, err := whole.Info()
		out.Info = &info
		return out, err
	case op.hits != nil:
		return out, op.hits(q, ctx, r, out)
	default:
		return out, op.ask(c, ctx, r, out)
	}
}

// maxBins is the maximum number of parts that hits are counted in.
const maxBins = 10_000

// Check returns an error if the operation is unknown, or lacks a field that it needs.
func (r *Request) Check() error {
	op, known := operations[r.Op]
	if !known {
		return fmt.Errorf("no operation %q (wanted one of this version): this program and the other one have different versions", r.Op)
	}
	if op.hits != nil && r.Query == "" || op.lacks != nil && op.lacks(r) {
		return fmt.Errorf("operation %s: a field is missing or too large", r.Op)
	}
	for _, item := range r.Items {
		if len(item) < 1 || len(item) > maxNGram {
			return fmt.Errorf("operation %s: an item of %d words (wanted 1 to %d)", r.Op, len(item), maxNGram)
		}
	}
	return nil
}

// askWords counts words or n-grams. With Sort docf, it adds document frequencies.
func (c *Corpus) askWords(ctx context.Context, r *Request, out *Counts) error {
	cfg := *r.Words
	v, l, err := c.lister(ctx, cfg)
	if err != nil {
		return err
	}
	out.Rows = func(yield func(Row, error) bool) {
		row := Row{N: make([]int64, 1, 2)}
		for g, err := range v.grams(ctx, l.n, []*Struct{l.border}) {
			if err != nil {
				yield(Row{}, err)
				return
			}
			if g.freq[0] == 0 {
				continue
			}
			row.Key, row.N = v.list(g.keys), append(row.N[:0], g.freq[0])
			if cfg.Sort == "docf" {
				e := entry{freq: g.freq[0]}
				copy(e.keys[:], g.keys)
				l.measure(&e)
				row.N = append(row.N, e.docf)
			}
			if !yield(row, ctx.Err()) {
				return
			}
		}
	}
	return nil
}

// lister returns an arranged vocabulary of the words of a configuration, and a lister of their
// figures.
func (c *Corpus) lister(ctx context.Context, cfg WordListConfig) (*vocabulary, *wordLister, error) {
	keep, err := filter(cfg.Pattern, cfg.Words)
	if err != nil {
		return nil, nil, err
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, keep, c)
	if err != nil {
		return nil, nil, inField("Attr", err)
	}
	if err := v.arrange(ctx); err != nil {
		return nil, nil, err
	}
	l := &wordLister{ctx: ctx, c: c, cfg: cfg, v: v, n: max(cfg.NGram, 1)}
	if l.border, err = c.border(cfg.Within); err != nil {
		return nil, nil, err
	}
	return v, l, l.open()
}

// askFrequencies returns the frequencies of words.
func (c *Corpus) askFrequencies(ctx context.Context, r *Request, out *Counts) error {
	v, err := newVocabulary(ctx, r.Words.Attr, r.Words.Fold, nil, c)
	if err != nil {
		return inField("Attr", err)
	}
	if err := v.arrange(ctx); err != nil {
		return err
	}
	freq, err := v.counts(ctx, 0)
	if err != nil {
		return err
	}
	out.Rows = func(yield func(Row, error) bool) {
		row := Row{N: []int64{0}}
		for _, item := range r.Items {
			row.N[0] = 0
			if k, ok := v.key(item[0]); ok {
				row.N[0] = freq[k]
			}
			if !yield(row, ctx.Err()) {
				return
			}
		}
	}
	return nil
}

// askCount counts the hits.
func (q *Query) askCount(ctx context.Context, _ *Request, out *Counts) (err error) {
	out.Hints = q.Hints()
	out.Hits, err = q.CountInto(ctx, new(atomic.Int64))
	return err
}

// askFreqs counts hits by their values.
func (q *Query) askFreqs(ctx context.Context, r *Request, out *Counts) error {
	if err := r.Freqs.Check(); err != nil {
		return err
	}
	n, err := q.countBy(ctx, *r.Freqs)
	if err != nil {
		return err
	}
	out.Hits, out.Parts = n.Hits, n.Parts
	rows := make([]Row, 0, len(n.counts))
	for row := range n.rows {
		rows = append(rows, Row{Key: row.Values, N: []int64{row.Hits}})
	}
	return out.sorted(ctx, rows)
}

// askParts returns the sizes of the values of an attribute.
func (c *Corpus) askParts(ctx context.Context, r *Request, out *Counts) error {
	list, err := c.Breakdown(ctx, r.By)
	if err != nil {
		return err
	}
	rows := make([]Row, len(list))
	for i, x := range list {
		rows[i] = Row{Key: []string{x.Value}, N: []int64{x.Structs, x.Tokens}}
	}
	return out.sorted(ctx, rows)
}

// askCollocates counts the words around hits.
func (q *Query) askCollocates(ctx context.Context, r *Request, out *Counts) error {
	n, err := q.countAround(ctx, *r.Collocations)
	if err != nil {
		return err
	}
	out.Hits = n.Hits
	var rows []Row
	for k, hits := range n.hits {
		if hits > 0 {
			rows = append(rows, Row{Key: []string{n.v.word(uint32(k))}, N: []int64{hits}})
		}
	}
	return out.sorted(ctx, rows)
}

// askBins counts the hits in equal parts of the whole corpus.
func (q *Query) askBins(ctx context.Context, r *Request, out *Counts) error {
	bins, err := q.bins(ctx, r.Bins, r.Before[""], r.Total)
	for _, n := range bins {
		out.Hits += n
	}
	out.Rows = listed([]Row{{N: bins}})
	return err
}

// bins counts the hits in n equal parts of total tokens. The corpus follows the first tokens, before.
func (q *Query) bins(ctx context.Context, n int, before, total int64) ([]int64, error) {
	bins := make([]int64, n)
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		bins[min((before+m.Start)*int64(n)/total, int64(n)-1)]++
	}
	return bins, nil
}

// compareRows compares the keys of rows.
func compareRows(a, b Row) int { return slices.Compare(a.Key, b.Key) }

// sorted sets the rows, sorted by their keys.
func (out *Counts) sorted(ctx context.Context, rows []Row) error {
	d := newDeadline(ctx)
	sortUntil(d, rows, compareRows)
	out.Rows = listed(rows)
	return d.Err()
}

// listed yields the items of a list.
func listed[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range list {
			if !yield(x, nil) {
				return
			}
		}
	}
}
