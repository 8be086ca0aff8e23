package lines

import (
	"errors"
	"math"

	"chaffinch/internal/truth"
	"chaffinch/model/data"
	"chaffinch/text/langid"
)

// sheet holds the features of the lines of one document. It is reused: it allocates only for
// a document larger than all before.
type sheet struct {
	// The regressions over n-grams whose weights are summed while a line is read. If both
	// are nil, ids are stored instead, unless bare is set.
	wordWeights, charWeights *Weights
	bare                     bool

	script     string    // script of most letters, see langid.Script
	n          int       // lines
	values     []float32 // rows of columns
	wordSums   []gramSum // by line, with weights
	charSums   []gramSum
	words      []uint32 // ids of word n-grams of all lines
	chars      []uint32 // ids of character n-grams of all lines
	wordStarts []int32  // n+1
	charStarts []int32  // n+1

	stats    []stats
	hashes   []uint32 // hashes of the words read, of all lines
	content  []uint8  // by word: 1 if it is neither a function word nor a number
	codes    []uint16 // folded characters of the current line
	function *functionList
	tallies  tallies
	keys     []keys
	threes   []int32 // tallies of three words, by their last word
	ones     []int32 // tallies of words
	windows  []window
	shapes   []uint32
	runs     []int32
}

// row returns the columns of line i.
func (s *sheet) row(i int) []float32 {
	return s.values[i*int(columns) : (i+1)*int(columns) : (i+1)*int(columns)]
}

// wordIDs returns the ids of the word n-grams of line i, which are table slots.
func (s *sheet) wordIDs(i int) []uint32 { return s.words[s.wordStarts[i]:s.wordStarts[i+1]] }

// charIDs returns the ids of the character n-grams of line i, which are table slots.
func (s *sheet) charIDs(i int) []uint32 { return s.chars[s.charStarts[i]:s.charStarts[i+1]] }

// wordSum returns the sum of the weights in words for the word n-grams of line i.
func (s *sheet) wordSum(words *NGrams, i int) gramSum {
	if s.wordWeights != nil {
		return s.wordSums[i]
	}
	return words.sum(s.wordIDs(i))
}

// charSum returns the sum of the weights in chars for the character n-grams of line i.
func (s *sheet) charSum(chars *NGrams, i int) gramSum {
	if s.charWeights != nil {
		return s.charSums[i]
	}
	return chars.sum(s.charIDs(i))
}

func (s *sheet) set(i int, c column, v float32) { s.values[i*int(columns)+int(c)] = v }

// read computes the features of the lines of a document. lang is its language as a BCP 47
// tag, or "" to detect it. An empty line has no n-grams, and only its context columns are
// not zero.
func read(s *sheet, lang string, lines []string) {
	if lang == "" {
		lang = detect(lines)
	}
	s.script = scriptOf(lines)
	s.wordWeights, s.charWeights, s.bare = nil, nil, false
	s.measureAll(lang, lines)
}

// scriptOf returns the script of most letters of a sample of the lines.
func scriptOf(lines []string) string {
	var letters langid.Letters
	eachPiece(lines, letters.Add)
	return letters.Script()
}

// measureAll computes the features of a sheet whose script and use of n-grams are set.
func (s *sheet) measureAll(lang string, lines []string) {
	s.function = functionWords(lang)
	s.n = len(lines)
	s.values = grow(s.values, s.n*int(columns))
	clear(s.values)
	s.stats = grow(s.stats, s.n)
	s.words, s.chars, s.hashes, s.content = s.words[:0], s.chars[:0], s.hashes[:0], s.content[:0]
	s.wordStarts, s.charStarts = append(s.wordStarts[:0], 0), append(s.charStarts[:0], 0)
	s.wordSums, s.charSums = s.wordSums[:0], s.charSums[:0]
	for i, line := range lines {
		st := &s.stats[i]
		s.measure(st, line)
		switch {
		case s.wordWeights != nil:
			words, chars := s.sumGrams(st)
			s.wordSums, s.charSums = append(s.wordSums, words), append(s.charSums, chars)
		case !s.bare:
			s.addGrams(st)
			s.wordStarts = append(s.wordStarts, int32(len(s.words)))
			s.charStarts = append(s.charStarts, int32(len(s.chars)))
		}
		s.fill(i)
	}
	s.repeat()
	s.topic()
	s.context()
	s.around()
	s.document()
}

