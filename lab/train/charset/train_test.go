package charset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/text/charset"
)

const (
	czechText   = "Včera večer jsme šli podél řeky až k mlýnu, kde už dávno nikdo nežije. Dveře byly otevřené a ze zahrady voněly růže."
	russianText = "Вчера вечером мы шли вдоль реки до самой мельницы, где давно никто не живёт. Двери были открыты, а из сада пахло розами."
)

// train makes a model of our two texts.
func trainTwo(t *testing.T, cfg Config) string {
	t.Helper()
	tr := must.Get(NewTrainer(cfg))(t)
	for lang, text := range map[string]string{"cs": czechText, "rus": russianText, "xx_klingon": "nuqneH"} {
		must.Succeed(t, must.Err(tr.Add(lang, strings.NewReader(strings.Repeat(text+"\n", 60)))))
	}
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, must.Err(tr.Write(path, "", "test")))
	return path
}

func TestTrain(t *testing.T) {
	cfg := Default
	cfg.MinLetters = 1000
	path := trainTwo(t, cfg)
	d := must.Get(charset.New(charset.Config{Model: path}))(t)
	must.Equal(t, strings.Join(d.Langs(), " "), "cs ru", "languages")
	for _, c := range []struct {
		enc  encoding.Encoding
		text string
	}{{charmap.CodePage852, "řeka u mlýnu, růže a dveře na zahradě"}, {charmap.KOI8R, "двери мельницы, розы из сада, вечером"}} {
		raw := must.Get(c.enc.NewEncoder().String(c.text))(t)
		if r := d.Decode([]byte(raw), ""); r.Text != c.text {
			t.Errorf("%s read as %s: %q", c.enc, r.Name, r.Text)
		}
	}
	one := must.Read(t, path)
	two, err := os.ReadFile(trainTwo(t, cfg))
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("the same text made another model: %v", err)
	}
	cfg.MinLetters = 1e6
	tr := must.Get(NewTrainer(cfg))(t)
	must.Fail(t, must.Err(tr.Write(path, "", "test")), "0 languages")
	if _, err := NewTrainer(Config{Langs: []string{"!"}}); err == nil {
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
	tr := must.Get(NewTrainer(Default))(t)
	sum := sha256.New()
	if _, _, err := tr.Read(testkit.Data(t, "text/ml.tar.zst"), "", sum); err != nil {
		t.Fatal(err)
	}
	f := must.Get(model.Parse("embedded", data.Charset))(t)
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, must.Err(tr.Write(path, hex.EncodeToString(sum.Sum(nil)), f.Tool)))
	b := must.Read(t, path)
	if !bytes.Equal(b, data.Charset) {
		t.Error("the embedded model is not what the code and the text make: run the command of docs/reference/models/charset.md")
	}
}
