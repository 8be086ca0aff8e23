package input_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// say prints pages and errors without the folder's name.
func say(t *testing.T, dir string, g got) string {
	t.Helper()
	var b strings.Builder
	for _, p := range g.pages {
		fmt.Fprintf(&b, "%s %d", p.ID, len(p.Raw))
		if p.Drop != page.None {
			fmt.Fprintf(&b, " dropped %s", p.Drop)
		}
		if p.Cut != page.None {
			fmt.Fprintf(&b, " cut %s", p.Cut)
		}
		b.WriteByte('\n')
	}
	for _, e := range g.errs {
		fmt.Fprintf(&b, "! %s\n", e)
	}
	return strings.ReplaceAll(b.String(), dir+string(filepath.Separator), "")
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	page := []byte("<p>x")
	write(t, dir, "a/2.html", page)
	write(t, dir, "a/10.html", page)
	write(t, dir, "a/b/c.html", page)
	write(t, dir, "other/d.html", page)
	link := func(to, name string) {
		must.Succeed(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	link("..", "a/b/loop")
	link(filepath.Join(dir, "other"), "a/x")
	link(filepath.Join(dir, "other"), "a/y")
	link("nowhere", "a/z")
	link(filepath.Join(dir, "other", "d.html"), "a/e.html")
	g := readAll(t, open(t, input.Config{}, filepath.Join(dir, "a"), filepath.Join(dir, "missing"), filepath.Join(dir, "a")))
	want := `a/10.html 4
a/2.html 4
a/b/c.html 4
a/e.html 4
a/x/d.html 4
! a/b/loop: a link to the folder DIR/a, which is read already: not read again
! a/y: a link to the folder DIR/a/x, which is read already: not read again
! a/z: no such file or directory
! missing: no such file or directory
! a: named twice: it is read once
`
	must.Equal(t, strings.ReplaceAll(say(t, dir, g), "folder a", "folder DIR/a"), want)
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "1.html", []byte("<p>x"))
	secret := write(t, dir, "2.html", []byte("<p>y"))
	write(t, dir, "3.html", nil)
	must.Succeed(t, os.Chmod(secret, 0))
	want := "1.html 4\n! 2.html: permission denied\n! 3.html: empty file\n"
	if f, err := os.Open(secret); err == nil { // the superuser may read all
		f.Close()
		want = "1.html 4\n2.html 4\n! 3.html: empty file\n"
	}
	must.Equal(t, say(t, dir, readAll(t, open(t, input.Config{}, dir))), want)
	if _, err := input.Open(nil, input.Config{}); err == nil {
		t.Error("no error without inputs")
	}
	if _, err := input.Open([]string{"x"}, input.Config{Form: "pdf"}); err == nil {
		t.Error("no error for an unknown form")
	}
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	big := bytes.Repeat([]byte("<p>some words "), 30000)
	write(t, dir, "01.html", append([]byte("<html>\x00\x00<p>a\x00b"), big[:100]...))
	write(t, dir, "02.html.gz", testkit.Gzip(big)[:500])
	write(t, dir, "03.html.zst", testkit.Zstd(big)[:len(testkit.Zstd(big))-2])
	write(t, dir, "04.html.gz", testkit.Gzip(make([]byte, 40<<20)))
	write(t, dir, "05.html", big)
	write(t, dir, "06.xz", []byte("\xfd7zXZ\x00xxxxxxx"))
	write(t, dir, "07.gz", testkit.Gzip(testkit.Gzip(testkit.Gzip([]byte("<p>x")))))
	write(t, dir, "08.pdf", []byte("%PDF-1.4 words"))
	write(t, dir, "09.gz", append(testkit.Gzip([]byte("<html><p>x")), "and words"...))
	write(t, dir, "10.txt", bytes.Repeat([]byte("a"), 3<<20))
	g := readAll(t, open(t, input.Config{MaxPageBytes: 410000}, dir))
	want := `01.html 114
02.html.gz 226791 cut truncated
03.html.zst 393216 cut truncated
04.html.gz 0 dropped not-text
05.html 410000 cut too-large
08.pdf 14
09.gz 10 cut truncated
10.txt 410000 cut too-large
! 02.html.gz: byte 500: unexpected EOF
! 03.html.zst: byte SIZE: unexpected EOF
! 06.xz: byte 0: packed in a way that is not read: xz (gzip, bzip2, zstd and lz4 are): unpack it first
! 07.gz: byte 0: packed in a way that is not read: more than two layers, unpack it first
! 09.gz: byte 35: no gzip member begins here
`
	want = strings.Replace(want, "SIZE", fmt.Sprint(len(testkit.Zstd(big))-2), 1)
	must.Equal(t, say(t, dir, g), want)
}

// TestBomb unpacks not more than the ratio allows, in files and in records.
func TestBomb(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	bomb := testkit.Gzip(bytes.Repeat([]byte("<p>"), 20<<20))
	write(t, dir, "1.html.gz", bomb)
	body := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + string(bomb)
	write(t, dir, "2.warc", append(fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		len(body), body), record("2", "<p>x")...))
	write(t, dir, "3.warc.gz", append(testkit.Gzip(append(record("3", "<p>x"), bytes.Repeat([]byte("\n"), 60<<20)...)), testkit.Gzip(record("4", "<p>y"))...))
	g := readAll(t, open(t, input.Config{}, dir))
	got := say(t, dir, g)
	for _, want := range []string{"1.html.gz 0 dropped too-compressed\nurn:x:1 0", "urn:x:1 0 dropped too-compressed\nurn:x:2 4\nurn:x:3 4\nurn:x:4 4\n",
		"! 1.html.gz: byte ", "! 2.warc: record urn:x:1: byte 0: unpacks to more", "! 3.warc.gz: byte 0: cannot be unpacked: unpacks to more"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwanted %s", got, want)
		}
	}
}

