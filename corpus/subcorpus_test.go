package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// only returns the documents of a text in one of some languages, but those
// without tokens.
func (x *plainText) only(langs ...string) *plainText {
	out := &plainText{}
	for d, lang := range x.langs {
		if !slices.Contains(langs, lang) || !slices.Contains(x.doc, d) {
			continue
		}
		for p, of := range x.doc {
			if of == d {
				out.words, out.s, out.doc = append(out.words, x.words[p]), append(out.s, x.s[p]), append(out.doc, len(out.langs))
			}
		}
		out.langs = append(out.langs, lang)
	}
	return out
}

// TestWhereIsThatCorpus: whatever is asked of a part of a corpus, the answer is
// that of a corpus which has only the documents of the part.
func TestWhereIsThatCorpus(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := drawText(t)
		where := rapid.SampledFrom([]struct {
			cond  string
			langs []string
		}{
			{`doc.lang="de"`, []string{"de"}}, {`doc.lang!="de"`, []string{"en", ""}}, {`doc.lang="en" | doc.lang="de"`, []string{"en", "de"}},
			{`!(doc.lang="en" & doc.id>=0)`, []string{"de", ""}}, {`doc.lang>="a"`, []string{"en", "de"}}, {`doc.id>100`, nil},
		}).Draw(t, "where")
		part := x.only(where.langs...)
		whole := buildTemp(t, x.vertical(), DefaultBuild)
		defer whole.Close()
		got, err := whole.Where(t.Context(), where.cond)
		if len(part.words) == 0 {
			must.Fail(t, err, "no token where "+where.cond)
			return
		}
		must.Succeed(t, err)
		want := buildTemp(t, part.vertical(), DefaultBuild)
		defer want.Close()
		fold := rapid.Bool().Draw(t, "fold")
		for name, ask := range map[string]func(c *Corpus) (any, error){
			"size":      func(c *Corpus) (any, error) { return c.Size(), nil },
			"count":     func(c *Corpus) (any, error) { return hits(t.Context(), c, `"a"`) },
			"sequence":  func(c *Corpus) (any, error) { return hits(t.Context(), c, `"a|A" []{0,3} [word!="b"]`) },
			"sentences": func(c *Corpus) (any, error) { return hits(t.Context(), c, `<s/> containing "a"`) },
			"words": func(c *Corpus) (any, error) {
				return c.WordList(t.Context(), WordListConfig{Fold: fold, DocFreq: true, ARF: true, By: "doc.lang"})
			},
			"n-grams": func(c *Corpus) (any, error) {
				return c.WordList(t.Context(), WordListConfig{Fold: fold, NGram: 2, Within: "doc", DocFreq: true, ARF: true, Sort: "arf"})
			},
			"words in sequence": func(c *Corpus) (any, error) {
				return c.WordList(t.Context(), WordListConfig{Fold: fold, NGram: 3, Within: "doc", Words: true})
			},
			"freqs": func(c *Corpus) (any, error) {
				return c.Freqs(t.Context(), `"a|A|cat"`, FreqConfig{Fold: fold, By: []string{"word@1", "doc.lang"}})
			},
			"collocations": func(c *Corpus) (any, error) {
				return c.Collocations(t.Context(), `"a"`, CollocationConfig{Fold: fold, MinHits: 1, MinFreq: 1, Within: "doc"})
			},
			"keywords": func(c *Corpus) (any, error) { return FindKeywords(t.Context(), c, whole, KeywordConfig{Fold: fold}) },
			"reference": func(c *Corpus) (any, error) {
				return FindKeywords(t.Context(), whole, c, KeywordConfig{NGram: 2, Within: "doc"})
			},
			"breakdown": func(c *Corpus) (any, error) { return c.Breakdown(t.Context(), "doc.lang") },
		} {
			if g, w := answer(t, ask, got), answer(t, ask, want); g != w {
				t.Fatalf("%s where %s: %s\nwant %s", name, where.cond, g, w)
			}
		}
	})
}

func answer(t *rapid.T, ask func(*Corpus) (any, error), c *Corpus) string {
	x := must.Get(ask(c))(t)
	b := must.Get(json.Marshal(x))(t)
	return string(b)
}

