package sketch

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/corpus"
)

// Diff is the sketch difference of two headwords.
type Diff struct {
	First     string         `json:"first"`
	Second    string         `json:"second"`
	Freqs     [2]int64       `json:"freqs"`
	Relations []DiffRelation `json:"relations"`
}

// DiffRelation is one relation of two headwords.
type DiffRelation struct {
	Name   string   `json:"name"`
	Unimap string   `json:"unimap,omitempty"`
	Hits   [2]int64 `json:"hits"`
	// Collocates are sorted by the difference of their scores: those typical of the first word come
	// first.
	Collocates []DiffCollocate `json:"collocates"`
}

// DiffCollocate is a collocate of one or both headwords.
type DiffCollocate struct {
	Word   string     `json:"word"`
	Hits   [2]int64   `json:"hits"`
	Scores [2]float64 `json:"scores"` // logDice, 0 without hits
	// Group is "first", "both" or "second".
	Group string `json:"group"`
}

// typical is the difference of scores from which a collocate is typical of one word. Two points mean
// four times as much.
const typical = 2

// group returns the group of a collocate.
func (d *DiffCollocate) group() string {
	switch {
	case d.Hits[1] == 0 || d.Hits[0] > 0 && d.Scores[0]-d.Scores[1] >= typical:
		return "first"
	case d.Hits[0] == 0 || d.Scores[1]-d.Scores[0] >= typical:
		return "second"
	}
	return "both"
}

// Diff compares the sketches of two headwords. Config.Limit applies to each group, and
// Config.MinHits to the sum of both words' hits. Config.With is not used.
func (s *Sketches) Diff(ctx context.Context, first, second string, cfg Config) (*Diff, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	total, err := s.totalsOf(ctx)
	if err != nil {
		return nil, err
	}
	var heads [2]*headword
	var freqs [2]int64
	for i, word := range []string{first, second} {
		if heads[i], err = s.head(ctx, word, nil); err != nil {
			return nil, err
		}
		if freqs[i], err = s.freq(ctx, heads[i].id); err != nil {
			return nil, err
		}
	}
	a, b := heads[0], heads[1]
	if a.id == b.id {
		return nil, &corpus.ConfigError{Field: "Second", Err: fmt.Errorf("%s twice, wanted two different words", a.word)}
	}
	out := &Diff{First: a.word, Second: b.word, Freqs: freqs, Relations: []DiffRelation{}}
	for _, x := range s.matched(a, b) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := cmp.Or(x[0], x[1])
		if !s.shows(p, a.bare, cfg.Relations) && !s.shows(p, b.bare, cfg.Relations) || s.meta.Relations[p.relation].Unary {
			continue
		}
		r, err := s.difference(x, heads, total, cfg)
		if err != nil {
			return nil, err
		}
		r.Name = s.fill(p.relation, p.third, a.bare+"/"+b.bare)
		if len(r.Collocates) > 0 {
			out.Relations = append(out.Relations, r)
		}
	}
	for _, h := range heads {
		if s.unknown(cfg.Relations, h, len(out.Relations)) == nil {
			return out, nil
		}
	}
	return nil, s.unknown(cfg.Relations, a, len(out.Relations))
}

// matched pairs the relations of two headwords.
func (s *Sketches) matched(a, b *headword) (out [][2]*part) {
	type name struct {
		relation int
		third    uint32
	}
	at := map[name]int{}
	for i, h := range []*headword{a, b} {
		for j := range h.parts {
			p := &h.parts[j]
			n := name{p.relation, p.third}
			k, ok := at[n]
			if !ok {
				k = len(out)
				at[n] = k
				out = append(out, [2]*part{})
			}
			out[k][i] = p
		}
	}
	sum := func(x [2]*part) (n int64) {
		for _, p := range x {
			if p != nil {
				n += p.total
			}
		}
		return n
	}
	slices.SortStableFunc(out, func(x, y [2]*part) int {
		return cmp.Or(cmp.Compare(s.rank(cmp.Or(x[0], x[1]).relation), s.rank(cmp.Or(y[0], y[1]).relation)), cmp.Compare(sum(y), sum(x)))
	})
	return out
}

