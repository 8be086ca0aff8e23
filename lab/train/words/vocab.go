package words

import (
	"cmp"
	"slices"

	"chaffinch/internal/wordtable"
	"chaffinch/text/lm"
)

// vocab assigns ids to words in the order of first occurrence.
type vocab struct {
	words  wordtable.Words
	counts []wordCount // of the words counted so far
}

// wordCount holds the occurrences of a word.
type wordCount struct {
	raw  uint64
	mass uint64 // weighted, in ticks
}

func newVocab() *vocab {
	v := new(vocab)
	for _, w := range []string{"<unk>", "<s>", "</s>"} {
		v.id([]byte(w))
	}
	return v
}

func (v *vocab) len() int { return v.words.Len() }

// id returns the id of a word, which it adds if it is new.
func (v *vocab) id(word []byte) uint32 { return uint32(v.words.Add(word)) }

// final is the vocabulary of the model: kept words have ids below len(words) in descending order of
// frequency; the others follow.
type final struct {
	words []string
	ids   []uint32 // from the id in counting to the id in the model
	old   []uint32 // the inverse
}

func (v *vocab) final(c *Config) *final {
	f := &final{old: make([]uint32, v.len()), ids: make([]uint32, v.len())}
	for i := range f.old {
		f.old[i] = uint32(i)
	}
	slices.SortFunc(f.old[lm.Special:], func(a, b uint32) int {
		return cmp.Or(cmp.Compare(v.counts[b].raw, v.counts[a].raw), cmp.Compare(a, b))
	})
	keep := len(f.old)
	if c.Words > 0 {
		keep = min(keep, max(c.Words, lm.Special))
	}
	for keep > lm.Special && v.counts[f.old[keep-1]].raw <= c.prune(1) {
		keep--
	}
	for id, old := range f.old {
		f.ids[old] = uint32(id)
		if id < keep {
			f.words = append(f.words, string(v.words.Word(int(old))))
		}
	}
	return f
}

// keeps reports whether the word with this final id is in the model.
func (f *final) keeps(id uint32) bool { return int(id) < len(f.words) }