// fill sets the columns computed from a line's own characters.
func (s *sheet) fill(i int) {
	st := &s.stats[i]
	row := s.row(i)
	if st.chars == 0 {
		row[colEmpty] = 1
		return
	}
	read := float32(max(st.read, 1))
	of := func(n uint16) float32 { return float32(n) / read }
	signs := float32(0)
	for c := classComma; c < classes; c++ {
		signs += float32(st.counts[c])
	}
	letters := st.letters()
	chars := max(letters+float32(st.counts[classDigit])+signs, 1)

	row[colChars] = log1(st.chars)
	row[colWords] = log1(st.words)
	row[colWordLength] = min((letters+float32(st.counts[classDigit]))/read, 20) / 5
	row[colLongest] = log1(float32(st.longest))
	row[colShortWords] = of(st.short)
	row[colCut] = truth.Float32(st.ellipsis)

	row[colCommas] = of(st.counts[classComma])
	row[colStops] = of(st.counts[classStop])
	row[colSentence] = log1(st.words / float32(st.counts[classStop]+1))
	row[colSymbols] = signs / chars
	row[colQuotes] = of(st.counts[classQuote])
	row[colBrackets] = of(st.counts[classBracket])
	row[colEndStop] = truth.Float32(st.last == classStop || st.last == classEllipsis)
	row[colEndColon] = truth.Float32(st.last == classColon)
	row[colEndComma] = truth.Float32(st.last == classComma)
	row[colEndBracket] = truth.Float32(st.last == classBracket)
	row[colEndLetter] = truth.Float32(st.last == classLower || st.last == classUpper || st.last == classUnspaced)
	row[colEndCount] = truth.Float32(st.sign&signCount != 0)
	row[colStartBullet] = truth.Float32(st.first == classBullet)
	row[colStartDigit] = truth.Float32(st.first == classDigit)
	row[colStartQuote] = truth.Float32(st.first == classQuote)
	row[colStartSign] = truth.Float32(st.first >= classComma && st.first != classBullet && st.first != classQuote)
	row[colBars] = log1(float32(st.counts[classBar]))
	row[colArrows] = log1(float32(st.counts[classArrow]))
	row[colRight] = truth.Float32(st.counts[classRight] > 0)
	row[colAt] = truth.Float32(st.sign&signAt != 0)
	row[colURL] = truth.Float32(st.sign&signURL != 0)
	row[colHash] = truth.Float32(st.sign&signHash != 0)
	row[colSlashes] = of(st.counts[classSymbol])
	row[colTabs] = log1(float32(st.tabs))
	row[colCode] = float32(st.counts[classCode])/chars + truth.Float32(st.sign&signMarkup != 0)
	row[colWrong] = min(10*float32(st.counts[classWrong])/chars, 1)

	row[colStartUpper] = truth.Float32(st.first == classUpper)
	row[colStartLower] = truth.Float32(st.firstCase == classLower)
	row[colCapitals] = of(st.capitals)
	row[colAllCaps] = of(st.caps)
	row[colUpper] = ratio(float32(st.counts[classUpper]), letters)
	row[colGlued] = log1(float32(st.glued))

	row[colDigits] = float32(st.counts[classDigit]) / chars
	row[colNumbers] = of(st.numbers)
	row[colDate] = truth.Float32(st.sign&signDate != 0)
	row[colTime] = truth.Float32(st.sign&signTime != 0)
	row[colYear] = truth.Float32(st.sign&signYear != 0)
	row[colPrice] = truth.Float32(st.counts[classMoney] > 0)
	row[colPhone] = truth.Float32(st.sign&signPhone != 0)
	row[colOnlyNumbers] = truth.Float32(letters == 0)

	row[colFunction] = of(st.function)
	row[colFunctionWords] = log1(float32(st.function))
	row[colEnglish] = of(st.english)
	row[colListed] = truth.Float32(s.function.listed)
}

