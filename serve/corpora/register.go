package corpora

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
	"chaffinch/serve/table"
)

// api answers for a Set.
type api struct {
	set   *Set
	gate  *gate.Gate
	saved Parts
}

// Register adds the operations on the corpora of a Set. saved returns the saved subcorpora; nil
// means that there are none.
func Register(to huma.API, set *Set, g *gate.Gate, saved Parts) {
	a := &api{set, g, saved}
	if saved == nil {
		a.saved = noParts
	}
	schemas := to.OpenAPI().Components.Schemas
	schemas.RegisterTypeAlias(reflect.TypeFor[corpus.Collocate](), reflect.TypeFor[Collocate]())
	schemas.RegisterTypeAlias(reflect.TypeFor[corpus.Keyword](), reflect.TypeFor[Keyword]())
	register(a, to, operation("corpora", "", "List the corpora"), a.list)
	register(a, to, operation("corpus", "/{corpus}", "Show the attributes and structures of a corpus"), a.info)
	lists(a, to, operation("hits", "/{corpus}/hits", "Search: matches of a query in context"), Hits{}, concordance)
	count := operation("count", "/{corpus}/count", "Stream the number of matches of a query")
	problem.Answers(to, &count, "JSON lines; the last is exact, or a problem with its status if counting was stopped", map[string]reflect.Type{"application/x-ndjson": reflect.TypeFor[Counted]()})
	register(a, to, count, a.count)
	lists(a, to, operation("freq", "/{corpus}/freq", "Count the matches of a query by attribute or part of the corpus"), Freqs{}, listFreqs)
	lists(a, to, operation("words", "/{corpus}/words", "List words or n-grams with frequencies"), Words{}, listWords)
	lists(a, to, operation("collocations", "/{corpus}/collocations", "List the collocates of a query"), Collocations{}, listCollocations)
	lists(a, to, operation("keywords", "/{corpus}/keywords", "List the keywords of a corpus, or of a part of it, against a reference"), Keywords{}, a.keywords)
	lists(a, to, operation("sketch", "/{corpus}/sketch", "Show the word sketch of a word: its collocates by grammatical relation"), &sketch.Sketch{}, wordSketch)
	lists(a, to, operation("sketchdiff", "/{corpus}/sketchdiff", "Compare the word sketches of two words"), &sketch.Diff{}, sketchDiff)
	lists(a, to, operation("thesaurus", "/{corpus}/thesaurus", "List the words that share most contexts with a word"), &sketch.Thesaurus{}, thesaurus)
	lists(a, to, operation("trends", "/{corpus}/trends", "List the words whose frequency rises or falls over time"), Trends{}, listTrends)
	lists(a, to, operation("terms", "/{corpus}/terms", "List the terms of a corpus: nouns and noun phrases that it uses more than a reference"), Terms{}, a.terms)
	register(a, to, operation("profile", "/{corpus}/profile", "Show a profile of a word: frequencies, sketch, collocations, thesaurus and examples"), a.profile)
	lists(a, to, operation("translations", "/{corpus}/translations", "List the translation candidates of a query in an aligned corpus"), Translations{}, oneIndex(listTranslations))
	lists(a, to, operation("docs", "/{corpus}/docs", "List documents; with a query, documents with matches"), Docs{}, listDocs)
	register(a, to, operation("dispersion", "/{corpus}/dispersion", "Show the distribution of matches over the corpus"), a.dispersion)
	register(a, to, operation("interpret", "/{corpus}/interpret", "Translate a query to CQL"), a.interpret)
	register(a, to, operation("snippet", "/{corpus}/snippet", "Show the text around tokens"), a.snippet)
	ask := operation("shard", "/{corpus}/shard", "Answer a front server: counts of this corpus as a shard of a larger one")
	ask.Method, ask.SkipValidateBody = http.MethodPost, true // the handler checks it
	problem.Answers(to, &ask, "JSON lines: the counts, the rows, and the end", map[string]reflect.Type{"application/x-ndjson": nil})
	register(a, to, ask, a.shard)
	register(a, to, operation("values", "/{corpus}/values", "List the most frequent values of an attribute with a prefix"), a.values)
}

// register registers an operation whose errors have the names of corpora instead of their folders.
func register[I, O any](a *api, to huma.API, op huma.Operation, do func(context.Context, *I) (*O, error)) {
	problem.Register(to, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := do(ctx, in)
		return out, a.set.hidden(err)
	})
}

func operation(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/v1/corpora" + path, Summary: summary, Tags: []string{"corpora"}}
}

