package web

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/ir/search"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
)

// floored checks the floors of what raw text and jusText's output of pages give.
func floored(t *testing.T, name string, data floors.Fingerprint, p *texts.Pages, topics []ir.Topic, qrels ir.Qrels) {
	t.Helper()
	f, err := floors.Read("../../floors.json")
	must.Succeed(t, err)
	ctx := context.Background()
	raw, err := p.Raw(ctx, 0)
	must.Succeed(t, err)
	stages, err := stage.Options{Method: "justext", NoMetadata: true}.Build()
	must.Succeed(t, err)
	cleaned, err := p.Clean(ctx, "justext", stages, 0)
	must.Succeed(t, err)
	var systems []floors.System
	for _, s := range []*texts.System{raw, cleaned} {
		docs := make([]ir.Text, len(s.Texts))
		for i, text := range s.Texts {
			docs[i] = ir.Text{ID: p.Pages[i].ID, Text: text}
		}
		cfg := ir.Config{Index: search.Config{Stem: "en"}, Depth: 1000}
		x, err := ir.Build(ctx, docs, cfg)
		must.Succeed(t, err)
		defer x.Close()
		run, err := x.Rank(ctx, s.Name, topics, search.DefaultQL, cfg)
		must.Succeed(t, err)
		systems = append(systems, floors.System{Name: s.Name, Figures: ir.Score(run, qrels).Floored()})
	}
	if len(f.Floors[name]) != 2 {
		t.Fatalf("no floors of %s", name)
	}
	below, err := f.Check(name, data, systems)
	must.Succeed(t, err)
	if len(below) > 0 {
		t.Error(strings.Join(below, "\n"))
	}
}

// open opens the set that the floors are of.
func open(t *testing.T) (sets []*gold.Set, path string) {
	t.Helper()
	path = testkit.Data(t, "eval/l3s-gn1.tar.zst")
	set, err := gold.Open("", path)
	must.Succeed(t, err)
	return []*gold.Set{set}, path
}

// TestFloorsWrapped searches a small collection wrapped into pages of one set.
func TestFloorsWrapped(t *testing.T) {
	sets, path := open(t)
	collections, err := ir.Collections(filepath.Join(filepath.Dir(path), "../ir/ir.tar.zst"), []string{"adi"})
	must.Succeed(t, err)
	templates, err := Templates(context.Background(), sets, DefaultTemplate)
	must.Succeed(t, err)
	c := collections[0]
	w, err := Wrap(c, templates, 1)
	must.Succeed(t, err)
	floored(t, FloorName("adi", sets), Fingerprint(c, sets), w.Pages, c.Topics, c.Qrels)
}

// TestFloorsKnown asks for pages of one set by five words of each.
func TestFloorsKnown(t *testing.T) {
	sets, _ := open(t)
	p := texts.FromSets(sets)
	topics, qrels, err := Known(p, KnownConfig{Query: "words", Seed: 1})
	must.Succeed(t, err)
	floored(t, FloorName("known by words", sets), Fingerprint(nil, sets), p, topics, qrels)
}
