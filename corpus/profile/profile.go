// Package profile summarizes a word of a corpus on one screen: frequency and dispersion, word forms,
// frequency by year, register and site, word sketch, collocations, thesaurus and good examples.
// [Find] finds a word, and [Word.Profile] computes the parts of its profile. A part that the corpus
// cannot provide is left out with a reason.
//
// Unstable: this package may change in any release.
package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chaffinch/corpus"
	"chaffinch/corpus/gdex"
	"chaffinch/corpus/sketch"
)

// Parts are the parts of a profile, in the order in which they are shown.
var Parts = []string{"summary", "forms", "time", "register", "site", "sketch", "collocations", "thesaurus", "examples"}

// Config configures a profile.
type Config struct {
	// Parts are the parts to compute. Default: all.
	Parts []string
	// Time, Register and Site are attributes of structures. Default: the first one that the corpus has
	// of doc.year, doc.decade, doc.date; doc.register, doc.genre, doc.domain, doc.topic, doc.type;
	// doc.host, doc.site, doc.source, doc.author.
	Time, Register, Site string
	// Limit is the maximum number of rows of a list, or of collocates of a relation. Default: 10.
	// Times have no limit.
	Limit int
}

// defaults are the names of attributes of documents by part.
var defaults = map[string][]string{
	"time":     {"year", "decade", "date"},
	"register": {"register", "genre", "domain", "topic", "type"},
	"site":     {"host", "site", "source", "author"},
}

// Word is a word of a corpus.
type Word struct {
	// Word is the value of the attribute Attr, such as take-v of lempos. Also lists the values of the
	// same lemma with another part of speech, if the lemma was given.
	Word string   `json:"word"`
	Attr string   `json:"attr"`
	Also []string `json:"also,omitempty"`
	// Query finds the tokens of the word, in CQL.
	Query string `json:"query"`

	c    corpus.Source
	info corpus.Info
	fold bool
}

// Find finds a word: a lempos such as take-v, a lemma, or a form in any case.
func Find(ctx context.Context, c corpus.Source, word string) (*Word, error) {
	w := &Word{Word: word, c: c}
	var err error
	if w.info, err = c.Describe(ctx); err != nil {
		return nil, err
	}
	for _, name := range []string{"lempos", "lemma"} {
		if !slices.Contains(w.attrs(), name) || word == "" { // tokens without a lemma are no word
			continue
		}
		found, err := withValue(ctx, c, name, word)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			w.Word, w.Attr, w.Also, w.Query = found[0], name, found[1:], fmt.Sprintf("[%s==%s]", name, quote(found[0]))
			return w, nil
		}
	}
	w.Attr, w.fold = w.attrs()[0], true
	w.Query = fmt.Sprintf("[%s==%s%%c]", w.Attr, quote(word))
	if row, err := w.row(ctx, corpus.WordListConfig{}); err != nil || row != nil && word != "" {
		return w, err
	}
	return nil, &corpus.ConfigError{Field: "Word", Err: fmt.Errorf("no word %q: wanted a single word of the corpus, as a form, a lemma, or a lempos such as take-v", word)}
}

// attrs returns the names of the attributes of tokens.
func (w *Word) attrs() []string { return namesOf(w.info.Attributes) }

// attrsOf returns the names of the attributes of a structure; ok is false if the corpus has no such
// structure.
func (w *Word) attrsOf(structure string) (names []string, ok bool) {
	i := slices.IndexFunc(w.info.Structures, func(s corpus.StructureInfo) bool { return s.Name == structure })
	if i < 0 {
		return nil, false
	}
	return namesOf(w.info.Structures[i].Attributes), true
}

func namesOf(list []corpus.AttributeInfo) (names []string) {
	for _, a := range list {
		names = append(names, a.Name)
	}
	return names
}

// withValue returns the values of an attribute for a word, the most frequent first: the value itself,
// or each lempos of the lemma.
func withValue(ctx context.Context, c corpus.Source, attr, word string) (found []string, err error) {
	for _, w := range []string{word, strings.ToLower(word)} {
		values := []string{w}
		if attr == "lempos" {
			for letter := 'a'; letter <= 'z'; letter++ {
				values = append(values, w+"-"+string(letter))
			}
		}
		freqs, err := c.Frequencies(ctx, attr, values)
		if err != nil {
			return nil, err
		}
		if freqs[0] > 0 {
			return values[:1], nil
		}
		freq := map[string]int64{}
		for i, n := range freqs {
			if freq[values[i]] = n; n > 0 {
				found = append(found, values[i])
			}
		}
		if found != nil {
			slices.SortStableFunc(found, func(x, y string) int { return cmp.Compare(freq[y], freq[x]) })
			return found, nil
		}
	}
	return nil, nil
}