// difference compares the collocates of a relation.
func (s *Sketches) difference(x [2]*part, heads [2]*headword, total func(coll uint32) int64, cfg Config) (DiffRelation, error) {
	out := DiffRelation{Unimap: s.meta.Relations[cmp.Or(x[0], x[1]).relation].Unimap, Collocates: []DiffCollocate{}}
	rows := map[uint32]*DiffCollocate{}
	for i, p := range x {
		if p == nil {
			continue
		}
		list, hits, err := s.counted(heads[i], p)
		if err != nil {
			return out, err
		}
		out.Hits[i] = hits
		for _, e := range list {
			d := rows[e.coll]
			if d == nil {
				d = &DiffCollocate{Word: s.key.Word(e.coll)}
				rows[e.coll] = d
			}
			d.Hits[i], d.Scores[i] = e.count, LogDice(e.count, hits, total(e.coll))
		}
	}
	list := make([]DiffCollocate, 0, len(rows))
	for _, d := range rows {
		list = append(list, *d)
	}
	out.Collocates = grouped(list, cfg)
	return out, nil
}

// grouped returns the collocates with enough hits: the most typical ones of each group.
func grouped(all []DiffCollocate, cfg Config) (out []DiffCollocate) {
	groups := map[string][]DiffCollocate{}
	for _, d := range all {
		if d.Hits[0]+d.Hits[1] >= cfg.MinHits {
			d.Group = d.group()
			groups[d.Group] = append(groups[d.Group], d)
		}
	}
	out = []DiffCollocate{}
	for _, name := range []string{"first", "both", "second"} {
		list := groups[name]
		best := func(d DiffCollocate) float64 { return max(d.Scores[0], d.Scores[1]) }
		slices.SortFunc(list, func(a, b DiffCollocate) int { // the most typical ones are kept
			return cmp.Or(cmp.Compare(best(b), best(a)), strings.Compare(a.Word, b.Word))
		})
		if cfg.Limit > 0 && len(list) > cfg.Limit {
			list = list[:cfg.Limit]
		}
		slices.SortFunc(list, func(a, b DiffCollocate) int {
			return cmp.Or(cmp.Compare(b.Scores[0]-b.Scores[1], a.Scores[0]-a.Scores[1]), cmp.Compare(best(b), best(a)), strings.Compare(a.Word, b.Word))
		})
		out = append(out, list...)
	}
	return out
}

// Thesaurus lists the headwords that share most contexts with a headword.
type Thesaurus struct {
	Word string   `json:"word"`
	Freq int64    `json:"freq"`
	Also []string `json:"also,omitempty"`
	// Contexts is the number of contexts of the headword: pairs of a relation and a collocate.
	Contexts int       `json:"contexts"`
	Similar  []Similar `json:"similar"`
}

// Similar is a headword of a thesaurus.
type Similar struct {
	Word  string  `json:"word"`
	Freq  int64   `json:"freq"`
	Score float64 `json:"score"` // similarity, from 0 to 1
	// Cluster is the number of the cluster of the word, from 1.
	Cluster int `json:"cluster"`
}

// ThesaurusConfig configures a thesaurus.
type ThesaurusConfig struct {
	// Limit is the maximum number of words. 0 means no limit.
	Limit int
	// MinFreq is the minimum frequency of a word.
	MinFreq int64
	// Cluster is the minimum similarity of the words of a cluster to its first word.
	Cluster float64
}

// DefaultThesaurus is the default configuration.
var DefaultThesaurus = ThesaurusConfig{Limit: 60, MinFreq: 5, Cluster: 0.15}

// maxClustered is the maximum number of words that are clustered. Each later word is a separate cluster.
const maxClustered = 60

// contextOf is a context of a headword with its score.
type contextOf struct {
	coll, third uint32
	relation    int
	score       float64
}

func compareContexts(a, b contextOf) int {
	return cmp.Or(cmp.Compare(a.relation, b.relation), cmp.Compare(a.third, b.third), cmp.Compare(a.coll, b.coll))
}

