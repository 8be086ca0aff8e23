package clean

import (
	"sync"
	"unicode/utf8"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// CellLabeller is a [Labeller] whose verdicts a [Stage] does not change. For other
// labellers, a [Stage] keeps or drops data tables and lists as a whole.
type CellLabeller interface {
	Labeller
	// Cells reports whether the verdicts are final: the labeller decides tables and lists
	// itself, or decides each cell separately like the program that it is bug-compatible
	// with.
	Cells() bool
}

// Settles reports whether tables and lists are decided as a whole after l.
func Settles(l Labeller) bool {
	c, ok := l.(CellLabeller)
	return !ok || !c.Cells()
}

var wholesPool = sync.Pool{New: func() any { return new(wholes) }}

// wholes decides wholes by the verdicts of their blocks.
type wholes struct {
	layout.Units
	counts []wholeCount
}

// wholeCount holds the kept and total characters of a table or list.
type wholeCount struct {
	kept, all int
	labelled  bool
}

// Explanations of verdicts that were changed for the whole table or list, by kind.
var (
	whyKept    = [...]string{layout.ListUnit: "its list is kept", layout.TableUnit: "its table is kept"}
	whyLeftOut = [...]string{layout.ListUnit: "its list is left out", layout.TableUnit: "its table is left out"}
)

// settle keeps the tables and lists of p of which at least half of the text is kept, and
// drops the others. It does not change a table or list without labelled blocks.
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
			v.Label, v.Reason = page.Good, whyKept[w.Kinds[of]]
		} else {
			v.Label, v.Reason = page.Bad, whyLeftOut[w.Kinds[of]]
		}
	}
}

// keptChars returns the number of characters of b that the verdict keeps.
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
