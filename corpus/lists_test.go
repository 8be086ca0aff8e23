package corpus

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// zoo has 20 tokens in 4 sentences and 2 documents.
const zoo = `<doc id="1" lang="en" url="https://www.Zoo.example/a">
<s>
the
cat
saw
the
dog
</s>
<s>
The
dog
saw
the
cat
</s>
</doc>
<doc id="2" lang="de" url="http://farm.example:80/b?x=/">
<s>
cat
,
dog
and
cat
</s>
<s>
the
end
,
the
end
</s>
</doc>
`

// TestCollocationsByHand: the 4 cats of the zoo, two tokens on each side.
//
//	token 1   the | saw the       token 9   saw the |   (cat of the next document: not within s)
//	token 10  | , dog             token 14  dog and |
//
// Without a border the window of token 9 has also "cat ," and that of 10 has "the cat",
// and that of 14 "the end".
func TestCollocationsByHand(t *testing.T) {
	c := build(t, zoo, "word")
	for _, x := range []struct{ within, want string }{
		{"s", "dog 2/3, saw 2/2, the 2/5, and 1/1, \",\" 1/2"},
		{"", "the 4/5, dog 2/3, saw 2/2, \",\" 2/2, cat 2/4, and 1/1, end 1/2"},
	} {
		got := must.Get(c.Collocations(t.Context(), `"cat"`, CollocationConfig{From: -2, To: 2, Within: x.within, MinHits: 1, MinFreq: 1}))(t)
		if got.Hits != 4 || got.Tokens != 20 {
			t.Errorf("%d hits in %d tokens", got.Hits, got.Tokens)
		}
		want := map[string]bool{}
		for _, w := range strings.Split(strings.ReplaceAll(x.want, `","`, "@"), ", ") {
			want[strings.ReplaceAll(w, "@", ",")] = true
		}
		for _, r := range got.Rows {
			if row := fmt.Sprintf("%s %d/%d", r.Word, r.Hits, r.Freq); !want[row] {
				t.Errorf("within %q: found %s, want %s", x.within, row, x.want)
			}
		}
		if len(got.Rows) != len(want) {
			t.Errorf("within %q: %d rows, want %s", x.within, len(got.Rows), x.want)
		}
	}
	// logDice of saw: 14 + log2(2*2/(2+4)) = 13.4150, the highest within s.
	got := must.Get(c.Collocations(t.Context(), `"cat"`, CollocationConfig{From: -2, To: 2, Within: "s", MinHits: 1, MinFreq: 1, Words: true, Limit: 2}))(t)
	if len(got.Rows) != 2 || got.Rows[0].Word != "saw" || !near(got.Rows[0].Scores[0], 13.4150, 1e-4) || got.Rows[1].Word != "dog" || got.Types != 4 {
		t.Errorf("%+v", got)
	}
}

// TestKeywordsByHand compares the documents of the zoo: 10 tokens each. "the"
// stands 3 times in the first, 2 times in the second, so that simple maths with
// n = 100000 gives (300000+100000)/(200000+100000) = 1.3333.
func TestKeywordsByHand(t *testing.T) {
	one, two, _ := strings.Cut(zoo, "</doc>\n")
	a, b := build(t, one+"</doc>\n", "word"), build(t, two, "word")
	k := must.Get(FindKeywords(t.Context(), a, b, KeywordConfig{Smoothing: 100000}))(t)
	var got []string
	for _, r := range k.Rows {
		got = append(got, fmt.Sprintf("%s %d-%d %.3f", r.Word, r.Freq, r.RefFreq, r.Scores[0]))
	}
	// saw: 300000/100000; The: 200000/100000; dog: 300000/200000; cat: 300000/300000
	if s := strings.Join(got, ", "); s != "saw 2-0 3.000, The 1-0 2.000, dog 2-1 1.500, the 3-2 1.333, cat 2-2 1.000" {
		t.Error(s)
	}
	if k.Tokens != 10 || k.RefTokens != 10 || k.Types != 5 {
		t.Errorf("%+v", k)
	}
	k = must.Get(FindKeywords(t.Context(), a, b, KeywordConfig{Fold: true, NGram: 2, MinFreq: 2, Sort: "logl"}))(t)
	if len(k.Rows) != 3 || k.Rows[0].Word != "saw the" || k.Rows[1].Word != "the cat" || k.Rows[2].Word != "the dog" {
		t.Errorf("%+v", k.Rows)
	}
}

