package simulate

import (
	"context"
	"reflect"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// crawlSmall crawls a web of 2,000 hosts for 6,000 pages and returns the curve.
func crawlSmall(t *testing.T, seed uint64, p func(*Web) schedule.Policy) []Point {
	t.Helper()
	disk.Lazy()
	cfg := DefaultWeb
	cfg.Seed, cfg.Hosts = seed, 2000
	w := NewWeb(cfg)
	run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 20, Pages: 6000, Rate: 30, Points: 4}
	run.Schedule.Policy = p(w)
	res := must.Get(Run(context.Background(), w, run))(t)
	return res.Curve
}

func named(name string) func(*Web) schedule.Policy {
	return func(w *Web) schedule.Policy {
		p, err := PolicyOf(w, name)
		if err != nil {
			panic(err)
		}
		return p
	}
}

// TestOrder fails if the order of visits is worth nothing: best-first has to find
// more text than the others, and less than who knows all hosts.
func TestOrder(t *testing.T) {
	testkit.Slow(t)
	yield := func(name string) float64 {
		c := crawlSmall(t, 3, named(name))
		return c[len(c)-1].Yield()
	}
	best, breadth, spider, oracle := yield("best-first"), yield("breadth-first"), yield("spiderling-normal"), yield("oracle")
	if best < 1.2*breadth || best < 1.2*spider || best > 1.1*oracle {
		t.Errorf("yields: best-first %.4f, breadth-first %.4f, SpiderLing %.4f, oracle %.4f", best, breadth, spider, oracle)
	}
}

// TestShares fails if shares of languages change nothing: of a web with little text in
// its second language they have to bring more of that, and still text of the first.
func TestShares(t *testing.T) {
	testkit.Slow(t)
	second := func(shares []float64) float64 {
		disk.Lazy()
		cfg := DefaultWeb
		cfg.Hosts, cfg.Second = 2000, .2
		run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 20, Pages: 4000, Rate: 30, Points: 1}
		run.Schedule.Shares = shares
		res := must.Get(Run(context.Background(), NewWeb(cfg), run))(t)
		last := res.Curve[len(res.Curve)-1]
		return float64(last.Langs[1]) / float64(last.Langs[0]+last.Langs[1])
	}
	with, without := second([]float64{1, 1}), second([]float64{1, 1e-9})
	t.Logf("text in the second language: %.3f with shares of a half each, %.3f with next to none", with, without)
	if with < without+.1 || with > .7 {
		t.Errorf("text in the second language: %.3f with shares of a half each, %.3f with next to none", with, without)
	}
	if even := second([]float64{8, 2}); even >= with {
		t.Errorf("text in the second language: %.3f with a share of a fifth, %.3f with a half", even, with)
	}
}

// TestSame fails if a seed does not make one crawl.
func TestSame(t *testing.T) {
	testkit.Slow(t)
	a, b := crawlSmall(t, 5, named("best-first")), crawlSmall(t, 5, named("best-first"))
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two crawls of one web differ:\n%v\n%v", a, b)
	}
}
