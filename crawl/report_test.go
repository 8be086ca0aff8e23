package crawl

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// begun crawls some pages of the small web and returns the folder.
func begun(t *testing.T, pages int64) string {
	t.Helper()
	disk.Lazy()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(dir, newSmallNet())
		cfg.MaxPages, cfg.Connections = pages, 1
		must.Succeed(t, must.Err(Run(t.Context(), cfg)))
	})
	return dir
}

// TestReport looks at the report of a crawl in a browser: its curve is there, its
// tables sort, nothing is wider than the window.
func TestReport(t *testing.T) {
	var out bytes.Buffer
	must.Succeed(t, WriteReport(t.Context(), begun(t, 40), &out))
	page := out.String()
	for _, want := range []string{"from 40 pages", "http://h0.example", "opt-out", "corpus@example.org", `class="curve held"`, "all pages"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Count(page, "<script") != 1 {
		t.Error("more than one script")
	}
	testkit.BrowseTables(t, page, "yield")
	if err := WriteReport(t.Context(), t.TempDir(), &out); err == nil {
		t.Error("a folder without a crawl has a report")
	}
}

// TestExpand wants hosts that were not asked, with who names them, the most promising
// first.
func TestExpand(t *testing.T) {
	dir := begun(t, 4)
	list := must.Get(Expand(t.Context(), dir))(t)
	h := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	asked := map[string]bool{}
	for _, s := range h.Sites {
		asked[s.Origin] = s.Pages > 0 || s.Failures > 0 || s.RobotsAt > 0
	}
	if len(list) == 0 {
		t.Fatal("no host is proposed")
	}
	for _, p := range list {
		origin := strings.TrimSuffix(p.URL, "/")
		if was, ok := asked[origin]; !ok || was {
			t.Errorf("%s is proposed, known %t, asked %t", p.URL, ok, was)
		}
		if p.Sites < 1 || p.Expected <= 0 || p.Expected > 1 || strings.HasPrefix(p.From, origin) {
			t.Errorf("%+v", p)
		}
	}
	if !slices.IsSortedFunc(list, func(a, b Proposal) int { return cmp.Compare(b.Expected, a.Expected) }) {
		t.Errorf("not in order: %+v", list)
	}
}
