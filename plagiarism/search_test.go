package plagiarism

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
)

// documents makes a sequence of texts, with ids d0, d1, ...
func documents(texts []string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for i, s := range texts {
			if !yield(Document{ID: fmt.Sprintf("d%d", i), Text: s}, nil) {
				return
			}
		}
	}
}

// collect searches with a number of workers.
func collect(t *testing.T, x *Index, docs iter.Seq2[Document, error], jobs int) (ids []string, all []Passage) {
	t.Helper()
	must.Succeed(t, SearchAll(context.Background(), x, docs, DefaultSearch, jobs, func(r SearchResult) error {
		ids = append(ids, r.ID)
		all = append(all, r.Passages...)
		return r.Err
	}))
	return ids, all
}

func TestSearchAll(t *testing.T) {
	texts := madeTexts(60, 1500)
	dir := t.TempDir()
	buildIndex(t, dir, 1<<20, texts[:40]...)
	x := openIndex(t, dir)
	docs := texts[40:]
	for i := range docs {
		docs[i] += "\n\n" + texts[i][2000:4000] + "\n\n" + texts[39-i][:1000]
	}
	ids, one := collect(t, x, documents(docs), 1)
	if len(ids) != 20 || ids[3] != "d3" {
		t.Errorf("results of %v", ids)
	}
	right := 0
	for _, p := range one {
		var n int
		fmt.Sscanf(p.Suspicious, "d%d", &n)
		if p.Source == fmt.Sprintf("s%d", n) && p.SourceStart >= 1990 && p.SourceEnd <= 4010 || p.Source == fmt.Sprintf("s%d", 39-n) && p.SourceEnd <= 1030 {
			right++
		} else {
			t.Logf("wrong: %+v", p)
		}
	}
	if right != len(one) || len(one) != 40 {
		t.Errorf("%d of %d passages are right, wanted 40", right, len(one))
	}
	_, eight := collect(t, x, documents(docs), 8)
	if !slices.Equal(one, eight) {
		t.Error("the passages depend on the number of workers")
	}
	// An id twice, an error of the reader, an error of the caller.
	twice := func(yield func(Document, error) bool) {
		for range 2 {
			if !yield(Document{ID: "a", Text: heron}, nil) {
				return
			}
		}
		yield(Document{}, os.ErrPermission)
	}
	var results []SearchResult
	err := SearchAll(context.Background(), x, twice, DefaultSearch, 4, func(r SearchResult) error { results = append(results, r); return nil })
	var dup *DuplicateError
	if !errors.Is(err, os.ErrPermission) || len(results) != 2 || !errors.As(results[1].Err, &dup) {
		t.Errorf("%v, %d results", err, len(results))
	}
	n := 0
	err = SearchAll(context.Background(), x, documents(docs), DefaultSearch, 4, func(SearchResult) error { n++; return os.ErrClosed })
	if !errors.Is(err, os.ErrClosed) || n != 1 {
		t.Errorf("%v after %d results", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = SearchAll(ctx, x, documents(docs), DefaultSearch, 4, func(SearchResult) error { cancel(); return nil })
	must.Is(t, err, context.Canceled)
}

// A passage longer than a section is found whole, on both sides.
func TestSearchLong(t *testing.T) {
	texts := madeTexts(3, 60000)
	copied := texts[0][20000:280000]
	suspicious := texts[1][:90000] + "\n\n" + copied + "\n\n" + texts[1][90000:150000]
	got := Align(suspicious, texts[2][:50000]+"\n\n"+copied+"\n\n"+texts[2][50000:], DefaultAlign)
	if len(got) != 1 {
		t.Fatalf("%d passages: %+v", len(got), got)
	}
	p := got[0]
	for _, d := range []int{p.SuspiciousStart - 90002, p.SuspiciousEnd - 90002 - len(copied), p.SourceStart - 50002, p.SourceEnd - 50002 - len(copied)} {
		if max(d, -d) > 20 {
			t.Errorf("a border is %d characters off: %+v", d, p)
		}
	}
}

func TestAlignStrongest(t *testing.T) {
	dir := t.TempDir()
	weak := strings.NewReplacer("grey", "big", "moving", "motion", "argued", "quarrelled", "repaired", "mended").Replace(heron)
	buildIndex(t, dir, 0, market+"\n\n"+weak, quarry+"\n\n"+heron)
	x := openIndex(t, dir)
	for _, all := range []bool{false, true} {
		cfg := DefaultSearch
		cfg.Align.All = all
		s := must.Get(NewSearcher(x, cfg))(t)
		var sources []string
		found := must.Get(s.Search(t.Context(), "", heron))(t)
		for _, p := range found {
			sources = append(sources, p.Source)
		}
		want := []string{"s1"}
		if all {
			want = []string{"s0", "s1"}
		}
		if !slices.Equal(sources, want) {
			t.Errorf("all %v: sources %v, wanted %v", all, sources, want)
		}
		if got, err := s.Search(t.Context(), "s1", heron); err != nil || len(got) == 0 || got[0].Source == "s1" {
			t.Errorf("compared with itself: %+v", got)
		}
	}
}

func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{
		"pan/a.txt": "\n\ufeffOne.\r\n\r\nTwo.\n", "pan/a.xml": "<document/>", "pan/b.txt": "", "pan/.hidden": "no",
		"c.jsonl": `{"id": "c1", "text": "Three.\n\nFour."}` + "\n" + `{"id": "c2", "text": ""}` + "\n",
		"d.vert":  "<doc id=\"d1\">\n<p>\nFive\nsix\n</p>\n<p>\nseven\n</p>\n</doc>\n",
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(s), 0o666)))
	}
	var got []string
	for _, name := range []string{"pan", "c.jsonl", "d.vert"} {
		for d, err := range Documents([]string{filepath.Join(dir, name)}, ReadConfig{Collection: records.Config{}}) {
			must.Succeed(t, err)
			got = append(got, d.ID+"="+d.Text)
		}
	}
	want := []string{"a.txt=\n\ufeffOne.\r\n\r\nTwo.\n", "c1=Three.\n\nFour.", "c2=", "d1=Five six\nseven"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwanted %q", got, want)
	}
	for _, err := range Documents([]string{filepath.Join(dir, "missing")}, ReadConfig{}) {
		must.Is(t, err, os.ErrNotExist)
	}
}

