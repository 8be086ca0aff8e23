package structure

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch"
	"chaffinch/format/markdown"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// tree returns a node.
func tree(tag, text string, kids ...*Node) *Node { return &Node{tag, text, kids} }

// TestSimilarity compares trees whose distance was computed by hand.
func TestSimilarity(t *testing.T) {
	row := func(cells ...string) *Node {
		r := tree("tr", "")
		for _, c := range cells {
			r.Kids = append(r.Kids, tree("td", c))
		}
		return r
	}
	for _, c := range []struct {
		name string
		a, b []*Node
		want float64
	}{
		{"nothing", nil, nil, 1},
		{"nothing and one node", nil, []*Node{tree("a", "")}, 0},
		{"another tag", []*Node{tree("a", "x")}, []*Node{tree("b", "x")}, 0},
		{"one of four characters", []*Node{tree("a", "wxyz")}, []*Node{tree("a", "wxy")}, 0.75},
		{"empty text", []*Node{tree("a", "")}, []*Node{tree("a", "wxy")}, 0},
		// 7 nodes and 6: one cell is missing.
		{"missing cell", []*Node{tree("table", "", row("1", "2"), row("3"))}, []*Node{tree("table", "", row("1", "2"), row("3", "4"))}, 1 - 1.0/7},
		// A missing row of 3 nodes of 7.
		{"missing row", []*Node{tree("table", "", row("1", "2"))}, []*Node{tree("table", "", row("1", "2"), row("3", "4"))}, 1 - 3.0/7},
		// The table node is deleted and two are inserted; the larger side has 6 nodes.
		{"joined tables", []*Node{tree("table", "", row("1"), row("2"))}, []*Node{tree("table", "", row("1")), tree("table", "", row("2"))}, 1 - 3.0/6},
		// The item a is deleted; a list around b and the item a around that list are inserted.
		{"lost nesting", []*Node{tree("ul", "", tree("li", "a"), tree("li", "b"))}, []*Node{tree("ul", "", tree("li", "a", tree("ul", "", tree("li", "b"))))}, 1 - 3.0/4},
	} {
		if got := similarity(c.a, c.b); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v (want %v)", c.name, got, c.want)
		}
	}
}

// plainDistance is the edit distance of forests by its recursive definition.
func plainDistance(a, b []*Node) float64 {
	switch {
	case len(a) == 0 && len(b) == 0:
		return 0
	case len(a) == 0:
		return 1 + plainDistance(nil, without(b))
	case len(b) == 0:
		return 1 + plainDistance(without(a), nil)
	}
	x, y := a[len(a)-1], b[len(b)-1]
	return min(1+plainDistance(without(a), b), 1+plainDistance(a, without(b)),
		change(x, y)+plainDistance(x.Kids, y.Kids)+plainDistance(a[:len(a)-1], b[:len(b)-1]))
}

// without returns the forest without its last root, whose children remain.
func without(f []*Node) []*Node {
	return append(append([]*Node{}, f[:len(f)-1]...), f[len(f)-1].Kids...)
}

// TestDistanceRandom compares the algorithm with the definition on small random forests, and
// checks that the distance of the sequences of nodes is a lower bound if all texts are empty.
func TestDistanceRandom(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		forest := func(label string) []*Node {
			open := [][]*Node{nil}
			for range rapid.IntRange(0, 6).Draw(rt, label) {
				n := tree(rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "tag"), "")
				switch last := len(open) - 1; {
				case len(open[last]) > 0 && rapid.Bool().Draw(rt, "down"):
					top := open[last][len(open[last])-1]
					top.Kids = append(top.Kids, n)
				default:
					open[last] = append(open[last], n)
				}
			}
			return open[0]
		}
		a, b := forest("a"), forest("b")
		x, y := index(a), index(b)
		got, want := x.distance(y), plainDistance(a, b)
		if math.Abs(got-want) > 1e-6 {
			rt.Fatalf("%v (want %v)", got, want)
		}
		if bound := sequenceDistance(x.order, y.order); bound > got+1e-6 {
			rt.Fatalf("sequences differ by %v, forests by %v", bound, got)
		}
	})
}

