package corpus

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

// TestSimple translates simple queries to CQL.
func TestSimple(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for _, x := range []struct{ query, cql string }{
		{"water", `"water"%c`},
		{" take  off ", `"take"%c "off"%c`},
		{"take*", `"take.*"%c`},
		{"organi?e", `"organi.e"%c`},
		{"colo[u,]r", `"colo(u|)r"%c`},
		{"a * b .. c", `"a"%c [] "b"%c []{0,5} "c"%c`},
		{"{take} off", `[lemma="take"%c] "off"%c`},
		{"caf\u00e9", `"café"%c`},
		{"cafe\u0301 e\u0301*", "\"cafe\u0301|caf\u00e9\"%c \"e\u0301.*|\u00e9.*\"%c"},
		{"{e\u0301t}", "[lemma=\"e\u0301t|\u00e9t\"%c]"},
		{"{take*}", `[lemma="take.*"%c]`},
		{"said.", `"said"%c "\."%c`},
		{`what\?`, `"what\?"%c`},
		{`3.5 a|b`, `"3\.5"%c "a"%c "\|"%c "b"%c`},
		{`"take" "off"`, `"take" "off"`},
		{"[]", "[]"},
		{`[lemma='take']`, `[lemma='take']`},
		{"'s' []", "'s' []"},
		{"('big' | 'large')? 'dog'", "('big' | 'large')? 'dog'"},
		{"( 'dog')", "( 'dog')"},
		{"rock 'n' roll", `"rock"%c "'n"%c "'"%c "roll"%c`},
		{"<s/>", "<s/>"},
	} {
		q, err := c.Query(t.Context(), x.query)
		if err != nil || q.String() != x.cql {
			t.Errorf("%s: %s (%v), wanted %s", x.query, q, err, x.cql)
		}
	}
	for query, want := range map[string]string{
		"{take off}": "wanted one lemma in braces",
		"{}":         "wanted one lemma in braces",
	} {
		if _, err := c.Query(t.Context(), query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %q", query, err, want)
		}
	}
	words := build(t, "<doc lang=\"en\">\nDo\nn't\n</doc>\n<doc lang=\"zh\">\n中\n国\n</doc>\n", "word")
	for query, cql := range map[string]string{"don't": `"do"%c "n't"%c`, "中国": `"中"%c "国"%c`} {
		if q, err := words.Query(t.Context(), query); err != nil || q.String() != cql {
			t.Errorf("%s: %s (%v), wanted %s", query, q, err, cql)
		}
	}
	if _, err := words.Query(t.Context(), "{a}"); err == nil || !strings.Contains(err.Error(), "no attribute 'lemma'") {
		t.Error(err)
	}
}

// TestSimpleCompiles compiles the translation of any simple query.
func TestSimpleCompiles(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	property.Check(t, func(t *rapid.T) {
		query := rapid.StringOfN(rapid.RuneFrom([]rune(`ab .,*?[]{}()\|&+^$%:;!'-#é中`)), 1, 12, -1).Draw(t, "query")
		if !IsSimple(query) {
			return
		}
		if _, err := c.Query(t.Context(), query); err != nil && !strings.Contains(err.Error(), "in braces") {
			t.Fatalf("%q: %v", query, err)
		}
	})
}
