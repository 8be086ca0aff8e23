package corpora

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/serve/problem"
)

// Info describes a corpus.
type Info struct {
	Name string `json:"name"`
	corpus.Info
	Lang      string             `json:"lang,omitempty" doc:"Language of the first document (doc.lang)."`
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
	if x, done, err := s.sharded(ctx, name); err != nil {
		return Info{}, err
	} else if x != nil {
		defer done()
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
	if doc, err := c.Struct("doc"); err == nil && doc.Len() > 0 && slices.Contains(doc.Attrs(), "lang") {
		out.Lang = doc.Value("lang", 0)
	}
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
	Attr   string             `json:"attr"`
	Values []corpus.ValueFreq `json:"values" doc:"Values, and the number of tokens or structures with each."`
}

func (a *api) values(ctx context.Context, in *struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	Attr   string `query:"attr" doc:"Attribute of tokens, such as word, or of a structure, such as doc.lang. Default: the first token attribute."`
	Prefix string `query:"prefix" doc:"Prefix of the values."`
	Number int    `query:"number" minimum:"1" maximum:"1000" default:"20" doc:"Maximum number of values."`
}) (*struct{ Body Values }, error) {
	c, done, err := a.enter(ctx, Of{Corpus: in.Corpus})
	if err != nil {
		return nil, err
	}
	defer done()
	list, err := c.Values(ctx, in.Attr, in.Prefix, in.Number)
	if err != nil {
		return nil, failed("", err, c.Source)
	}
	out := Values{in.Attr, append([]corpus.ValueFreq{}, list...)}
	if in.Attr == "" {
		info, err := c.Describe(ctx)
		if err != nil {
			return nil, err
		}
		out.Attr = info.Attributes[0].Name
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
	c, done, err := a.open(ctx, Of{Corpus: in.Corpus}, "filter")
	if err != nil {
		return nil, err
	}
	defer done()
	if in.Start >= in.End || in.End > c.Size() || in.End-in.Start > maxSnippet {
		return nil, problem.New(http.StatusUnprocessableEntity, "tokens %d to %d: wanted 1 to %d tokens below %d", in.Start, in.End, maxSnippet, c.Size())
	}
	x, err := c.Excerpt(ctx, in.Start, in.End, in.Context)
	if err != nil {
		return nil, failed("", err, c.Source)
	}
	return &struct{ Body Snippet }{Snippet{in.Start, in.End, x.Left, x.Match, x.Right, x.Refs}}, nil
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
	c, done, err := a.enter(ctx, Of{Corpus: in.Corpus})
	if err != nil {
		return nil, err
	}
	defer done()
	cql, err := c.Canonical(ctx, in.Patt)
	if err != nil {
		return nil, failed(in.Patt, err, c.Source)
	}
	return &struct{ Body Interpretation }{Interpretation{corpus.IsSimple(in.Patt), cql}}, nil
}
