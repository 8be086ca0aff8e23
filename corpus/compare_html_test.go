package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit"
)

func page(t *testing.T, c *Comparison) string {
	t.Helper()
	var b, again strings.Builder
	if err := c.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
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

// TestPageParses: the page is well-formed in the eyes of the HTML parser: what
// is written is what is found.
func TestPageParses(t *testing.T) {
	for name, c := range map[string]*Comparison{"site": compared(t, CompareConfig{Collocates: []string{"buy"}}), "hostile": hostile()} {
		src := page(t, c)
		doc, err := html.Parse(strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
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
	chromium := testkit.Tool(t, "chromium")
	const more = `
const table = document.querySelector("#phrases table"), heads = table.tHead.rows[0].cells, first = () => table.tBodies[0].rows[0].cells[0].textContent, out = [];
out.push(first());
heads[0].querySelector("button").click(); out.push(first());
heads[0].querySelector("button").click(); out.push(first());
heads[1].querySelector("button").click(); out.push(first());
heads[1].querySelector("button").click(); out.push(first(), heads[1].getAttribute("aria-sort"));
document.body.dataset.found = out.join("|");
document.body.dataset.wide = document.documentElement.scrollWidth <= innerWidth;`
	sum := sha256.Sum256([]byte(more))
	hash := "'sha256-" + strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;") + "'"
	for name, c := range map[string]*Comparison{
		"zebra|ant|zebra|mouse|ant|ascending": {
			Before: Side{Tokens: 10}, Removed: []*Keywords{{}}, Kept: []*Keywords{{}},
			Phrases: []PhraseChange{{Phrase: "zebra", BeforePerMillion: 1000, Before: 3}, {Phrase: "ant", BeforePerMillion: 20}, {Phrase: "mouse", BeforePerMillion: 9000}},
		},
		"hostile": hostile(),
	} {
		src := page(t, c)
		src = strings.Replace(src, "script-src ", "script-src "+hash+" ", 1)
		src = strings.Replace(src, "</body>", "<script>"+more+"</script></body>", 1)
		dir := t.TempDir()
		file := filepath.Join(dir, "page.html")
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
			"--window-size=500,900", "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom", "file://"+file)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("chromium: %v\n%s", err, errs.String())
		}
		for line := range strings.Lines(errs.String()) {
			if strings.Contains(line, "CONSOLE") {
				t.Errorf("%s: the console says %s", name, line)
			}
		}
		if !strings.Contains(out.String(), `data-ready="yes"`) || !strings.Contains(out.String(), `data-wide="true"`) {
			t.Errorf("%s: the script did not end, or the page is wider than its window", name)
		}
		if name != "hostile" && !strings.Contains(out.String(), `data-found="`+name+`"`) {
			_, found, _ := strings.Cut(out.String(), "data-found=")
			t.Errorf("sorting shows %.80s, want %s", found, name)
		}
	}
}

// TestPlaces: names of the scatter plot do not overlap each other or leave the
// frame.
func TestPlaces(t *testing.T) {
	l := &labels{left: 0, right: 100, top: 0, bottom: 100}
	placed := 0
	for i := range 60 {
		if _, _, _, ok := l.place(float64(i*37%100), float64(i*53%100), "word", 12); ok {
			placed++
		}
	}
	if placed < 5 || placed != len(l.boxes) {
		t.Errorf("%d names in %d boxes", placed, len(l.boxes))
	}
	for i, a := range l.boxes {
		if a[0] < 0 || a[1] < 0 || a[2] > 100 || a[3] > 100 {
			t.Errorf("%v leaves the frame", a)
		}
		for _, b := range l.boxes[:i] {
			if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
				t.Errorf("%v overlaps %v", a, b)
			}
		}
	}
}
