package nontext

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// This file is the simple form of the fast code of the package: characters one by one, a pass
// for each question, n-grams in a list.

// simpleScan is scan.
func simpleScan(text string, at int, words []word) ([]word, int) {
	words = words[:0]
	for at < len(text) {
		c, n := charAt(text, at)
		if c.class >= charLetter {
			break
		}
		at += n
	}
	for at < len(text) && len(words) < WindowWords {
		w := word{start: at}
		at = simpleRead(&w, text, at)
		at = w.readAnyGap(text, at)
		words = append(words, w)
	}
	return words, at
}

// simpleRead is read, character by character.
func simpleRead(w *word, text string, at int) int {
	h, prev, last := uint32(0x811c9dc5), rune(0), rune(0)
	upper, digits, n := 0, 0, 0
	first := false
	for at < len(text) {
		c, size := charAt(text, at)
		if c.class < charLetter || c.class == charAlone && n > 0 {
			break
		}
		if c.class > charLetter {
			switch c.class {
			case charUpper:
				upper++
				first = first || n == 0
			case charDigit:
				digits++
			case charAlone:
				w.form = formAlone
			}
		}
		h = (h ^ uint32(c.lower)) * hashPrime
		prev, last = last, c.lower
		n++
		at += size
		if w.form == formAlone {
			break
		}
	}
	w.end, w.hash, w.tail = at, h, uint32(prev)*hashPrime^uint32(last)
	w.chars = uint8(min(n, 255))
	switch {
	case w.form == formAlone:
	case digits > 0:
		w.form = formNumber
	case upper == 0:
		w.form = formLower
	case upper == 1 && first:
		w.form = formTitle
	case upper == n:
		w.form = formUpper
	default:
		w.form = formMixed
	}
	return at
}

// counter counts the words of a window and returns the last position of each. It is forgotten
// without being cleared.
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

// places returns the last positions of n-grams. It is forgotten without being cleared.
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

// simpleStatistics are statistics with a pass for each question.
type simpleStatistics struct {
	types          counter
	pairs, triples places
	of             [WindowWords]*seen // the slot of each word
	out            [statCount]float32
}

// find fills in s.out.
func (s *simpleStatistics) find(words []word) {
	s.out = [statCount]float32{}
	if len(words) == 0 {
		return
	}
	s.repetition(words)
	s.frequent(words)
	s.marks(words)
	s.lengths(words)
}

// repetition looks at words, pairs and triples that were there before.
func (s *simpleStatistics) repetition(words []word) {
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

// frequent examines the most frequent words of the window: in text these words connect
// sentences, and are seldom adjacent and never far apart.
func (s *simpleStatistics) frequent(words []word) {
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

// marks examines the characters between the words, and capitals.
func (s *simpleStatistics) marks(words []word) {
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
		loose += int(w.loose)
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

// lengths examines the lengths of words and of sentences.
func (s *simpleStatistics) lengths(words []word) {
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

// simpleScore is the score of a text.
func simpleScore(m *Model, text string) (score float64, ok bool) {
	total, alone := 0, 0
	var words []word
	stats := new(simpleStatistics)
	for at := 0; at < len(text); {
		if words, at = simpleScan(text, at, words); len(words) == 0 {
			break
		}
		grams, sum := ngrams(nil, text, words, &m.cfg), int32(0)
		for _, g := range grams {
			sum += int32(m.weights[g])
		}
		window := m.bias + m.unit*float32(sum)/sqrt(float32(max(1, len(grams))))
		stats.find(words)
		for i, v := range stats.out {
			window += m.stats[i][m.step(i, v)]
		}
		score += float64(window) * float64(len(words))
		total += len(words)
		alone += aloneIn(words)
	}
	if total == 0 {
		return 0, false
	}
	return score / float64(total), m.cfg.hasEnoughWords(total, alone)
}

// randomText is text of a few words, marks and characters, so that all kinds meet and
// words come again.
func randomText(rnd *rand.Rand) string {
	words := strings.Fields("the a of ferry ferries harbour Harbour I NATO iPhone x2 2024 été Ökologie über мир Мир άλφα 漢字 ไทย \xff e\u0301 ｆｕｌｌ 𝒜bc ǅ")
	gaps := []string{" ", " ", " ", " ", " ", " ", " ", " ", ", ", ". ", " , ", " .", ".", "-", "'", " (", ") ", "\n", ".\n", "; ", " – ", "…", "。", "، ", "$", " & ", "\u00a0", "\r\n", "\u2028", "@", "\xc3", "", "। "}
	n := 1 + rnd.IntN(len(words))
	var b strings.Builder
	for range rnd.IntN(900) {
		b.WriteString(words[rnd.IntN(n)])
		if rnd.IntN(3) == 0 {
			b.WriteString(gaps[rnd.IntN(len(gaps))])
		} else {
			b.WriteByte(' ')
		}
		if rnd.IntN(40) == 0 && b.Len() > 30 { // a stretch again
			s := b.String()
			k := rnd.IntN(len(s))
			b.WriteString(s[k:min(len(s), k+rnd.IntN(60))])
		}
	}
	return b.String()
}

// checkSimple compares the fast way with the simple one.
func checkSimple(t *testing.T, models []*Model, text string) {
	t.Helper()
	s := NewScorer()
	var words []word
	stats := new(simpleStatistics)
	for at := 0; at < len(text); {
		var next int
		words, next = simpleScan(text, at, words)
		s.words, at = scan(text, at, s.words)
		if at != next || len(words) != len(s.words) {
			t.Fatalf("%q: %d words up to %d, want %d up to %d", text, len(s.words), at, len(words), next)
		}
		for i := range words {
			if words[i] != s.words[i] {
				t.Fatalf("%q: word %+v, want %+v", text, s.words[i], words[i])
			}
		}
		stats.find(words)
		s.stats.find(words)
		for i, v := range stats.out {
			if got := s.stats.out[i]; got != v && !(math.IsNaN(float64(got)) && math.IsNaN(float64(v))) {
				t.Fatalf("%q: %s %v, want %v", text, statNames[i], got, v)
			}
		}
	}
	for _, m := range models {
		score, ok := s.score(m, text)
		if want, told := simpleScore(m, text); score != want || ok != told {
			t.Fatalf("%q: score %v (%v), want %v (%v)", text, score, ok, want, told)
		}
	}
}

// TestSimple compares the fast way with the simple one.
func TestSimple(t *testing.T) {
	models, err := Embedded()
	must.Succeed(t, err)
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		checkSimple(t, models, randomText(rnd))
	}
}

// FuzzSimple compares them on any text.
func FuzzSimple(f *testing.F) {
	models, err := Embedded()
	must.Succeed(f, err)
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f.Add(randomText(rnd))
	}
	f.Fuzz(func(t *testing.T, text string) { checkSimple(t, models, text) })
}
