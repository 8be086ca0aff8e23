package blocks

import (
	"html"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// metadata holds the metadata of a page in a form for comparison with blocks: hashed words,
// each with the phrases that contain it.
type metadata struct {
	phrases []phrase
	words   [phraseSlots]phraseWord
	filled  []uint32 // slots of words that are not empty
	hits    [maxPhrases]int
	days    []day
	text    pairSet
	hashes  wordHashes
}

// phrase is one title, description or list of authors.
type phrase struct {
	kind  phraseKind
	words int // distinct words that are compared, at most headWords
	all   int
}

type phraseKind uint8

const (
	phraseTitle phraseKind = iota
	phraseDescription
	phraseAuthor
)

const (
	maxPhrases  = 24
	phraseSlots = 2048 // slots of the hash table, more than maxPhrases*headWords
	phraseBytes = 1000 // maximum bytes of a phrase that are read
)

// phraseWord is a word and the phrases that contain it, one bit each.
type phraseWord struct{ hash, in uint32 }

// day is a date.
type day struct{ year, month, day int }

// read reads the titles, text and dates in the metadata of p and, if all is true, its
// descriptions and authors.
func (m *metadata) read(p *page.Page, all bool) {
	for _, at := range m.filled {
		m.words[at] = phraseWord{}
	}
	m.phrases, m.days, m.filled = m.phrases[:0], m.days[:0], m.filled[:0]
	st := &p.Stated
	if st.Title != "" {
		title := html.UnescapeString(st.Title[:min(len(st.Title), phraseBytes)])
		m.add(phraseTitle, title)
		m.add(phraseTitle, longestPart(title))
	}
	for _, t := range st.Titles {
		m.add(phraseTitle, t)
		m.add(phraseTitle, longestPart(t))
	}
	if all {
		for _, t := range st.Descriptions {
			m.add(phraseDescription, t)
		}
		for _, t := range st.Authors {
			m.add(phraseAuthor, t)
		}
	}
	for _, t := range st.Dates {
		if d, ok := dayOf(t); ok {
			m.days = append(m.days, d)
		}
	}
	m.text.read(st.Text, &m.hashes)
}

// add adds a phrase.
func (m *metadata) add(kind phraseKind, text string) {
	if text == "" || len(m.phrases) == maxPhrases {
		return
	}
	measure(text[:min(len(text), phraseBytes)], &m.hashes)
	x := phrase{kind: kind, all: m.hashes.count}
	bit := uint32(1) << len(m.phrases)
	for _, h := range m.hashes.head[:min(m.hashes.count, headWords)] {
		at := m.slot(h)
		w := &m.words[at]
		if w.in == 0 {
			w.hash = h
			m.filled = append(m.filled, at)
		}
		if w.in&bit == 0 {
			w.in |= bit
			x.words++
		}
	}
	if x.words > 0 {
		m.phrases = append(m.phrases, x)
	}
}

// slot returns the slot of a word, or the free slot to insert it.
func (m *metadata) slot(h uint32) uint32 {
	at := h * 0x9E3779B1 >> 21
	for m.words[at].in != 0 && m.words[at].hash != h {
		at = (at + 1) % phraseSlots
	}
	return at
}

// Separators between the title of a page and the name of its site. The second group needs a
// space on both sides.
const (
	separators      = "|»«·•›‹"
	blankSeparators = "-–—:/~"
)

// longestPart returns the part of a title with the most characters, the first on ties.
func longestPart(title string) (best string) {
	from := 0
	offer := func(to int) {
		if to-from > len(best) {
			best = title[from:to]
		}
	}
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		next := i + n
		if strings.ContainsRune(separators, r) ||
			strings.ContainsRune(blankSeparators, r) && i > 0 && title[i-1] == ' ' && next < len(title) && title[next] == ' ' {
			offer(i)
			from = next
		}
		i = next
	}
	offer(len(title))
	return best
}

// likeness holds the similarities of a block and the page's metadata.
type likeness struct {
	title       float64 // best F1 of its words and the words of a title
	description float64 // best F1 of its first words and a description
	whole       float64 // similarity in length, if they are similar
	author      float64 // share of its words in author names
	authors     float64 // best share of an author name in the block
}

