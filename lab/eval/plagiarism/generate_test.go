package plagiarism

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"chaffinch/internal/testkit/must"
	"chaffinch/plagiarism"
)

// novels makes texts of sentences of made-up words, the same always.
func novels(n int) []string {
	x := uint64(7)
	next := func(n uint64) uint64 {
		x = x*6364136223846793005 + 1442695040888963407
		return (x >> 33) % n
	}
	syllables := []string{"ba", "ko", "ri", "su", "me", "ta", "lo", "vi", "žu", "pe", "na", "do"}
	word := func() string {
		r := next(1000)
		v := r * r * (next(6) + 1) % 30000 // small numbers are frequent
		var b strings.Builder
		for {
			b.WriteString(syllables[v%12])
			if v /= 12; v == 0 {
				return b.String()
			}
		}
	}
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range 250 {
			w := []rune(word())
			w[0] = unicode.ToUpper(w[0])
			b.WriteString(string(w))
			for range 5 + next(20) {
				b.WriteString(" " + word())
			}
			b.WriteString([]string{". ", ". ", "? ", ".\n\n"}[next(4)])
		}
		out[i] = b.String()
	}
	return out
}

// Every kind of change is made, its gold places hold what they say, and the
// search finds nearly all cases of each.
func TestGenerate(t *testing.T) {
	cfg := DefaultGenerate
	cfg.Sources, cfg.Suspicious = 40, 40
	s := must.Get(generate("made", novels(60), cfg))(t)
	again, err := generate("made", novels(60), cfg)
	if err != nil || !reflect.DeepEqual(s, again) {
		t.Errorf("the second set differs (%v)", err)
	}
	texts := map[string][]rune{}
	for _, d := range append(s.Sources, s.Suspicious...) {
		texts[d.ID] = []rune(d.Text)
	}
	kinds := map[string]int{}
	for _, c := range s.Cases {
		kinds[c.Obfuscation]++
		a := string(texts[c.Suspicious][c.SuspiciousStart:c.SuspiciousEnd])
		b := string(texts[c.Source][c.SourceStart:c.SourceEnd])
		if c.Obfuscation == "verbatim" && a != b {
			t.Errorf("verbatim case differs: %q and %q", a, b)
		}
		if c.Obfuscation == "case" && a != strings.ToUpper(strings.Join(strings.Fields(b), " ")) {
			t.Errorf("case %q and %q", a, b)
		}
	}
	for _, k := range kindNames() {
		if kinds[k] == 0 {
			t.Errorf("no case of %s", k)
		}
	}
	found := must.Get(Run(context.Background(), s, plagiarism.DefaultIndex, plagiarism.DefaultSearch))(t)
	for _, r := range Rows(s, found) {
		if r.Half == "all" && (r.Plagdet < 0.9 || r.Kind == "all" && r.Plagdet < 0.95) {
			t.Errorf("%s: %+v", r.Kind, r.Score)
		}
	}
	if _, err := generate("made", novels(1), cfg); err == nil {
		t.Error("80 documents of one text")
	}
	cfg.Kinds = []string{"nonsense"}
	if _, err := generate("made", novels(60), cfg); err == nil {
		t.Error("a change that is not known")
	}
}
