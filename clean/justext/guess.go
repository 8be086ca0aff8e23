package justext

import (
	"math"
	"sync"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// guessWords and guessMin bound what Guess looks at: at most so many words,
// and at least so many; a page with fewer gets no guess.
const (
	guessWords = 2000
	guessMin   = 8
)

// guessShare is the least share of the expected stop words that the best
// language must reach.
const guessShare = 0.25

// guesser knows for each stop word the languages that have it.
type guesser struct {
	langs     []string
	cover     []float64
	hit, miss []float64          // log probability of a word in the list, outside of it
	words     map[string][]uint8 // word -> indices of languages
}

// vocabulary is the number of words outside the list that every language is
// taken to have.
const vocabulary = 50000

var guessTable = sync.OnceValue(func() *guesser {
	g := &guesser{words: map[string][]uint8{}}
	for _, c := range EmbeddedLists().Cards() {
		l := Embedded(c.Lang)
		if l == nil || l.Cover <= 0 {
			continue
		}
		at := uint8(len(g.langs)) // there are about 90 lists
		g.langs, g.cover = append(g.langs, c.Lang), append(g.cover, l.Cover)
		g.hit = append(g.hit, math.Log(l.Cover/float64(l.Len())))
		g.miss = append(g.miss, math.Log((1-l.Cover)/vocabulary))
		for w := range l.words {
			g.words[w] = append(g.words[w], at)
		}
	}
	return g
})

// Guess returns the language of the text that a page shows, as BCP 47 primary
// tag, "" if it cannot tell.
//
// Each language is a model with two numbers: a word is one of its stop words
// with the probability that running text showed (Cover, the same for each of
// them), else one of a vocabulary. The most likely model wins, among those of
// whose expected stop words the page has a quarter: pages are full of names and
// menus. Scripts without blanks tell their language. The guess says which stop
// list fits; it is no language identification: close relatives are mixed up.
func Guess(p *page.Page) string {
	if lang := guessScript(p); lang != "" {
		return lang
	}
	g, t := guessTable(), wideTable()
	hits := make([]int, len(g.langs))
	total := 0
	var w []byte
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden {
			continue
		}
		for at := 0; at < len(b.Text) && total < guessWords; {
			if w, at = t.next(w, b.Text, at); len(w) == 0 {
				break
			}
			if w[0] <= '9' { // numbers belong to no language
				continue
			}
			total++
			for _, l := range g.words[string(w)] {
				hits[l]++
			}
		}
	}
	if total < guessMin {
		return ""
	}
	best, lang := math.Inf(-1), ""
	for l, n := range hits {
		if float64(n) < guessShare*g.cover[l]*float64(total) {
			continue
		}
		if p := float64(n)*g.hit[l] + float64(total-n)*g.miss[l]; p > best {
			best, lang = p, g.langs[l]
		}
	}
	return lang
}

// unspacedScripts are scripts without blanks between words, with the language
// that most pages in them have. Kana stands before Han, since Japanese has
// both.
var unspacedScripts = []struct {
	lang  string
	table []*unicode.RangeTable
}{
	{"ja", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{"zh", []*unicode.RangeTable{unicode.Han}},
	{"th", []*unicode.RangeTable{unicode.Thai}},
	{"lo", []*unicode.RangeTable{unicode.Lao}},
	{"km", []*unicode.RangeTable{unicode.Khmer}},
	{"my", []*unicode.RangeTable{unicode.Myanmar}},
	{"bo", []*unicode.RangeTable{unicode.Tibetan}},
}

// guessScript returns the language of a page in a script without blanks: one
// letter in four is enough, since such pages are full of Latin names and code;
// of the letters of such scripts one in ten being kana makes it Japanese.
func guessScript(p *page.Page) string {
	const sample = 4096
	var n [8]int
	letters, unspaced := 0, 0
	for i := range p.Blocks {
		if p.Blocks[i].Hidden {
			continue
		}
		for _, r := range p.Blocks[i].Text {
			if letters >= sample {
				break
			}
			if r < utf8.RuneSelf {
				if c := r | 0x20; 'a' <= c && c <= 'z' {
					letters++
				}
				continue
			}
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			if r < 0xE00 {
				continue
			}
			for s := range unspacedScripts {
				if unicode.In(r, unspacedScripts[s].table...) {
					n[s]++
					unspaced++
					break
				}
			}
		}
	}
	if unspaced == 0 || 4*unspaced < letters {
		return ""
	}
	if 10*n[0] >= unspaced {
		return unspacedScripts[0].lang
	}
	best := 1
	for s := 2; s < len(unspacedScripts); s++ {
		if n[s] > n[best] {
			best = s
		}
	}
	return unspacedScripts[best].lang
}
