package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/corpus/gdex"
	"chaffinch/internal/table"
)

// View selects the text shown around a match.
type View string

// Views of a concordance.
const (
	// KWIC (key word in context) shows the text on either side, limited by
	// ConcordanceConfig.Context.
	KWIC View = "kwic"
	// Sentence shows the structures, by default sentences, in which the match
	// begins and ends.
	Sentence View = "sentence"
)

// ConcordanceConfig configures which matches are shown, and how.
type ConcordanceConfig struct {
	// View is KWIC or Sentence.
	View View
	// Context is the length of the text on either side, in terminal columns, or in
	// tokens if Tokens is set. Columns are filled with whole words. The context
	// ends at the boundaries of the document.
	Context int
	Tokens  bool
	// Width is the number of columns of a line in the text format. If nonzero, the
	// context fills the line and Context is ignored.
	Width int
	// Unit is the structure shown by the view Sentence.
	Unit string
	// Sort lists the sort keys, the most significant first: "left" (the tokens
	// before, nearest first), "right" (the tokens after), "match", or an attribute
	// of a structure, such as "doc.date". Default: corpus order. Words are compared
	// in lower case by code points. Matches with equal keys stay in corpus order.
	Sort []string
	// Sample is the size of a random sample of the matches, drawn with Seed. 0
	// means all matches. The sample is deterministic for a corpus, query and seed.
	Sample int
	Seed   uint64
	// Good selects good examples: matches are sorted by the scores of their sentences,
	// the best first. Each document has at most one example, and near-duplicates of
	// better examples are left out. The view must be Sentence. At most Sample matches
	// are scored, 5000 by default. nil means no scores.
	Good *gdex.Config
	// First is the number of matches to skip, after sorting and sampling.
	First int
	// Limit is the maximum number of matches shown, after sorting and sampling. 0
	// means no limit.
	Limit int
	// Uncounted shows the first matches without counting all: Total and Shown are
	// then -1. It has no effect if Sort, Sample or Good need all matches.
	Uncounted bool
	// Refs lists attributes of structures that identify the place of a match, such
	// as "doc.url". A structure without attribute gives its number, from 1.
	Refs []string
	// Aligned lists names of aligned corpora whose translations are shown.
	Aligned []string
	// Color marks matches and references in text with terminal colors, instead
	// of marking matches with < and >.
	Color bool
}

// maxContext is the maximum context in columns or tokens. It bounds the length of a line.
const maxContext = 1 << 20

// DefaultConcordance is the default configuration.
var DefaultConcordance = ConcordanceConfig{View: KWIC, Context: 40, Unit: "s"}

// Concordance holds the matches of a query with the text around them.
type Concordance struct {
	// Total is the number of all matches, PerMillion the number of matches per
	// million tokens. Total is -1 if the matches were not counted.
	Total      int64
	PerMillion float64
	// Shown is the number of lines that Lines yields, -1 if not counted.
	Shown int64

	of      concordanceOf
	cfg     ConcordanceConfig
	q       *Query // nil: shards are queried
	refs    []ref
	aligned []*Alignment
	unit    *Struct
	// before holds the number of structures in the shards before this one.
	before map[string]int64
	// spans holds the matches to show if they had to be collected. If nil, the
	// matches of the query are shown in order.
	spans []Match
	// scores holds the score of each span, if the matches are scored.
	scores []float64
	// lines yields the lines of shards.
	lines func(context.Context) iter.Seq2[Line, error]
}

// concordanceOf identifies the query and the corpus of a concordance.
type concordanceOf struct {
	query, corpus, where string
	tokens               int64
	labels               []string
}

// Line is one match and its context, with white space normalized to single spaces.
type Line struct {
	Match
	Left, Text, Right string
	// Refs holds the values of ConcordanceConfig.Refs. A value is "" if the match is
	// not in such a structure.
	Refs []string
	// Aligned holds the translations, in the order of ConcordanceConfig.Aligned. A text is "" if the
	// match has no aligned segment.
	Aligned []string
	// Score is the score of the sentence as an example, from 0 to 1, if ConcordanceConfig.Good
	// is set.
	Score float64
}

