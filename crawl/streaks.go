package crawl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaffinch/crawl/schedule"
)

// FailingHost is a host whose last requests failed.
type FailingHost struct {
	Name string
	// Failures is the number of failed requests in a row, in this run.
	Failures int
	// Reason is the reason of the last failure, such as "no-answer" or "robots.txt: status 503".
	Reason string
}

// minStreak is the number of failures in a row from which a host is shown while requests are running.
const minStreak = 3

// maxStreaks is the most hosts in streaks. There may be millions of failing hosts.
const maxStreaks = 10_000

// streaks holds the hosts whose last requests failed, by number. Of more than maxStreaks hosts, it keeps
// the half with the most failures in a row.
type streaks map[uint32]FailingHost

// note takes the result of a request into account. Hosts that are given up are removed.
func (x streaks) note(h *schedule.Host, r *result) {
	o := &r.outcome
	switch {
	case h.Gone != schedule.NotGone:
		delete(x, o.Host)
	case o.Failure || o.Busy || o.Unavailable:
		reason := r.failed
		if reason == "" && r.answer != nil {
			reason = fmt.Sprintf("status %d", r.answer.Status)
		}
		if r.task.Kind == schedule.Robots {
			reason = "robots.txt: " + reason
		}
		was, ok := x[o.Host]
		if !ok {
			if len(x) >= maxStreaks {
				x.halve()
			}
			was.Name = strings.Clone(h.Name)
		}
		x[o.Host] = FailingHost{was.Name, was.Failures + 1, reason}
	case r.task.Kind != schedule.Resolve: // an address may be of a cache
		delete(x, o.Host)
	}
}

// compare orders hosts by descending number of failures, then by name.
func (h FailingHost) compare(other FailingHost) int {
	return cmp.Or(cmp.Compare(other.Failures, h.Failures), strings.Compare(h.Name, other.Name))
}

// halve removes the half with the fewest failures in a row.
func (x streaks) halve() {
	numbers := slices.SortedFunc(maps.Keys(x), func(a, b uint32) int { return x[a].compare(x[b]) })
	for _, n := range numbers[len(numbers)/2:] {
		delete(x, n)
	}
}

// longest returns the hosts with the most failures in a row, and at least as many as given.
func (x streaks) longest(least int) (list []FailingHost) {
	for _, h := range x {
		if h.Failures >= least {
			list = append(list, h)
		}
	}
	slices.SortFunc(list, FailingHost.compare)
	return list[:min(len(list), shownHosts)]
}
