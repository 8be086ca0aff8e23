package records

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestAttrs reads back what a Writer has annotated.
func TestAttrs(t *testing.T) {
	attrs := []Attr{{Name: "verdict", Value: "dr\"op"}, {Name: "a_b", Value: "0.25", Number: true}}
	for name, in := range map[string]string{
		"x.jsonl": `{"id":"1","text":"a","more":[1]}` + "\n",
		"x.vert":  "<doc>\n<p>\na\n</p>\n</doc>\n",
	} {
		dir := t.TempDir()
		read := func(b []byte) (*Reader, *Doc) {
			path := filepath.Join(dir, name)
			must.Write(t, path, b)
			r := must.Get(Open([]string{path}, Config{}))(t)
			d := must.Get(r.Next())(t)
			return r, d
		}
		r, d := read([]byte(in))
		if got := d.Attrs(nil, "found"); len(got) != 0 {
			t.Errorf("%s: %v before", name, got)
		}
		var out bytes.Buffer
		w := NewWriter(&out, WriterConfig{Annotate: true, Field: "found"})
		if err := w.Write(d, &Edit{Attrs: attrs, Paras: []ParaEdit{{Attrs: attrs}}}); err != nil || w.Flush() != nil {
			t.Fatal(err)
		}
		r.Close()
		r, d = read(out.Bytes())
		if got := d.Attrs(nil, "found"); !reflect.DeepEqual(got, attrs) {
			t.Errorf("%s: %v of %s", name, got, out.String())
		}
		r.Close()
	}
}
