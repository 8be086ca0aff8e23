package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"chaffinch/crawl/recrawl"
)

// ChurnConfig configures a web whose pages appear, change and disappear. Times are in days.
type ChurnConfig struct {
	Seed         uint64
	Pages, Sites int // constant: as many pages appear as disappear
	// Days is the length of the simulation. The first Learn days are not measured.
	Days, Learn int
	// Interval is the time in which there are as many visits as pages.
	Interval float64
	// Rates of change are log-normal with the median Rate and the standard deviation Spread of the
	// logarithm. Life is the median life of a page, with the same spread.
	Rate, Spread, Life float64
	// Honest is the share of sites with a sitemap that dates changes, except for Missed of them. Noisy is
	// the share of sites whose sitemap always has the current date. The other sites have no sitemap.
	Honest, Missed, Noisy float64
	// ReadLists is the interval at which sitemaps are read, in days. Each reading takes the place of a visit.
	ReadLists int
	// Ages is the share of sites whose servers state the time of the last change of a page.
	Ages float64
}

// DefaultChurn is a web of 2,000 pages, with one visit per page in 30 days.
var DefaultChurn = ChurnConfig{
	Seed: 1, Pages: 2000, Sites: 20, Days: 540, Learn: 180, Interval: 30,
	Rate: 1 / 7.4, Spread: 1.5, Life: 1500, Honest: .4, Missed: .1, Noisy: .2, ReadLists: 5, Ages: .4,
}

// VisitRule decides which pages are visited.
type VisitRule uint8

// Rules of visits. The first four know the rates of changes, the others estimate them.
const (
	Uniform      VisitRule = iota // all pages in turn
	Proportional                  // in proportion to the rate of changes
	OptimalRates                  // periodically at the rates of Azar and others
	Estimated                     // by changes of text between visits
	WithAges                      // also by the ages that servers state
	WithLists                     // also by dates in sitemaps
	visitRules
)

var visitRuleNames = [...]string{"uniform", "proportional to change", "optimal rates, known", "estimated rates", "and ages of servers", "and dates in sitemaps"}

// String returns the name of r, such as "uniform".
func (r VisitRule) String() string { return visitRuleNames[r] }

// VisitRules returns all rules.
func VisitRules() (list []VisitRule) {
	for r := range visitRules {
		list = append(list, r)
	}
	return list
}

// ChurnResult holds the result of the measured days.
type ChurnResult struct {
	// Fresh is the share of the texts on the web that are stored and up to date, averaged over time.
	Fresh float64
	// Visits is the number of visits. New is the number of visits that found a text for the first time.
	Visits, New int
	// Appeared is the number of pages that appeared, and of pages that disappeared. Found is the number of
	// pages among the former that were visited.
	Appeared, Found int
}

// churnPage is a page.
type churnPage struct {
	site       int
	rate       float64
	born, dies float64
	changed    float64 // time of the last change
	next       float64 // time of the next change
	listed     float64 // its date in the sitemap
	shown      float64 // the same when the sitemap was read
	visited    float64 // time of the last visit; below 0 for an unknown page
	fresh      bool    // the stored text is up to date
	past       recrawl.History
	estimate   float64 // of rate; below 0 if it is out of date
}

// churn is a simulated web over time.
type churn struct {
	cfg    ChurnConfig
	rule   VisitRule
	rng    *rand.Rand // of the web, the same for all rules
	pages  []*churnPage
	honest []bool
	noisy  []bool
	ages   []bool
	read   float64 // time at which the sitemaps were read
	res    ChurnResult
}

// maxPast is the most visits of a page that are remembered.
const maxPast = 64

// RunChurn simulates daily crawls of a web by a rule.
func RunChurn(cfg ChurnConfig, rule VisitRule) ChurnResult {
	w := &churn{cfg: cfg, rule: rule, rng: rand.New(rand.NewPCG(cfg.Seed, 4))}
	for i := range cfg.Sites {
		x := (float64(i) + .5) / float64(cfg.Sites)
		w.honest, w.noisy = append(w.honest, x < cfg.Honest), append(w.noisy, x >= cfg.Honest && x < cfg.Honest+cfg.Noisy)
	}
	for _, i := range w.rng.Perm(cfg.Sites) {
		w.ages = append(w.ages, (float64(i)+.5)/float64(cfg.Sites) < cfg.Ages)
	}
	for range cfg.Pages {
		p := w.appear(0)
		p.visited, p.fresh = 0, true // the first crawl
		if w.ages[p.site] {
			p.past.Age = w.rng.ExpFloat64() / p.rate
		}
	}
	var freshTime, liveTime float64
	for day := 1; day <= cfg.Days; day++ {
		now := float64(day)
		fresh, live := w.pass(now)
		if day > cfg.Learn {
			freshTime, liveTime = freshTime+fresh, liveTime+live
		}
		w.visit(now, day > cfg.Learn)
	}
	w.res.Fresh = freshTime / liveTime
	return w.res
}

// appear adds a page at a time.
func (w *churn) appear(at float64) *churnPage {
	p := &churnPage{site: w.rng.IntN(w.cfg.Sites), born: at, changed: at, listed: at, visited: -1, estimate: -1}
	p.rate = w.cfg.Rate * math.Exp(w.cfg.Spread*w.rng.NormFloat64())
	p.dies = at + float64(w.cfg.Life*math.Exp(w.cfg.Spread*w.rng.NormFloat64()))
	p.next = at + w.rng.ExpFloat64()/p.rate
	p.past.Site = strconv.Itoa(p.site)
	w.pages = append(w.pages, p)
	return p
}

