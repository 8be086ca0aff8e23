package corpus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// askDocuments lists documents with the values of Names. The rows are in corpus order.
func (q *Query) askDocuments(ctx context.Context, r *Request, out *Counts) error {
	doc, err := q.c.Struct("doc")
	if err != nil {
		return inField("Doc", err)
	}
	d, err := q.documents(ctx, doc, r.Names, *r.Documents)
	if err != nil {
		return err
	}
	out.Hits = d.Total
	out.Rows = func(yield func(Row, error) bool) {
		for x, err := range d.Rows {
			if !yield(Row{N: []int64{x.Start, x.End, x.Hits}, Text: x.Values}, err) {
				return
			}
		}
	}
	return nil
}

// maxExcerpt is the maximum number of tokens of an excerpt.
const maxExcerpt = 100_000

// askExcerpt returns the text of the tokens Numbers[0] to Numbers[1], and of Numbers[2] tokens on either
// side.
func (c *Corpus) askExcerpt(ctx context.Context, r *Request, out *Counts) error {
	x, err := c.Excerpt(ctx, r.Numbers[0], r.Numbers[1], r.Numbers[2])
	if err != nil {
		return err
	}
	row := Row{Text: []string{x.Left, x.Match, x.Right}}
	for _, name := range r.Names {
		row.Text = append(row.Text, x.Refs["doc."+name])
	}
	out.Rows = listed([]Row{row})
	return nil
}

// lacksSpan reports whether a request lacks the tokens of an excerpt.
func lacksSpan(r *Request) bool {
	n := r.Numbers
	return len(n) != 3 || n[0] < 0 || n[1]-n[0] > maxExcerpt || n[2] < 0 || n[2] > maxExcerpt
}

// askValues returns the values of an attribute with a prefix.
func (c *Corpus) askValues(ctx context.Context, r *Request, out *Counts) error {
	values, err := c.valuesWith(ctx, r.By, r.Prefix)
	if err != nil {
		return err
	}
	out.Rows = func(yield func(Row, error) bool) {
		for v, err := range values {
			if !yield(Row{Key: []string{v.Value}, N: []int64{v.Freq}}, err) {
				return
			}
		}
	}
	return nil
}

// Documents lists documents, as [Corpus.Documents] does.
func (s *Shards) Documents(ctx context.Context, cfg DocumentConfig) (*Documents, error) {
	out := &Documents{Attrs: s.docAttrs(), Total: -1}
	ask := cfg
	if ask.First = 0; cfg.Limit > 0 {
		ask.Limit = cfg.First + cfg.Limit
	}
	request := &Request{Op: OpDocuments, Query: cmp.Or(cfg.Query, "<doc/>"), Names: out.Attrs, Documents: &ask}
	all, err := s.ask(ctx, request)
	if err != nil {
		return nil, err
	}
	if !cfg.Uncounted {
		out.Total = hitsOf(all)
	}
	out.Rows = func(yield func(Document, error) bool) {
		n := 0
		for i, c := range all {
			before := s.tokensBefore(i)
			for row, err := range c.Rows {
				if n++; err == nil && n <= cfg.First {
					continue
				}
				switch {
				case err != nil:
					err = s.failed(i, err)
				case cfg.Limit > 0 && n > cfg.First+cfg.Limit:
					return
				case len(row.N) != 3 || len(row.Text) != len(out.Attrs):
					err = s.failed(i, fmt.Errorf("a document with %d numbers and %d texts", len(row.N), len(row.Text)))
				}
				if err != nil {
					yield(Document{}, err)
					return
				}
				if !yield(Document{row.N[0] + before, row.N[1] + before, row.N[2], row.Text}, nil) {
					return
				}
			}
		}
	}
	return out, nil
}

// docAttrs returns the names of the attributes of documents in any shard, sorted.
func (s *Shards) docAttrs() (names []string) {
	for i := range s.sizes {
		if doc, _ := s.structure(i, "doc"); doc != nil {
			for _, a := range doc.Attributes {
				names = append(names, a.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Excerpt returns text, as [Corpus.Excerpt] does. The tokens must be in one shard.
func (s *Shards) Excerpt(ctx context.Context, start, end, context int64) (*Excerpt, error) {
	for i, x := range s.sizes {
		before := s.tokensBefore(i)
		if start < before || start >= before+x.Info.Tokens {
			continue
		}
		if end > before+x.Info.Tokens {
			return nil, inField("End", fmt.Errorf("tokens %d to %d are in several shards", start, end))
		}
		names := s.docAttrs()
		c, err := s.Whole().askOne(ctx, i, &Request{Op: OpExcerpt, Numbers: []int64{start - before, end - before, context}, Names: names})
		if err != nil {
			return nil, s.failed(i, err)
		}
		for row, err := range c.Rows {
			if err == nil && len(row.Text) != 3+len(names) {
				err = fmt.Errorf("an excerpt with %d texts", len(row.Text))
			}
			if err != nil {
				return nil, s.failed(i, err)
			}
			out := &Excerpt{Left: row.Text[0], Match: row.Text[1], Right: row.Text[2], Refs: map[string]string{}}
			for k, name := range names {
				out.Refs["doc."+name] = row.Text[3+k]
			}
			return out, nil
		}
		return nil, s.failed(i, fmt.Errorf("no text of tokens %d to %d", start, end))
	}
	return nil, inField("End", fmt.Errorf("tokens %d to %d of %d tokens", start, end, s.tokensBefore(len(s.sizes))))
}

// Values returns values of an attribute, as [Corpus.Values] does.
func (s *Shards) Values(ctx context.Context, attr, prefix string, limit int) ([]ValueFreq, error) {
	rows, err := s.Whole().rows(ctx, &Request{Op: OpValues, By: attr, Prefix: prefix})
	if err != nil {
		return nil, err
	}
	return topValues(ctx, func(yield func(ValueFreq, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(ValueFreq{}, err)
				return
			}
			if !yield(ValueFreq{row.Key[0], row.N[0]}, nil) {
				return
			}
		}
	}, limit)
}

// Canonical returns a query in CQL.
func (s *Shards) Canonical(ctx context.Context, query string) (string, error) {
	all, err := s.ask(ctx, &Request{Op: OpQuery, Query: query})
	if err != nil {
		return "", err
	}
	return all[0].CQL, nil
}

// Frequencies returns frequencies, as [Corpus.Frequencies] does.
func (s *Shards) Frequencies(ctx context.Context, attr string, values []string) ([]int64, error) {
	items, out := make([][]string, len(values)), make([]int64, len(values))
	for i, v := range values {
		items[i] = []string{v}
	}
	r := Request{Op: OpFrequencies, Words: &WordListConfig{Attr: attr}}
	return out, s.Whole().Figures(ctx, r, items, func(i int, n []int64) { out[i] = n[0] })
}