// ref is an attribute of a structure, or its number if a is nil.
type ref struct {
	s *Struct
	a *Attr
}

// Concordance counts the matches and selects the matches to show.
func (q *Query) Concordance(ctx context.Context, cfg ConcordanceConfig) (*Concordance, error) {
	k, err := q.concordance(cfg)
	if err != nil {
		return nil, err
	}
	if err := k.choose(ctx); err != nil {
		return nil, err
	}
	k.PerMillion = PerMillion(max(k.Total, 0), q.c.Size())
	return k, nil
}

// concordance returns a concordance whose matches are not selected yet.
func (q *Query) concordance(cfg ConcordanceConfig) (*Concordance, error) {
	k := &Concordance{q: q, cfg: cfg, of: concordanceOf{q.text, q.c.dir, q.c.Condition(), q.c.Size(), q.labels}}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.View == Sentence {
		var err error
		if k.unit, err = q.c.Struct(cfg.Unit); err != nil {
			return nil, inField("View", err)
		}
	}
	for _, r := range cfg.Refs {
		x, err := q.c.ref(r)
		if err != nil {
			return nil, inField("Refs", err)
		}
		k.refs = append(k.refs, x)
	}
	for _, name := range cfg.Aligned {
		a, err := q.c.Aligned(name)
		if err != nil {
			return nil, inField("Aligned", err)
		}
		k.aligned = append(k.aligned, a)
	}
	return k, nil
}

// Check returns an error if a setting is invalid for every corpus.
func (cfg *ConcordanceConfig) Check() error {
	switch {
	case cfg.View != KWIC && cfg.View != Sentence:
		return fmt.Errorf("concordance: view %q, wanted %s or %s", cfg.View, KWIC, Sentence)
	case cfg.Context < 0 || cfg.Sample < 0 || cfg.First < 0 || cfg.Limit < 0:
		return errors.New("concordance: a negative number for context, sample, first or limit")
	case cfg.Context > maxContext:
		return inField("Context", fmt.Errorf("concordance: context of %d, at most %d is possible", cfg.Context, maxContext))
	case cfg.Sample > maxSorted:
		return inField("Sample", fmt.Errorf("concordance: sample of %d matches, at most %d are possible", cfg.Sample, maxSorted))
	}
	return nil
}

// ref parses a reference such as "doc.url" or "doc".
func (c *Corpus) ref(name string) (ref, error) {
	s, a, dotted := strings.Cut(name, ".")
	r := ref{}
	var err error
	if r.s, err = c.Struct(s); err != nil {
		return r, err
	}
	if dotted {
		r.a, err = r.s.Attr(a)
	}
	return r, err
}

// value returns the value of the reference at token pos. before is the number of structures before
// the first one.
func (r ref) value(pos, before int64) string {
	i, ok := r.s.Find(pos)
	if !ok {
		return ""
	}
	if r.a == nil {
		return fmt.Sprint(before + int64(i) + 1)
	}
	return r.a.Word(r.a.At(int64(i)))
}