// quote returns a literal value of CQL.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// row returns the row of the word in a word list, or nil if the corpus lacks it.
func (w *Word) row(ctx context.Context, cfg corpus.WordListConfig) (*corpus.WordFreq, error) {
	cfg.Attr, cfg.Fold, cfg.Pattern, cfg.Limit = w.Attr, w.fold, regexp.QuoteMeta(w.Word), 1
	if w.fold {
		cfg.Pattern = "(?i:" + cfg.Pattern + ")"
	}
	l, err := w.c.WordList(ctx, cfg)
	if err != nil || len(l.Rows) == 0 {
		return nil, err
	}
	return &l.Rows[0], nil
}

// Profile is the profile of a word. Parts that were not requested or are missing are nil.
type Profile struct {
	Word
	Tokens       int64             `json:"tokens"` // of the corpus
	Summary      *corpus.WordFreq  `json:"summary,omitempty"`
	Forms        []Form            `json:"forms,omitempty"`
	Time         *Division         `json:"time,omitempty"`
	Register     *Division         `json:"register,omitempty"`
	Site         *Division         `json:"site,omitempty"`
	Sketch       *sketch.Sketch    `json:"sketch,omitempty"`
	Collocations []Collocation     `json:"collocations,omitempty"`
	Thesaurus    *sketch.Thesaurus `json:"thesaurus,omitempty"`
	Examples     []Example         `json:"examples,omitempty"`
	// Missing holds the reasons of requested parts that the corpus cannot provide.
	Missing map[string]string `json:"missing,omitempty"`
}

// Form is a form of the word.
type Form struct {
	Form  string  `json:"form"`
	Hits  int64   `json:"hits"`
	Share float64 `json:"share"`
}

// Collocation is a collocate of the word within five tokens.
type Collocation struct {
	Word    string  `json:"word"`
	Hits    int64   `json:"hits"`
	Freq    int64   `json:"freq"`
	LogDice float64 `json:"logdice"`
}

// Division is the frequency of the word by the values of an attribute.
type Division struct {
	By    string `json:"by"`
	Types int    `json:"types"` // values in the corpus
	Rows  []Part `json:"rows"`
}

// Part is the part of the corpus with a value. Relative is PerMillion divided by the frequency of the
// word in the corpus.
type Part struct {
	Value      string  `json:"value"`
	Tokens     int64   `json:"tokens"`
	Hits       int64   `json:"hits"`
	PerMillion float64 `json:"per_million"`
	Relative   float64 `json:"relative"`
}

// Example is a good example.
type Example struct {
	Left  string  `json:"left"`
	Match string  `json:"match"`
	Right string  `json:"right"`
	Score float64 `json:"score"`
	Ref   string  `json:"ref,omitempty"` // address, title or id of the document
}

// missing is the reason of a part that the corpus cannot provide.
type missing string

// Error returns the reason.
func (m missing) Error() string { return string(m) }

