package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// all reads paths and returns the ids and texts.
func all(t testing.TB, paths []string, cfg records.Config) (docs []string, err error) {
	t.Helper()
	r, err := records.Open(paths, cfg)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		d, err := r.Next()
		if err == io.EOF {
			return docs, nil
		}
		if err != nil {
			return docs, err
		}
		if d.Num != int64(len(docs)) {
			t.Errorf("document %d has the number %d", len(docs), d.Num)
		}
		docs = append(docs, strings.Replace(d.ID, filepath.Dir(paths[0])+string(filepath.Separator), "", 1)+" "+show(d, nil))
		r.Release(d)
	}
}

func TestFields(t *testing.T) {
	const in = `{"text":"a","id":7,"uri":"http://a.example/","date":"2024-01-02","fetched":"2024-03-01 10:00:00Z","lang":"de","source":{"file":"x"}}
{"url":"http://b.example/","text":"b","warc_headers":{"warc-date":"2023-05-06T07:08:09Z","warc-target-uri":"http://no.example/"},"meta":{"language":"fr","id":"no"}}
{"text":"c","id":"","timestamp":"20240301100203"}
{"text":"d","id":"\u00e9\"","date":null,"lang":3}
`
	path := filepath.Join(write(t, "a.jsonl", in), "a.jsonl")
	want := [][]string{
		{"7", "http://a.example/", "2024-03-01T10:00:00Z", "de", "1", "0"},
		{"http://b.example/", "http://b.example/", "2023-05-06T07:08:09Z", "fr", "2", "137"},
		{path + "#3", "", "2024-03-01T10:02:03Z", "", "3", "307"},
		{"é\"", "", "", "", "4", "357"},
	}
	r := must.Get(records.Open([]string{path}, records.Config{}))(t)
	defer r.Close()
	var held []*records.Doc
	for range want {
		d := must.Get(r.Next())(t)
		held = append(held, d)
	}
	offset := 0
	for i, d := range held {
		w := want[i]
		w[5] = fmt.Sprint(offset)
		offset += len(d.Raw)
		got := []string{d.ID, d.URL, d.Date, d.Lang, d.Source.Record, fmt.Sprint(d.Source.Offset)}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", w) || d.Source.File != path || d.Format() != records.JSONL {
			t.Errorf("got %q, wanted %q", got, w)
		}
		r.Release(d)
	}
	if done, total := r.Progress(); done != total || total != int64(len(in)) {
		t.Errorf("progress %d of %d, wanted %d", done, total, len(in))
	}
}

func TestVerticalFields(t *testing.T) {
	const in = "<doc id=\"a &amp; b\" url='http://a.example/' lang=\"cs\" date=\"2024-01-02\" crawl_date=\"2024-03-01T10:00:00Z\">\nx\n</doc>\n<doc url=\"u\">\n</doc>\n<doc>\n</doc>\n"
	path := filepath.Join(write(t, "a.vert", in), "a.vert")
	r := must.Get(records.Open([]string{path}, records.Config{}))(t)
	defer r.Close()
	for _, want := range []string{"a & b|http://a.example/|cs|2024-03-01T10:00:00Z|1|true", "u|u|||4|true", path + "#6||||6|true"} {
		d := must.Get(r.Next())(t)
		must.Equal(t, fmt.Sprintf("%s|%s|%s|%s|%s|%v", d.ID, d.URL, d.Lang, d.Date, d.Source.Record, d.Tokenized), want)
	}
}

// TestPacked reads the same from packed files, and from several members.
func TestPacked(t *testing.T) {
	for _, c := range collections {
		if c.bad != nil {
			continue
		}
		half := []byte(c.in)[:len(c.in)/2]
		rest := []byte(c.in)[len(c.in)/2:]
		for name, b := range map[string][]byte{
			"a.gz": testkit.Gzip([]byte(c.in)), "a.zst": testkit.Zstd([]byte(c.in)),
			"two.gz": append(testkit.Gzip(half), testkit.Gzip(rest)...), "two.zst": append(testkit.Zstd(half), testkit.Zstd(rest)...),
		} {
			cfg := c.cfg
			if c.name == "vertical" || c.name == "prevertical" {
				cfg.Format = records.Format(c.name)
			}
			path := filepath.Join(write(t, name, string(b)), name)
			out, docs, bad := rewrite(t, []string{path}, cfg, records.WriterConfig{}, nil)
			if out != c.in || len(bad) > 0 || fmt.Sprintf("%q", docs) != fmt.Sprintf("%q", c.want) {
				t.Errorf("%s %s: %q, %q, %q", c.name, name, out, docs, bad)
			}
		}
	}
}

