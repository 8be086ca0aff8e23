package corpora

import (
	"cmp"
	"context"
	"strconv"

	"chaffinch/corpus"
)

// Trends is a page of a table of trends.
type Trends struct {
	*corpus.Trends
	First int `json:"first"`
}

type trendsInput struct {
	Of
	Page
	By      string  `query:"by" default:"doc.year" doc:"Attribute with the time. Values count by the number at their start: 2019-05-31 is 2019."`
	Attr    string  `query:"attr" doc:"Attribute of tokens, such as lemma. Default: the first."`
	Fold    bool    `query:"fold" doc:"Ignore case."`
	Pattern string  `query:"pattern" doc:"Regular expression that must match the whole word."`
	Words   bool    `query:"words" doc:"Exclude tokens without a letter."`
	MinFreq int64   `query:"min_freq" minimum:"1" default:"20" doc:"Minimum frequency in all epochs."`
	MaxQ    float64 `query:"max_q" exclusiveMinimum:"0" maximum:"1" default:"1" doc:"Maximum q-value: the share of chance findings among the listed words."`
	Sort    string  `query:"sort" enum:"p,change,slope,word" default:"p" doc:"Order: p-value, relative change, slope, or word."`
}

// listTrends lists words whose frequency changes over time.
func listTrends(ctx context.Context, c source, in *trendsInput) (*listing, error) {
	t, err := c.Trends(ctx, corpus.TrendConfig{By: in.By, Attr: in.Attr, Fold: in.Fold, Pattern: in.Pattern, Words: in.Words, MinFreq: in.MinFreq, MaxQ: in.MaxQ, Sort: in.Sort, Limit: in.most()})
	if err != nil {
		return nil, failed("", badSetting(err, map[string]string{"By": "by"}), c.Source)
	}
	t.Rows = slice(in.Page, t.Rows)
	columns := []string{"word", "freq", "slope", "change", "p", "q"}
	for _, e := range t.Epochs {
		columns = append(columns, strconv.FormatFloat(e.Time, 'f', -1, 64))
	}
	return &listing{Trends{t, in.First}, rows("trends", columns, t.Rows, func(r corpus.Trend) []any {
		row := []any{r.Word, r.Freq, r.Slope, r.Change, r.P, r.Q}
		for _, y := range r.PerMillion {
			row = append(row, y)
		}
		return row
	})}, nil
}

// Terms is a page of a table of terms.
type Terms struct {
	*corpus.Terms
	First int `json:"first"`
}

type termsInput struct {
	Of
	Page
	Against   string  `query:"against" doc:"Name of the reference corpus, also with parts of speech. Default: none; every term then has the frequency 0 there, so the order follows the frequency."`
	RefFilter string  `query:"refilter" doc:"Condition that selects a part of the reference. Without against, the reference is this part of the corpus itself."`
	Attr      string  `query:"attr" doc:"Attribute of the words. Default: lemma, else the first."`
	Fold      bool    `query:"fold" doc:"Ignore case."`
	Tag       string  `query:"tag" doc:"Attribute with universal parts of speech. Default: pos, else upos."`
	MinTokens int     `query:"min_tokens" minimum:"1" maximum:"6" default:"1" doc:"Minimum length in tokens; 2 for multiword terms only."`
	MaxTokens int     `query:"max_tokens" minimum:"1" maximum:"6" default:"4" doc:"Maximum length in tokens."`
	Within    string  `query:"within" doc:"Structure whose boundaries terms do not cross; - for none. Default: s, else p, else doc."`
	MinFreq   int64   `query:"min_freq" minimum:"1" default:"3" doc:"Minimum frequency in the corpus."`
	Smoothing float64 `query:"smoothing" exclusiveMinimum:"0" default:"1" doc:"Smoothing of the score, in hits per million: 1 favours rare terms, 100 common ones."`
}

// terms lists the terms of a corpus.
func (a *api) terms(ctx context.Context, c source, in *termsInput) (*listing, error) {
	var reference corpus.Source
	if in.Against != "" || in.RefFilter != "" {
		r, back, err := a.reference(ctx, in.Of, Of{Corpus: cmp.Or(in.Against, in.Corpus), Filter: in.RefFilter}, "against")
		if err != nil {
			return nil, err
		}
		defer back()
		reference = r
	}
	t, err := corpus.FindTermsIn(ctx, c.Source, reference, corpus.TermConfig{Attr: in.Attr, Fold: in.Fold, Tag: in.Tag, MinTokens: in.MinTokens, MaxTokens: in.MaxTokens,
		Within: in.Within, MinFreq: in.MinFreq, Smoothing: in.Smoothing, Limit: in.most()})
	if err != nil {
		return nil, failed("", badSetting(err, map[string]string{"MaxTokens": "max_tokens"}), c.Source, reference)
	}
	t.Rows = slice(in.Page, t.Rows)
	return &listing{Terms{t, in.First}, rows("terms", []string{"term", "freq", "ref_freq", "per_million", "ref_per_million", "score"}, t.Rows, func(r corpus.Term) []any {
		return []any{r.Term, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion, r.Score}
	})}, nil
}
