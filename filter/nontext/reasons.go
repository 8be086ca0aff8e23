package nontext

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Why names up to n features that contribute most to non-text. At most half of them are words
// and pairs of words, in quotes; the others are names of statistics and kinds of n-grams.
func (s *Scorer) Why(m *Model, text string, n int) (reasons []string) {
	weights := map[string]float32{}
	for at := 0; at < len(text); {
		if s.words, at = scan(text, at, s.words); len(s.words) == 0 {
			break
		}
		s.reasons(m, text, weights)
	}
	list := slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	quoted, named := n/2, n-n/2
	for _, r := range list {
		if weights[r] <= 0 {
			break
		}
		left := &named
		if r[0] == '"' {
			left = &quoted
		}
		if *left > 0 {
			*left--
			reasons = append(reasons, r)
		}
	}
	return reasons
}

// reasons adds the contributions of the features of a window to weights. Words and pairs are
// listed separately. N-grams of frames, of characters and of shapes are summed by kind.
func (s *Scorer) reasons(m *Model, text string, weights map[string]float32) {
	words := s.words
	s.grams = ngrams(s.grams[:0], text, words, &m.cfg)
	unit := m.unit / sqrt(float32(max(1, len(s.grams)))) * float32(len(words))
	weigh := func(g uint32) float32 { return float32(unit * float32(m.weights[g])) }
	if m.cfg.Words {
		for i := range words {
			g := s.grams[gramsOfWord*i:]
			w := strings.ToLower(text[words[i].start:words[i].end])
			weights[strconv.Quote(w)] += weigh(g[0])
			if i > 0 {
				weights[strconv.Quote(strings.ToLower(text[words[i-1].start:words[i-1].end])+" "+w)] += weigh(g[1])
			}
			weights["order of words"] += weigh(g[2]) + weigh(g[3])
		}
		for _, g := range s.grams[gramsOfWord*len(words):] {
			weights["strings of characters"] += weigh(g)
		}
	} else {
		for _, g := range s.grams {
			weights["order of the lengths and forms of words"] += weigh(g)
		}
	}
	s.stats.find(words)
	for i, v := range s.stats.out {
		k := m.step(i, v)
		more := " (many)"
		if k < Steps/2 {
			more = " (few)"
		}
		weights[statNames[i]+more] += float32(m.stats[i][k] * float32(len(words)))
	}
}
