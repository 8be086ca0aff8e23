package pyplexity_test

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/lm/pyplexity"
)

func load(t testing.TB, name string, c pyplexity.Config) *pyplexity.Model {
	t.Helper()
	return must.Get(pyplexity.Load(filepath.Join("testdata", "reference", name), c))(t)
}

// sentences returns the lines of the reference, among them every oddity of
// PyPlexity's tokeniser.
func sentences(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, line := range lines(t, "sentences.txt") {
		var s string
		must.Succeed(t, json.Unmarshal([]byte(line), &s))
		out = append(out, s)
	}
	return out
}

func lines(t testing.TB, name string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(string(must.Read(t, filepath.Join("testdata", "reference", name))), "\n"), "\n")
}

// TestReference compares with what PyPlexity 0.2.12 itself says (see
// testdata/reference/README.md).
func TestReference(t *testing.T) {
	for _, name := range []string{"bigrams", "trigrams"} {
		m := load(t, name+".st", pyplexity.Config{})
		want := lines(t, name+".scores")
		all := sentences(t)
		if len(all) != len(want) || len(all) < 2000 {
			t.Fatalf("%d sentences, %d scores", len(all), len(want))
		}
		worst, same := 0., 0
		for i, s := range all {
			w := must.Get(strconv.ParseFloat(want[i], 64))(t)
			got := m.Perplexity(s)
			if d := math.Abs(got-w) / w; d > 1e-9 || math.IsNaN(d) {
				t.Errorf("%s: %q: got %v, PyPlexity %v; tokens %q", name, s, got, w, pyplexity.Tokens(s))
			} else {
				worst = max(worst, d)
			}
			if got == w {
				same++
			}
		}
		t.Logf("%s: %d sentences, %d with the same bits, largest relative difference %.2g", name, len(all), same, worst)
	}
}

func TestBounds(t *testing.T) {
	empty := "pst0\x05\x0b\x02\x00\x00\x00\x02\x04\x03\x00\x00\x00\x00\x04\x03\x00\x00\x00\x00"
	m := must.Get(pyplexity.Read(strings.NewReader(empty), pyplexity.Config{}))(t)
	for _, s := range []string{"zzz", "zzz yyy xxx", "a b c d e f g h i j k l m n o p q r s t u v w x y z"} {
		if got := m.Perplexity(s); math.Abs(got-1e6) > 1e-6 {
			t.Errorf("unknown words: %q: got %v, PyPlexity 1000000.0", s, got)
		}
	}
	m = load(t, "trigrams.st", pyplexity.Config{})
	if got := m.Perplexity("zzz"); got != 1 {
		t.Errorf("one token with trigrams: got %v, PyPlexity 1.0", got)
	}
}

func TestTokens(t *testing.T) {
	for s, want := range map[string]string{
		"":                       "",
		"This is NORMAL text":    "this is normal text",
		"One. Two three. Four.":  "one . three . .",
		"a,b;c:d":                "a ,b ;c :d",
		"etc., and":              "etc . , and",
		`He said "no".`:          `he said " no " .`,
		`"no" he said`:           `" no " he said`,
		"ÁÉÍÓÚÇÃÕÂÊÔÀÈ Ñ Ü":      "áéíóúçãõâêôàè Ñ Ü",
		"x\x1cy\u00a0z":          "x y z",
		"bad \xff byte":          "bad byte",
		"end.\n":                 "end .",
		"end.\n\n":               "end.",
		"wait... what":           "wait.. .",
		"it's (really) <b> a=b?": "it ' s ( really ) < b > a = b ?",
	} {
		if got := strings.Join(pyplexity.Tokens(s), " "); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestRepairKeys: "café" is in the model, but PyPlexity cannot find it.
func TestRepairKeys(t *testing.T) {
	as := load(t, "bigrams.st", pyplexity.Config{}).Perplexity("the café")
	repaired := load(t, "bigrams.st", pyplexity.Config{RepairKeys: true}).Perplexity("the café")
	if repaired >= as {
		t.Errorf("got %v with repaired keys, %v without", repaired, as)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"", "unexpected EOF"},
		{"CHFMODEL", "is it a file of Perl's Storable?"},
		{"pst0\x05\x0b\x02\x00\x00\x00\x01", "an array of 1 tables, wanted 2"},
	} {
		path := must.File(t, "x.st", c.content)
		_, err := pyplexity.Load(path, pyplexity.Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "model "+path) {
			t.Errorf("%q: got %v, wanted %q", c.content, err, c.want)
		}
	}
}

// oracle makes the tokens as PyPlexity does, one replacement after the other.
func oracle(s string) []string {
	s = strings.ToValidUTF8(s, "")
	s = strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 32
		}
		if strings.ContainsRune("ÁÉÍÓÚÇÃÕÂÊÔÀÈ", r) {
			return r + 32
		}
		return r
	}, s)
	for _, c := range []string{",", ";", ":"} {
		s = strings.ReplaceAll(s, c, " "+c)
	}
	s = fullStops.ReplaceAllString(s, " . ")
	s = lastStop.ReplaceAllString(s, " .$1")
	s = quotes.ReplaceAllString(s, ` " `)
	for _, c := range []string{"(", ")", "<", ">", "=", "'", "`", "?", "¿", "!", "¡"} {
		s = strings.ReplaceAll(s, c, " "+c+" ")
	}
	s = whites.ReplaceAllString(s, " ")
	return strings.Split(strings.Trim(s, " "), " ")
}

func FuzzTokens(f *testing.F) {
	for _, s := range sentences(f)[:300] {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := pyplexity.Tokens(s), oracle(s); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", s, got, want)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"bigrams.st", "trigrams.st"} {
		b := must.Read(f, filepath.Join("testdata", "reference", name))
		f.Add(b[:2000])
	}
	f.Add([]byte("pst0\x05\x0b\x02\x00\x00\x00\x02\x04\x03\x00\x00\x00\x00\x04\x03\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := pyplexity.Read(bytes.NewReader(b), pyplexity.Config{RepairKeys: true})
		if err == nil {
			_ = m.Perplexity("the harbour, the café.")
		}
	})
}
