package records_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch"
	"chaffinch/format/jsonl"
	"chaffinch/format/plain"
	"chaffinch/format/vertical"
	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestCleanOutputs reads what the cleaner writes of real pages, and writes it
// back: in each format the bytes are the same, and the paragraphs those of the
// page.
func TestCleanOutputs(t *testing.T) {
	c := must.Get(chaffinch.New(chaffinch.Options{Markup: true, CountLangs: true}))(t)
	var pages []*page.Page
	must.Succeed(t, archive.Walk(testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), func(name string, r io.Reader) error {
		if !strings.Contains(name, "html/") {
			return nil
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		p, err := c.Clean(context.Background(), raw)
		if err != nil {
			return err
		}
		p.ID, p.URL = name, "https://www.example.org/"+name
		pages = append(pages, p)
		return nil
	}))
	var lines, texts []string // of each page as text and as JSON lines
	for _, p := range pages {
		if p.Drop != page.None {
			continue
		}
		b := string(plain.Encoder{}.Append(nil, p))
		if b == "" {
			continue
		}
		lines = append(lines, "["+strings.ReplaceAll(strings.TrimSuffix(b, "\n\n"), "\n", "][")+"]")
		var all strings.Builder
		for _, line := range strings.Split(p.Text(), "\n") {
			if strings.TrimSpace(line) != "" {
				all.WriteString("[" + line + "]")
			}
		}
		texts = append(texts, all.String())
	}
	formats := []struct {
		name string
		enc  interface {
			Append([]byte, *page.Page) []byte
		}
		want []string
	}{
		{"a.txt", plain.Encoder{}, lines},
		{"a.jsonl", jsonl.Encoder{}, texts},
		{"annotated.jsonl", jsonl.Encoder{Annotate: true}, nil},
		{"a.json", jsonl.Document{}, nil},
		{"annotated.json", jsonl.Document{Annotate: true}, nil},
		{"a.vert", vertical.Encoder{}, nil},
		{"annotated.vert", vertical.Encoder{Annotate: true}, nil},
		{"a.prevert", vertical.Prevertical{}, nil},
		{"annotated.prevert", vertical.Prevertical{Annotate: true}, nil},
	}
	counts := map[string]int{}
	for _, f := range formats {
		var b []byte
		for _, p := range pages {
			b = f.enc.Append(b, p)
		}
		path := filepath.Join(write(t, f.name, string(b)), f.name)
		out, docs, bad := rewrite(t, []string{path}, records.Config{}, records.WriterConfig{}, func(d *records.Doc) *records.Edit {
			if !strings.Contains(f.name, ".txt") && (!strings.HasPrefix(d.ID, "html/") && !strings.Contains(d.ID, "/html/") || !strings.HasSuffix(d.URL, d.ID)) {
				t.Errorf("%s: id %q, url %q", f.name, d.ID, d.URL)
			}
			counts[f.name] += len(d.Paras)
			return &records.Edit{Paras: make([]records.ParaEdit, len(d.Paras))}
		})
		if out != string(b) || len(bad) > 0 {
			t.Errorf("%s: %d bytes came back as %d; %q", f.name, len(b), len(out), bad)
		}
		if f.want != nil && fmt.Sprintf("%q", docs) != fmt.Sprintf("%q", f.want) {
			t.Errorf("%s: other paragraphs", f.name)
		}
	}
	// The formats agree, with annotations and without; annotated ones have a
	// paragraph for each block, the others one for each row of a table.
	kept, all := 0, 0
	for _, p := range pages {
		if p.Drop != page.None {
			continue
		}
		all += len(p.Blocks)
		for i := 0; i < len(p.Blocks); {
			var text string
			if text, i = p.Line(i); text != "" {
				kept++
			}
		}
	}
	for _, f := range []string{"vert", "prevert"} {
		if n := counts["a."+f]; n != kept {
			t.Errorf("%s: %d paragraphs of %d", f, n, kept)
		}
		if n := counts["annotated."+f]; n == 0 || n != counts["annotated.jsonl"] || n > all {
			t.Errorf("annotated %s: %d paragraphs, %d in jsonl, %d blocks", f, n, counts["annotated.jsonl"], all)
		}
	}
}
