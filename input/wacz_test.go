package input_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// resource returns a record that holds a text under an address.
func resource(id, uri, text string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <%s>\r\nWARC-Target-URI: %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, uri, len(text), text)
}

// waczFiles returns the files of a WACZ file, whose archive is compressed, in the order
// in which tools write them.
func waczFiles(records ...string) []testkit.File {
	return []testkit.File{
		{Name: "indexes/index.cdx.gz", Data: testkit.Gzip([]byte("org,example)/ 20260101000000 {\"url\": \"https://example.org/\"}\n"))},
		{Name: "indexes/index.idx", Data: []byte("org,example)/ 20260101000000\t0\t60\t1\n")},
		{Name: "logs/crawl.log", Data: []byte("A line of the log of the crawl that looks like text.\n")},
		{Name: "archive/data.warc.gz", Data: testkit.Gzip([]byte(strings.Join(records, "")))},
		{Name: "pages/pages.jsonl", Data: []byte("{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\"}\n" +
			"{\"id\": \"1\", \"url\": \"https://example.org/\", \"ts\": \"2026-01-01T00:00:00Z\", \"title\": \"Front page\", \"text\": \"The page again.\"}\n")},
		{Name: "pages/extraPages.jsonl", Data: []byte("{\"id\": \"2\", \"url\": \"https://example.org/more\", \"title\": \"More\"}\nno JSON\n")},
		{Name: "datapackage.json", Data: []byte("{\"profile\": \"data-package\"}")},
	}
}

var crawled = []string{
	testkit.Record("urn:uuid:1", "https://example.org/", "<html><p>The page."),
	resource("urn:uuid:2", "urn:text:https://example.org/", "The page again."),
	resource("urn:uuid:3", "urn:pageinfo:https://example.org/", "The page in JSON."),
	resource("urn:uuid:4", "urn:view:https://example.org/", "No picture."),
	testkit.Record("urn:uuid:5", "https://example.org/more", "<html><p>More."),
}

// TestWACZ reads each page of a WACZ file once, with the title that its list of pages has.
func TestWACZ(t *testing.T) {
	dir := t.TempDir()
	name := write(t, dir, "site.wacz", testkit.Zip(waczFiles(crawled...)...))
	for _, f := range waczFiles(crawled...) {
		write(t, dir+"/unpacked", f.Name, f.Data)
	}
	for path, c := range map[string]struct{ titles, passed string }{
		name:              {"Front page|More", "map[files:6 urn:pageinfo:1 urn:text:1 urn:view:1]"},
		dir + "/unpacked": {"|", "map[urn:pageinfo:1 urn:text:1 urn:view:1]"},
	} {
		r := open(t, input.Config{}, path)
		g := readAll(t, r)
		if len(g.pages) != 2 || len(g.errs) > 0 {
			t.Fatalf("%s: %d pages, errors %q", path, len(g.pages), g.errs)
		}
		if got := g.pages[0].Meta.Title + "|" + g.pages[1].Meta.Title; got != c.titles {
			t.Errorf("%s: titles %s, want %s", path, got, c.titles)
		}
		if got := fmt.Sprint(r.Skipped()); got != c.passed {
			t.Errorf("%s: skipped %s, want %s", path, got, c.passed)
		}
	}
	r := open(t, input.Config{}, name)
	r.Next()
	at := r.Position()
	again := open(t, input.Config{}, name)
	must.Succeed(t, again.Seek(at))
	if p, err := again.Next(); err != nil || p.ID != "urn:uuid:5" || p.Meta.Title != "More" {
		t.Errorf("after the first page: %v, %v", p, err)
	}
}

// TestWACZDamage reports damage in a WACZ file and nothing else.
func TestWACZDamage(t *testing.T) {
	files := waczFiles(crawled...)
	files[3] = testkit.File{Name: "archive/data.warc", Data: []byte("no archive")}
	name := write(t, t.TempDir(), "site.wacz", testkit.Zip(files...))
	g := readAll(t, open(t, input.Config{}, name))
	if len(g.pages) != 0 || len(g.errs) != 1 || !strings.Contains(g.errs[0], "archive/data.warc: byte 0: no record header") {
		t.Errorf("%d pages, errors %q", len(g.pages), g.errs)
	}
}