// pass lets the day before now pass. It returns the time for which stored texts were up to date, and for
// which pages existed.
func (w *churn) pass(now float64) (fresh, live float64) {
	gone := 0
	for _, p := range w.pages {
		if p.dies <= now-1 {
			continue
		}
		end := min(now, p.dies)
		live += end - (now - 1)
		if p.fresh {
			fresh += min(end, p.next) - (now - 1)
		}
		for p.next <= end {
			p.fresh, p.changed = false, p.next
			if w.rng.Float64() >= w.cfg.Missed {
				p.listed = p.next
			}
			p.next += w.rng.ExpFloat64() / p.rate
		}
		if p.dies <= now {
			p.fresh = false
			gone++
		}
	}
	for range gone { // as many appear
		w.appear(now)
	}
	if int(now) > w.cfg.Learn {
		w.res.Appeared += gone
	}
	return fresh, live
}

// rank is a page with its order.
type rank struct {
	page  *churnPage
	value float64
}

// visit visits the pages that are due. New pages are due when a sitemap has them, or else as long after
// their beginning as pages in turn.
func (w *churn) visit(now float64, measured bool) {
	var list []rank
	lists := w.readLists(now)
	value := w.values(now)
	for _, p := range w.pages {
		v := 0.
		switch {
		case p.visited < 0 && p.dies <= now || p.visited >= p.dies: // never seen, or known to be gone
			continue
		case p.visited < 0 && p.shown > 0: // in the sitemap
			v = math.Inf(1)
		case p.visited < 0: // found by links
			v = (now - p.born) / w.cfg.Interval
		default:
			v = value(p)
		}
		list = append(list, rank{p, v})
	}
	slices.SortStableFunc(list, func(a, b rank) int { return cmp.Compare(b.value, a.value) })
	n := int(math.Round(now*float64(w.cfg.Pages)/w.cfg.Interval) - math.Round((now-1)*float64(w.cfg.Pages)/w.cfg.Interval))
	for _, r := range list[:max(min(n, len(list))-lists, 0)] {
		w.see(r.page, now, measured)
	}
}

// readLists reads the sitemaps if they are due, and returns their number.
func (w *churn) readLists(now float64) (n int) {
	if w.rule != WithLists || int(now)%w.cfg.ReadLists != 0 {
		return 0
	}
	for i := range w.cfg.Sites {
		if w.honest[i] || w.noisy[i] {
			n++
		}
	}
	for _, p := range w.pages {
		if w.honest[p.site] {
			p.shown = p.listed
		} else if w.noisy[p.site] {
			p.shown = now
		}
	}
	w.read = now
	return n
}

// values returns the order of known pages by the rule.
func (w *churn) values(now float64) func(*churnPage) float64 {
	budget := float64(w.cfg.Pages) / w.cfg.Interval
	switch w.rule {
	case Uniform:
		return func(p *churnPage) float64 { return (now - p.visited) / w.cfg.Interval }
	case Proportional:
		sum := 0.
		for _, p := range w.pages {
			if p.dies > now {
				sum += p.rate
			}
		}
		return func(p *churnPage) float64 { return (now - p.visited) * budget * p.rate / sum }
	case OptimalRates:
		var rates []recrawl.Page
		var pages []*churnPage
		for _, p := range w.pages {
			if p.dies > now {
				rates, pages = append(rates, recrawl.Page{Rate: p.rate, Weight: 1}), append(pages, p)
			}
		}
		visits := map[*churnPage]float64{}
		for i, v := range recrawl.Visits(rates, budget) {
			visits[pages[i]] = v
		}
		return func(p *churnPage) float64 { return (now - p.visited) * visits[p] }
	}
	planner := recrawl.NewPlanner()
	for _, p := range w.pages {
		if p.visited >= 0 {
			planner.Observe(&p.past)
		}
	}
	for _, p := range w.pages {
		if p.visited < 0 || p.visited >= p.dies {
			continue
		}
		if p.estimate < 0 || int(now)%30 == 0 { // the expected rate changes slowly
			p.estimate = planner.Rate(&p.past)
		}
		planner.Add(p.estimate)
	}
	planner.Plan(budget)
	return func(p *churnPage) float64 {
		p.past.Since, p.past.Listed, p.past.Dated = now-p.visited, 0, false
		if listed, dated := w.dated(p); listed {
			p.past.Listed, p.past.Dated = max(now-w.read, 1e-9), dated
		}
		return planner.Overdue(&p.past, p.estimate)
	}
}

// dated reports whether a sitemap read since the last visit has a page, and whether its date there is
// after that visit.
func (w *churn) dated(p *churnPage) (listed, after bool) {
	listed = p.shown > 0 && w.read > p.visited
	return listed, listed && p.shown > p.visited
}

// see visits a page.
func (w *churn) see(p *churnPage, now float64, measured bool) {
	if measured {
		w.res.Visits++
	}
	if p.dies <= now {
		p.visited = now
		return
	}
	if measured && !p.fresh {
		w.res.New++
	}
	if p.visited < 0 && p.born > float64(w.cfg.Learn) {
		w.res.Found++
	}
	age := 0.
	if w.rule >= WithAges && w.ages[p.site] {
		age = now - p.changed
	}
	if p.visited >= 0 {
		v := recrawl.Visit{After: now - p.visited, Changed: !p.fresh}
		if age < v.After {
			v.Age = age
		}
		v.Listed, v.Dated = w.dated(p)
		if p.past.Visits = append(p.past.Visits, v); len(p.past.Visits) > maxPast {
			p.past.Visits = p.past.Visits[1:]
		}
	} else {
		p.past.Age = age
	}
	p.visited, p.fresh, p.estimate = now, true, -1
}
