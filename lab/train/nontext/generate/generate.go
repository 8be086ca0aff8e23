// Package generate generates non-text of the kinds that fill web pages with [Mix]: stuffed
// keywords, spun, stitched and shuffled phrases, Markov chains of words, word-by-word translation,
// templates with slots, lists, and concatenated code and tables. All of it is generated from good
// text of the same language, one document from each with a similar length, and formatted in several
// ways, so that models do not learn artefacts of the generator. The result depends only on the text
// and the seed.
//
// Unstable: this package may change in any release.
package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/runes"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/text/token"
)

// Kind is a kind of non-text.
type Kind struct {
	// Name is the name in options, Help a one-line description.
	Name, Help string
	make       func(m *maker, r *rand.Rand, d *source) string
}

// Kinds lists all kinds.
var Kinds = []Kind{
	{"stuffing", "keywords set into sentences and strung together", (*maker).stuffing},
	{"spinning", "words replaced by others of the same places and endings", (*maker).spinning},
	{"stitching", "phrases of several documents one after the other", (*maker).stitching},
	{"shuffling", "words or phrases of a document in another order", (*maker).shuffling},
	{"markov", "chains of words, each likely after the one or two before", (*maker).markov},
	{"translation", "word by word: order, articles and function words of another language", (*maker).translation},
	{"templates", "sentences with slots, filled again and again", (*maker).templates},
	{"lists", "names, places and keywords in rows", (*maker).lists},
	{"code", "code, logs and tables run together as prose", (*maker).code},
}

// Names returns the names of the kinds.
func Names() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// unit is a word and the text between it and the next word.
type unit struct{ word, gap string }

// source is a document divided into words.
type source struct {
	units []unit
	// ends holds the indexes after the last words of sentences.
	ends []int
}

// maker generates documents from the text of one language.
type maker struct {
	lang                     string
	spaced                   bool // words are separated by spaces
	all                      []unit
	docs                     []source
	next                     map[string][]int32 // indexes after a word
	pairs                    map[uint64][]int32 // indexes after two words
	alike                    map[string][]string
	function, content, names []string
}

// bankUnits is the maximum number of words for chains and phrases.
const bankUnits = 400_000

// newMaker returns a maker of text in a language from documents.
func newMaker(lang string, docs []string) *maker {
	m := &maker{lang: lang, next: map[string][]int32{}, pairs: map[uint64][]int32{}, alike: map[string][]string{}}
	counts := map[string]int{}
	capital := map[string]bool{}
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(docs)) {
		if len(m.all) >= bankUnits {
			break
		}
		s := m.take(docs[i])
		if len(s.units) == 0 {
			continue
		}
		if len(s.units) > 5000 {
			s.units = s.units[:5000]
		}
		m.docs = append(m.docs, s)
		for i, u := range s.units {
			counts[strings.ToLower(u.word)]++
			if i > 0 && !endsSentence(s.units[i-1].gap) && isTitle(u.word) {
				capital[u.word] = true
			}
		}
		m.all = append(m.all, s.units...)
	}
	m.spaced = spaced(m.all)
	m.index()
	m.lexicon(counts, capital)
	return m
}

// empty reports whether the documents have too few words.
func (m *maker) empty() bool { return len(m.all) < 200 || len(m.content) < 20 }

// document generates a document of a kind about as long as text. The result depends on seed.
func (m *maker) document(k Kind, text string, seed uint64) string {
	d := m.take(text)
	if len(d.units) == 0 || m.empty() {
		return ""
	}
	return strings.TrimSpace(k.make(m, rand.New(rand.NewPCG(seed, xxh3.HashString(text))), &d))
}

// take divides a text into words.
func (m *maker) take(text string) (s source) {
	tok := token.For(m.lang)
	var spans []token.Span
	at := 0
	add := func(start, end int) {
		if n := len(s.units); n > 0 {
			s.units[n-1].gap = text[at:start]
			if endsSentence(s.units[n-1].gap) {
				s.ends = append(s.ends, n)
			}
		}
		s.units = append(s.units, unit{word: text[start:end]})
		at = end
	}
	for line := 0; line < len(text); {
		n := strings.IndexByte(text[line:], '\n')
		if n < 0 {
			n = len(text) - line
		}
		spans = tok.Words(text[line:line+n], spans[:0])
		for _, w := range spans {
			if strings.IndexFunc(text[line+w.Start:line+w.End], runes.IsWord) >= 0 {
				add(line+w.Start, line+w.End)
			}
		}
		line += n + 1
	}
	if n := len(s.units); n > 0 {
		s.units[n-1].gap = text[at:]
		s.ends = append(s.ends, n)
	}
	return s
}

// endsSentence reports whether a sentence or a line ends in the text between two words.
func endsSentence(gap string) bool { return strings.ContainsAny(gap, ".!?\n。！？।۔؟") }

func isTitle(w string) bool {
	for i, r := range w {
		if i == 0 {
			if !unicode.IsUpper(r) {
				return false
			}
			continue
		}
		return unicode.IsLower(r)
	}
	return false
}

func spaced(units []unit) bool {
	n := 0
	for _, u := range units {
		if strings.ContainsAny(u.gap, " \n") {
			n++
		}
	}
	return 2*n > len(units)
}

// index indexes the positions after words and pairs of words.
func (m *maker) index() {
	for i := 1; i < len(m.all); i++ {
		a := m.all[i-1].word
		m.next[a] = append(m.next[a], int32(i))
		if i > 1 {
			key := pairOf(m.all[i-2].word, a)
			m.pairs[key] = append(m.pairs[key], int32(i))
		}
		key := likeness(a, m.all[i].word)
		if list := m.alike[key]; len(list) < 24 && !slices.Contains(list, m.all[i].word) {
			m.alike[key] = append(list, m.all[i].word)
		}
	}
}

func pairOf(a, b string) uint64 { return xxh3.HashString(a)*31 + xxh3.HashString(b) }

// likeness returns a key shared by words that can replace each other: the previous word and the
// ending.
func likeness(before, word string) string {
	end := []rune(word)
	return before + "\x00" + string(end[max(0, len(end)-2):])
}

// functionWords is the number of the most frequent words that are used as function words.
const functionWords = 60

// lexicon divides the words by frequency.
func (m *maker) lexicon(counts map[string]int, capital map[string]bool) {
	words := make([]string, 0, len(counts))
	for w := range counts {
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	n := min(functionWords, len(words)/4)
	m.function = words[:n]
	for _, w := range words[n:] {
		if !m.spaced || len([]rune(w)) > 3 {
			m.content = append(m.content, w)
		}
	}
	for w := range capital {
		if len([]rune(w)) > 2 {
			m.names = append(m.names, w)
		}
	}
	slices.Sort(m.names)
	if len(m.names) < 20 {
		m.names = m.content
	}
}