// TestParts finds the parts of Markdown that the measures of WebMainBench compare.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		name string
		part func(string) string
		text string
		want string
	}{
		{"fence", codeOf, "so\n```go\nx := 1\n\ny()\n```\n", "x := 1\n\ny()"},
		{"empty fence", codeOf, "```\n```\n", ""},
		{"indented", codeOf, "so\n\n    a()\n      b()\n\nmore", "a()\n  b()"},
		{"one indented line", codeOf, "so\n\n    a()\n\nmore", ""},
		{"indented list", codeOf, "so\n\n    - a\n    - b\n\nmore", ""},
		{"formulas", formulasOf, "$$\na\n$$ and \\[b\\] and \\(c\\) and `$d$`", "a\nb\nc"},
		{"inline", formulasOf, `a $x$ b \$5 c $y$`, "x\ny"},
		{"prices", formulasOf, "from $5 to $6", "5 to"},
		{"pipes", tablesOf, "| a | |\n| --- | --- |\n| b | c |\n", "<table><tr><th>a</th></tr><tr><td>b</td><td>c</td></tr></table>"},
		{"no rule", tablesOf, "| a |\n| b |\n", ""},
		{"HTML", tablesOf, "so <table><tr><td>a</table></td></tr></table>", "<table><tr><td>a</table>"},
	} {
		must.Equal(t, c.part(c.text), c.want, c.name)
	}
}

// TestCompare computes measures by hand.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name         string
		output, gold string
		measure      Measure
		want         float64 // negative: absent
	}{
		{"text", "abcd", "abxd!", Text, 1 - 2.0/5},
		{"no text", "", "", Text, -1},
		{"no code", "a", "a", CodeEdit, -1},
		{"lost code", "a", "```\nxy\n```", CodeEdit, 0},
		// Cells of 2 and 3 characters: 1 of 3 differs; the tables have 3 nodes.
		{"cell", "| ab |\n| --- |\n", "| abc |\n| --- |\n", TEDS, 1 - (1.0/3)/3},
		// "ab(tr:ab(th:ab))" in brackets and "abc[...": 16 and 19 characters that differ by 3 insertions.
		{"table as one node", "| ab |\n| --- |\n", "| abc |\n| --- |\n", TableRoot, 1 - (3.0/19)/3},
		{"spans", "| a | | b |\n| --- | --- | --- |\n| c | d | e |\n", `<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>`, TEDS, 1},
		{"no header", "|  |\n| --- |\n| a |\n", "<table><tr><td>a</td></tr></table>", TEDS, 1},
		{"ordered", "1. a\n2. b\n", "- a\n- b\n", Lists, 1 - 1.0/3},
		{"nested", "- a\n- b\n", "- a\n  - b\n", Lists, 1 - 3.0/4},
		{"footnote", "x[^1]\n\n[^1]: note\n", "x[^a]\n\n[^a]: note", Footnotes, 1},
		{"footnote without reference", "x\n\n[^1]: note\n", "x[^a]\n\n[^a]: note", Footnotes, 0.5},
		{"callout", "> [!NOTE]\n> text\n", "> [!note] text\n", Callouts, 1},
		{"kind", "> [!TIP]\n> text\n", "> [!note] text\n", Callouts, 0.5},
	} {
		got, ok := compare(c.output, c.gold)[c.measure]
		if ok != (c.want >= 0) || ok && math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v %v (want %v)", c.name, got, ok, c.want)
		}
	}
	pages := []Scores{{Text: 1, CodeEdit: 0.5}, {Text: 0.5}}
	if m := meansOf(pages); m.Mean[Text] != 0.75 || m.Pages[CodeEdit] != 1 || math.Abs(m.Overall-(0.75+0.5)/5) > 1e-9 {
		t.Errorf("means: %+v", m)
	}
}

// TestPages writes the pages in testdata as Markdown. Each has the expected Markdown beside it.
func TestPages(t *testing.T) {
	c := must.Get(chaffinch.New(chaffinch.Options{Method: "keep", Markup: true}))(t)
	pages := must.Get(filepath.Glob("testdata/*.html"))(t)
	if len(pages) < 20 {
		t.Fatalf("%d pages (want at least 20)", len(pages))
	}
	for _, name := range pages {
		html := must.Read(t, name)
		p := must.Get(c.Clean(t.Context(), html))(t)
		got := string(markdown.Encoder{}.Append(nil, p))
		want := must.Read(t, strings.TrimSuffix(name, ".html")+".md")
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}
