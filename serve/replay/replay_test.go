package replay

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/format/wacz"
	"chaffinch/format/warc"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// archive writes an archive of a page in two captures, of 700 pages of another site, and of a picture.
func archive(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{Packing: warc.Gzip}))(t)
	n := 0
	add := func(address, date, kind, body string) {
		n++
		must.Succeed(t, must.Err(w.Write(warc.Entry{Type: "response", URI: address, Date: date, ID: fmt.Sprintf("<urn:uuid:00000000-0000-0000-0000-%012d>", n), ContentType: "application/http; msgtype=response",
			Block: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body)})))
	}
	add("https://a.example/", "2026-01-01T00:00:00Z", "text/html", "<p>old text")
	add("https://a.example/", "2026-02-01T00:00:00Z", "text/html", "<script>alert(1)</script><p>new text <a href=/picture.png>p</a> <a href=https://www.b.example/7?x=1>b</a>")
	add("https://a.example/picture.png", "2026-01-01T00:00:00Z", "image/png", "x")
	add("https://a.example.evil/", "2026-01-01T00:00:00Z", "text/html", "<p>another host")
	for i := range 700 {
		add(fmt.Sprintf("https://www.b.example/%d?x=1", i), "2026-01-01T00:00:00Z", "text/html; charset=utf-8", fmt.Sprintf("<p>page %d", i))
	}
	name := must.File(t, "a.warc.gz", b.String())
	return name
}

// packed returns the archive as a WACZ file.
func packed(t *testing.T, name string) string {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, must.Err(wacz.Write(t.Context(), &b, wacz.Collection{Archives: []string{name}})))
	out := must.File(t, "a.wacz", b.String())
	return out
}

func handlerOf(t *testing.T, name string) http.Handler {
	t.Helper()
	r := must.Get(wacz.Open(t.Context(), name, func(err error) { t.Error(err) }))(t)
	t.Cleanup(func() { must.Succeed(t, r.Close()) })
	decode := func(_ context.Context, p *page.Page) error {
		p.HTML = string(p.Raw)
		return nil
	}
	return New(Config{Archive: r, MaxPage: 1 << 20, Decode: decode, Explain: func(_ context.Context, p *page.Page) ([]byte, error) { return []byte("blocks of " + p.URL), nil }})
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// TestReplay lists, searches and shows pages, from an archive, from its folder and from a WACZ file.
func TestReplay(t *testing.T) {
	name := archive(t)
	for _, from := range []string{name, filepath.Dir(name), packed(t, name)} {
		h := handlerOf(t, from)
		body := func(path string) string {
			t.Helper()
			w := get(h, path)
			if w.Code != 200 {
				t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
			}
			return w.Body.String()
		}
		first := body("/archive/")
		if !strings.Contains(first, ">https://a.example/<") || strings.Contains(first, "picture") || strings.Count(first, "<tr>") != listed {
			t.Errorf("list of %s:\n%.2000s", from, first)
		}
		seen, next := 0, "/archive/?q=b.example"
		for pages := 0; next != "" && pages < 20; pages++ {
			text := body(next)
			seen += strings.Count(text, "<tr>")
			_, rest, _ := strings.Cut(text, `<p><a href="`)
			next, _, _ = strings.Cut(rest, `" rel="next"`)
			if !strings.Contains(text, `rel="next"`) {
				next = ""
			}
			next = html.UnescapeString(next)
		}
		if seen != 700 {
			t.Errorf("%d pages of b.example, wanted 700", seen)
		}
		if text := body("/archive/?q=a.example"); strings.Contains(text, "evil") || strings.Count(text, "<tr>") != 2 {
			t.Errorf("pages of a.example:\n%s", text)
		}
		if text := body("/archive/?q=https://b.example/69"); strings.Count(text, "<tr>") != 11 {
			t.Errorf("pages by the beginning of an address:\n%s", text)
		}
		if text := body("/archive/?q=" + url.QueryEscape("<script>")); strings.Contains(text, "<script>") || !strings.Contains(text, "No pages with this address") {
			t.Errorf("a search for markup:\n%s", text)
		}
		if text := body("/archive/page?url=https://a.example/"); !strings.Contains(text, "Captured 2026-02-01") || !strings.Contains(text, "time=20260101000000") || !strings.Contains(text, "without images, style sheets, fonts and scripts") {
			t.Errorf("page:\n%s", text)
		}
		w := get(h, "/archive/content?url=https://a.example/")
		if text := w.Body.String(); strings.Contains(text, "alert") || !strings.Contains(text, `<a href="/archive/page?url=https%3A%2F%2Fwww.b.example%2F7%3Fx%3D1" target="_top">b</a>`) || !strings.Contains(text, "not in the archive: https://a.example/picture.png") {
			t.Errorf("content:\n%s", text)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "sandbox ") || strings.Contains(policy, "allow-scripts") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("policy %q", policy)
		}
		if text := body("/archive/content?url=https://a.example/&time=20260101000000"); !strings.Contains(text, "old text") {
			t.Errorf("old capture:\n%s", text)
		}
		if text := body("/archive/blocks?url=https://a.example/"); text != "blocks of https://a.example/" {
			t.Errorf("blocks:\n%s", text)
		}
	}
}

