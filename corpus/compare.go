package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CompareConfig says what is looked at when a corpus is compared with what a
// cleaning step has left of it. The zero value looks at everything.
type CompareConfig struct {
	// Attr is the attribute of tokens, "" means the default one. Case keeps words
	// apart that differ in case only.
	Attr string
	Case bool
	// Doc is the structure that counts as document, "" means doc. DocKey is its
	// attribute by which a document is found again, "" means id, else url.
	Doc, DocKey string
	// Phrases are tokens with spaces between, Queries further ones in CQL.
	// Without any, those phrases are taken that have changed most.
	Phrases, Queries []string
	// Collocates are words, CollocateQueries further ones in CQL, whose company
	// is compared; without any, two words are taken that have changed.
	Collocates, CollocateQueries []string
	// From and To bound the window, both zero mean 1 to 5: right of the hit,
	// where objects of verbs stand in many languages. Within is the
	// structure that it does not leave, "" means s where both corpora have it,
	// "-" none.
	From, To int
	Within   string
	// Measure sorts collocates: a key of Measures, "" means logdice.
	Measure string
	// By are attributes of structures by which the corpora are divided; without
	// any, those with few values, and the hosts.
	By []string
	// Smoothing is n of keyness, 0 means 10; MinFreq the minimum frequency of a
	// keyword there, 0 means 5. NGram is the longest n-gram among the keywords, 0
	// means 2.
	Smoothing float64
	MinFreq   int64
	NGram     int
	// MinDocs is the least number of documents of BEFORE that have a keyword: what
	// one site repeats is no word of the corpus. 0 means 5, or less in a corpus
	// of less than 100 documents.
	MinDocs int64
	// Rows bounds the tables, 0 means 30.
	Rows int
}

// Side is one of two corpora that are compared.
type Side struct {
	Name      string `json:"name"`
	Documents int64  `json:"documents"`
	Tokens    int64  `json:"tokens"`
	Types     int64  `json:"types"` // different values of the attribute
}

// PhraseChange says what became of a phrase.
type PhraseChange struct {
	Phrase           string  `json:"phrase"`
	CQL              string  `json:"cql"`
	Before           int64   `json:"before"` // hits
	After            int64   `json:"after"`
	BeforePerMillion float64 `json:"before_per_million"`
	AfterPerMillion  float64 `json:"after_per_million"`
	// Kept is the share of the hits that is left, 0 if there were none.
	Kept float64 `json:"kept"`
}

// RankedCollocate is a collocate with its ranks on both sides; 0 is a rank
// beyond those that were looked at.
type RankedCollocate struct {
	Word       string  `json:"word"`
	Rank       int     `json:"rank"`
	OtherRank  int     `json:"other_rank"`
	Hits       int64   `json:"hits"`
	Score      float64 `json:"score"`
	OtherScore float64 `json:"other_score"`
}

// CollocateChange is the company of a query before and after.
type CollocateChange struct {
	Query      string            `json:"query"`
	CQL        string            `json:"cql"`
	BeforeHits int64             `json:"before_hits"`
	AfterHits  int64             `json:"after_hits"`
	Before     []RankedCollocate `json:"before"`
	After      []RankedCollocate `json:"after"`
}

// PartChange is a part of the corpora before and after.
type PartChange struct {
	Value  string    `json:"value"`
	Before ValueSize `json:"before"`
	After  ValueSize `json:"after"`
	Kept   float64   `json:"kept"` // share of the tokens
}

// BreakdownChange divides both corpora by an attribute, those values first that
// have lost most tokens.
type BreakdownChange struct {
	Attr   string       `json:"attr"`
	Values int          `json:"values"` // all of them
	Rows   []PartChange `json:"rows"`
}

// WordChange is a word with its hits per million on both sides.
type WordChange struct {
	Word   string  `json:"word"`
	Before float64 `json:"before_per_million"`
	After  float64 `json:"after_per_million"`
	// Kept is the share of the hits that is left.
	Kept float64 `json:"kept"`
}

// Comparison is what a cleaning step has done to a corpus.
type Comparison struct {
	Before Side     `json:"before"`
	After  Side     `json:"after"`
	Attr   string   `json:"attribute"`
	Where  string   `json:"where,omitempty"` // the condition of the parts that were compared
	Notes  []string `json:"notes,omitempty"` // what a reader must know to trust the figures

	Phrases []PhraseChange `json:"phrases"`
	// PhrasesChosen says that the phrases were not asked for, but found;
	// CollocatesChosen likewise.
	PhrasesChosen    bool              `json:"phrases_chosen"`
	Collocates       []CollocateChange `json:"collocates"`
	CollocatesChosen bool              `json:"collocates_chosen"`
	From             int               `json:"from"` // the window
	To               int               `json:"to"`
	Within           string            `json:"within"`  // its border
	Measure          string            `json:"measure"` // key of the one that ranks

	// Removed has the keywords of what is gone against what is left, by length
	// of the n-gram, Kept those of what is left against what is gone.
	Removed    []*Keywords       `json:"removed"`
	Kept       []*Keywords       `json:"kept"`
	Breakdowns []BreakdownChange `json:"breakdowns"`
	Documents  *DocumentChange   `json:"documents,omitempty"` // nil where documents cannot be found again
	Words      []WordChange      `json:"words"`               // the most frequent ones and those that have changed most
}

// KeptTokens is the share of the tokens that is left.
func (c *Comparison) KeptTokens() float64 { return share(c.After.Tokens, c.Before.Tokens) }

// KeptDocuments is the share of the documents that is left.
func (c *Comparison) KeptDocuments() float64 { return share(c.After.Documents, c.Before.Documents) }

// KeptTypes is the share of the different words that is left.
func (c *Comparison) KeptTypes() float64 { return share(c.After.Types, c.Before.Types) }

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Compare says what a cleaning step has done to a corpus: sizes, phrases,
// collocates, keywords of what is gone, and parts. after should be a part of
// before; where it is not, the notes say so. Both may be parts of corpora, of the
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
	attr, shown   string // the attribute, and its name for people
	fold, lower   bool   // the attribute is to be folded; it has lower case only
	out           *Comparison
	companions    []keyed // words whose company may have changed
	vocabulary    *vocabulary
	ids           func(uint32) []uint32 // values of BEFORE of a key
	joined        *joined               // nil where documents cannot be found again
}

// choose finds the attribute: where case does not matter and both corpora have
// the attribute in lower case, that one.
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

// phrases counts the phrases asked for or found.
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
		row.Kept = share(row.After, row.Before)
		x.out.Phrases = append(x.out.Phrases, row)
	}
	return nil
}

// phrasesFound takes the first of what is gone and of what is left.
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

// phrase is what is counted: a name for people, and a query.
type phrase struct{ name, cql string }

// asked returns the phrases that were asked for: tokens with spaces between, and
// queries.
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

// cql returns the query for tokens one behind the other.
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
