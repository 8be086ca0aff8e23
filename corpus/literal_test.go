package corpus

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// oddWords look like the query language, like markup, or like nothing at all.
var oddWords = []string{
	`"cats"`, `'s`, `<br>`, `</p>`, `<doc`, `[`, `[word="x"]`, `]`, `(`, `)`, `{2,3}`, `|`, `&`, `&amp;`, `a|b`, `a&b`, `\`, `\\`, `a\`, `\"`, `"`, `""`, `\\"`, `\n`, `a\nb`,
	`%c`, `"x"%c`, `.*`, `a.c`, `^$`, `?`, `+`, `*`, `(?i)x`, `\d`, `1:`, `1:[]`, `::`, `within`, `!within`, `!`, `=`, `==`, `f(1.word)`, `New York`, "no\u00a0break", "İstanbul", "ſ", "K", "é", "e\u0301",
	"\u202eevil", "\x1b[31m", "\u200b", "#", "ß", "ẞ",
}

// odd draws words that could be taken for queries.
func odd(t *rapid.T) string {
	if rapid.Bool().Draw(t, "known") {
		return rapid.SampledFrom(oddWords).Draw(t, "word")
	}
	return rapid.StringOfN(rapid.RuneFrom([]rune(`"'\[]()<>|&!=%{}.*?+^$:;,#aAbB1é `+"\u0301\x07")), 1, 6, -1).Draw(t, "word")
}

// tokenLine writes a word as a line of a vertical.
func tokenLine(b *strings.Builder, word string) {
	for _, r := range word {
		if r < ' ' || r == '<' || r == '&' || r == ' ' || r == 0x7f {
			fmt.Fprintf(b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('\n')
}

// TestLiteralToken: the query for a value finds the tokens with that value and
// no other, whatever characters are in it.
func TestLiteralToken(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Custom(odd), 1, 12).Draw(t, "words")
		var b strings.Builder
		for _, w := range words {
			tokenLine(&b, w)
		}
		c := buildTemp(t, b.String(), DefaultBuild)
		defer c.Close()
		a := c.attrs[0]
		for id := range a.Len() {
			word := a.Word(uint32(id))
			for _, x := range []struct {
				cql  string
				want int64
			}{
				{literalToken("word", word, false), a.Freq(uint32(id))},
				{literalToken("word", word, true), c.foldedFreq(word)},
				{literalToken("lc", lower(word), false), c.foldedFreq(word)},
			} {
				got, err := hits(t.Context(), c, x.cql)
				if err != nil || got != x.want {
					t.Fatalf("%q: %s has %d hits, want %d (%v)", word, x.cql, got, x.want, err)
				}
			}
		}
	})
}

// foldedFreq counts the tokens that are word in any case.
func (c *Corpus) foldedFreq(word string) (n int64) {
	for id := range c.attrs[0].Len() {
		if lower(c.attrs[0].Word(uint32(id))) == lower(word) {
			n += c.attrs[0].Freq(uint32(id))
		}
	}
	return n
}

