package extract_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// portal returns a page as news portals are made: menus, scripts, styles, an
// article, comments.
func portal() []byte {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>` +
		`<meta property="article:published_time" content="2020-01-02T03:04:05Z"><style>` + strings.Repeat(".menu a{color:#123;padding:0 1em}\n", 200) + `</style></head><body>`)
	for i := range 60 {
		fmt.Fprintf(&b, "<ul class=\"menu level%d\">\n", i)
		for j := range 8 {
			fmt.Fprintf(&b, "\t<li class=\"menu-item menu-item-%d\"><a href=\"https://example.org/section/%d/%d?ref=menu\" title=\"Go there\"><span>Section %d</span></a></li>\n", j, i, j, j)
		}
		b.WriteString("</ul>\n<script>window.ads = window.ads || []; if (a < b) { ads.push({\"id\": \"top\", \"size\": [300, 250]}); }</script>\n")
	}
	for i := range 200 {
		fmt.Fprintf(&b, "<div class=\"text\"><p>Paragraph %d of the article says &ldquo;what happened&rdquo; in the caf\u00e9 on the square, with <b>some</b> words in <a href=\"/x/%d\">links</a> and a good deal of plain text after them, as articles have.<br>\nIt goes on for a second line &mdash; and ends.</p></div>\n", i, i)
	}
	b.WriteString("</body></html>")
	return []byte(b.String())
}

func BenchmarkExtract(b *testing.B) {
	bench(b, extract.Default, [][]byte{portal()})
}

// BenchmarkExtractInline records inline markup too.
func BenchmarkExtractInline(b *testing.B) {
	cfg := extract.Default
	cfg.Inline = true
	bench(b, cfg, [][]byte{portal()})
}

// BenchmarkExtractPages reads sets of real pages, without and with inline
// markup.
func BenchmarkExtractPages(b *testing.B) {
	inline := extract.Default
	inline.Inline = true
	for _, set := range []string{"cleaneval-en-dev", "daniel", "wcxb-dev"} {
		var pages [][]byte
		goldSet(b, testkit.Data(b, "eval/"+set+".tar.zst"), func(_ string, html []byte, _ string) { pages = append(pages, html) })
		b.Run(set, func(b *testing.B) { bench(b, extract.Default, pages) })
		b.Run(set+"/inline", func(b *testing.B) { bench(b, inline, pages) })
	}
}

// bench extracts all pages in each round.
func bench(b *testing.B, cfg extract.Config, pages [][]byte) {
	e := must.Get(extract.New(cfg))(b)
	var n int64
	for _, raw := range pages {
		n += int64(len(raw))
	}
	b.SetBytes(n)
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range pages {
			p := &page.Page{Raw: raw, MIME: "text/html"}
			must.Succeed(b, e.Do(context.Background(), p))
		}
	}
	b.ReportMetric(float64(len(pages))*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}
