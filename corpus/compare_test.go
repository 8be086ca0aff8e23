package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// site makes 40 pages of two hosts. Before has a menu of 4 tokens, 20 tokens of
// text and, on every fourth page, an advertisement of 5; after has the text of
// all but the last two pages, and of the first one half.
func site() (before, after string) {
	var b, a strings.Builder
	for i := range 40 {
		head := fmt.Sprintf("<doc id=\"d%d\" url=\"https://%s.example/%d\" lang=\"%s\">\n", i, [2]string{"shop", "news"}[i%2], i, [3]string{"en", "de", "en"}[i%3])
		sentence := func(w *strings.Builder, text string) {
			w.WriteString("<s>\n" + strings.ReplaceAll(text, " ", "\n") + "\n</s>\n")
		}
		b.WriteString(head)
		sentence(&b, "Home Log in Cookies")
		if i%4 == 0 {
			sentence(&b, "Buy cheap Viagra online now")
		}
		text := fmt.Sprintf("They buy a ticket for train %d .", i%5)
		for range 2 {
			sentence(&b, text)
		}
		sentence(&b, "The house is old .")
		b.WriteString("</doc>\n")
		if i >= 38 {
			continue
		}
		a.WriteString(head)
		sentence(&a, text)
		if i > 0 {
			sentence(&a, text)
			sentence(&a, "The house is old .")
		}
		a.WriteString("</doc>\n")
	}
	return b.String(), a.String()
}

func compared(t *testing.T, cfg CompareConfig) *Comparison {
	t.Helper()
	b, a := site()
	c := must.Get(Compare(t.Context(), build(t, b, "word"), build(t, a, "word"), cfg))(t)
	c.Before.Name, c.After.Name = "before", "after"
	return c
}

// TestCompare checks figures that follow from how site is made: before has
// 40*(4+16+5)+10*5 = 1050 tokens, after 37*21+8 = 785.
func TestCompare(t *testing.T) {
	c := compared(t, CompareConfig{Phrases: []string{"viagra", "Log in", "a ticket", "nowhere"}, Queries: []string{`[lc="cheap|old"]`}, Collocates: []string{"buy"}, By: []string{"doc.lang", "doc.host"}})
	if c.Before.Documents != 40 || c.After.Documents != 38 || c.Before.Tokens != 1050 || c.After.Tokens != 785 {
		t.Errorf("%+v %+v", c.Before, c.After)
	}
	if !near(c.KeptTokens(), 785./1050, 1e-12) || !near(c.KeptDocuments(), 0.95, 1e-12) {
		t.Errorf("%v of the tokens, %v of the documents", c.KeptTokens(), c.KeptDocuments())
	}
	if len(c.Notes) > 0 {
		t.Errorf("notes: %q", c.Notes)
	}
	var phrases []string
	for _, p := range c.Phrases {
		phrases = append(phrases, fmt.Sprintf("%s %d %d %.2f %.2f %.3f", p.Phrase, p.Before, p.After, p.BeforePerMillion, p.AfterPerMillion, p.Kept))
	}
	// a ticket: 80 before, 2*37+1 = 75 after; old 40 and 37, cheap 10 and 0.
	want := []string{
		"viagra 10 0 9523.81 0.00 0.000", "Log in 40 0 38095.24 0.00 0.000", "a ticket 80 75 76190.48 95541.40 0.938",
		"nowhere 0 0 0.00 0.00 0.000", `[lc="cheap|old"] 50 37 47619.05 47133.76 0.740`,
	}
	if !slices.Equal(phrases, want) {
		t.Errorf("phrases %q, want %q", phrases, want)
	}
	x := c.Collocates[0]
	if x.BeforeHits != 90 || x.AfterHits != 75 || c.Within != "s" || c.From != 1 || c.To != 5 {
		t.Errorf("%+v within %q", x, c.Within)
	}
	// Before: a, ticket, for, train stand in the windows of 80 of 90 hits, Viagra in
	// 10, 14 + log2(20/(10+90)) = 11.678.
	if i := slices.IndexFunc(x.Before, func(r RankedCollocate) bool { return r.Word == "viagra" }); i < 0 || x.Before[i].OtherRank != 0 || !near(x.Before[i].Score, 11.6781, 1e-4) {
		t.Errorf("%+v", x.Before)
	}
	if x.Before[0].Word != "a" || x.Before[0].OtherRank != 1 || x.After[0].OtherScore != x.Before[0].Score {
		t.Errorf("%+v", x.Before)
	}
	if w := c.Removed[0].Rows[0]; w.Word != "cookies" || w.Freq != 40 || w.RefFreq != 0 || c.Removed[0].Tokens != 265 {
		t.Errorf("%+v", w)
	}
	if w := c.Removed[1].Rows[0]; w.Word != "home log" || w.Freq != 40 {
		t.Errorf("%+v", w)
	}
	if w := c.Kept[0].Rows[0]; w.RefFreq >= w.Freq {
		t.Errorf("%+v", w)
	}
	// Pages 0, 2, 3, 5, ..., 38, 39 are en: 27 of 25 tokens and 7 with 5 more, 710.
	// After, 38 and 39 are gone, 24 have 21, and the first has 8: 512.
	var parts []string
	for _, r := range c.Breakdowns[0].Rows {
		parts = append(parts, fmt.Sprintf("%s %d %d", r.Value, r.Before.Tokens, r.After.Tokens))
	}
	if got := strings.Join(parts, ", "); got != "en 710 512, de 340 273" {
		t.Error(got)
	}
	d := c.Documents
	if d == nil || d.Gone != 2 || d.Whole != 0 || d.New != 0 || d.Bins[2] != 1 || d.Lost[0].Value != "d38" || d.Lost[2].Value != "d0" || d.Lost[2].Before.Tokens != 30 || d.Lost[2].After.Tokens != 8 {
		t.Errorf("%+v", d)
	}
	sum := d.Gone + d.Whole
	for _, n := range d.Bins {
		sum += n
	}
	if sum != 40 {
		t.Errorf("%d documents, want 40", sum)
	}
}

