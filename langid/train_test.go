package langid_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"chaffinch/langid"
	"chaffinch/model"
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

func corpus(t *testing.T) *langid.Corpus {
	t.Helper()
	c := new(langid.Corpus)
	for tag, v := range map[string]string{"en": english, "de": german, "nl": dutch, "ru": russian, "uk": ukraine} {
		if err := c.Add("made", tag, strings.NewReader(sentences(v, 200))); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func train(t *testing.T) []byte {
	t.Helper()
	cfg := langid.DefaultTrain
	cfg.Pieces, cfg.NoiseOdds = 200, 1e-9
	cfg.Groups = []langid.Group{{Name: "de-nl", Langs: []string{"de", "nl", "af"}}}
	tr, err := langid.Train(t.Context(), cfg, corpus(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tr.Bytes(model.Header{Name: "made"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTrain wants a trained model to know its languages, by its words and by
// words that it has not seen, and the same bytes from the same text.
func TestTrain(t *testing.T) {
	raw := train(t)
	if !bytes.Equal(raw, train(t)) {
		t.Error("the same text gave other bytes")
	}
	m, err := langid.Parse("made", raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Langs()); got != "[de en nl ru uk]" {
		t.Errorf("languages %s", got)
	}
	d, err := m.Detector(langid.Config{})
	if err != nil {
		t.Fatal(err)
	}
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

// TestTrainErrors wants an error that says what is missing.
func TestTrainErrors(t *testing.T) {
	c := new(langid.Corpus)
	if err := c.ReadTable("x.tsv", "x", strings.NewReader("de\tein Satz\nno tab here\n")); err == nil || !strings.Contains(err.Error(), "x.tsv:2") {
		t.Errorf("a line without a tab: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := langid.Train(ended, langid.DefaultTrain, corpus(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended by its caller: error %v, want context.Canceled", err)
	}
	if _, err := langid.Train(t.Context(), langid.DefaultTrain, c, nil); err == nil {
		t.Error("trained on one sentence")
	}
	raw := train(t)
	for i := 100; i < len(raw); i += len(raw) / 50 {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x55
		if _, err := langid.Parse("damaged", bad); err == nil {
			t.Errorf("byte %d changed, and no error", i)
		}
	}
}

// TestConcurrent wants the same answers from many goroutines, and none of them
// to allocate.
func TestConcurrent(t *testing.T) {
	d, err := langid.New(langid.Default)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{sentences(english, 3), sentences(german, 3), sentences(russian, 3), "Starý most bol zatvorený", "<a href=\"x\">", "e\u0301te\u0301", ""}
	var want []langid.Guess
	for _, s := range texts {
		want = append(want, d.Detect(s))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				for i, s := range texts {
					if g := d.Detect(s); g != want[i] {
						t.Errorf("%q: %v, alone %v", s, g, want[i])
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestNoise wants what is no language to be called so, and short or strange
// language not.
func TestNoise(t *testing.T) {
	d, err := langid.New(langid.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"https://www.example.com/a/b-c/index.php?id=4711&sort=asc", "for (i = 0; i < n; i++) { sum += a[i]; }", "12.04.2019 | 14:30 | 1,204.50 | 17 %",
		"{\"id\": 17, \"tags\": [1, 2, 3], \"ok\": true}", "SGVsbG8gd29ybGQhIFRoaXMgaXMgYSB0ZXN0Lg==", "<div class=\"nav_item\"><a href=\"#\">&nbsp;</a></div>",
	} {
		if g := d.Detect(s); g.Lang != langid.NoLanguage {
			t.Errorf("%q: %v, wanted no language", s, g)
		}
	}
	for _, s := range []string{
		"Good morning", "Chapter 12: The House", "Öffnungszeiten: Mo-Fr 9-17 Uhr", "It costs $25 (about 20 euros).", "Click on File > Save as...", "今日は2019年です。",
		"See https://example.com/ for more about the history of the bridge and its builders.",
	} {
		if g := d.Detect(s); g.Lang == langid.NoLanguage {
			t.Errorf("%q: %v, wanted a language", s, g)
		}
	}
}

// TestWordList trains with a list: words that no text has tell languages apart.
func TestWordList(t *testing.T) {
	c := corpus(t)
	for tag, list := range map[string]string{"de": "# common\n40000 gewiss hernach\n0 zeker nadien\n", "nl": "40000 zeker nadien # too\n\n0 gewiss hernach\n"} {
		if err := c.ReadWords(tag+".words", tag, strings.NewReader(list)); err != nil {
			t.Fatal(err)
		}
	}
	cfg := langid.DefaultTrain
	cfg.Pieces, cfg.NoiseOdds, cfg.Groups = 200, 1e-9, nil
	tr, err := langid.Train(t.Context(), cfg, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tr.Bytes(model.Header{Name: "made"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := langid.Parse("made", b)
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Detector(langid.Config{})
	if err != nil {
		t.Fatal(err)
	}
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
		if err := new(langid.Corpus).ReadWords("de.words", "de", strings.NewReader(list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", list, err, want)
		}
	}
}
