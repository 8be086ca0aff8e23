package wacz

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/warc"
	"chaffinch/internal/testkit/must"
)

// archive writes an archive of n pages and an image, and returns its bytes.
func archive(t *testing.T, name string, host string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{Packing: warc.Gzip}))(t)
	for i := range n {
		media := "text/html"
		if i == n-1 {
			media = "image/png"
		}
		body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<p>%s %d", media, host, i)
		_, err := w.Write(warc.Entry{Type: "response", URI: fmt.Sprintf("https://%s/%d", host, i), Date: fmt.Sprintf("2026-05-01T10:00:%02dZ", i%60), ContentType: "application/http; msgtype=response", Block: []byte(body)})
		must.Succeed(t, err)
	}
	must.Write(t, name, b.Bytes())
	return b.Bytes()
}

// read returns the files of a ZIP file.
func read(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	z := must.Get(zip.NewReader(bytes.NewReader(b), int64(len(b))))(t)
	out := map[string][]byte{}
	for _, f := range z.File {
		in := must.Get(f.Open())(t)
		out[f.Name] = must.Get(io.ReadAll(in))(t)
	}
	return out
}

// TestWrite writes two archives, finds each record by the index, and checks lists and checksums.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1.warc.gz"), filepath.Join(dir, "2.warc.gz")
	archive(t, one, "b.example", 2500)
	archive(t, two, "a.example", 1500)
	records := filepath.Join(dir, "Text.jsonl")
	must.Write(t, records, "{}\n{")
	c := Collection{Title: "Test", Archives: []string{one, two}, Records: records, RecordsBytes: 3, Dir: dir,
		Pages: func(yield func(Page, error) bool) { yield(Page{URL: "https://a.example/0", Title: "A <b>"}, nil) }}
	var first, again bytes.Buffer
	totals := must.Get(Write(t.Context(), &first, c))(t)
	if want := (Totals{2, 4000, 1, 3997}); totals != want {
		t.Errorf("totals %+v, wanted %+v", totals, want)
	}
	c.Memory = 10_000
	must.Succeed(t, must.Err(Write(t.Context(), &again, c)))
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("other bytes with less memory")
	}

	files := read(t, first.Bytes())
	if got := string(files["records/Text.jsonl"]); got != "{}\n" {
		t.Errorf("records %q", got)
	}
	if got := string(files["pages/pages.jsonl"]); !strings.Contains(got, `"title":"A <b>"`) {
		t.Errorf("pages %s", got)
	}
	var pack struct{ Resources []resource }
	must.Succeed(t, json.Unmarshal(files["datapackage.json"], &pack))
	if len(pack.Resources) != len(files)-2 {
		t.Errorf("%d resources of %d files", len(pack.Resources), len(files))
	}
	for _, r := range pack.Resources {
		sum := sha256.Sum256(files[r.Path])
		if r.Hash != "sha256:"+hex.EncodeToString(sum[:]) || r.Bytes != int64(len(files[r.Path])) || r.Name != strings.ToLower(r.Name) {
			t.Errorf("resource %+v", r)
		}
	}

	var keys []string
	for i, line := range strings.Split(strings.TrimSpace(string(files["indexes/index.idx"])), "\n") {
		head, fields, _ := strings.Cut(line, " {")
		if i == 0 {
			if head != "!meta 0" {
				t.Errorf("head %q", line)
			}
			continue
		}
		var block struct{ Offset, Length int }
		must.Succeed(t, json.Unmarshal([]byte("{"+fields), &block))
		z := must.Get(gzip.NewReader(bytes.NewReader(files["indexes/index.cdx.gz"][block.Offset:][:block.Length])))(t)
		text := must.Get(io.ReadAll(z))(t)
		if !strings.HasPrefix(string(text), head+" {") {
			t.Errorf("block of %q begins with %.40q", head, text)
		}
		keys = append(keys, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	if len(keys) != 4000 || !slices.IsSorted(keys) {
		t.Errorf("%d lines, sorted: %v", len(keys), slices.IsSorted(keys))
	}
	for _, line := range keys {
		var x warc.CDX
		must.Succeed(t, json.Unmarshal([]byte(line[strings.Index(line, "{"):]), &x))
		var offset, length int
		fmt.Sscan(x.Offset, &offset)
		fmt.Sscan(x.Length, &length)
		z := must.Get(gzip.NewReader(bytes.NewReader(files["archive/"+x.Filename][offset:][:length])))(t)
		z.Multistream(false)
		if text, err := io.ReadAll(z); err != nil || !strings.Contains(string(text), "WARC-Target-URI: "+x.URL+"\r\n") {
			t.Fatalf("%s: %v, %.200q", line, err, text)
		}
	}
}

// TestEnds omits an incomplete record at the end of the last archive, and refuses damage elsewhere.
func TestEnds(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1.warc.gz"), filepath.Join(dir, "2.warc.gz")
	whole := archive(t, one, "a.example", 10)
	archive(t, two, "b.example", 10)
	must.Write(t, one, whole[:len(whole)-20])
	var b bytes.Buffer
	if totals, err := Write(t.Context(), &b, Collection{Archives: []string{two, one}}); err != nil || totals.Records != 19 {
		t.Errorf("cut at the end: %+v, %v", totals, err)
	}
	if got := len(read(t, b.Bytes())["archive/1.warc.gz"]); got == 0 || got >= len(whole)-20 || !bytes.HasPrefix(whole, read(t, b.Bytes())["archive/1.warc.gz"]) {
		t.Errorf("%d bytes of the cut archive", got)
	}
	if _, err := Write(t.Context(), io.Discard, Collection{Archives: []string{one, two}}); err == nil || !strings.Contains(err.Error(), "1.warc.gz") {
		t.Errorf("cut in the middle: %v", err)
	}
	if _, err := Write(t.Context(), io.Discard, Collection{Archives: []string{two, two}}); err == nil {
		t.Error("two archives of one name")
	}
}

// TestOpenErrors rejects files and folders without readable archives.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Write(t, path, "no archive")
		return path
	}
	write("twice/a.warc")
	write("twice/warc/a.warc")
	for path, want := range map[string]string{
		write("a.wacz"):               "wanted a WACZ file",
		filepath.Join(dir, "missing"): "missing",
		filepath.Join(dir, "twice"):   "two archives of one name",
		t.TempDir():                   "no archive",
	} {
		if _, err := Open(t.Context(), path, func(error) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %q", path, err, want)
		}
	}
}