func TestBreakdown(t *testing.T) {
	c := build(t, zoo, "word")
	got := must.Get(c.Breakdown(t.Context(), "doc.host"))(t)
	if fmt.Sprint(got) != "[{farm.example 1 10} {zoo.example 1 10}]" {
		t.Errorf("%v", got)
	}
	for in, want := range map[string]string{
		"https://www.A.example/x": "a.example", "http://user@b.example:8080": "b.example", "http://[::1]:80/": "[::1]", "//c/": "", "mailto:x@y": "",
		"http://d.example.?q": "d.example", "": "", `https://e.example\x`: "e.example",
	} {
		if got := hostOf(in); got != want {
			t.Errorf("host of %s: %q, want %q", in, got, want)
		}
	}
}

// TestListErrors: an error of a list names the reason and the possible values.
func TestListErrors(t *testing.T) {
	c := build(t, zoo, "word")
	ctx := t.Context()
	list := func(cfg WordListConfig) error { _, err := c.WordList(ctx, cfg); return err }
	colloc := func(cql string, cfg CollocationConfig) error { _, err := c.Collocations(ctx, cql, cfg); return err }
	freqs := func(cfg FreqConfig) error { _, err := c.Freqs(ctx, `"cat"`, cfg); return err }
	keys := func(cfg KeywordConfig) error { _, err := FindKeywords(ctx, c, c, cfg); return err }
	for _, x := range []struct {
		err  error
		want string
	}{
		{list(WordListConfig{Attr: "lemma"}), `no attribute "lemma"`},
		{list(WordListConfig{Pattern: "("}), "pattern (: error parsing regexp"},
		{list(WordListConfig{Sort: "size"}), "have freq, docf, arf, aldf, dp, word"},
		{list(WordListConfig{NGram: 7}), "1 to 6 can be counted"},
		{list(WordListConfig{By: "lang"}), "such as doc.lang"},
		{list(WordListConfig{By: "doc.size"}), "it has host, id, lang, url"},
		{list(WordListConfig{By: "text.size"}), `no structure "text"`},
		{list(WordListConfig{Within: "p"}), `no structure "p"`},
		{list(WordListConfig{DocFreq: true, Doc: "text"}), `no structure "text"`},
		{colloc(`"cat`, CollocationConfig{}), "cat"},
		{colloc(`"cat"`, CollocationConfig{From: 2, To: 1}), "window 2 to 1"},
		{colloc(`"cat"`, CollocationConfig{Sort: "x"}), "have logdice, tscore"},
		{colloc(`"cat"`, CollocationConfig{Within: "p"}), `no structure "p"`},
		{freqs(FreqConfig{}), "nothing to divide"},
		{freqs(FreqConfig{By: []string{"word@x"}}), "the place is a number"},
		{freqs(FreqConfig{By: []string{"doc.lang@1"}}), "has no place"},
		{freqs(FreqConfig{By: []string{"word"}, Sort: "relative"}), "nothing is relative"},
		{freqs(FreqConfig{By: []string{"word"}, Sort: "x"}), "have freq, word, relative"},
		{keys(KeywordConfig{Sort: "x"}), "have simple, logl, chi2, din"},
		{keys(KeywordConfig{Smoothing: -1}), "above 0"},
		{keys(KeywordConfig{NGram: 9}), "1 to 6 can be counted"},
	} {
		if x.err == nil || !strings.Contains(x.err.Error(), x.want) {
			t.Errorf("%v, want %q", x.err, x.want)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := c.WordList(stopped, WordListConfig{NGram: 2}); err == nil {
		t.Error("a stopped run goes on")
	}
}
