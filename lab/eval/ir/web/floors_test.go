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
	f := must.Get(floors.Read("../../floors.json"))(t)
	ctx := context.Background()
	raw := must.Get(p.Raw(ctx, 0))(t)
	stages := must.Get(stage.Options{Method: "justext", NoMetadata: true}.Build())(t)
	cleaned := must.Get(p.Clean(ctx, "justext", stages, 0))(t)
	var systems []floors.System
	for _, s := range []*texts.System{raw, cleaned} {
		docs := make([]ir.Text, len(s.Texts))
		for i, text := range s.Texts {
			docs[i] = ir.Text{ID: p.Pages[i].ID, Text: text}
		}
		cfg := ir.Config{Index: search.Config{Stem: "en"}, Depth: 1000}
		x := must.Get(ir.Build(ctx, docs, cfg))(t)
		defer x.Close()
		run := must.Get(x.Rank(ctx, s.Name, topics, search.DefaultQL, cfg))(t)
		systems = append(systems, floors.System{Name: s.Name, Figures: ir.Score(run, qrels).Floored()})
	}
	if len(f.Floors[name]) != 2 {
		t.Fatalf("no floors of %s", name)
	}
	below := must.Get(f.Check(name, data, systems))(t)
	if len(below) > 0 {
		t.Error(strings.Join(below, "\n"))
	}
}

// open opens the set that the floors are of.
func open(t *testing.T) (sets []*gold.Set, path string) {
	t.Helper()
	path = testkit.Data(t, "eval/l3s-gn1.tar.zst")
	set := must.Get(gold.Open("", path))(t)
	return []*gold.Set{set}, path
}

// TestFloorsWrapped searches a small collection wrapped into pages of one set.
func TestFloorsWrapped(t *testing.T) {
	sets, path := open(t)
	collections := must.Get(ir.Collections(filepath.Join(filepath.Dir(path), "../ir/ir.tar.zst"), []string{"adi"}))(t)
	templates := must.Get(Templates(context.Background(), sets, DefaultTemplate))(t)
	c := collections[0]
	w := must.Get(Wrap(c, templates, 1))(t)
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
