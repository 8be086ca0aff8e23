package langid

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// Sentences in three languages, long enough to be sure of.
const (
	french  = "Le bateau est revenu hier soir avec la marée, et toute l'île est descendue sur le quai pour le voir accoster sous la pluie."
	german  = "Das Schiff ist gestern Abend mit der Flut zurückgekommen, und die ganze Insel stand am Ufer, um es im Regen anlegen zu sehen."
	czech   = "Loď se včera večer vrátila s přílivem a celý ostrov sešel dolů na nábřeží, aby se podíval, jak v dešti přistává u mola."
	english = "The boat came back last night with the tide, and the whole island went down to the quay to see it land in the rain."
)

func pages(t *testing.T, set func(*PageConfig)) *Pages {
	t.Helper()
	cfg := DefaultPage
	if set != nil {
		set(&cfg)
	}
	return must.Get(NewPages(cfg))(t)
}

func pageOf(texts ...string) *page.Page {
	p := &page.Page{}
	for _, s := range texts {
		p.Blocks = append(p.Blocks, page.Block{Text: s, Verdict: page.Verdict{Label: page.Good}})
	}
	return p
}

func do(t *testing.T, s interface {
	Do(context.Context, *page.Page) error
}, p *page.Page) {
	t.Helper()
	must.Succeed(t, s.Do(t.Context(), p))
}

func TestPageLanguage(t *testing.T) {
	link := func(b page.Block) page.Block { b.LinkChars = len(b.Text); return b }
	for _, c := range []struct {
		name     string
		page     *page.Page
		declared string
		want     string
	}{
		{"French", pageOf(french, french), "", "fr"},
		{"declared wrongly", pageOf(french, french), "en", "fr"},
		{"the greater part", pageOf(french, german, german), "", "de"},
		{"menus do not count beside text", &page.Page{Blocks: []page.Block{link(page.Block{Text: english}), link(page.Block{Text: english}), {Text: french}, {Text: french}}}, "", "fr"},
		{"hidden text does not count", &page.Page{Blocks: []page.Block{{Text: english, Hidden: true}, {Text: english, Hidden: true}, {Text: german}}}, "", "de"},
		{"short blocks are read together", pageOf(strings.SplitAfter(german, ", ")...), "", "de"},
		{"nothing to read", pageOf("12", "34.5 %"), "", Undetermined},
		{"nothing to read, declared", pageOf("12", "34.5 %"), "pt_BR", "pt"},
		{"no blocks", &page.Page{}, "", Undetermined},
		{"given", &page.Page{Lang: "ia", Blocks: pageOf(french).Blocks}, "", "ia"},
		{"given as a name", &page.Page{Lang: "German", Blocks: pageOf(french).Blocks}, "", "de"},
		{"given as no language", &page.Page{Lang: "Deutsch", Blocks: pageOf(german).Blocks}, "", "de"},
		{"given as unknown", &page.Page{Lang: Undetermined, Blocks: pageOf(french).Blocks}, "", "fr"},
	} {
		c.page.Meta.Lang = c.declared
		do(t, pages(t, nil), c.page)
		if c.page.Lang != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.page.Lang, c.want)
		}
	}
}

// TestWanted: a page is dropped before its blocks are labelled only if no text that is read could be wanted.
func TestWanted(t *testing.T) {
	many := func(text string, n int) []string { return slices.Repeat([]string{text}, n) }
	for _, c := range []struct {
		name   string
		wanted []string
		page   *page.Page
		drop   page.Reason
	}{
		{"other language", []string{"en"}, pageOf(german, german), page.OtherLanguage},
		{"all languages", nil, pageOf(german, german), page.None},
		{"one of the wanted", []string{"en", "de"}, pageOf(german, german), page.None},
		{"a variety of the wanted", []string{"en-GB"}, pageOf(english, english), page.None},
		{"similar to the wanted", []string{"sk"}, pageOf(czech, czech), page.None},
		{"some text is wanted", []string{"en"}, pageOf(append(many(german, 20), english)...), page.None},
		{"little text", []string{"en"}, pageOf(german), page.None},
		{"wanted text after the sample", []string{"en"}, pageOf(append(many(german, 40), many(english, 30)...)...), page.None},
		{"other text after the sample", []string{"en"}, pageOf(append(many(german, 40), many(french, 30)...)...), page.OtherLanguage},
		{"language known", []string{"en"}, &page.Page{Lang: "de", Blocks: pageOf(german, german).Blocks}, page.None},
	} {
		do(t, pages(t, func(cfg *PageConfig) { cfg.Wanted = c.wanted }), c.page)
		if c.page.Drop != c.drop {
			t.Errorf("%s: dropped as %q, want %q", c.name, c.page.Drop, c.drop)
		}
	}
}

// TestSample: without the languages of blocks only the beginning is read.
func TestSample(t *testing.T) {
	p := pageOf(french, german, german)
	do(t, pages(t, func(c *PageConfig) { c.SampleBytes = 100 }), p)
	if p.Lang != "fr" {
		t.Errorf("%q", p.Lang)
	}
}

