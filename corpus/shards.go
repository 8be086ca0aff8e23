package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"chaffinch/internal/panics"
)

// Source answers queries: a *Corpus, or *Shards.
type Source interface {
	Shard
	// Size returns the number of tokens in the corpus or in its selected part.
	Size() int64
	// Condition returns the condition that selects the part, or "".
	Condition() string
	Describe(ctx context.Context) (Info, error)
	Search(ctx context.Context, cql string, cfg ConcordanceConfig) (*Concordance, error)
	Count(ctx context.Context, cql string) (hits int64, canonical string, err error)
	Freqs(ctx context.Context, cql string, cfg FreqConfig) (*Freqs, error)
	WordList(ctx context.Context, cfg WordListConfig) (*WordList, error)
	Collocations(ctx context.Context, cql string, cfg CollocationConfig) (*Collocations, error)
	Trends(ctx context.Context, cfg TrendConfig) (*Trends, error)
	Bins(ctx context.Context, cql string, bins int) ([]int64, error)
	Breakdown(ctx context.Context, attr string) ([]ValueSize, error)
	Documents(ctx context.Context, cfg DocumentConfig) (*Documents, error)
	Excerpt(ctx context.Context, start, end, context int64) (*Excerpt, error)
	Values(ctx context.Context, attr, prefix string, limit int) ([]ValueFreq, error)
	Frequencies(ctx context.Context, attr string, values []string) ([]int64, error)
	Canonical(ctx context.Context, query string) (string, error)
}

// Describe returns a description of the index.
func (c *Corpus) Describe(context.Context) (Info, error) { return c.Info() }

// Search returns a concordance of a query.
func (c *Corpus) Search(ctx context.Context, cql string, cfg ConcordanceConfig) (*Concordance, error) {
	q, err := c.Query(ctx, cql)
	if err != nil {
		return nil, err
	}
	return q.Concordance(ctx, cfg)
}

// Count returns the number of hits of a query, and the query in CQL.
func (c *Corpus) Count(ctx context.Context, cql string) (hits int64, canonical string, err error) {
	q, err := c.Query(ctx, cql)
	if err != nil {
		return 0, "", err
	}
	hits, err = q.Count(ctx)
	return hits, q.text, err
}

// Bins returns the number of hits of a query that begin in each of some equal parts of the whole corpus.
func (c *Corpus) Bins(ctx context.Context, cql string, bins int) ([]int64, error) {
	q, err := c.Query(ctx, cql)
	if err != nil {
		return nil, err
	}
	return q.bins(ctx, bins, 0, c.size)
}

// Shards is a corpus of several indexes, each with some of its documents. All results are the same as
// with one index of all documents in the order of the shards: counts are summed before scores are
// computed. A shard that fails is an error, never a smaller count.
//
// Not available: translations (ConcordanceConfig.Aligned) and conditions on frequencies in queries. N-grams and
// windows that may cross documents (Within "-" and "") end at the boundaries of shards.
type Shards struct {
	name   string
	shards []Shard
	sizes  []Counts // of the selected part of each shard, with descriptions of whole shards
	where  string   // condition of the part
	parts  []Selection
	known  *vocabularyOfShards
}

// NewShards returns a corpus of shards, in the order of their documents. name identifies it in errors.
// The shards are closed with it.
func NewShards(ctx context.Context, name string, shards []Shard) (*Shards, error) {
	s := &Shards{name: name, shards: shards, known: new(vocabularyOfShards)}
	if len(shards) == 0 {
		return nil, fmt.Errorf("%s: no shards", name)
	}
	if err := s.measure(ctx); err != nil {
		return nil, err
	}
	first := s.sizes[0].Info
	for i, x := range s.sizes {
		if got, want := attrNames(x.Info), attrNames(first); !slices.Equal(got, want) {
			return nil, fmt.Errorf("%s: shard %s has the attributes %s, but shard %s has %s: build all shards with the same columns", name, shards[i].Dir(), strings.Join(got, ", "), shards[0].Dir(), strings.Join(want, ", "))
		}
	}
	return s, nil
}

// attrNames returns the names of the attributes of tokens.
func attrNames(x *Info) (names []string) {
	for _, a := range x.Attributes {
		names = append(names, a.Name)
	}
	return names
}

// measure reads the sizes of the shards.
func (s *Shards) measure(ctx context.Context) error {
	all, err := s.ask(ctx, &Request{Op: OpSize})
	if err != nil {
		return err
	}
	s.sizes = make([]Counts, len(all))
	for i, x := range all {
		if s.sizes[i] = *x; x.Info == nil {
			return s.failed(i, errors.New("no description of the shard"))
		}
	}
	return nil
}

