package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"chaffinch/crawl/schedule"
)

// Site is what a crawl has had of a host.
type Site struct {
	Origin              string
	Pages, Bytes, Clean int64            // fetched pages, their decoded bytes, those of new text in a wanted language
	Records             int64            // pages with a record
	Failures            int64            // requests without an answer, or with one that asks for time
	Failed              map[string]int64 // those without an answer, by reason
	Known               int64            // URLs of it that pages named; a URL counts each time
	Reasons, Langs      map[string]int64
	First, Last         time.Duration // of its answers, since the crawl began
	CrawlDelay          time.Duration
	RobotsAt            time.Duration // when its robots.txt was last had; 0 never
	LinkedFrom, LinksTo int64         // links of other hosts to it, and of it to others
}

// Nature names what the pages of a host look like, "" if nothing is wrong: a
// "mirror" has mostly texts that other pages had before, a "trap" names many times
// more URLs than it has pages with text.
func (s *Site) Nature() string {
	const few = 8 // pages of which nothing follows
	copies := s.Reasons[duplicate] + s.Reasons[nearDuplicate]
	switch {
	case s.Pages < few:
		return ""
	case copies > s.Records && copies*2 > s.Pages:
		return "mirror"
	case s.Pages >= 10*few && s.Known > 5*s.Pages && s.Records*20 < s.Pages:
		return "trap"
	}
	return ""
}

// Yield returns the share of the bytes that was clean text.
func (s *Site) Yield() float64 { return schedule.Yield(s.Clean, s.Bytes) }

// HostStatus returns what the host gave.
func (s *Site) HostStatus() HostStatus { return HostStatus{s.Origin, s.Pages, s.Bytes, s.Clean} }

// Edge is a link between pages.
type Edge struct {
	From, To string // URLs
}

// History reads the journal of a crawl, which may run meanwhile.
type History struct {
	// Sites are the hosts that were asked or linked to, those with the most clean text
	// first.
	Sites []*Site
	// Time is how long the crawl has run.
	Time time.Duration
	// Minute is the number of pages of its last minute.
	Minute int
	// Curve has how the crawl stood at even numbers of pages, at most 200 times, and at its end.
	Curve []Point
}

// Point is how far a crawl had come at a time.
type Point struct {
	Time                time.Duration
	Pages, Bytes, Clean int64
}

// Status returns how the crawl stands, as far as its journal tells; a host is here an
// origin, and what waits is not known.
func (h *History) Status() Status {
	s := Status{Time: h.Time, Reasons: map[string]int64{}, Langs: map[string]int64{}, Failures: map[string]int64{}}
	s.Hosts = len(h.Sites)
	add := func(to, from map[string]int64) {
		for k, n := range from {
			to[k] += n
		}
	}
	for _, site := range h.Sites {
		s.Totals.Pages += site.Pages
		s.Totals.Bytes += site.Bytes
		s.Totals.Clean += site.Clean
		add(s.Reasons, site.Reasons)
		add(s.Langs, site.Langs)
		add(s.Failures, site.Failed)
	}
	s.rank(func(yield func(HostStatus) bool) {
		for _, site := range h.Sites {
			if site.Pages > 0 && !yield(site.HostStatus()) {
				return
			}
		}
	})
	return s
}

// ReadHistory reads the journal of the crawl in a folder. Edge, if not nil, is
// called for each link of each page.
func ReadHistory(dir string, edge func(Edge) error) (*History, error) {
	return readHistory(dir, func(l seenLink) error {
		if edge == nil {
			return nil
		}
		return edge(Edge{l.page.Origin + l.page.Path, l.Origin + l.Path})
	})
}

// seenLink is a link of a page.
type seenLink struct {
	*schedule.Link
	page     *schedule.Task
	from, to *Site
}

