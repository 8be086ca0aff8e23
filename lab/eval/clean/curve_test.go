package clean

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"chaffinch/clean"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
)

// counting is a method that keeps the pages whose number is below the number of pages
// that it was trained on.
type counting int

func (counting) Prepare(context.Context, []*gold.Item, func(step string, done, total int)) (train.Trainer, error) {
	return counting(0), nil
}

func (counting) Train(_ context.Context, train []int, _ func(step string, done, total int)) (train.Trained, error) {
	return counting(len(train)), nil
}

func (n counting) Labeller(string) (clean.Labeller, error) { return n, nil }

func (counting) Name() string { return "counting/1" }

func (n counting) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	label := page.Bad
	if i, err := strconv.Atoi(p.ID); err == nil && i < int(n) {
		label = page.Good
	}
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i].Label = label
	}
	return out, nil
}

// TestCurve: a method that keeps more pages the more it was trained on has a recall
// that grows with the sizes, on the same pages; the points do not depend on the workers.
func TestCurve(t *testing.T) {
	s := village(t, "one")
	c, _, err := Collect(t.Context(), []*Set{s}, "en", gold.CollectConfig{})
	must.Succeed(t, err)
	curve := func(workers int, sizes ...int) []CurvePoint {
		t.Helper()
		return must.Get(Curve(t.Context(), c, "memory", counting(0), Cross{Folds: 4, By: "page", Workers: workers}, sizes, 1))(t)
	}
	points := curve(1, 7, 1, 4, 1, 1000)
	if len(points) != 3 || points[0].Pages != 1 || points[2].Pages != 7 {
		t.Fatalf("points %+v, want 1, 4 and 7 pages", points)
	}
	for i, p := range points[1:] {
		if before := points[i]; p.Words <= before.Words || p.Recall <= before.Recall || p.Precision < .5 {
			t.Errorf("%+v after %+v", p, before)
		}
	}
	must.Same(t, curve(3, 1, 4, 7), points, "other points with 3 workers")
	var table, svg strings.Builder
	if err := WriteCurve(&table, points); err != nil || !strings.Contains(table.String(), "recall") || strings.Count(table.String(), "\n") != 4 {
		t.Errorf("table %q, %v", table.String(), err)
	}
	if err := WriteCurveSVG(&svg, points); err != nil || strings.Count(svg.String(), "<path") != 3 || strings.Count(svg.String(), "<circle") != 9 {
		t.Errorf("figure %q, %v", svg.String(), err)
	}
	must.Fail(t, must.Err(Curve(t.Context(), c, "memory", counting(0), Cross{Folds: 4, By: "page"}, []int{500}, 1)), "wanted 1 to")
}
