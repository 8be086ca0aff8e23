package corpus

import (
	"sync"
	"sync/atomic"

	"chaffinch/format/vertical"
	"chaffinch/internal/wordtable"
)

// Values of tokens are numbered ahead of the builder, on several goroutines, in one table of words. Their numbers
// depend on the goroutines, but the index does not: words without tokens are left out, and the others are sorted.

// sharedWords are words that several goroutines number. The builder counts them.
type sharedWords struct {
	*words
	run  int // number of earlier runs of the column
	mu   sync.Mutex
	view atomic.Pointer[wordtable.View] // of the table
}

func newSharedWords(run int) *sharedWords {
	s := &sharedWords{words: newWords(), run: run}
	s.view.Store(s.table.View())
	return s
}

// update calls add, which adds words to the table, with the lock held.
func (s *sharedWords) update(add func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	add()
	if !s.view.Load().Covers(&s.table) {
		s.view.Store(s.table.View())
	}
}

// numberer numbers values of a column, on one goroutine.
type numberer struct {
	c       *column
	alone   bool // no other goroutine numbers values
	lex     *sharedWords
	finder  wordtable.Finder
	missing []int // values that are not in the view
}

// number is a [vertical.Numberer].
func (x *numberer) number(v *vertical.Column) error {
	if lex := x.c.shared.Load(); lex != x.lex {
		x.lex, x.finder = lex, wordtable.Finder{}
	}
	v.Table = x.lex.run
	if x.alone {
		x.lex.update(func() {
			for _, s := range v.Values {
				v.Numbers = append(v.Numbers, uint32(x.lex.table.Add(v.Data[s.From:s.To])))
			}
		})
		return nil
	}
	view := x.lex.view.Load()
	x.missing = x.missing[:0]
	for i, s := range v.Values {
		n := x.finder.Find(view, v.Data[s.From:s.To])
		if n < 0 {
			x.missing = append(x.missing, i)
		}
		v.Numbers = append(v.Numbers, uint32(n))
	}
	if len(x.missing) > 0 {
		x.lex.update(func() {
			for _, i := range x.missing {
				s := v.Values[i]
				v.Numbers[i] = uint32(x.lex.table.Add(v.Data[s.From:s.To]))
			}
		})
	}
	return nil
}
