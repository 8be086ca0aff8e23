package lines

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"

	"chaffinch/clean/justext"
)

// hashSet is a set of word hashes with linear probing; its zero value is empty.
type hashSet struct {
	slots []uint32
	shift uint
}

func newHashSet(hashes []uint32) *hashSet {
	size := max(4, bits.Len(uint(2*len(hashes))))
	set := &hashSet{make([]uint32, 1<<size), uint(32 - size)}
	for _, h := range hashes {
		h = max(h, 1)
		i := h * 0x9E3779B1 >> set.shift
		for set.slots[i] != 0 && set.slots[i] != h {
			i = (i + 1) & (1<<size - 1)
		}
		set.slots[i] = h
	}
	return set
}

// has reports whether the set has h; of nil it has none.
func (set *hashSet) has(h uint32) bool {
	if set == nil || len(set.slots) == 0 {
		return false
	}
	h = max(h, 1)
	for i := h * 0x9E3779B1 >> set.shift; ; i = (i + 1) & uint32(len(set.slots)-1) {
		if x := set.slots[i]; x == h {
			return true
		} else if x == 0 {
			return false
		}
	}
}

// functionSets are the sets of function words by language tag, made when a
// document first needs them.
var functionSets sync.Map // string to *hashSet, nil where there is no list

// functionWords returns the function words of a language, the embedded stop
// list of jusText; nil if there is none.
func functionWords(lang string) *hashSet {
	if set, ok := functionSets.Load(lang); ok {
		return set.(*hashSet)
	}
	var set *hashSet
	if list := justext.Embedded(lang); list != nil {
		var hashes []uint32
		for _, w := range list.Words() {
			for _, part := range strings.FieldsFunc(w, isApostrophe) { // as lines are cut into words
				hashes = append(hashes, wordHash(part))
			}
		}
		set = newHashSet(hashes)
	}
	if len(lang) <= maxTag { // bounds what strange tags can fill
		functionSets.Store(lang, set)
	}
	return set
}

// maxTag is the length of the longest language tag that is remembered.
const maxTag = 11

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// wordHash is the hash that measure gives a word without digits.
func wordHash(w string) uint32 {
	h := hashSeed
	for _, r := range w {
		h = (h ^ uint32(unicode.ToLower(r))) * hashPrime
	}
	return h
}
