package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/corpus"
	"chaffinch/corpus/gdex"
	"chaffinch/internal/periodic"
	"chaffinch/serve/problem"
	"chaffinch/serve/table"
)

type hitsInput struct {
	Asked
	Page
	Context      int      `query:"context" minimum:"0" maximum:"1000" default:"40" doc:"Characters of context on either side."`
	View         string   `query:"view" enum:"kwic,sentence" default:"kwic" doc:"kwic: context of the requested length; sentence: the whole sentence."`
	Sort         []string `query:"sort" doc:"left (words before, nearest first), right, match, or an attribute such as doc.date; later keys break ties. Default: corpus order."`
	SampleNum    int      `query:"samplenum" minimum:"0" doc:"Size of a random sample of matches."`
	SampleSeed   uint64   `query:"sampleseed" default:"1" doc:"Seed of the sample."`
	Good         bool     `query:"good" doc:"Sort by quality as examples: whole, common and clear sentences, one per document. A random sample of samplenum matches (default: 5,000) is scored. Implies view=sentence."`
	Refs         []string `query:"refs" doc:"Attributes of structures to return for each match, such as doc.url."`
	Aligned      []string `query:"aligned" doc:"Aligned corpora whose translations to return for each match."`
	WaitForTotal bool     `query:"waitfortotal" doc:"Wait until all matches are counted."`
}

func (hitsInput) longest() int { return maxLong }

// Hits is a page of a concordance.
type Hits struct {
	Patt       string   `json:"patt"`
	CQL        string   `json:"cql" doc:"The query in CQL."`
	Filter     string   `json:"filter,omitempty"`
	Total      int64    `json:"total" doc:"Number of matches, or of matches found so far."`
	Exact      bool     `json:"exact" doc:"Whether total is final; otherwise use count."`
	PerMillion float64  `json:"per_million" doc:"Matches per million tokens."`
	First      int      `json:"first"`
	Hits       []Hit    `json:"hits"`
	Hints      []string `json:"hints,omitempty" doc:"Possible reasons for no matches."`
}

// Hit is a match with its context.
type Hit struct {
	Start int64             `json:"start" doc:"First token."`
	End   int64             `json:"end" doc:"Token after the last."`
	Left  string            `json:"left"`
	Match string            `json:"match"`
	Right string            `json:"right"`
	RTL   bool              `json:"rtl,omitempty" doc:"Whether the text is written from right to left."`
	Refs  map[string]string `json:"refs,omitempty"`
	Score float64           `json:"score,omitempty" doc:"Score as an example, from 0 to 1, with good."`
	// Aligned holds the translations.
	Aligned map[string]string `json:"aligned,omitempty" doc:"Translations by the name of the aligned corpus."`
}

// countWait is the time that a response waits for the final number of matches before it returns
// the number found so far.
const countWait = 10 * time.Millisecond

// Question is a question for a page of a concordance.
type Question struct {
	Corpus, Patt, Filter string
	First, Number        int
}

// Hits answers a question; all matches are counted.
func (s *Set) Hits(ctx context.Context, q Question) (_ *Hits, err error) {
	defer func() { err = s.hidden(err) }()
	a := &api{set: s}
	in := &hitsInput{Asked: Asked{Of{Corpus: q.Corpus, Filter: q.Filter}, q.Patt}, Page: Page{q.First, q.Number, "json"}, Context: 80, View: string(corpus.KWIC), WaitForTotal: true}
	c, whole, done, err := a.part(ctx, in.Of, "filter")
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := concordance(ctx, source{Source: c, whole: whole}, in)
	if err != nil {
		return nil, err
	}
	hits := l.json.(Hits)
	return &hits, nil
}

// concordance finds a page of a concordance.
func concordance(ctx context.Context, s source, in *hitsInput) (*listing, error) {
	if s.shards != nil {
		return s.shards.concordance(ctx, s.Source, in)
	}
	c, err := s.index(in.Of)
	if err != nil {
		return nil, err
	}
	q, err := c.Query(ctx, in.Patt)
	if err != nil {
		return nil, syntax("patt", in.Patt, err)
	}
	k, err := q.Concordance(ctx, in.config())
	if err != nil {
		return nil, unusable(in.Patt, err)
	}
	if in.Format != "json" {
		return &listing{table: hitTable(ctx, k, in)}, nil
	}
	out := Hits{Patt: in.Patt, CQL: q.String(), Filter: in.Filter, First: in.First, Hits: []Hit{}}
	if out.Hits, err = page(ctx, k, in); err != nil {
		return nil, err
	}
	if out.Total, out.Exact, err = total(ctx, q, k, s.whole, in, len(out.Hits)); err != nil {
		return nil, err
	}
	out.PerMillion = corpus.PerMillion(out.Total, c.Size())
	if out.Total == 0 {
		out.Hints = q.Hints()
	}
	return &listing{json: out}, nil
}

