package fetch

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// answer makes the answer of a name server to a question.
func answer(query []byte) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	add := func(body dnsmessage.ResourceBody) {
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 60}, Body: body})
	}
	a, aaaa := &dnsmessage.AResource{A: [4]byte{93, 184, 216, 34}}, &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr("2606:2800:21f::1").As16()}
	switch name := q.Name.String(); {
	case name == "both.example." && q.Type == dnsmessage.TypeA:
		add(a)
	case name == "both.example." && q.Type == dnsmessage.TypeAAAA, name == "six.example." && q.Type == dnsmessage.TypeAAAA:
		add(aaaa)
	case name == "alias.example." && q.Type == dnsmessage.TypeA:
		add(&dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName("b.example.")})
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName("b.example."), Class: q.Class, TTL: 60}, Body: a})
	case name == "gone.example.":
		m.RCode = dnsmessage.RCodeNameError
	case name == "ill.example.":
		m.RCode = dnsmessage.RCodeServerFailure
	}
	b, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return b
}

// dialAnswers connects to a name server that speaks over TCP, whatever it is asked for.
func dialAnswers(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		for {
			var size [2]byte
			if _, err := io.ReadFull(there, size[:]); err != nil {
				return
			}
			query := make([]byte, binary.BigEndian.Uint16(size[:]))
			if _, err := io.ReadFull(there, query); err != nil {
				return
			}
			b := answer(query)
			if _, err := there.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...)); err != nil {
				return
			}
		}
	}()
	return here, nil
}

// TestSystem looks names up through package net: whole names, addresses of IPv4 first, and a
// name without addresses told from a server that fails.
func TestSystem(t *testing.T) {
	s := system{&net.Resolver{PreferGo: true, Dial: dialAnswers}}
	for _, c := range []struct{ name, want string }{
		{"both.example", "[93.184.216.34 2606:2800:21f::1] <nil>"},
		{"alias.example", "[93.184.216.34] <nil>"},
		{"six.example", "[2606:2800:21f::1] <nil>"},
		{"gone.example", "[] no such name: gone.example"},
		{"none.example", "[] no such name: none.example"},
		{"ill.example", "[] lookup ill.example. on "},
		{strings.Repeat("x", 300) + ".example", "[] no such name"},
	} {
		addrs, err := s.Lookup(t.Context(), c.name)
		if got := fmt.Sprint(addrs, " ", err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