// choose counts the matches. If they are sampled or sorted, it also collects the
// matches to show.
func (k *Concordance) choose(ctx context.Context) error {
	keys, err := k.q.c.sortKeys(ctx, k.cfg.Sort)
	if err != nil {
		return inField("Sort", err)
	}
	switch {
	case k.cfg.Good != nil:
		err = k.examples(ctx)
	case k.cfg.Sample > 0:
		if err = k.sample(ctx); err == nil && len(keys) > 0 {
			k.spans, err = sortMatches(ctx, k.spans, keys, k.last())
		}
	case len(k.cfg.Sort) > 0:
		err = k.sort(ctx, keys)
	case k.cfg.Uncounted:
		k.Total, k.Shown = -1, -1
		return nil
	default:
		k.Total, err = k.q.Count(ctx)
		k.Shown = k.Total
	}
	if err != nil {
		return err
	}
	if k.spans != nil {
		first := min(k.cfg.First, len(k.spans))
		k.spans = k.spans[first:]
		if k.scores != nil {
			k.scores = k.scores[first:]
		}
		k.Shown = int64(len(k.spans))
	} else {
		k.Shown = max(k.Shown-int64(k.cfg.First), 0)
	}
	if k.cfg.Limit > 0 {
		k.Shown = min(k.Shown, int64(k.cfg.Limit))
	}
	return nil
}

// reservoir draws a uniform random sample of items (Vitter's algorithm R).
type reservoir[T any] struct {
	items []T
	size  int
	seen  int64
	r     *rand.Rand
}

func newReservoir[T any](size int, seed uint64) *reservoir[T] {
	return &reservoir[T]{items: []T{}, size: size, r: rand.New(rand.NewPCG(seed, 0))}
}

func (s *reservoir[T]) add(x T) {
	s.seen++
	if len(s.items) < s.size {
		s.items = append(s.items, x)
	} else if i := s.r.Int64N(s.seen); i < int64(s.size) {
		s.items[i] = x
	}
}

// sample draws a uniform random sample of the matches, in corpus order.
func (k *Concordance) sample(ctx context.Context) error {
	r := newReservoir[Match](k.cfg.Sample, k.cfg.Seed)
	for m, err := range k.q.Matches(ctx) {
		if err != nil {
			return err
		}
		r.add(m)
	}
	k.Total, k.spans = r.seen, r.items
	slices.SortFunc(k.spans, compareSpans)
	return nil
}

// sort counts the matches and selects the first ones in the order of keys.
func (k *Concordance) sort(ctx context.Context, keys []sortKey) error {
	s, err := k.q.sorted(ctx, keys, k.last())
	if err != nil {
		return err
	}
	d := newDeadline(ctx)
	k.Total, k.spans = s.total, s.matches(d)
	return d.Err()
}

// last returns the number of matches in order up to the last one that is shown, or 0 if all are
// shown.
func (k *Concordance) last() int {
	if k.cfg.Limit == 0 {
		return 0
	}
	return k.cfg.First + k.cfg.Limit
}

// CQL returns the query in CQL.
func (k *Concordance) CQL() string { return k.of.query }

// Lines yields the matches to show with their text.
func (k *Concordance) Lines(ctx context.Context) iter.Seq2[Line, error] {
	if k.lines != nil {
		return k.lines(ctx)
	}
	return func(yield func(Line, error) bool) {
		if k.spans != nil {
			for i, m := range k.spans[:k.Shown] {
				if err := ctx.Err(); err != nil {
					yield(Line{}, err)
					return
				}
				l := k.line(m)
				if k.scores != nil {
					l.Score = k.scores[i]
				}
				if !yield(l, nil) {
					return
				}
			}
			return
		}
		if k.Shown == 0 {
			return
		}
		pass, left := int64(k.cfg.First), int64(k.cfg.Limit)
		for m, err := range k.q.Matches(ctx) {
			if err != nil {
				yield(Line{}, err)
				return
			}
			if pass--; pass >= 0 {
				continue
			}
			if left--; !yield(k.line(m), nil) || left == 0 {
				return
			}
		}
	}
}

