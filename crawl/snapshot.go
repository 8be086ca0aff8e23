package crawl

import (
	"iter"
	"maps"
	"slices"
	"time"

	"chaffinch/crawl/schedule"
)

// Snapshot describes the state of a crawl.
type Snapshot struct {
	Time    time.Duration // total duration of all runs
	Totals  schedule.Totals
	Hosts   int // number of known hosts
	Queued  int64
	Running int
	// Reasons counts the pages without text by reason, Langs the pages with text by
	// language.
	Reasons, Langs map[string]int64
	// Rules counts the pages that were dropped by Config.Clean.Filter by rule, such as
	// "nontext.probability".
	Rules map[string]int64
	// Excluded counts links and URLs that were not followed, by rule: of the scope, of robots.txt or
	// a limit. A link counts each time that it is found.
	Excluded map[string]int64
	// Renders counts the pages that were rendered or needed it, by result: "rendered", "no-gain",
	// "host-no-gain", or a reason of package render.
	Renders map[string]int64
	// Failures counts the requests without a response by reason.
	Failures map[string]int64
	// Failed names the host and the reason of the last request without an answer.
	Failed string
	// Failing holds the hosts with the most failed requests in a row: at least 3, or 1 if no request is
	// running, since the crawl may be waiting for them.
	Failing []FailingHost
	// Best holds the hosts with the most clean text, Worst the hosts with the most bytes
	// for the least clean text.
	Best, Worst []HostStatus
}

// newSnapshot returns the state of a new crawl.
func newSnapshot() Snapshot {
	return Snapshot{Reasons: map[string]int64{}, Langs: map[string]int64{}, Rules: map[string]int64{}, Failures: map[string]int64{}, Excluded: map[string]int64{}, Renders: map[string]int64{}}
}

// HostStatus holds the pages, their bytes and the bytes of clean text of a host.
type HostStatus struct {
	Name                string
	Pages, Bytes, Clean int64
}

// Yield returns the share of the bytes that was clean text.
func (h HostStatus) Yield() float64 { return schedule.Yield(h.Clean, h.Bytes) }

// shownHosts is the number of the best and of the worst hosts in a Snapshot.
const shownHosts = 3

// wastedBytes returns the bytes of a host in excess of a yield of a twentieth, which is good.
func wastedBytes(h HostStatus) int64 { return h.Bytes - 20*h.Clean }

// rank sets s.Best and s.Worst.
func (s *Snapshot) rank(hosts iter.Seq[HostStatus]) {
	keep := func(list []HostStatus, h HostStatus, value func(HostStatus) int64) []HostStatus {
		if value(h) <= 0 {
			return list
		}
		i := len(list)
		for i > 0 && value(list[i-1]) < value(h) {
			i--
		}
		if list = slices.Insert(list, i, h); len(list) > shownHosts {
			list = list[:shownHosts]
		}
		return list
	}
	s.Best, s.Worst = nil, nil
	for h := range hosts {
		s.Best = keep(s.Best, h, func(h HostStatus) int64 { return h.Clean })
		s.Worst = keep(s.Worst, h, wastedBytes)
	}
}

// ranking holds when and for how long the hosts were ranked last.
type ranking struct {
	at   time.Time
	took time.Duration
}

// maxRanking is the greatest share of the time that is spent on ranking, as its inverse: there may be
// millions of hosts.
const maxRanking = 50

// rank ranks the hosts for a snapshot if it was not done too recently.
func (c *crawl) rank() {
	if c.sched == nil || time.Since(c.ranking.at) < maxRanking*c.ranking.took {
		return
	}
	start := time.Now()
	c.status.rank(func(yield func(HostStatus) bool) {
		for _, h := range c.sched.Hosts() {
			if h.Pages > 0 && !yield(HostStatus{h.Name, h.Pages, h.Bytes, h.Clean}) {
				return
			}
		}
	})
	c.ranking = ranking{time.Now(), time.Since(start)}
}

// finalState returns the state of the crawl at the end of a run.
func (c *crawl) finalState() Snapshot {
	c.ranking = ranking{}
	return c.state()
}

// state returns the state of the crawl. Its Best and Worst may be of an earlier state.
func (c *crawl) state() Snapshot {
	c.rank()
	s := c.status
	s.Time = c.now()
	for _, counts := range []*map[string]int64{&s.Reasons, &s.Langs, &s.Rules, &s.Failures, &s.Excluded, &s.Renders} {
		*counts = maps.Clone(*counts)
	}
	if c.sched != nil {
		s.Totals, s.Running = c.sched.Totals(), c.sched.Running()
		least := minStreak
		if s.Running == 0 {
			least = 1
		}
		s.Failing = c.streaks.longest(least)
		s.Hosts, s.Queued = c.sched.HostCount(), c.sched.Queued()
	}
	return s
}
