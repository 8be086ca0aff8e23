package build

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/corpus"
	"chaffinch/internal/sorts"
	"chaffinch/text/token"
)

// Keyword is a word that is more frequent in the removed text than in the kept text.
type Keyword struct {
	Word string `json:"word"`
	// Removed and Kept are its frequencies in the removed and in the kept text.
	Removed int64   `json:"removed"`
	Kept    int64   `json:"kept"`
	Score   float64 `json:"score"`
}

// Bounds of the vocabulary and thresholds of keywords. See [corpus.KeywordConfig].
const (
	maxWords     = 300_000
	maxWordBytes = 64
	smoothing    = 10
	minFreq      = 5
	minPages     = 3
	keywordRows  = 40
)

// vocabulary counts the words of the kept and the removed text. At maxWords it stops adding
// new words.
type vocabulary struct {
	words  []word
	names  []byte   // the words, one after another
	slots  []uint32 // hash table: 1 + index of a word, or 0; the length is a power of two
	tokens [2]int64
	page   int32
	spans  []token.Span
	lower  []byte
}

type word struct {
	hash  uint64
	freq  [2]int64 // kept, removed
	end   uint32   // end of the word in names
	page  int32    // last page it was removed from
	pages int32
}

func newVocabulary() *vocabulary { return &vocabulary{slots: make([]uint32, 1<<10)} }

// document starts a page.
func (v *vocabulary) document() { v.page++ }

// add counts the words of a text n times.
func (v *vocabulary) add(text string, removed bool, n int64) {
	side := 0
	if removed {
		side = 1
	}
	v.spans = token.Words(text, v.spans[:0])
	v.tokens[side] += n * int64(len(v.spans))
	for _, s := range v.spans {
		if s.End-s.Start > maxWordBytes {
			continue
		}
		v.lower = v.lower[:0]
		for i := s.Start; i < s.End; i++ {
			c := text[i]
			if c >= utf8.RuneSelf {
				for _, r := range text[i:s.End] {
					v.lower = utf8.AppendRune(v.lower, unicode.ToLower(r))
				}
				break
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			v.lower = append(v.lower, c)
		}
		w := v.word(v.lower)
		if w == nil {
			continue
		}
		w.freq[side] += n
		if removed && w.page != v.page {
			w.page = v.page
			w.pages++
		}
	}
}

// word returns the entry of a word, adding it if needed. It returns nil for a new word if
// the vocabulary is full.
func (v *vocabulary) word(name []byte) *word {
	hash := xxh3.Hash(name)
	mask := len(v.slots) - 1
	at := int(hash) & mask
	for ; v.slots[at] != 0; at = (at + 1) & mask {
		i := int(v.slots[at] - 1)
		if v.words[i].hash == hash && string(v.name(i)) == string(name) {
			return &v.words[i]
		}
	}
	if len(v.words) >= maxWords {
		return nil
	}
	v.names = append(v.names, name...)
	v.words = append(v.words, word{hash: hash, end: uint32(len(v.names))})
	v.slots[at] = uint32(len(v.words))
	if 2*len(v.words) > len(v.slots) {
		v.grow()
	}
	return &v.words[len(v.words)-1]
}

// grow doubles the hash table.
func (v *vocabulary) grow() {
	v.slots = make([]uint32, 2*len(v.slots))
	mask := len(v.slots) - 1
	for i := range v.words {
		at := int(v.words[i].hash) & mask
		for v.slots[at] != 0 {
			at = (at + 1) & mask
		}
		v.slots[at] = uint32(i + 1)
	}
}

// name returns the i-th word.
func (v *vocabulary) name(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = v.words[i-1].end
	}
	return v.names[start:v.words[i].end]
}

// next returns the vocabulary of a step that reads the kept text. It reuses v.
func (v *vocabulary) next() *vocabulary {
	for i := range v.words {
		w := &v.words[i]
		w.freq[1], w.page, w.pages = 0, 0, 0
	}
	v.tokens[1] = 0
	return v
}

// keywords returns the words most typical of the removed text.
func (v *vocabulary) keywords() (list []Keyword) {
	score := corpus.KeynessMeasures[0].Score
	for i, w := range v.words {
		if w.freq[1] < minFreq || w.pages < minPages || !bytes.ContainsFunc(v.name(i), unicode.IsLetter) {
			continue
		}
		k := Keyword{Word: string(v.name(i)), Removed: w.freq[1], Kept: w.freq[0]}
		if k.Score = score(k.Removed, v.tokens[1], k.Kept, v.tokens[0], smoothing); k.Score > 1 {
			list = append(list, k)
		}
	}
	sortKeywords(list)
	return list[:min(len(list), keywordRows)]
}

// sortKeywords sorts by descending score.
func sortKeywords(list []Keyword) {
	sorts.Func(list, func(a, b Keyword) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Removed, a.Removed), strings.Compare(a.Word, b.Word))
	})
}
