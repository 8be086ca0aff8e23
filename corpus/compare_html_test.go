package corpus

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func written(t *testing.T, c *Comparison) string {
	t.Helper()
	var b, again strings.Builder
	must.Succeed(t, c.WriteHTML(&b))
	if err := c.WriteHTML(&again); err != nil || again.String() != b.String() {
		t.Error("the same comparison gives other bytes")
	}
	return b.String()
}

// hostile is a comparison whose every string tries to be markup.
func hostile() *Comparison {
	const evil = `"><script>fail()</script><img src=x onerror=fail()> ]]> 漢 עברית`
	keywords := []*Keywords{{Tokens: 10, RefTokens: 10, Smoothing: 1, Rows: []Keyword{{Word: evil, Freq: 3, Scores: []float64{1, 2, 3, 4}}}}}
	return &Comparison{
		Before: Side{Name: evil, Documents: 2, Tokens: 100, Types: 9}, After: Side{Name: evil, Documents: 1, Tokens: 50, Types: 5}, Attr: evil, Notes: []string{evil},
		Phrases:    []PhraseChange{{Phrase: evil, CQL: evil, Before: 4, After: 1, BeforePerMillion: 40000, AfterPerMillion: 20000, Kept: .25}},
		Collocates: []CollocateChange{{Query: evil, CQL: evil, Before: []RankedCollocate{{Word: evil, Rank: 1}}, After: []RankedCollocate{{Word: evil, Rank: 1, OtherRank: 700}}}},
		From:       -5, To: 5, Within: evil, Removed: keywords, Kept: keywords,
		Breakdowns: []BreakdownChange{{Attr: evil, Values: 1, Rows: []PartChange{{Value: evil}}}},
		Documents:  &DocumentChange{Key: evil, Gone: 1, Lost: []PartChange{{Value: "javascript:fail()"}, {Value: "https://x.example/" + evil}}},
		Words:      []WordChange{{Word: evil, Before: 10, After: 1, Kept: .05}, {Word: "b", Before: 5, Kept: 0}, {Word: "c", Before: 500, After: 900, Kept: .9}},
	}
}

// TestPageParses: the page is well-formed for the HTML parser: it finds what was written.
func TestPageParses(t *testing.T) {
	for name, c := range map[string]*Comparison{"site": compared(t, CompareConfig{Collocates: []string{"buy"}}), "hostile": hostile()} {
		src := written(t, c)
		doc := must.Get(html.Parse(strings.NewReader(src)))(t)
		tags := map[string]int{}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			tags[n.Data]++
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
		if tags["script"] != 1 || tags["style"] != 1 || tags["img"] != 0 || tags["svg"] < 5 {
			t.Errorf("%s: %v", name, tags)
		}
		for _, tag := range []string{"svg", "table", "section", "details", "circle", "path"} {
			if open, shut := strings.Count(src, "<"+tag+" ")+strings.Count(src, "<"+tag+">"), strings.Count(src, "</"+tag+">"); open != shut || open != tags[tag] {
				t.Errorf("%s: %d <%s>, %d closed, %d found", name, open, tag, shut, tags[tag])
			}
		}
		for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
			if strings.Contains(src, bad) {
				t.Errorf("%s: the page holds %s", name, bad)
			}
		}
	}
}

// TestPageInBrowser: Chromium finds nothing to complain of, loads nothing, and
// sorts tables.
func TestPageInBrowser(t *testing.T) {
	const more = `
const table = document.querySelector("#phrases table"), heads = table.tHead.rows[0].cells, first = () => table.tBodies[0].rows[0].cells[0].textContent, out = [];
out.push(first());
heads[0].querySelector("button").click(); out.push(first());
heads[0].querySelector("button").click(); out.push(first());
heads[1].querySelector("button").click(); out.push(first());
heads[1].querySelector("button").click(); out.push(first(), heads[1].getAttribute("aria-sort"));
document.body.dataset.found = out.join("|");`
	for name, c := range map[string]*Comparison{
		"zebra|ant|zebra|mouse|ant|ascending": {
			Before: Side{Tokens: 10}, Removed: []*Keywords{{}}, Kept: []*Keywords{{}},
			Phrases: []PhraseChange{{Phrase: "zebra", BeforePerMillion: 1000, Before: 3}, {Phrase: "ant", BeforePerMillion: 20}, {Phrase: "mouse", BeforePerMillion: 9000}},
		},
		"hostile": hostile(),
	} {
		doc := testkit.Browse(t, written(t, c), "", 500, more)
		if found := testkit.BodyData(doc, "found"); name != "hostile" && found != name {
			t.Errorf("sorting shows %.80s, want %s", found, name)
		}
	}
}
