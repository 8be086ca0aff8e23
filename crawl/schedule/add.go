package schedule

import (
	"encoding/binary"
	"math"
	"time"

	"chaffinch/crawl/frontier"

	"github.com/zeebo/xxh3"
)

// Add adds seeds.
func (s *Scheduler) Add(now time.Duration, seeds []Link) error {
	s.countEvent()
	if s.err == nil {
		if s.err = s.addAll(now, nil, frontier.Item{}, false, seeds); s.err == nil {
			s.err = s.refill(now)
		}
	}
	return s.err
}

// addAll adds the links of a page with the depth and the hops of at. Via of at is the page.
func (s *Scheduler) addAll(now time.Duration, from *Host, at frontier.Item, redirected bool, links []Link) error {
	for i := range links {
		if i%releaseLinks == releaseLinks-1 {
			s.release()
		}
		l := &links[i]
		to := at
		switch {
		case from == nil: // a seed, or a link from another process
			to.Depth = l.Depth
		case redirected && at.Hops >= maxRedirects:
			s.exclude(from, 1, Redirects)
			continue
		case redirected || l.List && at.Hops < maxHops:
			to.Hops++
		default:
			to.Depth, to.Hops = min(at.Depth, math.MaxUint8-1)+1, 0
		}
		if !redirected { // the words of the link to a page are about the target of its redirect
			to.Words = l.Words
		}
		if err := s.add(now, from, to, l); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scheduler) add(now time.Duration, from *Host, as frontier.Item, l *Link) error {
	if !s.mayAsk(l.Origin) {
		return nil
	}
	h := s.host(HostName(l.Origin))
	if h == nil {
		s.excluded[SiteLimit]++
		return nil
	}
	if from == nil && (l.Depth > 0 || s.late) && h.Pages == 0 && h.State == idle {
		h.Next = max(h.Next, now+s.cfg.MaxDelay) // an earlier owner may have requested it just now
	}
	if from != h && l.Depth != Fetched {
		s.recordLink(from, h, l)
	}
	o := s.origin(h, l.Origin)
	if o == nil {
		s.exclude(h, 1, OriginLimit)
		return nil
	}
	as.Host, as.Score = o.Number, s.cfg.Policy.Score(*l, int(as.Depth))
	s.item = as.AppendTo(s.item[:0])
	s.item = append(s.item, l.Path...)
	if s.sieve.Full() {
		if err := s.flush(now); err != nil {
			return err
		}
	}
	s.unserved = s.unserved || h.State == idle
	s.key = append(binary.LittleEndian.AppendUint32(s.key[:0], o.Number), l.Path...)
	return s.sieve.Add(xxh3.Hash(s.key), s.item)
}

// maxLinks is the most links to a host that are counted, since more add no evidence.
const maxLinks = 32

// recordLink records that a host, nil for a list of seeds, links to another one.
func (s *Scheduler) recordLink(from, to *Host, l *Link) {
	var yield float64
	switch {
	case from != nil:
		yield = expected(from, &s.totals) * targetWeight(from.site, &s.totals)
		if to.Depth > from.Depth+1 {
			to.Depth = from.Depth + 1
		}
		s.trust(from.site, to.site)
	case l.Depth > 0: // found by another process
		yield = s.totals.Recent()
		to.Depth = min(to.Depth, int32(l.Depth))
		s.trustRemote(to.site)
	default:
		yield = max(2*s.totals.Recent(), startYield) // people chose the seeds
		to.Depth = 0
		s.trustSeed(to.site)
	}
	if to.Linked.N >= maxLinks || to.Pages > 0 {
		return
	}
	if from != nil && to.Lang == 0 {
		to.Lang = from.Lang // until it is known
	}
	to.Linked.N++
	to.Linked.Yield += yield
	to.Linked.Promise += float64(l.Promise)
	to.Value = s.cfg.Policy.Value(to, &s.totals)
	if to.State == ready {
		s.valueChanged(to)
	}
}

// host returns the host called name. It adds the host if necessary, and returns nil if its
// registered domain has too many: the operator of a name server can make any number of names.
func (s *Scheduler) host(name string) *Host {
	if h := s.findHost(name); h != nil {
		return h
	}
	site := s.site(name)
	if int(site.hosts) >= s.cfg.MaxSiteHosts {
		return nil
	}
	h := s.addHost(name, site)
	h.Depth = math.MaxInt32
	return h
}

// origin returns an origin of a host. It adds the origin if necessary, and returns nil if the host
// has too many. A new origin revives a host that was given up because others failed.
func (s *Scheduler) origin(h *Host, name string) *Origin {
	n := 0
	for o := range h.Origins() {
		if s.isNamed(o, name) {
			return o
		}
		n++
	}
	if n == maxOrigins {
		return nil
	}
	o := s.newOrigin(h, name)
	if h.State == gone && h.Gone == Failing && h.Address != 0 {
		h.Gone = NotGone
		s.move(h, idle)
	}
	return o
}
