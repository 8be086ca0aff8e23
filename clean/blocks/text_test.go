package blocks

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

func TestMeasure(t *testing.T) {
	type counts struct {
		words, letters, upper, digits, commas, terminators, capitals, short, numbers, longest int32
	}
	for _, c := range []struct {
		text string
		want counts
		sign sign
		year bool
	}{
		{"", counts{}, 0, false},
		{"The café, at 7:30!", counts{5, 9, 1, 3, 1, 1, 1, 2, 2, 4}, signSlash, false},
		{"© 2019 Example GmbH | a@b.de", counts{6, 15, 3, 4, 0, 1, 2, 3, 1, 7}, signRight | signBar | signAt, true},
		{"Next » http://x.yz 12/05", counts{6, 11, 1, 4, 0, 1, 1, 2, 2, 4}, signArrow | signURL | signSlash, false},
		{"Жаль, что поезд ушёл.", counts{4, 16, 1, 0, 1, 1, 1, 1, 0, 5}, 0, false},
		{"湖面结冰了。我们", counts{4, 7, 0, 0, 0, 1, 0, 0, 0, 0}, 0, false},
		{"a > b >> c", counts{3, 3, 0, 0, 0, 0, 0, 3, 0, 1}, signArrow, false},
	} {
		var w wordHashes
		s := measure(c.text, &w)
		got := counts{s.words, s.letters, s.upper, s.digits, s.commas, s.terminators, s.capitals, s.short, s.numbers, s.longest}
		if got != c.want || s.sign != c.sign || s.year != c.year || int(s.chars) != utf8.RuneCountInString(c.text) {
			t.Errorf("%q: %+v, signs %b, year %v, %d characters; want %+v, %b, %v", c.text, got, s.sign, s.year, s.chars, c.want, c.sign, c.year)
		}
	}
	var a, b wordHashes
	measure("Hello WORLD 1999", &a)
	measure("hello world 2001", &b)
	if a != b {
		t.Error("case or digits make other words")
	}
}

// TestTokens: the parts of class and id attributes.
func TestTokens(t *testing.T) {
	same := func(a, b string) bool {
		x, y := appendTokens(nil, a, 0), appendTokens(nil, b, 0)
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
		return true
	}
	for _, c := range []struct{ value, parts string }{
		{"sideBar_2", "side bar"}, {"post-1234 hentry", "post hentry"}, {"  ", ""}, {"NAV", "nav"}, {"mainNAV", "main nav"}, {"a1b", "a b"},
		{strings.Repeat("x ", 1000), strings.Repeat("x ", maxAttribute/2)},
	} {
		if !same(c.value, c.parts) {
			t.Errorf("%q is not cut into %q", c.value, c.parts)
		}
	}
	if same("side", "bar") {
		t.Error("two tokens have the same hash")
	}
	if x, y := appendTokens(nil, "main", 0), appendTokens(nil, "main", saltRole); x[0] == y[0] {
		t.Error("the salt makes no difference")
	}
}

