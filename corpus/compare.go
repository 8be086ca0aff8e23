package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/report"
)

// CompareConfig configures the comparison of a corpus with its cleaned version.
// The zero value compares all aspects.
type CompareConfig struct {
	// Attr is the attribute of tokens. Default: the default attribute. Case
	// distinguishes words that differ only in case.
	Attr string
	Case bool
	// Doc is the document structure. Default: doc. DocKey is the attribute that
	// identifies a document in both corpora. Default: id, else url.
	Doc, DocKey string
	// Phrases are tokens separated by spaces. Queries are additional phrases in CQL.
	// Default: the phrases that changed most.
	Phrases, Queries []string
	// Collocates are words and CollocateQueries are queries in CQL whose collocates
	// are compared. Default: two words that changed.
	Collocates, CollocateQueries []string
	// From and To bound the window. Default, if both are zero: 1 to 5, right of
	// the hit, where objects of verbs occur in many languages. Within is the
	// structure that bounds the window. Default: s if both corpora have it; "-"
	// means no structure.
	From, To int
	Within   string
	// Measure is the key in Measures that sorts collocates. Default: logdice.
	Measure string
	// By lists attributes of structures that divide the corpora. Default:
	// attributes with few values, and the hosts.
	By []string
	// Smoothing is n of the keyness measure. Default: 10. MinFreq is the minimum
	// frequency of a keyword. Default: 5. NGram is the longest n-gram among the
	// keywords. Default: 2.
	Smoothing float64
	MinFreq   int64
	NGram     int
	// MinDocs is the minimum number of documents of BEFORE that contain a keyword.
	// It excludes words repeated by a single site. Default: 5, or less in a corpus
	// with fewer than 80 documents.
	MinDocs int64
	// Rows is the maximum number of rows of a table. Default: 30.
	Rows int
}

// Side describes one of the two compared corpora.
type Side struct {
	Name      string `json:"name"`
	Documents int64  `json:"documents"`
	Tokens    int64  `json:"tokens"`
	Types     int64  `json:"types"` // distinct values of the attribute
}

// PhraseChange holds the hits of a phrase before and after.
type PhraseChange struct {
	Phrase           string  `json:"phrase"`
	CQL              string  `json:"cql"`
	Before           int64   `json:"before"` // hits
	After            int64   `json:"after"`
	BeforePerMillion float64 `json:"before_per_million"`
	AfterPerMillion  float64 `json:"after_per_million"`
	// Kept is the share of the hits that remain, 0 if there were none.
	Kept float64 `json:"kept"`
}

// RankedCollocate is a collocate with its ranks on both sides. A rank of 0 means
// that the rank is below the ranked collocates.
type RankedCollocate struct {
	Word       string  `json:"word"`
	Rank       int     `json:"rank"`
	OtherRank  int     `json:"other_rank"`
	Hits       int64   `json:"hits"`
	Score      float64 `json:"score"`
	OtherScore float64 `json:"other_score"`
}

// CollocateChange holds the collocates of a query before and after.
type CollocateChange struct {
	Query      string            `json:"query"`
	CQL        string            `json:"cql"`
	BeforeHits int64             `json:"before_hits"`
	AfterHits  int64             `json:"after_hits"`
	Before     []RankedCollocate `json:"before"`
	After      []RankedCollocate `json:"after"`
}

// PartChange holds the sizes of a part of the corpora before and after.
type PartChange struct {
	Value  string    `json:"value"`
	Before ValueSize `json:"before"`
	After  ValueSize `json:"after"`
	Kept   float64   `json:"kept"` // share of the tokens
}

// BreakdownChange divides both corpora by an attribute. The values that lost most
// tokens come first.
type BreakdownChange struct {
	Attr   string       `json:"attr"`
	Values int          `json:"values"` // total number of values
	Rows   []PartChange `json:"rows"`
}

