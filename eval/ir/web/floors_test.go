package web

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/eval/floors"
	"chaffinch/eval/ir"
	"chaffinch/eval/ir/search"
	"chaffinch/gold"
	"chaffinch/internal/testkit"
	"chaffinch/stage"
)

// TestFloors searches a small collection wrapped into pages of one set: everything
// that the pages hold, and what jusText leaves.
func TestFloors(t *testing.T) {
	f, err := floors.Read("../../floors.json")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	path := testkit.Data(t, "eval/l3s-gn1.tar.zst")
	set, err := gold.Open("", path)
	if err != nil {
		t.Fatal(err)
	}
	sets := []*gold.Set{set}
	collections, err := ir.Collections(filepath.Join(filepath.Dir(path), "../ir/ir.tar.zst"), []string{"adi"})
	if err != nil {
		t.Fatal(err)
	}
	templates, err := Templates(ctx, sets, DefaultTemplate)
	if err != nil {
		t.Fatal(err)
	}
	c := collections[0]
	w, err := Wrap(c, templates, 1)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := w.Raw(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	stages, err := stage.Options{Method: "justext", NoMetadata: true}.Build()
	if err != nil {
		t.Fatal(err)
	}
	cleaned, err := w.Clean(ctx, "justext", stages, 0)
	if err != nil {
		t.Fatal(err)
	}
	var systems []floors.System
	for name, texts := range map[string][]string{"raw": raw.Texts, "justext": cleaned.Texts} {
		docs := make([]ir.Text, len(texts))
		for i, text := range texts {
			docs[i] = ir.Text{ID: w.Pages.Pages[i].ID, Text: text}
		}
		cfg := ir.Config{Index: search.Config{Stem: "en"}, Depth: 1000}
		x, err := ir.Build(ctx, docs, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		run, err := x.Rank(ctx, name, c.Topics, search.DefaultQL, cfg)
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, floors.System{Name: name, Figures: ir.Score(run, c.Qrels).Floored()})
	}
	name := FloorName("adi", sets)
	if len(f.Floors[name]) != 2 {
		t.Fatalf("no floors of %s", name)
	}
	below, err := f.Check(name, Fingerprint(c, sets), systems)
	if err != nil {
		t.Fatal(err)
	}
	if len(below) > 0 {
		t.Error(strings.Join(below, "\n"))
	}
}
