package roles

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/sets"
	"chaffinch/internal/truth"
)

// column is a measurement of a paragraph.
type column int

// Columns. The order is part of the format of models.
const (
	cRule column = iota // first of Count indicators
	cSize column = iota + column(Count) - 1
	cBold
	cItalic
	cFixed
	cMath
	cLeft
	cRight
	cTop
	cBottom
	cWidth
	cCenter
	cIndent
	cLines
	cChars
	cWords
	cWordLength
	cGapAbove
	cGapBelow
	cPage
	cPagesLeft
	cPages
	cFromTop
	cFromBottom
	cIndex
	cOnPage
	cRepeats
	cPlaced
	cImage
	cInside
	cStrokes
	cShape
	cBodySize
	cDensity
	cLetters
	cDigits
	cUppers
	cMarks
	cSymbols
	cCodeSigns
	cFill
	cTitled
	cCommas
	cLower
	cStarts
	cNumbered
	cBullet
	cBracket
	cEnds
	cEndNumber
	cLeaders
	cColon
	cYear
	cAddress
	cEquals
	cLabel
	cKeyReferences
	cKeyContents
	cSinceReferences
	cSinceContents
	cSinceHeading
	cSizeAbove
	cSizeBelow
	cSameLine
	cLarge
	cAlone
	cIndentAbove
	cIndentBelow
	cStyleShare
	cStyleLength
	cFirstWord
	cMeans                // first of the means over the page of the columns of pageMeans
	Columns = cMeans + 18 // number of columns
)

// pageMeans are the columns whose means over a page are columns.
var pageMeans = [...]column{cEndNumber, cLeaders, cYear, cCodeSigns, cFixed, cMath, cDigits, cFill, cStrokes, cWordLength, cChars, cAddress, cCommas, cBullet, cBold, cTitled, cLines, cSize}

var (
	reNumbered  = lazyregexp.New(`^(?:\p{Lu}\.)?\p{Nd}{1,3}(?:[.\-]\p{Nd}{1,3})*[.):]?(?:\s|$)|^(?:[IVXLC]{1,5}|\p{L})[.)]\s|^\(\p{Nd}{1,2}\)|^\(?\p{L}\)\s|^§|^第.{1,3}[章节条節]`)
	reBullet    = lazyregexp.New(`^[•●○▪■□◦‣➢➤✓✔◻▶►·∙*\-–—+o]\s|^[\x{F000}-\x{F8FF}]|^[•●○▪■□◦❖➢✓]`)
	reBracket   = lazyregexp.New(`^\[\p{Nd}{1,3}\]|^\[\p{L}[\p{L}\p{Nd}+]{1,9}\]`)
	reYear      = lazyregexp.New(`(?:^|\P{Nd})(?:1[89]|20)\p{Nd}\p{Nd}(?:\P{Nd}|$)`)
	reAddress   = lazyregexp.New(`(?i)https?:|www\.|doi|\S@\S|://`)
	reLeaders   = lazyregexp.New(`(?:\.\s?){5,}|…{2,}|(?:·\s?){5,}`)
	reEndPage   = lazyregexp.New(`(?:^|\s)(?:\p{Nd}{1,4}|[ivxlc]{1,6})\s*$`)
	reCaption   = lazyregexp.New(`^[\[(<]?\p{L}[\p{L}\p{M}]{0,14}\.?\s?\p{Nd}{1,3}([.\-–]\p{Nd}{1,3})*[.\])>]?\s*[.:|–—\-]|^\p{L}[\p{L}\p{M}]{1,14}\.?\s\p{Nd}{1,3}([.\-–]\p{Nd}{1,3})*\s`)
	reFirstWord = lazyregexp.New(`^[\[(<]?(\p{L}[\p{L}\p{M}]{1,14})\.?\s?\p{Nd}{1,3}(?:\P{Nd}|$)`)
	reDigits    = lazyregexp.New(`\p{Nd}+`)
)

