package label

import (
	"math"

	"chaffinch/internal/truth"
)

// The statistics of a window, all independent of the language.
const (
	statWordLength = iota
	statLengthSpread
	statLengthOrder
	statNearRepeats
	statPairRepeats
	statTripleRepeats
	statDoubles
	statTypes
	statOnce
	statTopShare
	statTopOrder
	statTopGaps
	statCommas
	statTerminals
	statMarks
	statSymbols
	statNumbers
	statCapitals
	statShouts
	statLowStarts
	statBreaks
	statOpenLines
	statSentenceLength
	statSentenceSpread
	statLoose
	statLineStarts
	statPacked
	statApart
	statColons
	statEllipses
	statMixed
	statLower
	statShort
	statShortLower
	statDigits
	statScripts
	statTopLong
	statTopLongs
	statHalves
	statLongestSentence
	statLongSentences
	statShortSentences
	statTitleRuns
	statLongestRun
	statRuns
	statCount
)

// statNames holds the names of the statistics in explanations.
var statNames = [statCount]string{
	"length of words", "spread of the lengths of words", "order of long and short words", "words repeated soon", "repeated pairs of words",
	"repeated triples of words", "doubled words", "different words", "words that occur once", "share of the most frequent words",
	"frequent words side by side", "distances of frequent words", "commas", "sentence ends", "quotes and brackets", "symbols", "numbers",
	"capitals within sentences", "words in capitals", "sentences with lower case at the beginning", "line breaks", "lines without a sentence end",
	"length of sentences", "spread of the lengths of sentences", "spaces before marks", "lines with the same beginning", "repeated strings",
	"marks between spaces", "colons", "ellipses", "capitals within words", "words in lower case", "short words", "short words in lower case",
	"digits", "words of a second script", "share of the most frequent long word", "share of the most frequent long words", "words of both halves",
	"longest sentence", "words in long sentences", "short sentences", "rows of capitalized words", "longest row without short words",
	"rows without short words",
}

const (
	near     = 60 // maximum distance in words of a near repetition
	longWord = 5  // minimum number of characters of a long word
	topTypes = 8  // number of most frequent words of the window, which approximate its function words
	minMatch = 4  // minimum number of words of a repeated string, as a measure of compressibility

	shortWord     = 3  // maximum number of characters of a short word
	shortLower    = 4  // maximum number of characters of a short word in lower case, often a function word
	longSentence  = 41 // minimum number of words of a long sentence
	shortSentence = 3  // maximum number of words of a short sentence
	minRow        = 6  // minimum number of words of a row without short words in lower case
	minTitles     = 3  // minimum number of words of a row of capitalized words
)

// slots is the size of the hash tables of a window. At most a quarter of the slots are used.
const slots = 4 * windowWords

// statistics computes the statistics of a window.
type statistics struct {
	// Hash tables: typeAt holds the number of a type plus one. pairAt holds the last position
	// of a pair, the position of its second word. 0 marks an empty slot.
	typeAt, pairAt [slots]uint16
	// For each type: its hash, its last position, and its count.
	hashes [windowWords]uint32
	last   [windowWords]int32
	count  [windowWords]uint16
	// long marks types of long words, and of words of one character in scripts without spaces.
	long [windowWords]bool
	// atLeast[n] is the number of types that occur n times or more.
	atLeast [windowWords + 2]uint16
	// For each position: its type, the pair that ends there, and the previous position of this
	// pair (0 for none).
	of    [windowWords]uint16
	pair  [windowWords]uint32
	chain [windowWords]uint16
	// forms counts the words of each form after each gap, lengths the words of each length.
	forms   [gapSentenceLine + 1][formAlone + 1]uint16
	lengths [maxLength + 1]uint16
	top     [windowWords]uint16 // positions of the most frequent words
	out     [statCount]float32
}

// find computes s.out.
func (s *statistics) find(words []word) {
	s.out = [statCount]float32{}
	if len(words) == 0 {
		return
	}
	s.repetition(words)
	s.frequent(len(words))
	s.marks(words)
	s.sizes(words)
	s.rows(words)
}