// config returns the settings of the concordance.
func (in *hitsInput) config() corpus.ConcordanceConfig {
	cfg := corpus.DefaultConcordance
	cfg.View, cfg.Context, cfg.Sort, cfg.Sample, cfg.Seed, cfg.Refs = corpus.View(in.View), in.Context, in.Sort, in.SampleNum, in.SampleSeed, in.Refs
	cfg.Aligned, cfg.First, cfg.Limit, cfg.Uncounted = in.Aligned, in.First, in.limit(), true
	if in.Good {
		cfg.View, cfg.Good = corpus.Sentence, gdex.Default()
	}
	return cfg
}

// page returns the hits of a page.
func page(ctx context.Context, k *corpus.Concordance, in *hitsInput) ([]Hit, error) {
	out := []Hit{}
	if in.Number == 0 {
		return out, nil
	}
	bytes := 0
	for line, err := range k.Lines(ctx) {
		if err != nil {
			return nil, err
		}
		h := hitOf(line, in.Refs, in.Aligned...)
		if bytes += h.bytes(); bytes > maxBytes && len(out) > 0 {
			return nil, problem.Parameter("number", in.Number, fmt.Errorf("%d hits have %d bytes: request fewer, or format=jsonl", len(out), maxBytes))
		}
		out = append(out, h)
	}
	return out, nil
}

// hitOf converts a line to a Hit.
func hitOf(line corpus.Line, refs []string, aligned ...string) Hit {
	h := Hit{Start: line.Start, End: line.End, Left: line.Left, Match: line.Text, Right: line.Right, RTL: line.RightToLeft(), Score: line.Score}
	if len(refs) > 0 {
		h.Refs = map[string]string{}
		for i, r := range refs {
			h.Refs[r] = line.Refs[i]
		}
	}
	for i, name := range aligned {
		if h.Aligned == nil {
			h.Aligned = map[string]string{}
		}
		h.Aligned[name] = line.Aligned[i]
	}
	return h
}

// bytes returns the length of the text.
func (h *Hit) bytes() int {
	n := len(h.Left) + len(h.Match) + len(h.Right)
	for _, t := range h.Aligned {
		n += len(t)
	}
	return n
}

// total returns the number of matches, and whether it is exact: it was known, the page
// holds the last match, they are counted soon, or the client waits for the count.
func total(ctx context.Context, q *corpus.Query, k *corpus.Concordance, whole *openCorpus, in *hitsInput, shown int) (n int64, exact bool, err error) {
	key := query{in.Patt, q.Corpus().Condition()}
	if n, ok := whole.totals.get(key); ok {
		return n, true, nil
	}
	sofar := int64(in.First + shown)
	switch {
	case k.Total >= 0:
		n = k.Total
	case !in.Good && in.Number != 0 && shown < in.limit() && (shown > 0 || in.First == 0):
		n = sofar
	default:
		counting := ctx
		if !in.WaitForTotal {
			var cancel context.CancelFunc
			counting, cancel = context.WithTimeout(ctx, countWait)
			defer cancel()
		}
		n, err = q.Count(counting)
		if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return sofar, false, nil
		}
		if err != nil {
			return 0, false, err
		}
	}
	whole.totals.put(key, n)
	return n, true, nil
}

// hitTable returns the lines of a concordance as a table.
func hitTable(ctx context.Context, k *corpus.Concordance, in *hitsInput) table.Table {
	columns := append(append([]string{}, in.Refs...), "start", "end", "left", "match", "right")
	if in.Good {
		columns = append(columns, "score")
	}
	for _, name := range in.Aligned {
		columns = append(columns, "aligned."+name)
	}
	return table.Table{Name: "hits", Columns: columns,
		Rows: func(yield func([]any, error) bool) {
			row := make([]any, 0, len(columns))
			for line, err := range k.Lines(ctx) {
				row = row[:0]
				for _, r := range line.Refs {
					row = append(row, r)
				}
				row = append(row, line.Start, line.End, line.Left, line.Text, line.Right)
				if in.Good {
					row = append(row, line.Score)
				}
				for _, t := range line.Aligned {
					row = append(row, t)
				}
				if !yield(row, err) {
					return
				}
			}
		}}
}

// Counted is the number of matches.
type Counted struct {
	Total      int64   `json:"total"`
	Exact      bool    `json:"exact" doc:"Whether the list is complete."`
	PerMillion float64 `json:"per_million"`
}

// countInterval is the interval between two progress reports of counting.
const countInterval = 200 * time.Millisecond

// count answers with lines of JSON: how many matches are found so far, and last how
// many there are, or the problem that ended the count. It ends when the client goes.
func (a *api) count(ctx context.Context, in *Asked) (*huma.StreamResponse, error) {
	return a.stream(ctx, in.Of, func(s source) (func(huma.Context), error) {
		if s.shards != nil {
			return func(hc huma.Context) {
				_, w := humago.Unwrap(hc)
				writeCounts(w, s.Size(), func(say func(n int64, exact bool)) error { return s.shards.count(ctx, s.Source, in, say) })
			}, nil
		}
		c, err := s.index(in.Of)
		if err != nil {
			return nil, err
		}
		q, err := c.Query(ctx, in.Patt)
		if err != nil {
			return nil, syntax("patt", in.Patt, err)
		}
		return func(hc huma.Context) {
			_, w := humago.Unwrap(hc)
			writeCounts(w, c.Size(), func(say func(n int64, exact bool)) error {
				return counted(ctx, q, &s.whole.totals, query{in.Patt, c.Condition()}, say)
			})
		}, nil
	})
}

