package crawl

import (
	"os"
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
	last     time.Duration   // of the last response
	answered map[uint32]bool // hosts that responded in this run, at most outageHosts
	failing  map[uint32]bool // hosts that responded once and have failed since last
}

const (
	// outageHosts is the number of hosts that must fail, after they responded before, and without a
	// response of any host in between. If fewer hosts have responded, these suffice.
	outageHosts = 3
	// maxOutage is the longest outage. After it failures count again.
	maxOutage = 24 * time.Hour
)

var outageReasons = map[string]bool{fetch.NoResolver.String(): true, fetch.Unreachable.String(): true, fetch.ConnectTimeout.String(): true, fetch.NoAnswer.String(): true}

// note takes the result of a request into account, and reports whether it failed in an outage.
func (x *outage) note(now time.Duration, h *schedule.Host, number uint32, r *result) bool {
	if x.answered == nil {
		x.answered, x.failing = map[uint32]bool{}, map[uint32]bool{}
	}
	if !r.outcome.Failure {
		if r.task.Kind == schedule.Resolve { // may be of a cache
			return false
		}
		x.last = now
		clear(x.failing)
		if len(x.answered) < outageHosts {
			x.answered[number] = true
		}
		return false
	}
	if !outageReasons[r.failed] || len(x.answered) == 0 || now-x.last > maxOutage {
		return false
	}
	if h.Pages > 0 || x.answered[number] {
		x.failing[number] = true
	}
	return len(x.failing) >= len(x.answered)
}
