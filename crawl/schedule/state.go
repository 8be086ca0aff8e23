package schedule

import (
	"bufio"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"chaffinch/crawl/frontier"
)

// Frontier configures the storage of URLs.
type Frontier struct {
	Dir   string
	Sieve frontier.SieveConfig
	Queue frontier.QueueConfig
	// Memory is the most bytes of memory for hosts; Queue.Memory is in addition. The rest is in a
	// temporary file. Default: no limit.
	Memory int64
	// Owns, if set, reports whether the scheduler may send requests to an origin. Links to others
	// are dropped.
	Owns func(origin string) bool
	// Late indicates that another process may have requested the hosts just now.
	Late bool
}

// saved is the state of a scheduler in a checkpoint, before lists of its records and the state of its
// queue.
type saved struct {
	Generation int // generation of the sieve
	Totals     Totals
	Origins    int
	Counts     savedCounts
}

// savedCounts holds the lengths of lists. Sites are in the order of their first hosts.
type savedCounts struct{ Addresses, Hosts, Sites int }

type savedHost struct {
	Host    Host
	State   hostState // gob omits embedded unexported types
	Errands []errand
}

type savedOrigin struct {
	Host              uint32 // number
	Name              string
	Number            uint32
	Failures          uint8
	HasRobots         bool
	ReservationsTried uint8
	HasReservations   bool
	Pending           bool
	Gone              Gone
	Taken             []byte
	Again             [][]byte
	CrawlDelay        time.Duration
	RobotsAt, GoodAt  time.Duration
}

type savedAddress struct {
	Name string
	Busy bool
	Next time.Duration
}

type savedSite struct {
	Trust, Residual float64
	Targets         []uint32
	TargetTrust     float64
	Doubt           int8
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
	b := bufio.NewWriterSize(w, 1<<16)
	out := gob.NewEncoder(b)
	counts := savedCounts{s.addresses.Len() - 1, s.hosts.Len(), s.sites.Len()}
	err := cmp.Or(
		out.Encode(saved{Generation: s.sieve.Generation(), Totals: s.totals, Origins: s.origins.Len(), Counts: counts}),
		saveList(s, out, counts.Addresses, func(i int) savedAddress {
			a := s.addresses.At(i + 1)
			return savedAddress{a.name, a.busy, a.next}
		}),
		saveList(s, out, counts.Hosts, func(i int) savedHost {
			h := s.hosts.At(i)
			return savedHost{Host: *h, State: h.hostState, Errands: s.errands[h]}
		}),
		saveList(s, out, s.origins.Len(), s.savedOrigin),
		saveList(s, out, counts.Sites, func(i int) savedSite {
			x := s.sites.At(i)
			return savedSite{x.Trust, x.Residual, x.targets(), x.TargetTrust, x.Doubt}
		}),
		s.queue.Save(b),
	)
	if err != nil {
		return err
	}
	return b.Flush()
}

func (s *Scheduler) savedOrigin(i int) savedOrigin {
	o := s.origins.At(i)
	return savedOrigin{
		Host: o.host.number, Name: s.originName(o), Number: o.Number, Failures: o.Failures, HasRobots: o.HasRobots,
		ReservationsTried: o.ReservationsTried, HasReservations: o.HasReservations, Pending: o.Pending, Gone: o.Gone,
		Taken: o.taken.load(nil), Again: s.again(o), CrawlDelay: o.CrawlDelay, RobotsAt: o.RobotsAt, GoodAt: o.GoodAt,
	}
}

// savedAtOnce is the most records in a list of a checkpoint.
const savedAtOnce = 1000

// saveList writes the records 0 to n-1 in lists.
func saveList[T any](s *Scheduler, out *gob.Encoder, n int, at func(i int) T) error {
	list := make([]T, 0, min(n, savedAtOnce))
	for i := range n {
		if list = append(list, at(i)); len(list) == cap(list) || i == n-1 {
			if err := out.Encode(list); err != nil {
				return err
			}
			list = list[:0]
			s.release()
		}
	}
	return nil
}

