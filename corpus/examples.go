package corpus

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chaffinch/corpus/gdex"
	"chaffinch/internal/timecheck"
)

const (
	// scoredMatches is the default number of matches that are scored as examples.
	scoredMatches = 5000
	// longestExample is the maximum number of tokens of an example.
	longestExample = 256
)

// scored is a match with the score of its sentence.
type scored struct {
	match Match
	score float64
	doc   int // -1: none
	bag   gdex.Bag
}

// examples scores the sentences of a random sample of the matches, and selects the best ones:
// one per document, without near-duplicates of better ones. Equal scores are in corpus order.
func (k *Concordance) examples(ctx context.Context) error {
	if len(k.cfg.Sort) > 0 {
		return inField("Good", errors.New("examples are sorted by their scores: leave out the other order"))
	}
	if k.unit == nil {
		return inField("Good", errors.New("examples are whole sentences: use the view sentence"))
	}
	k.cfg.Sample = cmp.Or(k.cfg.Sample, scoredMatches)
	if err := k.sample(ctx); err != nil {
		return err
	}
	w := timecheck.New(ctx)
	rater, err := k.q.c.newRater(ctx, k.cfg.Good)
	if err != nil {
		return err
	}
	list := make([]scored, 0, len(k.spans))
	for _, m := range k.spans {
		x, n := rater.rate(m, k.unit)
		if err := w.Done(n); err != nil {
			return err
		}
		if x.score > 0 {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var chosen []scored
	docs := map[int]bool{}
	wanted := k.cfg.First + k.cfg.Limit
	for _, x := range list {
		if k.cfg.Limit > 0 && len(chosen) == wanted {
			break
		}
		if err := w.Done(len(chosen)); err != nil {
			return err
		}
		if x.doc >= 0 && docs[x.doc] || slices.ContainsFunc(chosen, func(y scored) bool { return x.bag.Similarity(y.bag) >= k.cfg.Good.Similar }) {
			continue
		}
		docs[x.doc] = true
		chosen = append(chosen, x)
	}
	k.spans, k.scores = make([]Match, len(chosen)), make([]float64, len(chosen))
	for i, x := range chosen {
		k.spans[i], k.scores[i] = x.match, x.score
	}
	return nil
}

// rater scores matches.
type rater struct {
	c      *Corpus
	cfg    *gdex.Config
	rare   int64 // words below this frequency are rare
	langOf []ref // attributes with the language
}

func (c *Corpus) newRater(ctx context.Context, cfg *gdex.Config) (*rater, error) {
	r := &rater{c: c, cfg: cfg}
	for _, s := range []string{"s", "doc"} {
		if x, err := c.ref(s + ".lang"); err == nil {
			r.langOf = append(r.langOf, x)
		}
	}
	var err error
	r.rare, err = c.attrs[0].rareBelow(ctx, cfg.Rare.Common)
	return r, err
}

// rareBelow returns the lowest frequency that at most common values reach.
func (a *Attr) rareBelow(ctx context.Context, common int) (int64, error) {
	const most = 1 << 16 // higher frequencies count as this one
	if a.n <= common {
		return 1, nil
	}
	with := make([]int, most+1)
	w := timecheck.New(ctx)
	for id := range a.n {
		if err := w.Done(0); err != nil {
			return 0, err
		}
		with[min(a.places(uint32(id)), most)]++
	}
	f := most
	for n := with[most]; f > 1 && n+with[f-1] <= common; f-- {
		n += with[f-1]
	}
	return int64(f), nil
}

// frequency returns the frequency of a word, or of the word in lower case if it is higher.
func (r *rater) frequency(id uint32, word string) int64 {
	a := r.c.attrs[0]
	n := int64(a.places(id))
	if l := strings.ToLower(word); l != word {
		if id, ok := a.ID(l); ok {
			n = max(n, int64(a.places(id)))
		}
	}
	return n
}

// rate scores the sentence of a match; n is its number of tokens.
func (r *rater) rate(m Match, unit *Struct) (x scored, n int) {
	x = scored{match: m, doc: -1}
	i, ok := unit.Find(m.Start)
	if !ok {
		return x, 0
	}
	start, end := unit.Span(i)
	if m.End > end || end-start > longestExample {
		return x, 0
	}
	s := gdex.Sentence{Start: int(m.Start - start), End: int(m.End - start)}
	a := r.c.attrs[0]
	for p := start; p < end; p++ {
		id := a.At(p)
		w := a.Word(id)
		s.Words = append(s.Words, w)
		s.Rare = append(s.Rare, r.frequency(id, w) < r.rare)
	}
	for _, l := range r.langOf {
		if i, ok := l.s.Find(m.Start); ok && s.Lang == "" {
			s.Lang = l.a.Word(l.a.At(int64(i)))
		}
	}
	x.score, x.bag = r.cfg.Score(&s), gdex.NewBag(s.Words)
	if r.c.doc != nil {
		if i, ok := r.c.doc.Find(m.Start); ok {
			x.doc = i
		}
	}
	return x, len(s.Words)
}