func share(n, of int) float32 {
	if of == 0 {
		return 0
	}
	return float32(n) / float32(of)
}

// typeOf returns the number of the type with a hash, given n known types. It adds a new type as
// number n.
func (s *statistics) typeOf(hash uint32, n int) int {
	for i := hash * 0x9e3779b1 >> 16; ; i++ {
		slot := &s.typeAt[i%slots]
		if *slot == 0 {
			*slot = uint16(n + 1)
			s.hashes[n%windowWords], s.count[n%windowWords], s.last[n%windowWords] = hash, 0, -windowWords
			return n
		}
		if t := int(*slot - 1); s.hashes[t%windowWords] == hash {
			return t
		}
	}
}

// pairAgain records that a pair ends at a position. It returns the previous position of the
// pair, 0 for none.
func (s *statistics) pairAgain(pair uint32, at int) uint16 {
	for i := pair * 0x9e3779b1 >> 16; ; i++ {
		slot := &s.pairAt[i%slots]
		was := *slot
		if was == 0 || s.pair[was%windowWords] == pair {
			*slot = uint16(at)
			return was
		}
	}
}

// repetition computes the statistics of repeated words, pairs and triples.
func (s *statistics) repetition(words []word) {
	clear(s.typeAt[:])
	clear(s.pairAt[:])
	clear(s.atLeast[:])
	soon, long, pairs, triples, doubles, types, both := 0, 0, 0, 0, 0, 0, 0
	half := int32(len(words) / 2)
	covered, length, matched := 0, 0, -1 // words in repeated strings; the current string, and its previous position
	before := 0
	for i := range words {
		w := &words[i]
		t := s.typeOf(w.hash, types) % windowWords
		if t == types {
			types++
			s.long[t] = w.chars >= longWord || w.form == formAlone
		}
		both += truth.Int(int32(i) >= half && s.last[t] >= 0 && s.last[t] < half)
		n, back := s.count[t]+1, i-int(s.last[t])
		s.of[i%windowWords], s.count[t], s.last[t] = uint16(t), n, int32(i)
		s.atLeast[n]++
		isLong := truth.Int(w.chars >= longWord)
		long += isLong
		soon += isLong & truth.Int(back <= near)
		doubles += truth.Int(back == 1) & truth.Int(w.form != formAlone)
		if i > 0 {
			pair := uint32(before)<<16 | uint32(t)
			s.pair[i%windowWords] = pair
			was := s.pairAgain(pair, i)
			s.chain[i%windowWords] = was
			at := -1
			if was > 0 {
				pairs++
				at = s.triple(i, was)
			}
			if at >= 0 {
				triples++
			}
			// A match continues, ends, or begins with this triple.
			switch {
			case at >= 0 && matched >= 0 && at == matched+1:
				length++
			case at >= 0:
				covered, length = covered+match(length), 3
			case length > 0:
				covered, length = covered+match(length), 0
			}
			matched = at
		}
		before = t
	}
	n := len(words)
	s.out[statNearRepeats], s.out[statPairRepeats], s.out[statTripleRepeats] = share(soon, long), share(pairs, n), share(triples, n)
	s.out[statDoubles], s.out[statPacked] = share(doubles, n), share(covered+match(length), n)
	s.out[statHalves] = share(both, types)
	s.topLong(types, n)
	if n > 1 {
		s.out[statTypes] = float32(math.Log(float64(types)) / math.Log(float64(n)))
	}
}

// topLong computes the shares of the most frequent long words.
func (s *statistics) topLong(types, words int) {
	var a, b, c uint16 // the largest counts
	for t, long := range s.long[:types] {
		if n := s.count[t]; long && n > c {
			switch {
			case n > a:
				a, b, c = n, a, b
			case n > b:
				b, c = n, b
			default:
				c = n
			}
		}
	}
	s.out[statTopLong], s.out[statTopLongs] = share(int(a), words), share(int(a)+int(b)+int(c), words)
}