// Words of headings of lists of references and of contents, folded, in many languages.
var (
	keyReferences = sets.Words(`references bibliography literature cited works sources literatur literaturverzeichnis quellen quellenverzeichnis bibliografia bibliografía referencias referências bibliografie bibliographie références
		literatura literatúra źródła piśmiennictwo reference zdroje irodalomjegyzék hivatkozások források lähteet lähdeluettelo kirjallisuus referenser källor källförteckning litteratur litteraturliste kilder referanser kildeliste
		literatuurlijst bronnen referenties riferimenti bibliografici kaynaklar kaynakça bibliografi daftar pustaka referensi литература список источников библиография литературы джерел літератури библиографски βιβλιογραφία αναφορές
		参考文献 參考文獻 文献 참고문헌 참고자료 مراجع منابع المراجع المصادر ביבליוגרפיה מקורות เอกสารอ้างอิง บรรณานุกรม tài liệu tham khảo संदर्भ`)
	keyContents = sets.Words(`contents table summary inhalt inhaltsverzeichnis sommaire índice indice índex sumário sommario obsah spis treści sadržaj kazalo cuprins tartalomjegyzék sisällys sisältö innehåll innehållsförteckning innhold
		indholdsfortegnelse inhoud inhoudsopgave içindekiler daftar isi содержание оглавление зміст садржај содржина съдържание περιεχόμενα 目录 目次 目 录 目錄 목차 차례 فهرست مطالب المحتويات الفهرس תוכן עניינים สารบัญ mục lục seznam obrázků tabulek
		abbildungsverzeichnis tabellenverzeichnis kuviot kuvat taulukot lista figuras tabelas tablas figures tables index rejstřík sachverzeichnis`)
)

// Features returns [Columns] values of each paragraph of d, paragraph by paragraph.
func Features(d *Document) []float32 {
	m := measure(d)
	out := make([]float32, len(d.Paragraphs)*int(Columns))
	for i := range d.Paragraphs {
		m.row(i, out[i*int(Columns):][:Columns])
	}
	m.means(out)
	return out
}

// means sets the means over pages.
func (m *measurer) means(rows []float32) {
	sums := map[int]*[len(pageMeans)]float32{}
	for i := range m.d.Paragraphs {
		page := m.d.Paragraphs[i].Page
		if sums[page] == nil {
			sums[page] = new([len(pageMeans)]float32)
		}
		for k, c := range pageMeans {
			sums[page][k] += rows[i*int(Columns)+int(c)]
		}
	}
	for i := range m.d.Paragraphs {
		page := m.d.Paragraphs[i].Page
		for k, sum := range sums[page] {
			rows[i*int(Columns)+int(cMeans)+k] = sum / float32(m.onPage[page])
		}
	}
}

// measurer holds measurements of a document.
type measurer struct {
	d        *Document
	repeats  map[string]map[int]bool // pages by folded text
	placed   map[placeKey]int        // paragraphs by folded text and place
	first    map[int]int             // index of the first paragraph of a page
	onPage   map[int]int
	last     int // index of the last page
	left     float32
	density  float32
	sinceRef []int
	sinceCon []int
	sinceHd  []int
	largest  float32
	styles   map[style]*styleCount
	starts   map[string]int // paragraphs that begin with a word and a number
	chars    int
	// bold and fixed are 1 if most text is in such fonts, else 0.
	bold, fixed float32
}

// style is the style of a paragraph.
type style struct {
	size         int // in twentieths of the size of the text
	bold, italic bool
}

type styleCount struct{ paragraphs, chars int }

func styleOf(p *Paragraph) style {
	return style{int(math.Round(float64(p.Size * 20))), p.Bold > .5, p.Italic > .5}
}

type placeKey struct {
	text string
	y    int
}

// far is the value of distances to nothing.
const far = 99

func measure(d *Document) *measurer {
	m := &measurer{d: d, repeats: map[string]map[int]bool{}, placed: map[placeKey]int{}, first: map[int]int{}, onPage: map[int]int{}, styles: map[style]*styleCount{}, starts: map[string]int{}}
	lefts := map[int]int{}
	chars := 0
	var bold, fixed float32
	ref, con, head := far, far, far
	for i := range d.Paragraphs {
		p := &d.Paragraphs[i]
		key := folded(p.Text)
		if m.repeats[key] == nil {
			m.repeats[key] = map[int]bool{}
		}
		m.repeats[key][p.Page] = true
		m.placed[placeKey{key, int(p.Y0 / 4)}]++
		if _, ok := m.first[p.Page]; !ok {
			m.first[p.Page] = i
		}
		m.onPage[p.Page]++
		m.last = max(m.last, p.Page)
		if p.Lines >= 2 && p.Rule == Body {
			lefts[int(math.Round(float64(p.X0)))] += p.Lines
		}
		n := utf8.RuneCountInString(p.Text)
		chars += n
		st := styleOf(p)
		if m.styles[st] == nil {
			m.styles[st] = &styleCount{}
		}
		m.styles[st].paragraphs++
		m.styles[st].chars += n
		if w := reFirstWord().FindStringSubmatch(p.Text); w != nil {
			m.starts[strings.ToLower(w[1])]++
		}
		bold += float32(p.Bold * float32(n))
		fixed += float32(p.Fixed * float32(n))
		m.largest = max(m.largest, p.Size)
		short := n < 60
		switch {
		case short && isKey(p.Text, keyReferences):
			ref, con = 0, far
		case short && isKey(p.Text, keyContents):
			con, ref = 0, far
		case p.Rule == Heading && n > 3:
			if ref > 3 {
				ref = far
			}
			if con > 30 {
				con = far
			}
		}
		if p.Rule == Heading {
			head = 0
		}
		m.sinceRef, m.sinceCon, m.sinceHd = append(m.sinceRef, ref), append(m.sinceCon, con), append(m.sinceHd, head)
		ref, con, head = min(ref+1, far), min(con+1, far), min(head+1, far)
	}
	most := 0
	for x, n := range lefts {
		if n > most || n == most && float32(x) < m.left {
			m.left, most = float32(x), n
		}
	}
	m.chars = chars
	m.bold, m.fixed = truth.Float32(bold > float32(chars)/2), truth.Float32(fixed > float32(chars)/2)
	m.density = float32(chars) / float32(max(len(m.onPage), 1))
	return m
}

