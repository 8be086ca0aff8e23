package justext

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"chaffinch/model/data"
	"chaffinch/page"
)

func TestReadStoplist(t *testing.T) {
	l, err := ReadStoplist(strings.NewReader("\ufeff# ours\r\nThe\r\n\n  aND \nL’eau\ne-mail\nthe\n"), "x.txt", "en")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.Words(), []string{"and", "e-mail", "l'eau", "l’eau", "the"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, w := range []string{"THE", "and", "l'eau", "L’EAU"} {
		if !l.Has(w) {
			t.Errorf("%q is not in the list", w)
		}
	}
	if l.Has("tree") {
		t.Error("tree is in the list")
	}
	for in, want := range map[string]string{
		"":                        "stop list x.txt: no word in it",
		"# nothing\n":             "no word in it",
		"the\nthe end\n":          "line 2: \"the end\", wanted one word a line",
		"the\n\nb\xe4r\n":         "line 3: not UTF-8",
		strings.Repeat("x", 5000): "line 1 is longer than 1024 bytes",
	} {
		if _, err := ReadStoplist(strings.NewReader(in), "x.txt", "en"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", in, err, want)
		}
	}
}

func FuzzReadStoplist(f *testing.F) {
	for _, s := range []string{"the\nand\n", "\ufeff# x\r\n\r\nl’eau\n", "a b\n", "\xff\n", "'\n", "𐐀\nİ\n", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ReadStoplist(bytes.NewReader(b), "fuzz", "en")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := l.WriteText(&out); err != nil {
			t.Fatal(err)
		}
		again, err := ReadStoplist(&out, "again", "en")
		if err != nil {
			t.Fatal(err)
		}
		if again.Len() < l.Len() {
			t.Errorf("%q, written and read again %q", l.Words(), again.Words())
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(slices.Clone(data.Stopwords))
	f.Add([]byte("CHFMODEL"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Parse("fuzz", b)
		if err != nil {
			return
		}
		for _, c := range l.Cards() {
			l.Get(c.Lang)
		}
	})
}

// TestEmbedded reads every list of the program.
func TestEmbedded(t *testing.T) {
	cards := EmbeddedLists().Cards()
	if len(cards) < 80 {
		t.Errorf("%d lists, want 80 or more", len(cards))
	}
	for _, c := range cards {
		l := Embedded(c.Lang)
		switch {
		case l == nil || l.Len() != c.Words || l.Lang != c.Lang || l.Cover != c.Cover:
			t.Errorf("%s: %+v is not what the card says: %+v", c.Lang, l, c)
		case c.Cover < .25 || c.Cover > DefaultTrain.Cover+.03:
			t.Errorf("%s: cover %v", c.Lang, c.Cover)
		}
	}
	for lang, words := range map[string]string{
		"en": "the of and to in that is it for with", "de-AT": "der die das und ist nicht mit von zu den",
		"cs_CZ": "a se na je v že s to do z", "fra": "le la les et de des est que une dans",
		"gl": "o a os as e de do da que en", "pt-BR": "o a os as e de do da que em",
		"sr@latin": "je u i na da", "sr": "је у и на да", "no": "og det er ikke på",
	} {
		l := Embedded(lang)
		for _, w := range strings.Fields(words) {
			if l == nil || !l.Has(w) {
				t.Errorf("%s: %q is no stop word", lang, w)
			}
		}
	}
	for _, lang := range []string{"zh", "ja", "th", "xx", "", "klingon"} {
		if l := Embedded(lang); l != nil {
			t.Errorf("%s has a list of %d words", lang, l.Len())
		}
	}
}

func TestPrimary(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "EN-us": "en", "pt_BR": "pt", "deu": "de", " fr-FR ": "fr", "sr@latin": "sr", "nb-NO": "nb",
		"no": "nb", "iw": "he", "cz": "cs", "cmn": "zh", "arb": "ar", "en,fr": "en", "hsb": "hsb",
		"english": "", "": "", "und": "", "x": "", "12": "", "qq1": "", "i-klingon": "",
	} {
		if got := primary(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestLanguageOfPage checks where the language of the list comes from.
func TestLanguageOfPage(t *testing.T) {
	german := "Am Abend ging sie wie immer hinunter zum Hafen und zählte die Boote, die nach Hause gekommen waren, weil es in der Nacht einen Sturm geben sollte und sie nicht wusste, ob alle wieder da waren."
	for _, c := range []struct {
		name, config, page, declared string
		enough                       bool
	}{
		{"declared", "", "", "de-DE", true},
		{"found out before declared", "", "de", "en", true},
		{"fixed before all", "de", "en", "en", true},
		{"unknown is English", "", "", "", false},
		{"no tag is English", "", "", "german", false},
		{"fixed to the wrong one", "en", "de", "de", false},
		{"no list: stop words do not count", "", "", "zh-Hans", true},
	} {
		cfg := Default
		cfg.Lang = c.config
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		p := &page.Page{Lang: c.page, Meta: page.Metadata{Lang: c.declared}, Blocks: []page.Block{{Text: german}}}
		v, err := l.Label(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got := v[0].ContextFree == page.NearGood; got != c.enough {
			t.Errorf("%s: %v (%s)", c.name, v[0].ContextFree, v[0].Why)
		}
	}
}

// TestPoorListLowersThresholds has a list that covers half of what it should.
func TestPoorListLowersThresholds(t *testing.T) {
	cfg := Default
	list := *theList
	cfg.Stoplist = &list
	block := page.Block{Text: text(1000, .2)}
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Bad {
		t.Errorf("cover unknown: %v (%s)", v.ContextFree, v.Why)
	}
	list.Cover = Cover / 2
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Good || !strings.Contains(v.Why, ">= .16") {
		t.Errorf("half of the cover: %v (%s)", v.ContextFree, v.Why)
	}
	cfg.SpaceTokens = true
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Bad {
		t.Errorf("compatible: %v (%s)", v.ContextFree, v.Why)
	}
}
