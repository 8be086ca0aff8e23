package filter

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/fineweb2"
	_ "chaffinch/model/data/nontext"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/text/token"
)

// oracle finds scores in the simplest way: strings and maps, one pass for each.
type oracle struct {
	lang, text string
	c4         C4Config
	stop       []string
}

func (o *oracle) words() (list []string) {
	for _, line := range strings.Split(o.text, "\n") {
		for _, s := range token.For(o.lang).Words(line, nil) {
			list = append(list, line[s.Start:s.End])
		}
	}
	return list
}

func splitLines(text string) (lines []string) {
	for text != "" {
		i := strings.IndexAny(text, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(lines, text)
		}
		lines = append(lines, text[:i])
		_, n := utf8.DecodeRuneInString(text[i:])
		if strings.HasPrefix(text[i:], "\r\n") {
			n = 2
		}
		text = text[i+n:]
	}
	return lines
}

func runeCount(list []string) (n int) {
	for _, s := range list {
		n += utf8.RuneCountInString(s)
	}
	return n
}

func repeats(list []string) (again []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if seen[s] {
			again = append(again, s)
		}
		seen[s] = true
	}
	return again
}

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

func countIf(list []string, fn func(string) bool) (n int) {
	for _, s := range list {
		if fn(s) {
			n++
		}
	}
	return n
}

func isSymbol(r rune) bool {
	return unicode.Is(unicode.STerm, r) || strings.ContainsRune(khmer+symbols, r) || unicode.IsControl(r) && r != '\t' && r != '\n'
}

