package chaffinch_test

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"chaffinch"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// maxLaterPage is the maximum number of bytes that cleaning a later page of typical size allocates.
const maxLaterPage = 35_000

// typicalPage returns a page of 38 kB: menus, a table, an article, comments.
func typicalPage() []byte {
	var b bytes.Buffer
	b.WriteString(`<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>The ferry to the island</title><meta property="article:published_time" content="2020-01-02T03:04:05Z"></head><body>`)
	for i := range 12 {
		b.WriteString("<ul class=menu>")
		for j := range 10 {
			fmt.Fprintf(&b, `<li class="menu-item menu-item-%d"><a href="https://example.org/section/%d/%d?ref=menu"><span>Section %d</span></a></li>`, j, i, j, j)
		}
		b.WriteString("</ul>\n<script>window.ads = window.ads || []; ads.push({\"id\": \"top\", \"size\": [300, 250]});</script>\n")
	}
	b.WriteString("<table><tr><th>Harbour<th>Time</tr>")
	for i := range 10 {
		fmt.Fprintf(&b, "<tr><td>Harbour %d<td>%d:15</tr>", i, 8+i)
	}
	b.WriteString("</table><article><h1>The ferry to the island</h1>")
	for i := range 100 {
		fmt.Fprintf(&b, "<div class=text><p>On day %d the ferry left the old harbour at nine, with <b>some</b> of the islanders on <a href=\"/x/%d\">deck</a>, although a storm had been announced the evening before, and it was late again.</p></div>\n", i, i)
	}
	b.WriteString("</article></body></html>")
	return b.Bytes()
}

// TestRelease: pages that are released after use have the same text as others, and a later page of
// typical size allocates at most maxLaterPage.
func TestRelease(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would empty the pools
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // each processor has a pool
	c := must.Get(chaffinch.New(chaffinch.Options{}))(t)
	raw := typicalPage()
	first := must.Get(c.Clean(t.Context(), raw))(t)
	want := first.Text()
	if len(want) < 15_000 {
		t.Fatalf("%d bytes of text", len(want))
	}
	c.Release(first)
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := c.Clean(t.Context(), raw)
		must.Succeed(t, err)
		blocks := len(p.Blocks)
		c.Release(p)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
		if p, err = c.Clean(t.Context(), raw); err != nil || p.Text() != want || len(p.Blocks) != blocks {
			t.Fatalf("other text after Release, error %v", err)
		}
	}
	t.Logf("%d bytes of HTML, %d of text: %d bytes allocated", len(raw), len(want), least)
	if least > maxLaterPage && !testkit.Race {
		t.Errorf("a later page of %d bytes allocates %d bytes, wanted at most %d", len(raw), least, maxLaterPage)
	}
}
