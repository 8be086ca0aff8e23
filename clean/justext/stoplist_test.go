package justext

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestReadStoplist(t *testing.T) {
	l := must.Get(ReadStoplist(strings.NewReader("\ufeff# ours\r\nThe\r\n\n  aND \nL’eau\ne-mail\nthe\n"), "x.txt", "en"))(t)
	must.Same(t, l.Words(), []string{"and", "e-mail", "l'eau", "l’eau", "the"})
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
		"the\nthe end\n":          "line 2: \"the end\", wanted one word per line",
		"the\n\nb\xe4r\n":         "line 3: not UTF-8",
		strings.Repeat("x", 5000): "line 1 is longer than 1024 bytes",
	} {
		must.Fail(t, must.Err(ReadStoplist(strings.NewReader(in), "x.txt", "en")), want)
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
		must.Succeed(t, l.WriteText(&out))
		again := must.Get(ReadStoplist(&out, "again", "en"))(t)
		if again.Len() < l.Len() {
			t.Errorf("%q, written and read again %q", l.Words(), again.Words())
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
		case c.Cover < .15 || c.Cover > FullCover+.03:
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
		must.Equal(t, primary(in), want, in)
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
		cfg.MinFit = 0
		l := must.Get(New(cfg))(t)
		p := &page.Page{Lang: c.page, Meta: page.Metadata{Lang: c.declared}, Blocks: []page.Block{{Text: german}}}
		v := must.Get(l.Label(context.Background(), p))(t)
		if got := v[0].ContextFree == page.NearGood; got != c.enough {
			t.Errorf("%s: %v (%s)", c.name, v[0].ContextFree, v[0].Reason)
		}
	}
}

// TestFit applies the English list to text in German: if the language was not checked, stop
// words do not count; if it was, the text is bad.
func TestFit(t *testing.T) {
	german := strings.Repeat("Am Abend ging sie hinunter zum Hafen und zählte die Boote, die nach Hause gekommen waren. ", 4)
	menu := strings.Repeat("Impressum Sitemap Forum Webshop ", 9)
	label := func(cfg Config, p *page.Page) page.Verdict {
		l := must.Get(New(cfg))(t)
		v := must.Get(l.Label(t.Context(), p))(t)
		return v[0]
	}
	blocks := []page.Block{{Text: german}, {Text: menu}}
	sure := Default
	sure.Lang = "en"
	blind := Default
	blind.MinFit = 0
	for _, c := range []struct {
		name string
		cfg  Config
		page page.Page
		want page.Label
	}{
		{"nothing known", Default, page.Page{Blocks: blocks}, page.Good},
		{"declared wrongly", Default, page.Page{Meta: page.Metadata{Lang: "en"}, Blocks: blocks}, page.Good},
		{"guessed wrongly", Default, page.Page{Lang: "en", Blocks: blocks}, page.Good},
		{"fixed", sure, page.Page{Blocks: blocks}, page.Bad},
		{"switched off", blind, page.Page{Blocks: blocks}, page.Bad},
		{"too little text to tell", Default, page.Page{Blocks: []page.Block{{Text: strings.Repeat("Kapitänswitwenrente ", 9)}}}, page.Bad},
		{"links do not tell", Default, page.Page{Blocks: []page.Block{{Text: menu, LinkChars: 200}}}, page.Bad},
	} {
		v := label(c.cfg, &c.page)
		if v.ContextFree != c.want {
			t.Errorf("%s: %v (%s)", c.name, v.ContextFree, v.Reason)
		}
		if told := strings.Contains(v.Reason, "another language"); told != (c.want == page.Good) {
			t.Errorf("%s: why %q", c.name, v.Reason)
		}
	}
}

// TestEastAsianLength has 70 characters in Chinese, as long as 210 letters.
func TestEastAsianLength(t *testing.T) {
	cfg := Default
	for text, want := range map[string]page.Label{
		strings.Repeat("山", 70): page.Good, strings.Repeat("山", 30): page.NearGood, strings.Repeat("山", 23): page.Short,
		strings.Repeat("の", 105): page.Good, strings.Repeat("の", 34): page.Short, strings.Repeat("글", 105): page.Good,
		strings.Repeat("ก", 105): page.NearGood,
	} {
		p := page.Block{Text: text}
		cfg.StopwordsLow, cfg.StopwordsHigh = 0, 0
		if v := label(t, cfg, p)[0]; v.ContextFree != want {
			t.Errorf("%.3s: %v (%s), want %v", text, v.ContextFree, v.Reason, want)
		}
		cfg.PlainLength = true
		if v := label(t, cfg, p)[0]; v.ContextFree == page.Good {
			t.Errorf("%.3s, every character as one: %v (%s)", text, v.ContextFree, v.Reason)
		}
		cfg.PlainLength = false
	}
}

// TestPoorListLowersThresholds has a list that covers half of what it should.
func TestPoorListLowersThresholds(t *testing.T) {
	cfg := Default
	list := *theList
	cfg.Stoplist = &list
	block := page.Block{Text: text(1000, .2)}
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Bad {
		t.Errorf("cover unknown: %v (%s)", v.ContextFree, v.Reason)
	}
	list.Cover = FullCover / 2
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Good || !strings.Contains(v.Reason, ">= .16") {
		t.Errorf("half of the cover: %v (%s)", v.ContextFree, v.Reason)
	}
	cfg.SpaceTokens = true
	if v := label(t, cfg, block)[0]; v.ContextFree != page.Bad {
		t.Errorf("compatible: %v (%s)", v.ContextFree, v.Reason)
	}
}
