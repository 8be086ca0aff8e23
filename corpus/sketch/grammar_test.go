package sketch

import (
	"errors"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestParse(t *testing.T) {
	g, err := Parse("g", "# comment\ndivert(-1)\ndefine(`NP', `[tag=\"D\"]? [tag=\"N.*\"]')\nignored\ndivert\n"+
		"*STRUCTLIMIT s\n*DEFAULTATTR tag\n*WSPOSLIST \",noun,-n,verb,-v\"\n*FIXORDER ;b \"%w\";a \"%w\"\n"+
		"*DUAL\n=a \"%w\"/b \"%w\"\n*UNIMAP x/y\n\t1:\"V\" \\\n  2:NP & 1.tag = 2.tag\n"+
		"=and/or\n*UNIMAP and/or\n*SYMMETRIC\n1:[] 2:[]\n"+
		"*DEFAULTATTR lemma\n*UNARY\n=u\n1:\"x\"\n"+
		"*DUAL\n=a \"%w\"/c\n 1:[] 2:[]\n"+
		"*SEPARATEPAGE pp\n*DUAL\n*TRINARY\n=%w %s/%(3.lemma) %w\n1:[] 3:[] 2:[]\n")
	must.Succeed(t, err)
	want := []Relation{{Name: `a "%w"`, Unimap: "x"}, {Name: `b "%w"`, Unimap: "y"}, {Name: "and/or", Unimap: "and/or"}, {Name: "u", Unary: true}, {Name: "c"},
		{Name: "%w %s", Page: "pp", Third: "lemma"}, {Name: "%(3.lemma) %w", Page: "pp", Third: "lemma"}}
	if !slices.Equal(g.Relations, want) {
		t.Errorf("relations %+v", g.Relations)
	}
	rules := []rule{
		{query: `1:"V"   2:[tag="D"]? [tag="N.*"] & 1.tag = 2.tag`, line: 14, relation: 0, dual: 1, attr: "tag", within: "s"},
		{query: "1:[] 2:[]", line: 18, relation: 2, dual: -1, symmetric: true, attr: "tag", within: "s"},
		{query: `1:"x"`, line: 22, relation: 3, dual: -1, attr: "lemma", within: "s"},
		{query: "1:[] 2:[]", line: 25, relation: 0, dual: 4, attr: "lemma", within: "s"},
		{query: "1:[] 3:[] 2:[]", line: 30, relation: 5, dual: 6, attr: "lemma", within: "s"},
	}
	for i, r := range g.rules {
		if r.line = rules[i].line; r != rules[i] {
			t.Errorf("rule %d: %+v, wanted %+v", i, r, rules[i])
		}
	}
	if !slices.Equal(g.Order, []string{`b "%w"`, `a "%w"`}) || !slices.Equal(g.Classes, []Class{{"noun", "-n"}, {"verb", "-v"}}) {
		t.Errorf("order %q, classes %q", g.Order, g.Classes)
	}
}

// TestParseErrors: each error names the line, the text found and the text expected.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "g: line 1: found no relation, wanted a line such as =object",
		"1:[] 2:[]":                            `g: line 1: found "1:[] 2:[]", wanted a relation before the first query`,
		"=a\n=b\n1:[] 2:[]":                    `g: line 2: found no query for the relation "a"`,
		"=":                                    "g: line 1: found = without a name",
		"\n*FOO":                               "g: line 2: found *FOO, wanted one of *DUAL",
		"*DUAL\n=a\n1:[]":                      "g: line 2: found =a after *DUAL, wanted two names",
		"*DUAL\n1:[]":                          "g: line 2: found a query after a directive",
		"=a\n1:[] 2:[]\n*UNARY":                "g: line 3: found a directive at the end",
		"*TRINARY\n=a\n1:[]":                   "g: line 2: found =a after *TRINARY, wanted a name with %s or %(3.lemma)",
		"=a %(3.lemma)\n1:[]":                  "g: line 1: found %(3.lemma) in =a %(3.lemma), wanted *TRINARY",
		"*TRINARY\n*DUAL\n=a %s/b %(3.tag)\n":  "g: line 3: found the attributes lemma and tag of label 3",
		"=a %x\n1:[]":                          "g: line 1: found %x in =a %x, wanted %w",
		"*UNIMAP a":                            "g: line 1: found *UNIMAP before a relation",
		"*SYMMETRIC":                           "g: line 1: found *SYMMETRIC before a relation",
		"*STRUCTLIMIT":                         "g: line 1: found *STRUCTLIMIT without a value, wanted one, as in *STRUCTLIMIT s",
		"*WSPOSLIST \",a,b,c\"":                "g: line 1: found 3 items after *WSPOSLIST, wanted pairs",
		"*UNARY\n=a\n1:[]\n=a\n1:[]":           "g: line 4: found the relation =a again",
		"define(`A')":                          "g: line 1: found define with 1 arguments",
		"\ndefine(`A', `$1')":                  "g: line 2: found $1 in the macro A, wanted a macro without arguments",
		"define(`A', `x'":                      "g: line 1: found define without )",
		"define(`A', `A')\n\n=A":               "g: line 3: found the macro A in its own definition",
		"define(`A', `b')\ninclude(`x')":       "g: line 2: found include(, wanted only define",
		"define(`A', `b')\ndivert(3)":          "g: line 2: found divert(3), wanted divert(-1)",
		"define(`A', `b')\n=a\n`x":             "g: line 3: found ` without '",
		"define(A, [tag=\"x{0,3}\"])\n=a\n1:A": "g: line 1: found define with 3 arguments",
	} {
		_, err := Parse("g", text)
		must.Fail(t, err, want)
	}
}

// TestCompileErrors: an error in a query names its line.
func TestCompileErrors(t *testing.T) {
	c := index(t, sentences("drink/V tea/N"))
	for text, want := range map[string]string{
		"=a\n1:[]":                            "g: line 2: found no label 2: in the query",
		"=a\n2:[]":                            "g: line 2: found no label 1: in the query",
		"*TRINARY\n=a %s\n\n1:[] 2:[]":        "g: line 4: found no label 3: in the query",
		"*TRINARY\n=a %(3.x)\n1:[] 2:[] 3:[]": `g: line 3: corpus`,
		"=a\n1:[] 2:[":                        "g: line 2: query, column 9: found the end",
		"=a\n1:[x=\"1\"] 2:[]":                "g: line 2: query, column 4: no attribute 'x'",
		"*STRUCTLIMIT p\n=a\n1:[] 2:[]":       "g: line 3: corpus",
		"*DEFAULTATTR y\n=a\n1:\"b\" 2:[]":    "no attribute 'y'",
	} {
		g, err := Parse("g", text)
		must.Succeed(t, err)
		_, err = Build(t.Context(), c, g, DefaultBuild)
		must.Fail(t, err, want)
		if e := (*GrammarError)(nil); !errors.As(err, &e) {
			t.Errorf("%v: %T", err, err)
		}
	}
}
