package charset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/model"
	"chaffinch/model/data"
)

// train makes a model of our two texts.
func train(t *testing.T, cfg TrainConfig) string {
	t.Helper()
	tr, err := NewTrainer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for lang, text := range map[string]string{"cs": czech, "rus": russian, "xx_klingon": "nuqneH"} {
		if _, err := tr.Add(lang, strings.NewReader(strings.Repeat(text+"\n", 60))); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "m.chf")
	if _, err := tr.Write(path, "", "test"); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTrain(t *testing.T) {
	cfg := DefaultTrain
	cfg.MinLetters = 1000
	path := train(t, cfg)
	d, err := New(Config{Model: path})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.Langs(), " "); got != "cs ru" {
		t.Errorf("languages %q", got)
	}
	for _, c := range []struct{ name, text string }{{"cp852", "řeka u mlýnu, růže a dveře na zahradě"}, {"koi8-r", "двери мельницы, розы из сада, вечером"}} {
		if r := d.Decode(written(t, c.name, c.text), ""); r.Text != c.text {
			t.Errorf("%s read as %s: %q", c.name, r.Name, r.Text)
		}
	}
	one, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(train(t, cfg))
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("the same text made another model: %v", err)
	}
	cfg.MinLetters = 1e6
	tr, err := NewTrainer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Write(path, "", "test"); err == nil || !strings.Contains(err.Error(), "0 languages") {
		t.Errorf("a model of nothing: %v", err)
	}
	if _, err := NewTrainer(TrainConfig{Langs: []string{"!"}}); err == nil {
		t.Error("a language that is none is no error")
	}
}

func TestTag(t *testing.T) {
	for name, want := range map[string]string{"de": "de", "ces": "cs", "pt_BR": "pt", "sr@latin": "sr-Latn", "zh-TW": "zh-Hant", "zh_CN": "zh-Hans", "cmn_hant": "zh-Hant",
		"nb-NO": "nb", "deu_1901": "de", "als": "sq", "azj_cyrl": "", "!!": "", "": ""} {
		if got := Tag(name); got != want {
			t.Errorf("Tag(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestEmbeddedIsCurrent makes the embedded model again.
func TestEmbeddedIsCurrent(t *testing.T) {
	tr, err := NewTrainer(DefaultTrain)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	if _, _, err := tr.Read(testkit.Data(t, "text/ml.tar.zst"), "", sum); err != nil {
		t.Fatal(err)
	}
	f, err := model.Parse("embedded", data.Charset)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.chf")
	if _, err := tr.Write(path, hex.EncodeToString(sum.Sum(nil)), f.Tool); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, data.Charset) {
		t.Error("the embedded model is not what the code and the text make: run the command of docs/models/charset.md")
	}
}

// FuzzModel reads damaged models.
func FuzzModel(f *testing.F) {
	file, err := model.Parse("embedded", data.Charset)
	if err != nil {
		f.Fatal(err)
	}
	sections := func(name string) []byte {
		b, _ := file.Section(name)
		return b
	}
	starts := []byte{0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}
	f.Add(sections(sectionLetters)[:400], sections(sectionSymbols)[:2*symbolRowSize], sections(sectionCases), []byte{80}, starts, make([]byte, 12))
	f.Add([]byte{1}, []byte{}, []byte{}, []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, letters, symbols, cases, floors, starts, entries []byte) {
		path := filepath.Join(t.TempDir(), "m.chf")
		w, err := model.Create(path, model.Header{Kind: Kind, Behaviour: Behaviour, Card: []byte(`{"langs":[{"lang":"cs"}]}`)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []struct {
			name string
			b    []byte
		}{{sectionLetters, letters}, {sectionSymbols, symbols}, {sectionCases, cases}, {sectionFloors, floors}, {sectionStarts, starts}, {sectionEntries, entries}} {
			w.Section(s.name)
			if _, err := w.Write(s.b); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		d, err := New(Config{Model: path})
		if err != nil {
			return
		}
		d.Decode([]byte("caf\xE9 \x93\xA4\xA2 \xFF"), "")
	})
}
