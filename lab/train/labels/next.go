package labels

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/text/label"
)

// blockNames are the names of the blocks of features for users.
var blockNames = [label.Blocks]string{label.Words: "words", label.Chars: "chars", label.Shapes: "shapes", label.Frames: "frames", label.Facts: "url", label.Layout: "layout"}

// FeatureNames returns the names that [Scales] accepts.
func FeatureNames() []string { return slices.Clone(blockNames[:]) }

// Lengths of the blocks that [Default] does not use.
const (
	shapesScale = .5
	framesScale = .5
	urlScale    = 1
)

// Scales returns the lengths of the named blocks, 0 for the others.
func Scales(names []string) (scales [label.Blocks]float32, err error) {
	full := Default.Scales
	full[label.Shapes], full[label.Frames], full[label.Facts] = shapesScale, framesScale, urlScale
	for _, name := range names {
		b := slices.Index(blockNames[:], name)
		if b < 0 {
			return scales, fmt.Errorf("features %q: wanted some of %s", name, strings.Join(blockNames[:], ", "))
		}
		scales[b] = full[b]
	}
	return scales, nil
}

// Candidate is a document that an annotator should check or label.
type Candidate struct {
	ID string `json:"id"`
	// Class is a class of the document's labels, or the most probable class of an unlabelled
	// document. P is its probability.
	Class string  `json:"class"`
	P     float64 `json:"p"`
	// Better is the class that the model prefers, "" for none.
	Better string `json:"better,omitempty"`
}

// Doubtful returns up to n held-out documents with the least probable labels: labels that may be
// wrong. Labels of a probability of at least 1/2 are not listed.
func (r *Report) Doubtful(n int) (list []Candidate) {
	for _, p := range r.Predictions {
		worst := Candidate{ID: p.ID, P: .5}
		for c, class := range r.Classes {
			if p.P[c] < worst.P && slices.Contains(WithParents(p.Labels), class.Name) {
				worst.Class, worst.P = class.Name, p.P[c]
			}
		}
		if worst.Class == "" {
			continue
		}
		for _, f := range p.Found {
			if !slices.Contains(WithParents(p.Labels), f) {
				worst.Better = f
				break
			}
		}
		list = append(list, worst)
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(a.P, b.P) })
	return list[:min(n, len(list))]
}

// Next returns up to n unlabelled documents about which the model is most uncertain, the most
// uncertain first. Short documents are omitted.
func Next(m *label.Model, docs []Doc, n int) (list []Candidate) {
	s := label.NewScorer()
	doubts := map[string]float64{}
	for i := range docs {
		p, ok := s.Score(m, docs[i].Input())
		if !ok {
			continue
		}
		best := 0
		doubt := math.Inf(1)
		for c, class := range m.Classes() {
			if class.Parent < 0 && p[c] > p[best] {
				best = c
			}
			if m.Config().Several {
				doubt = min(doubt, math.Abs(p[c]-class.Limit))
			}
		}
		if !m.Config().Several {
			doubt = p[best]
		}
		doubts[docs[i].ID] = doubt
		list = append(list, Candidate{ID: docs[i].ID, Class: m.Classes()[best].Name, P: p[best]})
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(doubts[a.ID], doubts[b.ID]) })
	return list[:min(n, len(list))]
}

// Confusion is a number of documents of a class that got another one.
type Confusion struct {
	Class, Got string
	Docs       int
}

// Confusions returns the most frequent confusions, at most n.
func (r *Report) Confusions(n int) (list []Confusion) {
	for a, row := range r.Confusion {
		for b, docs := range row {
			if a != b && docs > 0 {
				list = append(list, Confusion{r.Classes[a].Name, r.Classes[b].Name, docs})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Confusion) int { return cmp.Compare(b.Docs, a.Docs) })
	return list[:min(n, len(list))]
}
