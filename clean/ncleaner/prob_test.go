package ncleaner

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// naive is equation 1 to the letter, over strings of symbols and maps: the
// oracle of all scorers.
type naive struct {
	n, v  int
	q     float64
	count map[string]float64 // of strings of 1 to n symbols that end in an event
	hist  map[string]float64 // of the same without their last symbols, by length
	total float64
}

func newNaive(a *Alphabet, n int, q float64, texts []string) *naive {
	m := &naive{n: n, v: a.size, q: q, count: map[string]float64{}, hist: map[string]float64{}}
	for _, t := range texts {
		s := symbols(a, t)
		if len(s) == 0 {
			continue
		}
		p := string(make([]rune, n-1)) + string(s) + "\x00"
		r := []rune(p)
		for i := n - 1; i < len(r); i++ {
			m.total++
			for k := 1; k <= n; k++ {
				m.count[string(r[i-k+1:i+1])]++
				m.hist[fmt.Sprint(k, ":", string(r[i-k+1:i]))]++
			}
		}
	}
	return m
}

// symbols folds t rune by rune, without buffers.
func symbols(a *Alphabet, t string) []rune {
	var s []rune
	word := 0 // blankless letters in the word
	for _, r := range trim(t) {
		if a.nonLexical && isBlankless(r) {
			x := rune(a.ascii['a'])
			if len(s) > 0 {
				last := s[len(s)-1]
				if last != x {
					word = 0
				}
				if word == 2 || last != x && slices.Contains([]rune(".,;:!?"), runeOf(a, last)) {
					s = append(s, rune(blank))
					word = 0
				}
			}
			s = append(s, x, x)
			word++
			continue
		}
		c := a.find(r)
		if c == skip || c == blank && len(s) > 0 && s[len(s)-1] == rune(blank) {
			continue
		}
		s = append(s, rune(c))
	}
	return s
}

// runeOf returns the ASCII character of a symbol.
func runeOf(a *Alphabet, s rune) rune {
	return rune(slices.Index(a.ascii[:], symbol(s)))
}

// prob is equation 1 for c after the n-1 symbols of h, over the histories
// that were seen.
func (m *naive) prob(h []rune, c rune) float64 {
	n := m.n
	for n > 1 && m.hist[fmt.Sprint(n, ":", string(h))] == 0 {
		n--
		h = h[1:]
	}
	sum := 0.0
	for k := range n - 1 {
		x := string(h[k:])
		sum += math.Pow(m.q, float64(k)) * m.count[x+string(c)] / m.hist[fmt.Sprint(n-k, ":", x)]
	}
	sum += math.Pow(m.q, float64(n-1)) * (m.count[string(c)] + 1) / (m.total + float64(m.v))
	return (1 - m.q) / (1 - math.Pow(m.q, float64(n))) * sum
}

func (m *naive) score(a *Alphabet, t string) float64 {
	s := symbols(a, t)
	if len(s) == 0 {
		return 0
	}
	r := append(append(make([]rune, m.n-1), s...), rune(boundary))
	sum := 0.0
	for i := m.n - 1; i < len(r); i++ {
		sum += math.Log2(m.prob(r[i-m.n+1:i], r[i]))
	}
	return sum
}

func countAll(a *Alphabet, n int, texts []string) Counts {
	c := Counts{}
	for _, t := range texts {
		for g := range a.Grams(t, n) {
			c[g]++
		}
	}
	return c
}

// runesOf returns up to 20 characters of texts that a Unicode alphabet can learn.
func runesOf(nonLexical bool, texts []string) (runes []rune) {
	a, _ := NewAlphabet(true, nonLexical, nil)
	for _, r := range strings.Join(texts, "") {
		if len(runes) < 20 && a.Rare(r) && !slices.Contains(runes, r) {
			runes = append(runes, r)
		}
	}
	slices.Sort(runes)
	return runes
}

var drawText = rapid.StringOfN(rapid.OneOf(
	rapid.RuneFrom([]rune("abc .|*\n0\u00a0é")),
	rapid.RuneFrom([]rune("abcdexyzABZ019 ,;-~\t\x00\x7f\u200b\u00adäßжЖ中文字ไทย。，ُ”€\U0001f600\ufffd")),
	rapid.RuneFrom(nil, unicode.L, unicode.P),
), 0, 60, -1)

