package weburl

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// both fails unless the fast path gives what the library gives.
func both(t *testing.T, raw string, base *URL) {
	t.Helper()
	raw = trim(raw)
	fast, ok := parsePlain(raw, base)
	if !ok {
		return
	}
	slow, err := parseAny(raw, base)
	if strings.Contains(fast.Host(), "xn--") {
		return // the library refuses or mends invalid Punycode, as the standard of 2023 had it
	}
	if err != nil || slow != fast {
		t.Fatalf("%q on %v: plainly %+v, else %+v (%v)", raw, base, fast, slow, err)
	}
}

// TestPlain puts addresses together from what is special in them.
func TestPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 986))
	parts := strings.Fields("http:// https:// // / / . .. %2e %2E a B c-d e_f 1 0x1 xn-- -- - : : ? & = # @ ! ~ ' ( ) [ ] | { ^ ; , * + $ % %41 \\ é a.example B.Example 80")
	base, plain := parse(t, "http://h.example/i/j?k"), 0
	for range 4000 {
		raw := ""
		if rnd.IntN(2) == 0 {
			raw = "http://a.example"
		}
		for range rnd.IntN(7) {
			raw += parts[rnd.IntN(len(parts))]
		}
		both(t, raw, nil)
		both(t, raw, &base)
		if _, ok := parsePlain(raw, &base); ok {
			plain++
		}
	}
	if plain < 500 {
		t.Errorf("%d addresses took the fast path", plain)
	}
}

// FuzzParse wants both ways to agree, an address to stay what it is when it is
// parsed or normalized again, and its parts to be parts of it.
func FuzzParse(f *testing.F) {
	f.Add("http://192.0.2.1:8080/a", "https://[::1]:8443/")
	f.Add("//1.2.3.4:443/x", "https://b.example:65535/")
	f.Add("http://1.2.3.04:080?x", "http://a.example:80/")
	f.Add("HTTP://256.1.1.1:65536/", "http://a.example:443/b")
	f.Add("http://a.example/b/../c?d#e", "https://b.example:81/f")
	f.Add("//u:p@[::1]:80/;jsessionid=1/%7e?utm_x=1&sid=%", "http://10.1/")
	f.Add("\\\\ü.example?'", "")
	f.Fuzz(func(t *testing.T, raw, on string) {
		var base *URL
		if b, err := Parse(on, nil); err == nil {
			base = &b
		}
		if len(raw) > 300 {
			return // the library is slow
		}
		both(t, raw, base)
		u, err := Parse(raw, base)
		if err != nil {
			if !errors.Is(err, ErrLong) && !errors.Is(err, ErrScheme) && !errors.Is(err, ErrInvalid) {
				t.Fatalf("%q: an error of no kind: %v", raw, err)
			}
			return
		}
		again, err := Parse(u.String(), nil)
		if err != nil || again != u {
			t.Fatalf("%q: %+v, parsed again %+v (%v)", raw, u, again, err)
		}
		if u.Scheme()+"://"+u.HostPort()+"/" != u.Root().String() || !strings.HasPrefix(u.Target(), u.Path()) || u.Port() < 0 || u.Host() == "" {
			t.Fatalf("%q: parts of %+v", raw, u)
		}
		n := u.Normalize()
		if m := n.Normalize(); m != n {
			t.Fatalf("%q: normalized %s, again %s", raw, n, m)
		}
		_ = n.Trap()
	})
}
