package corpora

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sort"
	"strings"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/serve/problem"
)

// Info describes a corpus.
type Info struct {
	Name string `json:"name"`
	corpus.Info
	Aligned   []string           `json:"aligned,omitempty" doc:"Names of the aligned corpora."`
	Relations []string           `json:"relations,omitempty" doc:"Names of the relations of the word sketches."`
	Shards    []corpus.ShardInfo `json:"shards,omitempty" doc:"Shards of the corpus, if it is not one index."`
}

// Corpora lists corpora.
type Corpora struct {
	Corpora []Info `json:"corpora"`
}

func (a *api) list(ctx context.Context, _ *struct{}) (*struct{ Body Corpora }, error) {
	all, err := a.set.Infos(ctx)
	return &struct{ Body Corpora }{Corpora{all}}, err
}

// Infos returns the descriptions of the corpora that the user of a request may query, ordered by
// name.
func (s *Set) Infos(ctx context.Context) ([]Info, error) {
	all := []Info{}
	for _, name := range s.Names(ctx) {
		info, err := s.info(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

func (a *api) info(ctx context.Context, in *struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
}) (*struct{ Body Info }, error) {
	info, err := a.set.info(ctx, in.Corpus)
	if err != nil {
		return nil, err
	}
	return &struct{ Body Info }{info}, nil
}

func (s *Set) info(ctx context.Context, name string) (Info, error) {
	if x := s.sharded(ctx, name); x != nil {
		return x.info(ctx, name)
	}
	c, done, err := s.get(ctx, name)
	if err != nil {
		return Info{}, err
	}
	defer done()
	info, err := c.Info()
	if err != nil {
		return Info{}, err
	}
	out := Info{Name: name, Info: info, Aligned: c.Alignments()}
	k, err := sketch.Open(c.Corpus)
	if errors.Is(err, sketch.ErrNone) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	for _, r := range k.Relations() {
		out.Relations = append(out.Relations, r.Name)
	}
	return out, nil
}

// Values are values of an attribute.
type Values struct {
	Attr   string  `json:"attr"`
	Values []Value `json:"values"`
}

// Value is a value and how many tokens or structures have it.
type Value struct {
	Value string `json:"value"`
	Freq  int64  `json:"freq"`
}

// attr returns an attribute of tokens (word) or of a structure (doc.lang).
func attr(c *corpus.Corpus, name string) (*corpus.Attr, error) {
	if s, a, dotted := strings.Cut(name, "."); dotted {
		st, err := c.Struct(s)
		if err != nil {
			return nil, err
		}
		return st.Attr(a)
	}
	return c.Attr(name)
}

func (a *api) values(ctx context.Context, in *struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	Attr   string `query:"attr" doc:"Attribute of tokens, such as word, or of a structure, such as doc.lang. Default: the first token attribute."`
	Prefix string `query:"prefix" doc:"Prefix of the values."`
	Number int    `query:"number" minimum:"1" maximum:"1000" default:"20" doc:"Maximum number of values."`
}) (*struct{ Body Values }, error) {
	c, done, err := a.enterIndex(ctx, Of{Corpus: in.Corpus})
	if err != nil {
		return nil, err
	}
	defer done()
	x, err := attr(c, in.Attr)
	if err != nil {
		return nil, problem.Parameter("attr", in.Attr, err)
	}
	out := Values{Attr: cmp.Or(in.Attr, x.Name()), Values: []Value{}}
	from := sort.Search(x.Len(), func(i int) bool { return x.Word(uint32(i)) >= in.Prefix })
	for i := from; i < x.Len(); i++ {
		if i&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		word := x.Word(uint32(i))
		if !strings.HasPrefix(word, in.Prefix) {
			break
		}
		v := Value{word, x.Freq(uint32(i))}
		at, _ := slices.BinarySearchFunc(out.Values, v, func(a, b Value) int { return int(min(max(b.Freq-a.Freq, -1), 1)) })
		for at < len(out.Values) && out.Values[at].Freq == v.Freq {
			at++ // among equals the first in order stays first
		}
		if at < in.Number {
			out.Values = slices.Insert(out.Values[:min(len(out.Values), in.Number-1)], at, v)
		}
	}
	return &struct{ Body Values }{out}, nil
}

// Snippet is text around some tokens.
type Snippet struct {
	Start int64             `json:"start"`
	End   int64             `json:"end"`
	Left  string            `json:"left"`
	Match string            `json:"match"`
	Right string            `json:"right"`
	Refs  map[string]string `json:"refs" doc:"Attributes of the document."`
}

func (a *api) snippet(ctx context.Context, in *struct {
	Corpus  string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	Start   int64  `query:"start" required:"true" minimum:"0" doc:"First token."`
	End     int64  `query:"end" required:"true" minimum:"0" doc:"Token after the last."`
	Context int64  `query:"context" minimum:"0" maximum:"10000" default:"100" doc:"Tokens on either side, within the document."`
}) (*struct{ Body Snippet }, error) {
	c, done, err := a.set.get(ctx, in.Corpus)
	if err != nil {
		return nil, err
	}
	defer done()
	if in.Start >= in.End || in.End > c.Size() || in.End-in.Start > maxSnippet {
		return nil, problem.New(http.StatusUnprocessableEntity, "tokens %d to %d: wanted 1 to %d tokens below %d", in.Start, in.End, maxSnippet, c.Size())
	}
	out := Snippet{Start: in.Start, End: in.End, Match: c.Text(in.Start, in.End), Refs: map[string]string{}}
	lo, hi := max(in.Start-in.Context, 0), min(in.End+in.Context, c.Size())
	if doc, err := c.Struct("doc"); err == nil {
		if i, ok := doc.Find(in.Start); ok {
			from, to := doc.Span(i)
			lo, hi = max(lo, from), max(min(hi, to), in.End)
			for _, name := range doc.Attrs() {
				out.Refs["doc."+name] = doc.Value(name, i)
			}
		}
	}
	whole := c.Text(lo, hi) // including text between match and context
	out.Left = strings.TrimSuffix(c.Text(lo, in.End), out.Match)
	out.Right = whole[len(out.Left)+len(out.Match):]
	return &struct{ Body Snippet }{out}, nil
}

// maxSnippet is the most tokens of a match that are shown.
const maxSnippet = 10_000

// Interpretation is the meaning of a query.
type Interpretation struct {
	Simple bool   `json:"simple" doc:"Whether the query is a simple one; otherwise it is CQL."`
	CQL    string `json:"cql" doc:"The query in CQL."`
}

func (a *api) interpret(ctx context.Context, in *struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	Patt   string `query:"patt" required:"true" doc:"Query in CQL, or a simple query such as take off. The problem of an invalid query has a similar valid one in try."`
}) (*struct{ Body Interpretation }, error) {
	c, done, err := a.enterIndex(ctx, Of{Corpus: in.Corpus})
	if err != nil {
		return nil, err
	}
	defer done()
	q, err := c.Query(ctx, in.Patt)
	if err != nil {
		return nil, syntax("patt", in.Patt, err)
	}
	return &struct{ Body Interpretation }{Interpretation{corpus.IsSimple(in.Patt), q.String()}}, nil
}
