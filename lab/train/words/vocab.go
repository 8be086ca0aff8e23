package words

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/text/lm"
)

// vocab assigns ids to words in the order of first occurrence.
type vocab struct {
	text  []byte
	ends  []uint64 // end of each word in text
	hash  []uint64
	slots []uint64 // open addressing: 0 is free, otherwise id+1 with the upper half of the hash above it
	raw   []uint64 // occurrences
	mass  []uint64 // weighted occurrences in ticks
}

func newVocab() *vocab {
	v := &vocab{slots: make([]uint64, 1<<16)}
	for _, w := range []string{"<unk>", "<s>", "</s>"} {
		v.id([]byte(w))
	}
	return v
}

func (v *vocab) len() int { return len(v.ends) }

func (v *vocab) word(id uint32) []byte {
	from := uint64(0)
	if id > 0 {
		from = v.ends[id-1]
	}
	return v.text[from:v.ends[id]]
}

func (v *vocab) id(word []byte) uint32 {
	h := xxh3.Hash(word)
	mask := uint64(len(v.slots) - 1)
	for s := h & mask; ; s = (s + 1) & mask {
		e := v.slots[s]
		if e == 0 {
			id := uint32(len(v.ends))
			v.text = append(v.text, word...)
			v.ends = append(v.ends, uint64(len(v.text)))
			v.hash = append(v.hash, h)
			v.raw = append(v.raw, 0)
			v.mass = append(v.mass, 0)
			v.slots[s] = h>>32<<32 | uint64(id+1)
			if 2*len(v.ends) > len(v.slots) {
				v.rehash()
			}
			return id
		}
		if id := uint32(e) - 1; e>>32 == h>>32 && string(v.word(id)) == string(word) {
			return id
		}
	}
}

func (v *vocab) rehash() {
	v.slots = make([]uint64, 2*len(v.slots))
	mask := uint64(len(v.slots) - 1)
	for id, h := range v.hash {
		s := h & mask
		for v.slots[s] != 0 {
			s = (s + 1) & mask
		}
		v.slots[s] = h>>32<<32 | uint64(id+1)
	}
}

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
		return cmp.Or(cmp.Compare(v.raw[b], v.raw[a]), cmp.Compare(a, b))
	})
	keep := len(f.old)
	if c.Words > 0 {
		keep = min(keep, max(c.Words, lm.Special))
	}
	for keep > lm.Special && v.raw[f.old[keep-1]] <= c.prune(1) {
		keep--
	}
	for id, old := range f.old {
		f.ids[old] = uint32(id)
		if id < keep {
			f.words = append(f.words, string(v.word(old)))
		}
	}
	return f
}

// keeps reports whether the word with this final id is in the model.
func (f *final) keeps(id uint32) bool { return int(id) < len(f.words) }
