package release_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	testTry(t, filepath.Dir(pages[home]))
	tab := testkit.NewTab(t, 1440)
	tab.Go("file://" + pages[home])
	tab.Wait(typed)
	if menu := tab.Eval(`[...document.querySelectorAll(".versions option")].map(o => o.text).join()`); menu != filepath.Base(filepath.Dir(pages[home])) {
		t.Errorf("the menu lists versions %q", menu)
	}
	tab.Width(360)
	for _, name := range []string{"index.html", "try.html", "docs/index.html", "docs/guides/clean.html", "docs/reference/cql.html", "lab/results/clean.html"} {
		tab.Go("file://" + filepath.Join(filepath.Dir(pages[home]), name))
		if wide := tab.Eval(`document.documentElement.scrollWidth - innerWidth`); wide > "0" {
			t.Errorf("%s is %s pixels wider than the screen of a phone", name, wide)
		}
	}
}

// testTry cleans the example on the page with the cleaner, from a folder and from a server. The
// page cleans without a request.
func testTry(t *testing.T, folder string) {
	var requests sync.Map // paths
	files := http.FileServer(http.Dir(filepath.Dir(folder)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Store(r.URL.Path, true)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for _, from := range []string{"file://" + folder, server.URL + "/" + filepath.Base(folder)} {
		tab := testkit.NewTab(t, 1440)
		tab.Go(from + "/try.html")
		tab.Eval(`reader.readAsArrayBuffer(new Blob([window.example]))`) // a file that is chosen while the cleaner loads
		tab.Wait(`document.querySelectorAll("#try-blocks .kept").length > 5`)
		tab.Wait(`!document.getElementById("try-clean").disabled`)
		requests.Clear()
		tab.Eval(`document.getElementById("try-example").click()`)
		tab.Wait(`document.querySelectorAll("#try-blocks .kept").length > 5`)
		if text := tab.Eval(`document.querySelector("#try-blocks .dropped").textContent`); !strings.Contains(text, "Harbour Gazette") {
			t.Errorf("%s: the first dropped block is %q", from, text)
		}
		tab.Eval(`document.querySelector("[data-view=markdown]").click()`)
		if text := tab.Eval(`document.getElementById("try-text").textContent`); !strings.HasPrefix(text, "# The ferry") || strings.Contains(text, "Privacy") {
			t.Errorf("%s: Markdown %q", from, text)
		}
		requests.Range(func(path, _ any) bool {
			if name := filepath.Base(path.(string)); name != "search_index.json" && name != "logo.svg" { // of the theme
				t.Errorf("%s: cleaning requests %s", from, path)
			}
			return true
		})
		if csp := tab.Eval(`document.querySelector("meta[http-equiv=Content-Security-Policy]").content`); !strings.Contains(csp, "connect-src 'self'") {
			t.Errorf("%s: the page may send: %q", from, csp)
		}
	}
}
