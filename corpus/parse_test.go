package corpus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestSyntaxErrors(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for _, x := range []struct {
		cql    string
		column int
		want   string
	}{
		{``, 1, "found the end, wanted a token"},
		{`[`, 2, "found the end, wanted an attribute"},
		{`[word=]`, 7, `found ']', wanted a value in quotes, as in word="..."`},
		{`[word "x"]`, 7, "wanted =, !=, == or !=="},
		{`[word="x" & ]`, 13, "found ']', wanted an attribute"},
		{`[word="x"`, 10, "wanted ']' at the end of the token"},
		{`"x`, 1, "has no \" at its end"},
		{`"a" ) "b"`, 5, "found ')', wanted"},
		{`("a" "b"`, 9, "wanted ')'"},
		{`"a"{3,1}`, 4, "the smaller number first"},
		{`"a"{}`, 5, "wanted a number"},
		{`"a"{1000000}`, 5, "wanted a number from 0 to 10000"},
		{`[lema="x"]`, 2, "no attribute 'lema' of tokens in this corpus: it has word, lemma, tag, lc"},
		{`"ß" within <para/>`, 13, "no structure 'para' in this corpus: it has doc, p, s"},
		{`<doc url="x"/>`, 6, "structure doc has no attribute url: it has id, lang, year"},
		{`<s "x"/>`, 4, "found a value, wanted an attribute"},
		{`<s`, 3, "wanted an attribute"},
		{`[word="a("]`, 7, "missing closing )"},
		{`[word="a(?=b)"]`, 7, "RE2"},
		{`1:"a" & 2.word = 1.word`, 9, "no token has the label 2"},
		{`1:"a" & 1.word`, 15, "wanted = or !="},
		{`1:"a" & 1.word > 1.word`, 16, "wanted = or !="},
		{`1:"a" & f(1.word) > "x"`, 21, "wanted a label"},
		{`1:"a" & f(1.word) > 1.word`, 21, "a value on both sides, or a frequency"},
		{`1:"a" & f(1.word > 3`, 18, "wanted ')' after the label"},
		{`1:"a" & f(2.word) > 3`, 11, "no token has the label 2"},
		{`"a"%x`, 4, "wanted %c (ignore case), %d (ignore diacritics) or %cd"},
		{`"a"%`, 4, "wanted %c (ignore case)"},
		{`<doc year>=2020-05-01/>`, 12, "put the value in quotes, as in year>=\"2020-05-31\""},
		{`"a" ! "b"`, 7, "wanted within or containing"},
		{`"a" $ "b"`, 5, "has no meaning outside of quotes"},
		{`"a" within`, 11, "found the end"},
		{strings.Repeat("(", 300) + `"a"`, 201, "in each other"},
		{"\"a\" \xff", 5, "wanted UTF-8"},
	} {
		_, err := c.Query(t.Context(), x.cql)
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", x.cql, err)
			continue
		}
		if e.Column() != x.column || !strings.Contains(e.What, x.want) {
			t.Errorf("%s: column %d: %s\nwanted column %d: %s", x.cql, e.Column(), e.What, x.column, x.want)
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	_, err := c.Query(t.Context(), "[word=\"東京\"]\t[lema=\"x\"]")
	want := "query, column 14: no attribute 'lema' of tokens in this corpus: it has word, lemma, tag, lc\n" +
		"  [word=\"東京\"] [lema=\"x\"]\n" +
		"                 ^\n" +
		"A similar query that works:\n" +
		"  [word=\"東京\"] [lemma=\"x\"]"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwanted\n%s", err, want)
	}
}

// FuzzQuery reads, compiles and evaluates queries.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		`[word="a" & (lemma!="b.*" | !tag=="N")] []{2,3} "x"?`, `1:[] 2:[] & 1.word = 2.word`, `(meet "a" "b" -2 2)`,
		`<s/> containing (<p> [] | "x"+)`, `"a" !within <doc lang="e." & year="2020"/>`, `((([]*)*)*)*`, `(([]?){9999}){9999}`,
		`'a\'b'`, `"(?i)the"`, `"thé"%cd [lemma=="a\\b" %c]`, `1:[] & f(1.lemma) >= 2`, `<doc year>=2020/>`, `(1:[]*)* 2:"x"{0,} & 1.lemma != 2.tag`, `(union <s> </s>)`, `[word="\p{L}+"]`, "on \xe7 s",
	} {
		f.Add(s)
	}
	c := build(f, sample, "word", "lemma", "tag")
	f.Fuzz(func(t *testing.T, cql string) {
		q, err := c.Query(t.Context(), cql)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(e.Query) {
				t.Fatalf("error %v", err)
			}
			_ = e.Error()
			return
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		last := Match{Start: -1}
		for m, err := range q.Matches(ctx) {
			if err != nil {
				return
			}
			if compareSpans(last, m) >= 0 || m.Start >= m.End || m.End > c.Size() {
				t.Fatalf("match %v after %v", m, last)
			}
			last = m
		}
	})
}
