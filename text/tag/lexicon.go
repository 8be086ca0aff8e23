package tag

import "github.com/zeebo/xxh3"

// lexicon finds words by their normalized form.
type lexicon struct {
	words []Word
	slots []uint32 // open addressing by hash: index of the word plus one
}

func newLexicon(words []Word) lexicon {
	size := 16
	for size < 2*len(words) {
		size *= 2
	}
	l := lexicon{words: words, slots: make([]uint32, size)}
	for i := range words {
		at := l.slot(xxh3.HashString(words[i].Form))
		for l.slots[at] != 0 {
			at = (at + 1) & (len(l.slots) - 1)
		}
		l.slots[at] = uint32(i + 1)
	}
	return l
}

func (l *lexicon) slot(hash uint64) int { return int(hash & uint64(len(l.slots)-1)) }

// find returns a word, nil if there is none.
func (l *lexicon) find(form string, hash uint64) *Word {
	for at := l.slot(hash); ; at = (at + 1) & (len(l.slots) - 1) {
		i := l.slots[at]
		if i == 0 {
			return nil
		}
		if w := &l.words[i-1]; w.Form == form {
			return w
		}
	}
}

// get returns a word, nil if there is none.
func (l *lexicon) get(form string) *Word { return l.find(form, xxh3.HashString(form)) }

// has reports whether the lexicon has a word.
func (l *lexicon) has(form string) bool { return l.get(form) != nil }
