//go:build unix

package render

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// site is a web in memory: bodies by URL. It records the requests.
type site struct {
	pages map[string]string
	mu    sync.Mutex
	asked []string
}

func (s *site) fetch(_ context.Context, u weburl.URL, _ string) (*fetch.Result, error) {
	s.mu.Lock()
	s.asked = append(s.asked, u.String())
	s.mu.Unlock()
	body, ok := s.pages[u.String()]
	if !ok {
		return response(404, "text/plain", "none"), nil
	}
	media := "application/json"
	if strings.HasSuffix(u.Path(), ".js") {
		media = "text/javascript"
	}
	return response(200, media, body), nil
}

func response(status int, media, body string) *fetch.Result {
	return &fetch.Result{Status: status, Header: warc.Header{{Name: "Content-Type", Value: media}}, Body: []byte(body)}
}

// newPool returns a pool with the browser of the machine.
func newPool(t *testing.T, change func(*Config)) *Pool {
	t.Helper()
	testkit.Browser(t) // skips the test if there is none
	cfg := Default
	cfg.NoSandbox = os.Geteuid() == 0
	if change != nil {
		change(&cfg)
	}
	p := must.Get(New(cfg))(t)
	t.Cleanup(func() { p.Close() })
	return p
}

const address = "https://page.example/one"

// render renders a page with this body.
func (s *site) render(t *testing.T, p *Pool, body string) (*Result, error) {
	t.Helper()
	u := must.Get(weburl.Parse(address, nil))(t)
	return p.Render(t.Context(), Page{URL: u, Document: response(200, "text/html; charset=utf-8", body), Fetch: s.fetch})
}

// TestRender renders a page whose text comes from a script and two requests to other hosts, one of
// which needs a preflight.
func TestRender(t *testing.T) {
	s := &site{pages: map[string]string{
		"https://page.example/app.js": `
			const show = text => document.getElementById("root").insertAdjacentHTML("beforeend", "<p>" + text + "</p>");
			show("by a script");
			setTimeout(() => fetch("https://api.example/text").then(r => r.json()).then(j => show(j.text)), 2000);
			const x = new XMLHttpRequest();
			x.open("GET", "https://api.example/more"); x.setRequestHeader("X-Key", "1");
			x.onload = () => show(JSON.parse(x.responseText).text); x.send();
			const host = document.body.appendChild(document.createElement("div"));
			host.attachShadow({mode: "open"}).innerHTML = "<p>in a shadow</p>";
			history.pushState({}, "", "/two");
			requestIdleCallback(() => requestAnimationFrame(() => show("when idle")));`,
		"https://api.example/text": `{"text": "by a request späť"}`,
		"https://api.example/more": `{"text": "by another"}`,
	}}
	p := newPool(t, nil)
	start := time.Now()
	res, err := s.render(t, p, `<!DOCTYPE html><link rel=stylesheet href=/s.css><img src=/i.png><iframe src=/frame></iframe><div id=root></div><script src=/app.js></script>`)
	must.Succeed(t, err)
	for _, want := range []string{"<p>by a script</p>", "<p>by a request späť</p>", "<p>by another</p>", "<p>when idle</p>", "<p>in a shadow</p>"} {
		if !strings.Contains(res.HTML, want) {
			t.Errorf("no %s in %s", want, res.HTML)
		}
	}
	if res.Cut || !res.Location.IsZero() || res.Requests != 3 || len(s.asked) != 3 {
		t.Errorf("%+v, requests %q, wanted 3 requests: style sheets, images and frames are not fetched", res, s.asked)
	}
	t.Logf("%v with the start of the browser", time.Since(start))
}

