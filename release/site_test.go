package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// outside matches what a page loads from another host.
var outside = regexp.MustCompile(`<(?:script|img|iframe|link [^>]*rel="?(?:stylesheet|preload|icon))[^>]*(?:src|href)="?(?:https?:)?//[^>]*>`)

// typed types a query into the search of the site, again after a second without results: a page
// that is still loading may drop what is typed. It reports whether results are shown.
const typed = `(() => {
	if (document.querySelectorAll(".md-search-result__link").length > 0) return true;
	window.polls = (window.polls || 0) + 1;
	if (window.polls % 50 == 1) {
		const input = document.querySelector(".md-search__input");
		input.focus();
		input.value = window.polls % 100 == 1 ? "logDice" : "logdice";
		input.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}));
	}
	return false;
})()`

// TestSite builds the site and opens it from the folder, without a server: no page loads
// anything from another host, the search finds a page, the menu lists the version, and no page
// is wider than the screen of a phone.
func TestSite(t *testing.T) {
	testkit.Browser(t)
	testkit.Tool(t, "python3")
	if os.Getenv("CI") == "" {
		cache, err := os.UserCacheDir()
		if err == nil {
			_, err = os.Stat(filepath.Join(cache, "chaffinch-site"))
		}
		if err != nil {
			t.Skipf("release/site/build.sh has not installed MkDocs: %v", err)
		}
	}
	out := t.TempDir()
	c := exec.Command("release/site/build.sh", out)
	c.Dir = ".."
	if b, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	var pages []string
	must.Succeed(t, filepath.WalkDir(out, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".html") {
			pages = append(pages, path)
			if found := outside.Find(must.Read(t, path)); found != nil {
				t.Errorf("%s loads from another host: %s", path, found)
			}
		}
		return err
	}))
	if len(pages) < 50 {
		t.Fatalf("%d pages, wanted more", len(pages))
	}
	home := slices.IndexFunc(pages, func(p string) bool { return filepath.Dir(filepath.Dir(p)) == out && filepath.Base(p) == "index.html" })
	tab := testkit.NewTab(t, 1440)
	tab.Go("file://" + pages[home])
	tab.Wait(typed)
	if menu := tab.Eval(`[...document.querySelectorAll(".versions option")].map(o => o.text).join()`); menu != filepath.Base(filepath.Dir(pages[home])) {
		t.Errorf("the menu lists versions %q", menu)
	}
	tab.Width(360)
	for _, name := range []string{"index.html", "docs/index.html", "docs/guides/clean.html", "docs/reference/cql.html", "lab/results/clean.html"} {
		tab.Go("file://" + filepath.Join(filepath.Dir(pages[home]), name))
		if wide := tab.Eval(`document.documentElement.scrollWidth - innerWidth`); wide > "0" {
			t.Errorf("%s is %s pixels wider than the screen of a phone", name, wide)
		}
	}
}
