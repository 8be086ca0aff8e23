package blocks

import (
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestDecide compares the rule with a search over all limits.
func TestDecide(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range []rule{{.6, .25, 1, false}, {1, 0, 1, false}, {.8, .5, .25, false}, {.4, .1, 4, false}} {
		for range 300 {
			n := 1 + rng.IntN(12)
			s := &scratch{sheet: sheet{n: n, blocks: make([]blockStats, n)}}
			all := 0.
			for i := range n {
				s.sheet.blocks[i].words = int32(1 + rng.IntN(50))
				s.keep = append(s.keep, rng.Float32())
				all += float64(s.keep[i]) * float64(s.sheet.blocks[i].words)
			}
			r.decide(s)
			// expected is the F-measure of the blocks of at least limit.
			expected := func(limit float32) float64 {
				var chosen, hits float64
				for i, p := range s.keep {
					if p >= limit {
						chosen += float64(s.sheet.blocks[i].words)
						hits += float64(s.sheet.blocks[i].words) * float64(p)
					}
				}
				return hits / (chosen + r.beta2*all)
			}
			best, limit := 0., float32(math.Inf(1))
			for _, p := range s.keep {
				if f := expected(p); p >= r.least && (f > best+1e-12 || f > best-1e-12 && p < limit) {
					best, limit = f, p
				}
			}
			for i, p := range s.keep {
				if want := p >= r.sure || p >= limit; s.kept[i] != want {
					t.Fatalf("%+v, %v: kept %v, limit %v", r, s.keep, s.kept, limit)
				}
			}
		}
	}
}

// TestRescue: a page with running text of which nothing is likely is not left
// empty, unless no running text is wanted.
func TestRescue(t *testing.T) {
	m := trained(t)
	p := cut(t, "<div class=menu><ul><li><a href=x>Home »</a><li><a href=y>About »</a></ul></div><div class=footer>Nobody has seen the miller since the winter, when his boat was found on the other bank, with a lamp still burning in it, by the water.</div>")
	for keep, want := range map[string]bool{Text: true, Article: true, "title": false} {
		l := must.Get(NewWith(m, Config{Keep: keep}))(t)
		l.rule.sure, l.rule.least = .9999, .9999
		v := must.Get(l.Label(t.Context(), p))(t)
		found := false
		for i := range v {
			if v[i].Label.Keep() {
				found = true
				if v[i].Reason != whyRescued && v[i].Reason != whyMain || !readers.Has(v[i].Role) {
					t.Errorf("keep %s: %+v", keep, v[i])
				}
			}
		}
		if found != want {
			t.Errorf("keep %s: kept %v", keep, found)
		}
	}
}
