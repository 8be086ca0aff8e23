package labels

import (
	"math"
	"math/bits"
	"slices"

	"chaffinch/text/label"
)

// gram is an n-gram of a document, with 1 + ln of the number of its occurrences.
type gram struct {
	id    uint32
	value float32
}

// extracted holds the features of a document before they are weighted.
type extracted struct {
	grams   [label.Layout][]gram
	stats   []float32 // of its windows, label.Stats each
	windows []float32 // share of the words in each window
	words   int
	weight  float64 // of its loss
}

// extract returns the features of a document.
func extract(f *label.Features, d label.Doc, cfg *label.Config) *extracted {
	f.Read(d, cfg)
	words, stats := f.Windows()
	e := &extracted{stats: slices.Clone(stats), weight: 1}
	for b := range label.Layout {
		e.grams[b] = countGrams(f.Grams(b))
	}
	for _, n := range words {
		e.words += n
	}
	for _, n := range words {
		e.windows = append(e.windows, float32(n)/float32(e.words))
	}
	return e
}

// countGrams returns the different n-grams of a list.
func countGrams(hashes []uint32) (list []gram) {
	ids := make([]uint32, len(hashes))
	for i, h := range hashes {
		ids[i] = h >> (32 - label.IDBits)
	}
	slices.Sort(ids)
	for i := 0; i < len(ids); {
		j := i
		for j < len(ids) && ids[j] == ids[i] {
			j++
		}
		list = append(list, gram{ids[i], float32(1 + math.Log(float64(min(j-i, maxCount))))})
		i = j
	}
	return list
}

// maxCount is the number of occurrences from which all numbers count the same, as in scoring.
const maxCount = 255

// feature is a weighted feature of a training document, by its row.
type feature struct {
	row   uint32
	value float32
}

// space maps features to rows of weights: the n-grams in the order of their ids, then the steps of
// the statistics.
type space struct {
	scales [label.Blocks]float32
	rows   []int32  // by id: row + 1, or 0 for n-grams without weights
	used   []uint64 // a bit for each id: whether a document has the n-gram
	ids    []uint32
	idf    []uint8
	cuts   [][]float32
	size   int
}

// newSpace selects the n-grams of at least so many documents that no more than limit are left. The elements
// of rows, one for each id, are 0, and are set until [space.release].
func newSpace(docs []*extracted, cfg *Config, rows []int32) *space {
	s := &space{scales: cfg.Scales, rows: rows, used: make([]uint64, len(rows)/64)}
	df := s.rows
	for _, d := range docs {
		for _, list := range d.grams {
			for _, g := range list {
				df[g.id]++
				s.used[g.id/64] |= 1 << (g.id % 64)
			}
		}
	}
	least := int32(s.leastDocs(cfg))
	n := float64(len(docs))
	for id := range s.all {
		k := df[id]
		if k < least {
			df[id] = 0
			continue
		}
		s.ids = append(s.ids, id)
		df[id] = int32(len(s.ids))
		idf := 1 + math.Log((1+n)/(1+float64(k)))
		s.idf = append(s.idf, uint8(min(255, math.Round(idf/label.IDFStep))))
	}
	s.cuts = cutsOf(docs)
	s.size = len(s.ids) + label.Stats*label.Steps
	return s
}

// all yields the ids of the n-grams of the documents, ascending.
func (s *space) all(yield func(id uint32) bool) {
	for i, word := range s.used {
		for ; word != 0; word &= word - 1 {
			if !yield(uint32(64*i + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// release sets the rows to 0 again. After it, vector must not be called.
func (s *space) release() {
	for _, id := range s.ids {
		s.rows[id] = 0
	}
	s.rows, s.used = nil, nil
}

// leastDocs returns the minimum number of documents of an n-gram with weights. The rows are numbers of documents.
func (s *space) leastDocs(c *Config) int {
	const most = 1000
	var atLeast [most + 1]int
	for id := range s.all {
		atLeast[min(s.rows[id], most)]++
	}
	left := 0
	for n := most; n > c.MinDocs; n-- {
		if left += atLeast[n]; left > c.MaxFeatures {
			return n + 1
		}
	}
	if left+atLeast[c.MinDocs] > c.MaxFeatures {
		return c.MinDocs + 1
	}
	return c.MinDocs
}

// cutsOf returns the cuts of the statistics: quantiles over all windows.
func cutsOf(docs []*extracted) (cuts [][]float32) {
	var values []float32
	for c := range label.Stats {
		values = values[:0]
		for _, d := range docs {
			for w := range len(d.stats) / label.Stats {
				values = append(values, d.stats[w*label.Stats+c])
			}
		}
		slices.Sort(values)
		list := make([]float32, label.Steps-1)
		if len(values) > 0 {
			for k := range list {
				list[k] = values[len(values)*(k+1)/label.Steps]
			}
		}
		cuts = append(cuts, list)
	}
	return cuts
}

// vector returns the weighted features of a document.
func (s *space) vector(d *extracted) (v []feature) {
	for b, list := range d.grams {
		from, sum := len(v), 0.0
		for _, g := range list {
			if r := s.rows[g.id] - 1; r >= 0 {
				x := g.value * (float32(s.idf[r]) * label.IDFStep)
				v = append(v, feature{uint32(r), x})
				sum += float64(float64(x) * float64(x))
			}
		}
		if sum > 0 {
			x := s.scales[b] / float32(math.Sqrt(sum))
			for i := range v[from:] {
				v[from+i].value *= x
			}
		}
	}
	return s.appendLayout(v, d)
}

// appendLayout appends the steps of the statistics.
func (s *space) appendLayout(v []feature, d *extracted) []feature {
	if len(d.stats) == 0 {
		return v
	}
	var hot [label.Stats * label.Steps]float32
	for w, share := range d.windows {
		for c := range label.Stats {
			k := 0
			for _, cut := range s.cuts[c] {
				if d.stats[w*label.Stats+c] >= cut {
					k++
				}
			}
			hot[c*label.Steps+k] += share
		}
	}
	x := s.scales[label.Layout] / float32(math.Sqrt(label.Stats))
	for i, h := range hot {
		if h > 0 {
			v = append(v, feature{uint32(len(s.ids) + i), h * x})
		}
	}
	return v
}
