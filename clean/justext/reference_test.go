package justext

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// reference is a page in testdata/reference/justext-3.0.2.jsonl.
type reference struct {
	ID         string
	Paragraphs []struct {
		Text  string
		Links int `json:"chars_in_links"`
		Path  string
		CF    string
		Class string
	}
}

func references(t *testing.T) (out []reference, l *Labeller) {
	t.Helper()
	cfg, err := PresetByName("justext-3.0")
	must.Succeed(t, err)
	must.Succeed(t, cfg.Load("testdata/reference/en.txt"))
	if l, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	f := must.Get(os.Open("testdata/reference/justext-3.0.2.jsonl"))(t)
	defer f.Close()
	for d := json.NewDecoder(f); d.More(); {
		var r reference
		must.Succeed(t, d.Decode(&r))
		out = append(out, r)
	}
	return out, l
}

// TestReferenceClasses gives jusText's paragraphs to the classifier.
func TestReferenceClasses(t *testing.T) {
	refs, l := references(t)
	seen := map[string]int{}
	for _, r := range refs {
		p := &page.Page{}
		for _, q := range r.Paragraphs {
			p.Blocks = append(p.Blocks, page.Block{Text: q.Text, Path: q.Path, LinkChars: q.Links})
		}
		v := must.Get(l.Label(context.Background(), p))(t)
		for i, q := range r.Paragraphs {
			seen[q.CF+" "+q.Class]++
			if v[i].ContextFree.String() != q.CF || v[i].Label.String() != q.Class {
				t.Errorf("%s: %q: %v, %v (%s), jusText %s, %s", r.ID, q.Text, v[i].ContextFree, v[i].Label, v[i].Reason, q.CF, q.Class)
			}
		}
	}
	for _, classes := range []string{"good good", "bad bad", "short good", "short bad", "neargood good", "neargood bad"} {
		if seen[classes] == 0 {
			t.Errorf("no reference paragraph is %s", classes)
		}
	}
}

// knownDifferent are texts where we mean to differ, with the reason.
var knownDifferent = map[string]string{
	"Page 1 2": "jusText drops the blank between two links",
}

// TestReferencePages takes the same pages from their bytes on.
func TestReferencePages(t *testing.T) {
	refs, l := references(t)
	ex := must.Get(extract.New(extract.Default))(t)
	for _, r := range refs {
		raw := must.Read(t, filepath.Join("testdata/reference", r.ID+".html"))
		p := &page.Page{Raw: raw, MIME: "text/html"}
		must.Succeed(t, ex.Do(context.Background(), p))
		v := must.Get(l.Label(context.Background(), p))(t)
		if len(v) != len(r.Paragraphs) {
			t.Errorf("%s: %d blocks, jusText has %d paragraphs", r.ID, len(v), len(r.Paragraphs))
			continue
		}
		for i, q := range r.Paragraphs {
			if got, want := strings.Fields(p.Blocks[i].Text), strings.Fields(q.Text); strings.Join(got, " ") != strings.Join(want, " ") && knownDifferent[strings.Join(got, " ")] == "" {
				t.Errorf("%s: block %d is %q, jusText has %q", r.ID, i, got, want)
			}
			if v[i].Label.String() != q.Class {
				t.Errorf("%s: %q: %v (%s), jusText %s", r.ID, q.Text, v[i].Label, v[i].Reason, q.Class)
			}
		}
	}
}

// TestOriginalOrder has the byline that 3.0.x loses.
func TestOriginalOrder(t *testing.T) {
	refs, l := references(t)
	for _, first := range []bool{false, true} {
		cfg := l.cfg
		cfg.NoFirstPass = !first
		l := must.Get(New(cfg))(t)
		for _, r := range refs {
			p := &page.Page{}
			at := -1
			for i, q := range r.Paragraphs {
				p.Blocks = append(p.Blocks, page.Block{Text: q.Text, Path: q.Path, LinkChars: q.Links})
				if q.Text == "By Ruth Ibsen" {
					at = i
				}
			}
			if at < 0 {
				continue
			}
			v := must.Get(l.Label(context.Background(), p))(t)
			if v[at].Label.Keep() != first {
				t.Errorf("first pass %v: the byline is %v (%s)", first, v[at].Label, v[at].Reason)
			}
		}
	}
}
