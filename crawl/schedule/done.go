package schedule

import (
	"errors"
	"fmt"
	"time"

	"chaffinch/crawl/frontier"
)

const (
	// maxAgain is the number of pages of a host that are kept to be tried again.
	maxAgain = 16
	// lastCopy is how long the last robots.txt serves while there is no newer one.
	lastCopy = 30 * 24 * time.Hour
	// robotsRetry is when robots.txt is asked for again while the last one serves.
	robotsRetry = time.Hour
)

var errNotTaken = errors.New("schedule: no task of this host runs")

// Done says what came of the task of a host.
func (s *Scheduler) Done(now time.Duration, o Outcome) error {
	if s.err != nil {
		return s.err
	}
	if int(o.Host) >= len(s.hosts) || s.hosts[o.Host].State != busy {
		return fmt.Errorf("%w: number %d", errNotTaken, o.Host)
	}
	if s.err = s.done(now, s.hosts[o.Host], o); s.err == nil {
		s.err = s.settle(now)
	}
	return s.err
}

func (s *Scheduler) done(now time.Duration, h *Host, o Outcome) error {
	s.running--
	if h.Need != Resolve {
		a := s.addresses[h.Address]
		a.busy = false
		a.next = now + s.cfg.AddressDelay
		s.free(a)
	}
	switch { // h stays busy until the end: a flush on the way leaves it alone
	case o.Failure || o.Busy || o.Unavailable:
		s.refused(now, h, o)
	case h.Need == Resolve:
		h.Failures = 0
		h.Address = s.address(o.Address)
		h.Need = Robots
		h.Next = now
	case h.Need == Robots:
		h.CrawlDelay = o.CrawlDelay
		s.answered(now, h, o)
		h.Need, h.RobotsAt, h.HasRobots, h.GoodAt = Page, now, true, now
		if h.CrawlDelay > s.cfg.MaxCrawlDelay {
			s.giveUp(h, SlowDelay)
			return nil
		}
		if err := s.addAll(now, h, 1, o.Links); err != nil { // sitemaps
			return err
		}
	default:
		s.answered(now, h, o)
		h.Pages++
		h.Bytes += o.Bytes
		h.Clean += o.Clean
		s.totals.add(o.Bytes, o.Clean)
		it, err := frontier.ParseItem(h.Taken)
		if err != nil {
			return err
		}
		if err := s.addAll(now, h, int(it.Depth)+1, o.Links); err != nil {
			return err
		}
	}
	switch {
	case h.Gone != NotGone:
	case s.cfg.Policy.Enough(h, &s.totals):
		s.count(busy, low)
		h.State = low
		h.Value = s.cfg.Policy.Value(h, &s.totals)
		h.Tried = s.totals.Pages
		s.low.push(h)
	default:
		s.rest(now, h)
	}
	return nil
}

// answered sets when a host that has answered may be asked again.
func (s *Scheduler) answered(now time.Duration, h *Host, o Outcome) {
	gap := time.Duration(s.cfg.Factor * float64(o.Took))
	h.Gap = min(max(gap, s.cfg.Delay), s.cfg.MaxDelay)
	h.Failures, h.Busies = 0, 0
	h.Next = now + max(h.Gap, h.CrawlDelay)
}

// refused sets when a host that gave no answer, or asked for time, may be asked
// again. What it was asked for is kept for that, a page once.
func (s *Scheduler) refused(now time.Duration, h *Host, o Outcome) {
	if h.Need == Page && len(h.Taken) > 0 {
		it, err := frontier.ParseItem(h.Taken)
		if err == nil && it.Score > 0 && len(h.Again) < maxAgain || o.Busy {
			h.Again = append(h.Again, append([]byte(nil), h.Taken...))
		} else {
			h.Failed++
		}
	}
	wait := o.RetryAfter
	if o.Busy {
		if wait <= 0 {
			wait = double(s.cfg.Retry, h.Busies)
		}
		h.Busies++
	} else {
		wait = double(s.cfg.Retry, h.Failures)
		h.Failures++
	}
	h.Next = now + max(min(wait, s.cfg.MaxRetry), s.cfg.Delay, h.Gap, h.CrawlDelay)
	switch {
	case h.Need != Page && h.HasRobots && now-h.GoodAt <= lastCopy:
		h.Need = Page // with the rules that there are
		h.RobotsAt = now - s.cfg.RobotsAge + robotsRetry
	case h.Failures >= s.cfg.Failures:
		s.giveUp(h, Failing)
	}
}

// double returns d × 2^n.
func double(d time.Duration, n int) time.Duration { return d << min(n, 16) }

// giveUp leaves a host for good.
func (s *Scheduler) giveUp(h *Host, why Gone) {
	s.count(h.State, gone)
	h.State, h.Gone = gone, why
	h.Again = nil
}

// address returns the number of an address.
func (s *Scheduler) address(name string) uint32 {
	if n, ok := s.byAddress[name]; ok {
		return n
	}
	n := uint32(len(s.addresses))
	s.addresses = append(s.addresses, &address{name: name, number: n, parked: hostHeap{before: byValue}})
	s.byAddress[name] = n
	return n
}
