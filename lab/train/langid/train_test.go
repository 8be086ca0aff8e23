package langid_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	langidtrain "chaffinch/lab/train/langid"
	"chaffinch/model"
	"chaffinch/text/langid"
)

// sentences makes n sentences out of a vocabulary, in a fixed order.
func sentences(vocabulary string, n int) string {
	words := strings.Fields(vocabulary)
	var b strings.Builder
	for i := range n {
		for k := range 7 {
			b.WriteString(words[(i*31+k*k*7+k*i)%len(words)])
			b.WriteByte(' ')
		}
		b.WriteString(".\n")
	}
	return b.String()
}

const (
	english = "the and of to in house river water bridge was were with that this from people found under their which night morning through over again"
	german  = "der und die von zu in haus fluss wasser brücke war waren mit dass dieser aus leute fand unter ihre welche nacht morgen durch über wieder"
	dutch   = "de en het van te in huis rivier water brug was waren met dat deze uit mensen vond onder hun welke nacht ochtend door over weer"
	russian = "и в на дом река вода мост был были с что этот из люди нашёл под их которые ночь утро через над снова"
	ukraine = "і в на будинок річка вода міст був були з що цей із люди знайшов під їх які ніч ранок через над знову"
)

func corpus(t *testing.T) *langidtrain.Corpus {
	t.Helper()
	c := new(langidtrain.Corpus)
	for tag, v := range map[string]string{"en": english, "de": german, "nl": dutch, "ru": russian, "uk": ukraine} {
		must.Succeed(t, c.Add("made", tag, strings.NewReader(sentences(v, 200))))
	}
	return c
}

func train(t *testing.T) []byte {
	t.Helper()
	cfg := langidtrain.Default
	cfg.Pieces, cfg.NoiseOdds = 200, 1e-9
	tr := must.Get(langidtrain.Train(t.Context(), cfg, corpus(t), nil))(t)
	return must.Get(tr.Bytes(model.Header{Name: "made"}))(t)
}

// TestTrain wants a trained model to know its languages, by its words and by
// words that it has not seen, and the same bytes from the same text.
func TestTrain(t *testing.T) {
	testkit.Slow(t)
	raw := train(t)
	if !bytes.Equal(raw, train(t)) {
		t.Error("the same text gave other bytes")
	}
	m := must.Get(langid.Parse("made", raw))(t)
	must.Equal(t, fmt.Sprint(m.Langs()), "[de en nl ru uk]", "languages")
	d := must.Get(m.Detector(langid.Config{}))(t)
	for text, want := range map[string]string{
		"the water was under the bridge": "en", "der Fluss und die Brücke": "de", "het huis en de rivier": "nl",
		"люди и река": "ru", "люди і річка": "uk", "Wasserbrücke": "de", "nightmorning": "en",
	} {
		if g := d.Detect(text); g.Lang != want {
			t.Errorf("%q: %v, wanted %s", text, g, want)
		}
	}
	if r := d.Rank(nil, "der Fluss und die Brücke", 2); len(r) != 2 || r[0].Lang != "de" || r[0].Confidence < r[1].Confidence {
		t.Errorf("ranked %v", r)
	}
}

