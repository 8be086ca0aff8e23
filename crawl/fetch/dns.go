package fetch

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"chaffinch/internal/parallel"
)

// nameServers asks name servers (RFC 1035) for IPv4 and IPv6 addresses, and keeps how
// long an answer holds, which package net does not tell.
type nameServers struct {
	servers []string                // addresses with ports
	hosts   map[string][]netip.Addr // what the system's file of hosts says
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	wait    time.Duration // for one answer
}

const (
	// askServers is how often all name servers are asked before a name is given up.
	askServers = 2
	// serverWait is how long one answer may take.
	serverWait = 3 * time.Second
	// maxUDP is the size of an answer over UDP that a server may send (EDNS, RFC 6891).
	maxUDP = 1232
)

// readNameServers reads the name servers and the hosts of a system; ok is false if it
// names no server.
func readNameServers(conf, hosts string) (s *nameServers, ok bool) {
	s = &nameServers{hosts: map[string][]netip.Addr{}, dial: (&net.Dialer{}).DialContext, wait: serverWait}
	eachLine(conf, func(f []string) {
		if len(f) > 1 && f[0] == "nameserver" {
			if a, err := netip.ParseAddr(f[1]); err == nil {
				s.servers = append(s.servers, netip.AddrPortFrom(a, 53).String())
			}
		}
	})
	eachLine(hosts, func(f []string) {
		a, err := netip.ParseAddr(f[0])
		if err != nil {
			return
		}
		for _, name := range f[1:] {
			name = strings.ToLower(name)
			s.hosts[name] = append(s.hosts[name], a)
		}
	})
	return s, len(s.servers) > 0
}

// eachLine calls fn for the words of each line of a small file; one that cannot be read
// has none.
func eachLine(name string, fn func(words []string)) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 1<<20))
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if words := strings.Fields(line); len(words) > 0 {
			fn(words)
		}
	}
}

// Lookup returns the addresses of a name, those of IPv4 first.
func (s *nameServers) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	addrs, _, err := s.LookupTTL(ctx, host)
	return addrs, err
}

// LookupTTL returns also how long the answer holds, 0 if nobody says.
func (s *nameServers) LookupTTL(ctx context.Context, host string) ([]netip.Addr, time.Duration, error) {
	if addrs := s.hosts[strings.ToLower(strings.TrimSuffix(host, "."))]; len(addrs) > 0 {
		return addrs, 0, nil
	}
	name, err := dnsmessage.NewName(strings.TrimSuffix(host, ".") + ".")
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %s: %v", ErrNoName, host, err)
	}
	types := [...]dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA}
	var answers [len(types)]answer
	parallel.Each(len(types), len(types), func(i int) { answers[i] = s.ask(ctx, name, types[i]) })
	var all answer
	for _, a := range answers {
		all.addrs = append(all.addrs, a.addrs...)
		all.err = errors.Join(all.err, a.err)
		if all.ttl == 0 || a.ttl > 0 && a.ttl < all.ttl {
			all.ttl = a.ttl
		}
	}
	switch {
	case len(all.addrs) > 0:
		return all.addrs, all.ttl, nil
	case all.err != nil:
		return nil, 0, all.err
	}
	return nil, all.ttl, fmt.Errorf("%w: %s", ErrNoName, host)
}

// answer is what name servers say: no addresses and no error if there are none.
type answer struct {
	addrs []netip.Addr
	ttl   time.Duration
	err   error
}

// ask asks the servers one after the other.
func (s *nameServers) ask(ctx context.Context, name dnsmessage.Name, t dnsmessage.Type) (a answer) {
	id := uint16(rand.Uint32())
	query, err := newQuery(id, name, t)
	if err != nil {
		return answer{err: err}
	}
	for range askServers {
		for _, server := range s.servers {
			var cut bool
			if a, cut = s.exchange(ctx, "udp", server, id, query, name, t); cut {
				a, _ = s.exchange(ctx, "tcp", server, id, query, name, t)
			}
			if a.err == nil || ctx.Err() != nil {
				return a
			}
		}
	}
	return a
}

