package corpora

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/corpus"
	"chaffinch/model/data/frequencies"
	"chaffinch/serve/problem"
	"chaffinch/serve/table"
)

// rows returns a table of rows that are there.
func rows[T any](name string, columns []string, list []T, row func(T) []any) table.Table {
	return table.Table{Name: name, Columns: columns, Rows: func(yield func([]any, error) bool) {
		for _, r := range list {
			if !yield(row(r), nil) {
				return
			}
		}
	}}
}

// Freqs is a page of a frequency distribution.
type Freqs struct {
	*corpus.Freqs
	First int `json:"first"`
}

type freqInput struct {
	Asked
	Page
	Group   []string `query:"group" required:"true" doc:"Group matches by: word (whole match), word@-1 (token left of the match), word@1 (token right of it), doc.lang (attribute of a structure)."`
	Sort    string   `query:"sort" enum:"freq,word,relative" default:"freq" doc:"Order; relative: by hits per million tokens of the part, for one attribute of a structure."`
	Fold    bool     `query:"fold" doc:"Ignore case."`
	MinHits int64    `query:"min_hits" minimum:"0" doc:"Minimum number of hits of a row."`
}

func listFreqs(ctx context.Context, c source, in *freqInput) (*listing, error) {
	f, err := c.Freqs(ctx, in.Patt, in.config())
	if err != nil {
		return nil, failed(in.Patt, err, c.Source)
	}
	return in.list(f), nil
}

// config returns the settings of the distribution.
func (in *freqInput) config() corpus.FreqConfig {
	return corpus.FreqConfig{By: in.Group, Fold: in.Fold, MinHits: in.MinHits, Sort: in.Sort, Limit: in.most()}
}

// list returns a page of a distribution.
func (in *freqInput) list(f *corpus.Freqs) *listing {
	f.Rows = slice(in.Page, f.Rows)
	columns := append(slices.Clone(f.By), "hits", "share", "per_million")
	if f.Parts {
		columns = append(columns, "part_tokens", "part_per_million", "relative")
	}
	return &listing{Freqs{f, in.First}, rows("freq", columns, f.Rows, func(r corpus.FreqRow) (row []any) {
		for _, v := range r.Values {
			row = append(row, v)
		}
		row = append(row, r.Hits, r.Share, r.PerMillion)
		if f.Parts {
			row = append(row, r.PartTokens, r.PartPerMillion, r.Relative)
		}
		return row
	})}
}

// unusable returns the problem of a query, or of the parameter for a field of a
// configuration, that corpus cannot use.
func unusable(patt string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.As(err, new(*corpus.SyntaxError)) {
		return syntax("patt", patt, err)
	}
	return badSetting(err, map[string]string{"By": "group", "Sample": "samplenum"})
}

// badSetting returns the problem of a parameter whose value a configuration rejects. names holds
// parameters whose names differ from their fields.
func badSetting(err error, names map[string]string) error {
	c := (*corpus.ConfigError)(nil)
	if !errors.As(err, &c) {
		return err
	}
	return problem.Parameter(cmp.Or(names[c.Field], strings.ToLower(c.Field)), nil, err)
}

// Words is a page of a word list.
type Words struct {
	*corpus.WordList
	First int `json:"first"`
}

// WordSettings holds the settings of a list of words or n-grams.
type WordSettings struct {
	Attr    string `query:"attr" doc:"Attribute of tokens. Default: the first."`
	N       int    `query:"n" minimum:"1" maximum:"6" default:"1" doc:"Length of the sequences in tokens."`
	Pattern string `query:"pattern" doc:"Regular expression that must match the whole word."`
	Fold    bool   `query:"fold" doc:"Ignore case."`
	Words   bool   `query:"words" doc:"Exclude tokens without a letter."`
	MinFreq int64  `query:"min_freq" minimum:"0" doc:"Minimum frequency."`
	MaxFreq int64  `query:"max_freq" minimum:"0" doc:"Maximum frequency; 0: no limit."`
}

type wordsInput struct {
	Of
	Page
	WordSettings
	DocFreq bool   `query:"docf" doc:"Add the document frequency."`
	ARF     bool   `query:"arf" doc:"Add the average reduced frequency and the average logarithmic distance frequency."`
	DP      string `query:"dp" doc:"Add the deviation of proportions (DP and DPnorm) over parts of the corpus: a structure, such as doc, or an attribute, such as doc.host."`
	Sort    string `query:"sort" enum:"freq,docf,arf,aldf,dp,word" default:"freq" doc:"Order: frequency, document frequency, average reduced frequency, average logarithmic distance frequency, DPnorm (even spread first), or word."`
}

