package blocks

import (
	"fmt"
	"math"

	"chaffinch/internal/boost"
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// clue identifies a feature of a labelled page that predicts how well it is labelled.
type clue int

// The clues. Words are the words of visible blocks.
const (
	clueF         clue = iota // expected F1 of the kept text
	cluePrecision             // expected precision and recall of the kept text
	clueRecall
	clueKept    // kept words
	clueAll     // words of the page
	clueShare   // kept words divided by the words of the page
	clueDoubt   // expected number of wrongly decided words
	clueSpread  // standard deviation of the words of wanted roles, if blocks were independent
	clueLargest // largest expected number of wrong words in one block
	clueUnsure  // words with a medium probability
	clueWeak    // kept words with a low probability
	clueMissed  // dropped words that are not improbable
	clueRegions // runs of kept blocks
	clueBlocks  // kept blocks
	clueGaps    // dropped words between the first and last kept block
	clueRegion  // share of the largest run
	clueGood    // share of running text
	clueLinks   // share of links
	clueRescued // text was kept only by rescue
	cluePolicy  // value of colPolicy
	clueTitle   // titles are wanted
	clueByline  // bylines are wanted
	cluePage    // scores of the page model, one per target
	clues       = cluePage + clue(pageTargets)
)

// Limits of probabilities in clues.
const (
	unsureFrom, unsureTo = .2, .8
	weakBelow            = .6
	missedFrom           = .1
)

// account accumulates the sums for the clues, part by part of a page.
type account struct {
	kept, all, hits, expected, doubt, variance, largest float64
	unsure, weak, missed, gaps, waiting, region, run    float64
	good, links                                         float64
	regions, blocks, parts                              int
	rescued, inside                                     bool
	page                                                [pageTargets]float64
	types                                               typeOdds
}

// add adds the blocks of s, whose labels are decided.
func (a *account) add(s *scratch) {
	a.parts++
	for t := range a.page {
		a.page[t] += float64(s.sheet.col(colPageArticle + column(t))[0])
	}
	for t, v := range s.types {
		a.types[t] += v
	}
	for i := range s.sheet.n {
		if s.sheet.blocks[i].hidden {
			continue
		}
		b := &s.sheet.blocks[i]
		w, p := float64(b.words), float64(s.keep[i])
		a.all += w
		a.expected += float64(w * p)
		a.doubt += float64(w * min(p, 1-p))
		a.variance += float64(w * w * p * (1 - p))
		a.largest = max(a.largest, w*min(p, 1-p))
		if unsureFrom < p && p < unsureTo {
			a.unsure += w
		}
		if s.kept[i] {
			a.keep(b, w, p)
			a.rescued = a.rescued || s.causes[i] == asRescued
		} else {
			a.leave(w, p)
		}
	}
}

// keep counts a kept block.
func (a *account) keep(b *blockStats, w, p float64) {
	if !a.inside {
		a.regions++
		a.run = 0
	}
	if a.blocks > 0 {
		a.gaps += a.waiting
	}
	a.waiting, a.inside = 0, true
	a.blocks++
	a.kept += w
	a.hits += float64(w * p)
	a.run += w
	a.region = max(a.region, a.run)
	a.links += b.linkWords
	if b.good {
		a.good += w
	}
	if p < weakBelow {
		a.weak += w
	}
}

// leave counts a dropped block.
func (a *account) leave(w, p float64) {
	a.inside = false
	a.waiting += w
	if p >= missedFrom {
		a.missed += w
	}
}

// typeOf returns the most probable type of the page and its probability, "" if it is unknown.
func (a *account) typeOf() (string, float64) {
	t, p := a.types.best()
	if t < 0 {
		return "", 0
	}
	return PageTypes[t], p / float64(a.parts)
}

// clues returns the clues computed from the sums, for the wanted roles.
func (a *account) clues(want page.Roles) (c [clues]float32) {
	set := func(k clue, v float64) { c[k] = float32(v) }
	both := a.kept + a.expected + 1
	kept := a.kept + 1
	set(clueF, 2*a.hits/both)
	set(cluePrecision, a.hits/kept)
	set(clueRecall, a.hits/(a.expected+1))
	set(clueKept, math.Log1p(a.kept))
	set(clueAll, math.Log1p(a.all))
	set(clueShare, a.kept/(a.all+1))
	set(clueDoubt, a.doubt/both)
	set(clueSpread, math.Sqrt(a.variance)/both)
	set(clueLargest, a.largest/both)
	set(clueUnsure, a.unsure/kept)
	set(clueWeak, a.weak/kept)
	set(clueMissed, a.missed/kept)
	set(clueRegions, float64(a.regions))
	set(clueBlocks, log1(int32(a.blocks)))
	set(clueGaps, a.gaps/kept)
	set(clueRegion, a.region/kept)
	set(clueGood, a.good/kept)
	set(clueLinks, a.links/kept)
	set(clueRescued, truth.Float64(a.rescued))
	set(cluePolicy, policyOf(want))
	set(clueTitle, truth.Float64(want.Has(page.RoleTitle)))
	set(clueByline, truth.Float64(want.Has(page.RoleByline)))
	for t, v := range a.page {
		set(cluePage+clue(t), v/float64(max(a.parts, 1)))
	}
	return c
}

// confidence predicts the probability that a page is labelled well.
type confidence struct {
	cuts   [clues][]float32
	forest *boost.Forest
}

// Bounds of a confidence. It is never certain, and 0 means unknown.
const leastConfidence, mostConfidence = .01, .99

// oneRow is the length of a column of a matrix with one row.
const oneRow = 1 + 2*boost.Pad

// of returns the confidence of a page with these clues.
func (m *confidence) of(c [clues]float32) float64 {
	var bins [clues][oneRow + boost.SpareBytes]uint8
	var cols [clues][]uint8
	for k := range bins {
		bins[k][boost.Pad] = boost.Bin(c[k], m.cuts[k])
		cols[k] = bins[k][:oneRow]
	}
	var z [1]float32
	m.forest.Score(&boost.Matrix{Rows: 1, Cols: cols[:]}, z[:])
	return min(max(float64(sigmoid(z[0])), leastConfidence), mostConfidence)
}

// clueNames holds the names of the clues in model files.
var clueNames = func() (names [clues]string) {
	copy(names[:], []string{
		"f", "precision", "recall", "kept", "all", "share", "doubt", "spread", "largest", "unsure", "weak", "missed",
		"regions", "blocks", "gaps", "region", "good", "links", "rescued", "policy", "title", "byline",
	})
	for t := range pageTargets {
		names[cluePage+clue(t)] = columnNames[colPageArticle+column(t)]
	}
	return names
}()

// append writes the name and cut points of each clue, then the forest.
func (m *confidence) append(b []byte) ([]byte, error) {
	b = append(b, byte(clues))
	for k, cuts := range m.cuts {
		b = append(b, byte(len(clueNames[k])))
		b = boost.AppendCuts(append(b, clueNames[k]...), cuts)
	}
	return m.forest.AppendBinary(b)
}

// readConfidence reads the output of append. It returns nil for other clues than the clues of this
// version: the model estimates no confidence.
func readConfidence(b []byte) (*confidence, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("empty, wanted the cuts of %d clues", clues)
	}
	if b[0] != byte(clues) {
		return nil, nil
	}
	m, b := new(confidence), b[1:]
	for k := range m.cuts {
		if len(b) < 1 || len(b) < 1+int(b[0]) {
			return nil, fmt.Errorf("ends in clue %d of %d", k, clues)
		}
		end := 1 + int(b[0])
		if name := string(b[1:end]); name != clueNames[k] {
			return nil, fmt.Errorf("clue %d is %q, this version computes %q: train the model again", k, name, clueNames[k])
		}
		var err error
		if m.cuts[k], b, err = boost.ReadCuts(b[end:]); err != nil {
			return nil, fmt.Errorf("clue %s: %w", clueNames[k], err)
		}
	}
	m.forest = new(boost.Forest)
	if err := m.forest.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if m.forest.Columns() > int(clues) {
		return nil, fmt.Errorf("clue %d of %d", m.forest.Columns()-1, clues)
	}
	for _, f := range m.forest.Used() {
		if f.Shift != 0 {
			return nil, fmt.Errorf("clue of another page, offset %d", f.Shift)
		}
	}
	return m, nil
}
