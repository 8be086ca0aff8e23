package langid

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/page"
)

// danish is nearer to Bokmål for the detector.
const danish = "Det er en fin dag, og vi ses i morgen."

func TestHints(t *testing.T) {
	for _, c := range []struct {
		url, lang string
		others    []string
		want      string
	}{
		{"", "", nil, "nb"},
		{"", "da", nil, "da"},
		{"", "da-DK", nil, "da"},
		{"", "en", []string{"da_DK"}, "da"},
		{"https://www.butik.dk/om", "", nil, "da"},
		{"https://www.butik.no/om", "", nil, "nb"},
		{"https://butik.example/da/om", "", nil, "da"},
		{"https://butik.example/das/om", "en", nil, "nb"},
		{"https://da.butik.dk:8080/da/om?x=1&lang=da#b", "nb", nil, "da"},
		{"https://www.butik.dk/om", "en", nil, "da"},
		{"", "x", []string{"", "--", strings.Repeat("a-", 999)}, "nb"},
		{"://", "und", nil, "nb"},
		{"https://" + strings.Repeat("da/", 9999), "", nil, "nb"},
	} {
		p := pageOf(danish)
		p.URL, p.Meta.Lang, p.Stated.Langs = c.url, c.lang, c.others
		do(t, pages(t, nil), p)
		if p.Lang != c.want {
			t.Errorf("%.40q %.20q %.20q: %s %.3f, want %s", c.url, c.lang, c.others, p.Lang, p.LangConfidence, c.want)
		}
		if p.LangConfidence < 0 || p.LangConfidence > 1 {
			t.Errorf("%q: confidence %v", c.url, p.LangConfidence)
		}
	}
}

// TestHintsAgainstText: hints do not outweigh clear text, in a similar language or another.
func TestHintsAgainstText(t *testing.T) {
	for _, c := range []struct{ text, url, lang, want string }{
		{czech, "https://www.example.sk/", "sk", "cs"},
		{german, "https://www.example.pl/pl/", "pl", "de"},
		{"Loď.", "https://www.example.cz/", "cs", "cs"},
	} {
		p := pageOf(c.text, c.text, c.text, c.text)
		p.URL, p.Meta.Lang = c.url, c.lang
		do(t, pages(t, nil), p)
		if p.Lang != c.want {
			t.Errorf("%s: %s, want %s", c.url, p.Lang, c.want)
		}
	}
}

func TestAddressTags(t *testing.T) {
	for address, want := range map[string]string{
		"https://pt.example.org/":             "pt",
		"http://example.org/pt-BR/x":          "pt-BR",
		"http://example.org/a/b/pt_br":        "pt-BR",
		"http://example.org/a/b/c/pt":         "",
		"http://example.org/x?hl=SR-latn&y":   "sr-Latn",
		"http://example.org/files/index.html": "",
		"http://de.org/":                      "",
		"":                                    "",
	} {
		if got := strings.Join(addressTags(splitAddress(address)), " "); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// TestDomains: the languages of the domains are tags.
func TestDomains(t *testing.T) {
	for domain, langs := range domains() {
		if len(langs) == 0 {
			t.Errorf("%s: no language", domain)
		}
		for _, l := range langs {
			if statedTag(l) != l {
				t.Errorf("%s: %q is not a tag in canonical form", domain, l)
			}
		}
	}
}

// TestTextsInAnyOrder: the language of a page does not depend on the order of its texts.
func TestTextsInAnyOrder(t *testing.T) {
	texts := []string{danish, "Hun har en ny bil og arbejder i en skole.", "Huset er til salg og kan ses efter aftale."}
	p := pageOf(texts...)
	p.Stated.Langs = []string{"no"}
	do(t, pages(t, nil), p)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		q := &page.Page{Blocks: slices.Clone(pageOf(texts...).Blocks)}
		q.Stated.Langs = p.Stated.Langs
		for i := range q.Blocks {
			q.Blocks[i].Text += strings.Repeat(" ", textBytes) // each is read separately
		}
		rng.Shuffle(len(q.Blocks), func(i, j int) { q.Blocks[i], q.Blocks[j] = q.Blocks[j], q.Blocks[i] })
		do(t, pages(t, nil), q)
		if q.Lang != p.Lang {
			t.Errorf("%s, want %s", q.Lang, p.Lang)
		}
	}
}