// Both fast scorers give the results of equation 1, and with hash tables the bits of a trie.
func TestScorersAgainstEquation1(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		cfg := ModelConfig{
			N:          rapid.IntRange(1, maxN).Draw(t, "n"),
			Q:          rapid.Float64Range(0.01, 0.99).Draw(t, "q"),
			Unicode:    rapid.Bool().Draw(t, "unicode"),
			NonLexical: rapid.Bool().Draw(t, "nonlexical"),
		}
		good := rapid.SliceOfN(drawText, 0, 4).Draw(t, "good")
		bad := rapid.SliceOfN(drawText, 0, 4).Draw(t, "bad")
		var learned []rune
		if cfg.Unicode {
			learned = runesOf(cfg.NonLexical, append(good, bad...))
		}
		a := must.Get(NewAlphabet(cfg.Unicode, cfg.NonLexical, learned))(t)
		gc, bc := countAll(a, cfg.N, good), countAll(a, cfg.N, bad)
		clean, dirty := newNaive(a, cfg.N, cfg.Q, good), newNaive(a, cfg.N, cfg.Q, bad)
		ec, ed := NewEstimator(a, cfg.N, gc, cfg.Q), NewEstimator(a, cfg.N, bc, cfg.Q)
		models := map[string]*Model{"hashed": {ModelConfig: cfg, a: a, hashed: newHashed(ec, ed)}}
		tree := newTrie(ec, ed)
		if dense(a, cfg.N) {
			models["table"] = &Model{ModelConfig: cfg, a: a, table: newTable(ec, ed)}
		}
		for i, text := range append(append(good, bad...), drawText.Draw(t, "text")) {
			want := clean.score(a, text) - dirty.score(a, text)
			var syms []symbol
			for _, r := range symbols(a, text) {
				syms = append(syms, symbol(r))
			}
			if len(syms) > 0 {
				_, w := tree.run(append(syms, boundary), tree.start(), 0)
				if got, _ := models["hashed"].Score(text); got != w {
					t.Fatalf("text %d %q: %v, a trie gives %v", i, text, got, w)
				}
			}
			for name, m := range models {
				got, n := m.Score(text)
				if math.Abs(got-want) > 1e-4*float64(n+1) || math.IsNaN(got) {
					t.Fatalf("%s, text %d %q: %v, equation 1 gives %v", name, i, text, got, want)
				}
				s := len(symbols(a, text))
				if s > 0 {
					s++
				}
				if n != s {
					t.Fatalf("%s, text %q: %d characters, wanted %d", name, text, n, s)
				}
			}
		}
	})
}

// After any history, seen or not, the probabilities sum to 1.
func TestProbabilitiesSumToOne(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, maxN).Draw(t, "n")
		a, _ := NewAlphabet(false, rapid.Bool().Draw(t, "nonlexical"), nil)
		c := countAll(a, n, rapid.SliceOfN(drawText, 0, 5).Draw(t, "texts"))
		for g := range countAll(a, n, rapid.SliceOfN(drawText, 0, 3).Draw(t, "others")) {
			delete(c, g) // counts that no text has
		}
		e := NewEstimator(a, n, c, rapid.Float64Range(0.01, 0.99).Draw(t, "q"))
		for _, h := range append(slices.Sorted(maps.Keys(c)), gram(rapid.Uint64().Draw(t, "h"))&maskOf(n, a.bits)) {
			h = h << a.bits & maskOf(n, a.bits)
			sum := 0.0
			for s := range a.size {
				sum += e.prob(h|gram(s), n)
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("after %x: %v", h, sum)
			}
		}
	})
}

func TestWeights(t *testing.T) {
	// Equation 1 by hand: "ab" once, n = 2, q = 1/2. Events a, b, end; the
	// weights are 2/3 and 1/3.
	a, _ := NewAlphabet(false, false, nil)
	e := NewEstimator(a, 2, countAll(a, 2, []string{"ab"}), 0.5)
	p := func(h, c rune) float64 { return e.prob(gram(a.of(h))<<a.bits|gram(a.of(c)), 2) }
	one := 2.0 / (3 + 96) // add-one, 96 symbols
	if got, want := p('a', 'b'), 2.0/3+one/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("Pr(b|a) = %v, wanted %v", got, want)
	}
	if got, want := p('b', 'b'), one/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("Pr(b|b) = %v, wanted %v: b was seen before the end only", got, want)
	}
	if got := p('c', 'b'); math.Abs(got-one) > 1e-12 {
		t.Errorf("Pr(b|c) = %v, wanted %v: c was never seen", got, one)
	}
}

func TestAlphabets(t *testing.T) {
	for _, c := range []struct {
		unicode, nonLexical bool
		runes               string
		size                int
		same, different     []string
	}{
		{false, false, "", 96, []string{"é~", "中~", "\u00a0 ", "\t ", "”\"", "’'", "–-", "…."}, []string{"aA", "01", ".,"}},
		{false, true, "", 36, []string{"aZ", "éa", "中a", "ُa", "07", "٣0", "€~", "”\"", "，,", "。."}, []string{"a0", ".,", "a~"}},
		{true, false, "éж”", 96 + 8 + 3, []string{"àê", "中文", "€₤"}, []string{"éà", "éж", "à中", "”“", "é~"}},
		{true, true, "”", 36 + 3 + 1, []string{"éa", "жa", "“‘"}, []string{"”“", "€”", "~”"}},
	} {
		a := must.Get(NewAlphabet(c.unicode, c.nonLexical, []rune(c.runes)))(t)
		if a.size != c.size {
			t.Errorf("%v: %d symbols, wanted %d", c, a.size, c.size)
		}
		used := map[symbol]bool{boundary: true}
		for r := range rune(0x30000) {
			s := a.of(r)
			if s != skip && int(s) >= a.size {
				t.Fatalf("%v: symbol of %q is %d", c, r, s)
			}
			if s != a.find(r) {
				t.Fatalf("%v: the table differs for %q", c, r)
			}
			used[s] = true
		}
		delete(used, skip)
		if len(used) != a.size {
			t.Errorf("%v: %d of %d symbols are used", c, len(used), a.size)
		}
		for _, p := range c.same {
			if r := []rune(p); a.of(r[0]) != a.of(r[1]) {
				t.Errorf("%v: %q has two symbols", c, p)
			}
		}
		for _, p := range c.different {
			if r := []rune(p); a.of(r[0]) == a.of(r[1]) {
				t.Errorf("%v: %q has one symbol", c, p)
			}
		}
	}
	for _, runes := range []string{"жé", "éé", "a", "\x7f"} {
		if _, err := NewAlphabet(true, false, []rune(runes)); err == nil {
			t.Errorf("newAlphabet took %q", runes)
		}
	}
	must.Fail(t, must.Err(NewAlphabet(false, false, []rune("é"))), "ASCII")
}
