package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// write puts files into a folder and returns it.
func write(t testing.TB, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := 0; i < len(files); i += 2 {
		must.Write(t, filepath.Join(dir, files[i]), files[i+1])
	}
	return dir
}

// edits decides about a document and its paragraphs.
type edits func(d *records.Doc) *records.Edit

// rewrite reads paths and writes all of it with edits; it returns the output
// and the documents as text that stay.
func rewrite(t testing.TB, paths []string, cfg records.Config, wc records.WriterConfig, edit edits) (out string, docs []string, bad []string) {
	t.Helper()
	var buf bytes.Buffer
	w := records.NewWriter(&buf, wc)
	cfg.Outside = func(b []byte) {
		must.Succeed(t, w.Outside(b))
	}
	cfg.OnError = func(e *page.Error) {
		if errors.Is(e, page.ErrEmpty) {
			return
		}
		bad = append(bad, strings.Replace(e.Error(), e.File, filepath.Base(e.File), 1))
	}
	r := must.Get(records.Open(paths, cfg))(t)
	defer r.Close()
	for {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Succeed(t, err)
		var e *records.Edit
		if edit != nil {
			e = edit(d)
		}
		must.Succeed(t, w.Write(d, e))
		if e == nil || !e.Drop {
			docs = append(docs, show(d, e))
		}
		r.Release(d)
	}
	must.Succeed(t, w.Flush())
	if w.Written() != int64(buf.Len()) {
		t.Errorf("Written %d, %d bytes", w.Written(), buf.Len())
	}
	if r.Bad() != int64(len(bad)) {
		t.Errorf("%d bad, %d told", r.Bad(), len(bad))
	}
	return buf.String(), docs, bad
}

// show writes the paragraphs of d that stay.
func show(d *records.Doc, e *records.Edit) string {
	var b strings.Builder
	for i, p := range d.Paras {
		if e == nil || len(e.Paras) == 0 || !e.Paras[i].Drop {
			fmt.Fprintf(&b, "[%s]", strings.ReplaceAll(string(p.Text), "\n", "|"))
		}
	}
	return b.String()
}

// collections are small ones in every format, with what is read from them.
var collections = []struct {
	name, file string
	cfg        records.Config
	in         string
	want       []string
	bad        []string
}{
	{name: "jsonl", file: "a.jsonl",
		in:   `{"id":"1","text":"One.\nTwo \"2\".\n\nThree é."}` + "\n" + ` { "x": [1,{"text":"no"}], "text" : "\n a\\n\u000ab\ud83d\ude00" , "y":null }` + "\r\n" + `{"text":""}` + "\n" + `{"text":null}` + "\n" + `{"text":"last\r\n\t\r\nline\n"}`,
		want: []string{"[One.][Two \"2\".][Three é.]", "[ a\\n][b😀]", "", "", "[last][line]"}},
	{name: "jsonl field", file: "a.jsonl", cfg: records.Config{TextField: "content"},
		in:   `{"text":"no","content":"a\nb"}` + "\n",
		want: []string{"[a][b]"}},
	{name: "jsonl text of another type", file: "a.jsonl",
		in:   `{"text":5}` + "\n" + `{"text":["a"],"id":"1"}` + "\n" + `{"text":{},"blocks":[{"text":"b"}]}` + "\n",
		want: []string{"[b]"},
		bad: []string{`a.jsonl: line 1: byte 0: field "text" is not a string, and there are no blocks: name the text field`,
			`a.jsonl: line 2: byte 11: field "text" is not a string, and there are no blocks: name the text field`}},
	{name: "jsonl broken", file: "a.jsonl",
		in:   "\ufeff" + `{"text":"a"}` + "\n\n" + `{"text":"b}` + "\n" + `{"text":"\q"}` + "\n" + `{"body":"c"}` + "\n" + `{"text":"d"} x` + "\n" + `{"text":"e\nf` + "\xff" + `"}` + "\n" + `{"text":"cut`,
		want: []string{"[a]", "[e][f\ufffd]"},
		bad: []string{"a.jsonl: line 3: byte 17: the line ends inside a value", "a.jsonl: line 4: byte 29: not JSON: unknown escape in a string",
			`a.jsonl: line 5: byte 43: no field "text" with text and no blocks: found body: name the text field`,
			"a.jsonl: line 6: byte 56: not JSON: found 'x' after 13 bytes of the line, wanted the end of the line",
			"a.jsonl: line 8: byte 88: the line ends inside a value"}},
	{name: "json", file: "a.jsonl",
		in: `{"id":"1","blocks":[{"kind":"heading","level":1,"text":"One"}, {"kind":"image","url":"x"},{"kind":"list","blocks":[{"kind":"item","blocks":[{"kind":"paragraph","text":"a"}]},` +
			`{"kind":"item","blocks":[{"text":"b\nc","kind":"code"}]}]} ,{"kind":"paragraph","text":"two","label":"good"},{"kind":"paragraph","text":"bad","label":"bad"},{"text":"three"} ],"z":1}` + "\n" +
			`{"blocks":[]}` + "\n" + `{"drop":"language","blocks":[{"text":"a"}]}` + "\n" + `{"blocks":[{"text":"x"},{"kind":"image"}]}` + "\n",
		want: []string{"[One][a b c][two][three]", "", "", "[x]"}},
	{name: "text", file: "a.txt",
		in:   "\n \nOne.\nTwo.\n\n\n\nThree.\r\n\r\nFour.\n  \nFive.",
		want: []string{"[One.][Two.]", "[Three.]", "[Four.]", "[Five.]"}},
	{name: "text file", file: "a.txt", cfg: records.Config{Split: "file"},
		in:   "\nOne.\nTwo.\n\n\nThree.\n\n",
		want: []string{"[One.][Two.][Three.]"}},
	{name: "text line", file: "a.txt", cfg: records.Config{Split: "line"},
		in:   "One.\nTwo.\n\nThree.",
		want: []string{"[One.]", "[Two.]", "", "[Three.]"}},
	{name: "vertical", file: "a.vert",
		in: "<?xml version='1.0'?>\n<corpus>\n<doc id=\"1\" url='http://a.example/'>\n<p>\n<s>\nOne\tCD\n<g/>\n.\tSENT\n</s>\n</p>\n<p n=\"2\">\nTwo\n&lt;\tx\n</p>\n</doc>\nbetween\n" +
			"<doc>\n<s>\nno\nparagraph\n</s>\n</doc>\n<doc id=3>\n<div>\n<p>\nin\n</div>\n</p>\n<p>\n</p>\nstray\n<docs>\n</docs>\n<p>\nopen\n<p>\nagain\n<doc id=\"4\">\r\n<p>\r\nCR\r\n</p>\r\n</doc>\r\n</corpus>",
		want: []string{"[One|.][Two|<]", "[no|paragraph]", "[in][][stray][open][again]", "[CR]"}},
	{name: "vertical column", file: "a.vert", cfg: records.Config{Column: 1, Doc: "text", Para: "para"},
		in:   "<text>\n<para>\nOnes\tone\tN\n<b\tx\tN\nshort\n</para>\n</text>\n",
		want: []string{"[one|x|]"}},
	{name: "prevertical", file: "a.prevert",
		in:   "<doc id=\"1\" title=\"A &amp; B\">\n<p heading=\"1\">\nA &lt;head&gt; line\n</p>\n<p>\nTwo lines\nof text.\n</p>\n</doc>\n<doc>\n</doc>\n",
		want: []string{"[A <head> line][Two lines of text.]", ""}},
	{name: "annotated vertical", file: "a.vert",
		in:   "<doc drop=\"language\">\n<p>\na\n</p>\n</doc>\n<doc>\n<p heading=\"0\" class=\"bad\">\nb\n</p>\n<p class=\"good\">\nc\n</p>\n<p class=\"short\">\nd\n<p>\ne\n<p class=\"bad\">\nf\n</doc>\n",
		want: []string{"", "[c][e]"}},
	{name: "onion", file: "a.vert", cfg: records.Config{Compat: "onion"},
		in:   "before\n<doc id=\"1\">\n<p>\n&lt;\n</p>\n<s>\nb\n<p >\n</p>\n</doc>\nbetween\n<doc>\nx\n</doc>\n",
		want: []string{"[before]", "[][&lt;][b][][between]", "[x]"}},
}

