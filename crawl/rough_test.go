package crawl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"chaffinch/crawl/fetch"
)

// roughWeb is a web of hosts of which half misbehave, over pipes and in the time of a test's
// bubble. The behaviour of a host follows from its number. Every connection is reported to a
// judge.
type roughWeb struct {
	hosts int
	cert  tls.Certificate
	bomb  []byte

	mu      sync.Mutex
	judge   *roughJudge
	lookups map[int]int
}

// Kinds of robots.txt.
const (
	robotsNone = iota // status 404
	robotsRules
	robotsAgent    // rules in a group of ours; others may do nothing
	robotsUTF16    // rules
	robotsLong     // rules, then 600 KiB
	robotsOldMac   // rules, with carriage returns alone
	robotsRedirect // rules, on another host
	robotsFar      // rules, on another host, and that sends on to a third
	robotsBusy     // 503 with a time, later rules
	robotsBusy429  // 429 without a time, later rules
	robotsChanged  // first all is allowed, after a day rules
	robotsLater500 // rules, later only failures: the last copy serves
	robotsTen      // Crawl-delay 10
	robotsHalf     // Crawl-delay 0.5
	robotsTwoHours // Crawl-delay 7200: not to be visited
	robotsUsage    // rules, and the text is not for training
	robotsHTML     // a page in its place: no rules
	robots403      // no rules
	robotsLoop     // sends to itself: no rules
	robotsAll      // everything is forbidden
	robots500      // everything is forbidden, as of all that follow
	robotsHang
	robotsReset
	robotsHalfFile
	robotsKinds
)

// Kinds of pages.
const (
	pageGood = iota
	pageSlow
	page500
	pageHang
	pageBusy
	pageBusyDate
	pageBusyNone
	pageBusyAbsurd
	pageRedirects
	pagePrivate // redirects to addresses that are not public
	pageCalendar
	pageNofollow
	pageNoindex
	pageHeader // X-Robots-Tag
	pageTDM
	pageReset
	pageHalf
	pageBomb
	pageHeaders
	pageFalseLength
	pageNoName
	pageNoServer
	pageSilent
	pageTenNet
	pageRebind
	pageKinds
)

func robotsKind(host int) int {
	if host%2 == 0 {
		return robotsNone
	}
	return host / 2 % robotsKinds
}

func pageKind(host int) int {
	if host%3 != 2 {
		return pageGood
	}
	return host / 3 * 7 % pageKinds
}

func roughName(host int) string { return fmt.Sprintf("h%d.example", host) }

func roughHost(name string) int {
	var host int
	if _, err := fmt.Sscanf(name, "h%d.example", &host); err != nil {
		return -1
	}
	return host
}

func roughPages(host int) int { return 8 + host*37%400 }

// roughAddress is that of a host; three of them share one.
func roughAddress(host int) netip.Addr {
	n := host/3 + 1
	return netip.AddrFrom4([4]byte{20, byte(n >> 16), byte(n >> 8), byte(n)})
}

// forbids is what the rules of all these robots.txt say, in code.
func forbids(path string) bool {
	return strings.HasPrefix(path, "/secret") && !strings.HasPrefix(path, "/secret/open") || strings.HasSuffix(path, ".pdf")
}

const roughRules = "Disallow: /secret\nAllow: /secret/open\nDisallow: /*.pdf$\n"

func newRoughWeb(hosts int, judge *roughJudge) *roughWeb {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 30<<20))
	z.Close()
	return &roughWeb{hosts: hosts, judge: judge, lookups: map[int]int{}, bomb: bomb.Bytes(), cert: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}}
}

// Lookup answers as name servers do.
func (w *roughWeb) Lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	host := roughHost(name)
	w.mu.Lock()
	w.lookups[host]++
	times := w.lookups[host]
	w.mu.Unlock()
	switch kind := pageKind(host); {
	case host < 0 || kind == pageNoName:
		return nil, fetch.ErrNoName
	case kind == pageTenNet, kind == pageRebind && times%3 == 0:
		return []netip.Addr{netip.AddrFrom4([4]byte{10, 1, 2, 3})}, nil
	}
	return []netip.Addr{roughAddress(host)}, nil
}

