package wordtable

import (
	"hash/maphash"
	"sync/atomic"
)

// View finds the words of a [Words] while another goroutine adds words. Words that were added after the
// view was made may be missing from it. Words must not be removed.
type View struct {
	slots []slot
	text  []byte   // up to its capacity, because words are added in place
	ends  []uint64 // the same
	seed  maphash.Seed
}

// View returns a view of the words. The caller must synchronize it with Add.
func (w *Words) View() *View {
	return &View{w.slots, w.text[:cap(w.text)], w.ends[:cap(w.ends)], w.seed}
}

// Covers reports whether v finds all words of w that were added before.
func (v *View) Covers(w *Words) bool {
	return len(v.slots) == len(w.slots) && len(v.text) == cap(w.text) && len(v.ends) == cap(w.ends)
}

// find returns the number of a word, or -1 if it is missing from the view.
func (v *View) find(word []byte) int {
	if len(v.slots) == 0 {
		return -1
	}
	hash := uint32(maphash.Bytes(v.seed, word))
	mask := uint32(len(v.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := slot(atomic.LoadUint64((*uint64)(&v.slots[at])))
		if s == 0 {
			return -1
		}
		if s.hash() != hash {
			continue
		}
		n, from := s.number(), uint64(0)
		if n >= len(v.ends) {
			return -1
		}
		if n > 0 {
			from = v.ends[n-1]
		}
		if to := v.ends[n]; to > uint64(len(v.text)) {
			return -1
		} else if string(v.text[from:to]) == string(word) {
			return n
		}
	}
}

// Finder finds words in views of one [Words], on one goroutine. The zero value is ready for use.
type Finder struct {
	recent []recentWord
}

// Find returns the number of a word, or -1 if it is missing from the view. Find may read bytes after the
// word up to its capacity.
func (f *Finder) Find(v *View, word []byte) int { return recently(&f.recent, word, v.find) }
