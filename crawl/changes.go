package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"chaffinch/crawl/recrawl"
)

// Change is what a crawl found of a page, in comparison with the crawls that it repeats.
type Change uint8

// Changes of pages, compared by the fingerprints of their clean texts.
const (
	Unchanged   Change = iota
	Appeared           // no earlier crawl has its text
	Changed            // its text differs
	Disappeared        // status 404 or 410, or no text, after an earlier text
	NotVisited         // the last crawl has not visited it
)

var changeNames = [...]string{"unchanged", "appeared", "changed", "disappeared", "not visited"}

// String returns the name of c, such as "appeared".
func (c Change) String() string { return changeNames[c] }

// PageHistory is a page over a crawl and the crawls that it repeats.
type PageHistory struct {
	URL    string
	Change Change
	Last   time.Time       // time of the last visit
	Visits []recrawl.Visit // with times in days
	Rate   float64         // estimated changes per day

	text  uint64
	crawl int // number of the crawl of the last visit
}

// Changes returns the pages that had text in the crawl in a folder, or in the crawls that it repeats,
// sorted by URL. Failed requests are not visits.
func Changes(ctx context.Context, dir string) ([]*PageHistory, error) {
	var dirs []string
	var began []time.Time
	for at := dir; at != ""; {
		if slices.Contains(dirs, at) {
			return nil, fmt.Errorf("%s: the crawl repeats itself: wanted an earlier crawl", at)
		}
		s, err := SettingsOf(at)
		if err != nil {
			return nil, err
		}
		dirs, began = append(dirs, at), append(began, s.Began)
		at = s.Again
	}
	slices.Reverse(dirs)
	slices.Reverse(began)
	pages := map[string]*PageHistory{}
	for n, dir := range dirs {
		away := time.Duration(0)
		err := eachEvent(ctx, dir, func(e event) error {
			if away += e.Away; e.Page != nil {
				visitPage(pages, n, began[n].Add(e.At+away), e.Page)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var list []*PageHistory
	for _, p := range pages {
		if p.crawl < len(dirs)-1 {
			p.Change = NotVisited
		}
		p.Rate = recrawl.Rate(p.Visits)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *PageHistory) int { return strings.Compare(a.URL, b.URL) })
	return list, nil
}

// visitPage records a visit to a page.
func visitPage(pages map[string]*PageHistory, crawl int, at time.Time, e *pageEvent) {
	p := pages[e.URL]
	gone := e.Status == 404 || e.Status == 410 || e.Text == 0
	switch {
	case e.Status >= 300 && e.Status != 304 && !gone:
		return
	case p == nil && gone:
		return
	case p == nil:
		pages[e.URL] = &PageHistory{URL: e.URL, Change: Appeared, Last: at, text: e.Text, crawl: crawl}
		return
	case p.crawl == crawl: // a retry
		return
	}
	text := e.Text
	if gone {
		text = 0
	}
	switch {
	case text == p.text:
		p.Change = Unchanged
	case text == 0:
		p.Change = Disappeared
	case p.text == 0:
		p.Change = Appeared
	default:
		p.Change = Changed
	}
	p.Visits = append(p.Visits, recrawl.Visit{After: at.Sub(p.Last).Hours() / 24, Changed: text != p.text})
	p.Last, p.text, p.crawl = at, text, crawl
}

// eachEvent calls fn for the events in the journals of a crawl.
func eachEvent(ctx context.Context, dir string, fn func(event) error) error {
	for n := 1; ; n++ {
		name := journalName(dir, n)
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := readJournal(name, func(e event) error { return cmp.Or(ctx.Err(), fn(e)) }); err != nil {
			return err
		}
	}
}

// Due returns the n pages to visit at a time, the most overdue first: visits at the rates of
// [recrawl.Visits], with n visits in each interval. Pages that disappeared are not due. Pages with one
// visit have the mean rate of the others.
func Due(pages []*PageHistory, at time.Time, interval time.Duration, n int) []*PageHistory {
	var list []*PageHistory
	var rates []recrawl.Page
	mean, known := 0., 0.
	for _, p := range pages {
		if len(p.Visits) > 0 {
			mean, known = mean+p.Rate, known+1
		}
	}
	mean /= max(known, 1)
	for _, p := range pages {
		if p.Change == Disappeared {
			continue
		}
		rate := p.Rate
		if len(p.Visits) == 0 {
			rate = mean
		}
		list, rates = append(list, p), append(rates, recrawl.Page{Rate: rate, Weight: 1})
	}
	visits := recrawl.Visits(rates, float64(n)/(interval.Hours()/24))
	overdue := make(map[*PageHistory]float64, len(list))
	for i, p := range list {
		overdue[p] = visits[i] * at.Sub(p.Last).Hours() / 24
	}
	slices.SortStableFunc(list, func(a, b *PageHistory) int {
		return cmp.Or(cmp.Compare(overdue[b], overdue[a]), a.Last.Compare(b.Last))
	})
	return list[:min(n, len(list))]
}
