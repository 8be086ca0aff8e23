package input_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// collection writes one file of every form into a folder, some damaged.
func collection(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, b []byte) { write(t, dir, "in/"+name, b) }
	var warc, members, frames, lines []byte
	for i := range 6 {
		r := record(fmt.Sprint(i), "<p>"+strings.Repeat(fmt.Sprint("text ", i, " "), 40*i))
		warc = append(warc, r...)
		members = append(members, testkit.Gzip(r)...)
		frames = append(frames, testkit.Zstd(r)...)
		lines = fmt.Appendf(lines, "{\"id\": \"line%d\", \"text\": %q}\n", i, strings.Repeat(fmt.Sprint("text ", i, " "), 40*i))
	}
	put("01.html", []byte("<html><p>one</p>"))
	put("02.txt", []byte("some words"))
	put("03.html.gz", testkit.Gzip([]byte("<html><p>two</p>")))
	put("04.warc", warc)
	put("05.warc.gz", members)
	put("06.warc.gz", testkit.Gzip(warc))
	put("07.warc.zst", frames)
	put("08.warc.zst", testkit.Zstd(testkit.Gzip(warc)))
	put("09.jsonl", lines)
	put("10.jsonl.gz", testkit.Gzip(lines))
	put("11.jsonl.zst", append(testkit.Zstd(lines), testkit.Zstd(lines)...))
	put("12.empty", nil)
	put("13.warc.gz", members[:len(members)-30])
	put("14.jsonl", append(append([]byte("{\"text\": \"a\"}\nno line\n\n{\"url\": \"b\"}\n"), lines...), "{\"text\": \"cut"...))
	put("15.jsonl.gz", testkit.Gzip(lines)[:100])
	put("16.warc", bytes.Replace(warc, []byte("Content-Length: "), []byte("Content-Length: 1"), 1))
	put("17.warc", append(append(bytes.Clone(warc[:len(warc)-50]), "and damage\n"...), warc...))
	bad := bytes.Clone(members)
	for i := range 20 {
		bad[len(bad)/2+i] ^= 0x3c
	}
	put("18.warc.gz", bad)
	inside := []testkit.File{
		{Name: "a/one.html", Data: []byte("<html><p>one")}, {Name: "lines.jsonl.gz", Data: testkit.Gzip(lines)}, {Name: "b.warc", Data: warc},
		{Name: "empty", Data: nil}, {Name: "photo.png", Data: []byte("\x89PNG\r\n\x1a\n\x00\x00")}, {Name: "in.tar", Data: testkit.Tar()}, {Name: "two.txt", Data: []byte("two")},
	}
	tarred := testkit.Tar(inside...)
	put("20.tar", tarred)
	put("21.tar.gz", testkit.Gzip(tarred))
	put("22.tar", tarred[:len(tarred)-2000])
	put("23.tar.gz", testkit.Gzip(tarred)[:400])
	broken := bytes.Clone(tarred)
	broken[600], broken[1100], broken[1030] = 'x', 'x', 'x'
	put("24.tar", append(broken, tarred...))
	put("25.zip", testkit.Zip(inside...))
	put("26.zip", testkit.Zip(inside...)[:300])
	var mbox, wiki []byte
	for i := range 4 {
		mbox = fmt.Appendf(mbox, "From a@example.org Tue Feb  3 10:0%d:00 2026\nMessage-ID: <%d@x>\nSubject: %d\n\n%s\n\n", i, i, i, strings.Repeat("text\n", 40*i))
		wiki = fmt.Appendf(wiki, "  <page>\n<title>T %d</title>\n<ns>%d</ns>\n<id>%d</id>\n<revision><text>%s</text></revision>\n</page>\n", i, i%3, i, strings.Repeat("text ", 40*i))
	}
	const info = "<mediawiki xml:lang=\"en\">\n<siteinfo><base>https://wiki.example/wiki/Main</base></siteinfo>\n"
	put("30.mbox", mbox)
	put("31.mbox.gz", append(testkit.Gzip(mbox), testkit.Gzip(mbox)...))
	put("32.mbox.gz", testkit.Gzip(mbox)[:120])
	put("33.xml", append([]byte(info), wiki...))
	put("34.xml.gz", append(testkit.Gzip([]byte(info)), testkit.Gzip(wiki)...))
	put("35.xml.gz", testkit.Gzip(append([]byte(info), wiki...))[:150])
	put("19.html.zst", testkit.Zstd([]byte("<html><p>three</p>"))[:20])
	return filepath.Join(dir, "in")
}

