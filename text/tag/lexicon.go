package tag

import (
	"fmt"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"
)

// lexicon finds words by their normalized form. It holds all forms in one string and each list of
// readings once, without pointers per word: a lexicon has up to 200,000 words.
type lexicon struct {
	text  string // all forms, one after another
	rows  []wordRow
	lists [][]Reading
	slots []uint32 // open addressing by hash: index of the word plus one, and eight bits of the hash
}

// wordRow is a word of a lexicon: where its form ends, and the number of its list with its count.
type wordRow struct{ end, list uint32 }

const (
	countBits = 4 // of wordRow.list; MaxCount fits
	indexBits = 24
	// maxWords is the maximum number of words of a lexicon.
	maxWords = 1<<indexBits - 2
)

// lexiconBuilder collects the words of a lexicon.
type lexiconBuilder struct {
	text  []byte
	rows  []wordRow
	lists [][]Reading
}

// add appends a word, given the number of its list.
func (b *lexiconBuilder) add(count, list int) {
	b.rows = append(b.rows, wordRow{uint32(len(b.text)), uint32(list)<<countBits | uint32(count)})
}

// newLexicon returns a lexicon of words that were checked.
func newLexicon(words []Word) lexicon {
	var b lexiconBuilder
	numbers := map[string]int{}
	var key []byte
	for i := range words {
		w := &words[i]
		key = appendReadings(key[:0], w.Readings)
		n, ok := numbers[string(key)]
		if !ok {
			n = len(b.lists)
			numbers[string(key)] = n
			b.lists = append(b.lists, w.Readings)
		}
		b.text = append(b.text, w.Form...)
		b.add(w.Count, n)
	}
	return b.lexicon()
}

// lexicon returns the lexicon of the added words.
func (b *lexiconBuilder) lexicon() lexicon {
	size := 16
	for size < len(b.rows)*4/3 {
		size *= 2
	}
	l := lexicon{text: string(b.text), rows: b.rows, lists: b.lists, slots: make([]uint32, size)}
	for i := range l.rows {
		hash := xxh3.HashString(l.form(i))
		at := l.slot(hash)
		for l.slots[at] != 0 {
			at = (at + 1) & (len(l.slots) - 1)
		}
		l.slots[at] = uint32(i+1) | uint32(hash>>32)&^(1<<indexBits-1)
	}
	return l
}

func (l *lexicon) slot(hash uint64) int { return int(hash & uint64(len(l.slots)-1)) }

// form returns the form of the i-th word.
func (l *lexicon) form(i int) string {
	from := uint32(0)
	if i > 0 {
		from = l.rows[i-1].end
	}
	return l.text[from:l.rows[i].end]
}

// word returns the i-th word.
func (l *lexicon) word(i int) Word {
	n := l.rows[i].list
	return Word{Form: l.form(i), Count: int(n & (1<<countBits - 1)), Readings: l.lists[n>>countBits]}
}

// all ranges over the words in order.
func (l *lexicon) all() iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for i := range l.rows {
			if !yield(l.word(i)) {
				return
			}
		}
	}
}

// len returns the number of words.
func (l *lexicon) len() int { return len(l.rows) }

// index returns the index of a word, and reports whether the lexicon has it.
func (l *lexicon) index(form string, hash uint64) (int, bool) {
	mark := uint32(hash>>32) &^ (1<<indexBits - 1)
	for at := l.slot(hash); ; at = (at + 1) & (len(l.slots) - 1) {
		s := l.slots[at]
		if s == 0 {
			return 0, false
		}
		if s&^(1<<indexBits-1) != mark {
			continue
		}
		if i := int(s&(1<<indexBits-1)) - 1; l.form(i) == form {
			return i, true
		}
	}
}

// find returns a word, without readings if there is none.
func (l *lexicon) find(form string, hash uint64) Word {
	if i, ok := l.index(form, hash); ok {
		return l.word(i)
	}
	return Word{}
}

// get returns a word, without readings if there is none.
func (l *lexicon) get(form string) Word { return l.find(form, xxh3.HashString(form)) }

// offers reports whether a form has a reading with a script.
func (l *lexicon) offers(form string, script uint16) bool {
	return slices.ContainsFunc(l.get(form).Readings, func(r Reading) bool { return r.Script == script })
}

// has reports whether the lexicon has a word.
func (l *lexicon) has(form string) bool {
	_, ok := l.index(form, xxh3.HashString(form))
	return ok
}

// check returns an error if a word is listed twice in a row, or has readings of other tags or scripts;
// scripts is -1 if there are none.
func (l *lexicon) check(tags, scripts int) error {
	for i := range l.rows {
		if w := l.word(i); i > 0 && w.Form == l.form(i-1) || len(w.Readings) == 0 {
			return fmt.Errorf("word %q: no readings, or listed twice", w.Form)
		}
	}
	for _, list := range l.lists {
		for _, r := range list {
			if int(r.Tag) >= tags || scripts >= 0 && int(r.Script) >= scripts {
				return fmt.Errorf("tag %d of %d, script %d of %d", r.Tag, tags, r.Script, scripts)
			}
		}
	}
	return nil
}
