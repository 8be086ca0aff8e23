package lm

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

func TestReadARPA(t *testing.T) {
	score := func(arpa, text string) float64 { return parse(t, arpa).Sentence(text).LogProb }
	want := score(small, "a b x")
	for name, arpa := range map[string]string{
		"blanks for tabs": strings.ReplaceAll(small, "\t", "  "),
		"CRLF":            strings.ReplaceAll(small, "\n", "\r\n"),
		"preamble":        "written by hand\n\n" + small,
		"upper-case UNK":  strings.Replace(small, "<unk>", "<UNK>", 1),
		"wrong counts":    strings.Replace(small, "ngram 2=4", "ngram 2=7", 1),
	} {
		if got := score(arpa, "a b x"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := score(strings.Replace(small, "-2\t<unk>\n", "", 1), "x"); math.Abs(got-(-0.5-100-1)) > 1e-5 {
		t.Errorf("no <unk>: %v", got)
	}
	long := strings.Repeat("w", maxTokenBytes+1)
	arpa := strings.Replace(small, "-0.8\tb a", "-0.8\tb a\n-0.8\tb "+long, 1)
	arpa = strings.Replace(arpa, "-0.9\tb", "-0.9\t"+long+"\n-0.9\tb", 1)
	if m := parse(t, arpa); m.Ngrams(1) != 5 || m.Ngrams(2) != 4 || m.Sentence("a b x").LogProb != want {
		t.Errorf("a word too long: %d words, %d bigrams", m.Ngrams(1), m.Ngrams(2))
	}
}

// An n-gram whose end is missing scores as before, and the end as by backing
// off.
func TestReadARPAMissingEnd(t *testing.T) {
	without := strings.Replace(small, "-0.3\tb </s>\n", "", 1)
	m, full := parse(t, without), parse(t, small)
	if m.Ngrams(2) != full.Ngrams(2) {
		t.Errorf("%d bigrams, want %d", m.Ngrams(2), full.Ngrams(2))
	}
	if got, want := m.Sentence("a b").LogProb, full.Sentence("a b").LogProb; math.Abs(got-want) > 1e-6 {
		t.Errorf("a b: %v, want %v", got, want)
	}
	if got, want := m.Sentence("b").LogProb, -0.5-0.9-0.2-1; math.Abs(got-want) > 1e-6 {
		t.Errorf("b: %v, want %v", got, want)
	}
}

func TestReadARPAErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`\data\`, `\date\`, `no line \data\`},
		{"ngram 2=4", "ngram 3=4", `line 4: found "ngram 3=4", wanted "ngram 2=COUNT"`},
		{`\2-grams:`, `\3-grams:`, `line 14: found "\\3-grams:", wanted "\\2-grams:"`},
		{"-0.8\tb a", "-0.8\tb", "line 17: 2 fields"},
		{"-0.8\tb a", "-0.8\tb q", `line 17: word "q" is not among the 1-grams`},
		{"-0.8\tb a", "0.8\tb a", "line 17: log10 probability 0.8"},
		{"-0.8\tb a", "NaN\tb a", `line 17: "NaN" is not a log10`},
		{"-0.8\tb a", "-0.8\ta b", "line 17: the 2-gram occurs in line 16 already"},
		{"-0.9\tb", "-0.9\ta", `line 12: word "a" is listed twice`},
		{`\end\`, "", `without \end\`},
	} {
		_, err := ReadARPA("m.arpa", strings.NewReader(strings.Replace(small, c.old, c.new, 1)), "")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "model m.arpa: line ") {
			t.Errorf("%q for %q: %v, wanted %s", c.new, c.old, err, c.want)
		}
	}
	must.Fail(t, must.Err(ReadARPA("m", strings.NewReader("\\data\\\n"+strings.Repeat("x", maxLine+1)), "")), "line 2")
}

func TestGuessTokeniser(t *testing.T) {
	if k := guessTokeniser([]string{"<unk>", "<s>", "</s>", "a", "don't", ",", "0.00"}); k != Words {
		t.Error(k)
	}
	if k := guessTokeniser([]string{"<unk>", "<s>", "</s>", "The", "a", "end."}); k != Blanks {
		t.Error(k)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.arpa")
	os.WriteFile(path, []byte(small), 0o644)
	m, err := Load(path)
	if err != nil || m.Order() != 3 || m.Tokeniser() != Words {
		t.Fatalf("%v, %v", m, err)
	}
	file := filepath.Join(dir, "m.chf")
	write(t, file, m)
	n := must.Get(Load(file))(t)
	defer n.Close()
	if a, b := m.Sentence("a b x"), n.Sentence("a b x"); a != b {
		t.Errorf("%+v, want %+v", b, a)
	}
	for _, bad := range []string{filepath.Join(dir, "none"), dir} {
		if _, err := Load(bad); err == nil {
			t.Errorf("%s loaded", bad)
		}
	}
	os.WriteFile(path, []byte("just text"), 0o644)
	must.Fail(t, must.Err(Load(path)), "is it one")
}

// write copies the model's sections to a file.
func write(t *testing.T, path string, m *Model) {
	t.Helper()
	w := must.Get(model.Create(path, m.File.Header))(t)
	for _, s := range m.File.Sections() {
		b, _ := m.File.Section(s)
		w.Section(s)
		w.Write(b)
	}
	must.Succeed(t, w.Close())
}

// repack makes a model file with changed sections and a right checksum.
func repack(m *Model, change func(name string, b []byte) []byte) []byte {
	w := model.Memory(m.File.Header)
	for _, s := range m.File.Sections() {
		b, _ := m.File.Section(s)
		if b = change(s, bytes.Clone(b)); b != nil {
			w.Section(s)
			w.Write(b)
		}
	}
	b, _ := w.Bytes()
	return b
}

// Damage that the checksum cannot see, since it was there before: an error or
// a model that scores, never a crash.
func TestDamagedSections(t *testing.T) {
	m := parse(t, small)
	for _, name := range m.File.Sections() {
		if _, err := Parse("m", repack(m, func(s string, b []byte) []byte {
			if s == name {
				return nil
			}
			return b
		})); err == nil {
			t.Errorf("nobody misses %s", name)
		}
		size, _ := m.File.Section(name)
		for i := range size {
			for _, bit := range []byte{1, 0x80} {
				n, err := Parse("m", repack(m, func(s string, b []byte) []byte {
					if s == name {
						b[i] ^= bit
					}
					return b
				}))
				if err == nil {
					n.Sentence("a b x a b")
					n.WriteARPA(new(bytes.Buffer))
				}
			}
		}
	}
}

func TestMeta(t *testing.T) {
	m := parse(t, small)
	for _, change := range []func(*meta){
		func(t *meta) { t.Order = 0 },
		func(t *meta) { t.Order = 9 },
		func(t *meta) { t.Estimator = "x" },
		func(t *meta) { t.Tokeniser = "x" },
		func(t *meta) { t.Ngrams[0] = 2 },
		func(t *meta) { t.Ngrams[2] = 1 << 60 },
		func(t *meta) { t.ValueBits[0] = 60 },
		func(t *meta) { t.ValueBits[0] = 8 },
		func(t *meta) { t.BackoffBits = nil },
	} {
		if _, err := Parse("m", repack(m, func(s string, b []byte) []byte {
			if s != "meta" {
				return b
			}
			var x meta
			json.Unmarshal(b, &x)
			change(&x)
			b, _ = json.Marshal(x)
			return b
		})); err == nil {
			t.Errorf("meta changed and nobody noticed")
		}
	}
}

func FuzzReadARPA(f *testing.F) {
	f.Add(small)
	f.Add("\\data\\\nngram 1=0\n\\1-grams:\n\\end\\")
	f.Add("\\data\\\nngram 1=1\nngram 2=1\n\\1-grams:\n-1 a -1\n\\2-grams:\n-1 a a\n\\end\\")
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ReadARPA("fuzz", strings.NewReader(s), "")
		if err != nil {
			return
		}
		m.Sentence("a b c a")
		var one, two bytes.Buffer
		m.WriteARPA(&one)
		n, err := ReadARPA("again", &one, m.Tokeniser())
		if err != nil {
			t.Fatalf("own output: %v", err)
		}
		n.WriteARPA(&two)
	})
}

// FuzzModel changes bytes of a model's sections; the checksum is made right.
func FuzzModel(f *testing.F) {
	m := must.Get(ReadARPA("test", strings.NewReader(small), Words))(f)
	f.Add([]byte{0, 0, 0, 1}, "a b")
	f.Add([]byte{7, 0, 3, 255, 8, 0, 1, 4}, "a b x")
	f.Fuzz(func(t *testing.T, edits []byte, text string) {
		names := m.File.Sections()
		n, err := Parse("fuzz", repack(m, func(s string, b []byte) []byte {
			for e := edits; len(e) >= 4; e = e[4:] {
				at := int(binary.BigEndian.Uint16(e[1:]))
				if names[int(e[0])%len(names)] == s && len(b) > 0 {
					b[at%len(b)] ^= e[3]
				}
			}
			return b
		}))
		if err == nil {
			n.Sentence(text)
			n.Vocab.ID([]byte(text))
			n.WriteARPA(new(bytes.Buffer))
		}
	})
}

// Files of every behaviour stay readable and score the same. (lm-1.chf: "train
// words --order 3 --held-out 0" of four sentences.)
func TestBackCompat(t *testing.T) {
	for file, want := range map[string]float64{"lm-1.chf": 3.9872591542859537} {
		m := must.Get(Load(filepath.Join("testdata", "backcompat", file)))(t)
		defer m.Close()
		if got := m.Sentence("The wind barked.").Perplexity(); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: perplexity %v, want %v", file, got, want)
		}
	}
}