// TestWhereStructures combines structures: tokens in both, in one of them, in neither.
func TestWhereStructures(t *testing.T) {
	c := build(t, `<doc lang="en">
<p h="1">
a
b
</p>
<p h="0">
c
d
</p>
</doc>
<doc lang="de">
<p h="1">
e
</p>
f
</doc>
g
`, "word")
	for where, want := range map[string]string{
		`doc.lang="en" & p.h=1`: "a b", `doc.lang="en" | p.h=1`: "a b c d e", `!(doc.lang="en" | p.h="1")`: "f g", `!p.h=1 & doc.lang="en"`: "c d",
		`doc.lang="e.*"`: "a b c d", `doc.lang=="EN"%c`: "a b c d", `p.h>0`: "a b e", `doc.lang!="en"`: "e f",
	} {
		part, err := c.Where(t.Context(), where)
		if err != nil {
			t.Error(err)
			continue
		}
		q := must.Get(part.Query(t.Context(), `[]`))(t)
		var got []string
		for m, err := range q.Matches(t.Context()) {
			must.Succeed(t, err)
			got = append(got, c.Text(m.Start, m.End))
		}
		if s := strings.Join(got, " "); s != want || part.Size() != int64(len(got)) || part.Condition() != where {
			t.Errorf("%s: %q, %d tokens, want %q", where, s, part.Size(), want)
		}
	}
	// No match goes from one paragraph to the next.
	for where, want := range map[string]int64{`p.h>=0`: 2, `doc.lang="en"`: 3} {
		part := must.Get(c.Where(t.Context(), where))(t)
		if n, err := hits(t.Context(), part, `[] []`); err != nil || n != want {
			t.Errorf("%s: %d hits, want %d (%v)", where, n, want, err)
		}
	}
	en := must.Get(c.Where(t.Context(), `doc.lang="en"`))(t)
	both, err := en.Where(t.Context(), `p.h=1`)
	if err != nil || both.Size() != 2 || both.Condition() != `(doc.lang="en") & (p.h=1)` {
		t.Errorf("part of a part: %v %v", both, err)
	}
}

func TestWhereErrors(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for where, want := range map[string]string{
		``:                         "column 1: found the end, wanted an attribute of a structure",
		`lang="de"`:                "column 5: found '=', wanted '.' between a structure and its attribute",
		`"de"`:                     `column 1: found "de", wanted an attribute of a structure`,
		`doc.lang`:                 "column 9: found the end, wanted =, !=",
		`doc.lang="de" doc.year=1`: "column 15: found 'doc', wanted &, | or the end",
		`text.lang="de"`:           "column 1: no structure 'text' in this corpus: it has doc, p, s",
		`doc.url="x"`:              "structure doc has no attribute url",
		`doc.lang="("`:             "missing closing )",
		`doc.lang="xx"`:            `no token where doc.lang="xx"`,
		`doc.year>=2020-05-01`:     `put the value in quotes, as in year>="2020-05-31"`,
	} {
		if _, err := c.Where(t.Context(), where); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", where, err, want)
		}
	}
}

// TestFreqsByLabel divides hits by the tokens at their labels.
func TestFreqsByLabel(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	f := must.Get(c.Freqs(t.Context(), `1:[tag="D"] []{0,2} n:[tag="N"]`, FreqConfig{By: []string{"n.lemma", "1.lc", "doc.id"}}))(t)
	q := must.Get(c.Query(t.Context(), `1:[tag="D"] []{0,2} n:[tag="N"]`))(t)
	want := map[string]int64{}
	lemma, _ := c.Attr("lemma")
	lc, _ := c.Attr("lc")
	doc, _ := c.Struct("doc")
	for m, err := range q.Matches(t.Context()) {
		must.Succeed(t, err)
		i, _ := doc.Find(m.Start)
		want[fmt.Sprint([]string{lemma.Word(lemma.At(m.Labels[1])), lc.Word(lc.At(m.Labels[0])), doc.Value("id", i)})]++
	}
	for _, r := range f.Rows {
		if want[fmt.Sprint(r.Values)] != r.Hits {
			t.Errorf("%v: %d hits, want %d", r.Values, r.Hits, want[fmt.Sprint(r.Values)])
		}
	}
	if len(f.Rows) != len(want) || len(want) < 3 {
		t.Errorf("%d rows, want %d", len(f.Rows), len(want))
	}
	for by, want := range map[string]string{"2.word": "the query has no label 2: set it, as in 2:[]", "n.lema": "no attribute", "n.word@1": "a label has no context positions"} {
		if _, err := c.Freqs(t.Context(), `n:[tag="N"]`, FreqConfig{By: []string{by}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", by, err, want)
		}
	}
}