// Dir returns the name.
func (s *Shards) Dir() string { return s.name }

// Close closes the shards.
func (s *Shards) Close() error {
	var errs []error
	for _, x := range s.shards {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}

// Size returns the number of tokens in the corpus or in its selected part.
func (s *Shards) Size() (n int64) {
	for _, x := range s.sizes {
		n += x.Tokens
	}
	return n
}

// Condition returns the argument of Where, or "" for a whole corpus.
func (s *Shards) Condition() string { return s.where }

// failed wraps the error of a shard.
func (s *Shards) failed(i int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("shard %d of %d, %s: %w", i+1, len(s.shards), s.shards[i].Dir(), err)
}

// ask sends a request to all shards at once, and returns their answers in order.
func (s *Shards) ask(ctx context.Context, r *Request) ([]*Counts, error) {
	return s.askEach(ctx, func(int) *Request { return r })
}

// askOne sends a request to shard i.
func (s *Shards) askOne(ctx context.Context, i int, r *Request) (*Counts, error) {
	mine := *r
	mine.Parts = s.parts
	if IsSimple(r.Query) {
		cql, err := s.cql(ctx, r.Query)
		if err != nil {
			return nil, err
		}
		mine.Query = cql
	}
	return s.shards[i].Ask(ctx, &mine)
}

// askEach is like ask with a request for each shard; nil asks nothing.
func (s *Shards) askEach(ctx context.Context, request func(i int) *Request) ([]*Counts, error) {
	out, errs := make([]*Counts, len(s.shards)), make([]error, len(s.shards))
	var wg sync.WaitGroup
	for i := range s.shards {
		r := request(i)
		if r == nil {
			continue
		}
		wg.Go(func() {
			errs[i] = panics.Catch(func() (err error) {
				out[i], err = s.askOne(ctx, i, r)
				return err
			})
		})
	}
	wg.Wait()
	if !slices.ContainsFunc(errs, func(err error) bool {
		return !errors.As(err, new(*SyntaxError)) && !errors.As(err, new(*ConfigError))
	}) {
		return nil, errs[0] // an error in the query or in a setting
	}
	for i, err := range errs {
		if err != nil {
			return nil, s.failed(i, err)
		}
	}
	return out, nil
}

// eachRow calls each with the rows of each shard that was asked, until an error.
func (s *Shards) eachRow(all []*Counts, each func(i int, row Row) error) error {
	for i, c := range all {
		if c == nil {
			continue
		}
		for row, err := range c.Rows {
			if err == nil {
				err = each(i, row)
			}
			if err != nil {
				return s.failed(i, err)
			}
		}
	}
	return nil
}

// hitsOf returns the sum of the hits.
func hitsOf(all []*Counts) (hits int64) {
	for _, c := range all {
		hits += c.Hits
	}
	return hits
}

// rows asks all shards and yields the sums of their rows.
func (s *Shards) rows(ctx context.Context, r *Request) (iter.Seq2[Row, error], error) {
	all, err := s.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.merged(ctx, all), nil
}

// Sums asks all shards and yields the sums of their rows by key, with the text of the first row. The
// labels of all answers must be the same.
func (s *Shards) Sums(ctx context.Context, r *Request) (iter.Seq2[Row, error], error) {
	all, err := s.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		if !slices.Equal(c.Labels, all[0].Labels) {
			return nil, s.failed(i, errors.New("another sketch grammar than the first shard: compute the sketches of all shards with the same one"))
		}
	}
	return s.merged(ctx, all), nil
}

// Figures asks all shards for figures of items, and calls each with their sums.
func (s *Shards) Figures(ctx context.Context, r Request, items [][]string, each func(i int, n []int64)) error {
	return s.items(ctx, r, items, nil, func(i int, rows []Row) error {
		sum := make([]int64, len(rows[0].N))
		for _, row := range rows {
			for k, n := range row.N {
				sum[k] += n
			}
		}
		each(i, sum)
		return nil
	})
}

// atOnceItems is the maximum number of items of a request.
const atOnceItems = 10_000

