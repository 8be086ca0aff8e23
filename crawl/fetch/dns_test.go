package fetch

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers questions over pipes: over UDP a write is a packet.
type nameServer struct {
	asked atomic.Int32
}

// say makes the answer to a question; tcp tells how it came.
func (n *nameServer) say(query []byte, tcp bool) []byte {
	n.asked.Add(1)
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Additionals) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.Additionals = true, nil
	add := func(ttl uint32, body dnsmessage.ResourceBody) {
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: ttl}, Body: body})
	}
	four, six := q.Type == dnsmessage.TypeA, q.Type == dnsmessage.TypeAAAA
	a, aaaa := &dnsmessage.AResource{A: [4]byte{93, 184, 216, 34}}, &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr("2606:2800:21f::1").As16()}
	switch name := q.Name.String(); {
	case name == "both.example." && four:
		add(600, a)
	case name == "both.example." && six:
		add(300, aaaa)
	case name == "alias.example." && four:
		add(120, &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName("b.example.")})
		add(600, a)
	case name == "six.example." && six:
		add(900, aaaa)
	case name == "long.example." && four:
		if m.Truncated = !tcp; tcp {
			add(700, a)
		}
	case name == "gone.example.":
		m.RCode = dnsmessage.RCodeNameError
		m.Authorities = append(m.Authorities, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 900}, Body: &dnsmessage.SOAResource{NS: q.Name, MBox: q.Name, MinTTL: 240}})
	case name == "ill.example.":
		m.RCode = dnsmessage.RCodeServerFailure
	case name == "forged.example." && four:
		m.ID++
		add(60, a)
	}
	b, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return b
}

// dial connects to the server at the address that ends in 2; nobody is at others.
func (n *nameServer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if address != "192.0.2.2:53" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		buf := make([]byte, 4096)
		size, err := there.Read(buf)
		if err != nil {
			return
		}
		if network == "tcp" {
			b := n.say(buf[2:size], true)
			there.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...))
		} else {
			there.Write(n.say(buf[:size], false))
		}
		io.Copy(io.Discard, there)
	}()
	return here, nil
}

// TestNameServers looks names up at a server behind one that does not answer.
func TestNameServers(t *testing.T) {
	dir := t.TempDir()
	conf, hosts := filepath.Join(dir, "resolv.conf"), filepath.Join(dir, "hosts")
	if err := errors.Join(os.WriteFile(conf, []byte("# local\nsearch example\nnameserver 192.0.2.1\nnameserver 192.0.2.2 # good\nnameserver x\n"), 0o600),
		os.WriteFile(hosts, []byte("127.0.0.1 localhost\n192.0.2.9\tMine.example mine\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, ok := readNameServers(filepath.Join(dir, "none"), hosts); ok {
		t.Error("servers without a file")
	}
	for _, c := range []struct {
		name, want string
		ttl        time.Duration
	}{
		{"both.example", "[93.184.216.34 2606:2800:21f::1] <nil>", 300 * time.Second},
		{"alias.example", "[93.184.216.34] <nil>", 120 * time.Second},
		{"six.example", "[2606:2800:21f::1] <nil>", 900 * time.Second},
		{"long.example", "[93.184.216.34] <nil>", 700 * time.Second},
		{"gone.example", "[] no such name: gone.example", 240 * time.Second},
		{"none.example", "[] no such name: none.example", 0},
		{"mine.example", "[192.0.2.9] <nil>", 0},
		{"ill.example", "[] name server 192.0.2.2:53: ServerFailure", 0},
		{"forged.example", "[] name server 192.0.2.2:53: read pipe: i/o timeout", 0},
		{strings.Repeat("x", 300) + ".example", "[] no such name", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, ok := readNameServers(conf, hosts)
			if !ok || len(s.servers) != 2 {
				t.Fatalf("servers %v", s.servers)
			}
			s.dial = (&nameServer{}).dial
			addrs, ttl, err := s.LookupTTL(t.Context(), c.name)
			if got := fmt.Sprint(addrs, " ", err); !strings.HasPrefix(got, c.want) || ttl != c.ttl {
				t.Errorf("%s: %s for %v, want %s for %v", c.name, got, ttl, c.want, c.ttl)
			}
		})
	}
}

// TestCacheTTL wants answers to be kept as long as name servers say, within bounds.
func TestCacheTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &nameServer{}
		s := &nameServers{servers: []string{"192.0.2.2:53"}, dial: server.dial, wait: time.Second}
		c := NewCache(s, CacheConfig{Good: 10 * time.Minute, Bad: time.Minute, Workers: 3, MaxNames: 20})
		for _, want := range []struct {
			name string
			held time.Duration
		}{{"both.example", 300 * time.Second}, {"six.example", 10 * time.Minute}, {"gone.example", 240 * time.Second}} {
			c.Lookup(t.Context(), want.name)
			before := server.asked.Load()
			time.Sleep(want.held - time.Second)
			if c.Lookup(t.Context(), want.name); server.asked.Load() != before {
				t.Errorf("%s: asked again before %v", want.name, want.held)
			}
			time.Sleep(2 * time.Second)
			if c.Lookup(t.Context(), want.name); server.asked.Load() == before {
				t.Errorf("%s: not asked again after %v", want.name, want.held)
			}
		}
	})
}

// FuzzAnswer reads anything as an answer: addresses stand in its bytes, and are of the
// type that was asked for.
func FuzzAnswer(f *testing.F) {
	name := dnsmessage.MustNewName("both.example.")
	for _, host := range []string{"both.example.", "alias.example.", "gone.example."} {
		for _, t := range []dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA} {
			q, err := newQuery(7, dnsmessage.MustNewName(host), t)
			if err != nil {
				f.Fatal(err)
			}
			f.Add((&nameServer{}).say(q, false), t == dnsmessage.TypeAAAA)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, six bool) {
		kind := dnsmessage.TypeA
		if six {
			kind = dnsmessage.TypeAAAA
		}
		a, _, _ := readAnswer(b, 7, name, kind)
		for _, x := range a.addrs {
			if x.Is4() == six || !strings.Contains(string(b), string(x.AsSlice())) {
				t.Errorf("address %v of %q", x, b)
			}
		}
		if a.ttl < 0 || a.err != nil && len(a.addrs) > 0 {
			t.Errorf("%+v", a)
		}
	})
}