// Profile computes the parts of a profile.
func (w *Word) Profile(ctx context.Context, cfg Config) (*Profile, error) {
	cfg.Limit = cmp.Or(cfg.Limit, 10)
	if len(cfg.Parts) == 0 {
		cfg.Parts = Parts
	}
	p := &Profile{Word: *w, Tokens: w.c.Size()}
	for _, name := range cfg.Parts {
		if !slices.Contains(Parts, name) {
			return nil, &corpus.ConfigError{Field: "Parts", Err: fmt.Errorf("no part %q: have %s", name, strings.Join(Parts, ", "))}
		}
		err := p.add(ctx, name, cfg)
		if m := missing(""); errors.As(err, &m) {
			if p.Missing == nil {
				p.Missing = map[string]string{}
			}
			p.Missing[name] = string(m)
		} else if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add computes a part.
func (p *Profile) add(ctx context.Context, name string, cfg Config) (err error) {
	c := p.c
	switch name {
	case "summary":
		list := corpus.WordListConfig{ARF: true}
		if _, ok := p.attrsOf("doc"); ok {
			list.DocFreq, list.DP = true, "doc"
		}
		p.Summary, err = p.row(ctx, list)
	case "forms":
		f, err := c.Freqs(ctx, p.Query, corpus.FreqConfig{By: []string{p.attrs()[0]}, Limit: cfg.Limit})
		if err != nil {
			return err
		}
		p.Forms = []Form{}
		for _, r := range f.Rows {
			p.Forms = append(p.Forms, Form{r.Values[0], r.Hits, r.Share})
		}
	case "time":
		p.Time, err = p.division(ctx, name, cfg.Time, 0)
	case "register":
		p.Register, err = p.division(ctx, name, cfg.Register, cfg.Limit)
	case "site":
		p.Site, err = p.division(ctx, name, cfg.Site, cfg.Limit)
	case "sketch":
		p.Sketch, err = sketch.Of(ctx, c, p.Word.Word, sketch.Config{MinHits: sketch.DefaultConfig.MinHits, Limit: cfg.Limit})
		err = p.withoutSketches(ctx, err)
	case "thesaurus":
		t := sketch.DefaultThesaurus
		t.Limit = cfg.Limit
		p.Thesaurus, err = sketch.ThesaurusOf(ctx, c, p.Word.Word, t)
		err = p.withoutSketches(ctx, err)
	case "collocations":
		list := corpus.CollocationConfig{Attr: p.attrs()[0], Fold: true, Words: true, From: -5, To: 5, Limit: cfg.Limit}
		if slices.Contains(p.attrs(), "lemma") {
			list.Attr, list.Fold = "lemma", false
		}
		if _, ok := p.attrsOf("s"); ok {
			list.Within = "s"
		}
		k, err := c.Collocations(ctx, p.Query, list)
		if err != nil {
			return err
		}
		p.Collocations = []Collocation{}
		for _, r := range k.Rows {
			p.Collocations = append(p.Collocations, Collocation{r.Word, r.Hits, r.Freq, r.Scores[0]})
		}
	case "examples":
		p.Examples, err = p.examples(ctx, cfg.Limit)
	}
	return err
}

// withoutSketches returns the reason why there is no sketch of the word.
func (p *Profile) withoutSketches(ctx context.Context, err error) error {
	none := errors.Is(err, sketch.ErrNone)
	if shards, ok := p.c.(*corpus.Shards); ok && err != nil && !none {
		names, failed := sketch.RelationsOf(ctx, shards)
		none = failed == nil && len(names) == 0 // the error of a server has no type
	}
	switch {
	case none:
		return missing("the corpus has no word sketches: compute them with chaffinch corpus sketches")
	case errors.As(err, new(*sketch.UnknownWordError)):
		return missing(err.Error())
	}
	return err
}

// division counts the word by the attribute of a part. A limit of 0 means all times: values that begin
// with a digit, in their order.
func (p *Profile) division(ctx context.Context, name, by string, limit int) (*Division, error) {
	if by == "" {
		have, ok := p.attrsOf("doc")
		if !ok {
			return nil, missing("the corpus has no documents")
		}
		i := slices.IndexFunc(defaults[name], func(a string) bool { return slices.Contains(have, a) })
		if i < 0 {
			return nil, missing("documents have none of the attributes " + strings.Join(defaults[name], ", "))
		}
		by = "doc." + defaults[name][i]
	}
	parts, err := p.c.Breakdown(ctx, by)
	if err != nil {
		return nil, &corpus.ConfigError{Field: name, Err: fmt.Errorf("%s: %w", by, err)}
	}
	f, err := p.c.Freqs(ctx, p.Query, corpus.FreqConfig{By: []string{by}})
	if err != nil {
		return nil, err
	}
	hits := map[string]int64{}
	for _, r := range f.Rows {
		hits[r.Values[0]] = r.Hits
	}
	d := &Division{By: by, Types: len(parts), Rows: []Part{}}
	for _, x := range parts {
		if x.Tokens == 0 {
			continue
		}
		n := hits[x.Value]
		if limit == 0 && startsWithDigit(x.Value) || limit > 0 && n > 0 {
			y := corpus.PerMillion(n, x.Tokens)
			d.Rows = append(d.Rows, Part{x.Value, x.Tokens, n, y, y / max(corpus.PerMillion(f.Hits, f.Tokens), 1e-9)})
		}
	}
	slices.SortStableFunc(d.Rows, func(a, b Part) int {
		if limit == 0 {
			return strings.Compare(a.Value, b.Value)
		}
		return cmp.Compare(b.Hits, a.Hits)
	})
	if limit > 0 && len(d.Rows) > limit {
		d.Rows = d.Rows[:limit]
	}
	return d, nil
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// examples returns the best examples of the word.
func (p *Profile) examples(ctx context.Context, limit int) ([]Example, error) {
	if _, ok := p.attrsOf("s"); !ok {
		return nil, missing("the corpus has no sentences <s>")
	}
	cfg := corpus.DefaultConcordance
	cfg.View, cfg.Good, cfg.Limit, cfg.Seed = corpus.Sentence, gdex.Default(), limit, 1
	if have, ok := p.attrsOf("doc"); ok {
		for _, a := range []string{"url", "title", "id"} {
			if slices.Contains(have, a) {
				cfg.Refs = []string{"doc." + a}
				break
			}
		}
	}
	k, err := p.c.Search(ctx, p.Query, cfg)
	if err != nil {
		return nil, err
	}
	out := []Example{}
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return nil, err
		}
		e := Example{Left: l.Left, Match: l.Text, Right: l.Right, Score: l.Score}
		if len(l.Refs) > 0 {
			e.Ref = l.Refs[0]
		}
		out = append(out, e)
	}
	return out, nil
}
