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
	at    int // number of the match among the scored ones
	score float64
	doc   int64 // -1: none
	bag   gdex.Bag
}

// checkGood returns an error if the settings of a concordance do not fit examples.
func (cfg *ConcordanceConfig) checkGood() error {
	switch {
	case len(cfg.Sort) > 0:
		return inField("Good", errors.New("examples are sorted by their scores: leave out the other order"))
	case cfg.View != Sentence:
		return inField("Good", errors.New("examples are whole sentences: use the view sentence"))
	}
	return nil
}

// examples scores the sentences of a random sample of the matches, and selects the best ones.
func (k *Concordance) examples(ctx context.Context) error {
	if err := k.cfg.checkGood(); err != nil {
		return err
	}
	k.cfg.Sample = cmp.Or(k.cfg.Sample, scoredMatches)
	if err := k.sample(ctx); err != nil {
		return err
	}
	w := timecheck.New(ctx)
	c := k.q.c
	rare, err := c.attrs[0].rareBelow(ctx, k.cfg.Good.Rare.Common)
	if err != nil {
		return err
	}
	list := make([]scored, 0, len(k.spans))
	for i, m := range k.spans {
		x, ok := c.sentenceOf(m, k.unit)
		if err := w.Done(len(x.Words)); err != nil {
			return err
		}
		if ok {
			list = append(list, x.rate(i, k.cfg.Good, func(word string) bool { return c.frequency(word) < rare }))
		}
	}
	chosen, err := chooseExamples(ctx, list, &k.cfg)
	if err != nil {
		return err
	}
	all := k.spans
	k.spans, k.scores = make([]Match, len(chosen)), make([]float64, len(chosen))
	for i, x := range chosen {
		k.spans[i], k.scores[i] = all[x.at], x.score
	}
	return nil
}

// chooseExamples selects the best examples: one per document, without near-duplicates of better ones. Equal
// scores stay in order.
func chooseExamples(ctx context.Context, list []scored, cfg *ConcordanceConfig) (chosen []scored, err error) {
	w := timecheck.New(ctx)
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	docs := map[int64]bool{}
	for _, x := range list {
		if x.score <= 0 || cfg.Limit > 0 && len(chosen) == cfg.First+cfg.Limit {
			break
		}
		if err := w.Done(len(chosen)); err != nil {
			return nil, err
		}
		if x.doc >= 0 && docs[x.doc] || slices.ContainsFunc(chosen, func(y scored) bool { return x.bag.Similarity(y.bag) >= cfg.Good.Similar }) {
			continue
		}
		docs[x.doc] = true
		chosen = append(chosen, x)
	}
	return chosen, nil
}

// exampleSentence is the sentence of a match. The words are not classified as rare.
type exampleSentence struct {
	gdex.Sentence
	doc int64 // number of the document, -1: none
}

// rate scores the sentence of match number at.
func (x *exampleSentence) rate(at int, cfg *gdex.Config, rare func(word string) bool) scored {
	for _, w := range x.Words {
		x.Rare = append(x.Rare, rare(w))
	}
	return scored{at, cfg.Score(&x.Sentence), x.doc, gdex.NewBag(x.Words)}
}

// sentenceOf returns the sentence of a match; ok is false if the match is in none, or the sentence is too
// long.
func (c *Corpus) sentenceOf(m Match, unit *Struct) (x exampleSentence, ok bool) {
	x.doc = -1
	i, ok := unit.Find(m.Start)
	if !ok {
		return x, false
	}
	start, end := unit.Span(i)
	if m.End > end || end-start > longestExample {
		return x, false
	}
	x.Start, x.End = int(m.Start-start), int(m.End-start)
	a := c.attrs[0]
	for p := start; p < end; p++ {
		x.Words = append(x.Words, a.Word(a.At(p)))
	}
	for _, s := range []string{"s", c.Document()} {
		if l, err := c.ref(s + ".lang"); err == nil && x.Lang == "" {
			x.Lang = l.value(m.Start, 0)
		}
	}
	if c.doc != nil {
		if i, ok := c.doc.Find(m.Start); ok {
			x.doc = int64(i)
		}
	}
	return x, true
}

// frequency returns the frequency of a word, or of the word in lower case if it is higher.
func (c *Corpus) frequency(word string) (n int64) {
	for _, w := range []string{word, strings.ToLower(word)} {
		if id, ok := c.attrs[0].ID(w); ok {
			n = max(n, int64(c.attrs[0].places(id)))
		}
	}
	return n
}

// maxCounted is the frequency from which words count as having this frequency, to find rare words.
const maxCounted = 1 << 16

// rareBelow returns the lowest frequency that at most common values reach.
func (a *Attr) rareBelow(ctx context.Context, common int) (int64, error) {
	with := make([]int, maxCounted+1)
	w := timecheck.New(ctx)
	for id := range a.n {
		if err := w.Done(0); err != nil {
			return 0, err
		}
		with[min(a.places(uint32(id)), maxCounted)]++
	}
	return lowestCommon(with, common), nil
}

// lowestCommon returns the lowest frequency that at most common words reach. with holds the number of words with
// each frequency.
func lowestCommon(with []int, common int) int64 {
	f := len(with) - 1
	for n := with[f]; f > 1 && n+with[f-1] <= common; f-- {
		n += with[f-1]
	}
	return int64(f)
}
