package export

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
)

// pair indexes two texts of segments and aligns them by a mapping.
func pair(t *testing.T, en, de, mapping string) *corpus.Corpus {
	t.Helper()
	dir := t.TempDir()
	var of [2]*corpus.Corpus
	for i, text := range []string{en, de} {
		path := filepath.Join(dir, []string{"En.idx", "de.idx"}[i])
		must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text), path, corpus.DefaultBuild)))
		c := must.Get(corpus.Open(path))(t)
		t.Cleanup(func() { c.Close() })
		of[i] = c
	}
	must.Succeed(t, must.Err(corpus.Align(t.Context(), of[0], of[1], corpus.AlignConfig{Mapping: strings.NewReader(mapping)})))
	return of[0]
}

const (
	english = "<doc id=\"1\" LEN=\"2\">\n<p>\n<align>\nA\n</align>\n<align>\n&lt;b>\n</p>\n<p>\n&\n</align>\n</p>\n<align>\n</align>\n<align>\nd\n</align>\n</doc>\n"
	german  = "<doc>\n<align>\nX\n</align>\n<align>\nY\nZ\n</align>\n<align>\nalone\n</align>\n<align>\nW\n</align>\n</doc>\n"
	mapping = "0,1\t0\n2\t-1\n-1\t2\n3\t3\n-1\t1\n"
)

// TestWrite exports a corpus whose structures overlap, aligned by ranges and with segments without
// counterpart.
func TestWrite(t *testing.T) {
	c := pair(t, english, german, mapping)
	dir := t.TempDir()
	read := func(name string) string {
		t.Helper()
		return string(must.Read(t, filepath.Join(dir, name)))
	}
	for _, f := range []string{"vertical", "manatee", "blacklab", "cwb", "tei"} {
		rep, err := Write(t.Context(), c, Config{Format: f, Dir: dir})
		if err != nil || len(rep.Files) == 0 {
			t.Fatalf("%s: %v, %v", f, rep, err)
		}
	}
	if got, want := read("en-de.map"), "0,1\t0\n2\t-1\n-1\t1\n-1\t2\n3\t3\n"; got != want {
		t.Errorf("mapping\n%s, wanted\n%s", got, want)
	}
	if got, want := read("en-de.align"), "en align de align\n0\t2\t0\t0\t2:1\n3\t3\t4\t4\t1:1\n"; got != want {
		t.Errorf("alignment\n%s, wanted\n%s", got, want)
	}
	if got := read("en.vrt"); !strings.Contains(got, "<doc len=\"2\" id=\"1\">") || !strings.Contains(got, "&lt;b&gt;\n") || !strings.Contains(got, "&amp;\n") {
		t.Errorf("input of CWB\n%s", got)
	}
	if got := read("registry/en"); !strings.Contains(got, "\nSTRUCTURE doc_len ") || !strings.Contains(got, "\nALIGNED de\n") {
		t.Errorf("registry of CWB\n%s", got)
	}
	d := xml.NewDecoder(strings.NewReader(read("en.xml")))
	words := ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		must.Succeed(t, err)
		if e, ok := tok.(xml.StartElement); ok && (e.Name.Local == "w" || e.Name.Local == "pc") {
			text := must.Get(d.Token())(t)
			words += string(text.(xml.CharData)) + " "
		}
	}
	if words != "A <b> & d " {
		t.Errorf("words in TEI %q", words)
	}
}

// TestDocument: documents are the structure that the index has for them.
func TestDocument(t *testing.T) {
	const vert = "<text id=\"a\" lang=\"de\">\n<s>\nx\n</s>\n</text>\n<text id=\"b\" lang=\"de\">\n<s>\ny\n</s>\n</text>\n"
	dir, cfg := filepath.Join(t.TempDir(), "c.idx"), corpus.DefaultBuild
	cfg.Document = "text"
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vert), dir, cfg)))
	c := must.Get(corpus.Open(dir))(t)
	defer c.Close()
	for _, x := range []struct{ format, file, want string }{
		{"manatee", "c", "DOCSTRUCTURE \"text\""}, {"blacklab", "c.blf.yaml", "documentPath: text"}, {"cwb", "registry/c", "language = \"de\""},
		{"tei", "c.xml", "<note type=\"id\">b</note>"}, {"conllu", "c.conllu", "# newdoc id = b"},
	} {
		out := t.TempDir()
		must.Succeed(t, must.Err(Write(t.Context(), c, Config{Format: x.format, Dir: out})))
		b := must.Read(t, filepath.Join(out, filepath.FromSlash(x.file)))
		if !strings.Contains(string(b), x.want) {
			t.Errorf("%s without %s:\n%s", x.format, x.want, b)
		}
	}
}

// TestWriteErrors: names that are equal in CWB, files of others and parts are errors.
func TestWriteErrors(t *testing.T) {
	c := pair(t, strings.Replace(english, "LEN", "ID", 1), german, mapping)
	dir := t.TempDir()
	for f, want := range map[string]string{"cwb": "are both doc_id in CWB", "conllu": "outside of sentences", "html": "wanted one of"} {
		if _, err := Write(t.Context(), c, Config{Format: f, Dir: dir}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %s", f, err, want)
		}
	}
	must.Write(t, filepath.Join(dir, "en"), "another file")
	if _, err := Write(t.Context(), c, Config{Format: "manatee", Dir: dir}); err == nil {
		t.Error("a registry file of another program was overwritten")
	}
	part := must.Get(c.Where(t.Context(), `doc.id="1"`))(t)
	if _, err := Write(t.Context(), part, Config{Format: "vertical", Dir: dir}); err == nil {
		t.Error("a part was exported")
	}
	if b, err := os.ReadFile(filepath.Join(dir, "en")); err != nil || !bytes.Equal(b, []byte("another file")) {
		t.Errorf("the file of another program is %q: %v", b, err)
	}
}
