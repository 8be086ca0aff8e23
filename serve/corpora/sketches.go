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

// SketchSettings select the collocates of a word sketch and the format of the response.
type SketchSettings struct {
	Relation []string `query:"relation" doc:"Names of the relations to return, such as object. Default: all."`
	MinHits  int64    `query:"min_hits" minimum:"0" default:"3" doc:"Minimum number of instances of a collocate."`
	Limit    int      `query:"limit" minimum:"0" maximum:"10000" default:"25" doc:"Maximum number of collocates of a relation; 0: no limit."`
	Format   string   `query:"format" enum:"json,csv,tsv,jsonl,xml,xlsx" default:"json" doc:"Format of the response."`
}

func (s SketchSettings) page() Page { return Page{Number: -1, Format: s.Format} }

func (SketchSettings) longest() int { return maxRows }

// Whole is the corpus that is asked as a whole.
type Whole struct {
	Corpus string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
}

func (w Whole) of() Of { return Of{Corpus: w.Corpus} }

type sketchInput struct {
	Of
	SketchSettings
	Word string   `query:"word" required:"true" doc:"Headword: a lempos such as take-v, or a lemma."`
	With []string `query:"with" doc:"Only instances of the word with this collocate, as object=speech-n, or speech-n in any relation: a multiword sketch."`
	Sort string   `query:"sort" enum:"score,hits" default:"score" doc:"Order of the collocates."`
}

type sketchdiffInput struct {
	Of
	SketchSettings
	First  string `query:"first" required:"true" doc:"First headword, such as big-j."`
	Second string `query:"second" required:"true" doc:"Second headword, such as large-j."`
}

type thesaurusInput struct {
	Whole
	Page
	Word    string  `query:"word" required:"true" doc:"Headword: a lempos such as take-v, or a lemma."`
	MinFreq int64   `query:"min_freq" minimum:"0" default:"5" doc:"Minimum frequency of a word."`
	Cluster float64 `query:"cluster" minimum:"0" maximum:"1" default:"0.15" doc:"Minimum similarity to the first word of a cluster."`
}

// sketchError returns the problem of a corpus without sketches, a headword, another setting or a shard.
func sketchError(err error, c source, of Of, words map[string]string) error {
	if c.shards != nil {
		return lostShard("", unknownWord(err, words))
	}
	if errors.Is(err, sketch.ErrNone) {
		return noSketches(of)
	}
	return unknownWord(err, words)
}

// noSketches returns the problem of a corpus without sketches.
func noSketches(of Of) error {
	return problem.New(http.StatusNotFound, "corpus %q has no word sketches: compute them with chaffinch corpus sketches", of.Corpus)
}

// unknownWord returns the problem of a headword or another setting of a sketch.
func unknownWord(err error, words map[string]string) error {
	u := (*sketch.UnknownWordError)(nil)
	c := (*corpus.ConfigError)(nil)
	switch {
	case errors.As(err, &c):
		name := map[string]string{"Relations": "relation", "With": "with", "Second": "second", "Limit": "limit", "Sort": "sort"}[c.Field]
		return problem.Parameter(name, nil, err)
	case errors.As(err, &u):
		for name, word := range words {
			if word == u.Word {
				return problem.Parameter(name, word, err)
			}
		}
	}
	return err
}

func wordSketch(ctx context.Context, c source, in *sketchInput) (*listing, error) {
	k, err := sketch.Of(ctx, c.Source, in.Word, in.config())
	if err != nil {
		return nil, sketchError(err, c, in.Of, map[string]string{"word": in.Word})
	}
	return in.list(k), nil
}

// config returns the settings of the sketch.
func (in *sketchInput) config() sketch.Config {
	return sketch.Config{MinHits: in.MinHits, Limit: in.Limit, Relations: in.Relation, With: in.With, Sort: in.Sort}
}

// list returns the collocates of a sketch.
func (in *sketchInput) list(k *sketch.Sketch) *listing {
	var list [][]any
	for _, r := range k.Relations {
		if r.Unary {
			list = append(list, []any{r.Name, "", r.Hits, ""})
		}
		for _, w := range r.Collocates {
			list = append(list, []any{r.Name, w.Word, w.Hits, w.Score})
		}
	}
	return &listing{k, rows("sketch", []string{"relation", "collocate", "hits", "logdice"}, list, slices.Clone)}
}

func sketchDiff(ctx context.Context, c source, in *sketchdiffInput) (*listing, error) {
	d, err := sketch.DiffOf(ctx, c.Source, in.First, in.Second, sketch.Config{MinHits: in.MinHits, Limit: in.Limit, Relations: in.Relation})
	if err != nil {
		return nil, sketchError(err, c, in.Of, map[string]string{"first": in.First, "second": in.Second})
	}
	var list [][]any
	for _, r := range d.Relations {
		for _, w := range r.Collocates {
			list = append(list, []any{r.Name, w.Group, w.Word, w.Hits[0], w.Hits[1], w.Scores[0], w.Scores[1]})
		}
	}
	return &listing{d, rows("sketchdiff", []string{"relation", "group", "collocate", "hits_1", "hits_2", "logdice_1", "logdice_2"}, list, slices.Clone)}, nil
}

func thesaurus(ctx context.Context, c source, in *thesaurusInput) (*listing, error) {
	t, err := sketch.ThesaurusOf(ctx, c.Source, in.Word, sketch.ThesaurusConfig{Limit: in.most(), MinFreq: in.MinFreq, Cluster: in.Cluster})
	if err != nil {
		return nil, sketchError(err, c, in.of(), map[string]string{"word": in.Word})
	}
	t.Similar = slice(in.Page, t.Similar)
	return &listing{t, rows("thesaurus", []string{"word", "freq", "similarity", "cluster"}, t.Similar, func(w sketch.Similar) []any {
		return []any{w.Word, w.Freq, w.Score, int64(w.Cluster)}
	})}, nil
}
