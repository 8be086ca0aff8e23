package registered_test

import (
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
	"chaffinch/page/weburl/registered"
)

func TestDomain(t *testing.T) {
	for raw, want := range map[string]string{
		"http://www.a.co.uk/":     "a.co.uk",
		"http://a.co.uk/":         "a.co.uk",
		"http://co.uk/":           "co.uk",
		"http://x.y.github.io/":   "y.github.io",
		"http://localhost/":       "localhost",
		"http://10.0.0.1/":        "10.0.0.1",
		"http://[::1]/":           "[::1]",
		"http://www.bücher.de/":   "xn--bcher-kva.de",
		"http://a.b.c.kobe.jp/":   "b.c.kobe.jp",
		"http://a.unknown-suffix": "a.unknown-suffix",
	} {
		u := must.Get(weburl.Parse(raw, nil))(t)
		must.Equal(t, registered.Domain(u.Host()), want, raw)
	}
}

// TestSite: the path of an address may be invalid.
func TestSite(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.example.co.uk./100%": "example.co.uk", "a.example.com/x": "example.com", "http://192.0.2.1:80/%": "192.0.2.1", "https://localhost/": "",
	} {
		must.Equal(t, registered.Site(address), want, address)
	}
}