// document sets the columns that are equal for all lines of a document.
func (s *sheet) document() {
	var histogram [256]int32
	var distant, letters, words, short, long, stops, bars, copies, function, read, unspaced, chars, filled float32
	for i := range s.n {
		st := &s.stats[i]
		if st.chars == 0 {
			continue
		}
		filled++
		words += st.words
		chars += st.chars
		distant += float32(st.distant)
		letters += st.letters()
		unspaced += float32(st.counts[classUnspaced])
		function += float32(st.function)
		read += float32(st.read)
		histogram[min(int(st.words), 255)]++
		short += truth.Float32(st.words <= shortWords)
		long += truth.Float32(st.words >= longWords)
		stops += truth.Float32(st.last == classStop)
		bars += truth.Float32(st.counts[classBar] > 0)
		copies += truth.Float32(s.tallies.list[s.keys[i].line].lines > 1)
	}
	median, left := 0, int32(filled/2)
	for median < 255 && left >= histogram[median] {
		left -= histogram[median]
		median++
	}
	// Columns of all rows from colLines to colUnspaced, at offset 0 here.
	all := [...]float32{
		0:                           log1(float32(s.n)),
		colDocWords - colLines:      log1(words),
		colMeanWords - colLines:     log1(ratio(words, filled)),
		colMedianWords - colLines:   log1(float32(median)),
		colShortShare - colLines:    ratio(short, filled),
		colLongShare - colLines:     ratio(long, filled),
		colStopShare - colLines:     ratio(stops, filled),
		colBarShare - colLines:      ratio(bars, filled),
		colCopyShare - colLines:     ratio(copies, filled),
		colFunctionShare - colLines: ratio(function, read),
		colUnspaced - colLines:      min(ratio(unspaced, chars), 1),
	}
	for i := range s.n {
		row := s.row(i)
		copy(row[colLines:], all[:])
		if st := &s.stats[i]; st.chars > 0 {
			row[colRelWords] = log1(st.words) - row[colMeanWords]
			row[colFunctionLead] = row[colFunction] - row[colFunctionShare]
			if l := st.letters(); l > 0 {
				row[colForeign] = abs(float32(st.distant)/l - distant/letters)
			}
		}
	}
}

// sampleBytes is the number of bytes read to detect script and language, sampleLine the
// maximum of one line. With these, 876 of the 901 documents of turku-lines get the language
// that they are filed under. Twice as many bytes give 878.
const (
	sampleBytes = 700
	sampleLine  = 200
	longLine    = 80 // bytes
)

// eachPiece calls fn with the beginnings of the longer lines of a document, some sampleBytes
// in all. If few lines are long, it uses all lines.
func eachPiece(lines []string, fn func(piece string)) {
	read := 0
	for _, least := range [...]int{longLine, 1} {
		for _, l := range lines {
			if len(l) >= least && read < sampleBytes {
				piece := l[:boundary(l, min(len(l), sampleLine))]
				read += len(piece) + 1
				fn(piece)
			}
		}
		if read >= sampleBytes/4 {
			return
		}
	}
}

// detect returns the language of a sample of the lines, or "" if the detector does not know
// it or the program has none.
func detect(lines []string) string {
	d, err := langid.Standard()
	if errors.Is(err, data.ErrNoLanguages) {
		return ""
	}
	if err != nil {
		panic(err) // invalid embedded file
	}
	var buf [sampleBytes + sampleLine + 1]byte
	text := buf[:0]
	eachPiece(lines, func(piece string) { text = append(append(text, piece...), ' ') })
	g := d.Detect(string(text))
	if g.Lang == langid.Undetermined || g.Lang == langid.NoLanguage {
		return ""
	}
	return g.Lang
}

// grow returns v with length n and its contents.
func grow[T any](v []T, n int) []T {
	if n <= cap(v) {
		return v[:n]
	}
	out := make([]T, n, n+n/4+16)
	copy(out, v)
	return out
}

// log1 returns the natural logarithm of x+1.
func log1(x float32) float32 {
	if x < logSteps {
		if n := int(x); float32(n) == x {
			return logs[n]
		}
	}
	return float32(math.Log1p(float64(x)))
}

const logSteps = 1024

// logs caches the most frequent results of log1.
var logs = func() (t [logSteps]float32) {
	for n := range t {
		t[n] = float32(math.Log1p(float64(n)))
	}
	return t
}()

func abs(x float32) float32 { return max(x, -x) }

func ratio(a, b float32) float32 {
	if b <= 0 {
		return 0
	}
	return a / b
}
