package input_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// got is what a test looks at: the pages, and the errors as text.
type got struct {
	pages []*page.Page
	errs  []string
}

func readAll(t testing.TB, r *input.Reader) (g got) {
	t.Helper()
	for range 100000 {
		p, err := r.Next()
		if err == io.EOF {
			return g
		}
		if err != nil {
			var e *page.Error
			if !errors.As(err, &e) {
				t.Fatalf("not a page.Error: %v", err)
			}
			g.errs = append(g.errs, err.Error())
			continue
		}
		g.pages = append(g.pages, p)
	}
	t.Fatal("the reader does not end")
	return
}

func open(t testing.TB, cfg input.Config, paths ...string) *input.Reader {
	t.Helper()
	r := must.Get(input.Open(paths, cfg))(t)
	t.Cleanup(func() { r.Close() })
	return r
}

// write makes a file below a folder of the test's own.
func write(t testing.TB, dir, name string, b []byte) string {
	t.Helper()
	p := filepath.Join(dir, name)
	must.Write(t, p, b)
	return p
}

// record is a WARC record of a page.
func record(id, body string) []byte {
	http := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"+
		"WARC-Target-URI: http://example.org/%s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		id, id, len(http), http)
}

func TestForms(t *testing.T) {
	dir := t.TempDir()
	html := []byte("<!DOCTYPE html><title>x</title><p>one</p>")
	warc := append(record("a", "<p>one</p>"), record("b", "<p>two</p>")...)
	write(t, dir, "d/1.bin", html)
	write(t, dir, "d/2.txt", []byte("just words\n"))
	write(t, dir, "d/3.gz", testkit.Gzip(html))
	write(t, dir, "d/4.zst", testkit.Zstd(testkit.Gzip(html)))
	write(t, dir, "d/5", warc)
	write(t, dir, "d/6", append(testkit.Gzip(record("c", "<p>3</p>")), testkit.Gzip(record("d", "<p>4</p>"))...))
	write(t, dir, "d/7", testkit.Zstd(warc))
	write(t, dir, "d/8.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"))
	g := readAll(t, open(t, input.Config{}, filepath.Join(dir, "d")))
	var b strings.Builder
	for _, p := range g.pages {
		fmt.Fprintf(&b, "%s %s %d %s\n", strings.TrimPrefix(p.ID, dir+"/d/"), p.MIME, len(p.Raw), p.Drop)
	}
	for _, e := range g.errs {
		fmt.Fprintln(&b, e)
	}
	want := `1.bin text/html 41 
2.txt text/plain 11 
3.gz text/html 41 
4.zst text/html 41 
urn:x:a text/html 10 
urn:x:b text/html 10 
urn:x:c text/html 8 
urn:x:d text/html 8 
urn:x:a text/html 10 
urn:x:b text/html 10 
8.png image/png 0 not-text
`
	must.Equal(t, b.String(), want)
}
