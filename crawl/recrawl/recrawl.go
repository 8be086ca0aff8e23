// Package recrawl estimates how often pages change, and how often to visit them within a budget.
//
// Sources: Cho and Garcia-Molina, "Estimating Frequency of Change", 2003; Azar, Horvitz, Lubetzky, Peres
// and Shahaf, "Tractable near-optimal policies for crawling", 2018.
//
// Unstable: this package may change in any release.
package recrawl

import "math"

// Visit is a visit to a page: the time since the visit before, in any unit, and whether the clean text
// has changed since.
type Visit struct {
	After   float64
	Changed bool
}

// Rate returns the estimated number of changes of a page per unit of time, from its visits in any order.
// For equal intervals it is the estimator of Cho and Garcia-Molina, which is nearly unbiased. For others
// it is the most likely rate with the same correction: half an unchanged visit at the mean interval. It returns 0 without visits.
func Rate(visits []Visit) float64 {
	total, n := 0., 0.
	for _, v := range visits {
		if v.After > 0 {
			total, n = total+v.After, n+1
		}
	}
	if n == 0 {
		return 0
	}
	mean := total / n
	// excess decreases in rate; its root is the estimate.
	excess := func(rate float64) float64 {
		sum := -.5 * mean
		for _, v := range visits {
			if v.After <= 0 {
				continue
			}
			if v.Changed {
				sum += v.After / math.Expm1(rate*v.After)
			} else {
				sum -= v.After
			}
		}
		return sum
	}
	low, high := 0., 1/mean
	for excess(high) > 0 && high < 1e9/mean {
		low, high = high, 2*high
	}
	for range 60 {
		if mid := (low + high) / 2; excess(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// Page is a page with the rate of its changes and the weight of its text.
type Page struct{ Rate, Weight float64 }

// Visits returns the visits per unit of time that maximise the weighted freshness of pages, which sum to
// budget. Pages that change too often for the budget get none.
func Visits(pages []Page, budget float64) []float64 {
	list := make([]float64, len(pages))
	if budget <= 0 {
		return list
	}
	fill := func(mu float64) (sum float64) {
		for i, p := range pages {
			list[i] = 0
			if p.Rate > 0 {
				list[i] = max(0, math.Sqrt(p.Weight*p.Rate/mu)-p.Rate)
			}
			sum += list[i]
		}
		return sum
	}
	low, high := 0., 1.
	for range 200 { // above high the sum is below the budget
		if fill(high) <= budget {
			break
		}
		low, high = high, 2*high
	}
	for range 100 {
		if mid := (low + high) / 2; fill(mid) > budget {
			low = mid
		} else {
			high = mid
		}
	}
	fill(high)
	return list
}

// Freshness returns the share of time that a page is up to date, if it is visited periodically.
func Freshness(rate, visits float64) float64 {
	switch {
	case rate == 0:
		return 1
	case visits == 0:
		return 0
	}
	return visits / rate * -math.Expm1(-rate/visits)
}
