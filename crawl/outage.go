package crawl

import (
	"os"
	"slices"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
)

// wallClock is replaced by tests.
var wallClock = time.Now

// minSleep is the shortest difference of the clocks that counts as sleep.
const minSleep = time.Minute

// noteSleep writes an event if the machine has slept. The clock of a crawl stops in sleep, as timers
// do, and ignores changes of the time of day.
func (c *crawl) noteSleep() error {
	d := wallClock().Round(0).Sub(c.runStart.Round(0)) - time.Since(c.runStart) - c.slept
	if d < minSleep {
		return nil
	}
	c.slept += d
	return c.record(event{At: c.now(), Away: d})
}

// downTime returns the time since the end of the last run.
func (c *crawl) downTime() time.Duration {
	end, ok, err := ReadEnding(os.DirFS(c.cfg.Dir))
	at := end.Time
	if !ok || err != nil { // it was killed
		info, err := os.Stat(journalName(c.cfg.Dir, c.number))
		if err != nil {
			return 0
		}
		at = info.ModTime()
	}
	return max(wallClock().Sub(at), 0)
}

// outage detects that this machine has no network: a laptop sleeps, or changes its network. Hosts
// are not to blame for requests that fail then.
type outage struct {
	last     time.Duration   // of the last response, or the start of the run
	answered []uint32        // hosts that responded in this run, at most outageHosts
	failing  map[uint32]bool // hosts that responded once and have failed since last
}

const (
	// outageHosts is the number of hosts that must fail, after they responded before, and without a
	// response of any host in between. If fewer hosts have responded and are due, these suffice.
	outageHosts = 3
	// maxOutage is the longest outage. After it failures count again.
	maxOutage = 24 * time.Hour
	// maxLastOutage is the longest outage if no other host is due, unless this machine reports it. It is
	// short, since the host may be down.
	maxLastOutage = time.Hour
	// outageWait is the longest wait for a request to another host.
	outageWait = 5 * time.Minute
)

// outageReasons holds the reasons of failures in an outage. The value reports whether this machine detects
// the failure, without waiting for the host.
var outageReasons = map[string]bool{fetch.NoResolver.String(): true, fetch.Unreachable.String(): true, fetch.ConnectTimeout.String(): false, fetch.NoAnswer.String(): false}

// note takes the result of a request to a host into account, and reports whether it failed in an outage.
func (x *outage) note(now time.Duration, host func(number uint32) *schedule.Host, r *result) bool {
	number := r.task.Host
	if !r.outcome.Failure {
		if r.task.Kind != schedule.Resolve { // an address may be of a cache
			x.last = now
			clear(x.failing)
			x.addAnswered(now, host, number)
		}
		return false
	}
	local, ok := outageReasons[r.failed]
	if !ok || now-x.last > maxOutage {
		return false
	}
	if slices.Contains(x.answered, number) || hasResponded(host(number)) {
		if x.failing == nil {
			x.failing = map[uint32]bool{}
		}
		x.failing[number] = true
	}
	due := 0 // hosts that responded in this run and have failed since, or will be requested soon
	for _, n := range x.answered {
		if x.failing[n] || host(n).Due(now+outageWait) {
			due++
		}
	}
	if len(x.failing) < max(due, 1) {
		return false
	}
	last := len(x.failing) == 1 && !slices.Equal(x.answered, []uint32{number})
	return local || !last || now-x.last <= maxLastOutage
}

// addAnswered adds a host that responded. It replaces a host that is not due.
func (x *outage) addAnswered(now time.Duration, host func(number uint32) *schedule.Host, number uint32) {
	if slices.Contains(x.answered, number) {
		return
	}
	if len(x.answered) < outageHosts {
		x.answered = append(x.answered, number)
		return
	}
	for i, n := range x.answered {
		if !host(n).Due(now + outageWait) {
			x.answered[i] = number
			return
		}
	}
}

// hasResponded reports whether a host has responded in any run.
func hasResponded(h *schedule.Host) bool {
	for o := range h.Origins() {
		if o.HasRobots {
			return true
		}
	}
	return h.Pages > 0
}