func TestBlockLanguages(t *testing.T) {
	p := pageOf("Le port", french, "Commentaires (2)", french, "34", german, "Ja!", german, german, english)
	p.Blocks[9].Hidden = true
	do(t, pages(t, nil), p)
	do(t, keep(t, "page"), p)
	for i, want := range []string{"fr", "fr", "fr", "fr", "", "de", "de", "de", "de", ""} {
		if got := p.Blocks[i].Lang; want != "" && got != want {
			t.Errorf("%q: %q, want %q", p.Blocks[i].Text, got, want)
		}
	}
	if p.Blocks[9].Lang != "" {
		t.Errorf("hidden block: %q", p.Blocks[9].Lang)
	}
	if p.Lang != "de" || len(p.Langs) != 2 || p.Langs[0].Lang != "de" || p.Langs[1].Lang != "fr" || math.Abs(p.Langs[0].Share+p.Langs[1].Share-1) > 1e-9 {
		t.Errorf("%q %.2f %v", p.Lang, p.LangConfidence, p.Langs)
	}
	if p.LangConfidence < .4 || p.LangConfidence > p.Langs[0].Share {
		t.Errorf("confidence %v of share %v", p.LangConfidence, p.Langs[0].Share)
	}
}

// TestTally has shares worked out by hand.
func TestTally(t *testing.T) {
	s := pageTally{d: pages(t, nil).d}
	for _, x := range []struct {
		lang  string
		conf  float64
		chars int
	}{{"hr", .8, 100}, {"bs", .9, 50}, {Undetermined, .3, 40}, {NoLanguage, .9, 500}, {"hr", 1, 10}} {
		s.add(Guess{x.lang, x.conf}, x.chars)
	}
	want := []page.LangShare{{Lang: "hr", Share: .55}, {Lang: "bs", Share: .25}, {Lang: Undetermined, Share: .2}}
	if got := s.shares(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for declared, want := range map[string]Guess{"": {"hr", .45}, "bs": {"bs", .45}, "sr-Latn-RS": {"sr-Latn", .45}, "de": {"hr", .45}, "no such": {"hr", .45}} {
		if got := s.best(declared); got != want {
			t.Errorf("declared %q: %v, want %v", declared, got, want)
		}
	}
	if got := new(pageTally).shares(); got != nil {
		t.Errorf("no text: %v", got)
	}
	unknown := pageTally{d: s.d, unknown: declaredChars}
	if got := unknown.best("fr"); got.Lang != "" {
		t.Errorf("much text in no known language: %v", got)
	}
}

func TestDeclared(t *testing.T) {
	for stated, want := range map[string]string{
		"en": "en", "en-GB": "en", "en_US": "en", "de, en": "de", " FR ": "fr", "no": "nb", "nn-NO": "nn", "zh": "zh-Hans", "zh-TW": "zh-Hant", "zh-Hant-HK": "zh-Hant",
		"zh-CN": "zh-Hans", "sr": "sr", "sr-Latn-RS": "sr-Latn", "deu": "de", "": "", "und": "", "mul": "", "x-default": "", "english": "", "1": "",
	} {
		if got := Declared(stated); got != want {
			t.Errorf("%q: %q, want %q", stated, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		wanted, lang string
		want         bool
	}{
		{"fr", "fr", true}, {"FR", "fr", true}, {"fr", "de", false}, {"zh", "zh-Hant", true}, {"zh-Hans", "zh-Hant", false}, {"zh", "yue", false}, {"pt", "pt-BR", true},
		{"pt-BR", "pt", false}, {"sr", "sr-Latn", true}, {"sr-Latn", "sr", false}, {"no", "nb", true}, {"no", "nn", true}, {"nb", "nn", false}, {"deu", "de", true},
		{"fil", "tl", true}, {"fr", "", false}, {"", "fr", false}, {"fr", "und", false},
	} {
		if got := Covers(c.wanted, c.lang); got != c.want {
			t.Errorf("%q covers %q: %v", c.wanted, c.lang, got)
		}
	}
}

func keep(t *testing.T, unit string, langs ...string) *Filter {
	t.Helper()
	cfg := DefaultFilter
	cfg.Unit = unit
	for _, l := range langs {
		w := must.Get(ParseWanted(l))(t)
		cfg.Langs = append(cfg.Langs, w)
	}
	return must.Get(NewFilter(cfg))(t)
}

func TestKeep(t *testing.T) {
	for _, c := range []struct {
		name  string
		k     *Filter
		texts []string
		drop  page.Reason
		kept  string // first letters of the kept blocks
	}{
		{"no languages", keep(t, "page"), []string{french, german}, page.None, "LD"},
		{"one of them", keep(t, "page", "de", "fr"), []string{french, french, german}, page.None, "LLD"},
		{"another", keep(t, "page", "cs"), []string{french, german}, page.OtherLanguage, "LD"},
		{"half is not more than half", keep(t, "page", "fr"), []string{french, german}, page.OtherLanguage, "LD"},
		{"a threshold of its own", keep(t, "page", "cs", "fr:0.3"), []string{french, french, german}, page.None, "LLD"},
		{"blocks", keep(t, "block", "fr"), []string{french, german, french}, page.None, "LL"},
		{"blocks in two languages", keep(t, "block", "fr", "cs"), []string{french, german, czech}, page.None, "LL"},
		{"nothing remains", keep(t, "block", "cs"), []string{french, german}, page.OtherLanguage, ""},
		{"numbers alone are no text", keep(t, "block", "fr"), []string{german, "17 + 4 = 21; 17 * 4 = 68; 17 - 4 = 13"}, page.OtherLanguage, ""},
		{"no block is so sure", keep(t, "block", "fr:1"), []string{"Oui, bien sûr."}, page.OtherLanguage, ""},
	} {
		p := pageOf(c.texts...)
		do(t, pages(t, nil), p)
		do(t, c.k, p)
		kept := ""
		for i := range p.Blocks {
			if b := &p.Blocks[i]; b.Label.Keep() && b.Lang != NoLanguage && b.Text[0] > '9' {
				kept += b.Text[:1]
			} else if b.Label == page.Bad && !strings.HasPrefix(b.Reason, "language ") {
				t.Errorf("%s: %q is left out because of %q", c.name, b.Text, b.Reason)
			}
		}
		if p.Drop != c.drop || kept != c.kept {
			t.Errorf("%s: kept %q, dropped %q, want %q and %q (%s %.2f)", c.name, kept, p.Drop, c.kept, c.drop, p.Lang, p.LangConfidence)
		}
	}
}

// TestKeepCounts: blocks that were dropped before do not count.
func TestKeepCounts(t *testing.T) {
	p := pageOf(german, french, german)
	do(t, pages(t, nil), p)
	p.Blocks[0].Label, p.Blocks[2].Label = page.Bad, page.Bad
	do(t, keep(t, "page", "fr"), p)
	if p.Lang != "fr" || p.Drop != page.None || !reflect.DeepEqual(p.Langs, []page.LangShare{{Lang: "fr", Share: 1}}) {
		t.Errorf("%q %v, dropped %q", p.Lang, p.Langs, p.Drop)
	}
	given := pageOf(german)
	given.Lang = "fr"
	do(t, keep(t, "page", "fr"), given)
	if given.Lang != "fr" || given.Drop != page.None {
		t.Errorf("given language: %q, dropped %q", given.Lang, given.Drop)
	}
}

func TestKeepRefuses(t *testing.T) {
	for _, c := range []struct {
		langs, unit string
		conf        float64
		want        string
	}{
		{"xx", "page", .5, `"xx" is not a language of the model: did you mean `},
		{"cz", "page", .5, "CZ is a country, its language is Czech (cs)"},
		{"qwxzqwxz", "page", .5, ": write a tag such as fr, or a name such as french"},
		{"englsh", "page", .5, "did you mean English (en)?"},
		{"martian", "page", .5, "did you mean "},
		{"fr", "line", .5, "take page or block"},
		{"fr", "page", 1.5, "minimum confidence 1.5: wanted 0 to 1"},
		{"fr:2", "page", .5, "fr: minimum confidence 2: wanted 0 to 1"},
		{"fr:nan", "page", .5, "fr: minimum confidence NaN: wanted 0 to 1"},
		{"fr:x", "page", .5, `minimum confidence "x" is not a number: write it like fr:0.9`},
		{":0.5", "page", .5, "names no language"},
	} {
		w, err := ParseWanted(c.langs)
		if err == nil {
			_, err = NewFilter(FilterConfig{Langs: []Wanted{w}, WantedConfidence: c.conf, Unit: c.unit})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestAll: blocks that are not kept are looked at where they are asked for.
func TestAll(t *testing.T) {
	for _, all := range []bool{false, true} {
		p := pageOf(german, french)
		p.Blocks[0].Label = page.Bad
		do(t, pages(t, nil), p)
		k := keep(t, "page")
		k.cfg.All = all
		do(t, k, p)
		if got := p.Blocks[0].Lang == "de"; got != all || p.Blocks[1].Lang != "fr" || p.Lang != "fr" {
			t.Errorf("all %v: %q and %q on a page in %q", all, p.Blocks[0].Lang, p.Blocks[1].Lang, p.Lang)
		}
	}
}

// TestSameEveryTime: a page gives the same languages however often it is asked.
func TestSameEveryTime(t *testing.T) {
	s, k := pages(t, nil), keep(t, "page")
	want := pageOf(french, "Oui", german, "12", czech)
	do(t, s, want)
	do(t, k, want)
	for range 3 {
		p := pageOf(french, "Oui", german, "12", czech)
		do(t, s, p)
		do(t, k, p)
		if !reflect.DeepEqual(p, want) {
			t.Fatalf("%+v, want %+v", p, want)
		}
	}
}
