package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slowDistance is the table of Wagner and Fischer.
func slowDistance(a, b []int32) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(d, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

func lcsTable(a, b []int32) [][]int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
		for j := 1; i > 0 && j <= len(b); j++ {
			if a[i-1] == b[j-1] {
				t[i][j] = t[i-1][j-1] + 1
			} else {
				t[i][j] = max(t[i-1][j], t[i][j-1])
			}
		}
	}
	return t
}

// slowBlocks follows the description of difflib word by word.
func slowBlocks(a, b []int32) []Block {
	places := map[int32][]int{}
	for j, s := range b {
		places[s] = append(places[s], j)
	}
	if len(b) >= 200 {
		for s, p := range places {
			if len(p) > len(b)/100+1 {
				delete(places, s)
			}
		}
	}
	var out []Block
	var split func(alo, ahi, blo, bhi int)
	split = func(alo, ahi, blo, bhi int) {
		best := Block{alo, blo, 0}
		for i := alo; i < ahi; i++ {
			for _, j := range places[a[i]] {
				if j < blo || j >= bhi {
					continue
				}
				n := 0 // backwards from (i, j) over symbols that may start a run
				for i-n >= alo && j-n >= blo && a[i-n] == b[j-n] && places[a[i-n]] != nil {
					n++
				}
				if n > best.Len {
					best = Block{i - n + 1, j - n + 1, n}
				}
			}
		}
		for best.A > alo && best.B > blo && a[best.A-1] == b[best.B-1] {
			best = Block{best.A - 1, best.B - 1, best.Len + 1}
		}
		for best.A+best.Len < ahi && best.B+best.Len < bhi && a[best.A+best.Len] == b[best.B+best.Len] {
			best.Len++
		}
		if best.Len == 0 {
			return
		}
		split(alo, best.A, blo, best.B)
		out = append(out, best)
		split(best.A+best.Len, ahi, best.B+best.Len, bhi)
	}
	split(0, len(a), 0, len(b))
	return out
}

// slowUnionHits traces the plain table.
func slowUnionHits(reference, candidate [][]int32, symbols int) int {
	inRef, inCan := counts(reference, symbols), counts(candidate, symbols)
	hits := 0
	for _, r := range reference {
		marked := make([]bool, len(r))
		for _, c := range candidate {
			t := lcsTable(r, c)
			for i, j := len(r), len(c); i > 0 && j > 0; {
				switch {
				case r[i-1] == c[j-1]:
					marked[i-1] = true
					i, j = i-1, j-1
				case t[i][j-1] > t[i-1][j]:
					j--
				default:
					i--
				}
			}
		}
		for i, s := range r {
			if marked[i] && inRef[s] > 0 && inCan[s] > 0 {
				inRef[s]--
				inCan[s]--
				hits++
			}
		}
	}
	return hits
}

func symbols(s string) []int32 { return []int32(s) }

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		a, b      string
		dist, lcs int
	}{
		{"", "", 0, 0}, {"", "abc", 3, 0}, {"kitten", "sitting", 3, 4}, {"saturday", "sunday", 3, 5},
		{"naïve", "naive", 1, 4}, {"日本語", "日語", 1, 2}, {"flaw", "lawn", 2, 3},
	} {
		if d := Distance(symbols(c.a), symbols(c.b)); d != c.dist {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, d, c.dist)
		}
		if l := LCS(symbols(c.a), symbols(c.b), c.lcs); l != c.lcs {
			t.Errorf("LCS(%q, %q) = %d, want %d", c.a, c.b, l, c.lcs)
		}
	}
	got := Blocks(symbols("qabxcd"), symbols("abycdf"))
	if want := []Block{{1, 0, 2}, {4, 3, 2}}; !slices.Equal(got, want) {
		t.Errorf("Blocks: %v, want %v", got, want)
	}
}

// random makes a text of n symbols and a copy of it with errors.
func random(rng *rand.Rand, n, symbols int) (a, b []int32) {
	for range n {
		s := rng.Int32N(int32(symbols))
		if rng.IntN(3) == 0 {
			s %= 4 // some symbols are common
		}
		a = append(a, s)
		switch rng.IntN(12) {
		case 0:
		case 1:
			b = append(b, rng.Int32N(int32(symbols)))
		case 2:
			b = append(b, s, rng.Int32N(int32(symbols)))
		default:
			b = append(b, s)
		}
	}
	if n > 20 && rng.IntN(2) == 0 { // two parts change places
		k := rng.IntN(len(b) + 1)
		b = append(slices.Clone(b[k:]), b[:k]...)
	}
	return a, b
}