// TestToolRecords passes records that crawlers keep for themselves.
func TestToolRecords(t *testing.T) {
	var records []string
	want := map[string]int{}
	for uri, kind := range map[string]string{
		"urn:text:https://example.org/": "urn:text", "urn:textFinal:https://example.org/": "urn:textfinal", "urn:pageinfo:x": "urn:pageinfo",
		"urn:view:x": "urn:view", "urn:fullPage:x": "urn:fullpage", "urn:thumbnail:x": "urn:thumbnail", "urn:X-wpull:log": "urn:x-wpull",
		"metadata://gnu.org/software/wget/warc/MANIFEST.txt": "metadata", "dns:example.org": "dns", "screenshot:https://example.org/": "screenshot",
		"https://example.org/robots.txt": "robots.txt",
		"urn:isbn:9780000000002":         "", "https://example.org/urn:text:": "", "file:///texts/urn.txt": "",
	} {
		records = append(records, resource("urn:uuid:"+fmt.Sprint(len(records)), uri, "Some text."))
		if kind != "" {
			want[kind]++
		}
	}
	records = append(records, strings.Replace(resource("urn:uuid:x", "https://example.org/", "x"), "resource", "x\x1b[2J", 1))
	want["unknown"] = 1
	r := open(t, input.Config{}, write(t, t.TempDir(), "x.warc", []byte(strings.Join(records, ""))))
	g := readAll(t, r)
	if len(g.pages) != 3 || fmt.Sprint(r.Skipped()) != fmt.Sprint(want) {
		t.Errorf("%d pages, skipped %v, want %v", len(g.pages), r.Skipped(), want)
	}
}

// TestSegments joins the segments of a page, and marks a page of which some are missing.
func TestSegments(t *testing.T) {
	segment := func(kind, id, more, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <%s>\r\nWARC-Target-URI: https://example.org/%s\r\nContent-Type: application/http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, id, id, more, len(block), block)
	}
	first := segment("response", "u:1", "WARC-Segment-Number: 1\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>one ")
	last := segment("continuation", "u:2", "WARC-Segment-Number: 2\r\nWARC-Segment-Origin-ID: <u:1>\r\nWARC-Segment-Total-Length: 60\r\n", "two")
	next := testkit.Record("u:3", "https://example.org/", "<html><p>The page.")
	short := strings.Replace(last, "60", "61", 1)
	const apart = "segment 2 does not follow it here: it is a continuation record with WARC-Segment-Origin-ID <u:1>"
	for name, c := range map[string]struct{ file, want, err string }{
		"both":    {first + last + next, `u:1 "<html><p>one two" ; u:3 "<html><p>The page." ; map[]`, ""},
		"missing": {first + next, `u:1 "<html><p>one " truncated; u:3 "<html><p>The page." ; map[]`, apart},
		"apart":   {first + next + last, `u:1 "<html><p>one " truncated; u:3 "<html><p>The page." ; map[continuation:1]`, apart},
		"short":   {first + short + next, `u:1 "<html><p>one two" truncated; u:3 "<html><p>The page." ; map[]`, "its 2 segments have 60 bytes, the last one states 61"},
	} {
		file := write(t, t.TempDir(), "x.warc", []byte(c.file))
		r := open(t, input.Config{}, file)
		g := readAll(t, r)
		got := ""
		for _, p := range g.pages {
			got += fmt.Sprintf("%s %q %s; ", p.ID, p.Raw, p.Cut)
		}
		if got += fmt.Sprint(r.Skipped()); got != c.want || (c.err == "") != (len(g.errs) == 0) || !strings.Contains(fmt.Sprint(g.errs), c.err) {
			t.Errorf("%s: got\n%s %q\nwant\n%s", name, got, g.errs, c.want)
		}
		r = open(t, input.Config{}, file)
		r.Next()
		at := r.Position()
		again := open(t, input.Config{}, file)
		must.Succeed(t, again.Seek(at))
		p, err := again.Next()
		if c.err != "" { // comes after its page
			p, err = again.Next()
		}
		if err != nil || p.ID != "u:3" {
			t.Errorf("%s: after the first page: %v, %v", name, p, err)
		}
	}
}

// TestWACZSuites reads the WACZ files in the tests of pywb and py-wacz: all pages are
// records of their archives, and nothing is wrong. One that is invalid is a zip archive
// without a web archive.
func TestWACZSuites(t *testing.T) {
	found, ran := map[string]string{}, 0
	for _, suite := range []string{"pywb/sample_archive/waczs", "py-wacz/tests/fixtures"} {
		dir := testkit.Suite(t, suite)
		names := must.Get(filepath.Glob(filepath.Join(dir, "*.wacz")))(t)
		for _, name := range names {
			ran++
			g := readAll(t, open(t, input.Config{}, name))
			sound := len(g.pages) > 0 && len(g.errs) == 0
			for _, p := range g.pages {
				sound = sound && p.Source.Record != "" && strings.HasPrefix(p.URL, "http")
			}
			base := filepath.Base(name)
			if invalid := strings.HasPrefix(base, "invalid_example"); invalid == sound {
				found[suite+"/"+base] = fmt.Sprintf("%d pages, errors %q", len(g.pages), g.errs)
			}
		}
	}
	testkit.Differences(t, ran, found, nil)
}
