package serve

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// maxView is the most bytes that the files of the page may have together, as a browser
// loads them: packed.
const maxView = 120_000

// TestView holds the page to what its policy and its users need: it is small, asks
// nobody but the server, and has no script or style where text of a page could become one.
func TestView(t *testing.T) {
	bans := []struct {
		what string
		in   string // suffixes of names
		re   *regexp.Regexp
	}{
		{"HTML made of text", ".js", regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc`)},
		{"code made of text", ".js", regexp.MustCompile(`\beval\b|new Function|setTimeout\(["'` + "`]" + `|javascript:`)},
		{"a style attribute", ".js", regexp.MustCompile(`["']style["']|cssText`)},
		{"an inline handler", ".html", regexp.MustCompile(`(?i)\son\w+\s*=`)},
		{"an inline style", ".html", regexp.MustCompile(`(?i)<style|\sstyle\s*=`)},
		{"an inline script", ".html", regexp.MustCompile(`(?i)<script(?:[^>]*[^/>])?>[^<]`)},
		{"an address elsewhere", ".html .css .js", regexp.MustCompile(`(?i)(?:src|href|url|import|from)[\s=(:]*["'(]?\s*(?:https?:)?//`)},
		{"a file from elsewhere", ".css", regexp.MustCompile(`@import|url\([^)]*[:/]`)},
	}
	size := 0
	names := map[string]bool{}
	var texts []string
	must.Succeed(t, fs.WalkDir(view, "view", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := view.ReadFile(name)
		if err != nil {
			return err
		}
		size += len(pack(b))
		names[d.Name()] = true
		texts = append(texts, string(b))
		for _, ban := range bans {
			if strings.Contains(ban.in, name[strings.LastIndex(name, "."):]) {
				if found := ban.re.Find(b); found != nil {
					t.Errorf("%s: %s: %q", name, ban.what, found)
				}
			}
		}
		return nil
	}))
	if size > maxView {
		t.Errorf("the page has %d bytes packed, at most %d", size, maxView)
	}
	for _, name := range []string{"index.html", "docs.html", "page.css", "app.js", "docs.js"} {
		if !names[name] {
			t.Errorf("no %s", name)
		}
	}
	// what one file names is there, and each file is named
	named := regexp.MustCompile(`["'](?:\./|assets/)([\w.-]+)["']`)
	used := map[string]bool{"index.html": true, "docs.html": true, "manual.css": true} // manual.css: serve/manual
	for _, text := range texts {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if used[m[1]] = true; !names[m[1]] {
				t.Errorf("%s is named, but not there", m[1])
			}
		}
	}
	for name := range names {
		if !used[name] {
			t.Errorf("%s is there, but no file names it", name)
		}
	}
}

// TestPacked: a client that takes gzip gets the same file packed, under another tag.
func TestPacked(t *testing.T) {
	files := must.Get(assets())(t)
	a := files["app.js"]()
	for accept, packed := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.000, br": false, "deflate": false, "GZIP, deflate, br": true} {
		r := httptest.NewRequest(http.MethodGet, "/assets/app.js", nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		a.serve(w, r)
		body, tag := w.Body.Bytes(), w.Header().Get("ETag")
		if (w.Header().Get("Content-Encoding") == "gzip") != packed || strings.Contains(tag, "gzip") != packed {
			t.Errorf("%q: encoding %q, tag %s", accept, w.Header().Get("Content-Encoding"), tag)
		}
		if packed {
			z, err := gzip.NewReader(w.Body)
			must.Succeed(t, err)
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(body, a.body) {
			t.Errorf("%q: another file", accept)
		}
		r.Header.Set("If-None-Match", tag)
		w = httptest.NewRecorder()
		if a.serve(w, r); w.Code != http.StatusNotModified {
			t.Errorf("%q: %d for a file that the client has", accept, w.Code)
		}
	}
}

// TestViewTypes: the media types of the page do not depend on the machine, where the type of .js may be
// text/plain, with which browsers run no script.
func TestViewTypes(t *testing.T) {
	for ext, usual := range map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"} {
		must.Succeed(t, mime.AddExtensionType(ext, "text/plain"))
		t.Cleanup(func() { mime.AddExtensionType(ext, usual) })
	}
	s := start(t, Config{Lazy: true})
	for name, want := range map[string]string{"": "text/html; charset=utf-8", "docs": "text/html; charset=utf-8", "assets/app.js": "text/javascript; charset=utf-8", "assets/page.css": "text/css; charset=utf-8", "assets/finch.svg": "image/svg+xml"} {
		if a, _ := s.get(t, "/"+name); a.StatusCode != 200 || a.Header.Get("Content-Type") != want {
			t.Errorf("/%s: status %d, %s", name, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
}
