package corpus

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode"

	"chaffinch/internal/timecheck"
)

// none is the key of excluded words.
const none = math.MaxUint32

// vocabulary assigns the values of an attribute in one or several corpora common
// numbers, their keys. It holds 4 bytes per value and no strings.
type vocabulary struct {
	corpora []*Corpus
	attrs   []*Attr
	fold    bool
	memory  int64      // for sorting n-grams; 0 = sortMemory
	from    []uint32   // key of the first value of each corpus, followed by the end
	keys    [][]uint32 // key of each value of each corpus
	order   []uint32   // first key of the word of each arranged key; nil: not arranged
}

// newVocabulary numbers the values of attr that pass keep; nil keeps all. With fold,
// values that differ only in case share a key, and keep receives them in lower case.
func newVocabulary(ctx context.Context, attr string, fold bool, keep *wordFilter, corpora ...*Corpus) (*vocabulary, error) {
	v := &vocabulary{corpora: corpora, fold: fold, from: []uint32{0}}
	total := 0
	for _, c := range corpora {
		a, err := c.Attr(attr)
		if err != nil {
			return nil, err
		}
		v.attrs = append(v.attrs, a)
		total += a.Len()
		if total >= none {
			return nil, fmt.Errorf("more than %d different values: compare corpora with smaller vocabularies", uint32(none-1))
		}
		v.from = append(v.from, uint32(total))
	}
	work := timecheck.New(ctx)
	var rest map[string]uint32 // lower-case forms that are not values themselves
	for c, a := range v.attrs {
		keys := make([]uint32, a.Len())
		for id := range keys {
			keys[id] = none
			w := a.Word(uint32(id))
			if err := work.Done(len(w) * keep.cost()); err != nil {
				return nil, err
			}
			t := w
			if fold {
				t = lower(w)
			}
			if !keep.lets(ctx, t) {
				continue
			}
			own := v.from[c] + uint32(id)
			if c == 0 && t == w {
				keys[id] = own
				continue
			}
			k, ok := v.find(t)
			if !ok {
				if k, ok = rest[t]; !ok {
					if rest == nil {
						rest = map[string]uint32{}
					}
					k = own
					rest[strings.Clone(t)] = k
				}
			}
			keys[id] = k
		}
		v.keys = append(v.keys, keys)
	}
	return v, ctx.Err() // a match may have been interrupted
}

// find returns the key of a value in the first corpus that has it.
func (v *vocabulary) find(word string) (uint32, bool) {
	for c, a := range v.attrs {
		if id, ok := a.ID(word); ok {
			return v.from[c] + id, true
		}
	}
	return 0, false
}

// len returns one more than the largest key.
func (v *vocabulary) len() int { return int(v.from[len(v.attrs)]) }

// word returns the value of a key.
func (v *vocabulary) word(key uint32) string {
	if v.order != nil {
		key = v.order[key]
	}
	c := 0
	for key >= v.from[c+1] {
		c++
	}
	w := v.attrs[c].Word(key - v.from[c])
	if v.fold {
		return lower(w)
	}
	return w
}

// arrange renumbers the keys in the order of their words.
func (v *vocabulary) arrange(ctx context.Context) error {
	if !v.fold && len(v.attrs) == 1 {
		return nil // the values are sorted
	}
	used := make([]bool, v.len())
	for _, keys := range v.keys {
		for _, k := range keys {
			if k != none {
				used[k] = true
			}
		}
	}
	var order []uint32
	for k, u := range used {
		if u {
			order = append(order, uint32(k))
		}
	}
	d := newDeadline(ctx)
	sortUntil(d, order, func(a, b uint32) int { return strings.Compare(v.word(a), v.word(b)) })
	if d.Err() != nil {
		return d.Err()
	}
	rank := make([]uint32, v.len())
	for i, k := range order {
		rank[k] = uint32(i)
	}
	for _, keys := range v.keys {
		for id, k := range keys {
			if k != none {
				keys[id] = rank[k]
			}
		}
	}
	v.order = order
	return nil
}

// key returns the key of a word of an arranged vocabulary of one corpus.
func (v *vocabulary) key(word string) (uint32, bool) {
	n := v.attrs[0].Len()
	if v.order != nil {
		n = len(v.order)
	}
	k := sort.Search(n, func(i int) bool { return v.word(uint32(i)) >= word })
	return uint32(k), k < n && v.word(uint32(k)) == word
}

// words joins the values of keys with spaces.
func (v *vocabulary) words(keys []uint32) string {
	if len(keys) == 1 {
		return v.word(keys[0])
	}
	return strings.Join(v.list(keys), " ")
}

// list returns the values of keys.
func (v *vocabulary) list(keys []uint32) []string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = v.word(k)
	}
	return parts
}

// counts returns the frequency of every key in corpus c.
func (v *vocabulary) counts(ctx context.Context, c int) ([]int64, error) {
	out := make([]int64, v.len())
	work := timecheck.New(ctx)
	if v.corpora[c].sub != nil {
		for start, end := range v.corpora[c].intervals() {
			for pos := start; pos < end; pos++ {
				if err := work.Done(0); err != nil {
					return nil, err
				}
				if k := v.keys[c][v.attrs[c].At(pos)]; k != none {
					out[k]++
				}
			}
		}
		return out, nil
	}
	for id, k := range v.keys[c] {
		if err := work.Done(0); err != nil {
			return nil, err
		}
		if k != none {
			out[k] += v.attrs[c].Freq(uint32(id))
		}
	}
	return out, nil
}

// wordlike reports whether s has a letter, unlike numbers and punctuation.
func wordlike(s string) bool {
	for _, r := range s {
		if r < 0x80 {
			if 'a' <= r|0x20 && r|0x20 <= 'z' {
				return true
			}
		} else if unicode.IsLetter(r) {
			return true
		}
	}
	return false
}
