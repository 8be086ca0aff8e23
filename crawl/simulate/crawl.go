package simulate

import (
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"chaffinch/crawl/frontier"
	"chaffinch/crawl/schedule"
	"chaffinch/filter"
)

// Config configures the crawl of a simulated web.
type Config struct {
	Dir      string // folder of the frontier
	Schedule schedule.Config
	Seeds    int   // number of seed hosts
	Pages    int64 // number of pages at which the crawl ends
	Rate     int   // requests per second
	Points   int   // points of the curve
	// Rules judge the texts of pages. If Filter is set, only text that passes counts as yield.
	// Default: all text passes.
	Rules  *filter.Set
	Filter bool
}

// Point is a point of a yield curve.
type Point struct {
	Time                time.Duration
	Pages, Bytes, Clean int64
	Hosts               int     // hosts with fetched pages
	Langs               []int64 // clean bytes by language, if languages have shares
	SpamPages           int64   // pages of spam hosts
	// Kept is the number of clean bytes of the other hosts. Good is the number of bytes of their
	// text that passes Config.Rules, GoodPages the number of pages with such text.
	Kept, Good, GoodPages int64
}

// Yield returns the share of the bytes that was clean text.
func (p Point) Yield() float64 { return schedule.Yield(p.Clean, p.Bytes) }

// Result is the result of a simulated crawl.
type Result struct {
	Curve []Point
}

// Run crawls w.
func Run(ctx context.Context, w *Web, cfg Config) (*Result, error) {
	at := schedule.Frontier{Dir: cfg.Dir, Sieve: frontier.DefaultSieve, Queue: frontier.DefaultQueue}
	s, err := schedule.Open(cfg.Schedule, at, func(uint32, []byte) bool { return true })
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Add(0, w.Seeds(cfg.Seeds)); err != nil {
		return nil, err
	}
	res := &Result{}
	var running completions
	var now time.Duration
	gap := time.Second / time.Duration(cfg.Rate)
	every := max(cfg.Pages/int64(cfg.Points), 1)
	var o schedule.Outcome
	var sum Point
	j := newJudge(w, cfg.Rules)
	for ctx.Err() == nil {
		if n := s.Totals().Pages; n >= cfg.Pages {
			break
		}
		t, ok, again, err := s.Take(now)
		if err != nil {
			return nil, err
		}
		next := now + gap
		if ok {
			o := completion{at: now + 50*time.Millisecond, task: t}
			if t.Kind != schedule.Resolve {
				o.at = now + w.hosts[hostOf(t.Origin)].latency
			}
			heap.Push(&running, o)
		} else {
			if again >= 0 {
				next = max(again, next)
			} else if len(running) == 0 {
				break
			} else {
				next = math.MaxInt64
			}
			if len(running) > 0 {
				next = min(next, max(running[0].at, now+1))
			}
		}
		for len(running) > 0 && running[0].at <= next {
			c := heap.Pop(&running).(completion)
			host := hostOf(c.task.Origin)
			o = schedule.Outcome{Host: c.task.Host, Took: w.hosts[host].latency, Links: o.Links[:0]}
			switch c.task.Kind {
			case schedule.Resolve:
				o.Address = c.task.Origin
			case schedule.Page:
				w.Page(host, c.task.Path, &o)
				testWords(c.task.Words, &o)
				passed := j.passed(host, c.task.Path, o.Clean)
				if cfg.Filter {
					o.Clean = passed
				}
				if w.hosts[host].kind == Spam {
					sum.SpamPages++
				} else {
					sum.Kept, sum.Good, sum.GoodPages = sum.Kept+o.Clean, sum.Good+passed, sum.GoodPages+min(passed, 1)
				}
			}
			if err := s.Done(c.at, o); err != nil {
				return nil, err
			}
			if t := s.Totals(); c.task.Kind == schedule.Page && t.Pages%every == 0 {
				sum.Time, sum.Pages, sum.Bytes, sum.Clean, sum.Hosts, sum.Langs = c.at, t.Pages, t.Bytes, t.Clean, visited(s), slices.Clone(t.Langs)
				res.Curve = append(res.Curve, sum)
			}
		}
		now = next
	}
	return res, ctx.Err()
}

// visited returns the number of hosts with fetched pages.
func visited(s *schedule.Scheduler) (n int) {
	for _, h := range s.Hosts() {
		if h.Pages > 0 {
			n++
		}
	}
	return n
}

// completion is the end of a request.
type completion struct {
	at   time.Duration
	task schedule.Task
}

type completions []completion

func (c completions) Len() int { return len(c) }
func (c completions) Less(i, j int) bool {
	return c[i].at < c[j].at || c[i].at == c[j].at && c[i].task.Host < c[j].task.Host
}
func (c completions) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *completions) Push(x any)   { *c = append(*c, x.(completion)) }
func (c *completions) Pop() any {
	old := *c
	x := old[len(old)-1]
	*c = old[:len(old)-1]
	return x
}
