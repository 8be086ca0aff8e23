package nontext

import "math"

// The statistics of a window, none of which knows a word of any language.
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
	statCount
)

// statNames are their names in reasons.
var statNames = [statCount]string{
	"length of words", "spread of the lengths of words", "order of long and short words", "words that come again soon", "pairs of words that come again",
	"triples of words that come again", "doubled words", "different words", "words that stand once", "share of the most frequent words",
	"frequent words side by side", "distances of frequent words", "commas", "sentence ends", "quotes and brackets", "symbols", "numbers",
	"capitals within sentences", "words in capitals", "sentences that begin in lower case", "line breaks", "lines without a sentence end",
	"length of sentences", "spread of the lengths of sentences", "spaces before marks", "lines that begin alike", "repeated strings",
}

const (
	near     = 60 // words back at which a repetition is soon
	longWord = 5  // characters from which a word counts for it
	topTypes = 8  // the most frequent words of the window, which stand for its function words
)

// counter counts the words of a window and tells where each stood last. What it
// holds is forgotten without being cleared.
type counter struct {
	slots [2 * WindowWords]seen
	turn  uint32
}

type seen struct {
	hash, turn uint32
	last, n    int32
}

func (c *counter) reset() {
	if c.turn++; c.turn == 0 {
		*c = counter{turn: 1}
	}
}

// at returns the slot of a hash, which is new if its n is 0.
func (c *counter) at(hash uint32) *seen {
	for i := hash * 0x9e3779b1 >> 16; ; i++ {
		s := &c.slots[i%uint32(len(c.slots))]
		if s.turn != c.turn {
			*s = seen{hash: hash, turn: c.turn}
			return s
		}
		if s.hash == hash {
			return s
		}
	}
}

// places tells where n-grams stood last. What it holds is forgotten without being
// cleared.
type places struct {
	// slots hold the turn (16 bits), a hash (32) and a place (16).
	slots [2 * WindowWords]uint64
	turn  uint64
}

func (p *places) reset() {
	if p.turn++; p.turn == 1<<16 {
		*p = places{turn: 1}
	}
}

// put notes a place of a hash and returns the last one, -1 for none.
func (p *places) put(hash uint32, at int) int {
	for i := hash * 0x9e3779b1 >> 16; ; i++ {
		s := &p.slots[i%uint32(len(p.slots))]
		old := *s
		if old>>48 != p.turn {
			*s = p.turn<<48 | uint64(hash)<<16 | uint64(at)
			return -1
		}
		if uint32(old>>16) == hash {
			*s = p.turn<<48 | uint64(hash)<<16 | uint64(at)
			return int(old & 0xffff)
		}
	}
}

// statistics finds the numbers of a window.
type statistics struct {
	types          counter
	pairs, triples places
	of             [WindowWords]*seen // the slot of each word
	out            [statCount]float32
}

// find fills in s.out.
func (s *statistics) find(words []word) {
	s.out = [statCount]float32{}
	if len(words) == 0 {
		return
	}
	s.repetition(words)
	s.frequent(words)
	s.marks(words)
	s.lengths(words)
}

func share(n, of int) float32 {
	if of == 0 {
		return 0
	}
	return float32(n) / float32(of)
}

// repetition looks at words, pairs and triples that were there before.
func (s *statistics) repetition(words []word) {
	s.types.reset()
	s.pairs.reset()
	s.triples.reset()
	soon, long, pairs, triples, doubles, types := 0, 0, 0, 0, 0, 0
	covered, length, matched := 0, 0, -1 // words in repeated strings; that at hand, and where it stood
	var h1, h2 uint32
	for i := range words {
		w := &words[i]
		t := s.types.at(w.hash)
		s.of[i] = t
		if t.n == 0 {
			types++
		}
		if w.chars >= longWord {
			long++
			if t.n > 0 && i-int(t.last) <= near {
				soon++
			}
		}
		if t.n > 0 && int(t.last) == i-1 && w.form != formAlone {
			doubles++
		}
		t.n++
		t.last = int32(i)
		if i > 0 {
			if s.pairs.put(mix(h1, w.hash), i) >= 0 {
				pairs++
			}
		}
		if i > 1 {
			// a match goes on, or ends, or begins with this triple
			at := s.triples.put(mix(mix(h2, h1), w.hash), i)
			if at >= 0 {
				triples++
			}
			switch {
			case at >= 0 && matched >= 0 && at == matched+1:
				length++
			case at >= 0:
				covered, length = covered+match(length), 3
			default:
				covered, length = covered+match(length), 0
			}
			matched = at
		}
		h2, h1 = h1, w.hash
	}
	n := len(words)
	s.out[statNearRepeats], s.out[statPairRepeats], s.out[statTripleRepeats] = share(soon, long), share(pairs, n), share(triples, n)
	s.out[statDoubles], s.out[statPacked] = share(doubles, n), share(covered+match(length), n)
	if n > 1 {
		s.out[statTypes] = float32(math.Log(float64(types)) / math.Log(float64(n)))
	}
}

