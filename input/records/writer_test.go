package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
)

// found is an edit of a document with two paragraphs.
func found(*records.Doc) *records.Edit {
	return &records.Edit{
		Drop:  true,
		Attrs: []records.Attr{{Name: "cluster", Value: `a "b" & <c>`}, {Name: "size", Value: "3", Number: true}},
		Paras: []records.ParaEdit{
			{Drop: true, Attrs: []records.Attr{{Name: "share", Value: "0.75", Number: true}, {Name: "first", Value: "doc\t1"}}},
			{Attrs: []records.Attr{{Name: "share", Value: "0", Number: true}, {Name: "first", Value: ""}}},
		},
	}
}

func TestAnnotate(t *testing.T) {
	const js = `{"cluster":"a \"b\" & <c>","size":3,"paragraphs":[{"share":0.75,"first":"doc\u00091"},{"share":0,"first":""}]}`
	const tag = ` cluster='a "b" & &lt;c&gt;' size="3"`
	for _, c := range []struct {
		name     string
		cfg      records.Config
		wc       records.WriterConfig
		in, want string
	}{
		{"jsonl", records.Config{}, records.WriterConfig{}, `{"text":"a\nb" }` + "\r\n", `{"text":"a\nb","dedup":` + js + " }\r\n"},
		{"jsonl again", records.Config{}, records.WriterConfig{Field: "found"}, `{"found":[1], "text":"a\nb","x":1}`, `{"found":` + js + `, "text":"a\nb","x":1}`},
		{"json", records.Config{}, records.WriterConfig{}, `{"blocks":[{"text":"a"},{"text":"b"}]}`, `{"blocks":[{"text":"a"},{"text":"b"}],"dedup":` + js + "}"},
		{"text", records.Config{}, records.WriterConfig{}, "a\nb\n\n", "# a#1\tcluster=a \"b\" & <c>\tsize=3\nshare=0.75\tfirst=doc 1\ta\nshare=0\tfirst=\tb\n\n"},
		{"text file", records.Config{Split: "file"}, records.WriterConfig{Split: "file"}, "a\n\nb", "# a\tcluster=a \"b\" & <c>\tsize=3\nshare=0.75\tfirst=doc 1\ta\nshare=0\tfirst=\tb\n\n"},
		{"vertical", records.Config{}, records.WriterConfig{}, "<doc id=\"1\" >\r\n<p>\r\na\r\n</p>\r\n<p share='1' n=\"2\">\nb\n</p>\n</doc>\n",
			"<doc id=\"1\"" + tag + ">\r\n<p share=\"0.75\" first=\"doc 1\">\r\na\r\n</p>\r\n<p n=\"2\" share=\"0\" first=\"\">\nb\n</p>\n</doc>\n"},
		{"prevertical", records.Config{}, records.WriterConfig{}, "<doc size=\"1\">\n<p>\na b\n</p>\n<p/>\nin no paragraph\n</doc>\n",
			"<doc" + tag + ">\n<p share=\"0.75\" first=\"doc 1\">\na b\n</p>\n<p/>\nin no paragraph\n</doc>\n"},
	} {
		path := filepath.Join(write(t, "a", c.in), "a")
		c.wc.Annotate = true
		out, _, _ := rewrite(t, []string{path}, c.cfg, c.wc, found)
		if out = strings.ReplaceAll(out, path, "a"); out != c.want {
			t.Errorf("%s: got\n%q, wanted\n%q", c.name, out, c.want)
		}
		if strings.HasPrefix(c.name, "js") && !json.Valid([]byte(out)) {
			t.Errorf("%s: not JSON: %s", c.name, out)
		}
	}
}

// TestAnnotateWhole writes the attributes of a paragraph that is a document into the
// document's tag.
func TestAnnotateWhole(t *testing.T) {
	path := filepath.Join(write(t, "a.vert", "<doc>\na\nb\n</doc>\n"), "a.vert")
	out, _, _ := rewrite(t, []string{path}, records.Config{}, records.WriterConfig{Annotate: true}, func(*records.Doc) *records.Edit {
		return &records.Edit{Attrs: []records.Attr{{Name: "x", Value: "1"}}, Paras: []records.ParaEdit{{Attrs: []records.Attr{{Name: "share", Value: "1"}}}}}
	})
	must.Equal(t, out, "<doc x=\"1\" share=\"1\">\na\nb\n</doc>\n")
}

func TestOnion(t *testing.T) {
	const in = "<doc id=\"1\">\n<p>\na\n</p>\n<p n=\"1\">\nb\n</p>\n</doc>\n<doc>\nc\n</doc>\n"
	path := filepath.Join(write(t, "a.vert", in), "a.vert")
	edit := func(d *records.Doc) *records.Edit {
		if d.Num == 1 {
			return &records.Edit{Drop: true}
		}
		return &records.Edit{Paras: []records.ParaEdit{{Drop: true}, {}, {Drop: true}}}
	}
	for annotate, want := range map[bool]string{
		true:  "0\t<doc id=\"1\">\n0\t<p>\n0\ta\n0\t</p>\n1\t<p n=\"1\">\n1\tb\n1\t</p>\n0\t</doc>\n1\t<doc>\n1\tc\n1\t</doc>\n",
		false: "<doc id=\"1\">\n<p>\na\n</p>\n</doc>\n",
	} {
		out, _, _ := rewrite(t, []string{path}, records.Config{Compat: "onion"}, records.WriterConfig{Compat: "onion", Annotate: annotate}, edit)
		must.Equal(t, out, want)
	}
}

// failing is an output without room.
type failing struct{}

var errFull = errors.New("no room")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriterErrors(t *testing.T) {
	path := filepath.Join(write(t, "a.txt", "a\nb\n\n"), "a.txt")
	open := func() *records.Doc {
		r := must.Get(records.Open([]string{path}, records.Config{}))(t)
		d := must.Get(r.Next())(t)
		r.Close()
		return d
	}
	d := open()
	must.Fail(t, records.NewWriter(&bytes.Buffer{}, records.WriterConfig{Format: "jsonl"}).Write(d, nil), "its format is text")
	must.Fail(t, records.NewWriter(&bytes.Buffer{}, records.WriterConfig{}).Write(d, &records.Edit{Paras: make([]records.ParaEdit, 3)}), "3 paragraphs")
	w := records.NewWriter(failing{}, records.WriterConfig{})
	must.Succeed(t, w.Write(d, nil))
	if err := w.Flush(); err != errFull {
		t.Errorf("no room: %v", err)
	}
	if err := w.Write(d, nil); err != errFull {
		t.Errorf("after an error: %v", err)
	}
}