// loadList calls add for the records that saveList wrote.
func loadList[T any](s *Scheduler, in *gob.Decoder, n int, add func(i int, x *T) error) error {
	for i := 0; i < n; {
		var list []T
		if err := in.Decode(&list); err != nil {
			return fmt.Errorf("checkpoint: %w", err)
		}
		if len(list) == 0 || len(list) > n-i {
			return fmt.Errorf("checkpoint: %d records, wanted 1 to %d: the file is damaged", len(list), n-i)
		}
		for k := range list {
			if err := add(i, &list[k]); err != nil {
				return fmt.Errorf("checkpoint: %w: the file is damaged", err)
			}
			i++
		}
		s.release()
	}
	return nil
}

// Prune removes the files that only earlier checkpoints need.
func (s *Scheduler) Prune() error {
	if err := s.sieve.Prune(); err != nil {
		return err
	}
	return s.queue.Prune()
}

// Open returns a scheduler without URLs.
func Open(cfg Config, f Frontier, allowed Allowed) (*Scheduler, error) {
	sieve, err := frontier.OpenSieve(f.Dir, 0, f.Sieve)
	if err != nil {
		return nil, err
	}
	s := newScheduler(cfg, newTables(f.Dir, f.Memory), sieve, frontier.NewQueue(f.Dir, f.Queue), allowed)
	s.owns, s.late = f.Owns, f.Late
	return s, nil
}

// Load restores a scheduler that Save wrote. Tasks that were running count as running: call Done
// for them, or Lost to queue them again.
func Load(cfg Config, f Frontier, allowed Allowed, r io.Reader) (*Scheduler, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	s := newScheduler(cfg, newTables(f.Dir, f.Memory), nil, nil, allowed)
	s.owns, s.late = f.Owns, f.Late
	generation, err := s.restore(in)
	if err != nil {
		return nil, errors.Join(err, s.memory.Close())
	}
	if s.sieve, err = frontier.OpenSieve(f.Dir, generation, f.Sieve); err != nil {
		return nil, errors.Join(err, s.memory.Close())
	}
	if s.queue, err = frontier.LoadQueue(f.Dir, f.Queue, in); err != nil {
		return nil, errors.Join(err, s.sieve.Close(), s.memory.Close())
	}
	for i := 1; i < s.addresses.Len(); i++ {
		s.placeAddress(math.MinInt64, s.addresses.At(i)) // the next Take wakes the addresses whose time has come
	}
	return s, nil
}

