package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"chaffinch/crawl/frontier"
)

const (
	// maxRetries is the most pages of an origin that are kept for a retry.
	maxRetries = 16
	// maxBusy is the number of consecutive busy responses after which a host or a page is given up.
	maxBusy = 8
	// MaxReservationTries is the most failed requests for a tdmrep.json of an origin.
	MaxReservationTries = 3
	// maxRobotsAge is the time for which the last robots.txt applies if it cannot be fetched again.
	maxRobotsAge = 30 * 24 * time.Hour
	// robotsRetry is the interval between attempts to fetch robots.txt while the last one applies.
	robotsRetry = time.Hour
)

var errNotTaken = errors.New("schedule: no running task")

// Done records the outcome of the running task of a host.
func (s *Scheduler) Done(now time.Duration, o Outcome) error {
	if s.err != nil {
		return s.err
	}
	s.countEvent()
	if int(o.Host) >= s.hosts.Len() || s.Host(o.Host).State != busy {
		return fmt.Errorf("%w: number %d", errNotTaken, o.Host)
	}
	if s.err = s.done(now, s.Host(o.Host), o); s.err == nil {
		s.err = s.refill(now)
	}
	return s.err
}

func (s *Scheduler) done(now time.Duration, h *Host, o Outcome) (err error) {
	s.running--
	s.freeAddress(now, h)
	switch h.Asked { // h stays busy until the end, so that a flush in between does not move it
	case Resolve:
		err = s.resolved(now, h, o)
	case Robots:
		err = s.robotsDone(now, h, o)
	case Reservations:
		err = s.reservationsDone(now, h, o)
	case Page:
		err = s.pageDone(now, h, o)
	}
	if err != nil {
		return err
	}
	switch {
	case h.Gone != NotGone:
		return s.discard(now, h)
	case len(s.errands[h]) == 0 && s.cfg.Policy.Pause(h, &s.totals):
		s.move(h, low)
		h.Value = s.cfg.Policy.Value(h, &s.totals)
		h.Tried = s.totals.Pages
		s.low.push(h)
	default:
		return s.reschedule(now, h)
	}
	return nil
}

// freeAddress sets the time of the next request to the address of a host.
func (s *Scheduler) freeAddress(now time.Duration, h *Host) {
	if h.Asked == Resolve {
		return
	}
	a := s.address(h.Address)
	a.busy = false
	a.next = max(a.next, now+s.cfg.AddressDelay)
	s.placeAddress(now, a)
}

// resolved records the address of a host.
func (s *Scheduler) resolved(now time.Duration, h *Host, o Outcome) error {
	switch {
	case o.Address != "":
		h.Failures = 0
		h.Address, h.AddressAt, h.Next = s.addAddress(o.Address), now, now
	case o.Offline:
		s.delay(now, h, s.cfg.Retry)
	case h.Address != 0: // keep the last address; a request to it may fail
		h.AddressAt = now - s.cfg.RobotsAge + robotsRetry
		h.Next = now
	default:
		s.delay(now, h, double(s.cfg.Retry, int(h.Failures)))
		if h.Failures++; int(h.Failures) >= s.cfg.Failures {
			return s.giveUp(now, h, Failing)
		}
	}
	return nil
}

// robotsDone records the robots.txt of an origin. The origin may belong to another host that was
// redirected to h.
func (s *Scheduler) robotsDone(now time.Duration, h *Host, o Outcome) error {
	from, hops := s.origins.At(int(h.From)), 0
	if h.OnErrand {
		e := s.errands[h][0]
		from, hops = s.origins.At(int(e.For)), e.Hops
		if s.errands[h] = s.errands[h][1:]; len(s.errands[h]) == 0 {
			delete(s.errands, h)
		}
		h.OnErrand = false
	}
	from.Pending = false
	if o.Offline {
		s.delay(now, h, s.cfg.Retry)
		return s.resumeOwner(now, h, from.host, h.Next)
	}
	if o.Failure || o.Busy || o.Unavailable {
		return errors.Join(s.requestFailed(now, h, from, o), s.robotsFailed(now, h, from))
	}
	s.requestSucceeded(now, h, from, o)
	if o.Redirect.Origin != "" {
		return s.errand(now, h, from, o.Redirect, hops+1)
	}
	from.RobotsAt, from.GoodAt, from.HasRobots = now, now, true
	from.CrawlDelay = o.CrawlDelay
	owner := from.host
	if from.CrawlDelay > s.cfg.MaxCrawlDelay {
		return s.giveUp(now, owner, SlowDelay)
	}
	if from.taken != nil && !s.mayFetch(from) {
		s.dropDisallowed(from)
	}
	if err := s.addAll(now, owner, frontier.Item{Via: o.Place}, false, o.Links); err != nil { // sitemaps
		return err
	}
	return s.resumeOwner(now, h, owner, now+owner.crawlDelay())
}

