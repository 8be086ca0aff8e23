package manual

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/docs"
	"chaffinch/internal/testkit/must"
)

// get returns the answer to a request for a page.
func get(t *testing.T, name string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, Path+name, nil))
	return w
}

// TestPages renders all pages: each has its title, one page marked in the menu, no pictures, and
// links to embedded pages and existing headings only.
func TestPages(t *testing.T) {
	ids := map[string]map[string]bool{}
	links := map[string][]string{}
	must.Succeed(t, fs.WalkDir(docs.Pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		w := get(t, name)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s: status %d, %s", name, w.Code, w.Header().Get("Content-Type"))
			return nil
		}
		doc := must.Get(html.Parse(w.Body))(t)
		ids[name] = map[string]bool{}
		current := 0
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && n.Data == "img" {
				t.Errorf("%s: a picture", name)
			}
			for _, a := range n.Attr {
				switch a.Key {
				case "id":
					ids[name][a.Val] = true
				case "href":
					links[name] = append(links[name], a.Val)
				case "aria-current":
					current++
				}
			}
		}
		if current != 1 && name != home && name != "glossary.md" {
			t.Errorf("%s: %d pages of the menu are marked", name, current)
		}
		return nil
	}))
	if len(ids) < 60 {
		t.Errorf("%d pages, wanted more", len(ids))
	}
	for name, all := range links {
		for _, to := range all {
			if strings.Contains(to, ":") || strings.Contains(to, "assets/") || strings.HasSuffix(to, "docs") || strings.HasSuffix(to, "manual/") || strings.HasSuffix(to, "/.") {
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if ids[target] == nil {
				t.Errorf("%s: link to %s, which is not embedded", name, to)
			} else if anchor != "" && !ids[target][anchor] {
				t.Errorf("%s: link to %s: no such heading", name, to)
			}
		}
	}
}

// TestMissing: an unknown page is an error, as is a folder.
func TestMissing(t *testing.T) {
	for _, name := range []string{"nothing.md", "guides", "guides/", "../serve.go", "docs.go"} {
		if w := get(t, name); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, wanted %d", name, w.Code, http.StatusNotFound)
		}
	}
}
