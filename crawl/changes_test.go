package crawl

import (
	"testing"
	"time"
)

// TestVisit fails if the change of a page is not found from the statuses and texts of its visits.
func TestVisit(t *testing.T) {
	day := func(n int) time.Time { return time.Unix(0, 0).Add(time.Duration(n) * 24 * time.Hour) }
	for _, c := range []struct {
		name  string
		last  pageEvent
		want  Change
		moved bool
	}{
		{"same text", pageEvent{Status: 304, Text: 7}, Unchanged, false},
		{"other text", pageEvent{Status: 200, Text: 8}, Changed, true},
		{"no text", pageEvent{Status: 200}, Disappeared, true},
		{"gone", pageEvent{Status: 410}, Disappeared, true},
	} {
		pages := map[string]*PageHistory{}
		visitPage(pages, 0, day(0), &pageEvent{URL: "u", Status: 200, Text: 7})
		c.last.URL = "u"
		visitPage(pages, 1, day(2), &c.last)
		p := pages["u"]
		if p.Change != c.want || len(p.Visits) != 1 || p.Visits[0].After != 2 || p.Visits[0].Changed != c.moved {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
	fast, slow := &PageHistory{URL: "fast", Rate: 50, Last: day(0)}, &PageHistory{URL: "slow", Rate: .1, Last: day(0)}
	for _, p := range []*PageHistory{fast, slow} {
		p.Visits = append(p.Visits, p.Visits...)
		p.Visits = append(p.Visits, struct {
			After   float64
			Changed bool
		}{1, true})
	}
	gone := &PageHistory{URL: "gone", Change: Disappeared, Rate: .1, Last: day(0)}
	due := Due([]*PageHistory{fast, gone, slow}, day(10), 30*24*time.Hour, 1)
	if len(due) != 1 || due[0] != slow {
		t.Errorf("due: %+v, want the page that can be kept up to date", due)
	}
}
