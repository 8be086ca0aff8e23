package label

import (
	"math"
	"strconv"
	"strings"

	"chaffinch/internal/sorts"
)

// Reason is a feature of a document and its share in the score of a class.
type Reason struct {
	// Name is a word or a pair of words in quotes, the beginning or ending of words with a hyphen,
	// or the name of a statistic or of a kind of n-grams.
	Name string `json:"name"`
	// Weight is the sum of the feature's contributions to the score.
	Weight float64 `json:"weight"`
}

// Why returns up to n features of a document that contribute most to the score of a class. At most
// half of them are no words.
func (s *Scorer) Why(m *Model, d Doc, class, n int) (reasons []Reason) {
	s.Raw(m, d) // the norms
	found := map[string]float64{}
	for b := range Layout {
		if m.w.Scales[b] > 0 {
			s.nameGrams(m, d, b, class, found)
		}
	}
	if m.w.Scales[Layout] > 0 {
		s.nameLayout(m, class, found)
	}
	list := sorts.ByValue(found)
	others := n / 2
	for _, name := range list {
		if found[name] <= 0 || len(reasons) == n {
			break
		}
		if name[0] != '"' {
			if others == 0 {
				continue
			}
			others--
		}
		reasons = append(reasons, Reason{name, found[name]})
	}
	return reasons
}

// nameGrams adds the contributions of a block to found. The n-grams of shapes are one feature.
func (s *Scorer) nameGrams(m *Model, d Doc, b Block, class int, found map[string]float64) {
	grams := s.features.grams[b]
	count := map[uint32]int{}
	rows := make([]int, len(grams)) // -1 for unknown n-grams
	for i, h := range grams {
		rows[i] = -1
		if r, ok := m.row(h >> (32 - IDBits)); ok {
			rows[i] = int(r)
			count[r]++
		}
	}
	value := func(r uint32) float64 {
		return float64(logs[min(count[r], len(logs)-1)]) * float64(m.w.IDF[r]) * IDFStep
	}
	square := 0.0
	for r := range count {
		square += value(r) * value(r)
	}
	names := s.names(d, b)
	for i, r := range rows {
		if r < 0 {
			continue
		}
		// Each occurrence has the same share of the contribution of its n-gram.
		w := value(uint32(r)) / float64(count[uint32(r)]) * float64(m.w.Grams[r*len(m.w.Classes)+class])
		found[names(i)] += w * float64(m.w.Unit[class]) * float64(m.w.Scales[b]) / math.Sqrt(square)
	}
}

// names returns a function that names the n-gram with an index of the last document.
func (s *Scorer) names(d Doc, b Block) func(i int) string {
	var names []string
	switch b {
	case Words:
		for words := range s.features.windows {
			before := ""
			for _, w := range words {
				name := strings.ToLower(d.Text[w.start:w.end])
				names = append(names, strconv.Quote(name), strconv.Quote(strings.TrimSpace(before+" "+name)))
				before = name
			}
		}
	case Facts:
		for _, f := range d.Facts {
			names = append(names, "page: "+f)
		}
	case Frames:
		return func(int) string { return "order of words" }
	case Chars:
		return func(int) string { return "beginnings and endings of words" }
	default:
		return func(int) string { return "order of the lengths and forms of words" }
	}
	return func(i int) string { return names[i] }
}

// nameLayout adds the contributions of the statistics to found.
func (s *Scorer) nameLayout(m *Model, class int, found map[string]float64) {
	f, k := &s.features, len(m.w.Classes)
	for w, words := range f.weights {
		x := m.w.Scales[Layout] / layoutNorm * (float32(words) / float32(f.count))
		for i, v := range f.stats[w*Stats:][:Stats] {
			step := m.step(i, v)
			name := statNames[i] + " (many)"
			if step < Steps/2 {
				name = statNames[i] + " (few)"
			}
			found[name] += float64(x) * float64(m.w.Grams[(len(m.w.IDs)+i*Steps+step)*k+class]) * float64(m.w.Unit[class])
		}
	}
}