// endless is a file without an end.
type endless struct {
	head string
	body string
	left int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.head != "" {
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.body)
	}
	e.left -= int64(n)
	return n, nil
}

// TestMemory reads much more than it may hold: one line, one page, one record
// and many records of 100 MB in all.
func TestMemory(t *testing.T) {
	const size = 100 << 20
	rec := string(record("x", "<p>"+strings.Repeat("some words ", 20000)))
	for name, in := range map[string]*endless{
		"line":         {`{"id":"a","text":"`, strings.Repeat("some words ", 1000), size},
		"line, unseen": {`{"id":"a","x":"`, strings.Repeat("some words ", 1000), size},
		"page":         {"<html>", strings.Repeat("some words ", 1000), size},
		"record": {"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 104857600\r\n\r\n",
			strings.Repeat("some words ", 1000), size},
		"records": {"", rec, size},
		"header":  {"WARC/1.0\r\nX: ", strings.Repeat("some words ", 1000), size},
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := open(t, input.Config{Stdin: in, MaxPageBytes: 2 << 20}, "-")
		most := uint64(0)
		for {
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if p != nil && len(p.Raw) > 2<<20 {
				t.Errorf("%s: a page of %d bytes", name, len(p.Raw))
			}
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapSys-min(after.HeapSys, before.HeapSys))
		}
		if most > 40<<20 {
			t.Errorf("%s: %d MB of memory", name, most>>20)
		}
	}
}

// TestUTF16 rejects clean text in UTF-16, whose bytes would be read as UTF-8.
func TestUTF16(t *testing.T) {
	dir := t.TempDir()
	name := write(t, dir, "a.txt", []byte("\xff\xfeA\x00 \x00d\x00a\x00y\x00.\x00\n\x00"))
	for _, form := range []string{"", "text"} {
		g := readAll(t, open(t, input.Config{Kept: true, Form: form}, name))
		if len(g.pages) > 0 || len(g.errs) != 1 || !strings.Contains(fmt.Sprint(g.errs), "UTF-16, wanted text") || !strings.Contains(fmt.Sprint(g.errs), "iconv") {
			t.Errorf("form %q: %d pages, %v", form, len(g.pages), g.errs)
		}
	}
	if g := readAll(t, open(t, input.Config{}, name)); len(g.pages) != 1 || len(g.errs) > 0 {
		t.Errorf("pages: %d, %v", len(g.pages), g.errs)
	}
}

// TestLegacy rejects clean text in other encodings, whose letters would become U+FFFD, unless the format
// is named.
func TestLegacy(t *testing.T) {
	for form, text := range map[string]string{"text": "Le caf\xe9 est tr\xe8s bon.\n", "jsonl": "{\"text\":\"Le caf\xe9 est d\xe9j\xe0 ferm\xe9.\"}\n"} {
		name := write(t, t.TempDir(), "a."+form, []byte(text))
		g := readAll(t, open(t, input.Config{Kept: true}, name))
		if len(g.pages) > 0 || len(g.errs) != 1 || !strings.Contains(fmt.Sprint(g.errs), "not in UTF-8, wanted text") {
			t.Errorf("%d pages, %v", len(g.pages), g.errs)
		}
		for _, cfg := range []input.Config{{}, {Kept: true, Form: form}} {
			if g := readAll(t, open(t, cfg, name)); len(g.pages) != 1 || len(g.errs) > 0 {
				t.Errorf("%+v: %d pages, %v", cfg, len(g.pages), g.errs)
			}
		}
	}
}

// TestTruncatedRecord marks pages of which the crawler stored a part.
func TestTruncatedRecord(t *testing.T) {
	for why, want := range map[string]page.Reason{"length": page.TooLarge, "time": page.TooSlow, "disconnect": page.Truncated, "unspecified": page.Truncated} {
		raw := bytes.Replace(record("1", "<p>x"), []byte("WARC-Date"), []byte("WARC-Truncated: "+why+"\r\nWARC-Date"), 1)
		g := readAll(t, open(t, input.Config{}, write(t, t.TempDir(), "a.warc", raw)))
		if len(g.pages) != 1 || len(g.errs) > 0 || g.pages[0].Cut != want {
			t.Errorf("%s: %v, %v", why, g.pages, g.errs)
		}
	}
}