// TestRenderNothingArrives renders a page that tries to reach a listener on this machine, and wants
// no connection.
func TestRenderNothingArrives(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	var arrived atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			arrived.Add(1)
			c.Close()
		}
	}()
	udp := must.Get(net.ListenPacket("udp", "127.0.0.1:0"))(t)
	defer udp.Close()
	go func() {
		for b := make([]byte, 2000); ; {
			if _, _, err := udp.ReadFrom(b); err != nil {
				return
			}
			arrived.Add(1)
		}
	}()
	target, stun := l.Addr().String(), udp.LocalAddr().String()
	_, port, _ := net.SplitHostPort(target)
	attack := fmt.Sprintf(`
		const tried = [];
		const attempt = (name, f) => { try { f(); tried.push(name); } catch (e) { tried.push(name + "?"); } };
		for (const host of [%q, "localhost:%s", "[::ffff:127.0.0.1]:%[2]s"]) {
			attempt("socket", () => new WebSocket("ws://" + host + "/socket"));
			attempt("fetch", () => fetch("http://" + host + "/fetch", {mode: "no-cors"}).catch(() => {}));
			attempt("post", () => fetch("http://" + host + "/post", {method: "POST", mode: "no-cors", body: "x", keepalive: true}).catch(() => {}));
			attempt("events", () => new EventSource("http://" + host + "/events"));
			attempt("beacon", () => navigator.sendBeacon("http://" + host + "/beacon", "x"));
			attempt("image", () => new Image().src = "http://" + host + "/image");
			attempt("transport", () => new WebTransport("https://" + host + "/transport"));
			if (globalThis.document) attempt("elements", () => document.body.insertAdjacentHTML("beforeend",
				["<link rel=preconnect href=http://H>", "<link rel=dns-prefetch href=http://H>", "<link rel=prefetch href=http://H/prefetch>", "<link rel=prerender href=http://H/prerender>",
				"<iframe src=http://H/frame></iframe>", "<object data=http://H/object></object>", "<embed src=http://H/a.pdf>", "<video src=http://H/video></video>",
				"<a ping=http://H/ping href='#x' id=ping>x</a>", "<form id=f method=post target=_blank action=http://H/form></form>",
				"<a download href=http://H/file id=load>x</a>"].join("").replaceAll("H", host)));
		}
		if (globalThis.document) {
			attempt("clicks", () => { document.getElementById("ping").click(); document.getElementById("load").click(); document.getElementById("f").submit(); });
			attempt("window", () => open("http://%[1]s/window"));
			attempt("webrtc", () => { const p = new RTCPeerConnection({iceServers: [{urls: "stun:%[3]s"}, {urls: "turn:%[1]s?transport=tcp", username: "a", credential: "b"}]});
				p.createDataChannel("x"); p.createOffer().then(o => p.setLocalDescription(o)); });
			attempt("rules", () => { const s = document.createElement("script"); s.type = "speculationrules"; s.text = '{"prerender":[{"source":"list","urls":["http://%[1]s/speculated"]}]}'; document.head.append(s); });
			attempt("service", () => navigator.serviceWorker.register("/worker.js"));
			for (const e of ["worker", "shared"]) attempt(e, () => e === "worker" ? new Worker("/worker.js") : new SharedWorker("/worker.js"));
			attempt("blob", () => new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://%[1]s/blob')"]))));
			document.title = tried.join(" ");
		}`, target, port, stun)
	refused := 0
	s := &site{}
	s.pages = map[string]string{"https://page.example/worker.js": attack, "https://page.example/attack.js": attack}
	p := newPool(t, nil)
	u := must.Get(weburl.Parse(address, nil))(t)
	res, err := p.Render(t.Context(), Page{URL: u, Document: response(200, "text/html", `<title>x</title><body><script src=/attack.js></script></body>`), Fetch: func(ctx context.Context, u weburl.URL, accept string) (*fetch.Result, error) {
		if strings.Contains(u.HostPort(), port) {
			refused++ // as the fetcher refuses private addresses
			return nil, errors.New("private address")
		}
		return s.fetch(ctx, u, accept)
	}})
	must.Succeed(t, err)
	if !strings.Contains(res.HTML, "socket fetch post events beacon image") || !strings.Contains(res.HTML, "worker") {
		t.Errorf("the page did not try all: %s", res.HTML)
	}
	time.Sleep(time.Second)
	if n := arrived.Load(); n != 0 {
		t.Errorf("%d connections arrived, wanted none", n)
	}
	if refused == 0 {
		t.Error("no request reached the fetcher, wanted those of fetch")
	}
}

