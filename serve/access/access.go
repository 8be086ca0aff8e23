// Package access controls access to a server on a machine, by host name, token and origin of
// a request. [Guard] wraps a handler.
//
// Any web page in a browser can send requests to the local machine, also under a name of its
// own site (DNS rebinding). So a server on the loopback interface accepts only the names of
// that interface; a request that changes data must not come from another site (headers
// Sec-Fetch-Site and Origin); and everything except health checks needs the token, which is
// printed with the server's address, or the token of a user. [Who] returns the user.
//
// Unstable: this package may change in any release.
package access

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chaffinch/serve/problem"
)

// Config says who may ask.
type Config struct {
	// Hosts lists the accepted host names, without port; none means
	// Loopback. "*" accepts every name.
	Hosts []string
	// Token is the token that clients must send; "" disables the check.
	Token string
	// Users returns the user with a token. Default: nil, no users besides the Owner.
	Users func(token string) (User, bool)
	// Public are paths that need no token, such as /healthz.
	Public []string
}

// User is the user of a request. The zero User is anonymous.
type User struct {
	Name string
	// Admin allows the user to manage the server.
	Admin bool
}

// Owner is the user who sends [Config.Token], and everyone on a server without a token.
var Owner = User{Name: "owner", Admin: true}

type userKey struct{}

// Who returns the user of a request, which [Guard] has identified.
func Who(ctx context.Context) User {
	u, _ := ctx.Value(userKey{}).(User)
	return u
}

// As returns a context of a request of a user.
func As(ctx context.Context, u User) context.Context { return context.WithValue(ctx, userKey{}, u) }

// Loopback are the names of the loopback interface.
var Loopback = []string{"localhost", "127.0.0.1", "::1"}

// cookieName returns the name under which a browser keeps the token. Servers on several ports of a
// host share cookies, so the name has the port.
func cookieName(r *http.Request) string {
	const name = "chaffinch-token"
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return name + "-" + port
	}
	return name
}

// cookieText encodes a token, since a cookie cannot hold all characters.
var cookieText = base64.RawURLEncoding

// Guard returns a handler that lets those requests through to next that may come.
func Guard(cfg Config, next http.Handler) http.Handler {
	hosts := cfg.Hosts
	if len(hosts) == 0 {
		hosts = Loopback
	}
	g := &guard{cfg: cfg, hosts: hosts, sameSite: http.NewCrossOriginProtection()}
	g.sameSite.SetDenyHandler(http.HandlerFunc(g.foreign))
	g.next = g.sameSite.Handler(next)
	return g
}

type guard struct {
	cfg      Config
	hosts    []string
	sameSite *http.CrossOriginProtection
	next     http.Handler
}

// foreign refuses a request from another site.
func (g *guard) foreign(w http.ResponseWriter, r *http.Request) {
	problem.New(http.StatusForbidden, "the request comes from a page of another site (%s)", origin(r)).Write(w)
}

// origin returns the origin stated by a request.
func origin(r *http.Request) string {
	if o := r.Header.Get("Origin"); o != "" {
		return "Origin: " + o
	}
	return "Sec-Fetch-Site: " + r.Header.Get("Sec-Fetch-Site")
}

// ServeHTTP checks the host name, then the token, then the origin.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.answersTo(r.Host) {
		problem.New(http.StatusForbidden, "unknown host name %q: wanted one of %s", r.Host, strings.Join(g.hosts, ", ")).Write(w)
		return
	}
	if slices.Contains(g.cfg.Public, r.URL.Path) {
		g.next.ServeHTTP(w, r)
		return
	}
	if g.cfg.Token == "" {
		g.next.ServeHTTP(w, r.WithContext(As(r.Context(), Owner)))
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("token") {
		g.enter(w, r)
		return
	}
	user, ok := g.user(r)
	if !ok {
		switch {
		case isTokenForm(r):
			g.take(w, r)
			return
		case wantsPage(r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="chaffinch"`)
			ask(w, false)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="chaffinch"`)
		problem.New(http.StatusUnauthorized, "missing or wrong token: open the address printed by the server, or send the header Authorization: Bearer TOKEN").Write(w)
		return
	}
	g.next.ServeHTTP(w, r.WithContext(As(r.Context(), user)))
}

// answersTo reports whether the server accepts the name in a Host header.
func (g *guard) answersTo(host string) bool {
	if slices.Contains(g.hosts, "*") {
		return true
	}
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	return slices.ContainsFunc(g.hosts, func(h string) bool { return strings.ToLower(h) == name })
}

// enter gives a browser that comes with the token in the address a cookie, and sends
// it to the same address without the token, so that it does not stay in the history.
func (g *guard) enter(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	token := q.Get("token")
	if _, ok := g.find(token); !ok {
		if wantsPage(r) {
			ask(w, true)
			return
		}
		problem.New(http.StatusUnauthorized, "wrong token in the address: open the address printed by the server").Write(w)
		return
	}
	q.Del("token")
	g.remember(w, r, token)
	http.Redirect(w, r, (&url.URL{Path: "/", RawQuery: q.Encode()}).String(), http.StatusSeeOther)
}

// remember gives a browser the cookie.
func (g *guard) remember(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: cookieText.EncodeToString([]byte(token)), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"})
	w.Header().Set("Cache-Control", "no-store")
}

// user returns the user whose token a request has.
func (g *guard) user(r *http.Request) (User, bool) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		if u, ok := g.find(strings.TrimSpace(token)); ok {
			return u, true
		}
	}
	for _, c := range r.CookiesNamed(cookieName(r)) {
		if token, err := cookieText.DecodeString(c.Value); err == nil {
			if u, ok := g.find(string(token)); ok {
				return u, true
			}
		}
	}
	return User{}, false
}

// find returns the user with a token. Tokens are compared in constant time.
func (g *guard) find(token string) (User, bool) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(g.cfg.Token)) == 1 {
		return Owner, true
	}
	if g.cfg.Users == nil {
		return User{}, false
	}
	return g.cfg.Users(token)
}