// Of is the corpus that is asked.
type Of struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	Filter string `query:"filter" doc:"Condition that selects a part of the corpus, such as doc.lang=\"de\" & doc.year>=2020. Sizes and hits per million refer to this part."`
	Sub    string `query:"subcorpus" doc:"Name of a subcorpus in the workspace of the user: only this part is queried. With filter, only the part that satisfies both."`
}

// Asked is a query to a corpus.
type Asked struct {
	Of
	Patt string `query:"patt" required:"true" doc:"Query in the corpus query language (CQL), or a simple query such as take off."`
}

// Page selects rows and their format.
type Page struct {
	First  int    `query:"first" minimum:"0" maximum:"1000000000000" doc:"Number of rows to skip."`
	Number int    `query:"number" minimum:"-1" maximum:"1000000000000" default:"-1" doc:"Number of rows to return. Default: 20 as JSON, all in other formats. As JSON at most 100,000 rows, or 10,000 hits or documents."`
	Format string `query:"format" enum:"json,csv,tsv,jsonl,xml,xlsx" default:"json" doc:"Format of the response."`
}

// Bounds of a page as JSON, which is in memory; the other formats are not.
const (
	pageRows = 20 // unless told otherwise
	maxRows  = 100_000
	maxLong  = 10_000   // hits and documents
	maxBytes = 16 << 20 // of the text of hits, about
)

// longest is the most rows of a page as JSON.
func (Page) longest() int { return maxRows }

// fits returns a problem if a page has too many rows.
func fits(in paged) error {
	if p, most := in.page(), in.longest(); p.Format == "json" && p.Number > most {
		return problem.Parameter("number", p.Number, fmt.Errorf("%d rows as JSON, wanted at most %d: use pages with first, or format=jsonl", p.Number, most))
	}
	return nil
}

// limit is the number of rows as corpus takes it: 0 is all.
func (p Page) limit() int {
	switch {
	case p.Number >= 0:
		return p.Number
	case p.Format == "json":
		return pageRows
	}
	return 0
}

// slice cuts from rows, of which First and limit are wanted.
func slice[T any](p Page, rows []T) []T {
	rows = rows[min(p.First, len(rows)):]
	if n := p.limit(); n > 0 || p.Number == 0 {
		rows = rows[:min(n, len(rows))]
	}
	if rows == nil {
		rows = []T{}
	}
	return rows
}

// most returns the number of rows to find for the page, 0 for all.
func (p Page) most() int {
	if n := p.limit(); n > 0 {
		return p.First + n
	}
	if p.Number == 0 {
		return 1
	}
	return 0
}

// part returns the part of the corpus that is asked, by the filter of a parameter; done
// gives it back.
func (a *api) part(ctx context.Context, of Of, filter string) (c *corpus.Corpus, whole *openCorpus, done func(), err error) {
	if whole, done, err = a.set.get(ctx, of.Corpus); err != nil {
		return nil, nil, nil, err
	}
	part, err := a.selected(ctx, whole.Corpus, &whole.parts, of, filter)
	if err != nil {
		done()
		return nil, nil, nil, err
	}
	return part.(*corpus.Corpus), whole, done, nil
}

// selected returns the part of a corpus that is asked. known holds its computed subcorpora, and filter is the
// parameter of the filter.
func (a *api) selected(ctx context.Context, c corpus.Source, known *parts, of Of, filter string) (corpus.Source, error) {
	if of.Sub != "" {
		p, err := a.subcorpus(ctx, of, filter)
		if err == nil {
			c, err = known.part(ctx, c, p)
		}
		if err != nil {
			return nil, err
		}
	}
	if of.Filter == "" {
		return c, nil
	}
	return selectPart(ctx, c, filter, of.Filter, corpus.Selection{Where: of.Filter})
}

// subcorpus returns the definition of the saved subcorpus that is asked. filter is the parameter of
// the filter.
func (a *api) subcorpus(ctx context.Context, of Of, filter string) (Part, error) {
	p, err := a.saved(ctx, of.Corpus, of.Sub)
	if err != nil {
		name := strings.Replace(filter, "filter", "subcorpus", 1)
		err = problem.Parameter(name, of.Sub, errors.New(problem.Of(err).Detail))
	}
	return p, err
}

// source is the part of a corpus that a request is for: of one index, or of shards.
type source struct {
	corpus.Source
	whole  *openCorpus // nil: shards
	shards *shardSet   // nil: one index
}