// TestSeek stops before every document and resumes in a new Reader.
func TestSeek(t *testing.T) {
	for _, c := range collections {
		packed := append(testkit.Gzip([]byte(c.in[:len(c.in)/3])), testkit.Gzip([]byte(c.in[len(c.in)/3:]))...)
		dir := write(t, "a-"+c.file, c.in, "b-"+c.file+".gz", string(packed), "c-"+c.file, "", "d-"+c.file, c.in)
		cfg := c.cfg
		cfg.Split = ""
		if c.cfg.Column == 0 {
			cfg.Doc, cfg.Para = "", ""
		}
		read := func(from *records.Position, stop int) (out string, next records.Position) {
			var b bytes.Buffer
			w := records.NewWriter(&b, records.WriterConfig{})
			cfg := cfg
			cfg.Outside = func(b []byte) { w.Outside(b) }
			r := must.Get(records.Open([]string{dir}, cfg))(t)
			defer r.Close()
			if from != nil {
				must.Succeed(t, r.Seek(*from))
			}
			for n := 0; n != stop; n++ {
				d, err := r.Next()
				if err == io.EOF {
					break
				}
				must.Succeed(t, err)
				must.Succeed(t, w.Write(d, nil))
				fmt.Fprintf(&b, "<%d %s>", d.Num, d.ID)
				w.Flush()
				r.Release(d)
			}
			next = r.Position()
			w.Flush()
			return b.String(), next
		}
		strip := func(s string) string { return strings.ReplaceAll(s, "\n", "") } // a new Writer knows of no file before
		whole, _ := read(nil, -1)
		for stop := 0; ; stop++ {
			first, at := read(nil, stop)
			js := must.Get(json.Marshal(at))(t)
			var back records.Position
			if err := json.Unmarshal(js, &back); err != nil || back != at {
				t.Fatalf("%s: %v, %v", js, back, err)
			}
			second, _ := read(&at, -1)
			if strip(first+second) != strip(whole) {
				t.Fatalf("%s: after %d documents, at %s:\n%q\n%q\nwanted\n%q", c.name, stop, js, first, second, whole)
			}
			if first == whole {
				break
			}
		}
	}
}

func TestSeekElsewhere(t *testing.T) {
	dir := write(t, "a.txt", "a\n\nb\n\n", "b.txt", "c\n")
	r := must.Get(records.Open([]string{filepath.Join(dir, "a.txt")}, records.Config{}))(t)
	must.Fail(t, r.Seek(records.Position{Place: input.Place{Name: "other"}}), "the inputs have changed")
	if err := r.Seek(records.Position{Place: input.Place{Name: filepath.Join(dir, "a.txt"), Offset: 100}, Line: 3}); err == nil {
		t.Error("a place behind the end is found")
	}
}

func TestIdentity(t *testing.T) {
	dir := write(t, "a.txt", "a\n\nb\n\n")
	path := filepath.Join(dir, "a.txt")
	id := func(cfg records.Config) string {
		r := must.Get(records.Open([]string{path}, cfg))(t)
		return r.Identity()
	}
	a := id(records.Config{})
	if a != id(records.Config{}) {
		t.Error("the same input has two identities")
	}
	if a == id(records.Config{Split: "line"}) {
		t.Error("another split has the same identity")
	}
	must.Write(t, path, "a\n\nb\n\nc\n")
	if a == id(records.Config{}) {
		t.Error("another file has the same identity")
	}
}

