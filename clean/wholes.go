package clean

import (
	"sync"
	"unicode/utf8"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// CellLabeller is a Labeller whose verdicts stay as they are. After all others a
// [Stage] keeps or leaves out data tables and lists as wholes.
type CellLabeller interface {
	Labeller
	// Cells reports that the labeller decides wholes itself, or each cell for
	// itself as the program does that it is bug-compatible with.
	Cells() bool
}

// Settles reports whether wholes are decided after the labeller.
func Settles(l Labeller) bool {
	c, ok := l.(CellLabeller)
	return !ok || !c.Cells()
}

var wholesPool = sync.Pool{New: func() any { return new(wholes) }}

// wholes decides wholes by the verdicts of their blocks.
type wholes struct {
	layout.Wholes
	counts []wholeCount
}

// wholeCount is what verdicts say of a whole, in characters.
type wholeCount struct {
	kept, all int
	labelled  bool
}

// Explanations of what was decided for the sake of a whole, by kind.
var (
	whyKept    = [...]string{layout.ListWhole: "its list is kept", layout.TableWhole: "its table is kept"}
	whyLeftOut = [...]string{layout.ListWhole: "its list is left out", layout.TableWhole: "its table is left out"}
)

// settle keeps the wholes of p of which at least half of the text is kept, and
// leaves out the others. A whole that no block has a label of stays without.
func settle(p *page.Page, verdicts []page.Verdict) {
	w := wholesPool.Get().(*wholes)
	defer wholesPool.Put(w)
	w.Find(p)
	if len(w.Kinds) == 1 {
		return
	}
	w.counts = append(w.counts[:0], make([]wholeCount, len(w.Kinds))...)
	for i := range verdicts {
		v, c := &verdicts[i], &w.counts[w.Of[i]]
		if w.Of[i] == 0 {
			continue
		}
		c.all += p.Blocks[i].Chars()
		c.kept += keptChars(&p.Blocks[i], v)
		c.labelled = c.labelled || v.Label != page.Unknown
	}
	for i := range verdicts {
		v, of := &verdicts[i], w.Of[i]
		c := &w.counts[of]
		if of == 0 || !c.labelled {
			continue
		}
		keep := 2*c.kept >= c.all
		if keep == v.Label.Keep() && (!keep || keptChars(&p.Blocks[i], v) == p.Blocks[i].Chars()) {
			continue
		}
		v.Sentences = nil
		if keep {
			v.Label, v.Why = page.Good, whyKept[w.Kinds[of]]
		} else {
			v.Label, v.Why = page.Bad, whyLeftOut[w.Kinds[of]]
		}
	}
}

// keptChars returns how many characters of b the verdict keeps.
func keptChars(b *page.Block, v *page.Verdict) int {
	if !v.Label.Keep() {
		return 0
	}
	n, all := 0, true
	for _, s := range v.Sentences {
		if s.Label.Keep() {
			n += utf8.RuneCountInString(b.Text[s.Start:s.End])
		} else {
			all = false
		}
	}
	if all {
		return b.Chars()
	}
	return n
}
