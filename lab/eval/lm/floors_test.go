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
	f, err := floors.Read("../floors.json")
	must.Succeed(t, err)
	ctx := context.Background()
	set, err := gold.Open("", testkit.Data(t, "eval/canola.tar.zst"))
	must.Succeed(t, err)
	sets := []*gold.Set{set}
	p := texts.FromSets(sets)
	raw, err := p.Raw(ctx, 0)
	must.Succeed(t, err)
	stages, err := stage.Options{Method: "justext", NoMetadata: true}.Build()
	must.Succeed(t, err)
	cleaned, err := p.Clean(ctx, "justext", stages, 0)
	must.Succeed(t, err)
	results, err := Measure(ctx, p, []*texts.System{raw, cleaned}, Default)
	must.Succeed(t, err)
	if len(f.Floors[FloorName(sets)]) != 2 {
		t.Fatalf("no floors of %s", FloorName(sets))
	}
	below, err := f.Check(FloorName(sets), p.Data, Floored(results))
	must.Succeed(t, err)
	if len(below) > 0 {
		t.Error(strings.Join(below, "\n"))
	}
}
