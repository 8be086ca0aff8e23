package crawl

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chaffinch/crawl/recrawl"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/extsort"
	"chaffinch/internal/testkit/must"
)

func day(n float64) time.Time {
	return time.Unix(0, 0).Add(time.Duration(n * 24 * float64(time.Hour)))
}

// changesOf returns the changes that observations tell of in crawls.
func changesOf(t *testing.T, crawls int, memory int64) (c *Changes, see func(crawl int, at float64, e event)) {
	t.Helper()
	c = &Changes{ctx: t.Context(), lines: extsort.NewLines(t.TempDir(), memory), crawls: crawls, planner: recrawl.NewPlanner()}
	t.Cleanup(func() { must.Succeed(t, c.Close()) })
	return c, func(crawl int, at float64, e event) {
		t.Helper()
		must.Succeed(t, c.observe(crawl, day(at), e))
	}
}

// TestVisit fails if the change of a page is not found from the statuses and texts of its visits.
func TestVisit(t *testing.T) {
	for _, x := range []struct {
		name    string
		last    pageEvent
		want    Change
		changed bool
	}{
		{"same text", pageEvent{Status: 304, Text: 7}, Unchanged, false},
		{"other text", pageEvent{Status: 200, Text: 8}, Changed, true},
		{"no text", pageEvent{Status: 200}, Disappeared, true},
		{"moved", pageEvent{Status: 301, Reason: redirect}, Disappeared, true},
		{"gone", pageEvent{Status: 410}, Disappeared, true},
	} {
		c, see := changesOf(t, 2, 1<<20)
		x.last.URL = "http://a.example/"
		see(0, 0, event{Page: &pageEvent{URL: x.last.URL, Status: 200, Text: 7}})
		see(1, 1, event{Page: &pageEvent{URL: x.last.URL, Status: 500}}) // no visits
		see(1, 1, event{Page: &pageEvent{URL: x.last.URL, Status: 200, Reason: "failed"}})
		see(1, 2, event{Page: &x.last})
		n := 0
		for p, err := range c.All() {
			must.Succeed(t, err)
			n++
			if v := p.Past.Visits; p.Change != x.want || len(v) != 1 || v[0].After != 2 || v[0].Changed != x.changed || !p.Last.Equal(day(2)) {
				t.Errorf("%s: %+v", x.name, p)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d pages, want 1", x.name, n)
		}
	}
}

// TestStatedDates fails if dates of servers and lists are not evidence of changes, or if dates that the
// texts contradict are.
func TestStatedDates(t *testing.T) {
	c, see := changesOf(t, 2, 1<<20)
	list := func(crawl int, at float64, path string, modified float64) {
		see(crawl, at, event{Page: &pageEvent{URL: "http://a.example/map.xml", Reason: sitemapOnly}, Done: &schedule.Outcome{Links: []schedule.Link{{Origin: "http://a.example", Path: path, Modified: day(modified).Unix()}}}})
	}
	visit := func(crawl int, at float64, path string, text uint64, modified float64) {
		see(crawl, at, event{Page: &pageEvent{URL: "http://a.example" + path, Status: 200, Text: text, Modified: day(modified).Unix()}})
	}
	list(0, 0, "/never", 0)
	for _, path := range []string{"/honest", "/new", "/touched", "/future", "/quiet"} {
		visit(0, 100, path, 1, 90)
	}
	list(1, 110, "/honest", 108)
	list(1, 110, "/future", 300)
	list(1, 110, "/quiet", 50)
	visit(1, 110, "/honest", 2, 108)
	visit(1, 110, "/touched", 1, 109)
	visit(1, 110, "/new", 2, 110)
	visit(1, 110, "/quiet", 1, 90)
	visit(1, 110, "/future", 2, 95)
	list(1, 115, "/quiet", 113)
	want := map[string]recrawl.History{
		"/honest":  {Age: 10, Visits: []recrawl.Visit{{After: 10, Changed: true, Age: 2, Listed: true, Dated: true}}},
		"/touched": {Visits: []recrawl.Visit{{After: 10}}},                         // the date changed, the text did not
		"/new":     {Age: 10, Visits: []recrawl.Visit{{After: 10, Changed: true}}}, // the date is the time of the response
		"/quiet":   {Age: 10, Visits: []recrawl.Visit{{After: 10, Listed: true}}},
		"/future":  {Age: 10, Visits: []recrawl.Visit{{After: 10, Changed: true}}},
	}
	n := 0
	for p, err := range c.All() {
		must.Succeed(t, err)
		n++
		w := want[p.URL[len("http://a.example"):]]
		if p.Past.Site != "a.example" || p.Past.Age != w.Age || !slices.Equal(p.Past.Visits, w.Visits) {
			t.Errorf("%s: %+v, want %+v", p.URL, p.Past, w)
		}
	}
	if n != len(want) {
		t.Errorf("%d pages, want %d", n, len(want))
	}
}

// TestDue fails if the pages to visit are not the pages that can be kept up to date, or if a date in a
// sitemap is no reason for a visit. The result must not depend on the memory.
func TestDue(t *testing.T) {
	const crawls, pages = 12, 300
	var results [2][]string
	for i, memory := range []int64{1 << 20, 10_000} {
		c, see := changesOf(t, crawls, memory)
		for crawl := range crawls {
			at := float64(10 * crawl)
			for n := range pages {
				url := fmt.Sprintf("http://h%d.example/%d", n%3, n)
				text := uint64(1)
				switch n % 3 {
				case 1:
					text = uint64(1 + crawl) // changes always
				case 2:
					text = uint64(1 + crawl/3) // at times
				}
				see(crawl, at, event{Page: &pageEvent{URL: url, Status: 200, Text: text}})
			}
			see(crawl, at, event{Page: &pageEvent{URL: "http://h2.example/gone", Status: map[bool]int{true: 410, false: 200}[crawl == crawls-1], Text: 1}})
		}
		see(crawls-1, 115, event{Page: &pageEvent{URL: "http://h0.example/map.xml", Reason: sitemapOnly}, Done: &schedule.Outcome{Links: []schedule.Link{
			{Origin: "http://h0.example", Path: "/3", Modified: day(113).Unix()},
			{Origin: "http://h0.example", Path: "/6", Modified: day(1).Unix()},
		}}})
		for p, err := range c.pages() {
			must.Succeed(t, err)
			c.planner.Observe(&p.Past)
		}
		due := must.Get(c.Due(day(120), 30*24*time.Hour, 100))(t)
		results[i] = due
		kinds := map[byte]int{}
		for _, url := range due {
			kinds[url[len("http://h")]]++
		}
		if due[0] != "http://h0.example/3" {
			t.Errorf("first %s, want the page with a new date", due[0])
		}
		if len(due) != 100 || kinds['2'] < 90 || slices.Contains(due, "http://h2.example/gone") || slices.Contains(due, "http://h0.example/6") {
			t.Errorf("%d pages due, by host %v; want the pages that change at times", len(due), kinds)
		}
	}
	if !slices.Equal(results[0], results[1]) {
		t.Error("the pages depend on the memory")
	}
}