// compare compares a block with the phrases.
func (m *metadata) compare(words *wordHashes) (l likeness) {
	n := min(words.count, headWords)
	if n == 0 || len(m.phrases) == 0 {
		return l
	}
	hits := m.hits[:len(m.phrases)]
	clear(hits)
	for _, h := range words.head[:n] {
		for in := m.words[m.slot(h)].in; in != 0; in &= in - 1 {
			hits[bits.TrailingZeros32(in)]++
		}
	}
	for k, hit := range hits {
		if hit == 0 {
			continue
		}
		x := &m.phrases[k]
		both := 2 * float64(min(hit, x.words))
		switch x.kind {
		case phraseTitle:
			l.title = max(l.title, both/float64(words.count+x.all))
		case phraseDescription:
			if f := both / float64(n+x.words); f > l.description {
				l.description = f
				l.whole = f * float64(min(words.count, x.all)) / float64(max(words.count, x.all))
			}
		case phraseAuthor:
			l.author = max(l.author, float64(hit)/float64(words.count))
			l.authors = max(l.authors, float64(min(hit, x.words))/float64(x.words))
		}
	}
	return l
}

// dayOf returns the day at the start of a date: year, month and day, as in 2024-03-09T10:00
// or 20240309.
func dayOf(date string) (day, bool) {
	var digits [8]int
	n := 0
	for i := 0; i < len(date) && n < len(digits); i++ {
		c := date[i]
		switch {
		case isDigit(c):
			digits[n] = int(c - '0')
			n++
		case n == 4 || n == 6: // separator of two parts
		default:
			return day{}, false
		}
	}
	d := day{
		digits[0]*1000 + digits[1]*100 + digits[2]*10 + digits[3],
		digits[4]*10 + digits[5],
		digits[6]*10 + digits[7],
	}
	return d, n == len(digits) && d.year >= 1990 && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31
}

// dated returns how well a short text matches a date in the metadata: 1 for day and month or
// day and year, .5 for the year.
func (m *metadata) dated(text string) (best float64) {
	if len(m.days) == 0 {
		return 0
	}
	const most = 12 // maximum numbers that are read
	var numbers [most]int
	n := 0
	for i := 0; i < len(text) && n < most; {
		if !isDigit(text[i]) {
			i++
			continue
		}
		v := 0
		for ; i < len(text) && isDigit(text[i]); i++ {
			v = min(10*v+int(text[i]-'0'), 1<<20)
		}
		numbers[n] = v
		n++
	}
	has := func(v int) bool { return slices.Contains(numbers[:n], v) }
	for _, d := range m.days {
		year := has(d.year) || has(d.year%100)
		switch {
		case has(d.day) && (year || has(d.month)):
			return 1
		case has(d.year):
			best = .5
		}
	}
	return best
}

// pairSet is a set of the word pairs of a text, with few false positives.
type pairSet struct {
	bits  []uint64
	words int
}

const pairBits = 18

// read adds the pairs of a text.
func (s *pairSet) read(text string, w *wordHashes) {
	s.words = 0
	if text == "" {
		return
	}
	s.bits = grow(s.bits, 1<<pairBits/64)
	clear(s.bits)
	last := uint32(0)
	// Read pieces of at most headWords words like blocks.
	const piece = 2 * headWords
	for len(text) > 0 {
		end := min(piece, len(text))
		if at := strings.LastIndexByte(text[:end], ' '); end < len(text) && at > 0 {
			end = at + 1
		}
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		measure(text[:end], w)
		for _, h := range w.head[:min(w.count, headWords)] {
			k := pairSlot(last, h)
			s.bits[k>>6] |= 1 << (k & 63)
			last = h
			s.words++
		}
		text = text[end:]
	}
}

func pairSlot(a, b uint32) uint32 {
	return uint32(uint64(a*31+b) * 0x9E3779B97F4A7C15 >> (64 - pairBits))
}

// share returns the share of the pairs among the first and last words of a block that are in
// the set.
func (s *pairSet) share(w *wordHashes) float64 {
	all, hits := 0, 0
	look := func(a, b uint32) {
		all++
		k := pairSlot(a, b)
		hits += int(s.bits[k>>6] >> (k & 63) & 1)
	}
	for i := 1; i < min(w.count, headWords); i++ {
		look(w.head[i-1], w.head[i])
	}
	for i := max(headWords, w.count-tailWords) + 1; i < w.count; i++ {
		look(w.tail[(i-1)%tailWords], w.tail[i%tailWords])
	}
	return ratio(float64(hits), float64(all))
}
