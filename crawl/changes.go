package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaffinch/crawl/recrawl"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/extsort"
	"chaffinch/page"
)

// Change is the result of a visit to a page, compared with the crawls that it repeats.
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

// PageHistory is a page over a crawl and the crawls that it repeats. Times of Past are in days.
type PageHistory struct {
	URL    string
	Change Change
	Last   time.Time       // time of the last visit
	Past   recrawl.History // visits, and dates of changes that the site states
	Rate   float64         // estimated changes per day

	text   uint64
	crawl  int       // number of the crawl of the last visit
	dated  time.Time // latest date in a list since the last visit
	listed time.Time // time at which that list was read
}

// Changes holds the histories of the pages that had text in a crawl, or in the crawls that it repeats. The
// histories are on disk; the memory depends on the number of hosts.
type Changes struct {
	ctx     context.Context
	lines   *extsort.Lines // observations of pages: URL, time, crawl, status, text, date
	crawls  int
	planner *recrawl.Planner
}

const (
	// maxVisits is the most visits of a page that count.
	maxVisits = 64
	// changesMemory is the memory for observations; the rest is on disk.
	changesMemory = 64 << 20
	// minAge is the shortest age of a page that counts: many servers state the time of the response.
	minAge = 10 * time.Minute
)

// OpenChanges reads the journals of the crawl in a folder and of the crawls that it repeats.
func OpenChanges(ctx context.Context, dir string) (c *Changes, err error) {
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
	c = &Changes{ctx: ctx, lines: extsort.NewLines("", changesMemory), crawls: len(dirs), planner: recrawl.NewPlanner()}
	for n, dir := range dirs {
		err := eachEvent(ctx, dir, func(e event, away time.Duration) error { return c.observe(n, began[n].Add(e.At+away), e) })
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	for p, err := range c.pages() {
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.planner.Observe(&p.Past)
	}
	return c, nil
}

// Close removes the observations.
func (c *Changes) Close() error { return c.lines.Close() }

// observation is a fact about a page in an event.
type observation struct {
	url    string
	at     time.Time
	crawl  int
	status int // 0 for a date in a list
	text   uint64
	date   int64 // of the last change, in Unix time; 0 if it is unknown
}

// observe adds the observations of an event.
func (c *Changes) observe(crawl int, at time.Time, e event) error {
	add := func(o observation) error {
		return c.lines.Add(fmt.Sprintf("%s\t%016x\t%d\t%d\t%x\t%d", o.url, at.UnixNano(), crawl, o.status, o.text, o.date))
	}
	p := e.Page
	switch {
	case p == nil:
		return nil
	case p.Reason == sitemapOnly || p.Reason == sitemapCut:
		for _, l := range e.Done.Links {
			if l.Modified == 0 || l.Modified > at.Unix() {
				continue
			}
			if err := add(observation{url: l.Origin + l.Path, date: l.Modified}); err != nil {
				return err
			}
		}
		return nil
	case p.Status == 0, p.Status >= 400 && p.Status != 404 && p.Status != 410, p.Reason == page.Failed.String():
		return nil
	}
	return add(observation{url: p.URL, status: p.Status, text: p.Text, date: p.Modified})
}

// parseObservation parses a line.
func parseObservation(line string) (o observation, err error) {
	f := strings.Split(line, "\t")
	if len(f) != 6 {
		return o, fmt.Errorf("%d fields of an observation, wanted 6", len(f))
	}
	nanos, err1 := strconv.ParseInt(f[1], 16, 64)
	crawl, err2 := strconv.Atoi(f[2])
	status, err3 := strconv.Atoi(f[3])
	text, err4 := strconv.ParseUint(f[4], 16, 64)
	date, err5 := strconv.ParseInt(f[5], 10, 64)
	return observation{f[0], time.Unix(0, nanos), crawl, status, text, date}, errors.Join(err1, err2, err3, err4, err5)
}

// pages yields the histories in the order of the URLs, without rates. A history is valid until the next
// one.
func (c *Changes) pages() iter.Seq2[*PageHistory, error] {
	return func(yield func(*PageHistory, error) bool) {
		p := &PageHistory{}
		flush := func() bool {
			if p.Last.IsZero() { // never visited, or never with text
				return true
			}
			if p.crawl < c.crawls-1 {
				p.Change = NotVisited
			}
			return yield(p, nil)
		}
		for line, err := range c.lines.All() {
			var o observation
			if err = cmp.Or(err, c.ctx.Err()); err == nil {
				o, err = parseObservation(line)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if o.url != p.URL {
				if !flush() {
					return
				}
				*p = PageHistory{URL: o.url, Past: recrawl.History{Site: hostOf(o.url), Visits: p.Past.Visits[:0]}}
			}
			p.see(&o)
		}
		flush()
	}
}

// hostOf returns the host in a URL.
func hostOf(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return schedule.HostName(scheme + "://" + host)
}

// see adds an observation, later than all before.
func (p *PageHistory) see(o *observation) {
	if o.status == 0 {
		if date := time.Unix(o.date, 0); !date.Before(p.dated) {
			p.dated, p.listed = date, o.at
		}
		return
	}
	text, seen := o.text, !p.Last.IsZero()
	if o.status == 404 || o.status == 410 {
		text = 0
	}
	age := time.Duration(0)
	if o.date > 0 {
		age = o.at.Sub(time.Unix(o.date, 0))
	}
	switch {
	case !seen && text == 0, seen && p.crawl == o.crawl: // a retry
		return
	case !seen:
		p.Change, p.Last, p.text, p.crawl = Appeared, o.at, text, o.crawl
		if age >= minAge {
			p.Past.Age = days(age)
		}
		return
	case text == p.text:
		p.Change = Unchanged
	case text == 0:
		p.Change = Disappeared
	case p.text == 0:
		p.Change = Appeared
	default:
		p.Change = Changed
	}
	v := recrawl.Visit{After: days(o.at.Sub(p.Last)), Changed: text != p.text}
	v.Listed, v.Dated = p.listed.After(p.Last), p.dated.After(p.Last)
	switch inside := age > 0 && age < o.at.Sub(p.Last); {
	case inside && !v.Changed: // the date is not about the text
		p.Past.Age = 0
	case inside && age >= minAge:
		v.Age = days(age)
	}
	if len(p.Past.Visits) == maxVisits {
		p.Past.Visits = p.Past.Visits[:copy(p.Past.Visits, p.Past.Visits[1:])]
	}
	p.Past.Visits = append(p.Past.Visits, v)
	p.Last, p.text, p.crawl = o.at, text, o.crawl
}

func days(d time.Duration) float64 { return d.Hours() / 24 }

// All yields the pages sorted by URL. A history is valid until the next one.
func (c *Changes) All() iter.Seq2[*PageHistory, error] {
	return func(yield func(*PageHistory, error) bool) {
		for p, err := range c.pages() {
			if err == nil {
				p.Rate = c.planner.Rate(&p.Past)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// Due returns the URLs of the n pages to visit at a time, the most overdue first: at the rates of
// [recrawl.Visits] with n visits in each interval, and by the dates that sites state. Pages that
// disappeared are not due. Call it once.
func (c *Changes) Due(at time.Time, interval time.Duration, n int) ([]string, error) {
	for p, err := range c.All() {
		if err != nil {
			return nil, err
		}
		if p.text != 0 {
			c.planner.Add(p.Rate)
		}
	}
	c.planner.Plan(float64(n) / days(interval))
	var list []duePage
	order := func(a, b duePage) int {
		return cmp.Or(cmp.Compare(b.overdue, a.overdue), a.last.Compare(b.last), strings.Compare(a.url, b.url))
	}
	for p, err := range c.All() {
		if err != nil {
			return nil, err
		}
		if p.text == 0 {
			continue
		}
		p.Past.Since = days(at.Sub(p.Last))
		if p.listed.After(p.Last) {
			p.Past.Listed, p.Past.Dated = days(at.Sub(p.listed)), p.dated.After(p.Last)
		}
		list = append(list, duePage{p.URL, c.planner.Overdue(&p.Past, p.Rate), p.Last})
		if len(list) >= 2*n+1024 { // drop the pages that are not due
			slices.SortFunc(list, order)
			list = list[:n]
		}
	}
	slices.SortFunc(list, order)
	var urls []string
	for _, p := range list[:min(n, len(list))] {
		urls = append(urls, p.url)
	}
	return urls, nil
}

// duePage is a page with its order.
type duePage struct {
	url     string
	overdue float64
	last    time.Time
}

// eachEvent calls fn for the events in the journals of a crawl, with the time for which the program did
// not run before.
func eachEvent(ctx context.Context, dir string, fn func(e event, away time.Duration) error) error {
	away := time.Duration(0)
	for n := 1; ; n++ {
		name := journalName(dir, n)
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		_, err := readJournal(name, func(e event) error {
			away += e.Away
			return cmp.Or(ctx.Err(), fn(e, away))
		})
		if err != nil {
			return err
		}
	}
}