// contextsOf returns the contexts of a headword that other words share, sorted, and calls each with
// the encoded words of every one.
func (s *Sketches) contextsOf(ctx context.Context, head uint32, each func(score float64, members []byte) error) (out []contextOf, err error) {
	parts, err := s.parts(head)
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &parts[i]
		if s.meta.Relations[p.relation].Unary {
			continue
		}
		list, err := s.collocates(p)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			members, err := s.members(e.coll, p.relation, p.third)
			if err != nil {
				return nil, err
			}
			score := float64(float32(aScore(float64(min(e.count, math.MaxUint32)), float64(p.total), float64(s.totals.At(int(e.coll))), float64(s.meta.Paired))))
			if members == nil || score <= 0 {
				continue
			}
			out = append(out, contextOf{e.coll, p.third, p.relation, score})
			if each != nil {
				if err := each(score, members); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortFunc(out, compareContexts)
	return out, nil
}

// members returns the encoded words of a context, or nil if there are none.
func (s *Sketches) members(coll uint32, relation int, third uint32) ([]byte, error) {
	from, to := s.at.At(int(coll)), s.at.At(int(coll)+1)
	if from > to || to > uint64(len(s.contexts)) {
		return nil, damaged("section contexts")
	}
	d := &decoder{b: s.contexts[from:to]}
	for len(d.b) > 0 {
		r, t := int(d.uvarint()), uint32(d.uvarint())
		members := d.take(d.uvarint())
		if d.bad {
			return nil, damaged("section contexts")
		}
		if r == relation && t == third {
			return members, nil
		}
	}
	return nil, nil
}

// gain returns what a shared context adds to the similarity of two words with these scores.
func gain(a, b float64) float64 {
	d := a - b
	return a + b - float64(d*d)/50
}

// Thesaurus returns the words of the same part of speech that share most contexts with a headword.
// It refers to the whole corpus. A context is a relation with a collocate. The similarity is the sum of s1 + s2 - (s1 - s2)²/50 over
// the shared contexts, divided by the sum of the scores of all contexts of both words.
//
// Rychlý and Kilgarriff 2007, "An efficient algorithm for building a distributional thesaurus".
func (s *Sketches) Thesaurus(ctx context.Context, word string, cfg ThesaurusConfig) (*Thesaurus, error) {
	h, err := s.head(ctx, word, nil)
	if err != nil {
		return nil, err
	}
	gains := map[uint32]float64{}
	contexts, err := s.contextsOf(ctx, h.id, func(score float64, members []byte) error {
		d := &decoder{b: members}
		head := uint32(0)
		for len(d.b) > 0 {
			head += uint32(d.uvarint())
			b := d.take(4)
			if d.bad || int(head) >= s.key.Len() {
				return damaged("section contexts")
			}
			gains[head] += gain(score, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &Thesaurus{Word: h.word, Freq: s.key.Freq(h.id), Also: h.also, Contexts: len(contexts), Similar: []Similar{}}
	sum := s.sum(h.id)
	var ids []uint32
	score := map[uint32]float64{}
	for id, g := range gains {
		x := g / (sum + s.sum(id))
		if id != h.id && x > 0 && s.suffix(s.key.Word(id)) == s.suffix(h.word) && s.key.Freq(id) >= cfg.MinFreq {
			ids = append(ids, id)
			score[id] = x
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	if cfg.Limit > 0 && len(ids) > cfg.Limit {
		ids = ids[:cfg.Limit]
	}
	clusters, err := s.clusters(ctx, ids, cfg.Cluster)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		out.Similar = append(out.Similar, Similar{s.key.Word(id), s.key.Freq(id), score[id], clusters[i]})
	}
	return out, nil
}

// clusters groups words greedily: the first word without a cluster begins one, and later words join
// if their similarity to it is at least limit.
func (s *Sketches) clusters(ctx context.Context, ids []uint32, limit float64) ([]int, error) {
	n := min(len(ids), maxClustered)
	contexts := make([][]contextOf, n)
	for i := range n {
		var err error
		if contexts[i], err = s.contextsOf(ctx, ids[i], nil); err != nil {
			return nil, err
		}
	}
	return clustered(len(ids), limit, func(i, j int) float64 {
		return sharedBy(contexts[i], contexts[j], compareContexts, func(x contextOf) float64 { return x.score }) / (s.sum(ids[i]) + s.sum(ids[j]))
	}), nil
}

// clustered returns the cluster of each of n words. similarity compares two of the first words.
func clustered(n int, limit float64, similarity func(i, j int) float64) []int {
	out, count := make([]int, n), 0
	for i := range out {
		if out[i] > 0 {
			continue
		}
		count++
		out[i] = count
		for j := i + 1; j < min(n, maxClustered); j++ {
			if out[j] == 0 && similarity(i, j) >= limit {
				out[j] = count
			}
		}
	}
	return out
}

// sharedBy returns the sum of the gains of the shared contexts of two words, which are sorted.
func sharedBy[C any](a, b []C, compare func(a, b C) int, score func(C) float64) (sum float64) {
	for len(a) > 0 && len(b) > 0 {
		switch c := compare(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			sum += gain(score(a[0]), score(b[0]))
			a, b = a[1:], b[1:]
		}
	}
	return sum
}