// TestFolder reads files in the order of their names, each as one document.
func TestFolder(t *testing.T) {
	dir := write(t, "b.txt", "two\n\nstill two", "a.txt", "one\n", "c.txt", "", "d.txt", "four\n\n")
	docs, err := all(t, []string{dir}, records.Config{Format: "text"})
	want := []string{"a.txt [one]", "b.txt [two][still two]", "d.txt [four]"}
	for i := range docs {
		docs[i] = strings.TrimPrefix(docs[i], filepath.Base(dir)+string(filepath.Separator))
	}
	if err != nil || fmt.Sprintf("%q", docs) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, %v; wanted %q", docs, err, want)
	}
	paths := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt"), filepath.Join(dir, "d.txt")}
	out, _, _ := rewrite(t, paths, records.Config{Split: "file"}, records.WriterConfig{}, nil)
	must.Equal(t, out, "one\n\ntwo\n\nstill two\n\nfour\n\n", "in one file as they are")
	want2 := "one\n\ntwo\nstill two\n\nfour\n\n"
	if out, _, _ := rewrite(t, paths, records.Config{Split: "file"}, records.WriterConfig{Split: "file"}, nil); out != want2 {
		t.Errorf("in one file: %q, wanted %q", out, want2)
	}
	if out, _, _ := rewrite(t, []string{dir}, records.Config{}, records.WriterConfig{}, nil); out != want2 {
		t.Errorf("a folder in one file: %q, wanted %q", out, want2)
	}
}

// TestEmptyFiles: a file without a byte holds no document, whatever its name is, and
// is told without being bad; one that cannot be unpacked is bad alone.
func TestEmptyFiles(t *testing.T) {
	for _, c := range []struct{ name, data, told string }{
		{"x.jsonl", "", "empty file"}, {"x.txt", "", "empty file"}, {"x.vert", "", "empty file"}, {"x.jsonl.gz", string(testkit.Gzip(nil)), "empty file"},
		{"x.jsonl.gz", string(testkit.Gzip([]byte("some text that is there"))[:12]), "cannot be unpacked"},
	} {
		for _, cfg := range []records.Config{{}, {Format: "text"}, {Split: "file"}, {Split: "line"}} {
			var told []string
			cfg.OnError = func(e *page.Error) { told = append(told, e.Error()) }
			path := filepath.Join(write(t, c.name, c.data), c.name)
			r := must.Get(records.Open([]string{path}, cfg))(t)
			if d, err := r.Next(); err != io.EOF {
				t.Errorf("%s: %v, %v", c.name, d, err)
			}
			bad := int64(1)
			if c.told == "empty file" {
				bad = 0
			}
			if len(told) != 1 || !strings.HasPrefix(told[0], path+": ") || !strings.Contains(told[0], c.told) || r.Bad() != bad {
				t.Errorf("%s: %d bad, told %q, want %q", c.name, r.Bad(), told, c.told)
			}
			r.Close()
		}
	}
}

