package access

import (
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestGuard sends requests as clients, browsers and pages of other sites do.
func TestGuard(t *testing.T) {
	guard := Guard(Config{Token: "secret", Public: []string{"/healthz"}}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	const in = http.StatusTeapot
	for _, c := range []struct {
		name, method, url string
		header            string // lines
		want              int
	}{
		{"with a bearer token", "GET", "http://127.0.0.1:8017/v1/about", "Authorization: Bearer secret", in},
		{"the scheme in other letters", "GET", "http://127.0.0.1/v1/about", "Authorization: bearer secret", in},
		{"with a cookie", "GET", "http://localhost:8017/", "Cookie: chaffinch-token-8017=c2VjcmV0", in},
		{"by IPv6", "GET", "http://[::1]:8017/", "Cookie: chaffinch-token-8017=c2VjcmV0", in},
		{"by the name in capitals", "GET", "http://LOCALHOST/", "Cookie: chaffinch-token=c2VjcmV0", in},
		{"without a token", "GET", "http://127.0.0.1/v1/about", "", 401},
		{"an empty token", "GET", "http://127.0.0.1/v1/about", "Authorization: Bearer ", 401},
		{"a wrong token", "GET", "http://127.0.0.1/v1/about", "Authorization: Bearer secre", 401},
		{"the token and more", "GET", "http://127.0.0.1/v1/about", "Authorization: Bearer secrets", 401},
		{"another scheme", "GET", "http://127.0.0.1/v1/about", "Authorization: Basic secret", 401},
		{"the cookie of another port", "GET", "http://127.0.0.1:8018/v1/about", "Cookie: chaffinch-token-8017=c2VjcmV0", 401},
		{"a cookie that is not encoded", "GET", "http://127.0.0.1/v1/about", "Cookie: chaffinch-token=secret", 401},
		{"a wrong cookie", "GET", "http://127.0.0.1/v1/about", "Cookie: chaffinch-token=eA", 401},
		{"the token in the address of something else", "GET", "http://127.0.0.1/v1/about?token=secret", "", 401},
		{"the token in the address of the page", "GET", "http://127.0.0.1/?token=secret&x=1", "", 303},
		{"a wrong token in the address", "GET", "http://127.0.0.1/?token=x", "", 401},
		{"the token in the address, by POST", "POST", "http://127.0.0.1/?token=secret", "", 401},
		{"health", "GET", "http://127.0.0.1/healthz", "", in},
		{"a path that only begins like health", "GET", "http://127.0.0.1/healthz/", "", 401},
		{"a name that was bound anew", "GET", "http://evil.example:8017/", "Cookie: chaffinch-token-8017=c2VjcmV0", 403},
		{"a name that ends like ours", "GET", "http://x.localhost/", "Cookie: chaffinch-token=c2VjcmV0", 403},
		{"a name that begins like ours", "GET", "http://localhost.evil.example/", "Cookie: chaffinch-token=c2VjcmV0", 403},
		{"another loopback address", "GET", "http://127.0.0.2/", "Cookie: chaffinch-token=c2VjcmV0", 403},
		{"health by a foreign name", "GET", "http://evil.example/healthz", "", 403},
		{"POST of our page", "POST", "http://127.0.0.1:8017/v1/clean", "Cookie: chaffinch-token-8017=c2VjcmV0\nOrigin: http://127.0.0.1:8017\nSec-Fetch-Site: same-origin", in},
		{"POST of a program", "POST", "http://127.0.0.1:8017/v1/clean", "Authorization: Bearer secret", in},
		{"POST of another site", "POST", "http://127.0.0.1:8017/v1/clean", "Cookie: chaffinch-token-8017=c2VjcmV0\nSec-Fetch-Site: cross-site", 403},
		{"POST of another port", "POST", "http://127.0.0.1:8017/v1/clean", "Cookie: chaffinch-token-8017=c2VjcmV0\nSec-Fetch-Site: same-site", 403},
		{"POST of an old browser from another site", "POST", "http://127.0.0.1:8017/v1/clean", "Cookie: chaffinch-token-8017=c2VjcmV0\nOrigin: http://evil.example", 403},
		{"POST of an origin without a name", "POST", "http://127.0.0.1:8017/v1/clean", "Cookie: chaffinch-token-8017=c2VjcmV0\nOrigin: null", 403},
	} {
		r := httptest.NewRequest(c.method, c.url, nil)
		for line := range strings.Lines(c.header) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: status %d, wanted %d: %s", c.name, w.Code, c.want, w.Body)
		}
		if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "c2VjcmV0") {
			t.Errorf("%s: the answer tells the token", c.name)
		}
	}
}

// TestEnter: a browser that comes with the token gets a cookie that no script and no
// other site can use, and an address without the token.
func TestEnter(t *testing.T) {
	guard := Guard(Config{Token: "secret"}, http.NotFoundHandler())
	w := httptest.NewRecorder()
	guard.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/?token=secret&q=a%26b", nil))
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || cookies[0].Value != "c2VjcmV0" || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Errorf("cookies %v", cookies)
	}
	if to := w.Header().Get("Location"); to != "/?q=a%26b" {
		t.Errorf("sent to %q", to)
	}
}

// TestHosts: other names, and all of them.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		host  string
		want  int
	}{
		{[]string{"corpora.example.org"}, "corpora.example.org", 404},
		{[]string{"corpora.example.org"}, "Corpora.Example.org:443", 404},
		{[]string{"corpora.example.org"}, "127.0.0.1", 403},
		{[]string{"*"}, "anything", 404},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		Guard(Config{Hosts: c.hosts}, http.NotFoundHandler()).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%v, asked as %q: status %d, wanted %d", c.hosts, c.host, w.Code, c.want)
		}
	}
}

// TestCookies: servers on several ports of a machine, which share the cookies of a browser, and tokens of
// any characters.
func TestCookies(t *testing.T) {
	jar := must.Get(cookiejar.New(nil))(t)
	client := &http.Client{Jar: jar}
	var addresses []string
	for _, token := range []string{"one", `zwei "drei"; vier, fünf\`, "\u202esechs\x01"} {
		s := httptest.NewServer(Guard(Config{Token: token}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
		t.Cleanup(s.Close)
		addresses = append(addresses, s.URL)
		must.Succeed(t, must.Err(client.Get(s.URL+"/?"+url.Values{"token": {token}}.Encode())))
	}
	for i, address := range addresses {
		if a, err := client.Get(address + "/"); err != nil || a.StatusCode != 200 {
			t.Errorf("server %d: %v, %v", i, a, err)
		}
	}
}

// TestSecureCookie: a browser that reaches the server by TLS sends the cookie only so.
func TestSecureCookie(t *testing.T) {
	for proto, want := range map[string]bool{"": false, "http": false, "https": true} {
		r := httptest.NewRequest("GET", "http://localhost/?token=secret", nil)
		r.Header.Set("X-Forwarded-Proto", proto)
		w := httptest.NewRecorder()
		Guard(Config{Token: "secret"}, http.NotFoundHandler()).ServeHTTP(w, r)
		if c := w.Result().Cookies(); len(c) != 1 || c[0].Secure != want {
			t.Errorf("X-Forwarded-Proto %q: %v", proto, c)
		}
	}
}
