package lm

import (
	"context"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
)

// TestFloors trains models on one set: on everything that the pages hold, and on what
// jusText leaves.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	ctx := context.Background()
	set := must.Get(gold.Open("", testkit.Data(t, "eval/canola.tar.zst")))(t)
	sets := []*gold.Set{set}
	p := texts.FromSets(sets)
	raw := must.Get(p.Raw(ctx, 0))(t)
	stages := must.Get(stage.Options{Method: "justext", NoMetadata: true}.Build())(t)
	cleaned := must.Get(p.Clean(ctx, "justext", stages, 0))(t)
	results := must.Get(Measure(ctx, p, []*texts.System{raw, cleaned}, Default))(t)
	if len(f.Floors[FloorName(sets)]) != 2 {
		t.Fatalf("no floors of %s", FloorName(sets))
	}
	below := must.Get(f.Check(FloorName(sets), p.Data, Floored(results)))(t)
	if len(below) > 0 {
		t.Error(strings.Join(below, "\n"))
	}
}
