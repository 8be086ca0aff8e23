package serve

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/testkit/must"
)

// packers pack a body as a Content-Encoding says.
var packers = map[string]func(w io.Writer) io.WriteCloser{
	"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"x-gzip":  func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zstd":    func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
}

func packedAs(t *testing.T, coding, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := packers[coding](&b)
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, w.Close())
	return b.String()
}

// TestContentEncoding: packed bodies are answered as unpacked ones, on all paths, within the
// budget.
func TestContentEncoding(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 4 << 20}})
	_, want := s.post(t, "/v1/clean", "text/html", article)
	line := `{"id":"a","text":"A finch drinks water, early in the morning, when nobody is awake."}` + "\n"
	_, wantLine := s.post(t, "/v1/batch", "application/x-ndjson", line)
	for coding := range packers {
		if a, got := s.post(t, "/v1/clean", "text/html", packedAs(t, coding, article), "Content-Encoding: "+coding); a.StatusCode != 200 || got != want {
			t.Errorf("%s: status %d: %s", coding, a.StatusCode, got)
		}
		if a, got := s.post(t, "/v1/batch", "application/x-ndjson", packedAs(t, coding, line), "Content-Encoding: "+coding); a.StatusCode != 200 || got != wantLine {
			t.Errorf("batch, %s: status %d: %s", coding, a.StatusCode, got)
		}
		for _, path := range []string{"/v1/detect", "/v1/tokenize", "/v1/perplexity", "/v1/filter?rules=c4", "/v1/explain"} {
			_, want := s.post(t, path, "text/plain", "A finch drinks water, early in the morning.")
			if a, got := s.post(t, path, "text/plain", packedAs(t, coding, "A finch drinks water, early in the morning."), "Content-Encoding: "+coding); a.StatusCode != 200 || got != want {
				t.Errorf("%s, %s: status %d: %.200s", path, coding, a.StatusCode, got)
			}
		}
		bomb := packedAs(t, coding, strings.Repeat("<p>", 2<<20))
		if a, got := s.post(t, "/v1/clean", "text/html", bomb, "Content-Encoding: "+coding); a.StatusCode != 413 {
			t.Errorf("%s of 6 MB in %d bytes: status %d: %.200s", coding, len(bomb), a.StatusCode, got)
		}
	}
	twice := packedAs(t, "gzip", packedAs(t, "br", article))
	if a, got := s.post(t, "/v1/clean", "text/html", twice, "Content-Encoding: br, gzip"); a.StatusCode != 200 || got != want {
		t.Errorf("twice: status %d: %s", a.StatusCode, got)
	}
	var raw bytes.Buffer
	w, _ := flate.NewWriter(&raw, 6)
	io.WriteString(w, article)
	w.Close()
	if a, got := s.post(t, "/v1/clean", "text/html", raw.String(), "Content-Encoding: deflate"); a.StatusCode != 200 || got != want {
		t.Errorf("deflate without a head: status %d: %s", a.StatusCode, got)
	}
	for _, c := range []struct {
		coding, body string
		status       int
		says         string
	}{
		{"compress", article, 415, "wanted one of gzip, deflate, br, zstd"},
		{"gzip, gzip, gzip, gzip", article, 415, "wanted fewer"},
		{"gzip", packedAs(t, "gzip", article)[:200], 400, "Content-Encoding gzip"},
		{"zstd", packedAs(t, "zstd", article)[:100], 400, "body"},
		{"gzip", packedAs(t, "gzip", strings.Repeat(article, 8000)), 413, "wanted at most 4194304 bytes"},
		{"identity", article, 200, ""},
	} {
		if a, got := s.post(t, "/v1/clean", "text/html", c.body, "Content-Encoding: "+c.coding); a.StatusCode != c.status || !strings.Contains(got, c.says) {
			t.Errorf("%s: status %d, wanted %d with %q: %.300s", c.coding, a.StatusCode, c.status, c.says, got)
		}
	}
	if a, got := s.post(t, "/v1/batch", "application/x-ndjson", packedAs(t, "gzip", line)[:40], "Content-Encoding: gzip"); a.StatusCode != 400 || !strings.Contains(got, "body") {
		t.Errorf("a cut batch: status %d: %s", a.StatusCode, got)
	}
	if n := s.gate.Stats().BodyBytes; n != 0 {
		t.Errorf("%d bytes of bodies are still counted", n)
	}
}

// formBody makes a multipart form; fields are "name=value", files "@name=content".
func formBody(parts ...string) (kind, body string) {
	var b strings.Builder
	for _, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		file := ""
		if strings.HasPrefix(name, "@") {
			name, file = name[1:], "; filename=\"page.html\"\r\nContent-Type: text/html"
		}
		fmt.Fprintf(&b, "--x\r\nContent-Disposition: form-data; name=%q%s\r\n\r\n%s\r\n", name, file, value)
	}
	b.WriteString("--x--\r\n")
	return "multipart/form-data; boundary=x", b.String()
}

