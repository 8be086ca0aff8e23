package build

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

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
	words  map[string]*word
	tokens [2]int64
	page   int64
	spans  []token.Span
	lower  []byte
}

type word struct {
	freq  [2]int64 // kept, removed
	page  int64    // last page it was removed from
	pages int64
}

func newVocabulary() *vocabulary { return &vocabulary{words: map[string]*word{}} }

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
		w := v.words[string(v.lower)]
		if w == nil {
			if len(v.words) >= maxWords {
				continue
			}
			w = &word{}
			v.words[string(v.lower)] = w
		}
		w.freq[side] += n
		if removed && w.page != v.page {
			w.page = v.page
			w.pages++
		}
	}
}

// next returns the vocabulary of a step that reads the kept text. It reuses v.
func (v *vocabulary) next() *vocabulary {
	for _, w := range v.words {
		*w = word{freq: [2]int64{w.freq[0], 0}}
	}
	v.tokens[1] = 0
	return v
}

// keywords returns the words most typical of the removed text.
func (v *vocabulary) keywords() (list []Keyword) {
	score := corpus.KeynessMeasures[0].Score
	for name, w := range v.words {
		if w.freq[1] < minFreq || w.pages < minPages || !strings.ContainsFunc(name, unicode.IsLetter) {
			continue
		}
		k := Keyword{Word: name, Removed: w.freq[1], Kept: w.freq[0]}
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
