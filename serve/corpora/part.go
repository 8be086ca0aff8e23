package corpora

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"chaffinch/corpus"
	"chaffinch/serve/problem"
)

// Part defines a subcorpus. The part satisfies all given conditions.
type Part struct {
	// Filter is a condition on attributes of structures.
	Filter string `json:"filter,omitempty" doc:"Condition, such as doc.lang=\"de\" & doc.year>=2020."`
	// Patt selects the structures In that contain a match of the query.
	Patt string `json:"patt,omitempty" doc:"Query: the part consists of the structures that contain a match."`
	In   string `json:"in,omitempty" doc:"Structure of patt. Default: doc."`
	// Attr and Values select the structures with one of the values.
	Attr   string   `json:"attr,omitempty" doc:"Attribute of a structure, such as doc.id, for values."`
	Values []string `json:"values,omitempty" doc:"Values of attr: the part consists of the structures with one of them."`
}

// Parts returns the definition of a saved subcorpus of the user of a request. The error is a
// problem if there is none.
type Parts func(ctx context.Context, corpus, name string) (Part, error)

// noParts is the Parts of a server that stores no subcorpora.
func noParts(context.Context, string, string) (Part, error) {
	return Part{}, problem.New(http.StatusUnprocessableEntity, "this server stores no workspaces: wanted a server with a store")
}

// Of returns the part of a corpus. The error of a wrong definition is a problem of a parameter.
func (p Part) Of(ctx context.Context, c corpus.Source) (_ corpus.Source, err error) {
	for _, x := range []struct {
		parameter, value string
		used             bool
		corpus.Selection
	}{
		{"attr", p.Attr, len(p.Values) > 0, corpus.Selection{Attr: p.Attr, Values: p.Values}},
		{"filter", p.Filter, p.Filter != "", corpus.Selection{Where: p.Filter}},
		{"patt", p.Patt, p.Patt != "", corpus.Selection{Query: p.Patt, In: cmp.Or(p.In, "doc")}},
	} {
		if !x.used {
			continue
		}
		if c, err = selectPart(ctx, c, x.parameter, x.value, x.Selection); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// selectPart returns a part of a corpus. Its error is a problem of a parameter, or of a shard.
func selectPart(ctx context.Context, c corpus.Source, parameter, value string, x corpus.Selection) (corpus.Source, error) {
	part, err := corpus.Select(ctx, c, x)
	_, one := c.(*corpus.Corpus)
	if one || errors.As(err, new(*corpus.SyntaxError)) || errors.Is(err, corpus.ErrEmpty) {
		return part, syntax(parameter, value, err)
	}
	return part, lostShard("", err)
}

// key identifies the definition.
func (p Part) key() string {
	return strings.Join(append([]string{p.Filter, p.Patt, p.In, p.Attr}, p.Values...), "\x00")
}

// maxParts bounds the computed subcorpora that an open corpus holds.
const maxParts = 32

// parts holds computed subcorpora by definition.
type parts struct {
	mu    sync.Mutex
	known map[string]corpus.Source
}

// part returns a part of a corpus, and computes it the first time.
func (known *parts) part(ctx context.Context, c corpus.Source, p Part) (corpus.Source, error) {
	key := p.key()
	known.mu.Lock()
	part := known.known[key]
	known.mu.Unlock()
	if part != nil {
		return part, nil
	}
	part, err := p.Of(ctx, c)
	if err != nil {
		return nil, err
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.known == nil || len(known.known) >= maxParts {
		known.known = map[string]corpus.Source{}
	}
	known.known[key] = part
	return part, nil
}

// Check returns a problem if the user of a request cannot query the corpus, or the definition does
// not fit it. tokens is the size of the part.
func (s *Set) Check(ctx context.Context, name string, p Part) (tokens int64, err error) {
	defer func() { err = s.hidden(err) }()
	if x, done, err := s.sharded(ctx, name); err != nil {
		return 0, err
	} else if x != nil {
		defer done()
		part, err := x.parts.part(ctx, x.Shards, p)
		if err != nil {
			return 0, err
		}
		return part.Size(), nil
	}
	c, done, err := s.get(ctx, name)
	if err != nil {
		return 0, err
	}
	defer done()
	part, err := c.parts.part(ctx, c.Corpus, p)
	if err != nil {
		return 0, err
	}
	return part.Size(), nil
}