// line returns a match with the text around it.
func (k *Concordance) line(m Match) Line {
	c := k.q.c
	l := Line{Match: m, Text: c.shown(m.Start, m.End)}
	for _, r := range k.refs {
		l.Refs = append(l.Refs, oneLine(r.value(m.Start, k.before[r.s.name])))
	}
	for _, a := range k.aligned {
		l.Aligned = append(l.Aligned, a.Text(m.Start, m.End))
	}
	lo, hi := m.Start, m.End
	switch {
	case k.unit != nil:
		if i, ok := k.unit.Find(m.Start); ok {
			lo, _ = k.unit.Span(i)
		}
		if i, ok := k.unit.Find(m.End - 1); ok {
			_, hi = k.unit.Span(i)
		}
	default: // a token has at least one column
		k.around(&l, k.cfg.Context, k.cfg.Context)
		return l
	}
	l.Left, l.Right = k.whole(lo, m.Start, m.Start), k.whole(m.End, hi, m.End)
	return l
}

// around sets the text on the left and on the right of a match. left and right are in
// columns or tokens.
func (k *Concordance) around(l *Line, left, right int) {
	if k.q == nil { // the shards returned enough
		l.Left, l.Right = lastWords(l.Left, left), firstWords(l.Right, right)
		return
	}
	region, end := k.q.c.region(uint32(l.Start))
	lo, hi := max(int64(region), l.Start-int64(left)), min(int64(end), l.End+int64(right))
	if k.cfg.Tokens {
		l.Left, l.Right = k.whole(lo, l.Start, l.Start), k.whole(l.End, hi, l.End)
		return
	}
	l.Left, l.Right = k.left(lo, l.Start, left), k.right(l.End, hi, right)
}

// whole returns the text from lo to hi, with the gap at the match.
func (k *Concordance) whole(lo, hi, joint int64) string {
	if lo >= hi {
		return ""
	}
	if joint == hi {
		return k.q.c.shown(lo, hi) + k.q.c.joint(joint)
	}
	return k.q.c.joint(joint) + k.q.c.shown(lo, hi)
}

// columnsPerToken is the minimum number of columns per token in nearly all texts,
// including the space before it.
const columnsPerToken = 4

// left returns the text from lo to a match that fits into columns. It begins with a
// whole word, unless the word before the match alone is longer.
func (k *Concordance) left(lo, match int64, columns int) string {
	if lo >= match {
		return ""
	}
	text := func(from int64) string { return k.whole(from, match, match) }
	var from int64
	for n := int64(columns)/columnsPerToken + 2; ; n *= 2 {
		from = max(lo, match-n)
		if from == lo || width(text(from)) > columns {
			break
		}
	}
	from += int64(sort.Search(int(match-from), func(i int) bool { return width(text(from+int64(i))) <= columns }))
	for from < match && !k.q.c.begins(from) {
		from++
	}
	if from == match {
		return lastColumns(text(max(lo, match-1)), columns)
	}
	return text(from)
}

// right is the equivalent of left for the text after a match.
func (k *Concordance) right(match, hi int64, columns int) string {
	if hi <= match {
		return ""
	}
	text := func(to int64) string { return k.whole(match, to, match) }
	var to int64
	for n := int64(columns)/columnsPerToken + 2; ; n *= 2 {
		to = min(hi, match+n)
		if to == hi || width(text(to)) > columns {
			break
		}
	}
	to -= int64(sort.Search(int(to-match), func(i int) bool { return width(text(to-int64(i))) <= columns }))
	for to > match && !k.q.c.begins(to) {
		to--
	}
	if to == match {
		return table.First(text(match+1), columns)
	}
	return text(to)
}

// begins reports whether a word begins with token pos: it is not glued to the token
// before, or its script writes no spaces between words.
func (c *Corpus) begins(pos int64) bool {
	if pos >= c.size || c.gap(pos) != "" {
		return true
	}
	if region, _ := c.region(uint32(pos)); int64(region) == pos {
		return true
	}
	r, _ := utf8.DecodeRune(c.attrs[0].bytes(c.attrs[0].At(pos)))
	return unicode.In(r, unspaced...)
}

// unspaced are scripts that write no spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

// joint returns the gap before token pos in one line: a space or "".
func (c *Corpus) joint(pos int64) string {
	if c.gap(pos) == "" {
		return ""
	}
	return " "
}
