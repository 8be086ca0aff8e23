package recrawl

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRate fails if the estimate differs from the formula for equal intervals, or is biased for others.
func TestRate(t *testing.T) {
	for changed := range 11 {
		var visits []Visit
		for i := range 10 {
			visits = append(visits, Visit{After: 7, Changed: i < changed})
		}
		want := -math.Log((10-float64(changed)+.5)/10.5) / 7
		if got := Rate(visits); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d of 10 visits changed: rate %.4f, want %.4f", changed, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for _, rate := range []float64{.05, .1, .2} {
		sum := 0.
		for range 2000 {
			var visits []Visit
			for range 12 {
				after := 2 + 10*rng.Float64()
				visits = append(visits, Visit{After: after, Changed: rng.Float64() < -math.Expm1(-rate*after)})
			}
			sum += Rate(visits) / 2000
		}
		if sum < .9*rate || sum > 1.12*rate {
			t.Errorf("irregular visits: mean estimate %.4f of rate %.4f", sum, rate)
		}
	}
	if Rate(nil) != 0 || Rate([]Visit{{Changed: true}}) != 0 {
		t.Error("a rate without visits")
	}
}

// TestVisits fails if the published rates are not near the optimum, or if other rules are not as far from
// it as measured for 2,000 pages that are visited once in 30 days on average.
func TestVisits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	pages := make([]Page, 2000)
	total := 0.
	for i := range pages {
		pages[i] = Page{math.Exp(1.5*rng.NormFloat64()) / 7.4, 1, 1}
		total += pages[i].Rate
	}
	const budget = 2000. / 30
	visits := Visits(pages, budget)
	best := periodic(pages, budget)
	var sum, uniform, proportional, published, optimal float64
	for i, p := range pages {
		sum += visits[i]
		uniform += freshness(p.Rate, 1./30) / 2000
		proportional += freshness(p.Rate, budget*p.Rate/total) / 2000
		published += freshness(p.Rate, visits[i]) / 2000
		optimal += freshness(p.Rate, best[i]) / 2000
	}
	if math.Abs(sum-budget) > 1e-6*budget {
		t.Errorf("%.4f visits, want %.4f", sum, budget)
	}
	t.Logf("uniform %.3f, proportional %.3f, published %.3f, optimal %.3f", uniform, proportional, published, optimal)
	for _, x := range []struct {
		name      string
		got, want float64
	}{{"uniform", uniform, .322}, {"proportional", proportional, .078}, {"published rates", published, .367}, {"optimal", optimal, .371}} {
		if math.Abs(x.got-x.want) > .02 {
			t.Errorf("%s: freshness %.3f, want %.3f", x.name, x.got, x.want)
		}
	}
	if published < .985*optimal || published > optimal+1e-6 {
		t.Errorf("freshness %.4f of the optimum %.4f", published, optimal)
	}
	if got := Visits([]Page{{0, 1, 1}, {1, 1, 1}}, 2); got[0] != 0 || math.Abs(got[1]-2) > 1e-9 {
		t.Errorf("a page that never changes: %v", got)
	}
}

// periodic returns the optimal periodic visits: the gain of a further visit is the same for all pages
// that are visited.
func periodic(pages []Page, budget float64) []float64 {
	gain := func(rate, f float64) float64 {
		return -math.Expm1(-rate/f)/rate - math.Exp(-rate/f)/f
	}
	list := make([]float64, len(pages))
	fill := func(mu float64) (sum float64) {
		for i, p := range pages {
			low, high := 1e-9, 1e4
			if list[i] = 0; gain(p.Rate, low) < mu {
				continue
			}
			for range 60 {
				if mid := math.Sqrt(low * high); gain(p.Rate, mid) > mu {
					low = mid
				} else {
					high = mid
				}
			}
			list[i] = low
			sum += low
		}
		return sum
	}
	low, high := 1e-6, 1e6
	for range 60 {
		if mid := math.Sqrt(low * high); fill(mid) > budget {
			low = mid
		} else {
			high = mid
		}
	}
	fill(high)
	return list
}

// freshness returns the share of time that a page is up to date, if it is visited periodically.
func freshness(rate, visits float64) float64 {
	switch {
	case rate == 0:
		return 1
	case visits == 0:
		return 0
	}
	return visits / rate * -math.Expm1(-rate/visits)
}