// writeCounts answers with a line for each number of matches, in a corpus of so many tokens, that
// count reports, and with the problem that ends count.
func writeCounts(w http.ResponseWriter, tokens int64, count func(say func(n int64, exact bool)) error) {
	rc, lines := http.NewResponseController(w), json.NewEncoder(w)
	said := false
	err := count(func(n int64, exact bool) {
		if !said {
			w.Header().Set("Content-Type", "application/x-ndjson")
		}
		said = true
		lines.Encode(Counted{n, exact, corpus.PerMillion(n, tokens)}) // the context ends when the client is gone
		rc.Flush()
	})
	switch {
	case err == nil:
	case !said:
		problem.Of(err).Write(w)
	default: // the status was sent
		lines.Encode(problem.Of(err))
	}
}

// counted counts the matches of q, unless their number is known, and calls say with the
// number found so far.
func counted(ctx context.Context, q *corpus.Query, known *totals, key query, say func(n int64, exact bool)) error {
	if n, ok := known.get(key); ok {
		say(n, true)
		return nil
	}
	var found atomic.Int64
	var n int64
	var err error
	periodic.During(countInterval, func() { // at once nothing is found: lines are told from the first on that says more
		if sofar := found.Load(); sofar > 0 {
			say(sofar, false)
		}
	}, func() { n, err = q.CountInto(ctx, &found) })
	if err != nil {
		return err
	}
	known.put(key, n)
	say(n, true)
	return nil
}

// Dispersion is the distribution of matches over the corpus.
type Dispersion struct {
	Tokens int64   `json:"tokens" doc:"Tokens of the corpus."`
	Hits   int64   `json:"hits"`
	Bins   []int64 `json:"bins" doc:"Number of matches that begin in each of the equal parts of the corpus."`
}

func (a *api) dispersion(ctx context.Context, in *struct {
	Asked
	Bins int `query:"bins" minimum:"1" maximum:"1000" default:"100" doc:"Number of equal parts of the corpus."`
}) (*struct{ Body Dispersion }, error) {
	s, done, err := a.enter(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	defer done()
	bins, err := s.Bins(ctx, in.Patt, in.Bins)
	if err != nil {
		return nil, failed(in.Patt, err, s.Source)
	}
	out := Dispersion{Tokens: s.tokens(), Bins: bins}
	for _, n := range bins {
		out.Hits += n
	}
	return &struct{ Body Dispersion }{out}, nil
}

// Docs is a page of a list of documents.
type Docs struct {
	Total int64 `json:"total" doc:"Number of documents; with a query, of documents with matches."`
	First int   `json:"first"`
	Docs  []Doc `json:"docs"`
}

// Doc is a document.
type Doc struct {
	Start  int64             `json:"start" doc:"First token."`
	End    int64             `json:"end" doc:"Token after the last."`
	Tokens int64             `json:"tokens"`
	Hits   int64             `json:"hits" doc:"Number of matches that begin in the document."`
	Refs   map[string]string `json:"refs" doc:"Attributes of the document."`
}

type docsInput struct {
	Of
	Page
	Patt string `query:"patt" doc:"CQL query: list only documents with matches."`
}

func (docsInput) longest() int { return maxLong }

// listDocs lists documents.
func listDocs(ctx context.Context, c source, in *docsInput) (*listing, error) {
	streamed := in.Format != "json"
	d, err := c.Documents(ctx, corpus.DocumentConfig{Query: in.Patt, First: in.First, Limit: in.limit(), Uncounted: streamed})
	if err != nil {
		return nil, failed(in.Patt, err, c.Source)
	}
	if streamed {
		columns := append(slices.Clone(d.Attrs), "start", "end", "tokens", "hits")
		return &listing{table: table.Table{Name: "docs", Columns: columns, Rows: func(yield func([]any, error) bool) {
			if in.Number == 0 {
				return
			}
			for x, err := range d.Rows {
				if err != nil {
					yield(nil, failed(in.Patt, err, c.Source))
					return
				}
				var row []any
				for _, v := range x.Values {
					row = append(row, v)
				}
				if !yield(append(row, x.Start, x.End, x.End-x.Start, x.Hits), nil) {
					return
				}
			}
		}}}, nil
	}
	out := Docs{Total: d.Total, First: in.First, Docs: []Doc{}}
	for x, err := range d.Rows {
		if err != nil {
			return nil, failed(in.Patt, err, c.Source)
		}
		if len(out.Docs) >= in.limit() {
			break
		}
		refs := map[string]string{}
		for i, name := range d.Attrs {
			refs["doc."+name] = x.Values[i]
		}
		out.Docs = append(out.Docs, Doc{Start: x.Start, End: x.End, Tokens: x.End - x.Start, Hits: x.Hits, Refs: refs})
	}
	return &listing{json: out}, nil
}
