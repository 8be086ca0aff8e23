package annotate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/lab/gold"
)

func two() []*Doc {
	return []*Doc{NewDoc("a", "en", []string{"Menu", "A tab\there.", `"Quoted" text`}), NewDoc("b", "", []string{"x", "y"})}
}

// press presses keys and saves.
func press(t *testing.T, s *State, store *Store, keys string) {
	t.Helper()
	ks, err := ParseKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range ks {
		s.Press(k)
	}
	if _, err := store.Save(t.Context(), s.Docs); err != nil {
		t.Fatal(err)
	}
}

// TestStore: what is done is in the file, what is not beside it, and the work
// goes on where it was.
func TestStore(t *testing.T) {
	for _, ending := range []string{".tsv", ".jsonl"} {
		path := filepath.Join(t.TempDir(), "mine"+ending)
		store, docs, err := OpenStore(t.Context(), path, two())
		if err != nil {
			t.Fatal(err)
		}
		s := New(docs, Default)
		press(t, s, store, "bt")
		if _, err := os.Stat(path); err == nil {
			t.Error("a file although no document is done")
		}
		store, docs, err = OpenStore(t.Context(), path, two())
		if err != nil {
			t.Fatal(err)
		}
		if l := docs[0].Lines; l[0].Label != Boilerplate || !l[0].Sure || l[1].Label != Text || l[2].Label != None || l[2].Sure || docs[0].Done {
			t.Errorf("draft: %+v", docs[0])
		}
		s = New(docs, Default)
		press(t, s, store, "2down t enter b")
		got, err := gold.ReadLineDocs(t.Context(), path)
		if err != nil || len(got) != 1 || got[0].Lines[1] != "A tab\there." || got[0].Labels[0] || !got[0].Labels[2] {
			t.Fatalf("%+v, %v", got, err)
		}
		// Documents that are not there today are kept, both kinds.
		other := []*Doc{NewDoc("c", "", []string{"z"})}
		if store, docs, err = OpenStore(t.Context(), path, other); err != nil {
			t.Fatal(err)
		}
		press(t, New(docs, Default), store, "t enter")
		if store, docs, err = OpenStore(t.Context(), path, two()); err != nil || docs[1].Done || !docs[1].Lines[0].Sure || !docs[0].Done {
			t.Fatalf("%+v, %v", docs, err)
		}
		press(t, New(docs, Default), store, "2t enter")
		if _, err := os.Stat(path + draftEnding); err == nil {
			t.Error("drafts although all is done")
		}
		if got, err = gold.ReadLineDocs(t.Context(), path); err != nil || len(got) != 3 {
			t.Errorf("%d documents, want 3; %v", len(got), err)
		}
		// The file alone.
		if _, docs, err = OpenStore(t.Context(), path, nil); err != nil || len(docs) != 3 || !docs[2].Done {
			t.Errorf("%+v, %v", docs, err)
		}
		// Other lines under the same id.
		changed := two()
		changed[0].Lines[1].Text = "other"
		if _, _, err = OpenStore(t.Context(), path, changed); err == nil || !strings.Contains(err.Error(), "document a differs from line 2 on") {
			t.Errorf("changed lines: %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*mine*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
}

func TestStoreRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := OpenStore(t.Context(), filepath.Join(dir, "a.csv"), two()); err == nil || !strings.Contains(err.Error(), ".tsv or .jsonl") {
		t.Errorf("ending: %v", err)
	}
	if _, _, err := OpenStore(t.Context(), filepath.Join(dir, "a.tsv"), append(two(), two()...)); err == nil || !strings.Contains(err.Error(), "document a is there twice") {
		t.Errorf("twice: %v", err)
	}
	for _, bad := range []string{"{", `{"id":"a","text":["x"],"labels":[]}`} {
		path := filepath.Join(dir, "b.tsv")
		if err := os.WriteFile(path+draftEnding, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := OpenStore(t.Context(), path, two()); err == nil || !strings.Contains(err.Error(), "b.tsv.draft:1: ") || !strings.Contains(err.Error(), "begin its documents again") {
			t.Errorf("draft %s: %v", bad, err)
		}
	}
	// A file that cannot be written stays what it was.
	path := filepath.Join(dir, "no", "c.tsv")
	store, docs, err := OpenStore(t.Context(), path, two())
	if err != nil {
		t.Fatal(err)
	}
	docs[0].Lines[0].Sure = true
	if _, err := store.Save(t.Context(), docs); err == nil || !strings.Contains(err.Error(), "what was there is as it was") {
		t.Errorf("no folder: %v", err)
	}
}

func FuzzDrafts(f *testing.F) {
	f.Add([]byte(`{"id":"a","text":["x","y"],"labels":[1,null]}` + "\n"))
	f.Add([]byte("{}\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		drafts, err := parseDrafts(b)
		if err != nil {
			return
		}
		for _, d := range drafts {
			if len(d.Text) != len(d.Labels) {
				t.Errorf("%+v", d)
			}
		}
	})
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{
		"a.txt":      "The mill stands at the river since the old days.\n\nHome\n",
		"b.jsonl":    `{"id":"j1","text":"Eine Mühle steht am Fluss.\nMenü"}` + "\n" + `{"id":"j2","text":"x"}` + "\n",
		"c.tsv":      "c\t1\tlabelled\n",
		"d.jsonl":    `{"id":"d","text":["l"],"labels":[0]}`,
		"sub.txt/e":  "",
		"empty.txt":  "",
		"binary.txt": "\x00\x01\x02\xff\xfe",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var paths []string
	for _, n := range []string{"a.txt", "b.jsonl", "c.tsv", "d.jsonl", "empty.txt", "binary.txt"} {
		paths = append(paths, filepath.Join(dir, n))
	}
	var skipped []string
	cfg := ReadConfig{Input: input.Default, Skipped: func(err error) { skipped = append(skipped, err.Error()) }}
	docs, err := Read(t.Context(), paths, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 5 || docs[0].Lang != "en" || len(docs[0].Lines) != 2 || docs[1].ID != "j1" || len(docs[1].Lines) != 2 || !docs[3].Done || docs[4].Lines[0].Label != Boilerplate {
		for _, d := range docs {
			t.Errorf("%+v", d)
		}
	}
	if len(skipped) != 2 || !strings.Contains(skipped[0], "empty.txt: empty file") || !strings.Contains(skipped[1], "binary.txt: no text but binary data") {
		t.Errorf("skipped: %q", skipped)
	}
	cfg.Sample, cfg.Seed, cfg.Lang = 2, 1, "sv"
	some, err := Read(t.Context(), paths, cfg)
	if err != nil || len(some) != 2 || some[0].Lang != "sv" {
		t.Errorf("%+v, %v", some, err)
	}
	if _, err := Read(t.Context(), paths[4:5], cfg); err == nil || !strings.Contains(err.Error(), "no document with text") {
		t.Errorf("nothing: %v", err)
	}
}

// TestAgreement: Cohen's example of two clinicians cut to two classes is done
// by hand here: 20 both text, 5 and 10 apart, 15 both boilerplate.
func TestAgreement(t *testing.T) {
	make := func(id, lang string, text, chaff int) *gold.LineDoc {
		d := &gold.LineDoc{ID: id, Lang: lang}
		for i := range text + chaff {
			d.Lines = append(d.Lines, string(rune('a'+i%26)))
			d.Labels = append(d.Labels, i < text)
		}
		return d
	}
	a := []*gold.LineDoc{make("d", "sv", 20, 15), make("e", "fi", 5, 0), make("f", "fi", 0, 10), make("only", "fi", 1, 0)}
	b := []*gold.LineDoc{make("f", "fi", 10, 0), make("e", "fi", 0, 5), make("d", "sv", 20, 15), make("g", "", 1, 1)}
	c, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	all := c.Agreements[0]
	// p = 35/50 = .7, e = .5*.6 + .5*.4 = .5, kappa = .2/.5 = .4; alpha = 1 - 99*15/(45*55) = .4
	kappa, ok := all.Kappa()
	alpha, ok2 := all.Alpha()
	if all.Lines != 50 || all.Documents != 3 || all.Accuracy() != .7 || !ok || !ok2 || abs(kappa-.4) > 1e-12 || abs(alpha-.4) > 1e-12 {
		t.Errorf("%+v: accuracy %v, kappa %v, alpha %v", all, all.Accuracy(), kappa, alpha)
	}
	if len(c.Agreements) != 3 || c.Agreements[1].Lang != "fi" || c.Agreements[2].Accuracy() != 1 {
		t.Errorf("by language: %+v", c.Agreements)
	}
	if len(c.Differences) != 15 || c.Differences[0] != (Difference{"e", 1, true, false, "a"}) {
		t.Errorf("differences: %+v", c.Differences)
	}
	if len(c.OnlyA) != 1 || c.OnlyA[0] != "only" || len(c.OnlyB) != 1 || c.OnlyB[0] != "g" {
		t.Errorf("only: %v %v", c.OnlyA, c.OnlyB)
	}
	same := Agreement{Lines: 3, Counts: [2][2]int{{0, 0}, {0, 3}}}
	if _, ok := same.Kappa(); ok {
		t.Error("kappa of labels that are all the same")
	}
	if _, ok := same.Alpha(); ok {
		t.Error("alpha of labels that are all the same")
	}
	b[2].Lines[0] = "other"
	if _, err := Compare(a, b); err == nil || !strings.Contains(err.Error(), "document d has other lines for the one than for the other, from line 1 on (") {
		t.Errorf("other lines: %v", err)
	}
	if _, err := Compare(a[3:], b); err == nil || !strings.Contains(err.Error(), "no document that both have labelled") {
		t.Errorf("nothing in common: %v", err)
	}
}

func abs(x float64) float64 { return max(x, -x) }