// triple returns the previous position of the triple that ends at a position, -1 for none. was
// is the previous position of its last two words.
func (s *statistics) triple(at int, was uint16) int {
	for first := s.of[(at-2)%windowWords]; was > 1; was = s.chain[was%windowWords] {
		if s.of[(was-2)%windowWords] == first {
			return int(was)
		}
	}
	return -1
}

func match(length int) int {
	if length < minMatch {
		return 0
	}
	return length
}

// frequent computes the statistics of the most frequent words among n. In text these are
// function words, seldom adjacent and never far apart.
func (s *statistics) frequent(n int) {
	bar := 2
	for bar+1 < len(s.atLeast) && s.atLeast[bar+1] >= topTypes {
		bar++
	}
	top := 0
	for i, t := range s.of[:n] {
		s.top[top%windowWords] = uint16(i)
		top += truth.Int(int(s.count[t%windowWords]) >= bar)
	}
	gaps, squares, together := 0, 0, 0
	for k := 1; k < top; k++ {
		g := int(s.top[k%windowWords]) - int(s.top[(k-1)%windowWords])
		gaps, squares = gaps+g, squares+g*g
		together += truth.Int(g == 1)
	}
	s.out[statOnce], s.out[statTopShare] = share(int(s.atLeast[1])-int(s.atLeast[2]), n), share(top, n)
	s.out[statTopOrder] = float32((float64(together) + 1) / (float64(top)*float64(top)/float64(n) + 1))
	if top > 3 {
		k := float64(top - 1)
		mean := float64(gaps) / k
		s.out[statTopGaps] = float32(math.Sqrt(max(0, float64(squares)/k-float64(mean*mean))) / mean)
	}
}

// marks computes the statistics of marks between words, and of capitals.
func (s *statistics) marks(words []word) {
	s.forms = [gapSentenceLine + 1][formAlone + 1]uint16{}
	loose, alike, lines := 0, 0, 0
	before, first := uint8(gapLine), uint32(0)
	for i := range words {
		w := &words[i]
		s.forms[before][w.form]++
		if before >= gapLine {
			if lines++; w.hash == first {
				alike++
			}
			first = w.hash
		}
		loose += int(w.loose)
		before = w.gap
	}
	var gaps [gapSentenceLine + 1]int
	gaps[before]++  // after the last word
	gaps[gapLine]-- // as if before the first word
	numbers, shouts, mixed, lower, capitals, within, low, begun := 0, 0, 0, 0, 0, 0, 0, 0
	for gap := range s.forms {
		forms := &s.forms[gap]
		all := 0
		for _, n := range forms {
			all += int(n)
		}
		gaps[gap] += all
		numbers += int(forms[formNumber])
		shouts += int(forms[formUpper])
		mixed += int(forms[formMixed])
		lower += int(forms[formLower])
		if starts(uint8(gap)) {
			begun += all
			low += int(forms[formLower])
		} else {
			within += all
			capitals += int(forms[formTitle])
		}
	}
	all := len(words)
	s.out[statCommas], s.out[statMarks], s.out[statSymbols] = share(gaps[gapComma], all), share(gaps[gapMark]+gaps[gapNone], all), share(gaps[gapSymbol], all)
	s.out[statTerminals] = share(gaps[gapTerminal]+gaps[gapEllipsis]+gaps[gapSentenceLine], all)
	s.out[statNumbers], s.out[statShouts], s.out[statCapitals] = share(numbers, all), share(shouts, all), share(capitals, within)
	s.out[statLowStarts], s.out[statLoose] = share(low, begun), share(loose, all)
	s.out[statApart], s.out[statColons], s.out[statEllipses] = share(gaps[gapApart], all), share(gaps[gapColon], all), share(gaps[gapEllipsis], all)
	s.out[statMixed], s.out[statLower] = share(mixed, all), share(lower, all)
	s.out[statBreaks], s.out[statOpenLines] = share(gaps[gapLine]+gaps[gapSentenceLine], all), share(gaps[gapLine], gaps[gapLine]+gaps[gapSentenceLine])
	s.out[statLineStarts] = share(alike, lines)
}

