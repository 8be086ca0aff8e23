package corpora

import (
	"cmp"
	"context"

	"chaffinch/corpus"
)

// Translations is a page of a list of translation candidates.
type Translations struct {
	*corpus.Translations
	First int `json:"first"`
}

type translationsInput struct {
	Asked
	Page
	Aligned       string  `query:"aligned" required:"true" doc:"Name of the aligned corpus, from aligned of the corpus."`
	Attr          string  `query:"attr" doc:"Attribute of the translations. Default: lemma, else the first token attribute of the aligned corpus."`
	Fold          bool    `query:"fold" doc:"Ignore case."`
	Words         bool    `query:"words" doc:"Exclude tokens without a letter."`
	MinHits       int64   `query:"min_hits" minimum:"0" default:"2" doc:"Minimum number of segments with the query and the word."`
	MinLikelihood float64 `query:"min_likelihood" minimum:"0" default:"10.83" doc:"Minimum log-likelihood, which excludes function words."`
}

func listTranslations(ctx context.Context, c *corpus.Corpus, in *translationsInput) (*listing, error) {
	t, err := c.Translations(ctx, in.Patt, corpus.TranslationConfig{
		Aligned: in.Aligned, Attr: in.Attr, Fold: in.Fold, Words: in.Words, MinHits: max(1, in.MinHits), MinLikelihood: cmp.Or(in.MinLikelihood, -1), Limit: in.most(),
	})
	if err != nil {
		return nil, unusable(in.Patt, err)
	}
	t.Rows = slice(in.Page, t.Rows)
	return &listing{Translations{t, in.First}, rows("translations", []string{"word", "hits", "freq", "logdice", "loglikelihood"}, t.Rows, func(r corpus.Translation) []any {
		return []any{r.Word, r.Hits, r.Freq, r.LogDice, r.LogLikelihood}
	})}, nil
}