// folded returns text with its numbers replaced by 0, without spaces.
func folded(text string) string {
	if len(text) > 200 {
		return text
	}
	return strings.Join(strings.Fields(reDigits().ReplaceAllString(strings.ToLower(text), "0")), "")
}

// isKey reports whether a short text consists mostly of the words of a heading.
func isKey(text string, keys map[string]bool) bool {
	f := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	n := 0
	for _, w := range f {
		if keys[w] {
			n++
		}
	}
	return n > 0 && n*2 >= len(f)
}

// row sets the values of paragraph i.
func (m *measurer) row(i int, v []float32) {
	d, p := m.d, &m.d.Paragraphs[i]
	sheet := Sheet{612, 792}
	if p.Page < len(d.Sheets) {
		sheet = d.Sheets[p.Page]
	}
	w, h := max(sheet.Width, 1), max(sheet.Height, 1)
	em := max(d.Size, 1)
	v[int(cRule)+int(p.Rule)] = 1
	set := func(c column, x float32) { v[c] = x }
	set(cSize, p.Size)
	set(cBold, max(p.Bold-m.bold, 0))
	set(cItalic, p.Italic)
	set(cFixed, max(p.Fixed-m.fixed, 0))
	set(cMath, p.Math)
	set(cLeft, p.X0/w)
	set(cRight, p.X1/w)
	set(cTop, p.Y0/h)
	set(cBottom, p.Y1/h)
	set(cWidth, (p.X1-p.X0)/w)
	set(cCenter, abs((p.X0+p.X1)/2/w-.5))
	set(cIndent, (p.X0-m.left)/em)
	set(cLines, float32(p.Lines))
	set(cGapAbove, m.gap(i, -1, em))
	set(cGapBelow, m.gap(i, 1, em))
	set(cPage, float32(min(p.Page, 20)))
	set(cPagesLeft, float32(min(m.last-p.Page, 20)))
	set(cPages, float32(min(m.last+1, 60)))
	set(cFromTop, float32(min(i-m.first[p.Page], 40)))
	set(cFromBottom, float32(min(m.first[p.Page]+m.onPage[p.Page]-1-i, 40)))
	set(cIndex, float32(min(i, 60)))
	set(cOnPage, float32(min(m.onPage[p.Page], 120)))
	key := folded(p.Text)
	set(cRepeats, float32(min(len(m.repeats[key])-1, 20)))
	set(cPlaced, float32(min(m.placed[placeKey{key, int(p.Y0 / 4)}]-1, 20)))
	set(cImage, min(p.Image/em, far))
	set(cInside, p.Inside)
	set(cStrokes, float32(min(p.Strokes, 40)))
	set(cShape, w/h)
	set(cBodySize, d.Size)
	set(cDensity, m.density)
	m.text(p.Text, v)
	set(cKeyReferences, truth.Float32(len(p.Text) < 120 && isKey(p.Text, keyReferences)))
	set(cKeyContents, truth.Float32(len(p.Text) < 120 && isKey(p.Text, keyContents)))
	set(cSinceReferences, float32(m.sinceRef[i]))
	set(cSinceContents, float32(m.sinceCon[i]))
	set(cSinceHeading, float32(m.sinceHd[i]))
	set(cSizeAbove, m.ratio(i, i-1))
	set(cSizeBelow, m.ratio(i, i+1))
	set(cSameLine, truth.Float32(m.sameLine(i, i-1))+2*truth.Float32(m.sameLine(i, i+1)))
	set(cLarge, p.Size/max(m.largest, .1))
	set(cAlone, truth.Float32(m.onPage[p.Page] == 1))
	set(cIndentAbove, m.indent(i, i-1, em))
	set(cIndentBelow, m.indent(i, i+1, em))
	if st := m.styles[styleOf(p)]; st != nil {
		set(cStyleShare, float32(st.chars)/float32(max(m.chars, 1)))
		set(cStyleLength, float32(math.Log2(float64(st.chars)/float64(st.paragraphs)+1)))
	}
	if w := reFirstWord().FindStringSubmatch(p.Text); w != nil {
		set(cFirstWord, float32(min(m.starts[strings.ToLower(w[1])], 20)))
	}
}

