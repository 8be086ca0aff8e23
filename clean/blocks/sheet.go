package blocks

import (
	"math"
	"strings"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// sheet holds the features of one page, a column after the other. It is
// reused: nothing is allocated for a page that is not larger than those before.
type sheet struct {
	present    presence
	titleWords wordHashes

	n                  int // blocks
	values             []float32
	blocks             []blockStats
	elems              []elementStats
	paths              groups
	twins              groups
	copies             groups
	title              [1 << titleSlots]uint32 // hashes of the words of the title
	sums               []windowSum
	wholes             layout.Wholes
	units              []unit        // as many as wholes has
	tokens             []elementSums // by element
	alike              [1 << alikeBits]alike
	running            []float64
	scratch, any, near []uint32
	page               *page.Page

	metadata     *metadata // while the page is read
	named        int       // block that names the page without doubt, -1 for none
	article      []int32   // number of the article that an element stands in, 0 for none
	articleStats []articleStats

	kinds       groups  // of elements that hold blocks, a member for each
	record      []int32 // element of the record that an element stands in, 0 for none
	recordStats []recordStats
	recordRuns  []int32 // that were seen, by kind
	goods       []int32 // words in good blocks before each block
}

// blockStats is what is known of one block.
type blockStats struct {
	textStats
	wordHashes
	linkWords float64
	good      bool // long and with few links
	element   int32
	unit      int32 // index in sheet.units
	path      int32 // index in sheet.paths
	twin      int32 // index in sheet.twins
	copy      int32 // index in sheet.copies
}

// Bounds of a good block, one that is taken for running text at first sight.
const (
	goodWords = 12
	goodLinks = .3
)

// windowSum holds sums over the blocks before one.
type windowSum struct {
	words, linkWords float64
	good             int
}

// col returns column c: one value for each block.
func (s *sheet) col(c column) []float32 { return s.values[int(c)*s.n : int(c+1)*s.n] }

func (s *sheet) set(c column, i int, v float64) { s.values[int(c)*s.n+i] = float32(v) }

func (s *sheet) fill(c column, v float64) {
	col := s.col(c)
	for i := range col {
		col[i] = float32(v)
	}
}

// read computes the structural columns of p.
func (s *sheet) read(p *page.Page) {
	s.page = p
	s.n = len(p.Blocks)
	need := s.n * int(columns)
	if cap(s.values) < need {
		s.values = make([]float32, need)
	}
	s.values = s.values[:need]
	s.readTexts()
	s.readPage()
	s.readElements()
	s.tags()
	s.containers()
	s.templates()
	s.sequence()
	s.readUnits()
	s.unitColumns()
	s.whole()
	s.siteColumns()
	s.metadataColumns()
	s.records()
}

// log1 returns the logarithm of n+1.
func log1(n int) float64 {
	if n < len(logs) {
		return logs[n]
	}
	return math.Log1p(float64(n))
}

// logs holds the results of log1 that are wanted most.
var logs = func() (t [2048]float64) {
	for n := range t {
		t[n] = math.Log1p(float64(n))
	}
	return t
}()

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// readTexts measures the texts and sets the columns of the first group.
func (s *sheet) readTexts() {
	p := s.page
	s.readTitle(p.Stated.Title)
	if cap(s.blocks) < s.n {
		s.blocks = make([]blockStats, s.n)
	}
	s.blocks = s.blocks[:s.n]
	s.copies.reset(s.n)
	for i := range p.Blocks {
		b, st := &p.Blocks[i], &s.blocks[i]
		st.textStats = measure(b.Text, &st.wordHashes)
		ld := ratio(float64(b.LinkChars), float64(st.chars))
		st.linkWords = ld * float64(st.words)
		st.good = st.words >= goodWords && ld < goodLinks
		st.element = b.Element
		st.copy = s.copies.add(st.hash, st)
	}
	for i := range p.Blocks {
		b, st := &p.Blocks[i], &s.blocks[i]
		words, chars := float64(max(st.words, 1)), float64(max(st.chars, 1))
		s.set(colChars, i, log1(st.chars))
		s.set(colWords, i, log1(st.words))
		s.set(colWordLength, i, float64(st.letters+st.digits)/words)
		s.set(colLinkDensity, i, float64(b.LinkChars)/chars)
		s.set(colLinks, i, log1(b.Links))
		s.set(colTags, i, float64(b.Tags)/words)
		s.set(colBold, i, float64(b.BoldChars)/chars)
		s.set(colBreaks, i, log1(b.Breaks))
		s.set(colImages, i, log1(b.Images))
		s.set(colCommas, i, float64(st.commas)/words)
		s.set(colTerminators, i, float64(st.terminators)/words)
		s.set(colSentence, i, words/float64(st.terminators+1))
		s.set(colFirst, i, float64(st.first))
		s.set(colLast, i, float64(st.last))
		s.set(colUpper, i, ratio(float64(st.upper), float64(st.letters)))
		s.set(colCapitals, i, float64(st.capitals)/words)
		s.set(colShort, i, float64(st.short)/words)
		s.set(colDigits, i, float64(st.digits)/chars)
		s.set(colNumbers, i, float64(st.numbers)/words)
		s.set(colSymbols, i, float64(st.symbols)/chars)
		s.set(colLongest, i, float64(st.longest))
		s.set(colUnspaced, i, float64(st.unspaced)/chars)
		s.set(colYear, i, flag(st.year))
		s.set(colBar, i, flag(st.sign&signBar != 0))
		s.set(colRight, i, flag(st.sign&signRight != 0))
		s.set(colArrow, i, flag(st.sign&signArrow != 0))
		s.set(colAt, i, flag(st.sign&signAt != 0))
		s.set(colURL, i, flag(st.sign&signURL != 0))
		s.set(colSlash, i, flag(st.sign&signSlash != 0))
		s.set(colCopies, i, log1(s.copies.list[st.copy].blocks))
		s.set(colTitle, i, s.inTitle(st))
		s.set(colHidden, i, flag(b.Hidden))
		s.set(colKind, i, float64(b.Kind))
		s.set(colLevel, i, float64(b.Level))
	}
}

// readTitle notes the words of the page's title.
func (s *sheet) readTitle(title string) {
	if len(title) > 400 {
		title = strings.ToValidUTF8(title[:400], "")
	}
	measure(title, &s.titleWords)
	clear(s.title[:])
	for _, h := range s.titleWords.head[:min(s.titleWords.count, headWords)] {
		s.title[titleSlot(&s.title, h)] = h
	}
}

// titleSlots is the size of the hash table of the words of the title, as a power of two.
const titleSlots = 7

// titleSlot returns where word h stands or would stand in a table that is never
// full. The word 0 is in every table.
func titleSlot(table *[1 << titleSlots]uint32, h uint32) uint32 {
	at := h * 0x9E3779B1 >> (32 - titleSlots)
	for table[at] != 0 && table[at] != h {
		at = (at + 1) % uint32(len(table))
	}
	return at
}

// inTitle returns the share of the first words that the title has too.
func (s *sheet) inTitle(st *blockStats) float64 {
	n := min(st.count, headWords)
	if n == 0 || s.titleWords.count == 0 {
		return 0
	}
	hits := 0
	for _, h := range st.head[:n] {
		if s.title[titleSlot(&s.title, h)] == h {
			hits++
		}
	}
	return float64(hits) / float64(n)
}