// reservationsDone records the response for the tdmrep.json of an origin. Its pages do not wait for a
// file that cannot be fetched.
func (s *Scheduler) reservationsDone(now time.Duration, h *Host, o Outcome) error {
	from := s.origins.At(int(h.From))
	if o.Offline {
		s.delay(now, h, s.cfg.Retry)
		return nil
	}
	from.ReservationsTried++
	if o.Failure || o.Busy || o.Unavailable {
		from.HasReservations = from.ReservationsTried >= MaxReservationTries
		return s.requestFailed(now, h, from, o)
	}
	from.HasReservations = true
	s.requestSucceeded(now, h, from, o)
	return nil
}

// robotsFailed handles a failed request for the robots.txt of an origin: the last one applies unless it
// is too old.
func (s *Scheduler) robotsFailed(now time.Duration, h *Host, from *Origin) error {
	if from.HasRobots = from.HasRobots && now-from.GoodAt <= maxRobotsAge; from.HasRobots {
		from.RobotsAt = now - s.cfg.RobotsAge + robotsRetry
		return s.resumeOwner(now, h, from.host, 0)
	}
	return s.resumeOwner(now, h, from.host, h.Next)
}

// errand queues a request for a robots.txt at the host that it was redirected to.
func (s *Scheduler) errand(now time.Duration, h *Host, from *Origin, to Link, hops int) error {
	var next *Host
	if s.mayAsk(to.Origin) {
		next = s.host(HostName(to.Origin))
	}
	if next == nil || next.Gone != NotGone {
		return errors.Join(s.requestFailed(now, h, from, Outcome{Failure: true}), s.robotsFailed(now, h, from))
	}
	if next != from.host {
		s.recordLink(from.host, next, &to)
	}
	from.Pending = true
	s.errands[next] = append(s.errands[next], errand{from.Number, to.Origin, to.Path, hops})
	if next.State == idle || next.State == low {
		s.detach(now, next)
		return s.reschedule(now, next)
	}
	return nil // the request waits for its turn
}

// resumeOwner lets the host of an origin wait until a time and choose its next request, after another host
// was asked for its robots.txt.
func (s *Scheduler) resumeOwner(now time.Duration, asked, owner *Host, until time.Duration) error {
	owner.Next = max(owner.Next, until)
	if owner == asked || owner.State == busy || owner.State == low || owner.Gone != NotGone {
		return nil
	}
	s.detach(now, owner)
	return s.reschedule(now, owner)
}

// pageDone counts a page and adds its links.
func (s *Scheduler) pageDone(now time.Duration, h *Host, o Outcome) error {
	from := s.origins.At(int(h.From))
	item := bytes.Clone(s.taken(from))
	s.setTaken(from, nil)
	if o.Offline {
		s.addAgain(from, item)
		s.addQueued(h, 1)
		s.delay(now, h, s.cfg.Retry)
		return nil
	}
	if o.Failure || o.Busy || o.Unavailable {
		s.keepForRetry(h, from, item, o.Busy)
		return s.requestFailed(now, h, from, o)
	}
	s.requestSucceeded(now, h, from, o)
	h.Pages++
	h.Bytes += o.Bytes
	h.Clean += o.Clean
	s.totals.add(o.Bytes, o.Clean)
	h.site.test(o.Match)
	s.measureTargets(h.site)
	s.totals.addTrust(h.site, o.Clean)
	if n := int(o.Lang); n > 0 && n <= len(s.totals.Langs) && o.Clean > 0 {
		s.totals.Langs[n-1] += o.Clean
		h.countLang(o.Lang)
	}
	it, err := frontier.ParseItem(item)
	if err != nil {
		return err
	}
	if err := s.addAll(now, h, frontier.Item{Depth: it.Depth, Hops: it.Hops, Via: o.Place, Words: it.Words}, o.Redirected, o.Links); err != nil || !s.full(h) {
		return err
	}
	return s.dropFull(now, h)
}

