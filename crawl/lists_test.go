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
	"chaffinch/crawl/weburl"
	"chaffinch/internal/disk"
)

// TestRefreshAndFeeds begins with a page that only refreshes, to a feed that is sent as
// HTML: its pages are crawled, and neither is a page of the corpus.
func TestRefreshAndFeeds(t *testing.T) {
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
					return madeAnswer(u, 200, "Content-Type", html, `<!doctype html><title>x</title><meta http-equiv="refresh" content="0; url=news/feed">`)
				case "/news/feed":
					return madeAnswer(u, 200, "Content-Type", c.media, c.body)
				}
				return nil
			}}
			var report *Report
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