// outcome is one answer of Next as text.
func outcome(p *page.Page, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	b, _ := json.Marshal(p)
	return string(b)
}

// TestResume stops after every page and every error, and resumes with a new reader: its
// results equal the results of the uninterrupted reader.
func TestResume(t *testing.T) {
	dir := collection(t)
	var whole []string
	var places []input.Position
	r := open(t, input.Config{}, dir)
	for {
		places = append(places, r.Position())
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		whole = append(whole, outcome(p, err))
	}
	if len(whole) < 70 {
		t.Fatalf("%d pages and errors only", len(whole))
	}
	for i, at := range places {
		b := must.Get(json.Marshal(at))(t)
		var back input.Position
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, at) {
			t.Fatalf("%+v came back from JSON as %+v, %v", at, back, err)
		}
		r := open(t, input.Config{}, dir)
		if i%2 == 1 { // also from the middle of something else
			r.Next()
			r.Next()
		}
		if err := r.Seek(at); err != nil {
			t.Fatalf("Seek(%+v): %v", at, err)
		}
		must.Same(t, r.Position(), at, "Position after Seek")
		for k := i; k < min(len(whole), i+8); k++ {
			p, err := r.Next()
			if got := outcome(p, err); got != whole[k] {
				t.Fatalf("from %+v: answer %d is\n%.300s\nwanted\n%.300s", at, k, got, whole[k])
			}
		}
		if i+8 >= len(whole) {
			for k := i + 8; k <= len(whole); k++ {
				r.Next()
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("from %+v: no end: %v", at, err)
			}
		}
		r.Close()
	}
}

func TestSeekElsewhere(t *testing.T) {
	dir := collection(t)
	r := open(t, input.Config{}, dir)
	for _, p := range []input.Place{{File: -1}, {File: 99}, {File: 0, Name: "other"}} {
		must.Fail(t, r.Seek(input.Position{Place: p}), "changed")
	}
	name := filepath.Join(dir, "04.warc")
	if err := r.Seek(input.Position{Place: input.Place{File: 3, Name: name, Offset: 1 << 40}}); !errors.As(err, new(*page.Error)) {
		t.Errorf("Seek behind the end: %v", err)
	}
}

func TestStdin(t *testing.T) {
	for name, in := range map[string][]byte{"warc": append(record("1", "<p>1"), record("2", "<p>2")...), "gzip": testkit.Gzip(append(record("1", "<p>1"), record("2", "<p>2")...))} {
		pipe := func() io.Reader { return io.MultiReader(bytes.NewReader(in)) }
		r := open(t, input.Config{Stdin: pipe()}, "-")
		p, err := r.Next()
		if err != nil || p.ID != "urn:x:1" || p.Source.File != "-" {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		at := r.Position()
		if _, total := r.Progress(); total != -1 {
			t.Errorf("%s: total %d, wanted -1", name, total)
		}
		r = open(t, input.Config{Stdin: pipe()}, "-")
		must.Succeed(t, r.Seek(at))
		if p, err := r.Next(); err != nil || p.ID != "urn:x:2" {
			t.Errorf("%s: after Seek %+v, %v", name, p, err)
		}
	}
}

func TestProgress(t *testing.T) {
	dir := collection(t)
	r := open(t, input.Config{}, dir)
	var last, size int64
	filepath.Walk(dir, func(_ string, i os.FileInfo, _ error) error {
		if !i.IsDir() {
			size += i.Size()
		}
		return nil
	})
	for {
		_, err := r.Next()
		done, total := r.Progress()
		if done < last || done > total || total != size {
			t.Fatalf("done %d after %d, of %d, wanted %d", done, last, total, size)
		}
		last = done
		if err == io.EOF {
			break
		}
	}
	if last != size {
		t.Errorf("done %d of %d at the end", last, size)
	}
}