// TestRenderLimits renders pages that do not end, and pages that end the browser: each gets a result
// or a reason, and the next page is rendered.
func TestRenderLimits(t *testing.T) {
	p := newPool(t, func(cfg *Config) {
		cfg.Time, cfg.Pages, cfg.Memory = 12*time.Second, 3, 900<<20
	})
	s := &site{}
	for _, test := range []struct {
		name, script string
		want         string // in the HTML
		reasons      []Reason
		location     string
	}{
		{name: "timers", script: `let n = 0; setInterval(() => document.title = ++n, 1); (function f() { requestAnimationFrame(f) })(); (function g() { setTimeout(g) })()`, want: "first"},
		{name: "dialogs", script: `alert(1); confirm(2); prompt(3); print(); document.body.append("after the dialogs"); onbeforeunload = e => { e.preventDefault(); return "no" }`, want: "after the dialogs"},
		{name: "loop", script: `for (;;) {}`, want: "first"},
		{name: "redirect", script: `location.href = "/elsewhere?a=1"`, want: "first", location: "https://page.example/elsewhere?a=1"},
		{name: "reload", script: `location.reload()`, want: "first"},
		{name: "large", script: `for (let i = 0; i < 100; i++) { const p = document.createElement("p"); p.textContent = "x".repeat(1 << 20); document.body.append(p) }`, reasons: []Reason{TooLarge, TooSlow, TooMuch}},
		{name: "heap", script: `const a = []; for (let i = 0;; i++) a.push(new Array(1e5).fill(i))`, want: "first", reasons: []Reason{Crashed, TooSlow}}, // on a slow machine the time ends first
		{name: "memory", script: `globalThis.a = []; for (let i = 0; i < 24; i++) a.push(new Uint8Array(1 << 26).fill(i)); document.body.append("done")`, reasons: []Reason{TooMuch}},
		{name: "requests", script: `for (let i = 0; i < 200; i++) fetch("/" + i).catch(() => {})`, want: "first"},
	} {
		s.asked = nil
		start := time.Now()
		res, err := s.render(t, p, `<body><p>first</p><script>`+test.script+`</script>`)
		t.Logf("%s: %v, %v", test.name, time.Since(start).Round(time.Millisecond), err)
		switch e, _ := errors.AsType[*Error](err); {
		case err == nil && test.want == "":
			t.Errorf("%s: %.200q, wanted a reason of %s", test.name, res.HTML, test.reasons)
		case err != nil && test.reasons == nil:
			t.Errorf("%s: %v", test.name, err)
		case err != nil && test.reasons != nil && !slices.Contains(test.reasons, e.Reason):
			t.Errorf("%s: %v, wanted %s", test.name, err, test.reasons)
		case err == nil && (!strings.Contains(res.HTML, test.want) || res.Location.String() != test.location):
			t.Errorf("%s: %q, redirect to %s, wanted %q and %q", test.name, res.HTML, res.Location, test.want, test.location)
		case len(s.asked) > Default.MaxRequests:
			t.Errorf("%s: %d requests, wanted at most %d", test.name, len(s.asked), Default.MaxRequests)
		}
	}
	if res, err := s.render(t, p, "<p>still here</p>"); err != nil || !strings.Contains(res.HTML, "still here") {
		t.Errorf("the next page: %v, %v", res, err)
	}
}

// TestRenderCrash kills the browser while it renders. The page gets a reason and the next page a new
// browser; after Close, no process is left.
func TestRenderCrash(t *testing.T) {
	p := newPool(t, nil)
	s := &site{}
	u, err := weburl.Parse(address, nil)
	must.Succeed(t, err)
	var pid int
	_, err = p.Render(t.Context(), Page{URL: u, Document: response(200, "text/html", `<script src=/a.js></script>`), Fetch: func(ctx context.Context, _ weburl.URL, _ string) (*fetch.Result, error) {
		pid = p.browser.cmd.Process.Pid
		must.Succeed(t, syscall.Kill(pid, syscall.SIGKILL))
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if e, ok := errors.AsType[*Error](err); !ok || e.Reason != Crashed {
		t.Errorf("%v, wanted the reason crashed", err)
	}
	res, err := s.render(t, p, "<p>next</p>")
	if err != nil || !strings.Contains(res.HTML, "next") {
		t.Errorf("the next page: %v, %v", res, err)
	}
	last := p.browser.cmd.Process.Pid
	must.Succeed(t, p.Close())
	for _, group := range []int{pid, last} {
		if n := groupMemory(group); n > 0 {
			t.Errorf("processes of the browser %d are left, with %d bytes", group, n)
		}
	}
	if _, err := s.render(t, p, "<p>closed</p>"); err == nil {
		t.Error("a closed pool renders a page")
	}
}