// items asks all shards for figures of items, some thousand at a time. each gets the rows of the
// shards for item i.
func (s *Shards) items(ctx context.Context, r Request, items [][]string, freqs []int64, each func(i int, rows []Row) error) error {
	for from := 0; from < len(items); from += atOnceItems {
		to := min(from+atOnceItems, len(items))
		if r.Items = items[from:to]; freqs != nil {
			r.ItemFreqs = freqs[from:to]
		}
		all, err := s.ask(ctx, &r)
		if err != nil {
			return err
		}
		lists := make([][]Row, len(all))
		for i, c := range all {
			for row, err := range c.Rows {
				if err != nil {
					return s.failed(i, err)
				}
				row.N = slices.Clone(row.N)
				if lists[i] = append(lists[i], row); len(lists[i]) > to-from {
					break
				}
			}
			if len(lists[i]) != to-from {
				return s.failed(i, fmt.Errorf("%d rows for %d words", len(lists[i]), to-from))
			}
		}
		rows := make([]Row, len(all))
		for k := range to - from {
			for i := range all {
				if rows[i] = lists[i][k]; len(rows[i].N)-len(rows[i].Text) != len(lists[0][k].N)-len(lists[0][k].Text) {
					return s.failed(i, fmt.Errorf("%d counts in a row (wanted %d)", len(rows[i].N), len(lists[0][k].N)))
				}
			}
			if err := each(from+k, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// before returns the number of tokens and structures in the shards before shard i. Both count whole
// shards.
func (s *Shards) before(i int) map[string]int64 {
	out := map[string]int64{"": s.tokensBefore(i)}
	for _, x := range s.sizes[:i] {
		for _, st := range x.Info.Structures {
			out[st.Name] += int64(st.Count)
		}
	}
	return out
}

// tokensBefore returns the number of tokens in the shards before shard i, selected or not.
func (s *Shards) tokensBefore(i int) (n int64) {
	for _, x := range s.sizes[:i] {
		n += x.Info.Tokens
	}
	return n
}

// Ask returns an error: shards have no shards.
func (s *Shards) Ask(context.Context, *Request) (*Counts, error) {
	return nil, fmt.Errorf("corpus %s: its shards cannot be shards of another corpus: list them there", s.name)
}

// Count returns the number of hits of a query, and the query in CQL.
func (s *Shards) Count(ctx context.Context, cql string) (hits int64, canonical string, err error) {
	all, err := s.counts(ctx, cql)
	if err != nil {
		return 0, "", err
	}
	return hitsOf(all), all[0].CQL, nil
}

// counts returns the number of hits of each shard, from complete answers.
func (s *Shards) counts(ctx context.Context, cql string) ([]*Counts, error) {
	all, err := s.ask(ctx, &Request{Op: OpCount, Query: cql})
	if err != nil {
		return nil, err
	}
	return all, s.eachRow(all, func(int, Row) error { return nil })
}

// Describe returns the sum of the descriptions of the shards. The number of distinct values of an
// attribute is the maximum of all shards.
func (s *Shards) Describe(context.Context) (Info, error) {
	out := Info{Tool: s.sizes[0].Info.Tool, Structures: []StructureInfo{}}
	for _, x := range s.sizes {
		out.Tokens += x.Info.Tokens
		out.Bytes += x.Info.Bytes
		out.Attributes = mergeAttributes(out.Attributes, x.Info.Attributes)
		for _, st := range x.Info.Structures {
			k := slices.IndexFunc(out.Structures, func(y StructureInfo) bool { return y.Name == st.Name })
			if k < 0 {
				k = len(out.Structures)
				out.Structures = append(out.Structures, StructureInfo{Name: st.Name, Attributes: []AttributeInfo{}})
			}
			out.Structures[k].Count += st.Count
			out.Structures[k].Attributes = mergeAttributes(out.Structures[k].Attributes, st.Attributes)
		}
	}
	slices.SortFunc(out.Structures, func(a, b StructureInfo) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// mergeAttributes adds attributes to a list, with the maximum number of values.
func mergeAttributes(list, more []AttributeInfo) []AttributeInfo {
	for _, a := range more {
		k := slices.IndexFunc(list, func(x AttributeInfo) bool { return x.Name == a.Name })
		if k < 0 {
			list = append(list, a)
		} else {
			list[k].Values = max(list[k].Values, a.Values)
		}
	}
	return list
}

// Tokens returns the folder or address and the number of tokens of each shard.
func (s *Shards) Tokens() (out []ShardInfo) {
	for i, x := range s.sizes {
		out = append(out, ShardInfo{s.shards[i].Dir(), x.Info.Tokens})
	}
	return out
}

// ShardInfo describes a shard.
type ShardInfo struct {
	Shard  string `json:"shard"`
	Tokens int64  `json:"tokens"`
}
