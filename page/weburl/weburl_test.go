package weburl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func parse(t testing.TB, raw string) URL {
	t.Helper()
	u, err := Parse(raw, nil)
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return u
}

// TestParse wants what browsers make of addresses, resolved against base if one is
// given. "!" stands for an error.
func TestParse(t *testing.T) {
	const base = "https://b.example:8080/f/g/h.html?q#x"
	for _, c := range []struct{ raw, base, want string }{
		{"http://a.example/", "", "http://a.example/"},
		{"http://a.example", "", "http://a.example/"},
		{" \t\nhttp://a.example/b \r\n", "", "http://a.example/b"},
		{"HTTP://A.Example/B", "", "http://a.example/B"},
		{"https://A.Example?q", "", "https://a.example/?q"},
		{"https://a.example#f?", "", "https://a.example/#f?"},
		{"http://a.example:80/", "", "http://a.example/"},
		{"http://a.example:443/", "", "http://a.example:443/"},
		{"https://a.example:443/", "", "https://a.example/"},
		{"http://a.example:0081/", "", "http://a.example:81/"},
		{"http://a.example:99999/", "", "!"},
		{"http://u:p@a.example/", "", "http://u:p@a.example/"},
		{"http:\\\\a.example\\b", "", "http://a.example/b"},
		{"http:/a.example/b", "", "http://a.example/b"},
		{"http://a.example/b/./c/../d/%2E%2e/e", "", "http://a.example/b/e"},
		{"http://a.example/.well-known/x", "", "http://a.example/.well-known/x"},
		{"http://a.example/b\tc\nd", "", "http://a.example/bcd"},
		{"http://a.example/b c?d e#f g", "", "http://a.example/b%20c?d%20e#f%20g"},
		{"http://a.example/é?ü", "", "http://a.example/%C3%A9?%C3%BC"},
		{"http://a.example/\xff", "", "http://a.example/%EF%BF%BD"},
		{"http://a.example/%zz%", "", "http://a.example/%zz%"},
		{"http://a.example/'?'", "", "http://a.example/'?%27"},
		{"http://bücher.example/", "", "http://xn--bcher-kva.example/"},
		{"http://XN--Bcher-KVA.example/", "", "http://xn--bcher-kva.example/"},
		{"http://straße.example/", "", "http://xn--strae-oqa.example/"},
		{"http://a。example/", "", "http://a.example/"},
		{"http://STRAẞE.example/", "", "http://xn--strae-oqa.example/"},
		{"http://Ⴀ.example/", "", "http://xn--rkj.example/"},
		{"http://a≠b.example/", "", "http://xn--ab-miv.example/"},
		{"http://xn--a.example/é", "", "http://xn--a.example/%C3%A9"},
		{"http://..XN--87e93m./é", "", "http://..xn--87e93m./%C3%A9"},
		{"http://xn--a.bücher.example/", "", "!"},
		{"http://％４１.example/", "", "!"},
		{"http://a.12345678901234567890c/é", "", "http://a.12345678901234567890c/%C3%A9"},
		{"http://a_b.example/", "", "http://a_b.example/"},
		{"http://0x7f.1/", "", "http://127.0.0.1/"},
		{"http://2130706433/", "", "http://127.0.0.1/"},
		{"http://1.2.3.4.5/", "", "!"},
		{"http://[::1]:81/", "", "http://[::1]:81/"},
		{"http://[2001:DB8:0::1]/", "", "http://[2001:db8::1]/"},
		{"http://a.example./", "", "http://a.example./"},
		{"http://", "", "!"},
		{"http:///", "", "!"},
		{"http://a b/", "", "!"},
		{"http://a%00b/", "", "!"},
		{"mailto:a@a.example", "", "!"},
		{"javascript:void(0)", base, "!"},
		{"data:text/html,x", base, "!"},
		{"tel:123", base, "!"},
		{"file:///etc/passwd", base, "!"},
		{"b.html", "", "!"},
		{"", "", "!"},

		{"", base, "https://b.example:8080/f/g/h.html?q"},
		{"#y", base, "https://b.example:8080/f/g/h.html?q#y"},
		{"?r=/s", base, "https://b.example:8080/f/g/h.html?r=/s"},
		{"i.html", base, "https://b.example:8080/f/g/i.html"},
		{"i:j", base, "!"},
		{"./i:j", base, "https://b.example:8080/f/g/i:j"},
		{"1:j", base, "https://b.example:8080/f/g/1:j"},
		{"../i/", base, "https://b.example:8080/f/i/"},
		{"../../../../i", base, "https://b.example:8080/i"},
		{"/", base, "https://b.example:8080/"},
		{"/i?#", base, "https://b.example:8080/i?#"},
		{"\\i", base, "https://b.example:8080/i"},
		{"//c.example/i", base, "https://c.example/i"},
		{"//C.example", base, "https://c.example/"},
		{"///c.example/i", base, "https://c.example/i"},
		{"http:i", base, "http://i/"},
		{"https:i", base, "https://b.example:8080/f/g/i"},
		{"http://a.example/i", base, "http://a.example/i"},
		{"été", base, "https://b.example:8080/f/g/%C3%A9t%C3%A9"},
	} {
		var b *URL
		if c.base != "" {
			u := parse(t, c.base)
			b = &u
		}
		u, err := Parse(c.raw, b)
		got := u.String()
		if err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%q on %q: %q (%v), wanted %q", c.raw, c.base, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for raw, want := range map[string]error{
		"http://a.example/" + strings.Repeat("a", MaxBytes):     ErrLong,
		"http://a.example/" + strings.Repeat("é", MaxBytes/3-9): ErrLong, // once it is encoded
		"MailTo:a@a.example": ErrScheme,
		"java\tscript:x":     ErrScheme,
		"http://%":           ErrInvalid,
		"a":                  ErrInvalid,
	} {
		if _, err := Parse(raw, nil); !errors.Is(err, want) {
			t.Errorf("%.30q: %v, wanted %v", raw, err, want)
		}
	}
	base := parse(t, "http://a.example/"+strings.Repeat("a", MaxBytes/2)+"/")
	must.Is(t, must.Err(Parse(strings.Repeat("b", MaxBytes/2), &base)), ErrLong)
}

