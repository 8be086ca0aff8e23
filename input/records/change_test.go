package records

import (
	"bytes"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWhole reads the text of documents unchanged and replaces paragraphs.
func TestWhole(t *testing.T) {
	mask := func(i int, text string) Edit {
		e := Edit{Paras: make([]ParaEdit, 3)}
		e.Paras[i] = ParaEdit{Replace: true, Text: text}
		return e
	}
	drop := func(e Edit, i int) Edit { e.Paras[i] = ParaEdit{Drop: true}; return e }
	joined := func(e Edit) Edit { e.Joined = true; return e }
	const lines = `{"text": "\n a\u0041\n\n \nb\r\nc\n", "n": 1}` + "\n"
	for _, x := range []struct {
		name, file, in, whole string
		edit                  Edit
		want                  string
	}{
		{"json", "x.jsonl", lines, "\n aA\n\n \nb\r\nc\n", mask(0, "\"x\""), `{"text": "\n\"x\"\n\n \nb\r\nc\n", "n": 1}` + "\n"},
		{"json, last dropped", "x.jsonl", lines, "\n aA\n\n \nb\r\nc\n", drop(mask(1, "é"), 2), `{"text": "\n a\u0041\n\n \né\r\n", "n": 1}` + "\n"},
		{"json, joined", "x.jsonl", lines, "\n aA\n\n \nb\r\nc\n", joined(drop(mask(2, "C"), 1)), `{"text": " a\u0041\nC", "n": 1}` + "\n"},
		{"json, all kept, joined", "x.jsonl", lines, "\n aA\n\n \nb\r\nc\n", Edit{Joined: true}, `{"text": " a\u0041\nb\nc", "n": 1}` + "\n"},
		{"text", "x.txt", "a\n b\r\nc\n\n", "a\n b\nc", drop(mask(1, "B B"), 0), "B B\r\nc\n\n"},
		{"text without end", "x.txt", "a\nb\nc", "a\nb\nc", joined(mask(2, "C")), "a\nb\nC"},
	} {
		path := must.File(t, x.file, x.in)
		r := must.Get(Open([]string{path}, Config{}))(t)
		d := must.Get(r.Next())(t)
		whole, paras := d.Whole(nil, nil)
		if string(whole) != x.whole || len(paras) != len(d.Paras) {
			t.Errorf("%s: whole text %q with %d paragraphs, want %q", x.name, whole, len(paras), x.whole)
		}
		for i, p := range paras {
			if !bytes.Equal(whole[p.Start:p.End], d.Paras[i].Text) {
				t.Errorf("%s: paragraph %d is %q, want %q", x.name, i, whole[p.Start:p.End], d.Paras[i].Text)
			}
		}
		got, err := WriterConfig{}.Append(nil, d, &x.edit)
		if err != nil || string(got) != x.want {
			t.Errorf("%s: %q, error %v, want %q", x.name, got, err, x.want)
		}
		r.Close()
	}
}

// TestNotReplaceable: what cannot be replaced is an error, nothing is changed in
// silence.
func TestNotReplaceable(t *testing.T) {
	for name, in := range map[string]string{
		"x.vert":  "<doc id=\"1\">\n<p>\na\nb\n</p>\n</doc>\n",
		"x.jsonl": `{"id":"1","blocks":[{"text":"a b"}]}` + "\n",
	} {
		path := must.File(t, name, in)
		r := must.Get(Open([]string{path}, Config{}))(t)
		d := must.Get(r.Next())(t)
		if whole, paras := d.Whole(nil, nil); string(whole) != "a b" || !slices.Equal(paras, []Span{{0, 3}}) {
			t.Errorf("%s: %q, %v", name, whole, paras)
		}
		if _, err := (WriterConfig{}).Append(nil, d, &Edit{Paras: []ParaEdit{{Replace: true, Text: "x"}}}); err == nil {
			t.Errorf("%s: replaced", name)
		}
		r.Close()
	}
}

// TestGlue: tokens that stand together do so in the text of a document, whatever stands
// beside them, in its paragraphs, outside of them and in the next document.
func TestGlue(t *testing.T) {
	const in = "<doc id=\"1\">\n<g/>\n<p>\n<g/>\n<s>\nI\tP\nca\tV\n<g/>\nn't\tN\n<g/>\n<g/>\n&amp;\tX\n</s>\n<s>\nGo\tV\n<g/>\n.\tS\n</s>\n</p>\nout\tX\n<g/>\n!\tX\nb\tX\n<g/>\n</doc>\n" +
		"<doc id=\"2\">\n<p>\na\tX\nb\tX\n<g/>\nc\tX\n</p>\n</doc>\n"
	path := must.File(t, "x.vert", in)
	r := must.Get(Open([]string{path}, Config{}))(t)
	defer r.Close()
	for _, want := range []string{"I can't& Go.\nout! b", "a bc"} {
		d := must.Get(r.Next())(t)
		if whole, _ := d.Whole(nil, nil); string(whole) != want {
			t.Errorf("%q, want %q", whole, want)
		}
		r.Release(d)
	}
}