// TestJoined writes files that end without a line end into one.
func TestJoined(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"jsonl", `{"text":"a"}`, "\ufeff" + `{"text":"b"}`, "{\"text\":\"a\"}\n{\"text\":\"b\"}"},
		{"jsonl broken", `{"text":"a"}`, "{no\n" + `{"text":"b"}`, "{\"text\":\"a\"}\n{no\n{\"text\":\"b\"}"},
		{"text", "a", "\nb\n", "a\n\nb\n"},
		{"text blank", "a\n", "b\n", "a\n\nb\n"},
		{"text CRLF", "a\r\n\r\n", "b\r\n", "a\r\n\r\nb\r\n"},
		{"vertical", "<doc>\nx\n</doc>", "<doc>\ny\n</doc>", "<doc>\nx\n</doc>\n<doc>\ny\n</doc>"},
	} {
		dir := write(t, "a", c.a, "b", c.b)
		format := records.Format(strings.Fields(c.name)[0])
		out, _, _ := rewrite(t, []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}, records.Config{Format: format}, records.WriterConfig{}, nil)
		must.Equal(t, out, c.want, c.name)
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{
		"PAR1\x00":                    "a Parquet file",
		"\xff\xfea\x00":               "iconv",
		"<!DOCTYPE html><p>x":         "chaffinch clean reads it",
		"<html>":                      "chaffinch clean reads it",
		"<?xml version='1.0'?>\n<TEI": "chaffinch convert reads it",
		"<?xml version='1.0'?>\n<a/>": "convert it to text first",
		"[{\"text\":\"a\"}]":          "jq -c '.[]'",
		"{\n \"text\":\"a\"}":         "jq -c .",
		"a\x00b":                      "NUL bytes",
		"# a.html\ngood\tparagraph\t0\t\tText.\n":    "without",
		"\xfd7zXZ\x00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": "unpack it first",
	} {
		dir := write(t, "a", in)
		_, err := all(t, []string{filepath.Join(dir, "a")}, records.Config{})
		var e *page.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, wanted %q", in, err, want)
		}
	}
	dir := write(t, "a.jsonl", "{\"text\":\"a\"}\n", "b.txt", "text\n")
	// Among others a file that cannot be read is told and left out.
	var told []string
	docs, err := all(t, []string{write(t, "a.pdf", "%PDF-1.4\n", "b.jsonl", "{\"text\":\"a\"}\n", "c.txt", "text\n", "d.jsonl", "{\"text\":\"b\"}\n")},
		records.Config{OnError: func(e *page.Error) { told = append(told, filepath.Base(e.File)+": "+e.Err.Error()) }})
	if err != nil || len(docs) != 2 || len(told) != 2 || !strings.HasPrefix(told[0], "a.pdf: left out: ") || !strings.HasPrefix(told[1], "c.txt: left out: its format is text, the format of the collection is jsonl") {
		t.Errorf("two formats: %d documents, %q, %v", len(docs), told, err)
	}
	for _, cfg := range []records.Config{{Format: "json"}, {Format: "parquet"}, {Format: "x"}, {Split: "x"}, {Doc: "1"}, {Para: "a b"}, {Column: -1}, {Compat: "x"}} {
		if _, err := records.Open([]string{dir}, cfg); err == nil {
			t.Errorf("%+v is taken", cfg)
		}
	}
	for _, paths := range [][]string{nil, {filepath.Join(dir, "none")}, {"-"}, {t.TempDir()}} {
		if _, err := records.Open(paths, records.Config{}); err == nil {
			t.Errorf("%q are opened", paths)
		}
	}
}

func TestStdin(t *testing.T) {
	path := must.Get(records.Spool(strings.NewReader("a\n\nb\n"), t.TempDir()))(t)
	docs, err := all(t, []string{"-"}, records.Config{Stdin: path})
	if err != nil || fmt.Sprintf("%q", docs) != `["-#1 [a]" "-#3 [b]"]` {
		t.Errorf("%q, %v", docs, err)
	}
}

// TestDamage reads a packed file that is damaged in its second member: the parts before and
// after the damage are returned.
func TestDamage(t *testing.T) {
	var b []byte
	for i := range 3 {
		z := testkit.Gzip([]byte(fmt.Sprintf("{\"id\":%d,\"text\":\"%s\"}\n", i, testkit.Words(uint64(i), 3000))))
		if i == 1 {
			z = z[:len(z)/2]
		}
		b = append(b, z...)
	}
	path := filepath.Join(write(t, "a.gz", string(b)), "a.gz")
	bad := 0
	docs, err := all(t, []string{path}, records.Config{OnError: func(e *page.Error) {
		bad++
		if !strings.Contains(e.Error(), "cannot be unpacked") {
			t.Error(e)
		}
	}})
	if err != nil || bad != 1 || len(docs) != 2 || docs[0][0] != '0' || docs[1][0] != '2' {
		t.Errorf("%d documents, %d errors, %v", len(docs), bad, err)
	}
}

// TestSeekRefused wants the file named that became something else.
func TestSeekRefused(t *testing.T) {
	dir := write(t, "a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n", "b.jsonl", "{\"text\":\"c\"}\n")
	r := must.Get(records.Open([]string{dir}, records.Config{}))(t)
	defer r.Close()
	must.Succeed(t, must.Err(r.Next()))
	at := r.Position()
	must.Write(t, filepath.Join(dir, "a.jsonl"), "%PDF-1.4\n")
	must.Fail(t, r.Seek(at), "a.jsonl: ")
}
