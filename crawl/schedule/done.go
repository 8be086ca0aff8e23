package schedule

import (
	"errors"
	"fmt"
	"math"
	"time"

	"chaffinch/crawl/frontier"
)

const (
	// maxAgain is the number of pages of an origin that are kept to be tried again.
	maxAgain = 16
	// maxBusy is how often in a row a host may answer that it is busy, and how often a
	// page: then the origin is given up, or the page.
	maxBusy = 8
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

func (s *Scheduler) done(now time.Duration, h *Host, o Outcome) (err error) {
	s.running--
	s.release(now, h)
	switch h.Asked { // h stays busy until the end: a flush on the way leaves it alone
	case Resolve:
		err = s.resolved(now, h, o)
	case Robots:
		err = s.robotsDone(now, h, o)
	case Page:
		err = s.pageDone(now, h, o)
	}
	if err != nil {
		return err
	}
	switch {
	case h.Gone != NotGone:
		return s.bury(now, h)
	case len(s.errands[h]) == 0 && s.cfg.Policy.Enough(h, &s.totals):
		s.move(h, low)
		h.Value = s.cfg.Policy.Value(h, &s.totals)
		h.Tried = s.totals.Pages
		s.low.push(h)
	default:
		return s.rest(now, h)
	}
	return nil
}

// release sets when the address of a host that was asked may be asked again.
func (s *Scheduler) release(now time.Duration, h *Host) {
	if h.Asked == Resolve {
		return
	}
	a := s.addresses[h.Address]
	a.busy = false
	a.next = max(a.next, now+s.cfg.AddressDelay)
	s.put(now, a)
}

// resolved notes the address of a host.
func (s *Scheduler) resolved(now time.Duration, h *Host, o Outcome) error {
	switch {
	case o.Address != "":
		h.Failures = 0
		h.Address, h.AddressAt, h.Next = s.address(o.Address), now, now
	case h.Address != 0: // the last one serves: a request to it will fail if it must
		h.AddressAt = now - s.cfg.RobotsAge + robotsRetry
		h.Next = now
	default:
		s.wait(now, h, double(s.cfg.Retry, int(h.Failures)))
		if h.Failures++; int(h.Failures) >= s.cfg.Failures {
			return s.giveUp(now, h, Failing)
		}
	}
	return nil
}

// robotsDone notes the robots.txt of an origin, which may be one of another host
// that was redirected to this one.
func (s *Scheduler) robotsDone(now time.Duration, h *Host, o Outcome) error {
	from, hops := s.origins[h.From], 0
	if h.OnErrand {
		e := s.errands[h][0]
		from, hops = s.origins[e.For], e.Hops
		if s.errands[h] = s.errands[h][1:]; len(s.errands[h]) == 0 {
			delete(s.errands, h)
		}
		h.OnErrand = false
	}
	from.Pending = false
	if o.Failure || o.Busy || o.Unavailable {
		return errors.Join(s.refused(now, h, from, o), s.noRobots(now, h, from))
	}
	s.answered(now, h, from, o)
	if o.Redirect.Origin != "" {
		return s.errand(now, h, from, o.Redirect, hops+1)
	}
	from.RobotsAt, from.GoodAt, from.HasRobots = now, now, true
	from.CrawlDelay = o.CrawlDelay
	owner := from.host
	if from.CrawlDelay > s.cfg.MaxCrawlDelay {
		return s.giveUp(now, owner, SlowDelay)
	}
	if from.Taken != nil && !s.mayFetch(from) {
		s.deny(from)
	}
	if err := s.addAll(now, owner, 1, o.Place, o.Links); err != nil { // sitemaps
		return err
	}
	return s.back(now, h, owner, now+owner.crawlDelay())
}

// noRobots follows a request for the robots.txt of an origin that came to nothing:
// the last one serves if it is not too old.
func (s *Scheduler) noRobots(now time.Duration, h *Host, from *Origin) error {
	if from.HasRobots = from.HasRobots && now-from.GoodAt <= lastCopy; from.HasRobots {
		from.RobotsAt = now - s.cfg.RobotsAge + robotsRetry
		return s.back(now, h, from.host, 0)
	}
	return s.back(now, h, from.host, h.Next)
}

// errand sends a request for a robots.txt on to the host that it was redirected to.
func (s *Scheduler) errand(now time.Duration, h *Host, from *Origin, to Link, hops int) error {
	next := s.host(HostName(to.Origin))
	if next == nil || next.Gone != NotGone {
		return errors.Join(s.refused(now, h, from, Outcome{Failure: true}), s.noRobots(now, h, from))
	}
	if next != from.host {
		s.link(from.host, next, &to)
	}
	from.Pending = true
	s.errands[next] = append(s.errands[next], errand{from.Number, to.Origin, to.Path, hops})
	if next.State == idle || next.State == low {
		s.detach(now, next)
		return s.rest(now, next)
	}
	return nil // its turn comes
}

// back has an origin's host, which another host was asked for, wait until a time,
// and choose again what it is asked for.
func (s *Scheduler) back(now time.Duration, asked, owner *Host, until time.Duration) error {
	owner.Next = max(owner.Next, until)
	if owner == asked || owner.State == busy || owner.State == low || owner.Gone != NotGone {
		return nil
	}
	s.detach(now, owner)
	return s.rest(now, owner)
}

// pageDone counts a page and takes its links in.
func (s *Scheduler) pageDone(now time.Duration, h *Host, o Outcome) error {
	from := s.origins[h.From]
	item := from.Taken
	from.Taken = nil
	if o.Failure || o.Busy || o.Unavailable {
		s.repeat(h, from, item, o.Busy)
		return s.refused(now, h, from, o)
	}
	s.answered(now, h, from, o)
	h.Pages++
	h.Bytes += o.Bytes
	h.Clean += o.Clean
	s.totals.add(o.Bytes, o.Clean)
	if n := int(o.Lang); n > 0 && n <= len(s.totals.Langs) && o.Clean > 0 {
		s.totals.Langs[n-1] += o.Clean
		h.speaks(o.Lang)
	}
	it, err := frontier.ParseItem(item)
	if err != nil {
		return err
	}
	return s.addAll(now, h, int(it.Depth)+1, o.Place, o.Links)
}

// repeat keeps a page that did not come, to be asked for again: once after a failure,
// and up to maxBusy times while the server is busy.
func (s *Scheduler) repeat(h *Host, from *Origin, item []byte, isBusy bool) {
	it, err := frontier.ParseItem(item)
	if isBusy {
		it.Host++
	}
	if err == nil && (isBusy && it.Host < maxBusy || !isBusy && it.Score > 0 && len(from.Again) < maxAgain) {
		from.Again = append(from.Again, it.AppendTo(nil))
		s.tally(h, 1)
	} else {
		h.Failed++
	}
}

// answered sets when a host that has answered may be asked again.
func (s *Scheduler) answered(now time.Duration, h *Host, from *Origin, o Outcome) {
	gap := time.Duration(s.cfg.Factor * float64(o.Took))
	h.Gap = min(max(gap, s.cfg.Delay), s.cfg.MaxDelay)
	from.Failures, h.Busies = 0, 0
	s.wait(now, h, 0)
}

// refused sets when a host that gave no answer for an origin, or asked for time,
// may be asked again. A host none of whose origins answers is given up.
func (s *Scheduler) refused(now time.Duration, h *Host, from *Origin, o Outcome) error {
	if o.Busy {
		wait := o.RetryAfter
		switch {
		case wait <= 0:
			wait = double(s.cfg.Retry, int(h.Busies))
		case h.Busies > 0: // the time that it named was too short
			wait = max(wait, double(s.cfg.Retry, int(h.Busies)-1))
		}
		h.Busies = min(h.Busies, math.MaxInt16-1) + 1
		s.wait(now, h, wait)
		if h.Busies >= maxBusy {
			return s.giveUpOrigin(now, from, Failing)
		}
		return nil
	}
	if o.Failure {
		h.AddressAt = now - s.cfg.RobotsAge - 1 // another address may answer
	}
	s.wait(now, h, double(s.cfg.Retry, int(from.Failures)))
	if from.fails(); int(from.Failures) >= s.cfg.Failures {
		return s.giveUpOrigin(now, from, Failing)
	}
	return nil
}

// wait sets the time before which a host is not asked.
func (s *Scheduler) wait(now time.Duration, h *Host, wait time.Duration) {
	h.Next = now + max(min(wait, s.cfg.MaxRetry), s.cfg.Delay, h.Gap, h.crawlDelay())
}

// double returns d × 2^n.
func double(d time.Duration, n int) time.Duration { return d << min(n, 16) }

// giveUp leaves a host for good.
func (s *Scheduler) giveUp(now time.Duration, h *Host, why Gone) error {
	for o := range h.Origins() {
		if err := s.giveUpOrigin(now, o, why); err != nil {
			return err
		}
	}
	return s.leave(now, h, why)
}

// giveUpOrigin leaves an origin for good, and its host if it was the last one.
func (s *Scheduler) giveUpOrigin(now time.Duration, o *Origin, why Gone) error {
	if o.Gone != NotGone {
		return nil
	}
	o.Gone = why
	h := o.host
	left := s.queue.Drop(o.Number) + int64(len(o.Again))
	o.Again = nil
	if o.Taken != nil && !h.fetches(o) {
		o.Taken = nil
		left++
	}
	s.tally(h, -left)
	h.Refused += int32(left)
	for other := range h.Origins() {
		if other.Gone == NotGone {
			return nil
		}
	}
	return s.leave(now, h, why)
}

// leave marks a host as given up; one that is asked just now goes when that is done.
func (s *Scheduler) leave(now time.Duration, h *Host, why Gone) error {
	if h.Gone != NotGone {
		return nil
	}
	if h.Gone = why; h.State == busy {
		return nil
	}
	s.detach(now, h)
	return s.bury(now, h)
}

// bury has done with a host that was given up. Origins whose robots.txt was to come
// from it have none.
func (s *Scheduler) bury(now time.Duration, h *Host) error {
	s.move(h, gone)
	list := s.errands[h]
	delete(s.errands, h)
	for _, e := range list {
		from := s.origins[e.For]
		from.Pending = false
		if from.fails(); int(from.Failures) >= s.cfg.Failures {
			if err := s.giveUpOrigin(now, from, Failing); err != nil {
				return err
			}
		}
		if err := s.noRobots(now, h, from); err != nil {
			return err
		}
	}
	return nil
}

// address returns the number of an address.
func (s *Scheduler) address(name string) uint32 {
	if n, ok := s.byAddress[name]; ok {
		return n
	}
	n := uint32(len(s.addresses))
	s.addresses = append(s.addresses, &address{name: name, number: n, hosts: hostHeap{before: byValue}})
	s.byAddress[name] = n
	return n
}