func listWords(ctx context.Context, c source, in *wordsInput) (*listing, error) {
	w, err := c.WordList(ctx, in.config())
	if err != nil {
		return nil, failed("", err, c.Source)
	}
	return in.list(w), nil
}

// config returns the settings of the word list.
func (in *wordsInput) config() corpus.WordListConfig {
	return corpus.WordListConfig{Attr: in.Attr, Fold: in.Fold, Pattern: in.Pattern, Words: in.Words, MinFreq: in.MinFreq, MaxFreq: in.MaxFreq,
		NGram: in.N, DocFreq: in.DocFreq || in.Sort == "docf", ARF: in.ARF || in.Sort == "arf" || in.Sort == "aldf", DP: in.DP, Sort: in.Sort, Limit: in.most()}
}

// list returns a page of a word list.
func (in *wordsInput) list(w *corpus.WordList) *listing {
	w.Rows = slice(in.Page, w.Rows)
	cfg, columns := in.config(), []string{"word", "freq", "per_million"}
	dp := cfg.DP != "" || cfg.Sort == "dp"
	if cfg.DocFreq {
		columns = append(columns, "docf")
	}
	if cfg.ARF {
		columns = append(columns, "arf", "aldf")
	}
	if dp {
		columns = append(columns, "dp", "dpnorm")
	}
	return &listing{Words{w, in.First}, rows("words", columns, w.Rows, func(r corpus.WordFreq) []any {
		row := []any{r.Word, r.Freq, r.PerMillion}
		if cfg.DocFreq {
			row = append(row, r.DocFreq)
		}
		if cfg.ARF {
			row = append(row, r.ARF, r.ALDF)
		}
		if dp {
			row = append(row, *r.DP, *r.DPNorm)
		}
		return row
	})}
}

// Collocations is a page of a table of collocations.
type Collocations struct {
	*corpus.Collocations
	First int `json:"first"`
}

// Collocate describes the JSON of a [corpus.Collocate].
type Collocate struct {
	Word   string             `json:"word"`
	Hits   int64              `json:"hits" doc:"Matches with the collocate."`
	Freq   int64              `json:"freq" doc:"Frequency of the collocate in the corpus."`
	Scores map[string]float64 `json:"scores" doc:"Scores by measure, as in /v1/about."`
}

type collocationsInput struct {
	Asked
	Page
	Attr    string `query:"attr" doc:"Attribute of the collocates. Default: the first token attribute."`
	Fold    bool   `query:"fold" doc:"Ignore case."`
	Words   bool   `query:"words" doc:"Exclude collocates without a letter."`
	From    int    `query:"from" minimum:"-100" maximum:"100" default:"-5" doc:"First token of the window; negative: left of the match."`
	To      int    `query:"to" minimum:"-100" maximum:"100" default:"5" doc:"Last token of the window; positive: right of the match."`
	Within  string `query:"within" doc:"Structure, such as s, at whose boundaries the window ends."`
	MinHits int64  `query:"min_hits" minimum:"0" default:"3" doc:"Minimum number of matches with the collocate."`
	MinFreq int64  `query:"min_freq" minimum:"0" default:"5" doc:"Minimum frequency of the collocate in the corpus."`
	Sort    string `query:"sort" default:"logdice" doc:"Association measure, one of /v1/about."`
}

func listCollocations(ctx context.Context, c source, in *collocationsInput) (*listing, error) {
	if in.From == 0 && in.To == 0 {
		return nil, problem.Parameter("to", 0, errors.New("from and to: 0 and 0, wanted a window with tokens beside the match"))
	}
	k, err := c.Collocations(ctx, in.Patt, in.config())
	if err != nil {
		return nil, failed(in.Patt, err, c.Source)
	}
	return in.list(k), nil
}

// config returns the settings of the table.
func (in *collocationsInput) config() corpus.CollocationConfig {
	return corpus.CollocationConfig{Attr: in.Attr, Fold: in.Fold, Words: in.Words, From: in.From, To: in.To, Within: in.Within,
		MinHits: max(in.MinHits, 1), MinFreq: max(in.MinFreq, 1), Sort: in.Sort, Limit: in.most()} // 0 would be the default
}

// list returns a page of a table of collocations.
func (in *collocationsInput) list(k *corpus.Collocations) *listing {
	k.Rows = slice(in.Page, k.Rows)
	columns := []string{"word", "hits", "freq"}
	var scores []int // hits and freq are measures too, to sort by: they have their columns
	for i, m := range corpus.Measures {
		if !slices.Contains(columns, m.Key) {
			columns, scores = append(columns, m.Key), append(scores, i)
		}
	}
	return &listing{Collocations{k, in.First}, rows("collocations", columns, k.Rows, func(r corpus.Collocate) []any {
		row := []any{r.Word, r.Hits, r.Freq}
		for _, i := range scores {
			row = append(row, r.Scores[i])
		}
		return row
	})}
}