// readHistory reads the journal of the crawl in a folder and calls fn for each link of
// each page.
func readHistory(dir string, fn func(seenLink) error) (*History, error) {
	if _, ok, err := ReadSettings(dir); err != nil || !ok {
		return nil, cmp.Or(err, fmt.Errorf("%s: no crawl is there: a crawl's folder has a file crawl.json", dir))
	}
	h := &History{}
	byOrigin := map[string]*Site{}
	site := func(origin string) *Site {
		s := byOrigin[origin]
		if s == nil {
			s = &Site{Origin: origin, Failed: map[string]int64{}, Reasons: map[string]int64{}, Langs: map[string]int64{}}
			byOrigin[origin] = s
			h.Sites = append(h.Sites, s)
		}
		return s
	}
	running := map[uint32]schedule.Task{} // by host
	origins := map[uint32]string{}        // by the number of their robots.txt
	var curve curve
	for n := 1; ; n++ {
		if _, err := os.Stat(journalName(dir, n)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		_, err := readJournal(journalName(dir, n), func(e event) error {
			h.Time = e.At
			switch {
			case e.Take != nil:
				running[e.Take.Host] = *e.Take
				if e.Take.Kind == schedule.Robots && e.Take.Hops == 0 {
					origins[e.Take.Rules] = e.Take.Origin
				}
			case e.Done != nil:
				t, ok := running[e.Done.Host]
				if !ok {
					return fmt.Errorf("an answer for host %d, which was not asked", e.Done.Host)
				}
				delete(running, e.Done.Host)
				if site(t.Origin).add(t, e) {
					curve.add(e)
				}
				if e.Robots != nil {
					s := site(origins[e.Robots.Number])
					s.RobotsAt, s.CrawlDelay = e.At, e.Done.CrawlDelay
				}
				for i := range e.Done.Links {
					l := &e.Done.Links[i]
					from, to := site(t.Origin), site(l.Origin)
					to.Known++
					if from != to {
						to.LinkedFrom++
						from.LinksTo++
					}
					if t.Kind != schedule.Page {
						continue
					}
					if err := fn(seenLink{l, &t, from, to}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	h.Curve, h.Minute = curve.points, curve.minute(h.Time)
	slices.SortStableFunc(h.Sites, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.Clean, a.Clean), cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Origin, b.Origin))
	})
	return h, nil
}

// curve follows the pages of a crawl.
type curve struct {
	at     Point
	points []Point // one after every so many pages, and the last one
	every  int64
	last   []time.Duration // times of the pages of about the last minute
}

const maxPoints = 200

func (c *curve) add(e event) {
	c.at.Time = e.At
	c.at.Pages++
	c.at.Bytes += e.Done.Bytes
	c.at.Clean += e.Done.Clean
	c.every = max(c.every, 1)
	if n := len(c.points); n > 0 && c.points[n-1].Pages%c.every != 0 {
		c.points = c.points[:n-1]
	}
	if len(c.points) == maxPoints { // now one after twice as many
		c.every *= 2
		c.points = slices.DeleteFunc(c.points, func(p Point) bool { return p.Pages%c.every != 0 })
	}
	c.points = append(c.points, c.at)
	if c.last = append(c.last, e.At); c.last[len(c.last)/2] < e.At-time.Minute {
		c.last = c.last[len(c.last)/2:]
	}
}

// minute counts the pages of the last minute.
func (c *curve) minute(now time.Duration) (n int) {
	for _, at := range c.last {
		if at > now-time.Minute {
			n++
		}
	}
	return n
}

// add counts what came of a task, and reports whether that is a page.
func (s *Site) add(t schedule.Task, e event) bool {
	o := e.Done
	if o.Failure || o.Busy || o.Unavailable {
		s.Failures++
		if e.Failed != "" {
			s.Failed[e.Failed]++
		}
		return false
	}
	if s.First == 0 {
		s.First = e.At
	}
	s.Last = e.At
	if t.Kind != schedule.Page {
		return false
	}
	s.Pages++
	s.Bytes += o.Bytes
	s.Clean += o.Clean
	switch {
	case e.Page == nil:
	case e.Page.Reason != "":
		s.Reasons[e.Page.Reason]++
	default:
		s.Records++
		s.Langs[e.Page.Lang]++
	}
	return true
}
