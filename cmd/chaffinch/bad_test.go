package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func half(b []byte) []byte { return b[:len(b)/2] }

// page makes an HTML page around text.
func htmlPage(head, text string) []byte {
	return []byte("<!DOCTYPE html><html><head>" + head + "</head><body><p>" + text + "</p></body></html>")
}

// numbered makes text of n different sentences, which packs badly enough.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "This is sentence number %d of the page, and %x is its mark. ", i, i*i*2654435761)
	}
	return b.String()
}

// TestBadInput gives the command what breaks lesser programs. Each case must
// end by itself, keep what is readable, say what is wrong, and leave a page
// that stands behind it untouched.
func TestBadInput(t *testing.T) {
	testkit.Slow(t)
	const umlaut = "Die Brücke über die Grüne Au ist schön."
	charset := func(label string) string { return `<meta charset="` + label + `">` }
	latin1 := func(s string) string {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return string(b)
	}
	for _, c := range []struct {
		name string
		data func() []byte
		out  string // regular expression for standard output
		err  string // and for standard error
		code int
	}{
		{"empty.html", func() []byte { return nil }, `^last page`, `empty.html: empty file\n(?s:.*)empty   1 file of input of 0 bytes`, 0},
		{"blank.html", func() []byte { return []byte(" \n\t ") }, `^last page`, `dropped \(no-text 1\)`, 0},
		{"nul.html", func() []byte { return htmlPage("", "one\x00 two\x00\x00 three") }, `^one two three\n`, `2 kept`, 0},
		{"truncated.html.gz", func() []byte { return half(testkit.Gzip(htmlPage("", numbered(5000)))) }, `sentence number 100 `, `truncated.html.gz: byte \d+: .*(EOF|ends early)(?s:.*)cut     truncated 1`, 1},
		{"truncated.html.zst", func() []byte { return half(testkit.Zstd(htmlPage("", numbered(20000)))) }, `sentence number 100 `, `truncated.html.zst: byte \d+: .*(EOF|ends early)(?s:.*)cut     truncated 1`, 1},
		{"bomb.html.gz", func() []byte { return testkit.Gzip(htmlPage("", strings.Repeat("aa ", 20<<20))) }, `last page`, `unpacks to more than the limit: (?s:.*)too-compressed 1`, 1},
		{"bomb.html.zst", func() []byte { return testkit.Zstd(htmlPage("", strings.Repeat("aa ", 20<<20))) }, `last page`, `unpacks to more than the limit: (?s:.*)too-compressed 1`, 1},
		{"twice.html.gz", func() []byte { return testkit.Gzip(testkit.Gzip(htmlPage("", "packed twice"))) }, `^packed twice`, `2 kept`, 0},
		{"nested.html", func() []byte {
			return []byte("<p>before</p>" + strings.Repeat("<div>", 100000) + "<p>deep inside</p>" + strings.Repeat("</div>", 100000) + "<p>after</p>")
		}, `before\n(?s:.*)deep inside\nafter`, `cut     too-deep 1`, 0},
		{"open.html", func() []byte { return []byte(strings.Repeat("<b><i><table><tr><td>x", 20000)) }, `xx|x\n`, `2 kept`, 0},
		{"line.html", func() []byte { return []byte("<p>first</p>" + strings.Repeat("word word ", 20<<20)) }, `first\nword word`, `cut     too-large 1`, 0},
		{"line.txt", func() []byte { return []byte(strings.Repeat("word word ", 4<<20)) }, `^word word`, `cut     too-large 1`, 0},
		{"line.jsonl", func() []byte {
			return []byte(`{"text":"first one"}` + "\n" + `{"text":"` + strings.Repeat("word word ", 4<<20) + `"}` + "\n" + `{"text":"third one"}` + "\n")
		}, `first one\n(?s:.*)third one`, `4 kept`, 0},
		{"broken.jsonl", func() []byte { return []byte(`{"text":"first one"}` + "\n{broken\n" + `{"text":"third one"}` + "\n") }, `first one\n\nthird one`, `broken.jsonl: line 2: byte \d+: `, 1},
		{"says-utf8.html", func() []byte { return htmlPage(charset("utf-8"), latin1(umlaut)) }, umlaut, `2 kept`, 0},
		{"says-latin1.html", func() []byte { return htmlPage(charset("iso-8859-1"), umlaut) }, umlaut, `2 kept`, 0},
		{"says-sjis.html", func() []byte { return htmlPage(charset("shift_jis"), umlaut) }, umlaut, `2 kept`, 0},
		{"says-utf16.html", func() []byte { return htmlPage(charset("utf-16le"), umlaut) }, umlaut, `2 kept`, 0},
		{"says-nonsense.html", func() []byte { return htmlPage(charset("x-klingon"), umlaut) }, umlaut, `2 kept`, 0},
		{"picture.html", func() []byte { return append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 1000)...) }, `^last page`, `picture.html`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			bad, last := filepath.Join(dir, c.name), filepath.Join(dir, "z.html")
			for name, b := range map[string][]byte{bad: c.data(), last: []byte("<p>last page</p>")} {
				must.Write(t, name, b)
			}
			var out, msg bytes.Buffer
			code := run([]string{"clean", "-m", "keep", bad, last}, &console{strings.NewReader(""), &out, &msg})
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !regexp.MustCompile(c.out).Match(out.Bytes()) {
				t.Errorf("output does not match %q:\n%.300s", c.out, out.Bytes())
			}
			if !regexp.MustCompile(c.err).Match(msg.Bytes()) {
				t.Errorf("messages do not match %q:\n%s", c.err, msg.Bytes())
			}
			if !strings.HasSuffix(out.String(), "last page\n\n") {
				t.Error("the page behind is lost")
			}
		})
	}
}

// TestFullDisk wants a clear end, nothing hidden, when the output cannot be
// written.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Logf("%v: pipeline has a test with a failing writer", err)
		return
	}
	docs := filepath.Join(t.TempDir(), "docs.jsonl")
	must.Succeed(t, os.WriteFile(docs, []byte(`{"id":"1","text":"The finch drinks water in the morning."}`+"\n"), 0o600))
	out := must.Get(os.OpenFile(full, os.O_WRONLY, 0))(t)
	defer out.Close()
	for _, args := range [][]string{
		{"clean", "../../examples/pages", "-o", full}, {"filter", docs, "-r", "c4", "--annotate", "-o", full},
		{"convert", docs, "-f", "text"}, {"filter", docs, "-r", "c4", "--annotate"}, {"dedup", docs, "-m", "exact"},
	} {
		var msg bytes.Buffer
		code := run(args, &console{strings.NewReader(""), out, &msg})
		if code != 2 || strings.Count(msg.String(), "no space left on device") != 1 {
			t.Errorf("%v: exit code %d, want 2; messages, of which one names the disk:\n%s", args, code, msg.Bytes())
		}
	}
}

// TestBrokenPipe wants a reader that goes away to be no error.
func TestBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	must.Succeed(t, err)
	r.Close()
	defer w.Close()
	var msg bytes.Buffer
	if code := run([]string{"clean", "../../examples/pages"}, &console{strings.NewReader(""), w, &msg}); code != 0 {
		t.Errorf("exit code %d, want 0; messages:\n%s", code, msg.Bytes())
	}
}