// maxLength is the word length from which all lengths count the same.
const maxLength = 20

// sizes computes the statistics of the lengths of words and of sentences.
func (s *statistics) sizes(words []word) {
	s.lengths = [maxLength + 1]uint16{}
	products, sentences, spread, prev, begin := 0, 0, 0, 0, 0
	for i := range words {
		l := int(min(words[i].chars, maxLength))
		s.lengths[l]++
		products += l * prev
		prev = l
		if starts(words[i].gap) {
			sentences++
			spread += (i + 1 - begin) * (i + 1 - begin)
			begin = i + 1
		}
	}
	sum, squares := 0, 0
	for l, n := range s.lengths {
		sum, squares = sum+l*int(n), squares+l*l*int(n)
	}
	n := float64(len(words))
	mean := float64(sum) / n
	variance := float64(squares)/n - float64(mean*mean) // no fused product: the same result on every machine
	s.out[statWordLength], s.out[statLengthSpread] = float32(mean), float32(math.Sqrt(max(0, variance)))
	if variance > 1e-6 && n > 1 {
		s.out[statLengthOrder] = float32((float64(products)/(n-1) - float64(mean*mean)) / variance)
	}
	sentences = max(sentences, 1)
	rest := len(words) - begin // of a sentence that ends after the window
	length := n / float64(sentences)
	s.out[statSentenceLength] = float32(length)
	s.out[statSentenceSpread] = float32(math.Sqrt(max(0, float64(spread+rest*rest)/float64(sentences)-float64(length*length))) / length)
}

// rows computes the statistics of sentences of extreme lengths, of rows of words without function
// words, of short words, digits and scripts.
func (s *statistics) rows(words []word) {
	short, shortLow, digits, chars, latin, other := 0, 0, 0, 0, 0, 0
	row, longest, inRows, titles, inTitles := 0, 0, 0, 0, 0
	begin, most, inLong, shorts, sentences := 0, 0, 0, 0, 0
	for i := range words {
		w := &words[i]
		n := int(w.chars)
		chars += n
		short += truth.Int(n <= shortWord)
		latin += truth.Int(w.script == scriptLatin)
		other += truth.Int(w.script == scriptOther)
		if w.form == formNumber {
			digits += n
		}
		if w.form == formLower && n <= shortLower {
			shortLow++
			longest, inRows, row = max(longest, row), inRows+atLeast(row, minRow), 0
		} else {
			row++
		}
		if w.form == formTitle || w.form == formUpper {
			titles++
		}
		if w.form != formTitle && w.form != formUpper || w.gap != gapSpace {
			inTitles, titles = inTitles+atLeast(titles, minTitles), 0
		}
		if starts(w.gap) || i == len(words)-1 {
			length := i + 1 - begin
			begin = i + 1
			sentences++
			most, inLong = max(most, length), inLong+atLeast(length, longSentence)
			shorts += truth.Int(length <= shortSentence)
		}
	}
	longest, inRows = max(longest, row), inRows+atLeast(row, minRow)
	inTitles += atLeast(titles, minTitles)
	all := len(words)
	s.out[statShort], s.out[statShortLower], s.out[statDigits] = share(short, all), share(shortLow, all), share(digits, chars)
	s.out[statScripts] = share(min(latin, other), all)
	s.out[statLongestSentence], s.out[statLongSentences], s.out[statShortSentences] = share(most, all), share(inLong, all), share(shorts, sentences)
	s.out[statLongestRun], s.out[statRuns], s.out[statTitleRuns] = share(longest, all), share(inRows, all), share(inTitles, all)
}

// atLeast returns n, or 0 if it is below least.
func atLeast(n, least int) int {
	if n < least {
		return 0
	}
	return n
}
