package filter

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/testkit/must"
)

// dclmRepetition finds the scores of repetition in the simplest way.
func (o *oracle) dclmRepetition() (out []float64) {
	var counts, chars []float64
	for _, separator := range []string{"\n", "\n\n"} {
		n := map[string]int{}
		var list, again []string
		for _, piece := range strings.Split(o.text, separator) {
			if piece = pytext.Strip(piece); piece != "" {
				list = append(list, piece)
				n[piece]++
			}
		}
		for _, piece := range list {
			if n[piece] > 1 {
				again = append(again, piece)
			}
		}
		if len(list) == 0 {
			list = []string{"x"}
		}
		counts, chars = append(counts, ratio(len(again), len(list))), append(chars, ratio(runeCount(again), runeCount(list)))
	}
	out = append(counts, chars...)
	var words []string
	for _, w := range o.words() {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLetter(r) || unicode.IsNumber(r) {
			words = append(words, w)
		}
	}
	for n := 2; n <= 10; n++ {
		count, most := map[string]int{}, 0
		for i := 0; i+n <= len(words); i++ {
			g := strings.Join(words[i:i+n], " ")
			count[g]++
			most = max(most, count[g])
		}
		longest, covered := 0, map[int]bool{}
		for i := 0; i+n <= len(words) && most > 1; i++ {
			c := count[strings.Join(words[i:i+n], " ")]
			if c == most {
				longest = max(longest, runeCount(words[i:i+n]))
			}
			for k := i; k < i+n && c > 1; k++ {
				covered[k] = true
			}
		}
		found := most * longest
		if n > 4 {
			found = 0
			for k := range covered {
				found += utf8.RuneCountInString(words[k])
			}
		}
		if found == 0 {
			out = append(out, 0)
		} else {
			out = append(out, ratio(found, runeCount(words)))
		}
	}
	return out
}

// TestDCLMRepetition compares scores with those found in the simplest way.
func TestDCLMRepetition(t *testing.T) {
	cfg := Default
	cfg.Use = []string{"dclm"}
	set := must.Get(New(cfg))(t)
	s, rnd := set.Scorer(), rand.New(rand.NewPCG(3, 1))
	for range 100 {
		var b strings.Builder
		for range rnd.IntN(40) {
			b.WriteString(pieces[rnd.IntN(len(pieces))] + " ")
		}
		o := &oracle{lang: "en", text: strings.ToValidUTF8(b.String(), "\ufffd")}
		got := s.Score(Text{Lang: "en", Whole: o.text, Paras: parasOf(o.text)}).Scores[7:20]
		for i, want := range o.dclmRepetition() {
			if got[i] != want && !math.IsNaN(want) {
				t.Fatalf("%s of %q: %v, want %v", set.Scores()[7+i], o.text, got[i], want)
			}
		}
	}
}

// TestDCLM: scores and lines of one text.
func TestDCLM(t *testing.T) {
	cfg := Default
	cfg.Use = []string{"dclm"}
	set := must.Get(New(cfg))(t)
	lines := []struct{ line, why, left string }{
		{"The ferry goes to the island, and the mail with it ...", "", ""},
		{"", "", ""},
		{"* HOME NEWS ab", "dclm.uppercase", ""},
		{"12①3", "dclm.digits", ""},
		{"3.4K Likes!", "dclm.counter", ""},
		{"12 likes of the island", "", ""},
		{"Contact", "dclm.few_words", ""},
		{"Two items in cart now", "", "Two now"},
		{"The island Read more...", "", "The island"},
		{"Sign-in items in cart", "dclm.button", ""},
		{"This line has more than ten words and so the button Sign-in items in cart stays", "", ""},
	}
	var text []string
	for _, l := range lines {
		text = append(text, l.line)
	}
	whole := strings.Join(text, "\n")
	r := set.Scorer().Score(Text{Lang: "en", Whole: whole, Paras: parasOf(whole)})
	k := 0
	for _, l := range lines {
		if l.line == "" {
			continue
		}
		if got := r.Lines[k]; got.Reason != l.why || l.left != "" && got.Text != l.left || got.Changed != (l.left != "") {
			t.Errorf("%q: %+v", l.line, got)
		}
		k++
	}
	for i, want := range map[int]float64{0: 52, 3: 0.1, 4: 0.2, 6: 11, 20: 16. / 52} {
		if got := r.Scores[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", set.Scores()[i], got, want)
		}
	}
	if r.Joined {
		t.Error("lines are to be joined")
	}
}
