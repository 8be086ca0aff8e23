package plagiarism

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func reportPage(t *testing.T, r *ReportPage) string {
	t.Helper()
	var b, again strings.Builder
	must.Succeed(t, r.WriteHTML(&b))
	if err := r.WriteHTML(&again); err != nil || again.String() != b.String() {
		t.Error("the same report gives other bytes")
	}
	return b.String()
}

func essayReport(t *testing.T) *ReportPage {
	t.Helper()
	return search(t, DefaultTask, essays(t).All).Report("essays", func(a, b string) []Passage { return Align(a, b, DefaultAlign) })
}

const evil = `"><script>fail()</script><img src=x onerror=fail()> ]]> {{.}} 漢 עברית` + "\x00\xff"

// hostile is a report whose every string tries to be markup, with passages
// beyond all ends.
func hostile() *ReportPage {
	return &ReportPage{Title: evil, Notes: []string{evil}, Unfound: []ReportText{{ID: evil, Note: evil}}, Pairs: []ReportPair{{
		Suspicious: ReportText{ID: evil, Text: evil}, Source: ReportText{ID: evil, Text: evil}, Similarity: -1, Note: evil, Wrong: true,
		Passages: []Passage{{SuspiciousStart: -5, SuspiciousEnd: 1000, SourceStart: 3, SourceEnd: 9, Score: 1}, {SuspiciousStart: 8, SuspiciousEnd: 12, SourceStart: 900, SourceEnd: 1000}},
	}, {Similarity: 0}}}
}

// long is a report of a text of 3 MB with one passage in it.
func long() *ReportPage {
	a := strings.Repeat("Žlutý kůň. ", 130_000)
	return &ReportPage{Title: "long", Pairs: []ReportPair{{Suspicious: ReportText{ID: "a", Text: a + "The same words here." + a}, Source: ReportText{ID: "b", Text: "The same words here."},
		Passages: []Passage{{SuspiciousStart: 130_000 * 11, SuspiciousEnd: 130_000*11 + 20, SourceStart: 0, SourceEnd: 20, Score: 1}}}}}
}

// TestReportParses: what is written is what the HTML parser finds: no markup of
// the texts, nothing that loads, and every link leads somewhere.
func TestReportParses(t *testing.T) {
	for name, r := range map[string]*ReportPage{"essays": essayReport(t), "hostile": hostile(), "long": long(), "empty": {}} {
		src := reportPage(t, r)
		doc := must.Get(html.Parse(strings.NewReader(src)))(t)
		tags, ids := map[string]int{}, map[string]bool{}
		var links []string
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			tags[n.Data]++
			for _, a := range n.Attr {
				switch {
				case a.Key == "id" && ids[a.Val]:
					t.Errorf("%s: id %s stands twice", name, a.Val)
				case a.Key == "id":
					ids[a.Val] = true
				case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
					links = append(links, a.Val[1:])
				case strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href":
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
		for _, l := range links {
			if !ids[l] {
				t.Errorf("%s: a link leads to %s, which is nowhere", name, l)
			}
		}
		if tags["script"] != 1 || tags["style"] != 1 || tags["img"] != 0 || tags["section"] < len(r.Pairs) {
			t.Errorf("%s: %v", name, tags)
		}
		for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
			if strings.Contains(src, bad) {
				t.Errorf("%s: the page holds %s", name, bad)
			}
		}
		if len(src) > 200_000 {
			t.Errorf("%s: %d bytes", name, len(src))
		}
	}
	if src := reportPage(t, long()); !strings.Contains(src, "1424134 characters …") || !strings.Contains(src, "The same words here.</a>") {
		t.Error("the long text is not cut beside its passage")
	}
}

// TestRuns: the runs of both sides are the text, each passage has a place on
// both sides, and what stands under a passage belongs to one that is there.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const letters = "aé漢😀 \n"
	text := func() string {
		r := []rune(letters)
		out := make([]rune, rng.IntN(40))
		for i := range out {
			out[i] = r[rng.IntN(len(r))]
		}
		return string(out)
	}
	for range 3000 {
		p := &ReportPair{Suspicious: ReportText{Text: text()}, Source: ReportText{Text: text()}}
		for range rng.IntN(6) {
			at := func() (int, int) { a := rng.IntN(40); return a, a + rng.IntN(15) }
			var x Passage
			x.SuspiciousStart, x.SuspiciousEnd = at()
			x.SourceStart, x.SourceEnd = at()
			p.Passages = append(p.Passages, x)
		}
		row := newReportRow(p, 1)
		for side, text := range map[string]string{"a": p.Suspicious.Text, "b": p.Source.Text} {
			var got strings.Builder
			places := map[string]int{}
			at := 0
			for _, x := range row.runs(text, side) {
				got.WriteString(x.Text)
				if x.ID != "" {
					places[x.ID]++
				}
				for _, m := range x.Marks {
					places[m]++
				}
				end := at + len([]rune(x.Text))
				inside := false
				for i, s := range row.spans(side) {
					if s.start <= at && end <= s.end {
						inside = inside || x.Passage == i+1
					} else if s.start < end && at < s.end {
						t.Fatalf("a run crosses the border of a passage")
					}
				}
				if inside != (x.Passage > 0) {
					t.Fatalf("run %+v belongs to no passage", x)
				}
				at = end
			}
			if got.String() != text {
				t.Fatalf("%q, want %q", got.String(), text)
			}
			for i := range row.passages {
				if n := places[fmt.Sprintf("p1-%d%s", i+1, side)]; n != 1 {
					t.Fatalf("passage %d has %d places on side %s", i+1, n, side)
				}
			}
		}
	}
}

