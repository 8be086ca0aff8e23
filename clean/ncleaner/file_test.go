package ncleaner

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/page"
)

var fileConfigs = []ModelConfig{
	{N: 3, Q: .5},
	{N: 1, Q: .1, NonLexical: true},
	{N: 8, Q: .9},
	{N: 4, Q: .5, Unicode: true, MinRune: 2},
	{N: 8, Q: .7, Unicode: true, NonLexical: true, MinRune: 1},
}

// pairOf makes a small pair.
func pairOf(t testing.TB, cfg ModelConfig) *Model {
	t.Helper()
	clean, dirty := []string{"The café on the corner opens at seven.", "Жаль, что поезд ушёл."}, []string{"Home", "News | Sport", "© 2009"}
	var runes []rune
	if cfg.Unicode {
		runes = runesOf(cfg.NonLexical, append(clean, dirty...))
	}
	a := must.Get(NewAlphabet(cfg.Unicode, cfg.NonLexical, runes))(t)
	return must.Get(NewModel(cfg, a, countAll(a, cfg.N, clean), countAll(a, cfg.N, dirty)))(t)
}

func TestEmbedded(t *testing.T) {
	for name := range embedded {
		m := must.Get(open(name))(t)
		if m.N != DefaultModel.N || m.Q != DefaultModel.Q || m.table == nil {
			t.Errorf("%s: %+v, wanted the defaults and a table", name, m.ModelConfig)
		}
	}
}

func TestBadFiles(t *testing.T) {
	entry := func(v ...uint64) (b []byte) {
		for _, x := range v {
			b = binary.AppendUvarint(b, x)
		}
		return b
	}
	write := func(kind, config string, runes, counts []byte) string {
		path := filepath.Join(t.TempDir(), "m.chf")
		w := must.Get(model.Create(path, model.Header{Kind: kind, Behaviour: 1, Config: []byte(config)}))(t)
		w.Section(sectionRunes)
		w.Write(runes)
		if counts != nil {
			w.Section(sectionCounts)
			w.Write(counts)
		}
		must.Succeed(t, w.Close())
		return path
	}
	ok := entry(1, 1, 0)
	if _, err := Load(write(Kind, `{"n":3,"q":0.5}`, nil, ok)); err != nil {
		t.Fatalf("a good file: %v", err)
	}
	for _, c := range []struct {
		path, want string
	}{
		{write("lm.word", `{"n":3,"q":0.5}`, nil, ok), "kind"},
		{write(Kind, `{"n":9,"q":0.5}`, nil, ok), "n is 9"},
		{write(Kind, `{"n":3,"q":1}`, nil, ok), "q is 1"},
		{write(Kind, `{"n":"3"}`, nil, ok), "training configuration"},
		{write(Kind, `{"n":3,"q":0.5}`, entry(0xe9), ok), "ASCII alphabet"},
		{write(Kind, `{"n":3,"q":0.5,"unicode":true}`, entry(0xe9, 0), ok), "ascending"},
		{write(Kind, `{"n":3,"q":0.5,"unicode":true}`, entry(0x10ffff, 0x10ffff), ok), "the last is"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, nil), `no section "counts"`},
		{write(Kind, `{"n":3,"q":0.5}`, nil, []byte{1, 1}), "ends early"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(1, 0, 0)), "counts 0 and 0"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(1, 1<<60, 0)), "counts"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(96, 1, 0)), "96 symbols"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(1<<21, 1, 0)), "no 3-gram"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(5, 1, 0, 0, 1, 0)), "after 0x5"},
		{write(Kind, `{"n":3,"q":0.5}`, nil, entry(5, 1, 0, math.MaxUint64, 1, 0)), "after 0x5"},
	} {
		_, err := Load(c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "m") {
			t.Errorf("error %v, wanted one with %q", err, c.want)
		}
	}
}

// FuzzCounts reads damaged sections under all kinds of alphabets: the result must be usable,
// and unchanged after writing.
func FuzzCounts(f *testing.F) {
	for i, cfg := range fileConfigs {
		m := pairOf(f, cfg)
		f.Add(byte(i), m.appendRunes(nil), m.appendCounts(nil), "The café | жж")
	}
	f.Add(byte(1), []byte{}, []byte{0, 1, 0}, "\xff\x00~")
	f.Fuzz(func(t *testing.T, which byte, runes, counts []byte, text string) {
		cfg := fileConfigs[int(which)%len(fileConfigs)]
		rs, err := parseRunes(runes)
		if err != nil {
			return
		}
		a, err := NewAlphabet(cfg.Unicode, cfg.NonLexical, rs)
		if err != nil || a.bits*cfg.N > 64 {
			return
		}
		clean, dirty, err := parseCounts(counts, a, cfg.N)
		if err != nil {
			return
		}
		m, err := NewModel(cfg, a, clean, dirty)
		if err != nil {
			t.Fatalf("counts that were read make no model: %v", err)
		}
		if s := m.PerChar(text); math.IsNaN(s) || math.IsInf(s, 0) {
			t.Fatalf("%q scores %v", text, s)
		}
		c2, d2, err := parseCounts(m.appendCounts(nil), a, cfg.N)
		if err != nil || len(c2) != len(clean) || len(d2) != len(dirty) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

// FuzzScore scores arbitrary bytes as segment, dump and page.
func FuzzScore(f *testing.F) {
	for _, s := range []string{"", "Home | News", "the cat\n\n* sat\n1. on [x.gif] it", "\xff\xfe\x00", "中文é\u0301\u200b ~", "|||", "[[[INLINE]", "- - -"} {
		f.Add(s)
	}
	en := must.Get(open("en"))(f)
	l := WithModel(Default, en)
	f.Fuzz(func(t *testing.T, s string) {
		if v := en.PerChar(s); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q scores %v", s, v)
		}
		end := 0
		for _, b := range Segments(s) {
			if b.Text == "" || b.Start < end || b.End <= b.Start || b.End > len(s) {
				t.Fatalf("segment %q at %d to %d, after %d of %d bytes", b.Text, b.Start, b.End, end, len(s))
			}
			end = b.End
		}
		dump := &page.Page{MIME: "text/plain", HTML: s, Blocks: []page.Block{{Text: s, End: len(s) / 2}, {Text: s, Start: len(s) / 2, End: len(s)}}}
		if vs, err := l.Label(t.Context(), dump); err != nil || len(vs) != 2 {
			t.Fatalf("%d verdicts, %v", len(vs), err)
		}
		p := &page.Page{Blocks: []page.Block{{Text: s, Kind: page.Line}, {Text: s}}}
		vs, err := l.Label(t.Context(), p)
		if err != nil || len(vs) != 2 {
			t.Fatalf("%d verdicts, %v", len(vs), err)
		}
		for i := range vs {
			p.Blocks[i].Verdict = vs[i]
			p.Blocks[i].Kept()
		}
	})
}

// Files of every behaviour version that this build reads must load and score
// as they did. testdata/backcompat/1.chf is a pair of 4-grams over a Unicode alphabet.
func TestBackCompat(t *testing.T) {
	m := must.Get(Load("testdata/backcompat/1.chf"))(t)
	for text, want := range map[string]struct {
		bits  float64
		chars int
	}{"The café": {57.02572155, 9}, "Home | Login": {-70.62084051, 13}, "поезд": {22.79294407, 6}} {
		if bits, chars := m.Score(text); math.Abs(bits-want.bits) > 1e-6 || chars != want.chars {
			t.Errorf("%q: %v over %d, wanted %v over %d", text, bits, chars, want.bits, want.chars)
		}
	}
}