// WordChange is a word with its hits per million on both sides.
type WordChange struct {
	Word   string  `json:"word"`
	Before float64 `json:"before_per_million"`
	After  float64 `json:"after_per_million"`
	// Kept is the share of the hits that remain.
	Kept float64 `json:"kept"`
}

// Comparison describes the effect of a cleaning step on a corpus.
type Comparison struct {
	Before Side     `json:"before"`
	After  Side     `json:"after"`
	Attr   string   `json:"attribute"`
	Where  string   `json:"where,omitempty"` // the condition of the compared parts
	Notes  []string `json:"notes,omitempty"` // limitations that affect the figures

	Phrases []PhraseChange `json:"phrases"`
	// PhrasesChosen indicates that the phrases were chosen automatically.
	// CollocatesChosen does the same for the collocates.
	PhrasesChosen    bool              `json:"phrases_chosen"`
	Collocates       []CollocateChange `json:"collocates"`
	CollocatesChosen bool              `json:"collocates_chosen"`
	From             int               `json:"from"` // the window
	To               int               `json:"to"`
	Within           string            `json:"within"`  // its border
	Measure          string            `json:"measure"` // key of the measure that ranks

	// Removed holds the keywords of the removed text against the kept text, by
	// length of the n-gram. Kept holds the keywords of the kept text against the
	// removed text.
	Removed    []*Keywords       `json:"removed"`
	Kept       []*Keywords       `json:"kept"`
	Breakdowns []BreakdownChange `json:"breakdowns"`
	Documents  *DocumentChange   `json:"documents,omitempty"` // nil if documents cannot be matched
	Words      []WordChange      `json:"words"`               // the most frequent words and the words that changed most
}

// KeptTokens returns the share of the tokens that remain.
func (c *Comparison) KeptTokens() float64 { return report.Share(c.After.Tokens, c.Before.Tokens) }

// KeptDocuments returns the share of the documents that remain.
func (c *Comparison) KeptDocuments() float64 {
	return report.Share(c.After.Documents, c.Before.Documents)
}

// KeptTypes returns the share of the distinct words that remain.
func (c *Comparison) KeptTypes() float64 { return report.Share(c.After.Types, c.Before.Types) }

// Compare measures the effect of a cleaning step on a corpus: sizes, phrases,
// collocates, keywords of the removed text, and parts. after should be a subset of
// before; otherwise the notes mention it. Both may be parts of corpora with the
// same condition.
func Compare(ctx context.Context, before, after *Corpus, cfg CompareConfig) (*Comparison, error) {
	if before.Size() == 0 {
		return nil, errors.New("the corpus before has no tokens: nothing can be removed from it")
	}
	x := &comparer{before: before, after: after, cfg: cfg}
	if err := x.choose(); err != nil {
		return nil, err
	}
	x.cfg.Rows = cmp.Or(cfg.Rows, 30)
	if cfg.From == 0 && cfg.To == 0 {
		x.cfg.From, x.cfg.To = 1, 5
	}
	x.out = &Comparison{Attr: x.shown, From: x.cfg.From, To: x.cfg.To}
	for _, step := range []func(context.Context) error{x.sizes, x.join, x.words, x.phrases, x.collocates, x.breakdowns, x.documents} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return x.out, nil
}

// comparer makes a Comparison.
type comparer struct {
	before, after *Corpus
	cfg           CompareConfig
	attr, shown   string // the attribute, and its display name
	fold, lower   bool   // fold: values are folded; lower: the attribute has lower case only
	out           *Comparison
	companions    []keyed // words whose collocates may have changed
	vocabulary    *vocabulary
	ids           func(uint32) []uint32 // values of BEFORE of a key
	joined        *joined               // nil if documents cannot be matched
}

