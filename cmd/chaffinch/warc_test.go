package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestWARCPaths reads WACZ files and folders in all commands for web archives.
func TestWARCPaths(t *testing.T) {
	dir := t.TempDir()
	record := testkit.Record("urn:uuid:1", "https://example.org/", "<html><p>The page.")
	put := func(name string, b []byte) string {
		name = filepath.Join(dir, name)
		must.Write(t, name, b)
		return name
	}
	wacz := put("all/site.wacz", testkit.Zip(testkit.File{Name: "pages/pages.jsonl", Data: []byte("{}\n")}, testkit.File{Name: "archive/b.warc.gz", Data: testkit.Gzip([]byte(record))}))
	put("all/deep/a.warc", []byte(record))
	put("all/notes.txt", []byte("No archive."))
	put("all/other.zip", testkit.Zip(testkit.File{Name: "a.txt", Data: []byte("x")}))
	texts := filepath.Dir(put("texts/notes.txt", []byte("No archive.")))
	zip := put("x.zip", testkit.Zip(testkit.File{Name: "a.txt", Data: []byte("x")}))
	all := filepath.Join(dir, "all")
	for _, c := range []struct {
		args     []string
		code     int
		out, err []string
	}{
		{[]string{"ls", wacz}, 0, []string{"0\tresponse\t", "\t" + wacz + "/archive/b.warc.gz\n"}, nil},
		{[]string{"ls", all}, 0, []string{"/all/deep/a.warc\n", "/all/site.wacz/archive/b.warc.gz\n"}, nil},
		{[]string{"check", all}, 1, []string{"/all/deep/a.warc: 1 record,", "/site.wacz/archive/b.warc.gz: 1 record,"}, []string{"2 problems"}}, // no dates
		{[]string{"index", all}, 0, []string{`"filename":"a.warc"`, `"filename":"b.warc.gz"`}, nil},
		{[]string{"extract", wacz, "--url", "https://example.org/"}, 0, []string{"<html><p>The page."}, nil},
		{[]string{"extract", wacz, "--url", "https://example.org/none"}, 1, nil, []string{"no such record"}},
		{[]string{"extract", wacz, "--offset", "0"}, 2, nil, []string{"unzip it first"}},
		{[]string{"extract", wacz, "--url", "https://example.org/", "--skip", "5"}, 2, nil, []string{"--skip is used only with --offset"}},
		{[]string{"ls", texts}, 1, nil, []string{"no web archive in " + texts}},
		{[]string{"ls", zip}, 1, nil, []string{"a zip archive, wanted web archives: WARC, WET, ARC or WACZ"}},
	} {
		var out, errs bytes.Buffer
		code := run(append([]string{"warc"}, c.args...), &console{strings.NewReader(""), &out, &errs})
		if code != c.code {
			t.Errorf("%q: exit code %d, want %d: %s", c.args, code, c.code, errs.String())
		}
		for _, w := range c.out {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%q: output %q, want %q in it", c.args, out.String(), w)
			}
		}
		for _, w := range c.err {
			if !strings.Contains(errs.String(), w) {
				t.Errorf("%q: messages %q, want %q in them", c.args, errs.String(), w)
			}
		}
	}
}
