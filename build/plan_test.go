package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// writeArchive writes a web archive of about so many bytes, without compression.
func writeArchive(t *testing.T, name string, size int) {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{}))(t)
	block := append([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"), bytes.Repeat([]byte("<p>many words "), 3000)...)
	for i := 0; b.Len() < size; i++ {
		_, err := w.Write(warc.Entry{Type: "response", URI: fmt.Sprintf("https://plan.example/%d", i), Date: "2026-01-01T00:00:00Z", ContentType: "application/http; msgtype=response", Block: block})
		must.Succeed(t, err)
	}
	must.Write(t, name, b.Bytes())
}

// TestPlanPieces: a sample has pieces from everywhere in a large archive, from each of several
// archives, and small files as a whole.
func TestPlanPieces(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeArchive(t, at("large.warc"), 24<<20)
	writeArchive(t, at("other.warc"), 12<<20)
	must.Write(t, at("small.html"), []byte("<p>few words</p>"))
	must.Write(t, at("large.html"), bytes.Repeat([]byte("<p>some words</p>"), planPiece/10))
	sample := func(names ...string) ([]input.Piece, *Plan) {
		p := &Plan{}
		for i, name := range names {
			names[i] = at(name)
		}
		list := must.Get(p.pieces(names))(t)
		return list, p
	}

	list, p := sample("large.warc")
	st := must.Get(os.Stat(at("large.warc")))(t)
	if read := total(list); len(list) != 16 || read < planBytes || read > planBytes*5/4 || p.Input != st.Size() || p.Files != 1 {
		t.Errorf("%d pieces with %d bytes, of %d files with %d bytes", len(list), read, p.Files, p.Input)
	}
	for i, x := range list {
		if part := st.Size() / 16; x.From/part != int64(i) || x.To/part != int64(i) {
			t.Errorf("piece %d: bytes %d to %d, wanted in part %d of %d bytes", i, x.From, x.To, i, part)
		}
	}

	list, p = sample("large.warc", "small.html", "other.warc")
	if p.Files != 3 || len(list) != 11 || list[0].Name != at("small.html") || list[0].To != 0 {
		t.Errorf("%d pieces of %d files, the first %+v, wanted the small file and 5 pieces of each archive", len(list), p.Files, list[0])
	}
	writeArchive(t, at("medium.warc"), planPiece*5/4)
	if list, p := sample("medium.warc"); len(list) == 0 || list[len(list)-1].To != 0 || total(list) > p.Input {
		t.Errorf("%+v, wanted pieces up to the end of the file", list)
	}
	if list, _ := sample("large.html"); len(list) != 1 || list[0].To != 0 {
		t.Errorf("%+v, wanted the file that cannot be cut as a whole", list)
	}
}
