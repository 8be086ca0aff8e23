package crawl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// TestRefreshAndFeeds begins with a page that only refreshes, to a feed that is sent as
// HTML: its pages are crawled, and neither is a page of the corpus.
func TestRefreshAndFeeds(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	const html = "text/html; charset=utf-8"
	feed := `<?xml version="1.0"?><!-- ours --><feed xmlns="http://www.w3.org/2005/Atom" xml:base="/p"><title>The boats of the harbour went out</title>` +
		`<entry xml:base="/x/"><link href="../onlyhere"/><summary>The boats of the harbour went out to the banks in the morning, and came back with the tide late in the evening.</summary></entry></feed>`
	for _, c := range []struct{ name, media, body string }{
		{"Atom", html, feed},
		{"Atom without a type", "", feed},
		{"Atom as text", "text/plain", feed},
		{"RSS", html, "\ufeff <rss version='2.0'><channel><item><link>/onlyhere</link><description>The boats of the harbour went out to the banks.</description></item></channel></rss>"},
		{"no link of its host", html, strings.Replace(feed, `xml:base="/x/"`, `xml:base="http://elsewhere.example/"`, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, net := t.TempDir(), newSmallNet()
			odd := oddNet{net, func(_ context.Context, u weburl.URL) *fetch.Result {
				switch u.Path() {
				case "/":
					return madeAnswer(u, 200, "Content-Type", html, `<!doctype html><title>x</title><meta http-equiv="refresh" content="0; url=news/feed"><script>location.replace("news/feed")</script>`)
				case "/news/feed":
					return madeAnswer(u, 200, "Content-Type", c.media, c.body)
				}
				return nil
			}}
			var report *Result
			synctest.Test(t, func(t *testing.T) {
				cfg := testConfig(dir, odd)
				cfg.Seeds = []string{"http://h0.example/"}
				var err error
				if report, err = Run(t.Context(), cfg); err != nil {
					t.Fatal(err)
				}
			})
			if net.asked["http://h0.example/onlyhere"] == 0 == (c.name != "no link of its host") {
				t.Errorf("the page of the feed was asked for %d times", net.asked["http://h0.example/onlyhere"])
			}
			if report.Reasons[redirect] == 0 || report.Reasons[sitemapOnly] == 0 {
				t.Errorf("%v, want a redirect and a list", report.Reasons)
			}
			if b, err := os.ReadFile(filepath.Join(dir, "text.jsonl")); err != nil || bytes.Contains(b, []byte("/news/feed")) {
				t.Errorf("the feed has a record: %v", err)
			}
		})
	}
}

// TestTypes wants pages that are neither HTML nor text counted by their media types.
func TestTypes(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	odd := oddNet{newSmallNet(), func(_ context.Context, u weburl.URL) *fetch.Result {
		switch u.Path() {
		case "/p5":
			return madeAnswer(u, 200, "Content-Type", "application/PDF; x=y", "%PDF-1.7 of h"+u.Host())
		case "/p6":
			return madeAnswer(u, 200, "X", "y", "\x89PNG\r\n\x1a\n")
		case "/p7":
			return madeAnswer(u, 200, "Content-Type", "text/html", `<!doctype html><title>x</title><div id=root></div><script src=/app.js></script>`)
		}
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		must.Succeed(t, must.Err(Run(t.Context(), testConfig(dir, odd))))
	})
	h := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	if n := h.Snapshot().Reasons["scripted"]; n != netHosts {
		t.Errorf("%d pages whose text only scripts make, want %d: %v", n, netHosts, h.Snapshot().Reasons)
	}
	pdf, web := h.Types["application/pdf"], h.Types[webPages]
	if pdf.Pages != netHosts || pdf.Bytes < 12*netHosts || h.Types["unknown"].Pages != netHosts || web.Pages <= netHosts || web.Bytes <= 0 || len(h.Types) != 3 {
		t.Errorf("%v", h.Types)
	}
	var report bytes.Buffer
	if err := WriteReport(t.Context(), dir, &report); err != nil || strings.Count(report.String(), "application/pdf") != 2 {
		t.Errorf("the report does not name the type: %v", err)
	}
	for i := range 2 * maxTypes {
		h.addType(strings.Repeat("x", i), 1)
	}
	if len(h.Types) > maxTypes+1 {
		t.Errorf("%d types", len(h.Types))
	}
}
