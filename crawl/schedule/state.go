package schedule

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"chaffinch/crawl/frontier"
)

// Frontier configures the storage of URLs.
type Frontier struct {
	Dir   string
	Sieve frontier.SieveConfig
	Queue frontier.QueueConfig
	// Owns, if set, reports whether the scheduler may send requests to an origin. Links to others
	// are dropped.
	Owns func(origin string) bool
	// Late indicates that another process may have requested the hosts just now.
	Late bool
}

// saved is the state of a scheduler in a checkpoint, before the state of its queue.
type saved struct {
	Generation int // generation of the sieve
	Totals     Totals
	Origins    int
	Hosts      []savedHost
	Addresses  []savedAddress
	Sites      []savedSite // in the order of their first hosts
}

type savedHost struct {
	Host    Host
	State   hostState // gob omits embedded unexported types
	Origins []*Origin
	Errands []errand
}

type savedAddress struct {
	Name string
	Busy bool
	Next time.Duration
}

// Save writes a checkpoint. From the checkpoint and the current files of the frontier, Load
// restores a scheduler with the same behaviour. Files that only earlier checkpoints need exist
// until Prune.
func (s *Scheduler) Save(now time.Duration, w io.Writer) error {
	if err := s.Flush(now); err != nil {
		return err
	}
	s.sieve.Forget()
	if err := s.queue.Sync(); err != nil { // syncs the whole file system, including the files of the sieve
		return err
	}
	out := saved{Generation: s.sieve.Generation(), Totals: s.totals, Origins: len(s.origins)}
	for _, h := range s.hosts {
		out.Hosts = append(out.Hosts, savedHost{*h, h.hostState, slices.Collect(h.Origins()), s.errands[h]})
	}
	for _, x := range s.siteList {
		out.Sites = append(out.Sites, x.savedSite)
	}
	for _, a := range s.addresses[1:] {
		out.Addresses = append(out.Addresses, savedAddress{a.name, a.busy, a.next})
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := gob.NewEncoder(b).Encode(out); err != nil {
		return err
	}
	if err := s.queue.Save(b); err != nil {
		return err
	}
	return b.Flush()
}

// Prune removes the files that only earlier checkpoints need.
func (s *Scheduler) Prune() error {
	if err := s.sieve.Prune(); err != nil {
		return err
	}
	return s.queue.Prune()
}

// Close closes the files of the frontier.
func (s *Scheduler) Close() error {
	err := s.sieve.Close()
	if e := s.queue.Close(); err == nil {
		err = e
	}
	return err
}

// Open returns a scheduler without URLs.
func Open(cfg Config, f Frontier, allowed Allowed) (*Scheduler, error) {
	sieve, err := frontier.OpenSieve(f.Dir, 0, f.Sieve)
	if err != nil {
		return nil, err
	}
	s := newScheduler(cfg, sieve, frontier.NewQueue(f.Dir, f.Queue), allowed)
	s.owns, s.late = f.Owns, f.Late
	return s, nil
}

// Load restores a scheduler that Save wrote. Tasks that were running count as running: call Done
// for them, or Lost to queue them again.
func Load(cfg Config, f Frontier, allowed Allowed, r io.Reader) (*Scheduler, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	from, err := readSaved(cfg, in)
	if err != nil {
		return nil, err
	}
	sieve, err := frontier.OpenSieve(f.Dir, from.Generation, f.Sieve)
	if err != nil {
		return nil, err
	}
	queue, err := frontier.LoadQueue(f.Dir, f.Queue, in)
	if err != nil {
		sieve.Close()
		return nil, err
	}
	s := newScheduler(cfg, sieve, queue, allowed)
	s.owns, s.late = f.Owns, f.Late
	s.totals = from.Totals
	s.origins = make([]*Origin, from.Origins)
	for _, a := range from.Addresses {
		to := s.addresses[s.address(a.Name)]
		to.busy, to.next = a.Busy, a.Next
	}
	for i := range from.Hosts {
		h := new(Host)
		*h = from.Hosts[i].Host // a copy: a pointer would keep the whole list in memory
		h.number, h.hostState = uint32(i), from.Hosts[i].State
		for _, o := range from.Hosts[i].Origins {
			h.addOrigin(o)
			s.origins[o.Number] = o
		}
		s.hosts = append(s.hosts, h)
		s.names.add(s.hosts)
		h.site = s.site(h.Name)
		h.site.hosts++
		s.queued += int64(h.Queued)
		if list := from.Hosts[i].Errands; len(list) > 0 {
			s.errands[h] = list
		}
		if h.State.active() {
			s.active++
		}
		switch h.State {
		case ready:
			if h.Address == 0 {
				s.ready.push(h)
			} else {
				s.addresses[h.Address].hosts.push(h)
			}
		case waiting:
			s.waiting.push(h)
		case low:
			s.low.push(h)
		case busy:
			s.running++
		}
	}
	s.restoreSites(from.Sites)
	for _, a := range s.addresses[1:] {
		s.placeAddress(math.MinInt64, a) // the next Take wakes the addresses whose time has come
	}
	return s, nil
}

// restoreSites restores the trust of the sites of all hosts.
func (s *Scheduler) restoreSites(from []savedSite) {
	for i := range min(len(s.siteList), len(from)) {
		s.siteList[i].savedSite = from[i]
	}
}

// readSaved reads the state that Save wrote, without the queue.
func readSaved(cfg Config, r *bufio.Reader) (*saved, error) {
	from := new(saved)
	if err := gob.NewDecoder(r).Decode(from); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if err := from.validate(cfg); err != nil {
		return nil, fmt.Errorf("checkpoint: %w: the file is damaged", err)
	}
	t := &from.Totals
	t.shares = cfg.Shares
	t.Langs = append(t.Langs, make([]int64, len(cfg.Shares)-len(t.Langs))...) // gob omits empty lists
	return from, nil
}

// validate returns an error for a state that Save cannot have written: numbers out of range.
func (x *saved) validate(cfg Config) error {
	if x.Generation < 0 || len(x.Totals.Langs) > len(cfg.Shares) {
		return fmt.Errorf("flush %d, %d languages", x.Generation, len(x.Totals.Langs))
	}
	origins := 0
	for i := range x.Hosts {
		origins += len(x.Hosts[i].Origins)
	}
	if x.Origins != origins {
		return fmt.Errorf("%d origins, wanted %d", x.Origins, origins)
	}
	for i, site := range x.Sites {
		if !(site.Trust >= 0 && site.Residual >= 0) || math.IsNaN(site.TargetTrust) || len(site.Targets) > maxTargets || slices.ContainsFunc(site.Targets, func(n uint32) bool { return int(n) >= len(x.Sites) }) {
			return fmt.Errorf("site %d: invalid trust", i)
		}
	}
	seen := make([]bool, origins)
	for i := range x.Hosts {
		h := &x.Hosts[i]
		if int64(h.State.Address) > int64(len(x.Addresses)) {
			return fmt.Errorf("host %d: address %d of %d", i, h.State.Address, len(x.Addresses))
		}
		if h.State.State == busy && h.State.Asked == Page && int64(h.State.From) >= int64(origins) {
			return fmt.Errorf("host %d: page of origin %d of %d", i, h.State.From, origins)
		}
		for _, o := range h.Origins {
			if o == nil || int64(o.Number) >= int64(origins) || seen[o.Number] {
				return fmt.Errorf("host %d: invalid origin", i)
			}
			seen[o.Number] = true
		}
	}
	return nil
}

// Away makes all that is known of hosts, their addresses and their robots.txt, older by d: the program
// did not run, or the machine slept.
func (s *Scheduler) Away(d time.Duration) {
	if d == 0 {
		return
	}
	for _, h := range s.hosts {
		h.AddressAt -= d
	}
	for _, o := range s.origins {
		o.RobotsAt -= d
		o.GoodAt -= d
	}
}

// Lost queues all running tasks again, after the program that ran them has ended.
func (s *Scheduler) Lost(now time.Duration) error {
	for _, h := range s.hosts {
		if h.State != busy {
			continue
		}
		s.running--
		s.release(now, h)
		if h.Asked == Page {
			o := s.origins[h.From]
			o.Again = append(o.Again, o.Taken)
			o.Taken = nil
			s.addQueued(h, 1)
		}
		h.OnErrand = false
		h.Next = max(h.Next, now+max(s.cfg.Delay, h.Gap, h.crawlDelay())) // the request may have been sent just now
		if s.err = s.reschedule(now, h); s.err != nil {
			break
		}
	}
	return s.err
}
