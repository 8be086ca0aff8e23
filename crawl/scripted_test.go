package crawl

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chaffinch"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/render"
	"chaffinch/format/warc"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// cleanScripted cleans a page and returns whether its scripts would be run, and its text.
func cleanScripted(t *testing.T, cleaner *chaffinch.Cleaner, src string) (selected bool, kept string) {
	t.Helper()
	p := &page.Page{URL: "https://news.example/story", MIME: "text/html", HTTPCharset: "utf-8", Raw: []byte(src)}
	must.Succeed(t, cleaner.Do(t.Context(), p))
	kept = keptText(p)
	c := &crawl{cfg: Config{Render: RenderAuto, Renderer: &fakeBrowser{}}}
	return c.needsRendering(&result{page: &pageEvent{}}, p), kept
}

// TestScriptedDecision fails if --render auto misses more pages whose text only scripts write, or selects
// more others, than at the last measurement. It prints the table of lab/results/crawl.md.
func TestScriptedDecision(t *testing.T) {
	cleaner := must.Get(chaffinch.New(chaffinch.Options{Links: true}))(t)
	type counts struct{ pages, needs, found, wrong int }
	kinds := map[string]*counts{}
	var order []string
	var sum counts
	for _, p := range scriptedPages() {
		selected, kept := cleanScripted(t, cleaner, p.html)
		if n := len(strings.Fields(kept)); !p.needs && p.kind == "JSON state" && n < 100 {
			t.Errorf("%s, %s: %d words of the state were read", p.kind, p.name, n)
		}
		k := kinds[p.kind]
		if k == nil {
			k = &counts{}
			kinds[p.kind] = k
			order = append(order, p.kind)
		}
		for _, c := range []*counts{k, &sum} {
			c.pages++
			switch {
			case p.needs && selected:
				c.needs++
				c.found++
			case p.needs:
				c.needs++
			case selected:
				c.wrong++
			}
		}
		if selected != p.needs {
			t.Logf("%s, %s: selected %t", p.kind, p.name, selected)
		}
	}
	table := "| pages | number | need scripts | of these selected | others selected |\n|---|---|---|---|---|\n"
	for _, kind := range append(order, "all") {
		c := &sum
		if kind != "all" {
			c = kinds[kind]
		}
		table += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", kind, c.pages, c.needs, c.found, c.wrong)
	}
	recall, precision := float64(sum.found)/float64(sum.needs), float64(sum.found)/float64(sum.found+sum.wrong)
	t.Logf("recall %.3f, precision %.3f\n%s", recall, precision, table)
	if recall < .93 || precision < .93 {
		t.Errorf("recall %.3f, precision %.3f, wanted at least .93 each", recall, precision)
	}
}

// TestScriptedPages checks with a browser that the pages of TestScriptedDecision need scripts as stated.
func TestScriptedPages(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("a minute of rendering")
	}
	testkit.Browser(t)
	cleaner := must.Get(chaffinch.New(chaffinch.Options{Links: true}))(t)
	r := render.Default
	r.NoSandbox = os.Geteuid() == 0
	pool := must.Get(render.New(r))(t)
	defer pool.Close()
	u := must.Get(weburl.Parse("https://news.example/story", nil))(t)
	none := func(context.Context, weburl.URL, string) (*fetch.Result, error) {
		return netResult(u, 404, nil, "", time.Now()), nil
	}
	for _, p := range scriptedPages() {
		doc := netResult(u, 200, warc.Header{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}, p.html, time.Now())
		res, err := pool.Render(t.Context(), render.Page{URL: u, Document: doc, Fetch: none})
		if err != nil {
			t.Errorf("%s, %s: %v", p.kind, p.name, err)
			continue
		}
		_, before := cleanScripted(t, cleaner, p.html)
		_, after := cleanScripted(t, cleaner, res.HTML)
		if gains := len(after)-len(before) >= minGain; gains != p.needs {
			t.Errorf("%s, %s: %d bytes of text without scripts, %d with them, wanted a gain: %t", p.kind, p.name, len(before), len(after), p.needs)
		}
	}
}