func newQuery(id uint16, name dnsmessage.Name, t dnsmessage.Type) ([]byte, error) {
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: id, RecursionDesired: true})
	var opt dnsmessage.ResourceHeader
	err := errors.Join(b.StartQuestions(), b.Question(dnsmessage.Question{Name: name, Type: t, Class: dnsmessage.ClassINET}), b.StartAdditionals(),
		opt.SetEDNS0(maxUDP, dnsmessage.RCodeSuccess, false), b.OPTResource(opt, dnsmessage.OPTResource{}))
	if err != nil {
		return nil, err
	}
	return b.Finish()
}

// exchange asks one server; cut tells that the answer found no room in UDP.
func (s *nameServers) exchange(ctx context.Context, network, server string, id uint16, query []byte, name dnsmessage.Name, t dnsmessage.Type) (a answer, cut bool) {
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	conn, err := s.dial(ctx, network, server)
	if err != nil {
		return answer{err: err}, false
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(long) })()
	if network == "tcp" {
		query = append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)
	}
	if _, err := conn.Write(query); err != nil {
		return answer{err: err}, false
	}
	buf := make([]byte, 64<<10)
	for {
		n := 0
		if network == "tcp" {
			if _, err = io.ReadFull(conn, buf[:2]); err == nil {
				n = int(binary.BigEndian.Uint16(buf))
				_, err = io.ReadFull(conn, buf[:n])
			}
		} else {
			n, err = conn.Read(buf)
		}
		if err != nil {
			return answer{err: fmt.Errorf("name server %s: %w", server, err)}, false
		}
		a, cut, ours := readAnswer(buf[:n], id, name, t)
		if !ours && network == "udp" {
			continue // somebody else's: the right one may come yet
		}
		if a.err != nil {
			a.err = fmt.Errorf("name server %s: %w", server, a.err)
		}
		return a, cut
	}
}

// readAnswer reads the answer to a question; ours is false if it is that to another one.
func readAnswer(b []byte, id uint16, name dnsmessage.Name, t dnsmessage.Type) (a answer, cut, ours bool) {
	var p dnsmessage.Parser
	h, err := p.Start(b)
	if err != nil || h.ID != id || !h.Response {
		return answer{err: errors.New("no answer to the question")}, false, false
	}
	q, err := p.Question()
	if err != nil || q.Type != t || !strings.EqualFold(q.Name.String(), name.String()) {
		return answer{err: errors.New("an answer to another question")}, false, false
	}
	if h.Truncated {
		return answer{}, true, true
	}
	if h.RCode != dnsmessage.RCodeSuccess && h.RCode != dnsmessage.RCodeNameError {
		return answer{err: fmt.Errorf("%s", strings.TrimPrefix(h.RCode.String(), "RCode"))}, false, true
	}
	if err := p.SkipAllQuestions(); err != nil {
		return answer{err: err}, false, true
	}
	hold := func(seconds uint32) {
		if d := time.Duration(min(seconds, 1<<31-1)) * time.Second; a.ttl == 0 || d < a.ttl {
			a.ttl = max(d, time.Second)
		}
	}
	for {
		h, err := p.AnswerHeader()
		if err == dnsmessage.ErrSectionDone {
			break
		}
		if err != nil {
			return answer{err: err}, false, true
		}
		hold(h.TTL)
		switch {
		case h.Type == dnsmessage.TypeA && t == h.Type:
			r, err := p.AResource()
			if err != nil {
				return answer{err: err}, false, true
			}
			a.addrs = append(a.addrs, netip.AddrFrom4(r.A))
		case h.Type == dnsmessage.TypeAAAA && t == h.Type:
			r, err := p.AAAAResource()
			if err != nil {
				return answer{err: err}, false, true
			}
			a.addrs = append(a.addrs, netip.AddrFrom16(r.AAAA))
		default: // an alias, whose target's records follow
			if err := p.SkipAnswer(); err != nil {
				return answer{err: err}, false, true
			}
		}
	}
	for len(a.addrs) == 0 { // how long that holds is with the name of the zone (RFC 2308)
		h, err := p.AuthorityHeader()
		if err != nil {
			break
		}
		if h.Type == dnsmessage.TypeSOA {
			if r, err := p.SOAResource(); err == nil {
				hold(min(h.TTL, r.MinTTL))
			}
			break
		}
		if p.SkipAuthority() != nil {
			break
		}
	}
	return answer{addrs: slices.Clip(a.addrs), ttl: a.ttl}, false, true
}