// TestForms: a form is answered as its file alone, whatever the field is called; what cannot be
// used is refused with what would do.
func TestForms(t *testing.T) {
	s := start(t, Config{})
	for _, path := range []string{"/v1/clean", "/v1/detect", "/v1/filter?rules=c4", "/v1/tokenize", "/v1/perplexity", "/v1/explain", "/v1/render"} {
		_, want := s.post(t, path, "text/html", article)
		for _, parts := range [][]string{{"@file=" + article}, {"@upload=" + article}, {"@empty=", "@page=" + article}} {
			kind, body := formBody(parts...)
			if a, got := s.post(t, path, kind, body); a.StatusCode != 200 || got != want {
				t.Errorf("%s, %.8s: status %d: %.300s", path, parts, a.StatusCode, got)
			}
		}
	}
	_, want := s.post(t, "/v1/clean?format=markdown", "text/html", article)
	kind, body := formBody("format=markdown", "@file="+article)
	if _, got := s.post(t, "/v1/clean", kind, body); got != want {
		t.Errorf("a parameter as a field: %s", got)
	}
	if _, got := s.post(t, "/v1/clean", kind, packedAs(t, "gzip", body), "Content-Encoding: gzip"); got != want {
		t.Errorf("a packed form: %s", got)
	}
	for _, c := range []struct {
		path   string
		parts  []string
		status int
		says   string
	}{
		{"/v1/clean", []string{"@a=" + article, "@b=" + article}, 400, "send each separately"},
		{"/v1/clean", []string{"@a="}, 400, "the page itself as the body"},
		{"/v1/clean", []string{"a=b"}, 400, "the page itself as the body"},
		{"/v1/clean", []string{"a=b", "@file=x"}, 422, "query.a"},
		{"/v1/clean", []string{"html=<p>x", "@file=" + article}, 400, "2 pages: wanted one"},
		{"/v1/clean", []string{"html=<p>x", "html=<p>y"}, 422, "field html: 2 values: wanted one"},
		{"/v1/clean", []string{"format=text", "format=markdown", "@file=" + article}, 422, "field format: 2 values: wanted one"},
		{"/v1/clean?format=text", []string{"format=markdown", "@file=" + article}, 422, "field format: 2 values: wanted one"},
		{"/v1/batch", []string{"@a=" + article}, 415, "/v1/clean accepts a form"},
	} {
		kind, body := formBody(c.parts...)
		if a, got := s.post(t, c.path, kind, body); a.StatusCode != c.status || !strings.Contains(got, c.says) {
			t.Errorf("%s %.10s: status %d, wanted %d with %q: %.300s", c.path, c.parts, a.StatusCode, c.status, c.says, got)
		}
	}
	if a, got := s.post(t, "/v1/clean", "multipart/form-data", body); a.StatusCode != 400 || !strings.Contains(got, "form (") {
		t.Errorf("no boundary: status %d: %s", a.StatusCode, got)
	}
}

// TestFieldsOnly: curl -d sends any body as a form of fields. One with a page is answered as a file, HTML as
// a page, and other bodies are refused with the header that they need.
func TestFieldsOnly(t *testing.T) {
	s := start(t, Config{})
	const kind = "application/x-www-form-urlencoded"
	for _, path := range []string{"/v1/clean", "/v1/detect", "/v1/filter?rules=c4", "/v1/tokenize", "/v1/perplexity", "/v1/explain", "/v1/render"} {
		_, want := s.post(t, path, "text/plain", "A finch drinks water, early in the morning.")
		if a, got := s.post(t, path, kind, "text=A+finch+drinks+water,+early+in+the+morning."); a.StatusCode != 200 || got != want {
			t.Errorf("%s: status %d: %.300s", path, a.StatusCode, got)
		}
		if a, got := s.post(t, path, kind, article); path != "/v1/tokenize" && path != "/v1/perplexity" && (a.StatusCode != 200 || path != "/v1/detect" && !strings.Contains(got, "The finch at the water")) {
			t.Errorf("%s: a page declared as a form: status %d: %.300s", path, a.StatusCode, got)
		}
		for _, body := range []string{"A finch drinks water.", "a=b", `{"text": "A finch drinks water; often."}`} {
			if a, got := s.post(t, path, kind, body); a.StatusCode != 400 || !strings.Contains(got, kind) || !strings.Contains(got, "with its Content-Type, such as text/html") {
				t.Errorf("%s: status %d: %.300s", path, a.StatusCode, got)
			}
		}
	}
	if a, got := s.post(t, "/v1/batch", kind, `{"text": "A finch drinks water."}`); a.StatusCode != 415 || !strings.Contains(got, "as application/x-ndjson") {
		t.Errorf("batch: status %d: %.300s", a.StatusCode, got)
	}
}