// TestAttacks: addresses lead to archived pages only, and to no files.
func TestAttacks(t *testing.T) {
	h := handlerOf(t, archive(t))
	for _, address := range []string{"", "/etc/passwd", "file:///etc/passwd", "../../etc/passwd", "https://a.example/picture.png", "http://127.0.0.1/", "https://a.example/\r\nX: y", "\x00", strings.Repeat("a", 1<<20)} {
		for _, view := range []string{"page", "content", "blocks"} {
			w := get(h, "/archive/"+view+"?url="+url.QueryEscape(address))
			if w.Code != 404 || w.Header().Get("X") != "" || w.Body.Len() > 4096 {
				t.Errorf("%s of %.100q: status %d, %d bytes", view, address, w.Code, w.Body.Len())
			}
		}
	}
	for _, path := range []string{"/archive/x", "/archive/../v1/about", "/archive/%2e%2e/x"} {
		if w := get(h, path); w.Code != 404 && w.Code != 301 && w.Code != 307 {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
	if w := get(h, "/archive/?from="+url.QueryEscape("\xff\x00\r\n")); w.Code != 200 {
		t.Errorf("a strange start: status %d", w.Code)
	}
}

// TestIndexAttacks: an index that names files outside of the archive, other records and impossible offsets.
func TestIndexAttacks(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.warc.gz")
	must.Write(t, secret, string(must.Read(t, archive(t))))
	name := filepath.Join(dir, "x.wacz")
	f := must.Get(os.Create(name))(t)
	z := zip.NewWriter(f)
	index := must.Get(z.Create("indexes/index.cdxj"))(t)
	for i, at := range []string{`"filename":"../secret.warc.gz","offset":"0"`, `"filename":"` + secret + `","offset":"0"`, `"filename":"a.warc.gz","offset":"-1"`, `"filename":"a.warc.gz","offset":9223372036854775807`, `"filename":"a.warc.gz","offset":0,"length":3`} {
		fmt.Fprintf(index, "example,a)/%d 20260101000000 {\"url\":\"https://a.example/%d\",\"mime\":\"text/html\",\"status\":\"200\",%s}\n", i, i, at)
	}
	stored := must.Get(z.CreateHeader(&zip.FileHeader{Name: "archive/a.warc.gz", Method: zip.Store}))(t)
	stored.Write(must.Read(t, secret))
	must.Succeed(t, z.Close())
	must.Succeed(t, f.Close())
	h := handlerOf(t, name)
	for i := range 5 {
		if w := get(h, fmt.Sprintf("/archive/content?url=https://a.example/%d", i)); w.Code != 422 || strings.Contains(w.Body.String(), "text") && strings.Contains(w.Body.String(), "old text") {
			t.Errorf("capture %d: status %d: %s", i, w.Code, w.Body)
		}
	}
}
