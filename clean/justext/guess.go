package justext

import (
	"bytes"
	"math"
	"math/bits"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/page"
)

// What Language looks at: at most guessWords words, blocks of at least longBytes
// first, and at least guessMin; a page with fewer is what it declares.
const (
	guessWords = 500
	guessMin   = 8
	longBytes  = 100
)

// Of the expected stop words a page must have fitShare for the declared
// language, and guessShare and at least guessHits for a guessed one.
const (
	guessHits  = 3
	fitShare   = 0.5
	guessShare = 0.25
)

// guesser knows for each stop word the languages that have it. The words are a
// hash table without pointers: built in a few milliseconds, and nothing for the
// garbage collector to follow.
type guesser struct {
	langs     []string
	cover     []float64
	hit, miss []float64 // log probability of a word in the list, outside of it
	// slots has an entry for each word of each language: 56 bits of the word's
	// hash, then the index of the language plus one; 0 is free. An entry stands
	// at the slot of its hash or behind it, before the next free one.
	slots []uint64
}

// vocabulary is the number of words outside the list that every language is
// taken to have.
const vocabulary = 50000

// notGuessed is Nigerian Pidgin, which is English to a list of words; pages in
// it declare it.
const notGuessed = "pcm"

var guessTable = sync.OnceValue(func() *guesser { return newGuesser(EmbeddedLists()) })

func newGuesser(lists *Lists) *guesser {
	g := &guesser{}
	cards := lists.Cards()
	words := 0
	for _, c := range cards {
		words += c.Words
	}
	g.slots = make([]uint64, 1<<bits.Len(uint(words*3/2)))
	for _, c := range cards {
		if c.Cover <= 0 || c.Lang == notGuessed {
			continue
		}
		text, err := lists.text(c.Lang)
		if err != nil {
			panic(err) // the build embeds a wrong file
		}
		g.langs, g.cover = append(g.langs, c.Lang), append(g.cover, c.Cover)
		n := 0
		for len(text) > 0 {
			var w []byte
			w, text, _ = bytes.Cut(text, []byte{'\n'})
			g.add(w, len(g.langs)) // there are fewer than 255 lists
			n++
		}
		g.hit = append(g.hit, math.Log(c.Cover/float64(n)))
		g.miss = append(g.miss, math.Log((1-c.Cover)/vocabulary))
	}
	return g
}

// add notes that the language at index lang-1 has word w.
func (g *guesser) add(w []byte, lang int) {
	h := xxh3.Hash(w)
	at := h >> 8
	for g.slots[at&uint64(len(g.slots)-1)] != 0 {
		at++
	}
	g.slots[at&uint64(len(g.slots)-1)] = h&^0xff | uint64(lang)
}

// count adds one to the hits of each language that has the word w.
func (g *guesser) count(w []byte, hits []int) {
	h := xxh3.Hash(w)
	for at := h >> 8; ; at++ {
		e := g.slots[at&uint64(len(g.slots)-1)]
		if e == 0 {
			return
		}
		if e&^0xff == h&^0xff {
			hits[e&0xff-1]++
		}
	}
}

// Language returns the language of the text that a page shows, as BCP 47 tag, ""
// if it cannot tell. The declared language is taken as it stands if the page
// has the stop words of it that it should have, since it tells close relatives
// apart; pages often declare the language of their template, though. Else the
// language is guessed.
//
// Each language is a model with two numbers: a word is one of its stop words
// with the probability that running text showed (Cover, the same for each of
// them), else one of a vocabulary. The most likely model wins, among those of
// whose expected stop words the page has a quarter: pages are full of names and
// menus. Scripts without blanks tell their language. The answer says which stop
// list fits; it is no language identification.
func Language(p *page.Page, declared string) string {
	lang := primary(declared)
	if script := guessScript(p); script != "" {
		if unspaced[lang] {
			return declared
		}
		return script
	}
	if list := Embedded(lang); list != nil && list.Cover > 0 {
		total, hits := 0, 0
		sample(p, func(w []byte) {
			total++
			if list.has(w) {
				hits++
			}
		})
		if total < guessMin || float64(hits) >= fitShare*list.Cover*float64(total) {
			return declared
		}
	}
	return guess(p)
}

// guess returns the most likely language, "" if there is none.
func guess(p *page.Page) string {
	g := guessTable()
	hits := make([]int, len(g.langs))
	total := 0
	sample(p, func(w []byte) {
		total++
		g.count(w, hits)
	})
	if total < guessMin {
		return ""
	}
	best, lang := math.Inf(-1), ""
	for l, n := range hits {
		if n < guessHits || float64(n) < guessShare*g.cover[l]*float64(total) {
			continue
		}
		if p := float64(n)*g.hit[l] + float64(total-n)*g.miss[l]; p > best {
			best, lang = p, g.langs[l]
		}
	}
	return lang
}

// sample calls fn for the first words of the blocks that the page shows; long
// blocks come first, since menus are in no language. Numbers are left out.
func sample(p *page.Page, fn func(word []byte)) {
	var words scanner
	left := guessWords
	for _, long := range []bool{true, false} {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if b.Hidden || (len(b.Text) >= longBytes) != long {
				continue
			}
			for at := 0; at < len(b.Text); {
				var w []byte
				if w, at = words.next(b.Text, at); len(w) == 0 {
					break
				}
				if w[0] <= '9' {
					continue
				}
				if left--; left < 0 {
					return
				}
				fn(w)
			}
		}
	}
}

// han is the index of that script among unspacedScripts.
const han = 1

type unspacedScript struct {
	lang  string
	table []*unicode.RangeTable
}

// unspacedScripts are scripts without blanks between words, with the language
// that most pages in them have. Kana stands before Han, since Japanese has
// both.
var unspacedScripts = []unspacedScript{
	{"ja", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{"zh", []*unicode.RangeTable{unicode.Han}},
	{"th", []*unicode.RangeTable{unicode.Thai}},
	{"lo", []*unicode.RangeTable{unicode.Lao}},
	{"km", []*unicode.RangeTable{unicode.Khmer}},
	{"my", []*unicode.RangeTable{unicode.Myanmar}},
	{"bo", []*unicode.RangeTable{unicode.Tibetan}},
}

// scriptOf returns the index of the script of a letter, -1 if it is none
// of these.
func scriptOf(r rune) int {
	switch {
	case r < 0xE00:
		return -1
	case 0x4E00 <= r && r <= 0x9FFF:
		return han
	}
	for s := range unspacedScripts {
		if unicode.In(r, unspacedScripts[s].table...) {
			return s
		}
	}
	return -1
}

// guessScript returns the language of a page in a script without blanks: one
// letter in four is enough, since such pages are full of Latin names and code;
// of the letters of such scripts one in ten being kana makes it Japanese.
func guessScript(p *page.Page) string {
	const sample = 4096
	var n [8]int
	letters, unspaced := 0, 0
	t := wideTable()
	for i := range p.Blocks {
		if p.Blocks[i].Hidden {
			continue
		}
		text := p.Blocks[i].Text
		for at := 0; at < len(text) && letters < sample; {
			if c := text[at]; c < utf8.RuneSelf {
				at++
				if c|0x20-'a' < 26 {
					letters++
				}
				continue
			}
			r, size := utf8.DecodeRuneInString(text[at:])
			at += size
			if !t.isLetter(r) {
				continue
			}
			letters++
			if s := scriptOf(r); s >= 0 {
				n[s]++
				unspaced++
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