// check compares the fast ways with the slow ones.
func check(t *testing.T, a, b []int32, symbols int) {
	t.Helper()
	if got, want := Distance(a, b), slowDistance(a, b); got != want {
		t.Fatalf("Distance(%v, %v) = %d, want %d", a, b, got, want)
	}
	want := lcsTable(a, b)[len(a)][len(b)]
	for _, atLeast := range []int{0, max(len(a), len(b)) - Distance(a, b), want} {
		if got := LCS(a, b, atLeast); got != want {
			t.Fatalf("LCS(%v, %v, %d) = %d, want %d", a, b, atLeast, got, want)
		}
	}
	if got, want := Blocks(a, b), slowBlocks(a, b); !slices.Equal(got, want) {
		t.Fatalf("Blocks(%v, %v) = %v, want %v", a, b, got, want)
	}
	if got, want := UnionHits(cut(a), cut(b), symbols), slowUnionHits(cut(a), cut(b), symbols); got != want {
		t.Fatalf("UnionHits(%v, %v) = %d, want %d", cut(a), cut(b), got, want)
	}
}

// cut makes sentences that end at each 3.
func cut(s []int32) (out [][]int32) {
	from := 0
	for i, x := range s {
		if x == 3 {
			out = append(out, s[from:i+1])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

func TestAgainstSlow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 5, 20, 63, 64, 65, 130, 190, 210, 400} {
		for _, symbols := range []int{4, 12, 300} {
			for range 6 {
				a, b := random(rng, n, symbols)
				check(t, a, b, symbols)
				check(t, b, a, symbols)
				check(t, a, a, symbols)
			}
		}
	}
}

// TestBand compares long texts, where only a band of the table is computed.
func TestBand(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1000, 1500, 2500} {
		for _, errors := range []int{0, 1, 20, 90, 300, n} {
			a, _ := random(rng, n, 30)
			b := slices.Clone(a)
			for range errors {
				switch i := rng.IntN(len(b)); rng.IntN(3) {
				case 0:
					b[i] = rng.Int32N(30)
				case 1:
					b = slices.Delete(b, i, i+1)
				default:
					b = slices.Insert(b, i, rng.Int32N(30))
				}
			}
			k := rng.IntN(len(b)) // a part moves to the end: far from the diagonal
			for _, c := range [][]int32{b, slices.Concat(b[k:], b[:k]), slices.Concat(b, a[:n/3])} {
				if got, want := Distance(a, c), slowDistance(a, c); got != want {
					t.Fatalf("%d symbols, %d errors: Distance %d, want %d", n, errors, got, want)
				}
				all := LCS(a, c, 0)
				for _, atLeast := range []int{all / 2, max(len(a), len(c)) - Distance(a, c), all} {
					if got := LCS(a, c, atLeast); got != all {
						t.Fatalf("%d symbols, %d errors: LCS of at least %d is %d, want %d", n, errors, atLeast, got, all)
					}
				}
			}
		}
	}
}

func TestVocabulary(t *testing.T) {
	var v Vocabulary
	if got := v.IDs([]string{"a", "b", "a", ""}); !slices.Equal(got, []int32{0, 1, 0, 2}) || v.Len() != 3 {
		t.Errorf("IDs: %v, %d", got, v.Len())
	}
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("kitten"), []byte("sitting"))
	f.Add([]byte(""), []byte("\x03\x03\x03"))
	f.Add(slices.Repeat([]byte("ab\x03"), 80), slices.Repeat([]byte("b\x03a"), 90))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 480 {
			return
		}
		wide := func(s []byte) (out []int32) {
			for _, c := range s {
				out = append(out, int32(c))
			}
			return out
		}
		check(t, wide(a), wide(b), 256)
	})
}

func benchTexts(n int) (a, b []int32) { return random(rand.New(rand.NewPCG(3, 4)), n, 2000) }

func BenchmarkDistance(b *testing.B) {
	x, y := benchTexts(20000)
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		Distance(x, y)
	}
}

func BenchmarkBlocks(b *testing.B) {
	x, y := benchTexts(20000)
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		Blocks(x, y)
	}
}

func BenchmarkUnionHits(b *testing.B) {
	x, y := benchTexts(20000)
	r, c := cut(x), cut(y)
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		UnionHits(r, c, 2000)
	}
}
