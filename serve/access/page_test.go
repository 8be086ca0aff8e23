package access

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// TestPage: a browser without the token gets a page with a field, which lets it in at the
// address where it was; programs get a problem.
func TestPage(t *testing.T) {
	guard := Guard(Config{Token: "secret"}, http.NotFoundHandler())
	ask := func(method, target, accept, body, site string) *http.Response {
		r := httptest.NewRequest(method, "http://localhost"+strings.TrimPrefix(target, "http://localhost"), strings.NewReader(body))
		r.Header.Set("Accept", accept)
		if body != "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s %s: the answer has the token", method, target)
		}
		if isPage := strings.Contains(w.Body.String(), `name="token"`); isPage != (accept == browser && w.Code == 401) {
			t.Errorf("%s %s by %s: a page: %v", method, target, accept, isPage)
		}
		return w.Result()
	}
	for _, target := range []string{"/", "/v1/corpora", "/?token=wrong", "/docs"} {
		for _, accept := range []string{browser, "*/*", "application/json", ""} {
			if a := ask("GET", target, accept, "", "none"); a.StatusCode != 401 || a.Header.Get("WWW-Authenticate") == "" && !strings.Contains(target, "wrong") {
				t.Errorf("%s by %s: status %d", target, accept, a.StatusCode)
			}
		}
	}
	a := ask("GET", "/", browser, "", "none")
	if p := a.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || !strings.Contains(p, "form-action 'self'") || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("policy %q, %v", p, a.Header)
	}
	right := url.Values{"token": {" secret "}}.Encode()
	for target, to := range map[string]string{"/": "/", "/docs": "/docs", "/v1/corpora/a%20b?x=1&y=%26": "/v1/corpora/a%20b?x=1&y=%26", "//evil.example/x": "/evil.example/x", "/\\evil.example": "/%5Cevil.example"} {
		a := ask("POST", "http://localhost"+target, browser, right, "same-origin")
		if c := a.Cookies(); a.StatusCode != 303 || a.Header.Get("Location") != to || len(c) != 1 || c[0].Value != "c2VjcmV0" || !c[0].HttpOnly {
			t.Errorf("%s: status %d to %q, cookies %v", target, a.StatusCode, a.Header.Get("Location"), c)
		}
	}
	for _, c := range []struct {
		body, accept, site string
		want               int
	}{
		{"token=wrong", browser, "same-origin", 401}, {"x=secret", browser, "same-origin", 401}, {right, browser, "cross-site", 403},
		{right, "*/*", "same-origin", 401}, {"token=" + strings.Repeat("x", 10_000), browser, "same-origin", 401},
	} {
		if a := ask("POST", "/", c.accept, c.body, c.site); a.StatusCode != c.want || len(a.Cookies()) > 0 {
			t.Errorf("%.20s by %s from %s: status %d, wanted %d", c.body, c.accept, c.site, a.StatusCode, c.want)
		}
	}
}
