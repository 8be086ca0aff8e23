package ncleaner

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/clean/ncleaner"
	"chaffinch/internal/testkit/must"
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

func train(t testing.TB, cfg ncleaner.ModelConfig) (*Trainer, *ncleaner.Model) {
	t.Helper()
	tr := must.Get(NewTrainer(cfg, examples()))(t)
	m := must.Get(tr.Model())(t)
	return tr, m
}

var fileConfigs = []ncleaner.ModelConfig{
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
		must.Succeed(t, m.Save(path, h))
		first := must.Read(t, path)
		got, err := ncleaner.Load(path)
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
		must.Succeed(t, got.Save(path, h))
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(first, again) {
			t.Errorf("%+v: written again, the bytes differ: %v", cfg, err)
		}
	}
}

// The same pages give the same bytes.
func TestTrainingIsDeterministic(t *testing.T) {
	var files [2][]byte
	for i := range files {
		tr, m := train(t, fileConfigs[3])
		path := filepath.Join(t.TempDir(), "m.chf")
		must.Succeed(t, m.Save(path, model.Header{DataSHA256: tr.DataSHA256()}))
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) || len(files[0]) == 0 {
		t.Error("two trainings on the same pages differ")
	}
}