// Dial connects to a server.
func (w *roughWeb) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	v := &visit{begin: time.Now(), to: to}
	w.mu.Lock()
	w.judge.dial(v)
	w.mu.Unlock()
	b := to.Addr().As4()
	first := (int(b[1])<<16 + int(b[2])<<8 + int(b[3]) - 1) * 3
	for host := first; host < first+3; host++ { // the address has all of its hosts' faults
		switch pageKind(host) {
		case pageNoServer:
			w.end(v)
			return nil, errors.New("connection refused")
		case pageSilent:
			<-ctx.Done()
			w.end(v)
			return nil, ctx.Err()
		}
	}
	client, server := net.Pipe()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.judge.connected(to.Addr(), 1)
	go w.serve(server, v)
	return &roughConn{client, sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.judge.connected(to.Addr(), -1)
	})}, nil
}

// roughConn reports when its client closes it.
type roughConn struct {
	net.Conn
	closed func()
}

func (c *roughConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// end reports the end of a visit to the judge, once.
func (w *roughWeb) end(v *visit) {
	if !v.end.IsZero() {
		return
	}
	v.end = time.Now()
	w.mu.Lock()
	w.judge.ended(v)
	w.mu.Unlock()
}

// serve answers the requests on a connection.
func (w *roughWeb) serve(conn net.Conn, v *visit) {
	defer conn.Close()
	wire := conn
	v.scheme = "http"
	if v.to.Port() == 443 {
		v.scheme = "https"
		conn = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{w.cert}})
	}
	in := bufio.NewReader(conn)
	for more := w.serveOne(wire, conn, in, v); more; more = w.serveOne(wire, conn, in, v) {
		if _, err := in.Peek(1); err != nil {
			return
		}
		v = &visit{begin: time.Now(), to: v.to, scheme: v.scheme}
		w.mu.Lock()
		w.judge.dial(v)
		w.judge.again++
		w.mu.Unlock()
	}
}

// serveOne answers one request and reports whether another may follow.
func (w *roughWeb) serveOne(wire, conn net.Conn, in *bufio.Reader, v *visit) bool {
	defer w.end(v)
	req, err := http.ReadRequest(in)
	if err != nil {
		return false
	}
	name, _, _ := strings.Cut(req.Host, ":")
	v.host, v.name, v.origin, v.path, v.agent = roughHost(name), name, v.scheme+"://"+req.Host, req.URL.RequestURI(), req.UserAgent()
	v.cookie = req.Header.Get("Cookie") != ""
	w.mu.Lock()
	a := w.judge.answer(v)
	w.mu.Unlock()
	if a.sleep > 0 {
		wire.SetReadDeadline(time.Now().Add(a.sleep))
		if _, err := wire.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			return false // the client has enough
		}
		wire.SetReadDeadline(time.Time{})
	}
	switch {
	case a.hang:
		wire.Read(make([]byte, 1)) // until the client has enough
		return false
	case a.reset:
		return false
	}
	b := a.bytes()
	last := len(b) - 1
	if _, err := conn.Write(b[:last]); err == nil && !a.short {
		v.answered = true
		w.end(v) // before the client can know that it has all
	}
	_, err = conn.Write(b[last:])
	if a.short && a.hangs {
		wire.Read(make([]byte, 1))
	}
	return err == nil && !a.short && v.host%5 != 0 // some hosts close
}

// rawAnswer is what a server sends.
type rawAnswer struct {
	status              int
	head                string
	body                []byte
	sleep               time.Duration
	hang, reset         bool
	short, hangs        bool // the body is shorter than it says, and the connection stays open
	retry               time.Duration
	busy, grants, fails bool
}

func (a *rawAnswer) bytes() []byte {
	length := len(a.body)
	if a.short {
		length += 5000
	}
	return append(fmt.Appendf(nil, "HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n", a.status, length, a.head), a.body...)
}