// tokens returns the number of tokens of the whole corpus.
func (s source) tokens() int64 {
	if s.shards != nil {
		return s.shards.Size()
	}
	return s.whole.Size()
}

// index returns the part of one index, or the problem of an operation that needs one index.
func (s source) index(of Of) (*corpus.Corpus, error) {
	if c, ok := s.Source.(*corpus.Corpus); ok {
		return c, nil
	}
	return nil, notSharded(of.Corpus)
}

// open returns the part of a corpus that is asked, by the filter of a parameter; done gives it back.
func (a *api) open(ctx context.Context, of Of, filter string) (s source, done func(), err error) {
	if shards, c, done, err := a.sharded(ctx, of, filter); shards != nil || err != nil {
		return source{Source: c, shards: shards}, done, err
	}
	c, whole, done, err := a.part(ctx, of, filter)
	return source{Source: c, whole: whole}, done, err
}

// enter waits for a place and returns the corpus; done gives both back.
func (a *api) enter(ctx context.Context, of Of) (s source, done func(), err error) {
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return s, nil, err
	}
	defer func() {
		if done == nil {
			leave()
		}
	}()
	s, back, err := a.open(ctx, of, "filter")
	if err != nil {
		return s, nil, err
	}
	return s, func() { back(); leave() }, nil
}

// syntax returns the problem of a query that cannot be understood, with its place.
func syntax(name, value string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	p := problem.Parameter(name, value, err)
	if s := (*corpus.SyntaxError)(nil); errors.As(err, &s) {
		p.Detail = fmt.Sprintf("%s: character %d: %s", name, s.Column(), s.What)
		p.At, p.Try = &s.Offset, s.Try
		p.Errors[0].Message = s.What
	}
	return p
}

// listing is an answer that is JSON or a table.
type listing struct {
	json  any
	table table.Table
}

// start finds the first row of a table, so that what fails before it is answered as a problem.
// stop ends the rows.
func (l *listing) start() (stop func(), err error) {
	next, stop := iter.Pull2(l.table.Rows)
	row, err, more := next()
	if err != nil {
		stop()
		return nil, err
	}
	l.table.Rows = func(yield func([]any, error) bool) {
		for ; more && yield(row, err); row, err, more = next() {
		}
	}
	return stop, nil
}

// stream enters the gate and writes the response returned by prepare, which is called before
// the head of the response is written. Place and corpus are released at the end, also after
// a panic.
func (a *api) stream(ctx context.Context, of Of, prepare func(s source) (write func(huma.Context), err error)) (*huma.StreamResponse, error) {
	s, done, err := a.enter(ctx, of)
	if err != nil {
		return nil, err
	}
	var write func(huma.Context)
	defer func() {
		if write == nil {
			done()
		}
	}()
	if write, err = prepare(s); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer done()
		write(hc)
	}}, nil
}

// oneIndex makes the operation of a list from one that needs one index.
func oneIndex[I paged](do func(context.Context, *corpus.Corpus, *I) (*listing, error)) func(context.Context, source, *I) (*listing, error) {
	return func(ctx context.Context, s source, in *I) (*listing, error) {
		c, err := s.index((*in).of())
		if err != nil {
			return nil, err
		}
		return do(ctx, c, in)
	}
}

// lists registers an operation that answers with a list, as JSON of the type of
// example or as a table.
func lists[I paged, J any](a *api, to huma.API, op huma.Operation, example J, do func(context.Context, source, *I) (*listing, error)) {
	problem.Answers(to, &op, "The list", table.Types(reflect.TypeOf(example)))
	register(a, to, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		if err := fits(*in); err != nil {
			return nil, err
		}
		return a.stream(ctx, (*in).of(), func(s source) (func(huma.Context), error) {
			l, err := do(ctx, s, in)
			if err != nil {
				return nil, err
			}
			stop := func() {}
			if (*in).page().Format != "json" {
				if stop, err = l.start(); err != nil {
					return nil, err
				}
			}
			return func(hc huma.Context) {
				defer stop()
				_, w := humago.Unwrap(hc)
				name := fileName(cmp.Or(hc.Param("corpus"), "corpus") + "-" + l.table.Name)
				table.Send(w, (*in).page().Format, name, l.json, l.table)
			}, nil
		})
	})
}

// paged is a request for a page of a list of a corpus.
type paged interface {
	of() Of
	page() Page
	longest() int
}

func (o Of) of() Of { return o }

func (p Page) page() Page { return p }

// fileName returns a name without characters that are invalid in headers or file names.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, s)
}