// TestSeveralIndexes reads the first index by name if a file has several.
func TestSeveralIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wacz")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, text []byte) {
		w := must.Get(z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}))(t)
		must.Succeed(t, must.Err(w.Write(text)))
	}
	for _, name := range []string{"e", "d", "c", "b", "a"} {
		var packed bytes.Buffer
		g := gzip.NewWriter(&packed)
		fmt.Fprintf(g, "org,example)/ 20260501100000 {\"url\":\"https://example.org/\",\"filename\":%q}\n", name)
		must.Succeed(t, g.Close())
		add("indexes/"+name+".cdx.gz", packed.Bytes())
		add("indexes/"+name+".idx", fmt.Appendf(nil, "org,example)/ 20260501100000 {\"offset\":0,\"length\":%d,\"filename\":\"%s.cdx.gz\"}\n", packed.Len(), name))
	}
	must.Succeed(t, z.Close())
	must.Write(t, path, b.Bytes())
	for range 10 {
		r := must.Get(Open(t.Context(), path, func(error) {}))(t)
		list, err := r.Index.Lookup("https://example.org/", 9)
		must.Succeed(t, errors.Join(err, r.Close()))
		if len(list) != 1 || list[0].Filename != "a" {
			t.Fatalf("captures %+v", list)
		}
	}
}