func TestCollections(t *testing.T) {
	for _, c := range collections {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(write(t, c.file, c.in), c.file)
			out, docs, bad := rewrite(t, []string{path}, c.cfg, records.WriterConfig{}, nil)
			if out != c.in {
				t.Errorf("came back as\n%q, was\n%q", out, c.in)
			}
			if fmt.Sprintf("%q", docs) != fmt.Sprintf("%q", c.want) {
				t.Errorf("got\n%q, wanted\n%q", docs, c.want)
			}
			if fmt.Sprintf("%q", bad) != fmt.Sprintf("%q", c.bad) {
				t.Errorf("told\n%q, wanted\n%q", bad, c.bad)
			}
			empty := func(d *records.Doc) *records.Edit {
				return &records.Edit{Paras: make([]records.ParaEdit, len(d.Paras))}
			}
			if out, _, _ := rewrite(t, []string{path}, c.cfg, records.WriterConfig{}, empty); out != c.in {
				t.Errorf("with empty edits came back as\n%q, was\n%q", out, c.in)
			}
		})
	}
}

// TestDrop drops paragraphs and documents by chance: what is left is what was
// not dropped, and the format is whole.
func TestDrop(t *testing.T) {
	for _, c := range collections {
		wc := records.WriterConfig{Compat: c.cfg.Compat}
		if c.cfg.Compat != "" {
			continue // its paragraphs are not those of its output
		}
		path := filepath.Join(write(t, c.file, c.in), c.file)
		for seed := range uint64(25) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			edit := func(d *records.Doc) *records.Edit {
				e := &records.Edit{Drop: rnd.IntN(5) == 0, Paras: make([]records.ParaEdit, len(d.Paras))}
				for i := range e.Paras {
					e.Paras[i].Drop = rnd.IntN(2) == 0
				}
				return e
			}
			out, want, _ := rewrite(t, []string{path}, c.cfg, wc, edit)
			if c.file == "a.jsonl" && c.bad == nil {
				for line := range strings.Lines(out) {
					if !json.Valid([]byte(line)) {
						t.Errorf("%s: not JSON: %s", c.name, line)
					}
				}
			}
			cfg := c.cfg
			cfg.Format = "text"
			switch filepath.Ext(c.file) {
			case ".jsonl":
				cfg.Format = "jsonl"
			case ".vert":
				cfg.Format = "vertical"
			case ".prevert":
				cfg.Format = "prevertical"
			}
			again := filepath.Join(write(t, c.file, out), c.file)
			_, got, _ := rewrite(t, []string{again}, cfg, wc, nil)
			if cfg.Format == "text" { // a document without paragraphs is nothing there
				got, want = nonEmpty(got), nonEmpty(want)
			}
			if c.name == "vertical" { // a paragraph without tokens may be gone or be there
				for i := range got {
					got[i] = strings.ReplaceAll(got[i], "[]", "")
				}
				for i := range want {
					want[i] = strings.ReplaceAll(want[i], "[]", "")
				}
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Fatalf("%s, seed %d: %q\nreads as %q, wanted %q", c.name, seed, out, got, want)
			}
		}
	}
}

func nonEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