// gap returns the vertical distance to a neighbour on the same page, in sizes of the text.
func (m *measurer) gap(i, step int, em float32) float32 {
	j := i + step
	if j < 0 || j >= len(m.d.Paragraphs) || m.d.Paragraphs[j].Page != m.d.Paragraphs[i].Page {
		return far
	}
	a, b := &m.d.Paragraphs[min(i, j)], &m.d.Paragraphs[max(i, j)]
	return max(min((b.Y0-a.Y1)/em, far), -far)
}

// indent returns the distance of the left edges of two paragraphs on a page.
func (m *measurer) indent(i, j int, em float32) float32 {
	if j < 0 || j >= len(m.d.Paragraphs) || m.d.Paragraphs[j].Page != m.d.Paragraphs[i].Page {
		return far
	}
	return max(min((m.d.Paragraphs[i].X0-m.d.Paragraphs[j].X0)/em, far), -far)
}

func (m *measurer) ratio(i, j int) float32 {
	if j < 0 || j >= len(m.d.Paragraphs) {
		return 1
	}
	return m.d.Paragraphs[i].Size / max(m.d.Paragraphs[j].Size, .1)
}

// sameLine reports whether two paragraphs are beside each other.
func (m *measurer) sameLine(i, j int) bool {
	if j < 0 || j >= len(m.d.Paragraphs) {
		return false
	}
	a, b := &m.d.Paragraphs[i], &m.d.Paragraphs[j]
	return a.Page == b.Page && a.Y0 < b.Y1 && b.Y0 < a.Y1 && min(a.Y1, b.Y1)-max(a.Y0, b.Y0) > .5*min(a.Y1-a.Y0, b.Y1-b.Y0)
}

// text sets the columns of the shape of a text.
func (m *measurer) text(text string, v []float32) {
	var all, letters, digits, uppers, marks, symbols, code, fill, commas int
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				uppers++
			}
		case unicode.IsDigit(r):
			digits++
		case r == '_' || r == '…':
			fill++
			marks++
		case strings.ContainsRune(`{}();=<>[]"'#$&|\/`, r):
			code++
			marks++
		case r == ',' || r == '，' || r == '、':
			commas++
			marks++
		case unicode.IsSymbol(r):
			symbols++
		default:
			marks++
		}
		all++
	}
	n := float32(max(all, 1))
	f := strings.Fields(text)
	titled := 0
	for _, w := range f {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			titled++
		}
	}
	v[cChars] = float32(math.Log2(float64(all + 1)))
	v[cWords] = float32(math.Log2(float64(len(f) + 1)))
	v[cWordLength] = n / float32(max(len(f), 1))
	v[cLetters], v[cDigits], v[cMarks], v[cSymbols], v[cCodeSigns] = float32(letters)/n, float32(digits)/n, float32(marks)/n, float32(symbols)/n, float32(code)/n
	v[cUppers] = float32(uppers) / float32(max(letters, 1))
	v[cFill], v[cCommas] = float32(fill)/n, float32(commas)/float32(max(len(f), 1))
	v[cTitled] = float32(titled) / float32(max(len(f), 1))
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"'”’»)]」』）"))
	v[cLower], v[cStarts] = truth.Float32(unicode.IsLower(first)), truth.Float32(unicode.IsUpper(first))+2*truth.Float32(unicode.IsDigit(first))
	loc := reNumbered().FindStringIndex(text)
	if loc != nil {
		v[cNumbered] = 1 + float32(strings.Count(text[:loc[1]], ".")) + 6*truth.Float32(loc[1] >= len(text))
	}
	v[cBullet], v[cBracket] = truth.Float32(reBullet().MatchString(text)), truth.Float32(reBracket().MatchString(text))
	v[cEnds] = truth.Float32(strings.ContainsRune(".!?:;…。！？：；।॥۔؟", last)) + truth.Float32(last == ',') + 2*truth.Float32(last == '-')
	v[cColon] = truth.Float32(last == ':' || last == '：')
	v[cEndNumber] = truth.Float32(reEndPage().MatchString(text))
	v[cLeaders] = float32(len(reLeaders().FindAllStringIndex(text, 9)))
	v[cYear], v[cAddress] = truth.Float32(reYear().MatchString(text)), truth.Float32(reAddress().MatchString(text))
	v[cEquals] = truth.Float32(strings.ContainsAny(text, "=≤≥∈⇒≈∑∫"))
	v[cLabel] = truth.Float32(reCaption().MatchString(text))
}

func abs(x float32) float32 { return max(x, -x) }