// TestCompareOddWords compares corpora whose words look like queries, with what
// the comparison chooses and with phrases that are asked for.
func TestCompareOddWords(t *testing.T) {
	for _, keepCase := range []bool{false, true} {
		for _, lc := range []string{"lc", ""} {
			var before, after strings.Builder
			for i := range 60 {
				for _, b := range []*strings.Builder{&before, &after} {
					fmt.Fprintf(b, "<doc id=\"%d\">\n<s>\n", i)
					for j, w := range oddWords {
						if b == &before || (i+j)%3 > 0 {
							tokenLine(b, "x"+w)
						}
						if b == &before && j%2 == 0 || i < 30 {
							tokenLine(b, w+"y")
						}
					}
					b.WriteString("</s>\n</doc>\n")
				}
			}
			cfg := DefaultBuild
			cfg.Lower = lc
			b, a := buildWith(t, before.String(), cfg), buildWith(t, after.String(), cfg)
			found := must.Get(Compare(t.Context(), b, a, CompareConfig{Case: keepCase, MinFreq: 1, Rows: 100, NGram: 3}))(t)
			asked := CompareConfig{Case: keepCase, Phrases: []string{`x"cats"`, `x<br> <br>y`}, Collocates: []string{`x\`}}
			must.Succeed(t, must.Err(Compare(t.Context(), b, a, asked)))
			if len(found.Phrases) == 0 || len(found.Collocates) == 0 {
				t.Fatalf("%d phrases, %d collocates", len(found.Phrases), len(found.Collocates))
			}
			for _, p := range found.Phrases {
				if p.Before == 0 {
					t.Errorf("%q was found in the text, but %s has no hits", p.Phrase, p.CQL)
				}
			}
		}
	}
}

func TestFolding(t *testing.T) {
	for _, x := range []struct {
		fold      folding
		value, to string
	}{
		{folding{letterCase: true}, "ÉTÉ", "été"},
		{folding{diacritics: true}, "ÉTÉ", "ETE"},
		{folding{diacritics: true}, "e\u0301te\u0301", "ete"},
		{folding{letterCase: true, diacritics: true}, "Žluťoučký", "zlutoucky"},
		{folding{diacritics: true}, "שָׁלוֹם", "שלום"},
		{folding{diacritics: true}, "مُحَمَّد", "محمد"},
		{folding{diacritics: true}, "हिन्दी", "हिन्दी"}, // its vowels are no diacritics
		{folding{diacritics: true}, "が", "が"},           // another letter than か
		{folding{diacritics: true}, "น้ำ", "น้ำ"},
		{folding{diacritics: true}, "한국", "한국"},
		{folding{}, "É", "É"},
	} {
		if got := x.fold.of(x.value); got != x.to {
			t.Errorf("%+v of %s: %s, want %s", x.fold, x.value, got, x.to)
		}
	}
}

// TestCaseFolding: %c finds what differs in case only, by full case folding, on the default
// attribute, which has one in lower case, and on others.
func TestCaseFolding(t *testing.T) {
	groups := [][]string{
		{"κόσμος", "ΚΌΣΜΟΣ", "Κόσμοσ"}, {"ışık", "IŞIK", "işik", "İŞİK"}, {"straße", "STRASSE", "Strasse", "STRAẞE"},
		{"ﬁn", "FIN", "Fin"}, {"éTÉ", "été"}, {"ǆ", "ǅ", "Ǆ"}, {"the", "The"}, {"ᾳ", "αι"}, {"Ꭰ", "ꭰ"},
	}
	var b strings.Builder
	for _, g := range groups {
		for _, w := range g {
			b.WriteString(w + "\t" + w + "\n")
		}
	}
	c := build(t, b.String(), "word", "lemma")
	for _, g := range groups {
		for _, w := range g {
			for _, cql := range []string{`[word="%s"%%c]`, `[word=="%s"%%c]`, `[lemma=="%s"%%c]`, `[lemma=="%s"%%cd]`, `[word="%s.*"%%c]`, `[lemma="(x|%s)+"%%c]`, `[lemma="%s"%%c & word="%[1]s"%%c]`} {
				if cql = fmt.Sprintf(cql, w); g[0] == "ᾳ" && strings.Contains(cql, "%cd") {
					continue // its iota is a diacritic
				}
				if n, err := hits(t.Context(), c, cql); err != nil || n != int64(len(g)) {
					t.Errorf("%s: %d hits, want %d (%v)", cql, n, len(g), err)
				}
			}
		}
	}
	for cql, want := range map[string]int64{`"[^a-z].*"%c`: 14, `"I.*"%c`: 4, `[lemma="[ı]Ş.*"%c]`: 4, `"k.smos"%c`: 0, `[word!="the"%c]`: 23} {
		if n, err := hits(t.Context(), c, cql); err != nil || n != want {
			t.Errorf("%s: %d hits, want %d (%v)", cql, n, want, err)
		}
	}
}

// TestEmptyClass: a class that no character is in matches nothing.
func TestEmptyClass(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for cql, want := range map[string]int64{
		`[word="[^\x00-\x{10FFFF}]"]`: 0, `[word="[^\x00-\x{10FFFF}]"%c]`: 0, `[lemma="[^\x00-\x{10FFFF}]"%cd]`: 0, `[word!="[^\x00-\x{10FFFF}]"]`: 21,
		`[word="[^\x00-\x{10FFFF}]*a|a[^\x00-\x{10FFFF}]"]`: 0, `[word="[^\x00-\x{10FFFF}]|old"]`: 1, `[word="[^\x00-\x{10FFFF}]?old"]`: 1,
		`[] within <doc lang="[^\x00-\x{10FFFF}]"/>`: 0,
	} {
		if n, err := hits(t.Context(), c, cql); err != nil || n != want {
			t.Errorf("%s: %d hits, want %d (%v)", cql, n, want, err)
		}
	}
	must.Fail(t, must.Err(c.Where(t.Context(), `doc.lang="[^\x00-\x{10FFFF}]"`)), "no token where")
	if l, err := c.WordList(t.Context(), WordListConfig{Pattern: `[^\x00-\x{10FFFF}]`}); err != nil || l.Types != 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestCompareNatural(t *testing.T) {
	rising := []string{"", "0", "1", "2", "9", "010", "10a", "11", "2019-12-31", "2020", "2020-01", "2020-01-02", "2020-01-10", "99999999999999999999", "100000000000000000000", "a", "b9", "b10", "b10c"}
	for i, a := range rising {
		for j, b := range rising {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := compareNatural([]byte(a), []byte(b)); got != want {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want)
			}
		}
	}
	c := build(t, "<doc year=\"2019\">\na\n</doc>\n<doc year=\"2021\">\na\n</doc>\n<doc year=\"\">\na\n</doc>\n<doc year=\"unknown\">\na\n</doc>\n", "word")
	for cql, want := range map[string]int64{`<doc year>=2020/>`: 1, `<doc year<"2020"/>`: 1, `<doc year>"a"/>`: 1, `<doc year<=2021/>`: 2, `<doc !year<=2021/>`: 2} {
		if n, err := hits(t.Context(), c, cql); err != nil || n != want {
			t.Errorf("%s: %d hits, want %d (%v)", cql, n, want, err)
		}
	}
}

// TestOtherForms returns hints for values in another form of Unicode than the corpus.
func TestOtherForms(t *testing.T) {
	c := build(t, "<doc>\ncaf\u00e9\te\u0301t\nGo\tgo\n</doc>\n", "word", "lemma")
	for cql, want := range map[string]string{
		"\"cafe\u0301\"": "\"cafe\u0301\" is in decomposed Unicode (NFD), the corpus has it composed (NFC): write \"caf\u00e9\"",
		"[word!=\"a\" & word=\"cafe\u0301.*\"%c]": "\"cafe\u0301.*\" is in decomposed Unicode (NFD), the corpus has it composed (NFC): write \"caf\u00e9.*\"",
		"[lemma==\"\u00e9t\"]":                    "\"\u00e9t\" is in composed Unicode (NFC), the corpus has it decomposed (NFD): write \"e\u0301t\"",
		"\"caf\u00e9\"":                           "",
		"[word!=\"cafe\u0301\"]":                  "",
		"\"e\u0301\"":                             "",
		`[lc="Go"]`:                               `"Go" is not in lower case, as all values of lc: write "go"`,
		`[lc="G\w" | lemma="GO"]`:                 "",
	} {
		q, err := c.Query(t.Context(), cql)
		if err != nil || strings.Join(q.Hints(), "|") != want {
			t.Errorf("%s: %q (%v), want %q", cql, q.Hints(), err, want)
		}
	}
}