func TestParts(t *testing.T) {
	for raw, want := range map[string]string{
		"http://a.example":                           `http|a.example|80|a.example|/||/|http://a.example/`,
		"https://u:p@a.example:81/b/c?d?=e#f?g":      `https|a.example|81|a.example:81|/b/c|d?=e|/b/c?d?=e|https://a.example:81/`,
		"https://[::1]/?#":                           `https|[::1]|443|[::1]|/||/?|https://[::1]/`,
		"http://[::1]:8/é":                           `http|[::1]|8|[::1]:8|/%C3%A9||/%C3%A9|http://[::1]:8/`,
		"http://a.example/b@c:d/?e@f":                `http|a.example|80|a.example|/b@c:d/|e@f|/b@c:d/?e@f|http://a.example/`,
		"http://u@v@a.example:80?x=http://c.example": `http|a.example|80|a.example|/|x=http://c.example|/?x=http://c.example|http://a.example/`,
	} {
		u := parse(t, raw)
		got := fmt.Sprintf("%s|%s|%d|%s|%s|%s|%s|%s", u.Scheme(), u.Host(), u.Port(), u.HostPort(), u.Path(), u.Query(), u.Target(), u.Root())
		must.Equal(t, got, want, raw)
		if again := parse(t, u.Root().String()); again != u.Root() {
			t.Errorf("%s: root %+v, parsed %+v", raw, u.Root(), again)
		}
	}
	if u := (URL{}); u.String()+u.Scheme()+u.Host()+u.Path()+u.Query()+u.Target() != "" || !u.IsZero() || u.Normalize() != u {
		t.Error("the zero URL has parts")
	}
}