// choose selects the attribute. If case does not matter and both corpora have the
// attribute in lower case, it selects that attribute.
func (x *comparer) choose() error {
	a, err := x.before.Attr(x.cfg.Attr)
	if err != nil {
		return err
	}
	x.attr, x.shown, x.fold = a.Name(), a.Name(), !x.cfg.Case
	def, err := x.before.Attr("")
	if err != nil {
		return err
	}
	if b, c := x.before.Folded(), x.after.Folded(); !x.cfg.Case && a == def && b != def && b.Name() == c.Name() {
		x.attr, x.fold, x.lower = b.Name(), false, true
	}
	return nil
}

func (x *comparer) note(format string, args ...any) {
	x.out.Notes = append(x.out.Notes, fmt.Sprintf(format, args...))
}

func (x *comparer) sizes(context.Context) error {
	for _, s := range []struct {
		c    *Corpus
		side *Side
	}{{x.before, &x.out.Before}, {x.after, &x.out.After}} {
		a, err := s.c.Attr(x.attr)
		if err != nil {
			return err
		}
		s.side.Tokens, s.side.Types = s.c.Size(), s.c.types(a)
		if doc := x.doc(); slices.Contains(s.c.Structs(), doc) {
			d, err := s.c.Struct(doc)
			if err != nil {
				return err
			}
			for _, n := range s.c.sizes(d) {
				if n >= 0 {
					s.side.Documents++
				}
			}
		}
	}
	x.out.Where = x.before.Condition()
	if x.out.After.Tokens > x.out.Before.Tokens {
		x.note("AFTER has more tokens than BEFORE: are they in the right order?")
	}
	return nil
}

// phrases counts the requested or chosen phrases.
func (x *comparer) phrases(ctx context.Context) error {
	list, err := x.asked(x.cfg.Phrases, x.cfg.Queries)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		list, x.out.PhrasesChosen = x.phrasesFound(), true
	}
	for _, p := range list {
		row := PhraseChange{Phrase: p.name, CQL: p.cql}
		if row.Before, err = hits(ctx, x.before, p.cql); err != nil {
			return fmt.Errorf("phrase %q: %w", p.name, err)
		}
		if row.After, err = hits(ctx, x.after, p.cql); err != nil {
			return fmt.Errorf("phrase %q: %w", p.name, err)
		}
		row.BeforePerMillion = PerMillion(row.Before, x.before.Size())
		row.AfterPerMillion = PerMillion(row.After, x.after.Size())
		row.Kept = report.Share(row.After, row.Before)
		x.out.Phrases = append(x.out.Phrases, row)
	}
	return nil
}

// phrasesFound returns the first keywords of the removed and of the kept text.
func (x *comparer) phrasesFound() (list []phrase) {
	for i, tables := range [][]*Keywords{x.out.Removed, x.out.Kept} {
		for n, t := range tables {
			most := [2][]int{{6, 4, 2}, {3, 2, 1}}[i][min(n, 2)]
			for _, r := range t.Rows[:min(most, len(t.Rows))] {
				list = append(list, phrase{r.Word, x.cql(r.tokens)})
			}
		}
	}
	return list
}

// phrase is a query with its display name.
type phrase struct{ name, cql string }

// asked returns the requested phrases: tokens separated by spaces, and queries.
func (x *comparer) asked(phrases, queries []string) (list []phrase, err error) {
	for _, p := range phrases {
		tokens := strings.Fields(p)
		if len(tokens) == 0 {
			return nil, errors.New("an empty phrase: write words with spaces between")
		}
		list = append(list, phrase{strings.Join(tokens, " "), x.cql(tokens)})
	}
	for _, q := range queries {
		list = append(list, phrase{q, q})
	}
	return list, nil
}

// cql returns the query for a sequence of tokens.
func (x *comparer) cql(tokens []string) string {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		if x.lower {
			t = lower(t)
		}
		parts[i] = literalToken(x.attr, t, x.fold)
	}
	return strings.Join(parts, " ")
}

// hits counts the matches of a query.
func hits(ctx context.Context, c *Corpus, cql string) (int64, error) {
	q, err := c.Query(ctx, cql)
	if err != nil {
		return 0, err
	}
	return q.Count(ctx)
}
