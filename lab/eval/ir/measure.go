package ir

import (
	"cmp"
	"math"
	"slices"

	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/stats"
)

// Measure is a figure of a topic between 0 and 1. The figure of a run is the mean.
type Measure struct {
	// Name is the name in tables.
	Name, Help string
	of         func(*judged) float64
}

// Measures lists the measures in tables, the paper's measures first.
var Measures = []Measure{
	{"P@5", "share of relevant documents among the first 5", func(j *judged) float64 { return j.precision(5) }},
	{"P@10", "the same among the first 10", func(j *judged) float64 { return j.precision(10) }},
	{"AP", "average precision; of a run, MAP", (*judged).averagePrecision},
	{"NDCG@10", "gain 2^relevance - 1, discounted by log2(rank + 1), as a share of the best order's, of the first 10", func(j *judged) float64 { return j.ndcg(10, exponential) }},
	{"NDCG@10lin", "the same with the relevance itself as gain, as in trec_eval", func(j *judged) float64 { return j.ndcg(10, linear) }},
	{"RR", "1 / rank of the first relevant document", (*judged).reciprocalRank},
	{"R@10", "share of the relevant documents that are among the first 10", func(j *judged) float64 { return j.recall(10) }},
	{"R@100", "the same among the first 100", func(j *judged) float64 { return j.recall(100) }},
	{"R@1000", "the same among the first 1000", func(j *judged) float64 { return j.recall(1000) }},
}

// judged is a ranking with the relevance of each document, 0 if not judged, and the relevances of
// all relevant documents of the topic in descending order.
type judged struct{ ranked, ideal []int }

// judge sorts the entries like trec_eval, by score in 32 bits and then by name in reverse, and
// returns their relevance.
func judge(entries []Entry, rel map[string]int) *judged {
	order := slices.Clone(entries)
	sorts.Func(order, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(float32(b.Score), float32(a.Score)), cmp.Compare(b.Doc, a.Doc))
	})
	j := &judged{}
	for _, e := range order {
		j.ranked = append(j.ranked, max(0, rel[e.Doc]))
	}
	for _, r := range rel {
		if r > 0 {
			j.ideal = append(j.ideal, r)
		}
	}
	slices.SortFunc(j.ideal, func(a, b int) int { return cmp.Compare(b, a) })
	return j
}

func (j *judged) found(k int) (n int) {
	for _, r := range j.ranked[:min(k, len(j.ranked))] {
		if r > 0 {
			n++
		}
	}
	return n
}

func (j *judged) precision(k int) float64 { return float64(j.found(k)) / float64(k) }

func (j *judged) recall(k int) float64 {
	if len(j.ideal) == 0 {
		return 0
	}
	return float64(j.found(k)) / float64(len(j.ideal))
}

func (j *judged) averagePrecision() float64 {
	sum, found := 0.0, 0
	for i, r := range j.ranked {
		if r > 0 {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	if len(j.ideal) == 0 {
		return 0
	}
	return sum / float64(len(j.ideal))
}

func (j *judged) reciprocalRank() float64 {
	for i, r := range j.ranked {
		if r > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func linear(rel int) float64      { return float64(rel) }
func exponential(rel int) float64 { return math.Exp2(float64(rel)) - 1 }

func (j *judged) ndcg(k int, gain func(int) float64) float64 {
	ideal := dcg(j.ideal, k, gain)
	if ideal == 0 {
		return 0
	}
	return dcg(j.ranked, k, gain) / ideal
}

func dcg(rels []int, k int, gain func(int) float64) (sum float64) {
	for i, r := range rels[:min(k, len(rels))] {
		sum += gain(r) / math.Log2(float64(i+2))
	}
	return sum
}

// Scores holds the figures of a run.
type Scores struct {
	Run string
	// Topics lists the topics with a relevant document, in order. A topic without entries in the
	// run counts as 0.
	Topics []string
	// Values holds for each of [Measures] the figure of each topic.
	Values [][]float64
}

// Score measures a run with judgements.
func Score(run *Run, q Qrels) *Scores {
	s := &Scores{Run: run.Name, Values: make([][]float64, len(Measures))}
	for t, rel := range q {
		for _, r := range rel {
			if r > 0 {
				s.Topics = append(s.Topics, t)
				break
			}
		}
	}
	slices.SortFunc(s.Topics, byNumber)
	for _, t := range s.Topics {
		j := judge(run.Topics[t], q[t])
		for i, m := range Measures {
			s.Values[i] = append(s.Values[i], m.of(j))
		}
	}
	return s
}

// Floored returns the means that have floors, by measure.
func (s *Scores) Floored() map[string]float64 {
	out := map[string]float64{}
	for i, m := range Measures {
		if m.Name == "AP" || m.Name == "NDCG@10" || m.Name == "P@10" {
			out[m.Name] = stats.Mean(s.Values[i])
		}
	}
	return out
}