// keepForRetry keeps a page that was not fetched for a retry: once after a failure, and up to maxBusy
// times while the server is busy.
func (s *Scheduler) keepForRetry(h *Host, from *Origin, item []byte, isBusy bool) {
	it, err := frontier.ParseItem(item)
	if isBusy {
		it.Host++
	}
	if err == nil && (isBusy && it.Host < maxBusy || !isBusy && it.Score > 0 && len(s.again(from)) < maxRetries) {
		s.addAgain(from, it.AppendTo(nil))
		s.addQueued(h, 1)
	} else {
		h.Failed++
	}
}

// requestSucceeded sets the time of the next request to a host that responded.
func (s *Scheduler) requestSucceeded(now time.Duration, h *Host, from *Origin, o Outcome) {
	gap := time.Duration(s.cfg.Factor * float64(o.Took))
	h.Gap = min(max(gap, s.cfg.Delay), s.cfg.MaxDelay)
	from.Failures, h.Busies = 0, 0
	s.delay(now, h, 0)
}

// requestFailed sets the time of the next request to a host that gave no response for an origin, or is
// busy. An origin with too many failures is given up.
func (s *Scheduler) requestFailed(now time.Duration, h *Host, from *Origin, o Outcome) error {
	if o.Busy {
		wait := o.RetryAfter
		switch {
		case wait <= 0:
			wait = double(s.cfg.Retry, int(h.Busies))
		case h.Busies > 0: // the requested delay was too short
			wait = max(wait, double(s.cfg.Retry, int(h.Busies)-1))
		}
		h.Busies = min(h.Busies, math.MaxInt16-1) + 1
		s.delay(now, h, wait)
		if h.Busies >= maxBusy {
			return s.giveUpOrigin(now, from, Failing)
		}
		return nil
	}
	if o.Failure {
		h.AddressAt = now - s.cfg.RobotsAge - 1 // so that another address is tried
	}
	s.delay(now, h, double(s.cfg.Retry, int(from.Failures)))
	if from.countFailure(); int(from.Failures) >= s.cfg.Failures {
		return s.giveUpOrigin(now, from, Failing)
	}
	return nil
}

// delay sets the time of the next request to a host.
func (s *Scheduler) delay(now time.Duration, h *Host, wait time.Duration) {
	h.Next = now + max(min(wait, s.cfg.MaxRetry), s.cfg.Delay, h.Gap, h.crawlDelay())
}

// double returns d × 2^n.
func double(d time.Duration, n int) time.Duration { return d << min(n, 16) }

// giveUp gives up a host with all its origins.
func (s *Scheduler) giveUp(now time.Duration, h *Host, why Gone) error {
	for o := range h.Origins() {
		if err := s.giveUpOrigin(now, o, why); err != nil {
			return err
		}
	}
	return s.markGone(now, h, why)
}

// giveUpOrigin gives up an origin, and its host if it was the last one.
func (s *Scheduler) giveUpOrigin(now time.Duration, o *Origin, why Gone) error {
	if o.Gone != NotGone {
		return nil
	}
	o.Gone = why
	h := o.host
	s.exclude(h, s.dropQueued(o), HostGone)
	for other := range h.Origins() {
		if other.Gone == NotGone {
			return nil
		}
	}
	return s.markGone(now, h, why)
}

// markGone marks a host as given up. A busy host is removed when its task is done.
func (s *Scheduler) markGone(now time.Duration, h *Host, why Gone) error {
	if h.Gone != NotGone {
		return nil
	}
	if h.Gone = why; h.State == busy {
		return nil
	}
	s.detach(now, h)
	return s.discard(now, h)
}

// discard removes a host that was given up. Requests for the robots.txt of other origins at it have
// failed.
func (s *Scheduler) discard(now time.Duration, h *Host) error {
	s.move(h, gone)
	list := s.errands[h]
	delete(s.errands, h)
	for _, e := range list {
		from := s.origins.At(int(e.For))
		from.Pending = false
		if from.countFailure(); int(from.Failures) >= s.cfg.Failures {
			if err := s.giveUpOrigin(now, from, Failing); err != nil {
				return err
			}
		}
		if err := s.robotsFailed(now, h, from); err != nil {
			return err
		}
	}
	return nil
}
