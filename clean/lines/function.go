package lines

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"

	"chaffinch/clean/justext"
)

// functionList maps the hashes of function words of a language and of English to their kind.
// It is a hash table with linear probing.
type functionList struct {
	listed bool // the language has a list
	slots  []uint32
	kinds  []functionKind // by slot
	shift  uint
}

// functionKind is the set of languages that a word is a function word of: the document's
// language, English, both or none.
type functionKind uint8

const (
	ofLanguage functionKind = 1 << iota
	ofEnglish
)

// newFunctionList returns the list of the function words of a language and of English.
func newFunctionList(own, english []uint32) *functionList {
	size := max(4, bits.Len(uint(8*(len(own)+len(english)))))
	list := &functionList{own != nil, make([]uint32, 1<<size), make([]functionKind, 1<<size), uint(32 - size)}
	for _, h := range own {
		i := list.find(h)
		list.slots[i] = max(h, 1)
		list.kinds[i] |= ofLanguage
	}
	for _, h := range english {
		i := list.find(h)
		list.slots[i] = max(h, 1)
		list.kinds[i] |= ofEnglish
	}
	return list
}

// find returns the slot of a hash, or the free slot to insert it.
func (list *functionList) find(h uint32) uint32 {
	h = max(h, 1)
	slots := list.slots
	i := h * 0x9E3779B1 >> (list.shift & 31)
	for {
		if x := slots[i]; uint64(x)*uint64(x^h) == 0 { // x is h or 0, as one branch
			return i
		}
		i = (i + 1) & uint32(len(slots)-1)
	}
}

// kind returns the kind of the word with this hash.
func (list *functionList) kind(h uint32) functionKind {
	return list.kinds[list.find(h)] // 0 for a free slot
}

// functionLists caches the lists by language tag.
var functionLists sync.Map // string to *functionList

// functionWords returns the function words of a language, taken from the embedded stop list
// of jusText, and the function words of English.
func functionWords(lang string) *functionList {
	if list, ok := functionLists.Load(lang); ok {
		return list.(*functionList)
	}
	list := newFunctionList(stopHashes(lang), stopHashes("en"))
	if len(lang) <= maxTag { // limit the memory for invalid tags
		functionLists.Store(lang, list)
	}
	return list
}

// stopHashes returns the hashes of the stop words of a language, nil if there is no list.
func stopHashes(lang string) []uint32 {
	list := justext.Embedded(lang)
	if list == nil {
		return nil
	}
	hashes := []uint32{}
	for _, w := range list.Words() {
		for _, part := range strings.FieldsFunc(w, isApostrophe) { // split like the words of lines
			hashes = append(hashes, wordHash(part))
		}
	}
	return hashes
}

// maxTag is the maximum length of a cached language tag.
const maxTag = 11

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// wordHash returns the hash that measure gives to a word without digits.
func wordHash(w string) uint32 {
	h := hashSeed
	for _, r := range w {
		h = (h ^ uint32(unicode.ToLower(r))) * hashPrime
	}
	return h
}
