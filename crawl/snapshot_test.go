package crawl

import (
	"testing"
	"time"

	"chaffinch/crawl/schedule"
	"chaffinch/text/langid"
)

// TestCurve follows many pages and wants few points, at even numbers of pages.
func TestCurve(t *testing.T) {
	for _, pages := range []int64{0, 1, 7, 200, 201, 12_345} {
		var c curve
		for i := range pages {
			c.add(event{At: time.Duration(i) * time.Second, Done: &schedule.Outcome{Bytes: 100, Clean: 10}})
		}
		if len(c.points) > maxPoints || pages > maxPoints && len(c.points) < maxPoints/2 || pages <= maxPoints && int64(len(c.points)) != pages {
			t.Errorf("%d pages: %d points", pages, len(c.points))
		}
		for i, p := range c.points {
			if p.Bytes != 100*p.Pages || p.Clean != 10*p.Pages || p.Pages%c.every != 0 && i < len(c.points)-1 {
				t.Errorf("%d pages: point %+v, one after every %d", pages, p, c.every)
			}
		}
		if n := len(c.points); n > 0 && c.points[n-1].Pages != pages {
			t.Errorf("%d pages: the last point is at %d", pages, c.points[n-1].Pages)
		}
		if got, want := c.minute(time.Duration(pages-1)*time.Second), int(min(pages, 60)); got != want {
			t.Errorf("%d pages: %d in the last minute, want %d", pages, got, want)
		}
		if len(c.last) > 200 {
			t.Errorf("%d pages: %d times are kept", pages, len(c.last))
		}
	}
}

// TestRank wants the best and the worst of hosts.
func TestRank(t *testing.T) {
	var s Snapshot
	hosts := []HostStatus{{"a", 1, 100, 50}, {"b", 9, 900, 0}, {"c", 9, 900, 90}, {"d", 1, 50, 50}, {"e", 2, 500, 1}, {"f", 1, 10, 7}, {"g", 1, 0, 0}}
	s.rank(func(yield func(HostStatus) bool) {
		for _, h := range hosts {
			yield(h)
		}
	})
	names := func(list []HostStatus) (s string) {
		for _, h := range list {
			s += h.Name
		}
		return s
	}
	if names(s.Best) != "cad" || names(s.Worst) != "be" {
		t.Errorf("best %s, worst %s", names(s.Best), names(s.Worst))
	}
}

// TestLangNames wants languages to be read again as they were.
func TestLangNames(t *testing.T) {
	for _, want := range []langid.Wanted{{Lang: "gd"}, {Lang: "ga", MinConfidence: .9}} {
		name := langNames([]langid.Wanted{want})[0]
		if got, err := langid.ParseWanted(name); err != nil || got != want {
			t.Errorf("%+v is %q, read as %+v, %v", want, name, got, err)
		}
	}
}
