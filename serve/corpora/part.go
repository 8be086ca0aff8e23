package corpora

import (
	"cmp"
	"context"
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
func (p Part) Of(ctx context.Context, c *corpus.Corpus) (_ *corpus.Corpus, err error) {
	if len(p.Values) > 0 {
		if c, err = c.WithValues(ctx, p.Attr, p.Values); err != nil {
			return nil, syntax("attr", p.Attr, err)
		}
	}
	if p.Filter != "" {
		if c, err = c.Where(ctx, p.Filter); err != nil {
			return nil, syntax("filter", p.Filter, err)
		}
	}
	if p.Patt != "" {
		if c, err = c.Containing(ctx, p.Patt, cmp.Or(p.In, "doc")); err != nil {
			return nil, syntax("patt", p.Patt, err)
		}
	}
	return c, nil
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
	known map[string]*corpus.Corpus
}

// part returns a part of the corpus, and computes it the first time.
func (o *openCorpus) part(ctx context.Context, p Part) (*corpus.Corpus, error) {
	key := p.key()
	o.parts.mu.Lock()
	c := o.parts.known[key]
	o.parts.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := p.Of(ctx, o.Corpus)
	if err != nil {
		return nil, err
	}
	o.parts.mu.Lock()
	defer o.parts.mu.Unlock()
	if o.parts.known == nil || len(o.parts.known) >= maxParts {
		o.parts.known = map[string]*corpus.Corpus{}
	}
	o.parts.known[key] = c
	return c, nil
}

// Check returns a problem if the user of a request cannot query the corpus, or the definition does
// not fit it. tokens is the size of the part.
func (s *Set) Check(ctx context.Context, name string, p Part) (tokens int64, err error) {
	if x := s.sharded(ctx, name); x != nil {
		part, err := x.part(ctx, name, p)
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
	part, err := c.part(ctx, p)
	if err != nil {
		return 0, err
	}
	return part.Size(), nil
}
