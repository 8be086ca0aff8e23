// Package recrawl estimates how often pages change, and decides which pages to visit within a budget.
// [Rate] and [Visits] are the estimate and the optimal rates. A [Planner] ranks pages, also by the dates
// of changes that sites state in sitemaps and feeds.
//
// Sources: Cho and Garcia-Molina, "Estimating Frequency of Change", 2003; Azar, Horvitz, Lubetzky, Peres
// and Shahaf, "Tractable near-optimal policies for crawling", 2018; Busa-Fekete and others, "Online
// crawling with noisy change-indicating signals", 2025.
//
// Unstable: this package may change in any release.
package recrawl

import (
	"math"
)

// Visit is a visit to a page after an earlier one. Times are in any unit.
type Visit struct {
	After   float64 // time since the visit before
	Changed bool    // the clean text has changed since
	// Age is the time since the last change at the time of the visit, as the server states it; 0 if it is
	// unknown or before the visit before.
	Age float64
	// Listed indicates that a sitemap or a feed, read since the visit before, has a date of the page.
	// Dated indicates that the date is after the visit before.
	Listed, Dated bool
}

// Rate returns the estimated number of changes of a page per unit of time, from its visits in any order.
// For equal intervals it is the estimator of Cho and Garcia-Molina, which is nearly unbiased. For others
// it is the most likely rate with the same correction: half an unchanged visit at the mean interval. A
// known age counts as one change and as no change after it. Rate returns 0 without visits.
func Rate(visits []Visit) float64 {
	total, n := intervals(visits)
	if n == 0 {
		return 0
	}
	return root(visits, total/n, func(float64) float64 { return -.5 * total / n })
}

// priorWeight is the number of changes that the expected rate of a page counts as.
const priorWeight = .5

// rateWith is like [Rate] for a page with an expected rate, which replaces the correction. The result is
// above 0 also for pages without changes.
func rateWith(visits []Visit, expected float64) float64 {
	total, n := intervals(visits)
	if n == 0 || expected <= 0 {
		return expected
	}
	return root(visits, total/n, func(rate float64) float64 { return priorWeight/rate - priorWeight/expected })
}

// intervals returns the sum and the number of the intervals between visits.
func intervals(visits []Visit) (total, n float64) {
	for _, v := range visits {
		if v.After > 0 {
			total, n = total+v.After, n+1
		}
	}
	return total, n
}

// root returns the rate at which the derivative of the log-likelihood of visits plus that of a prior is 0.
// mean is the mean interval.
func root(visits []Visit, mean float64, prior func(rate float64) float64) float64 {
	// excess decreases in rate; its root is the estimate.
	excess := func(rate float64) float64 {
		sum := prior(rate)
		for _, v := range visits {
			switch {
			case v.After <= 0:
			case v.Changed && v.Age > 0 && v.Age <= v.After:
				sum += 1/rate - v.Age
			case v.Changed:
				sum += v.After / math.Expm1(rate*v.After)
			default:
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

// Page is a page with the rate of its changes and the weight of its text, or Count pages with the same
// values. Default Count: 1.
type Page struct {
	Rate, Weight float64
	Count        int64
}

// Visits returns the visits per unit of time that maximise the weighted freshness of pages, which sum to
// budget. Pages that change too often for the budget get none.
func Visits(pages []Page, budget float64) []float64 {
	list := make([]float64, len(pages))
	price := price(pages, budget)
	for i, p := range pages {
		list[i] = p.visits(price)
	}
	return list
}

// visits returns the optimal visits of a page at a price of visits.
func (p Page) visits(price float64) float64 {
	if p.Rate <= 0 {
		return 0
	}
	return max(0, math.Sqrt(p.Weight*p.Rate/price)-p.Rate)
}

// price returns the price of a visit at which the visits sum to budget. Without a budget it is infinite.
func price(pages []Page, budget float64) float64 {
	if budget <= 0 {
		return math.Inf(1)
	}
	fill := func(mu float64) (sum float64) {
		for _, p := range pages {
			sum += float64(float64(max(p.Count, 1)) * p.visits(mu))
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
	return high
}