// TestFragments: joined they are the text, and the words that are not known
// stand alone.
func TestFragments(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a b": "a b", "A, с.": "A, с.", "a x b": "a [x] b", "x": "[x]", "x y": "[x] [y]", "...": "...", "žluť a\xff": "[žluť] a\xff",
	} {
		got := ""
		for _, f := range fragments(text, map[string]bool{"a": true, "b": true, "c": true}) {
			if f.Own {
				f.Text = "[" + f.Text + "]"
			}
			got += f.Text
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestReportInBrowser: Chromium finds nothing to complain of; a click on a
// passage brings its partner to the same height and marks both; tables sort.
func TestReportInBrowser(t *testing.T) {
	filler := strings.Repeat("Nobody has copied this sentence from anywhere. ", 120)
	shared := "The ferry left the harbour before noon with nine sheep on board."
	at := func(s string) int { return strings.Index(s, shared) }
	r := essayReport(t)
	a, b := shared+" "+filler, filler+shared
	r.Pairs = append([]ReportPair{{Suspicious: ReportText{ID: "front", Text: a}, Source: ReportText{ID: "back", Text: b}, Similarity: 0.5,
		Passages: []Passage{{SuspiciousStart: at(a), SuspiciousEnd: at(a) + len(shared), SourceStart: at(b), SourceEnd: at(b) + len(shared), Score: 1}}}}, r.Pairs...)
	const more = `
const from = document.getElementById("p1-1a"), to = document.getElementById("p1-1b"), pane = to.closest(".pane"), before = pane.scrollTop;
from.click();
document.body.dataset.clicked = [before, pane.scrollTop > 100, Math.abs(to.getBoundingClientRect().top - from.getBoundingClientRect().top) < 3 || pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1, location.hash, document.querySelectorAll(".on").length].join(" ");
const head = document.querySelectorAll("#pairs th button")[2], first = () => document.querySelector("#pairs tbody td.n").textContent;
head.click(); const most = first(); head.click();
document.body.dataset.sorted = most + " " + first();`
	for _, width := range []int{1300, 500} {
		doc := testkit.Browse(t, reportPage(t, r), "", width, more)
		if got := testkit.BodyData(doc, "clicked"); width > 1000 && got != "0 true true #p1-1b 2" {
			t.Errorf("a click: %q", got)
		} else if !strings.HasSuffix(got, "#p1-1b 2") {
			t.Errorf("a click in a narrow window: %q", got)
		}
		if got := testkit.BodyData(doc, "sorted"); got != "0.83 0.28" {
			t.Errorf("sorted: %q", got)
		}
	}
	testkit.Browse(t, reportPage(t, hostile()), "p1-1b", 1300)
}

// TestReportLimit: pairs beyond the limit are counted.
func TestReportLimit(t *testing.T) {
	r := &ReportPage{Title: "many", Pairs: make([]ReportPair, MaxReportPairs+3)}
	if src := reportPage(t, r); !strings.Contains(src, "3 more pairs are not shown.") || strings.Contains(src, `id="p1001"`) {
		t.Error("the limit is not kept, or not told")
	}
}

// TestReportColumns: a column without a value is not there, and every row has as
// many cells as the head.
func TestReportColumns(t *testing.T) {
	pair := func(similarity float64, note string) ReportPair {
		return ReportPair{Suspicious: ReportText{ID: "a", Text: "a"}, Source: ReportText{ID: "b", Text: "b"}, Similarity: similarity, Note: note}
	}
	for name, x := range map[string]struct {
		pairs []ReportPair
		want  int
	}{
		"neither": {[]ReportPair{pair(-1, ""), pair(-1, "")}, 5}, "similarity": {[]ReportPair{pair(-1, ""), pair(0, "")}, 6},
		"remark": {[]ReportPair{pair(-1, "x"), pair(-1, "")}, 6}, "both": {[]ReportPair{pair(0.5, "x")}, 7},
	} {
		doc := must.Get(html.Parse(strings.NewReader(reportPage(t, &ReportPage{Pairs: x.pairs}))))(t)
		rows := 0
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode || n.Data != "tr" {
				continue
			}
			rows++
			cells := 0
			for c := range n.ChildNodes() {
				if c.Data == "th" || c.Data == "td" {
					cells++
				}
			}
			if cells != x.want {
				t.Errorf("%s: row %d has %d cells, want %d", name, rows, cells, x.want)
			}
		}
		if rows != len(x.pairs)+1 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}
