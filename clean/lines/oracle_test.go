package lines

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/truth"
)

// randomDocument makes lines of words that often come again, some of them
// empty.
func randomDocument(rng *rand.Rand) []string {
	vocabulary := strings.Fields("mill river corn valley stone wheel water miller grain flour sack horse")
	var lines []string
	for range 1 + rng.IntN(40) {
		if len(lines) > 2 && rng.IntN(4) == 0 {
			lines = append(lines, lines[rng.IntN(len(lines))])
			continue
		}
		var words []string
		for range rng.IntN(20) {
			words = append(words, vocabulary[rng.IntN(len(vocabulary))])
		}
		line := strings.Join(words, " ")
		if rng.IntN(2) == 0 && line != "" {
			line += "."
		}
		lines = append(lines, line)
	}
	return lines
}

// TestOracle compares the columns that look at other lines with versions that
// look at every line for every line.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := new(sheet)
	for range 200 {
		doc := randomDocument(rng)
		read(s, "en", doc)
		words := make([][]string, len(doc))
		title := -1
		for i, l := range doc {
			words[i] = strings.Fields(strings.TrimSuffix(l, "."))
			if title < 0 && len(words[i]) > 1 {
				title = i
			}
		}
		for i := range doc {
			if len(words[i]) == 0 {
				continue
			}
			want := map[string]float32{}
			simpleCopies(want, words, i)
			simpleTopic(want, words, i, title)
			simpleWindow(want, doc, words, i)
			for name, w := range want {
				if got := value(t, s, i, name); abs(got-w) > 1e-5 {
					t.Fatalf("%q: line %d %q: %s is %v, wanted %v", doc, i, doc[i], name, got, w)
				}
			}
		}
	}
}

// simpleCopies returns which lines have the same words, and which triples of words of a line
// occurred before.
func simpleCopies(want map[string]float32, words [][]string, i int) {
	copies, twin := 0, -1
	for j := range words {
		if !slices.Equal(words[j], words[i]) {
			continue
		}
		copies++
		if j < i {
			want["earlier"], twin = 1, j
		} else if j > i {
			want["later"] = 1
		}
	}
	want["copies"] = log1(float32(copies - 1))
	if twin >= 0 {
		want["distance"] = 1 / float32(i-twin)
	}
	if n := len(words[i]); n > 2 {
		seen := 0
		for j := range n - 2 {
			three := strings.Join(words[i][j:j+3], " ")
			for _, before := range words[:i] {
				if strings.Contains(" "+strings.Join(before, " ")+" ", " "+three+" ") {
					seen++
					break
				}
			}
		}
		want["seen-before"] = float32(seen) / float32(n-2)
	}
}

// simpleTopic returns which words of a line occur in other lines.
func simpleTopic(want map[string]float32, words [][]string, i, title int) {
	for _, w := range words[i] {
		share := 1 / float32(len(words[i]))
		others, long, before := 0, 0, 0
		for j := range words {
			if n := count(words[j], w); j != i && n > 0 {
				others++
				if len(words[j]) >= longWords {
					long++
				}
				if j < i {
					before++
				}
			}
		}
		want["topic"] += share * truth.Float32(long > 0)
		want["alone"] += share * truth.Float32(others == 0)
		want["new"] += share * truth.Float32(before == 0)
		want["title"] += share * truth.Float32(title >= 0 && title < i && count(words[title], w) > 0 && before == len(with(words[title:i], w)))
	}
}

// with returns the lines that have w.
func with(words [][]string, w string) (out [][]string) {
	for _, line := range words {
		if count(line, w) > 0 {
			out = append(out, line)
		}
	}
	return out
}

func count(words []string, w string) (n int) {
	for _, x := range words {
		n += int(truth.Float32(x == w))
	}
	return n
}

// simpleWindow counts around a line.
func simpleWindow(want map[string]float32, doc []string, words [][]string, i int) {
	var lines, stops, all float32
	for j := max(0, i-8); j < min(len(doc), i+9); j++ {
		if doc[j] != "" {
			lines++
			stops += truth.Float32(strings.HasSuffix(doc[j], "."))
			all += float32(len(words[j]))
		}
	}
	want["stops-8"] = stops / lines
	want["words-8"] = log1(all / lines)
	var near, long2, long5 float32
	for j := max(0, i-5); j < min(len(words), i+6); j++ {
		long := truth.Float32(len(words[j]) >= longWords && j != i)
		long5 += long
		if j >= i-2 && j <= i+2 {
			long2 += long
		}
		if j >= i-3 && j <= i+3 && j != i {
			near += float32(len(words[j]))
		}
	}
	want["long-2"], want["long-5"], want["words-3"] = long2/4, long5/10, log1(near)
	before, after := farAway, farAway
	for j := range words {
		if len(words[j]) >= longWords && j != i {
			if j < i {
				before = min(farAway, i-j)
			} else {
				after = min(after, j-i)
			}
		}
	}
	want["to-long-before"], want["to-long-after"] = log1(float32(before)), log1(float32(after))
	if i == 0 || before == farAway {
		delete(want, "to-long-before") // counted from the start
	}
}

// TestGramSums: weights that are added up while lines are read have the sums of the ids, with and
// without vectors.
func TestGramSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := must.Get(Embedded())(t)
	lines := []string{"", "a", "ab", "abc", "----------------", "\U00010000\U00020000x\U00010000", strings.Repeat("=-", 300), strings.Repeat("\U00010000", 90)}
	for range 200 {
		lines = append(lines, randomDocument(rng)...)
	}
	for n := range 40 { // all lengths around those of vectors, and words and characters that repeat
		lines = append(lines, strings.Repeat("x", n), strings.Repeat("ab", n)[:n], strings.Repeat("a ", n), strings.Repeat("ö1 ", n))
	}
	vectors := wideGrams
	defer func() { wideGrams = vectors }()
	for _, wideGrams = range []bool{false, vectors} {
		var plain, summed sheet
		read(&plain, "en", lines)
		m.read(&summed, "en", lines)
		if summed.wordWeights == nil || len(summed.chars) > 0 {
			t.Fatal("the model kept ids")
		}
		for i, l := range lines {
			words, chars := m.words.sum(plain.wordIDs(i)), m.chars.sum(plain.charIDs(i))
			if summed.wordSum(m.words, i) != words || summed.charSum(m.chars, i) != chars {
				t.Fatalf("%q: sums %v and %v, wanted %v and %v", l, summed.wordSums[i], summed.charSums[i], words, chars)
			}
		}
	}
}

// TestEndsInDots compares endsInDots with its regular expression.
func TestEndsInDots(t *testing.T) {
	for _, parts := range [][]string{{"..."}, {"."}, {".."}, {"a"}, {" "}, {")"}, {"\u00a0"}, {"\xa0"}, {"\xc2"}, {"]"}} {
		for _, end := range []string{"", "...", " ", ")", "\u00a0", "\xa0", "...)", "...\u00a0", "...\xa0", "...\xc2", "\t]"} {
			text := parts[0] + end
			if want := strings.HasSuffix(strings.TrimRight(text, " \t\u00a0)]"), "..."); endsInDots(text) != want {
				t.Errorf("%q: %v, wanted %v", text, !want, want)
			}
		}
	}
}
