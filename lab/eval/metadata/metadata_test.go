package metadata

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
)

// TestScore reads a small set, runs the extraction on it and counts.
func TestScore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wcxb-toy")
	must.WriteAll(t, dir, map[string]string{
		"meta.jsonl": `{"id":"a","url":"https://one.example/a","title":"The Ferry!"}` + "\n" + `{"id":"b","url":"https://one.example/b","title":"Tides"}` + "\n",
		"gold/a.txt": "x", "gold/b.txt": "y",
		"gold_raw/a.json": `{"ground_truth":{"author":"Nora Lindqvist and Ebba Holm","publish_date":"2024-05-17"}}`,
		"gold_raw/b.json": `{"ground_truth":{"author":null}}`,
		"html/a.html":     `<title>The ferry</title><meta name="author" content="Nora Lindqvist, Ada Bell"><meta name="date" content="2024-05-17T08:00:00Z"><p>x`,
		"html/b.html":     `<title>High water</title><meta name="author" content="Ada Bell"><p>y`,
	})
	s := must.Get(Open("", dir))(t)
	out := must.Get(s.Run(context.Background(), extract.Default))(t)
	want := map[string]Figures{
		"title":  {Pages: 2, Right: 1, Wrong: 1, Missing: 1},
		"author": {Pages: 1, Right: 1, Wrong: 1, Missing: 1, Extra: 1},
		"date":   {Pages: 1, Right: 1},
	}
	for _, f := range Fields {
		if s.Has[f.Name] != (want[f.Name] != Figures{}) {
			t.Errorf("%s: annotated %v", f.Name, s.Has[f.Name])
		}
		missed := 0
		miss := func(*Gold, Values) { missed++ }
		got, other := s.Score(f, out, Part{Test: s.Pages[0].Test}, miss), s.Score(f, out, Part{Test: !s.Pages[0].Test}, nil)
		if s.Has[f.Name] && got != want[f.Name] || other != (Figures{}) || missed != min(1, got.Wrong+got.Missing) {
			t.Errorf("%s: %+v, the other half %+v, %d missed; want %+v", f.Name, got, other, missed, want[f.Name])
		}
	}
	if p, r, f := want["author"].PRF(); p != .5 || r != .5 || f != .5 {
		t.Error(p, r, f)
	}
}

// TestForms compares values that are the same in other words.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		field string
		a, b  Values
		same  bool
	}{
		{"title", Values{Title: "A “b” – c"}, Values{Title: `a "B" - C`}, true},
		{"date", Values{Date: "20240517"}, Values{Date: "2024-05-17T23:00:00Z"}, true},
		{"author", Values{Authors: []string{"Ada Bell & Cy Dunn"}}, Values{Authors: []string{"ada bell", "Cy Dunn"}}, true},
		{"license", Values{License: "CC BY-NC-SA 2.0 DE"}, Values{License: "CC BY-NC-SA 2.0"}, true},
		{"license", Values{License: "CC-BY-SA"}, Values{License: "CC BY-SA"}, true},
		{"license", Values{License: "CC BY 2.0"}, Values{License: "CC BY 3.0"}, false},
	} {
		for _, f := range Fields {
			if f.Name == c.field && (strings.Join(f.of(&c.a), "|") == strings.Join(f.of(&c.b), "|")) != c.same {
				t.Errorf("%s: %q and %q", c.field, f.of(&c.a), f.of(&c.b))
			}
		}
	}
}

// TestRead reads what another program said.
func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader(`{"id":"a","title":"T","authors":["x"],"date":"2020-01-01"}` + "\n"))
	if err != nil || got["a"].Title != "T" || len(got["a"].Authors) != 1 {
		t.Error(got, err)
	}
	must.Fail(t, must.Err(Read(strings.NewReader("{}\nno"))), "line 2")
}