// TestRegions wants text of regions to be classes of their own, unless there is text without a region.
func TestRegions(t *testing.T) {
	european := sentences("a equipa viu o autocarro e o comboio na rua com o telemóvel dele para sempre facto registo ecrã utilizador ficheiro", 200)
	brazilian := sentences("a equipe viu o ônibus e o trem na rua com o celular dele para sempre fato registro tela usuário arquivo", 200)
	cfg := langidtrain.Default
	cfg.Pieces, cfg.NoiseOdds = 200, 1e-9
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{"pt-PT.txt": european, "pt-BR.txt": brazilian, "en.txt": sentences(english, 200), "la.txt": "gallia est\n", "my-notes.txt": "text\n"})
	for _, test := range []struct {
		general string // text of pt without a region
		want    map[string]string
	}{
		{"", map[string]string{"a equipa no comboio": "pt-PT", "o celular no ônibus": "pt-BR", "the river": "en"}},
		{european, map[string]string{"a equipa no comboio": "pt", "o celular no ônibus": "pt", "the river": "en"}},
	} {
		c := new(langidtrain.Corpus)
		if skipped, err := c.Read(dir, ""); err != nil || !slices.Equal(skipped, []string{"my-notes.txt"}) {
			t.Fatalf("skipped %q, %v, want my-notes.txt", skipped, err)
		}
		if test.general != "" {
			must.Succeed(t, c.Add("made", "pt", strings.NewReader(test.general)))
		}
		var said []string
		tr, err := langidtrain.Train(t.Context(), cfg, c, func(s string) { said = append(said, s) })
		must.Succeed(t, err)
		if !strings.HasPrefix(said[1], "too little text: la 10 bytes") {
			t.Errorf("progress %q, want the language with too little text", said)
		}
		raw, err := tr.Bytes(model.Header{Name: "made"})
		must.Succeed(t, err)
		m, err := langid.Parse("made", raw)
		must.Succeed(t, err)
		d, err := m.Detector(langid.Config{})
		must.Succeed(t, err)
		for text, want := range test.want {
			if g := d.Detect(text); g.Lang != want {
				t.Errorf("%v: %q: %v, wanted %s", m.Langs(), text, g, want)
			}
		}
	}
}

// TestTrainErrors wants an error that names the missing part.
func TestTrainErrors(t *testing.T) {
	c := new(langidtrain.Corpus)
	must.Fail(t, c.ReadTable("x.tsv", "x", strings.NewReader("de\tein Satz\nno tab here\n")), "x.tsv:2")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	must.Is(t, must.Err(langidtrain.Train(ended, langidtrain.Default, corpus(t), nil)), context.Canceled)
	if _, err := langidtrain.Train(t.Context(), langidtrain.Default, c, nil); err == nil || !strings.Contains(err.Error(), "for no language, wanted two or more; too little text: de 8 bytes") {
		t.Errorf("trained on one sentence: %v", err)
	}
	must.Succeed(t, c.Add("made", "nl", strings.NewReader(sentences(dutch, 200))))
	must.Fail(t, must.Err(langidtrain.Train(t.Context(), langidtrain.Default, c, nil)), "for one language (nl), wanted two or more; too")
	raw := train(t)
	for i := 100; i < len(raw); i += len(raw) / 50 {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x55
		if _, err := langid.Parse("damaged", bad); err == nil {
			t.Errorf("byte %d changed, and no error", i)
		}
	}
}

// TestWordList trains with a list: words that occur in no text distinguish languages.
func TestWordList(t *testing.T) {
	c := corpus(t)
	for tag, list := range map[string]string{"de": "# common\n40000 gewiss hernach\n0 zeker nadien\n", "nl": "40000 zeker nadien # too\n\n0 gewiss hernach\n"} {
		must.Succeed(t, c.ReadWords(tag+".words", tag, strings.NewReader(list)))
	}
	cfg := langidtrain.Default
	cfg.Pieces, cfg.NoiseOdds = 200, 1e-9
	tr := must.Get(langidtrain.Train(t.Context(), cfg, c, nil))(t)
	b := must.Get(tr.Bytes(model.Header{Name: "made"}))(t)
	m := must.Get(langid.Parse("made", b))(t)
	d := must.Get(m.Detector(langid.Config{}))(t)
	for text, want := range map[string]string{"gewiss hernach": "de", "zeker nadien": "nl"} {
		if g := d.Detect(text); g.Lang != want {
			t.Errorf("%s: %+v, want %s", text, g, want)
		}
	}
	for list, want := range map[string]string{
		"word":       "de.words:1:",
		"5":          "de.words:1:",
		"2000000 x":  "de.words:1:",
		"-1 x":       "de.words:1:",
		"5 x\n6 y x": "de.words:2:",
	} {
		must.Fail(t, new(langidtrain.Corpus).ReadWords("de.words", "de", strings.NewReader(list)), want)
	}
}