func FuzzAlign(f *testing.F) {
	for _, s := range [][2]string{{heron, market + heron}, {"", ""}, {"а\u200bb c", "ab c"}, {"日本語の文章です。", "日本語の文章です。"}, {"\xff\xfea b", "a b"}, {strings.ToUpper(heron), quarry + heron}, {"don't ’ x’y’", "'"}, {"각각 ḍ̇", "각"}} {
		f.Add(s[0], s[1])
	}
	cfg := DefaultAlign
	cfg.Support, cfg.Evidence, cfg.MinWords, cfg.MinChars = 2, 1, 1, 1
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, p := range Align(a, b, cfg) {
			na, nb := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
			if p.SuspiciousStart < 0 || p.SuspiciousStart >= p.SuspiciousEnd || p.SuspiciousEnd > na ||
				p.SourceStart < 0 || p.SourceStart >= p.SourceEnd || p.SourceEnd > nb || !(p.Score >= 0 && p.Score <= 1) {
				t.Errorf("%+v in texts of %d and %d characters", p, na, nb)
			}
		}
		var w words
		for at := 0; at < len(a); {
			w.reset(at)
			at = w.cut(a, at, 3)
			for i := range w.place {
				from, to := w.base+int(w.place[i].start), w.base+int(w.place[i].end)
				if from >= to || to > len(a) || utf8.ValidString(a) && !utf8.ValidString(a[from:to]) {
					t.Fatalf("word from %d to %d in %q", from, to, a)
				}
			}
		}
	})
}