// robots answers a request for a robots.txt for the time'th time; far is the number
// of redirects that led there.
func (w *roughWeb) robots(host int, origin string, times, far int, age time.Duration) (a rawAnswer) {
	a = rawAnswer{status: 200, head: "Content-Type: text/plain\r\n", grants: true}
	rules := "User-agent: *\n" + roughRules
	switch robotsKind(host) {
	case robotsNone:
		a.status = 404
	case robots403:
		a.status = 403
	case robotsRules:
		a.body = []byte(rules)
	case robotsAgent:
		a.body = []byte("User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-Agent: Chaffinch\n" + roughRules)
	case robotsUTF16:
		a.body = []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(rules)) {
			a.body = append(a.body, byte(u), byte(u>>8))
		}
	case robotsLong:
		a.body = []byte(rules + strings.Repeat("# nothing to be seen here\n", 24_000) + "Allow: /secret\n")
	case robotsOldMac:
		a.body = []byte(strings.ReplaceAll(rules, "\n", "\r"))
	case robotsRedirect, robotsFar:
		hops := 1 + robotsKind(host) - robotsRedirect
		if far < hops {
			next := 4 * ((host + far*3) % (w.hosts / 4)) // one that has no robots.txt of its own
			a.status, a.grants = 301, false
			a.head = fmt.Sprintf("Location: http://%s/robots-of?%s&%d\r\n", roughName(next), origin, far+1)
			return a
		}
		a.body = []byte(rules)
	case robotsBusy:
		if a.body = []byte(rules); times <= 2 {
			a.status, a.head, a.grants, a.busy, a.retry = 503, "Retry-After: 300\r\n", false, true, 300*time.Second
		}
	case robotsBusy429:
		if a.body = []byte(rules); times <= 2 {
			a.status, a.grants, a.busy = 429, false, true
		}
	case robotsChanged:
		if age > 12*time.Hour {
			a.body = []byte(rules)
		}
	case robotsLater500:
		if a.body = []byte(rules); times > 1 {
			a.status, a.grants, a.fails = 500, false, true
		}
	case robotsTen:
		a.body = []byte(rules + "Crawl-delay: 10\n")
	case robotsHalf:
		a.body = []byte(rules + "Crawl-delay: 0.5\n")
	case robotsTwoHours:
		a.body = []byte(rules + "Crawl-delay: 7200\n")
	case robotsUsage:
		a.body = []byte(rules + "Content-Usage: train-ai=n\n")
	case robotsHTML:
		a.head, a.body = "Content-Type: text/html\r\n", []byte("<!doctype html><title>Welcome</title><p>Welcome to this host.")
	case robotsLoop:
		a.status, a.head, a.grants = 302, "Location: /robots.txt\r\n", times%6 == 0
	case robotsAll:
		a.body = []byte("User-agent: *\nDisallow: /\n")
	case robots500:
		a.status, a.grants, a.fails = 500, false, true
	case robotsHang:
		a.hang, a.grants, a.fails = true, false, true
	case robotsReset:
		a.reset, a.grants, a.fails = true, false, true
	case robotsHalfFile:
		a.body, a.short, a.grants, a.fails = []byte(rules), true, false, true
	}
	return a
}

