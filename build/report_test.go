package build_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestReport opens the report of a build in a browser: each table sorts, text of pages is
// never markup, and removed documents have reasons.
func TestReport(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	must.Write(t, filepath.Join(in, "evil.html"), "<title>Evil</title><p>Menu &lt;script&gt;alert(1)&lt;/script&gt;</p><p>Short &lt;/blockquote&gt;&lt;img src=x onerror=alert(2)&gt; text</p>")
	must.Write(t, filepath.Join(in, "tiny.html"), "<html lang=en><title>Tiny</title><body><h1>Tiny</h1><p>The keeper of the <q>lamp</q> came down from the hill, and he said that nobody had been there &lt;b&gt; for years.</p></body></html>")
	run(t, job(t, whole, in, out, nil))
	b := must.Read(t, filepath.Join(out, "report.html"))
	page := string(b)
	for _, want := range []string{"dedup-onion", "labelled bad by blocks", "gopher_quality.words", "of 8 pages kept", "copied"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if m := regexp.MustCompile(`labelled (good|  by| bad by nobody)|by nobody`).FindString(page); m != "" {
		t.Errorf("a reason %q", m)
	}
	if strings.Contains(page, "<img") || strings.Count(page, "<script") != 1 {
		t.Error("text of a page is markup")
	}
	testkit.BrowseTables(t, page, "samples")
}