// restore reads the state that Save wrote, without the queue, into an empty scheduler. It returns the
// generation of the sieve.
func (s *Scheduler) restore(r *bufio.Reader) (generation int, err error) {
	in := gob.NewDecoder(r)
	var from saved
	if err := in.Decode(&from); err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	n, origins := from.Counts, from.Origins
	if from.Generation < 0 || len(from.Totals.Langs) > len(s.cfg.Shares) || origins < 0 || n.Addresses < 0 || n.Hosts < 0 || n.Sites < 0 {
		return 0, fmt.Errorf("checkpoint: flush %d, %d languages, %d origins: the file is damaged", from.Generation, len(from.Totals.Langs), origins)
	}
	s.totals = from.Totals
	s.totals.shares = s.cfg.Shares
	s.totals.Langs = append(s.totals.Langs, make([]int64, len(s.cfg.Shares)-len(s.totals.Langs))...) // gob omits empty lists
	err = loadList(s, in, n.Addresses, func(i int, x *savedAddress) error {
		a := s.address(s.addAddress(x.Name))
		a.busy, a.next = x.Busy, x.Next
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = loadList(s, in, n.Hosts, func(i int, x *savedHost) error { return s.restoreHost(x, origins) })
	if err != nil {
		return 0, err
	}
	if err = loadList(s, in, origins, s.restoreOrigin); err != nil {
		return 0, err
	}
	err = loadList(s, in, n.Sites, s.restoreSite)
	return from.Generation, err
}

// restoreHost adds a host. It returns an error for a state that Save cannot have written.
func (s *Scheduler) restoreHost(from *savedHost, origins int) error {
	if s.findHost(from.Host.Name) != nil {
		return fmt.Errorf("host %s twice", from.Host.Name)
	}
	site := s.site(from.Host.Name)
	h := s.addHost(from.Host.Name, site)
	name, number := h.Name, h.number
	*h = from.Host
	h.Name, h.number, h.site, h.hostState = name, number, site, from.State
	if int(h.Address) >= s.addresses.Len() || int(h.From) >= origins && h.From > 0 {
		return fmt.Errorf("host %s: address %d of %d, origin %d of %d", name, h.Address, s.addresses.Len()-1, h.From, origins)
	}
	s.queued += int64(h.Queued)
	if len(from.Errands) > 0 {
		s.errands[h] = from.Errands
	}
	for _, e := range from.Errands {
		if int(e.For) >= origins {
			return fmt.Errorf("host %s: robots.txt of origin %d of %d", name, e.For, origins)
		}
	}
	if h.State.active() {
		s.active++
	}
	switch h.State {
	case ready:
		if h.Address == 0 {
			s.ready.push(h)
		} else {
			s.pushHost(s.address(h.Address), h)
		}
	case waiting:
		s.waiting.push(h)
	case low:
		s.low.push(h)
	case busy:
		s.running++
	}
	return nil
}

// restoreOrigin adds origin i.
func (s *Scheduler) restoreOrigin(i int, from *savedOrigin) error {
	if int(from.Number) != i || int(from.Host) >= s.hosts.Len() {
		return fmt.Errorf("origin %d of host %d, wanted origin %d of %d hosts", from.Number, from.Host, i, s.hosts.Len())
	}
	o := s.newOrigin(s.Host(from.Host), from.Name)
	o.Failures, o.HasRobots, o.Pending, o.Gone = from.Failures, from.HasRobots, from.Pending, from.Gone
	o.ReservationsTried, o.HasReservations = from.ReservationsTried, from.HasReservations
	o.CrawlDelay, o.RobotsAt, o.GoodAt = from.CrawlDelay, from.RobotsAt, from.GoodAt
	s.setTaken(o, from.Taken)
	s.setAgain(o, from.Again)
	return nil
}

// restoreSite restores the trust of site i. Its hosts were restored before.
func (s *Scheduler) restoreSite(i int, from *savedSite) error {
	if i >= s.sites.Len() || !(from.Trust >= 0 && from.Residual >= 0) || math.IsNaN(from.TargetTrust) || from.Doubt < -maxDoubt || from.Doubt > maxDoubt || len(from.Targets) > maxTargets {
		return fmt.Errorf("site %d: invalid trust", i)
	}
	x := s.sites.At(i)
	x.Trust, x.Residual, x.TargetTrust, x.Doubt = from.Trust, from.Residual, from.TargetTrust, from.Doubt
	for _, n := range from.Targets {
		if int(n) >= s.sites.Len() {
			return fmt.Errorf("site %d: link to site %d of %d", i, n, s.sites.Len())
		}
		s.addTarget(x, n)
	}
	return nil
}

// Away makes all that is known of hosts, their addresses and their robots.txt, older by d: the program
// did not run, or the machine slept.
func (s *Scheduler) Away(d time.Duration) {
	if d == 0 {
		return
	}
	for _, h := range s.Hosts() {
		h.AddressAt -= d
		for o := range h.Origins() {
			o.RobotsAt -= d
			o.GoodAt -= d
		}
	}
}

// Lost queues all running tasks again, after the program that ran them has ended.
func (s *Scheduler) Lost(now time.Duration) error {
	for _, h := range s.Hosts() {
		if h.State != busy {
			continue
		}
		s.running--
		s.freeAddress(now, h)
		if h.Asked == Page {
			o := s.origins.At(int(h.From))
			s.addAgain(o, s.taken(o))
			s.setTaken(o, nil)
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
