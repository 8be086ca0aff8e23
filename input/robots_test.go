package input_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// TestRobotsPassed reads an archive of a crawl with answers for robots.txt, which are no
// pages.
func TestRobotsPassed(t *testing.T) {
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{}))(t)
	want := []string{"https://a.example/blog/robots.txt", "https://a.example/robots.txt.html", "https://a.example/?robots.txt"}
	for _, u := range append([]string{"https://a.example/robots.txt", "http://b.example:8080/robots.txt?x"}, want...) {
		e := warc.Entry{Type: "response", URI: u, Date: "2026-01-01T00:00:00Z", ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nAllow: /")}
		must.Succeed(t, must.Err(w.Write(e)))
	}
	dir := t.TempDir() // the folder of a crawl, of which the archives alone are read
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "warc"), 0o700))
	must.WriteAll(t, dir, map[string][]byte{"warc/x.warc": b.Bytes(), "crawl.json": []byte("{}"), "text.jsonl": []byte(`{"text":"the same again"}`)})
	r := open(t, input.Config{}, dir)
	var got []string
	for _, p := range readAll(t, r).pages {
		got = append(got, p.URL)
	}
	if !slices.Equal(got, want) || r.Skipped()["robots.txt"] != 2 {
		t.Errorf("pages %q, passed %v", got, r.Skipped())
	}
}