func TestNormalize(t *testing.T) {
	const id = "0123456789abcdef0123456789ABCDEF"
	for raw, want := range map[string]string{
		"http://a.example/b?c=d":                                   "http://a.example/b?c=d",
		"http://a.example/b#c":                                     "http://a.example/b",
		"http://a.example/b?#c":                                    "http://a.example/b",
		"http://u:p@a.example/":                                    "http://a.example/",
		"http://a.example./":                                       "http://a.example/",
		"http://a.example../":                                      "http://a.example../",
		"http://a.example:81/%7ea/%2f%c3%A9?%41=%2b":               "http://a.example:81/~a/%2F%C3%A9?A=%2B",
		"http://a.example/?utm_source=x&b=1&UTM_Medium=y&fbclid=z": "http://a.example/?b=1",
		"http://a.example/?gclid=x":                                "http://a.example/",
		"http://a.example/?b=1&b=1&&c":                             "http://a.example/?b=1&b=1&c",
		"http://a.example/?ref=x&campaign=y":                       "http://a.example/?ref=x&campaign=y",
		"http://a.example/b.jsp;jsessionid=" + id + "?c=1":         "http://a.example/b.jsp?c=1",
		"http://a.example/b;JSESSIONID=x.node1/c;v=1":              "http://a.example/b/c;v=1",
		"http://a.example/?PHPSESSID=" + id + "&page=2":            "http://a.example/?page=2",
		"http://a.example/?page=2&sid=" + id:                       "http://a.example/?page=2",
		"http://a.example/?sid=12&page=2":                          "http://a.example/?sid=12&page=2",
		"http://a.example/?sid=" + id + "0":                        "http://a.example/?sid=" + id + "0",
		"http://a.example/?a=phpsessid":                            "http://a.example/?a=phpsessid",
		"http://a.example/(S(0123456789abcdefghij0123))/b.aspx":    "http://a.example/b.aspx",
		"http://a.example/(S(short))/b.aspx":                       "http://a.example/(S(short))/b.aspx",
		"http://a.example/?ASPSESSIONIDABCDEFGH=ABCDEFGHIJ&c":      "http://a.example/?c",
		"http://a.example/..;jsessionid=1/b":                       "http://a.example/b",
		"http://a.example/?u%74m_source=x":                         "http://a.example/",
	} {
		if got := parse(t, raw).Normalize(); got.String() != want {
			t.Errorf("%s: %s, wanted %s", raw, got, want)
		}
	}
}

func TestTrap(t *testing.T) {
	for raw, want := range map[string]Trap{
		"http://a.example/2024/05/06/a-title.html?page=2":        NoTrap,
		"http://a.example/" + strings.Repeat("a", maxPath-1):     NoTrap,
		"http://a.example/" + strings.Repeat("a", maxPath):       LongPath,
		"http://a.example/?" + strings.Repeat("a", maxPath):      LongPath,
		"http://a.example/" + strings.Repeat("/", maxSlashes-1):  NoTrap,
		"http://a.example/" + strings.Repeat("/", maxSlashes):    DeepPath,
		"http://a.example/b/b/b":                                 NoTrap,
		"http://a.example/b/c/b/b/d/b":                           RepeatedSegment,
		"http://a.example/?b=1&b=1&b=1&b=1":                      RepeatedSegment,
		"http://a.example/b/c/d/b/c/e/b/c/f/g":                   RepeatedSegment,
		"http://a.example/b/c/d/b/c/d.e.f.g.c.h.b.d":             RepeatedParts,
		"http://a.example/b.c.b.c.b.c":                           NoTrap,
		"http://a.example/b/www.c.example/d":                     HostInPath,
		"http://a.example/b/http://c.example/d":                  HostInPath,
		"http://a.example/b/a.example/b":                         HostInPath,
		"http://a.example/www.html":                              NoTrap,
		"http://a.example/?u=http://www.c.example":               NoTrap,
		"http://a.a.a.a.example/":                                NoTrap,
		"http://a.a.a.a.a.example/":                              RepeatedLabels,
		"http://" + strings.Repeat("a", 64) + ".example/":        NoName,
		"http://" + strings.Repeat("abcdefgh.", 32) + "example/": NoName,
		"http://a..example/":                                     NoName,
		"http://[::1]/":                                          NoTrap,
		"http://10.0.0.1/":                                       NoTrap,
		"http://a.example./":                                     NoTrap,
	} {
		must.Equal(t, parse(t, raw).Trap(), want, raw)
	}
}
