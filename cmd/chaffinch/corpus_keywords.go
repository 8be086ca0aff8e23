package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/corpus"
	"chaffinch/model/data/frequencies"
)

type corpusKeywordsCmd struct {
	Focus     string `arg:"" help:"Folder of the index of the focus corpus, or file NAME.shards that lists shards."`
	Reference string `arg:"" optional:"" help:"Folder of the index of the reference corpus, or a list of shards; none with --reference or --by."`

	listFlags
	partFlags
	List      string  `name:"reference" placeholder:"LANG" help:"Compare with general language: the built-in frequency list of a language (${frequencies}), 10,000 words. Case and tokens without a letter are ignored."`
	By        string  `placeholder:"STRUCT.ATTR" help:"Compare each part of one corpus with the rest, by an attribute such as doc.register: keywords of each value. Values separated by | count as several. --limit is the number of keywords of each."`
	RefWhere  string  `name:"reference-where" placeholder:"CONDITION" help:"Condition for the reference corpus, which may be another part of the same index."`
	Attr      string  `short:"a" placeholder:"NAME" help:"Attribute of tokens. Default: the first one of the index."`
	Fold      bool    `short:"i" help:"Ignore case."`
	Pattern   string  `short:"p" placeholder:"REGEX" help:"Only words that match the whole expression."`
	Words     bool    `short:"w" help:"Only tokens with a letter (no numbers or punctuation)."`
	NGram     int     `name:"ngram" short:"N" default:"1" placeholder:"N" help:"Length of n-grams in tokens, 1 to 6. Default: ${default}."`
	Within    string  `placeholder:"NAME" help:"Structure whose boundaries n-grams do not cross; - for none. Default: s, else p, else doc."`
	MinFreq   int64   `was:"min" default:"1" placeholder:"N" help:"Minimum frequency in the focus corpus. Default: ${default}."`
	MaxFreq   int64   `was:"max" placeholder:"N" help:"Maximum frequency in the focus corpus."`
	Smoothing float64 `range:"(0,)" default:"1" placeholder:"N" help:"Smoothing parameter n of simple maths, in hits per million: 1 favours rare words, 100 common ones. Default: ${default}."`
	Sort      string  `default:"simple" enum:"simple,logl,chi2,din" help:"Measure to sort by: ${enum}. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusKeywordsCmd) Help() string {
	return `Lists words that are more frequent in one corpus than in another, or in each part of a corpus than in the rest.

Examples:
  chaffinch corpus keywords blogs-idx news-idx -w -i
  chaffinch corpus keywords blogs-idx news-idx --smoothing 100 --sort logl
  chaffinch corpus keywords blogs-idx news-idx --ngram 2 -w -i --min-freq 10
  chaffinch corpus keywords blogs-idx news-idx -w -i -f html >keywords.html
  chaffinch corpus keywords idx idx --where 'doc.year>=2020' --reference-where 'doc.year<2020' -w
  chaffinch corpus keywords blogs-idx --reference en
  chaffinch corpus keywords idx --by doc.register -w -n 10

Simple maths is (hits per million in the focus + n) / (hits per million in the reference + n): the ratio of frequencies, smoothed. Log-likelihood and chi-squared measure the significance of the difference; they are negative for words that the reference uses more. With --reference, a word outside the list counts as often as the rarest word of the list, so its score is a lower bound.`
}

// keywordsVars holds the variables in the help of the flags.
var keywordsVars = kong.Vars{"frequencies": strings.Join(frequencies.Languages(), ", ")}

// Run prints the table.
func (c *corpusKeywordsCmd) Run(ctx context.Context, con *console) error {
	switch given := c.Reference != "" || c.List != ""; {
	case c.By == "" && !given:
		return errors.New("corpus keywords: no reference corpus: give its index, --reference LANG for general language, or --by")
	case c.By != "" && (given || c.RefWhere != ""):
		return errors.New("--by compares the parts of one corpus: leave out REFERENCE, --reference and --reference-where")
	case c.List != "" && (c.Reference != "" || c.RefWhere != ""):
		return fmt.Errorf("--reference %s compares with a built-in list: leave out REFERENCE and --reference-where", c.List)
	}
	focus, shut, err := c.source(ctx, c.Focus)
	if err != nil {
		return err
	}
	defer shut()
	if c.By != "" {
		return c.byParts(ctx, con, focus)
	}
	k, against, err := c.find(ctx, focus)
	if err != nil {
		return err
	}
	l := &list{head: []string{"word", "freq", "reference", "per million", "per million there"}}
	about := inTokens(focus)
	if c.List != "" { // which has no other tokens
		about = count(k.Tokens, "word") + " in " + about
	}
	l.about = fmt.Sprintf("%s against %s; %s different", about, against, number(k.Types))
	for _, m := range corpus.KeynessMeasures {
		if c.Format == "tsv" {
			l.head = append(l.head, m.Key)
		} else {
			l.head = append(l.head, m.Name)
		}
	}
	for _, r := range k.Rows {
		row := []any{r.Word, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion}
		for _, s := range r.Scores {
			row = append(row, s)
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "keywords", Title: filepath.Base(c.Focus) + " against " + cmp.Or(c.List, filepath.Base(c.Reference)), Bar: 5 + k.Sort, Pictures: k.Pictures()}
	return c.write(con.out, l, k)
}

// find returns the keywords, and the reference for the line above them.
func (c *corpusKeywordsCmd) find(ctx context.Context, focus corpus.Source) (k *corpus.Keywords, against string, err error) {
	if c.List != "" {
		list, err := frequencies.PerMillion(c.List)
		if err != nil {
			return nil, "", fmt.Errorf("--reference: %w", err)
		}
		k, err := corpus.FindKeywordsAgainst(ctx, focus, list, c.config())
		return k, fmt.Sprintf("the frequency list %s (%s)", c.List, count(int64(len(list)), "word")), err
	}
	reference, shut, err := partFlags{c.RefWhere}.source(ctx, c.Reference)
	if err != nil {
		return nil, "", err
	}
	defer shut()
	k, err = corpus.FindKeywordsIn(ctx, focus, reference, c.config())
	return k, inTokens(reference), err
}

func (c *corpusKeywordsCmd) config() corpus.KeywordConfig {
	return corpus.KeywordConfig{
		Attr: c.Attr, Fold: c.Fold, Pattern: c.Pattern, Words: c.Words, NGram: c.NGram, Within: c.Within,
		MinFreq: c.MinFreq, MaxFreq: c.MaxFreq, Smoothing: c.Smoothing, Sort: c.Sort, Limit: c.Limit,
	}
}

// byParts prints the keywords of each part.
func (c *corpusKeywordsCmd) byParts(ctx context.Context, con *console, focus corpus.Source) error {
	parts, err := corpus.FindKeywordsBy(ctx, focus, c.By, 0, c.config())
	if err != nil {
		return err
	}
	l := &list{head: []string{c.By, "word", "freq", "rest", "per million", "per million there"}}
	l.about = fmt.Sprintf("%s by %s: %s", inTokens(focus), c.By, count(int64(len(parts)), "part"))
	measure := 0
	for _, p := range parts {
		measure = p.Sort
		for _, r := range p.Rows {
			l.rows = append(l.rows, []any{p.Value, r.Word, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion, r.Scores[p.Sort]})
		}
	}
	name := corpus.KeynessMeasures[measure].Name
	if c.Format == "tsv" {
		name = corpus.KeynessMeasures[measure].Key
	}
	l.head = append(l.head, name)
	l.view = corpus.ListView{Kind: "keywords", Title: filepath.Base(c.Focus) + " by " + c.By, Bar: len(l.head) - 1}
	return c.write(con.out, l, parts)
}
