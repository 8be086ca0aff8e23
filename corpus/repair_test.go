package corpus

import (
	"errors"
	"testing"
)

// TestRepair: the error of an invalid query has a similar query that works.
func TestRepair(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for query, want := range map[string]string{
		`[lema="go"]`:                  `[lemma="go"]`,
		`[lemma=go]`:                   `[lemma="go"]`,
		`[lemma="go`:                   `[lemma="go"]`,
		`take [tag="IN"]`:              `"take"%c [tag="IN"]`,
		`[lema=take] off`:              `[lemma="take"] "off"%c`,
		`("take" | "go"`:               `("take" | "go")`,
		`"take" "off`:                  `"take" "off"`,
		`take [off`:                    `take off`,
		`<<take>> off`:                 `take off`,
		`[word="a"] within <s/`:        `[word="a"] within <s/>`,
		`"a" within s`:                 `"a" within <s/>`,
		`"a" within (s`:                `"a" within ("s"%c)`,
		`[zzzzzzzz="a"]`:               ``,
		`[tag="N" && lema="x"]`:        `[tag="N" & lemma="x"]`,
		`[tag="N" AND lemma=x]`:        `[tag="N" & lemma="x"]`,
		`[word="a" || word=b]`:         `[word="a" | word="b"]`,
		`[word=“a”]`:                   `[word="a"]`,
		`[word="("]`:                   `[word="\("]`,
		`[word="a("]`:                  ``,
		`"*ing"`:                       `*ing`,
		`(meet "a" "b" 1)`:             ``,
		`[word!"a"]`:                   ``,
		`"(?=x)a"`:                     ``,
		`<doc yeer="2020"/>`:           `<doc year="2020"/>`,
		`1:[] 2:[] & 1.lema = 2.lemma`: `1:[] 2:[] & 1.lemma = 2.lemma`,
	} {
		_, err := c.Query(t.Context(), query)
		s := (*SyntaxError)(nil)
		if !errors.As(err, &s) || s.Try != want {
			t.Errorf("%s: error %v, similar query wanted: %s", query, err, want)
			continue
		}
		if _, err := c.Query(t.Context(), s.Try); err != nil && want != "" {
			t.Errorf("%s: the similar query fails: %v", query, err)
		}
	}
}

// TestRepairLemma: without lemmas, a lemma is searched as a word.
func TestRepairLemma(t *testing.T) {
	c := build(t, "<doc>\nkeep\nout\n</doc>\n", "word")
	_, err := c.Query(t.Context(), `[lemma="keep"] "out"`)
	if s := (*SyntaxError)(nil); !errors.As(err, &s) || s.Try != `[word="keep"] "out"` {
		t.Errorf("%v", err)
	}
}
