package schedule

import "time"

// MaxDepth is the largest value of [Config.MaxDepth].
const MaxDepth = 200

// maxHops is the most lists in a row that do not count as links, such as indexes of sitemaps.
const maxHops = 6

// maxRedirects is the most redirects in a row that are followed, as in browsers.
const maxRedirects = 20

// Reasons why URLs are not queued, or dropped from a queue.
const (
	HostGone    = "host without responses" // or with a Crawl-delay longer than allowed
	HostLimit   = "max-pages-per-host"
	DepthLimit  = "max-depth"
	QueueLimit  = "queue of the host is full"
	SiteLimit   = "hosts of the domain: limit"
	OriginLimit = "ports of the host: limit"
	Redirects   = "redirects in a row"
	Disallowed  = "robots.txt"
)

// limit returns the reason why a URL of a host is not queued, or "".
func (s *Scheduler) limit(h *Host, o *Origin, depth int) string {
	switch {
	case h.Gone != NotGone || o.Gone != NotGone:
		return HostGone
	case s.full(h):
		return HostLimit
	case depth > s.cfg.MaxDepth:
		return DepthLimit
	case int(h.Queued) >= s.cfg.MaxHostQueue:
		return QueueLimit
	}
	return ""
}

// exclude counts n URLs of a host that are not fetched.
func (s *Scheduler) exclude(h *Host, n int64, why string) {
	if n == 0 {
		return
	}
	if why == Disallowed {
		h.Denied += int32(n)
	} else {
		h.Refused += int32(n)
	}
	s.excluded[why] += n
}

// Excluded returns the number of URLs excluded since the last call, by reason; nil if there are none.
func (s *Scheduler) Excluded() map[string]int64 {
	if len(s.excluded) == 0 {
		return nil
	}
	was := s.excluded
	s.excluded = map[string]int64{}
	return was
}

// full reports whether a host has as many pages as it may have.
func (s *Scheduler) full(h *Host) bool {
	return s.cfg.MaxHostPages > 0 && h.Pages >= s.cfg.MaxHostPages
}

// dropFull drops the queued URLs of a host that has as many pages as it may have.
func (s *Scheduler) dropFull(now time.Duration, h *Host) error {
	if err := s.flush(now); err != nil {
		return err
	}
	for o := range h.Origins() {
		s.exclude(h, s.dropQueued(o), HostLimit)
	}
	return nil
}

// dropQueued drops the queued URLs of an origin and returns their number.
func (s *Scheduler) dropQueued(o *Origin) int64 {
	left := s.queue.Drop(o.Number) + int64(len(s.again(o)))
	s.setAgain(o, nil)
	if o.taken != nil && !o.host.isFetching(o) {
		s.setTaken(o, nil)
		left++
	}
	s.addQueued(o.host, -left)
	return left
}