// TestCompareFinds: without named queries, the changes are found.
func TestCompareFinds(t *testing.T) {
	c := compared(t, CompareConfig{})
	if !c.PhrasesChosen || !c.CollocatesChosen {
		t.Error("nobody says that phrases were found")
	}
	if !slices.ContainsFunc(c.Phrases, func(p PhraseChange) bool { return p.Phrase == "cookies" && p.Before == 40 && p.Kept == 0 }) {
		t.Errorf("%+v", c.Phrases)
	}
	var attrs []string
	for _, b := range c.Breakdowns {
		attrs = append(attrs, b.Attr)
	}
	if !slices.Equal(attrs, []string{"doc.host", "doc.lang"}) {
		t.Errorf("%q", attrs)
	}
	var b strings.Builder
	must.Succeed(t, c.WriteText(&b, 3))
	for _, want := range []string{"tokens            1,050    785  74.8 %", "cookies            38,095             0   0.0 %           40", "Keywords of the removed text: pairs of words", "By doc.lang (2 values)", "20 to 30 %           1"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	if j, err := json.Marshal(c); err != nil || !strings.Contains(string(j), `"simple":`) {
		t.Errorf("%v %.200s", err, j)
	}
}

// TestCompareNotes: an AFTER that is no part of BEFORE is told of, and nothing
// is negative.
func TestCompareNotes(t *testing.T) {
	b, a := site()
	c, err := Compare(t.Context(), build(t, a, "word"), build(t, b, "word"), CompareConfig{})
	must.Succeed(t, err)
	if len(c.Notes) < 2 || !strings.Contains(c.Notes[0], "right order") || !strings.Contains(c.Notes[1], "AFTER has some words more often than BEFORE") {
		t.Errorf("%q", c.Notes)
	}
	if c.Documents.New != 2 || len(c.Removed[0].Rows) != 0 || c.Removed[0].Tokens != 0 {
		t.Errorf("%+v %+v", c.Documents, c.Removed[0])
	}
	twice := strings.Replace(a, `id="d2"`, `id="d1"`, 1)
	if c, err = Compare(t.Context(), build(t, b, "word"), build(t, twice, "word"), CompareConfig{}); err != nil || c.Documents != nil || !strings.Contains(strings.Join(c.Notes, " "), "not unique") {
		t.Errorf("%v %q", err, c.Notes)
	}
	if c, err = Compare(t.Context(), build(t, strings.Replace(b, `id="d2"`, `id="d1"`, 1), "word"), build(t, a, "word"), CompareConfig{}); err != nil || c.Documents != nil || !strings.Contains(strings.Join(c.Notes, " "), "in BEFORE is not unique") {
		t.Errorf("%v %q", err, c.Notes)
	}
	// AFTER takes all for English: the parts are those of BEFORE.
	c, err = Compare(t.Context(), build(t, b, "word"), build(t, strings.ReplaceAll(a, `lang="de"`, `lang="en"`), "word"), CompareConfig{By: []string{"doc.lang"}})
	if err != nil || len(c.Breakdowns[0].Rows) != 2 || c.Breakdowns[0].Rows[1].After.Tokens != 273 || c.Breakdowns[0].Rows[1].After.Structs != 13 {
		t.Errorf("%v %+v", err, c.Breakdowns)
	}
	// Nothing left, and nothing there.
	none := build(t, "<doc id=\"1\">\n</doc>\n", "word")
	c, err = Compare(t.Context(), build(t, b, "word"), none, CompareConfig{})
	if err != nil || c.KeptTokens() != 0 || len(c.Kept[0].Rows) != 0 {
		t.Errorf("%v %+v", err, c)
	}
	var w strings.Builder
	if err := c.WriteHTML(&w); err != nil {
		t.Error(err)
	}
	if _, err = Compare(t.Context(), none, none, CompareConfig{}); err == nil {
		t.Error("a corpus without tokens is compared")
	}
	if _, err = Compare(t.Context(), build(t, b, "word"), none, CompareConfig{Phrases: []string{" "}}); err == nil {
		t.Error("an empty phrase is counted")
	}
}

// compareParts compares a corpus with itself, which gives the parts wanted.
func compareParts(t *testing.T, vertical string, by, want []string) *Comparison {
	t.Helper()
	x := must.Get(Compare(t.Context(), build(t, vertical, "word"), build(t, vertical, "word"), CompareConfig{By: by}))(t)
	var got []string
	for _, b := range x.Breakdowns {
		got = append(got, b.Attr)
	}
	if !slices.Equal(got, want) {
		t.Errorf("by %q: parts %q, wanted %q", by, got, want)
	}
	return x
}

// TestCompareUniqueHosts compares documents that are each of an own host: a
// table of hosts is then one of documents, and made only if it is asked for.
func TestCompareUniqueHosts(t *testing.T) {
	var v strings.Builder
	for i := range 8 {
		fmt.Fprintf(&v, "<doc url=\"https://h%d.example/\" lang=\"%s\">\none\ntwo\n</doc>\n", i, [2]string{"en", "de"}[i%2])
	}
	for _, c := range []struct{ by, want []string }{{nil, []string{"doc.lang"}}, {[]string{"doc.host"}, []string{"doc.host"}}} {
		compareParts(t, v.String(), c.by, c.want)
	}
}

// TestCompareIdentities: addresses and offsets, which identify documents though many share an
// empty one, and structures without tokens are no parts, unless they are asked for.
func TestCompareIdentities(t *testing.T) {
	var v strings.Builder
	for i := range 100 {
		url, offset := "", 0
		if i%4 == 0 {
			url, offset = fmt.Sprintf("https://h.example/%d", i), 100*i
		}
		fmt.Fprintf(&v, "<doc url=\"%s\" offset=\"%d\" author=\"%s\">\none\n<sp s=\"%s\"/>\ntwo\n</doc>\n", url, offset, strings.Repeat("long ", 30)+string(rune('a'+i%2)), strings.Repeat(" ", 2+i%2))
	}
	for _, c := range []struct{ by, want []string }{{nil, []string{"doc.host", "doc.author"}}, {[]string{"doc.url"}, []string{"doc.url"}}} {
		x := compareParts(t, v.String(), c.by, c.want)
		var text strings.Builder
		must.Succeed(t, x.WriteText(&text, 20))
		for line := range strings.Lines(text.String()) {
			if len([]rune(line)) > 110 {
				t.Errorf("by %q: a line of %d characters: %s", c.by, len([]rune(line)), line)
			}
		}
	}
}

// TestComparePart: comparing the parts with a condition gives what comparing
// corpora of those documents alone gives.
func TestComparePart(t *testing.T) {
	german := func(vert string) string {
		var b strings.Builder
		for doc := range strings.SplitAfterSeq(vert, "</doc>\n") {
			if strings.Contains(doc, ` lang="de"`) {
				b.WriteString(doc)
			}
		}
		return b.String()
	}
	before, after := site()
	after += "<doc id=\"new\" url=\"https://new.example/\" lang=\"de\">\nnew\n</doc>\n"
	cfg := CompareConfig{Phrases: []string{"a ticket", "viagra"}, Collocates: []string{"buy"}, By: []string{"doc.lang", "doc.host"}, MinFreq: 1}
	want, err := Compare(t.Context(), build(t, german(before), "word"), build(t, german(after), "word"), cfg)
	must.Succeed(t, err)
	var parts [2]*Corpus
	for i, vert := range []string{before, after} {
		if parts[i], err = build(t, vert, "word").Where(t.Context(), `doc.lang="de"`); err != nil {
			t.Fatal(err)
		}
	}
	got := must.Get(Compare(t.Context(), parts[0], parts[1], cfg))(t)
	if got.Where != `doc.lang="de"` || got.Before.Documents != 13 || got.Documents.New != 1 {
		t.Errorf("where %q: %d documents, %d new", got.Where, got.Before.Documents, got.Documents.New)
	}
	got.Where = ""
	text := func(c *Comparison) string {
		b := must.Get(json.MarshalIndent(c, "", "  "))(t)
		return string(b)
	}
	if g, w := text(got), text(want); g != w {
		t.Errorf("the parts give\n%s\nwanted\n%s", g, w)
	}
}