// Keywords is a page of a table of keywords.
type Keywords struct {
	*corpus.Keywords
	First int `json:"first"`
}

// Keyword describes the JSON of a [corpus.Keyword].
type Keyword struct {
	Word          string             `json:"word"`
	Freq          int64              `json:"freq"`
	RefFreq       int64              `json:"ref_freq" doc:"Frequency in the reference."`
	PerMillion    float64            `json:"per_million"`
	RefPerMillion float64            `json:"ref_per_million"`
	Scores        map[string]float64 `json:"scores" doc:"Scores by measure, as in /v1/about."`
}

type keywordsInput struct {
	Of
	Page
	WordSettings
	Reference string  `query:"reference" doc:"Name of the reference corpus. Default: the corpus itself."`
	List      string  `query:"frequency_list" doc:"Compare with a built-in frequency list instead of a corpus: its language, one of frequency_lists of /v1/about. Case and tokens without a letter are ignored; n is 1."`
	RefFilter string  `query:"refilter" doc:"Condition that selects a part of the reference."`
	RefSub    string  `query:"resubcorpus" doc:"Subcorpus of the reference in the workspace of the user."`
	Smoothing float64 `query:"smoothing" exclusiveMinimum:"0" default:"1" doc:"Smoothing of the simple measure: a larger value favours frequent words."`
	Sort      string  `query:"sort" default:"simple" doc:"Keyness measure, one of /v1/about."`
}

// reference returns the reference corpus of a list; done gives it back. name is the parameter with its name.
func (a *api) reference(ctx context.Context, focus, ref Of, name string) (c corpus.Source, done func(), err error) {
	if names := a.set.Names(ctx); !slices.Contains(names, ref.Corpus) {
		return nil, nil, problem.Parameter(name, ref.Corpus, fmt.Errorf("%q: wanted one of %s", ref.Corpus, strings.Join(names, ", ")))
	}
	if ref == focus {
		return nil, nil, problem.Parameter(name, ref.Corpus, errors.New("same corpus: name another corpus, or a part with filter or refilter"))
	}
	s, done, err := a.open(ctx, ref, "refilter")
	return s.Source, done, err
}

func (a *api) keywords(ctx context.Context, c source, in *keywordsInput) (*listing, error) {
	if in.List != "" {
		return in.against(ctx, c)
	}
	r, back, err := a.reference(ctx, in.Of, Of{Corpus: cmp.Or(in.Reference, in.Corpus), Filter: in.RefFilter, Sub: in.RefSub}, "reference")
	if err != nil {
		return nil, err
	}
	defer back()
	k, err := corpus.FindKeywordsIn(ctx, c.Source, r, in.config())
	if err != nil {
		return nil, failed("", err, c.Source, r)
	}
	return in.list(k), nil
}

// against returns the keywords against a frequency list.
func (in *keywordsInput) against(ctx context.Context, c source) (*listing, error) {
	if in.Reference != "" || in.RefFilter != "" || in.RefSub != "" {
		return nil, problem.Parameter("frequency_list", in.List, errors.New("the list is the reference: leave out reference, refilter and resubcorpus"))
	}
	list, err := frequencies.PerMillion(in.List)
	if err != nil {
		return nil, problem.Parameter("frequency_list", in.List, err)
	}
	k, err := corpus.FindKeywordsAgainst(ctx, c.Source, list, in.config())
	if err != nil {
		return nil, failed("", badSetting(err, map[string]string{"NGram": "n"}), c.Source)
	}
	return in.list(k), nil
}

// config returns the settings of the table.
func (in *keywordsInput) config() corpus.KeywordConfig {
	return corpus.KeywordConfig{Attr: in.Attr, Fold: in.Fold, Pattern: in.Pattern, Words: in.Words, NGram: in.N,
		MinFreq: in.MinFreq, MaxFreq: in.MaxFreq, Smoothing: in.Smoothing, Sort: in.Sort, Limit: in.most()}
}

// list returns a page of a table of keywords.
func (in *keywordsInput) list(k *corpus.Keywords) *listing {
	k.Rows = slice(in.Page, k.Rows)
	columns := []string{"word", "freq", "ref_freq", "per_million", "ref_per_million"}
	for _, m := range corpus.KeynessMeasures {
		columns = append(columns, m.Key)
	}
	return &listing{Keywords{k, in.First}, rows("keywords", columns, k.Rows, func(r corpus.Keyword) []any {
		row := []any{r.Word, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion}
		for _, s := range r.Scores {
			row = append(row, s)
		}
		return row
	})}
}