func BenchmarkMeasure(b *testing.B) {
	text := strings.Repeat("The ice sings when it grows, and the first time that I heard it I thought of a saw. ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var w wordHashes
	for b.Loop() {
		measure(text, &w)
	}
}

// TestLookupTag: the table by hashes has the entries of the table by names, and no others.
func TestLookupTag(t *testing.T) {
	for name, want := range tagTable {
		if got := lookupTag(hashString(name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"", "h7", "divs", "custom-element"} {
		if got := lookupTag(hashString(name)); got.group != groupNone || got.order != 0 {
			t.Errorf("%q: %v, want nothing", name, got)
		}
	}
}

// TestHashString wants the hash that takes byte for byte.
func TestHashString(t *testing.T) {
	slow := func(s string) uint64 {
		h := uint64(len(s)) * 0x9E3779B97F4A7C15
		for i := 0; i == 0 || i <= len(s); i += 8 {
			v := uint64(0)
			for k := i; k < min(i+8, len(s)); k++ {
				v |= uint64(s[k]) << ((k - i) * 8)
			}
			h = mix(h, v)
		}
		return h
	}
	text := "Die Züge fahren wieder, sagt die Bahn."
	for from := range text {
		for to := from; to <= len(text); to++ {
			if s := text[from:to]; hashString(s) != slow(s) {
				t.Fatalf("%q: %x, want %x", s, hashString(s), slow(s))
			}
		}
	}
}

// TestRolesIn wants the sum and the first of the largest as plain loops find them.
func TestRolesIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		p := make([]float32, Roles)
		for r := range p {
			p[r] = float32(rng.IntN(4)) / 4 // many are alike
		}
		of := page.Roles(rng.Uint32())
		var sum float32
		best := page.NoRole
		for k, v := range p {
			r := page.Role(k + 1)
			if !of.Has(r) {
				continue
			}
			sum += v
			if best == page.NoRole || v > p[best-1] {
				best = r
			}
		}
		if got := Probability(p, of); got != min(sum, 1) {
			t.Fatalf("%v of %v: %v, want %v", p, of, got, min(sum, 1))
		}
		if got := MostProbable(p, of); got != best {
			t.Fatalf("%v of %v: %v, want %v", p, of, got, best)
		}
	}
}

// TestPlainWords wants the counts and hashes of texts that a loop over the characters finds.
func TestPlainWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"a", "is", "The", "winter", "extraordinarily", "electroencephalographically", strings.Repeat("long", 20), "NATO", "iPhone", "é", "über", "42", "7th", " ", " ", " ", ", ", ". ", "-", "'", "\"", " (", "!", "? ", "’", ":", "/", "; ", "[", "<", "漢字", "\n"}
	for range 5000 {
		text := ""
		for range rng.IntN(12 + 120*rng.IntN(2)) { // some with words that are not hashed
			text += pieces[rng.IntN(len(pieces))]
		}
		var got, want wordHashes
		a, b := measure(text, &got), measureSlow(text, &want)
		if a != b || got.count != want.count {
			t.Fatalf("%q: %+v, %d words, want %+v, %d", text, a, got.count, b, want.count)
		}
		for i := range min(got.count, headWords) {
			if got.head[i] != want.head[i] {
				t.Fatalf("%q: word %d has another hash", text, i)
			}
		}
		for i := max(0, got.count-tailWords); i < got.count; i++ {
			if got.tail[i%tailWords] != want.tail[i%tailWords] {
				t.Fatalf("%q: word %d of the end has another hash", text, i)
			}
		}
	}
}

// measureSlow is measure, a character at a time.
func measureSlow(text string, words *wordHashes) (s textStats) {
	words.count = 0
	var h uint32
	var lead class
	n, number := int32(0), 0 // characters of the open word, and its value
	end := func() {
		if n > 0 {
			s.endWord(n, lead, number)
			words.add(h)
			n = 0
		}
	}
	prev := classSpace
	for i, r := range text {
		c := charClasses.At(r)
		if i == 0 {
			s.first = c
		}
		s.chars++
		switch c {
		case classLower, classUpper, classDigit:
			if n == 0 {
				lead, h, number = c, wordSeed, 0
			}
			n++
			switch c {
			case classDigit:
				s.digits++
				if prev == classColon && i >= 2 && isDigit(text[i-2]) {
					s.sign |= signSlash
				}
				if r < utf8.RuneSelf {
					number = number*10 + int(r-'0')
				}
				number = min(number, 1<<20)
				r = '0'
			case classUpper:
				s.upper++
				s.letters++
				r = unicode.ToLower(r)
			default:
				s.letters++
			}
			h = (h ^ uint32(r)) * wordPrime
		case classUnspaced:
			end()
			s.letters++
			s.unspaced++
			if prev == classUnspaced {
				words.add((h ^ uint32(r)) * wordPrime)
			}
			h = (wordSeed ^ uint32(r)) * wordPrime
		default:
			end()
			switch c {
			case classSpace, classOther:
			case classComma:
				s.commas++
				s.symbols++
				if r == ';' {
					s.sign |= signCode
				}
			case classTerminator:
				s.terminators++
				s.symbols++
			default:
				s.symbols++
				s.signs(text, i, r)
			}
		}
		prev = c
	}
	end()
	s.words += (s.unspaced + 1) / 2
	s.last = prev
	return s
}
