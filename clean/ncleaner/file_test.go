package ncleaner

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/model"
	"chaffinch/page"
)

// examples are three pages for the tests of training and files.
func examples() []Example {
	make := func(id string, clean []string, dirt ...string) Example {
		p := &page.Page{ID: id}
		for _, s := range append(dirt, clean...) {
			p.Blocks = append(p.Blocks, page.Block{Text: s})
		}
		return Example{p, clean}
	}
	return []Example{
		make("a", []string{"The café on the corner opens at seven.", "Nobody knows who owns it."}, "Home", "News | Sport"),
		make("b", []string{"Жаль, что поезд ушёл.", "We took the bus, ten minutes later."}, "Home", "Login", "© 2009"),
		make("c", []string{"A list of what we saw:", "a café", "a bus"}, "Home | Contact", "Print"),
	}
}

func train(t testing.TB, cfg ModelConfig) (*Trainer, *Model) {
	t.Helper()
	tr, err := NewTrainer(cfg, examples())
	if err != nil {
		t.Fatal(err)
	}
	m, err := tr.Model()
	if err != nil {
		t.Fatal(err)
	}
	return tr, m
}

var fileConfigs = []ModelConfig{
	{N: 3, Q: .5},
	{N: 1, Q: .1, NonLexical: true},
	{N: 8, Q: .9},
	{N: 4, Q: .5, Unicode: true, MinRune: 2},
	{N: 8, Q: .7, Unicode: true, NonLexical: true, MinRune: 1},
}

func TestSaveAndLoad(t *testing.T) {
	for _, cfg := range fileConfigs {
		_, m := train(t, cfg)
		path := filepath.Join(t.TempDir(), "m.chf")
		h := model.Header{Name: "test", Tool: "test"}
		if err := m.Save(path, h); err != nil {
			t.Fatal(err)
		}
		first, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err != nil {
			t.Fatalf("%+v: %v", cfg, err)
		}
		if got.ModelConfig != m.ModelConfig || got.Symbols() != m.Symbols() {
			t.Errorf("%+v with %d symbols came back as %+v with %d", m.ModelConfig, m.Symbols(), got.ModelConfig, got.Symbols())
		}
		for _, text := range []string{"The café", "Home | Login", "жж мама", "日本", ""} {
			b1, n1 := m.Score(text)
			b2, n2 := got.Score(text)
			if b1 != b2 || n1 != n2 {
				t.Errorf("%+v, %q: %v, %d, came back as %v, %d", cfg, text, b1, n1, b2, n2)
			}
		}
		if err := got.Save(path, h); err != nil {
			t.Fatal(err)
		}
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(first, again) {
			t.Errorf("%+v: written again, the bytes differ: %v", cfg, err)
		}
	}
}

// The same pages give the same bytes; the embedded pairs are read.
func TestTrainingIsDeterministic(t *testing.T) {
	var files [2][]byte
	for i := range files {
		tr, m := train(t, fileConfigs[3])
		path := filepath.Join(t.TempDir(), "m.chf")
		if err := m.Save(path, model.Header{DataSHA256: tr.DataSHA256()}); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) || len(files[0]) == 0 {
		t.Error("two trainings on the same pages differ")
	}
	for name := range embedded {
		m, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
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
		w, err := model.Create(path, model.Header{Kind: kind, Behaviour: 1, Config: []byte(config)})
		if err != nil {
			t.Fatal(err)
		}
		w.Section(sectionRunes)
		w.Write(runes)
		if counts != nil {
			w.Section(sectionCounts)
			w.Write(counts)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
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

// FuzzCounts reads damaged sections under all kinds of alphabets: what is read
// must be usable, and come back when written.
func FuzzCounts(f *testing.F) {
	for i, cfg := range fileConfigs {
		_, m := train(f, cfg)
		f.Add(byte(i), m.appendRunes(nil), m.appendCounts(nil), "The café | жж")
	}
	f.Add(byte(1), []byte{}, []byte{0, 1, 0}, "\xff\x00~")
	f.Fuzz(func(t *testing.T, which byte, runes, counts []byte, text string) {
		cfg := fileConfigs[int(which)%len(fileConfigs)]
		rs, err := parseRunes(runes)
		if err != nil {
			return
		}
		a, err := newAlphabet(cfg.Unicode, cfg.NonLexical, rs)
		if err != nil || a.bits*cfg.N > 64 {
			return
		}
		clean, dirty, err := parseCounts(counts, a, cfg.N)
		if err != nil {
			return
		}
		m, err := newModel(cfg, a, clean, dirty)
		if err != nil {
			t.Fatalf("counts that were read make no model: %v", err)
		}
		if s := m.PerChar(text); math.IsNaN(s) || math.IsInf(s, 0) {
			t.Fatalf("%q scores %v", text, s)
		}
		c2, d2, err := parseCounts(m.appendCounts(nil), a, cfg.N)
		if err != nil || len(c2.grams) != len(clean.grams) || len(d2.grams) != len(dirty.grams) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

// FuzzScore scores arbitrary bytes as segment, dump and page.
func FuzzScore(f *testing.F) {
	for _, s := range []string{"", "Home | News", "the cat\n\n* sat\n1. on [x.gif] it", "\xff\xfe\x00", "中文é\u0301\u200b ~", "|||", "[[[INLINE]", "- - -"} {
		f.Add(s)
	}
	en, err := open("en")
	if err != nil {
		f.Fatal(err)
	}
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
// as they did. testdata/backcompat/1.chf holds fileConfigs[3] of examples().
func TestBackCompat(t *testing.T) {
	m, err := Load("testdata/backcompat/1.chf")
	if err != nil {
		t.Fatal(err)
	}
	_, now := train(t, fileConfigs[3])
	for _, text := range []string{"The café", "Home | Login", "поезд"} {
		got, n := m.Score(text)
		want, k := now.Score(text)
		if got != want || n != k {
			t.Errorf("%q: %v over %d, trained now %v over %d", text, got, n, want, k)
		}
	}
}