// page answers a request for a page.
func (w *roughWeb) page(host int, path string, times int) (a rawAnswer) {
	a = rawAnswer{status: 200, head: "Content-Type: text/html; charset=utf-8\r\n", sleep: time.Duration(20+host%200) * time.Millisecond}
	number := 0
	for _, c := range path {
		number = (number*31 + int(c)) & 0xffffff
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(path, "/p")); err == nil {
		number = n
	}
	meta := ""
	switch pageKind(host) {
	case pageSlow:
		a.sleep = time.Duration(3+number%17) * time.Second
	case page500:
		a.status = 500
	case pageHang:
		a.hang, a.fails = number%2 == 0, number%2 == 0
	case pageReset:
		a.reset, a.fails = number%3 == 0, number%3 == 0
	case pageHalf:
		a.short, a.hangs = true, number%3 == 0
	case pageBusy:
		if number%4 == 0 && times == 1 {
			a.status, a.head, a.busy, a.retry = 429, "Retry-After: 90\r\n", true, 90*time.Second
		}
	case pageBusyDate:
		if number%4 == 0 && times == 1 {
			at := time.Now().Add(a.sleep + 400*time.Second)
			a.status, a.head, a.busy, a.retry = 503, "Retry-After: "+at.UTC().Format(http.TimeFormat)+"\r\n", true, 399*time.Second
		}
	case pageBusyNone:
		if number%4 == 0 && times == 1 {
			a.status, a.busy = 503, true
		}
	case pageBusyAbsurd:
		if number%8 == 0 && times == 1 {
			a.status, a.head, a.busy, a.retry = 429, "Retry-After: 1999999999\r\n", true, 24*time.Hour
		}
	case pageRedirects:
		if number%2 == 0 {
			a.status, a.head = 302, fmt.Sprintf("Location: /p%d\r\n", (number*2+2)%roughPages(host))
		}
	case pagePrivate:
		to := []string{"http://127.0.0.1/", "http://[::1]/", "http://10.0.0.7/x", "http://169.254.169.254/latest", "http://h4.example:22/", "http://[::ffff:192.168.0.1]/", "http://0x7f.1/", "ftp://h4.example/"}
		a.status, a.head = 302, "Location: "+to[number%len(to)]+"\r\n"
	case pageNofollow:
		meta = "<meta name=robots content=nofollow>"
	case pageNoindex:
		meta = "<meta name=Robots content='noarchive, NOINDEX'>"
	case pageHeader:
		a.head += "X-Robots-Tag: other: none, chaffinch: noindex\r\n"
	case pageTDM:
		a.head += "tdm-reservation: 1\r\n"
	case pageHeaders:
		if number%4 == 0 {
			a.head += strings.Repeat("X-Filler: and so on and so on\r\n", 5000)
		}
	case pageBomb:
		if number%16 == 0 {
			a.head, a.body = a.head+"Content-Encoding: gzip\r\n", w.bomb
			return a
		}
	case pageFalseLength:
		a.short = number%2 == 0
	}
	a.body = w.html(host, number, path, meta)
	return a
}

// html is a page with links of all kinds.
func (w *roughWeb) html(host, number int, path, meta string) []byte {
	rng := mathrand.New(mathrand.NewPCG(uint64(host), uint64(number)))
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head>%s<title>Harbour %d of host %d</title></head><body><nav>", meta, number, host)
	for range 5 {
		fmt.Fprintf(&b, "<a href='/p%d'>more</a> ", rng.IntN(roughPages(host)))
	}
	fmt.Fprintf(&b, "<a href='/secret/%d'>a</a> <a href='/secret/open/%d'>b</a> <a href='/plan%d.pdf'>c</a> <a rel='external NoFollow' href='/unfollowed/%d'>d</a> ", number%50, number%50, number%50, number)
	if pageKind(host) == pageCalendar {
		fmt.Fprintf(&b, "<a href='/day/%d?month=%d'>next day</a> ", rng.IntN(1<<30), rng.IntN(1<<30))
	}
	if pageKind(host) == pageNofollow {
		fmt.Fprintf(&b, "<a href='/unfollowed/%d'>e</a> ", number)
	}
	for range 3 {
		to := rng.IntN(w.hosts)
		origin := "http://" + roughName(to)
		switch {
		case to%25 == 1:
			origin = "https://" + roughName(to)
		case to%30 == 4 && rng.IntN(2) == 0:
			origin += ":8080"
		}
		fmt.Fprintf(&b, "<a href='%s/p%d'>elsewhere</a> ", origin, rng.IntN(roughPages(to)))
	}
	b.WriteString("</nav><article>")
	for i := range 3 {
		fmt.Fprintf(&b, "<p>The boats of harbour number %d went out to the banks in the morning, %d of them, and came back with the tide late in the evening, as they had done on day %d of the year before that one.</p>", host, rng.IntN(1000), i+number)
	}
	b.WriteString("</article></body></html>")
	return b.Bytes()
}
