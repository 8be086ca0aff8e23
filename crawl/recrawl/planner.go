package recrawl

import (
	"math"
)

// History holds the known facts about a page at the time of planning. Times are in any unit.
type History struct {
	// Site identifies the host of the page, whose dates have the same quality.
	Site string
	// Visits holds the visits after the first one.
	Visits []Visit
	// Age is the time since the last change at the time of the first visit, as the server states it; 0 if
	// it is unknown.
	Age float64
	// Since is the time since the last visit.
	Since float64
	// Listed is the time since the latest list with a date of the page was read; 0 if that was before the
	// last visit. Dated indicates that the date is after the last visit.
	Listed float64
	Dated  bool
}

// signals counts the visits to pages of a site that lists date, by change and date.
type signals struct{ listed, dated [2]float64 }

// likelihood returns the probability that a list dates a page after the last visit, if the page has not
// changed and if it has. Sites without visits count as half honest.
func (s *signals) likelihood() (unchanged, changed float64) {
	return (s.dated[0] + 1) / (s.listed[0] + 5), (s.dated[1] + 2) / (s.listed[1] + 3)
}

// Planner ranks pages for the next visits: [Planner.Observe] reads all pages, [Planner.Add] adds the rates of
// the pages that exist, [Planner.Plan] plans visits, and [Planner.Overdue] ranks pages. The memory depends
// on the number of sites, not of pages.
type Planner struct {
	sites map[string]*signals
	// visits, changes and time sum over the visits of all pages.
	visits, changes, time float64
	rates                 [rateBins]int64
	price                 float64
}

const (
	// rateBins is the number of bins of rates, a factor of 2^(1/binsPerOctave) apart.
	rateBins      = 1024
	binsPerOctave = 16
)

// bin returns the bin of a rate, and rateOf the rate of a bin.
func bin(rate float64) int {
	return int(min(max(math.Round(binsPerOctave*math.Log2(rate))+rateBins/2, 0), rateBins-1))
}

func rateOf(bin int) float64 { return math.Exp2(float64(bin-rateBins/2) / binsPerOctave) }

// NewPlanner returns a Planner without pages.
func NewPlanner() *Planner { return &Planner{sites: map[string]*signals{}} }

// Observe reads the visits of a page.
func (p *Planner) Observe(h *History) {
	for _, v := range h.Visits {
		i := 0
		if v.Changed {
			i = 1
		}
		p.visits, p.changes, p.time = p.visits+1, p.changes+float64(i), p.time+v.After
		if !v.Listed {
			continue
		}
		s := p.sites[h.Site]
		if s == nil {
			s = &signals{}
			p.sites[h.Site] = s
		}
		if s.listed[i]++; v.Dated {
			s.dated[i]++
		}
	}
}

// expected returns the rate of all pages, as if all had the same.
func (p *Planner) expected() float64 {
	if p.time <= 0 {
		return 0
	}
	return -math.Log((p.visits-p.changes+.5)/(p.visits+1)) * p.visits / p.time
}

// Rate returns the estimated rate of changes of a page, in changes per unit of time. It depends on the
// other pages, the less the more visits the page has.
func (p *Planner) Rate(h *History) float64 {
	visits := h.Visits
	if h.Age > 0 {
		visits = append(visits[:len(visits):len(visits)], Visit{After: h.Age, Changed: true, Age: h.Age})
	}
	if p.time <= 0 {
		return Rate(visits)
	}
	return rateWith(visits, p.expected())
}

// Add adds a page with a rate to the pages to visit.
func (p *Planner) Add(rate float64) {
	if rate > 0 {
		p.rates[bin(rate)]++
	}
}

// Plan plans the visits of the added pages for a budget of visits per unit of time.
func (p *Planner) Plan(budget float64) {
	var pages []Page
	for i, n := range p.rates {
		if n > 0 {
			pages = append(pages, Page{Rate: rateOf(i), Weight: 1, Count: n})
		}
	}
	p.price = price(pages, budget)
}

// Overdue returns how urgent a visit to a page with a rate is: its planned visits since the last one, where
// the time since then is the time after which the page would have changed with the probability that it
// has changed by all evidence.
func (p *Planner) Overdue(h *History, rate float64) float64 {
	if rate <= 0 {
		return 0
	}
	return Page{Rate: rate, Weight: 1}.visits(p.price) * p.elapsed(h, rate)
}

// maxChanges is the most expected changes that evidence counts as.
const maxChanges = 20

// elapsed returns the time after which a page would have changed with the probability that it has changed
// since the last visit.
func (p *Planner) elapsed(h *History, rate float64) float64 {
	if h.Listed <= 0 || h.Listed > h.Since {
		return h.Since
	}
	s := p.sites[h.Site]
	if s == nil {
		s = &signals{}
	}
	same, changed := s.likelihood()
	if !h.Dated {
		same, changed = 1-same, 1-changed
	}
	fresh := math.Exp(-rate * (h.Since - h.Listed))
	odds := changed * (1 - fresh) / max(same*fresh, 1e-300)
	return min(math.Log1p(odds), maxChanges)/rate + h.Listed
}