func (o *oracle) gopherQuality() []float64 {
	all := o.words()
	var words []string
	for _, w := range all {
		if strings.TrimFunc(w, isSymbol) != "" {
			words = append(words, w)
		}
	}
	lines := splitLines(o.text)
	ends := func(s string) bool { return strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…") }
	found := 0
	for _, s := range o.stop {
		if countIf(all, func(w string) bool { return w == s }) > 0 {
			found++
		}
	}
	return []float64{
		float64(len(words)), ratio(runeCount(words), len(words)),
		ratio(strings.Count(o.text, "#"), len(all)), ratio(strings.Count(o.text, "...")+strings.Count(o.text, "…"), len(all)),
		ratio(countIf(lines, func(s string) bool {
			s = pytext.Strip(s)
			return strings.HasPrefix(s, "•") || strings.HasPrefix(s, "-")
		}), len(lines)),
		ratio(countIf(lines, func(s string) bool { return ends(pytext.StripRight(s)) }), len(lines)),
		ratio(countIf(all, func(w string) bool { return strings.ContainsFunc(w, unicode.IsLetter) }), len(all)),
		map[bool]float64{true: float64(found), false: math.NaN()}[o.lang == "en"],
	}
}

func (o *oracle) gopherRepetition() []float64 {
	all := utf8.RuneCountInString(o.text)
	out := []float64{float64(all)}
	if all == 0 {
		return append(out, make([]float64, 13)...)
	}
	for _, list := range [][]string{regexp.MustCompile(`\n{2,}`).Split(pytext.Strip(o.text), -1), regexp.MustCompile(`\n+`).Split(o.text, -1)} {
		again := repeats(list)
		out = append(out, ratio(len(again), len(list)), ratio(runeCount(again), all))
	}
	words := o.words()
	for n := 2; n <= 4; n++ {
		count, most := map[string]int{}, 0
		for i := 0; i+n <= len(words); i++ {
			g := strings.Join(words[i:i+n], " ")
			count[g]++
			most = max(most, count[g])
		}
		chars := 0
		for i := 0; i+n <= len(words) && chars == 0; i++ {
			if g := strings.Join(words[i:i+n], " "); count[g] == most {
				chars = most * utf8.RuneCountInString(g)
			}
		}
		out = append(out, ratio(chars, all))
	}
	for n := 5; n <= 10; n++ {
		seen, chars := map[string]bool{}, 0
		for i := 0; i+n <= len(words); {
			g := strings.Join(words[i:i+n], "")
			if seen[g] {
				chars += utf8.RuneCountInString(g)
				i += n
			} else {
				seen[g] = true
				i++
			}
		}
		out = append(out, ratio(chars, all))
	}
	return out
}

func (o *oracle) fineweb() []float64 {
	var lines []string
	for _, line := range strings.Split(o.text, "\n") {
		if pytext.Strip(line) != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return []float64{0, math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	return []float64{
		float64(len(lines)),
		ratio(countIf(lines, func(s string) bool {
			r, _ := utf8.DecodeLastRuneInString(s)
			return unicode.Is(unicode.STerm, r) || strings.ContainsRune(khmer, r)
		}), len(lines)),
		ratio(countIf(lines, func(s string) bool { return utf8.RuneCountInString(s) <= 30 }), len(lines)),
		ratio(runeCount(repeats(lines)), utf8.RuneCountInString(strings.ReplaceAll(o.text, "\n", ""))),
		ratio(strings.Count(o.text, "\n"), len(o.words())),
	}
}

var citations = regexp.MustCompile(`\[\p{Nd}*\]|\[edit\]|\[citation needed\]`)

// c4Lines returns the text that stays.
func (o *oracle) c4Lines() ([]float64, string) {
	out := make([]float64, 3)
	var kept []string
	for _, line := range splitLines(o.text) {
		line = pytext.Strip(line)
		words := pytext.Fields(line)
		if countIf(words, func(w string) bool { return utf8.RuneCountInString(w) > o.c4.MaxWordLength }) > 0 {
			continue
		}
		line = citations.ReplaceAllString(line, "")
		if o.c4.TerminalPunctuation && (!regexp.MustCompile(`[.?!"']$`).MatchString(line) || strings.HasSuffix(line, "...")) {
			continue
		}
		if len(words) < o.c4.MinWordsPerLine {
			continue
		}
		low := pytext.Lower(line)
		if strings.Contains(low, "lorem ipsum") {
			out[0]++
		}
		if strings.Contains(low, "javascript") {
			continue
		}
		if strings.Contains(line, "{") {
			out[1]++
		}
		if regexp.MustCompile("terms of use|privacy policy|cookie policy|uses cookies|use of cookies|use cookies").MatchString(low) {
			continue
		}
		out[2] += float64(max(1, len(token.For(o.lang).Sentences(line, nil))))
		kept = append(kept, line)
	}
	return out, pytext.Strip(strings.Join(kept, "\n"))
}

// parasOf are the lines with text, as a collection has them.
func parasOf(text string) (paras []token.Span) {
	for i := 0; i < len(text); {
		n := strings.IndexAny(text[i:], "\n\r")
		if n < 0 {
			n = len(text) - i
		}
		if pytext.Strip(text[i:i+n]) != "" {
			paras = append(paras, token.Span{Start: i, End: i + n})
		}
		i += n + 1
	}
	return paras
}

// pieces make texts that meet all rules.
var pieces = []string{
	"The ferry to the island leaves at nine and comes back with the mail.", "the ferry", "of", "to", "and that", "#", "...", "…", "-", "•", "– ", "\n", "\n", "\n\n", "\n\n\n", "\r\n", "\u2028", "\u0085", "\x1c",
	" ", "  ", "\u3000", "\u200b", "[12]", "[٣]", "[edit]", "[citation needed]", "[", "[12", "JavaScript is off.", "Coo\u212aie Policy applies here.", "Coo\u212aies", "we use Cookies on this page.", "lorem Ipsum dolor.", "{ x }", "Ok.",
	"Wie geht es dir? Gut!", "これは文です。", "漢字", "។ ៕", "🙂", "\xff", "a\xe2\x84", strings.Repeat("x", 1001), "1,000", "3.14", "don't", "İstanbul", "A B C D E F G H I J.", "A B C D E F G H I J.", "ab c", "a bc", "'", "\"", "!",
}

// TestOracle compares the scores with those found in the simplest way, to the
// last bit, on random texts.
func TestOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(14, 1))
	for i, use := range [][]string{
		{"gopher_repetition", "gopher_quality", "c4", "fineweb"},
		{"fineweb", "c4", "gopher_repetition", "gopher_quality"}, // tokens are known before lines go
		{"c4", "gopher_repetition"},
	} {
		cfg := Default
		cfg.C4.TerminalPunctuation = i == 0
		cfg.Use = use
		set := must.Get(New(cfg))(t)
		s := set.Scorer()
		for range 170 {
			var b strings.Builder
			if rnd.IntN(4) == 0 { // what goes at the start moves all behind it
				b.WriteString("[12] The ferry goes to the island.\nThe mail comes back with it at nine.\n")
			}
			for range rnd.IntN(40) {
				b.WriteString(pieces[rnd.IntN(len(pieces))])
				if rnd.IntN(3) > 0 {
					b.WriteByte(' ')
				}
			}
			o := &oracle{lang: []string{"en", "de", "ja"}[rnd.IntN(3)], text: strings.ToValidUTF8(b.String(), "\ufffd"), c4: cfg.C4}
			in := o.text
			if o.lang == "en" {
				o.stop = cfg.StopWords["en"]
			}
			got := s.Score(Text{Lang: o.lang, Whole: in, Paras: parasOf(in)})
			var want []float64
			for _, group := range use {
				var scores []float64
				switch group {
				case "gopher_repetition":
					scores = o.gopherRepetition()
				case "gopher_quality":
					scores = o.gopherQuality()
				case "c4":
					scores, o.text = o.c4Lines()
				case "fineweb":
					scores = o.fineweb()
				}
				want = append(want, scores...)
			}
			left := pytext.Strip(o.text)
			for i, name := range set.Scores() {
				if g, w := got.Scores[i], want[i]; g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
					t.Fatalf("%s of %q: %v, want %v", name, in, g, w)
				}
			}
			var kept []string
			for i, p := range parasOf(in) {
				switch l := got.Lines[i]; {
				case l.Reason != "":
				case l.Changed:
					kept = append(kept, l.Text)
				default:
					kept = append(kept, in[p.Start:p.End])
				}
			}
			if text := pytext.Strip(strings.Join(kept, "\n")); text != left {
				t.Fatalf("text of %q: %q, want %q", in, text, left)
			}
			decision, drop := set.Decide(o.lang, got.Scores)
			if _, first, out := s.Judge(Text{Lang: o.lang, Whole: in, Paras: parasOf(in)}); first != decision || out != drop {
				t.Fatalf("%q: %v %v, want %v %v", in, out, first, drop, decision)
			}
		}
	}
}
