package build

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"chaffinch/corpus"
	"chaffinch/internal/sorts"
	"chaffinch/internal/wordtable"
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

// sampling is k if the words of one in 2^k pages are counted. The hash of the id selects a page, so
// that all steps and all runs count the same pages.
type sampling uint

// Up to wordBytes bytes of input files, the words of all pages are counted: the frequencies of
// keywords need no more text. Above that, about as many pages are counted.
const (
	wordBytes   = 16 << 20
	maxSampling = 16
)

// samplingOf returns the sampling for the size of the input files.
func samplingOf(bytes int64) (k sampling) {
	for ; bytes > wordBytes && k < maxSampling; k++ {
		bytes /= 2
	}
	return k
}

// holds reports whether the words of a page are counted.
func (k sampling) holds(id string) bool { return k == 0 || xxh3.HashString(id)&(1<<k-1) == 0 }

// vocabulary counts the words of the kept and the removed text. At maxWords it stops adding
// new words.
type vocabulary struct {
	words  wordtable.Table[word]
	tokens [2]int64
}

type word struct {
	freq  [2]int64 // kept, removed
	pages int64    // from which it was removed
}

// add adds the words of a part n times.
func (v *vocabulary) add(p *part, removed bool, n int64) {
	side := 0
	if removed {
		side = 1
	}
	v.tokens[side] += n * p.Tokens
	for _, w := range p.Words {
		x := v.words.At(w.word, maxWords)
		if x == nil {
			continue
		}
		x.freq[side] += n * w.n
		if removed {
			x.pages++
		}
	}
}

// full reports whether new words may have been ignored.
func (v *vocabulary) full() bool { return v.words.Len() >= maxWords }

// next returns the vocabulary of a step that reads the kept text. It reuses v.
func (v *vocabulary) next() *vocabulary {
	for _, w := range v.words.All() {
		w.freq[1], w.pages = 0, 0
	}
	v.tokens[1] = 0
	return v
}

// keywords returns the words most typical of the removed text.
func (v *vocabulary) keywords() (list []Keyword) {
	score := corpus.KeynessMeasures[0].Score
	for name, w := range v.words.All() {
		if w.freq[1] < minFreq || w.pages < minPages || !bytes.ContainsFunc(name, unicode.IsLetter) {
			continue
		}
		k := Keyword{Word: string(name), Removed: w.freq[1], Kept: w.freq[0]}
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
