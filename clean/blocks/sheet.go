package blocks

import (
	"math"
	"slices"
	"strings"

	"chaffinch/internal/layout"
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// sheet holds the features of one page by column. It is reused: it allocates only for a page
// that is larger than all pages before.
type sheet struct {
	present    presence
	titleWords wordHashes

	n          int // blocks
	images     float64
	wanted     *[columns]bool // nil for all; other columns are undefined
	same       [columns]bool  // columns of one value, of which only the first value is set if wanted is not nil
	values     []float32
	blocks     []blockStats
	hashes     []wordHashes // by block
	elems      []elementStats
	paths      groups
	twins      groups
	copies     groups
	firsts     []int32                 // first block of each group of copies
	original   []int32                 // by block, the first block with the same text
	title      [1 << titleSlots]uint32 // hash table of the words of the title
	sums       []windowSum
	wholes     layout.Units
	units      []unit // one per element of wholes
	own        []unit // units, and one for each block outside all units
	alikes     []alike
	alikeSums  []elementSums         // of alikes
	alikeCache [1 << alikeBits]int32 // index in alikes plus one
	programs   bool                  // whether one of alikes is of a consent program
	tokens     []sums                // of each element and its ancestors
	names      []sums                // sums of the tag names around blocks, by path
	hints      [Roles]float64        // sums of the hints, weighted by words plus one
	running    []float64
	around     []int32   // current container or group of each block
	any, near  slotLists // of alikes
	inTexts    slotLists // of the words of blocks
	scratch    []uint32
	page       *page.Page

	metadata     *metadata // set while the page is read
	named        int       // certain title block, or -1
	article      []int32   // article around each element, 0 for none
	articleStats []articleStats

	embedded []bool // whether each element is an embedded post, or inside one

	kinds       groups  // groups of elements with blocks, by kind
	record      []int32 // record element around each element, 0 for none
	recordStats []recordStats
	recordOf    []recordPlace // by block
	recordRuns  []int32       // runs seen so far, by kind
	goods       []int32       // words in good blocks before each block

	headings     bool // the linear models read the words of the heading above each block
	sections     []section
	sectionOf    []int32 // by block
	openSections []int32
}

// blockStats holds the statistics of one block. It is small because each column reads all of
// them. The hashes of the words are stored separately.
type blockStats struct {
	textStats
	linkWords float64
	good      bool // long with few links
	kind      page.Kind
	level     uint8
	hidden    bool
	linkChars int32
	links     int32
	tags      int32
	breaks    int32
	element   int32
	unit      int32 // index in sheet.units
	path      int32 // index in sheet.paths
	twin      int32 // index in sheet.twins
	copy      int32 // index in sheet.copies
}

// Limits of a good block, which counts as running text.
const (
	goodWords = 12
	goodLinks = .3
)

// windowSum holds sums over the blocks before a block.
type windowSum struct {
	words, linkWords float64
	good             int32
}

// col returns column c: one value for each block.
func (s *sheet) col(c column) []float32 { return s.values[int(c)*s.n : int(c+1)*s.n] }

func (s *sheet) set(c column, i int, v float64) { s.values[int(c)*s.n+i] = float32(v) }

// want returns column c if it is wanted, else nil.
func (s *sheet) want(c column) []float32 {
	if s.wanted != nil && !s.wanted[c] {
		return nil
	}
	return s.col(c)
}

// each sets each value of a column to f of its block. The column may be nil.
func each(col []float32, f func(i int) float64) {
	for i := range col {
		col[i] = float32(f(i))
	}
}

// wants reports whether one of the columns from first to last is wanted.
func (s *sheet) wants(first, last column) bool {
	return s.wanted == nil || slices.Contains(s.wanted[first:last+1], true)
}

// fill sets all values of column c to v.
func (s *sheet) fill(c column, v float64) {
	col := s.want(c)
	if s.wanted != nil && col != nil {
		s.same[c] = true
		col = col[:1]
	}
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
	clear(s.same[:])
	s.readTexts()
	s.readPage()
	s.readElements()
	s.readSlots()
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
	s.sectionColumns()
	s.embeds()
}

// count32 returns n as an int32, saturating at the maximum.
func count32(n int) int32 { return int32(min(n, math.MaxInt32)) }

// log1 returns the natural logarithm of n+1.
func log1(n int32) float64 {
	if n < int32(len(logs)) {
		return logs[n]
	}
	return math.Log1p(float64(n))
}

// logs caches the most frequent results of log1.
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

// readTexts computes the statistics of the texts.
func (s *sheet) readTexts() {
	p := s.page
	s.readTitle(p.Stated.Title)
	if cap(s.blocks) < s.n {
		s.blocks = make([]blockStats, s.n)
	}
	s.blocks = s.blocks[:s.n]
	s.hashes = grow(s.hashes, s.n)
	s.original = grow(s.original, s.n)
	s.copies.reset(s.n)
	s.firsts = s.firsts[:0]
	s.images = 0
	for i := range p.Blocks {
		s.images += float64(p.Blocks[i].Images)
		b, st := &p.Blocks[i], &s.blocks[i]
		hash := hashString(b.Text)
		s.original[i] = int32(i)
		if k := s.copies.find(hash); k >= 0 && p.Blocks[s.firsts[k]].Text == b.Text {
			first := s.firsts[k]
			s.original[i], s.hashes[i], st.textStats = first, s.hashes[first], s.blocks[first].textStats
		} else {
			st.textStats = measure(b.Text, &s.hashes[i])
		}
		ld := ratio(float64(b.LinkChars), float64(st.chars))
		st.linkWords = ld * float64(st.words)
		st.good = st.words >= goodWords && ld < goodLinks
		st.kind, st.level, st.hidden = b.Kind, b.Level, b.Hidden
		st.linkChars, st.links, st.tags, st.breaks = count32(b.LinkChars), count32(b.Links), count32(b.Tags), count32(b.Breaks)
		st.element = b.Element
		if st.copy = s.copies.add(hash, st); int(st.copy) == len(s.firsts) {
			s.firsts = append(s.firsts, int32(i))
		}
	}
	s.textColumns()
}

// textColumns sets the columns of the first group.
func (s *sheet) textColumns() {
	bs := s.blocks
	words := func(i int) float64 { return float64(max(bs[i].words, 1)) }
	chars := func(i int) float64 { return float64(max(bs[i].chars, 1)) }
	each(s.want(colChars), func(i int) float64 { return log1(bs[i].chars) })
	each(s.want(colWords), func(i int) float64 { return log1(bs[i].words) })
	each(s.want(colWordLength), func(i int) float64 { return float64(bs[i].letters+bs[i].digits) / words(i) })
	each(s.want(colLinkDensity), func(i int) float64 { return float64(bs[i].linkChars) / chars(i) })
	each(s.want(colLinks), func(i int) float64 { return log1(bs[i].links) })
	each(s.want(colTags), func(i int) float64 { return float64(bs[i].tags) / words(i) })
	each(s.want(colBold), func(i int) float64 { return float64(s.page.Blocks[i].BoldChars) / chars(i) })
	each(s.want(colBreaks), func(i int) float64 { return log1(bs[i].breaks) })
	each(s.want(colImages), func(i int) float64 { return log1(count32(s.page.Blocks[i].Images)) })
	each(s.want(colCommas), func(i int) float64 { return float64(bs[i].commas) / words(i) })
	each(s.want(colTerminators), func(i int) float64 { return float64(bs[i].terminators) / words(i) })
	each(s.want(colSentence), func(i int) float64 { return words(i) / float64(bs[i].terminators+1) })
	each(s.want(colFirst), func(i int) float64 { return float64(bs[i].first) })
	each(s.want(colLast), func(i int) float64 { return float64(bs[i].last) })
	each(s.want(colUpper), func(i int) float64 { return ratio(float64(bs[i].upper), float64(bs[i].letters)) })
	each(s.want(colCapitals), func(i int) float64 { return float64(bs[i].capitals) / words(i) })
	each(s.want(colShort), func(i int) float64 { return float64(bs[i].short) / words(i) })
	each(s.want(colDigits), func(i int) float64 { return float64(bs[i].digits) / chars(i) })
	each(s.want(colNumbers), func(i int) float64 { return float64(bs[i].numbers) / words(i) })
	each(s.want(colSymbols), func(i int) float64 { return float64(bs[i].symbols) / chars(i) })
	each(s.want(colLongest), func(i int) float64 { return float64(bs[i].longest) })
	each(s.want(colUnspaced), func(i int) float64 { return float64(bs[i].unspaced) / chars(i) })
	each(s.want(colYear), func(i int) float64 { return truth.Float64(bs[i].year) })
	each(s.want(colBar), func(i int) float64 { return truth.Float64(bs[i].sign&signBar != 0) })
	each(s.want(colRight), func(i int) float64 { return truth.Float64(bs[i].sign&signRight != 0) })
	each(s.want(colArrow), func(i int) float64 { return truth.Float64(bs[i].sign&signArrow != 0) })
	each(s.want(colAt), func(i int) float64 { return truth.Float64(bs[i].sign&signAt != 0) })
	each(s.want(colURL), func(i int) float64 { return truth.Float64(bs[i].sign&signURL != 0) })
	each(s.want(colSlash), func(i int) float64 { return truth.Float64(bs[i].sign&signSlash != 0) })
	each(s.want(colCopies), func(i int) float64 { return log1(s.copies.list[bs[i].copy].blocks) })
	each(s.want(colTitle), func(i int) float64 { return s.inTitle(&s.hashes[i]) })
	each(s.want(colHidden), func(i int) float64 { return truth.Float64(bs[i].hidden) })
	each(s.want(colKind), func(i int) float64 { return float64(bs[i].kind) })
	each(s.want(colLevel), func(i int) float64 { return float64(bs[i].level) })
}

// readTitle stores the words of the page's title.
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

// titleSlots is the base-2 logarithm of the size of the hash table of title words.
const titleSlots = 7

// titleSlot returns the slot of word h, or the free slot to insert it. The table is never
// full. Every table contains the word 0.
func titleSlot(table *[1 << titleSlots]uint32, h uint32) uint32 {
	at := h * 0x9E3779B1 >> (32 - titleSlots)
	for table[at] != 0 && table[at] != h {
		at = (at + 1) % uint32(len(table))
	}
	return at
}

// inTitle returns the share of the first words that are also in the title.
func (s *sheet) inTitle(w *wordHashes) float64 {
	n := min(w.count, headWords)
	if n == 0 || s.titleWords.count == 0 {
		return 0
	}
	hits := 0
	for _, h := range w.head[:n] {
		if s.title[titleSlot(&s.title, h)] == h {
			hits++
		}
	}
	return float64(hits) / float64(n)
}