// minMatch is the number of words from which a repeated string counts for what a
// compressor could spare.
const minMatch = 4

func match(length int) int {
	if length < minMatch {
		return 0
	}
	return length
}

// frequent looks at the most frequent words of the window: in text they are those
// that hold sentences together, seldom side by side and never far.
func (s *statistics) frequent(words []word) {
	var least [topTypes]int32 // their counts, falling
	once := 0
	for i := range words {
		t := s.of[i]
		if t.n == 1 {
			once++
		}
		if int(t.last) != i || t.n <= least[topTypes-1] {
			continue
		}
		k := topTypes - 1
		for ; k > 0 && least[k-1] < t.n; k-- {
			least[k] = least[k-1]
		}
		least[k] = t.n
	}
	bar := max(least[topTypes-1], 2)
	top, together, last := 0, 0, -1
	var gaps, squares float64
	for i := range words {
		if s.of[i].n < bar {
			continue
		}
		top++
		if last >= 0 {
			g := float64(i - last)
			gaps, squares = gaps+g, squares+g*g
			if g == 1 {
				together++
			}
		}
		last = i
	}
	n := float64(len(words))
	s.out[statOnce], s.out[statTopShare] = share(once, len(words)), share(top, len(words))
	s.out[statTopOrder] = float32((float64(together) + 1) / (float64(top)*float64(top)/n + 1))
	if top > 3 {
		k := float64(top - 1)
		mean := gaps / k
		s.out[statTopGaps] = float32(math.Sqrt(max(0, squares/k-float64(mean*mean))) / mean)
	}
}

// marks looks at what stands between the words, and at capitals.
func (s *statistics) marks(words []word) {
	var n [gapSentenceLine + 1]int
	capitals, shouts, numbers, within, low, begun, loose, alike, lines := 0, 0, 0, 0, 0, 0, 0, 0, 0
	before, first := uint8(gapLine), uint32(0)
	for i := range words {
		w := &words[i]
		n[w.gap]++
		switch {
		case w.form == formNumber:
			numbers++
		case w.form == formUpper && w.chars > 1:
			shouts++
		}
		if starts(before) {
			begun++
			if w.form == formLower {
				low++
			}
		} else {
			within++
			if w.form == formTitle {
				capitals++
			}
		}
		if before >= gapLine {
			if lines++; w.hash == first {
				alike++
			}
			first = w.hash
		}
		if w.loose {
			loose++
		}
		before = w.gap
	}
	all := len(words)
	s.out[statCommas], s.out[statMarks], s.out[statSymbols] = share(n[gapComma], all), share(n[gapMark]+n[gapNone], all), share(n[gapSymbol], all)
	s.out[statTerminals] = share(n[gapTerminal]+n[gapSentenceLine], all)
	s.out[statNumbers], s.out[statShouts], s.out[statCapitals] = share(numbers, all), share(shouts, all), share(capitals, within)
	s.out[statLowStarts], s.out[statLoose] = share(low, begun), share(loose, all)
	s.out[statBreaks], s.out[statOpenLines] = share(n[gapLine]+n[gapSentenceLine], all), share(n[gapLine], n[gapLine]+n[gapSentenceLine])
	s.out[statLineStarts] = share(alike, lines)
}

// lengths looks at those of words and of sentences.
func (s *statistics) lengths(words []word) {
	var sum, squares, products, sentence, sentences, spread float64
	prev := 0.0
	for i := range words {
		l := float64(min(words[i].chars, 20))
		sum, squares, products = sum+l, squares+l*l, products+l*prev
		prev = l
		if sentence++; starts(words[i].gap) {
			sentences++
			spread += sentence * sentence
			sentence = 0
		}
	}
	n := float64(len(words))
	mean := sum / n
	variance := squares/n - float64(mean*mean) // no fused product: the same on every machine
	s.out[statWordLength], s.out[statLengthSpread] = float32(mean), float32(math.Sqrt(max(0, variance)))
	if variance > 1e-6 && n > 1 {
		s.out[statLengthOrder] = float32((products/(n-1) - float64(mean*mean)) / variance)
	}
	sentences = max(sentences, 1)
	length := n / sentences
	s.out[statSentenceLength] = float32(length)
	s.out[statSentenceSpread] = float32(math.Sqrt(max(0, (spread+sentence*sentence)/sentences-float64(length*length))) / length)
}
