package serve

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"chaffinch/format/wacz"
	"chaffinch/format/warc"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// archivedPage returns a page that tries to load everything that a page can, from its own address and from
// another server, and links to another page of the archive and to a page that is missing.
func archivedPage(outside string) string {
	return strings.ReplaceAll(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The ferry</title>
<base href="http://OUTSIDE/base/">
<meta http-equiv="refresh" content="1; url=http://OUTSIDE/refresh">
<link rel="stylesheet" href="http://OUTSIDE/sheet.css"><link rel="preconnect" href="http://OUTSIDE/"><link rel="preload" as="script" href="http://OUTSIDE/preload.js">
<link rel="icon" href="http://OUTSIDE/icon.png"><link rel="manifest" href="/manifest.json">
<style>@import url("http://OUTSIDE/import.css"); @font-face { font-family: F; src: url(http://OUTSIDE/font.woff) } body { font-family: F; background: url(http://OUTSIDE/background.png) }</style>
<script src="http://OUTSIDE/script.js"></script><script src="/own.js"></script>
<script>document.documentElement.dataset.script = "ran"; fetch("http://OUTSIDE/fetch"); new WebSocket("ws://OUTSIDE/socket"); navigator.sendBeacon("/beacon")</script>
</head><body onload="document.documentElement.dataset.script = 'ran'; new Image().src = 'http://OUTSIDE/onload.png'">
<h1>The winter ferry</h1>
<p style="background-image: url('http://OUTSIDE/style.png')">The ferry to the island stopped for nine days, and the people who lived there baked their own bread, mended the nets and waited for the ice to break.</p>
<img src="http://OUTSIDE/absolute.png" alt="The pier in winter"><img src="/relative.png" srcset="http://OUTSIDE/set.png 2x" onerror="document.documentElement.dataset.script = 'ran'" alt="">
<picture><source srcset="http://OUTSIDE/source.png"><img src="picture.png" alt="picture"></picture>
<video src="http://OUTSIDE/video.mp4" poster="http://OUTSIDE/poster.png" autoplay></video><audio src="http://OUTSIDE/audio.mp3" autoplay></audio>
<object data="http://OUTSIDE/object"></object><embed src="http://OUTSIDE/embed"><iframe src="http://OUTSIDE/frame"></iframe>
<svg><image href="http://OUTSIDE/svg.png"></image></svg><form action="http://OUTSIDE/form"><input type="image" src="http://OUTSIDE/input.png"></form>
<p><a id="next" href="http://news.example/next" ping="http://OUTSIDE/ping">the next page</a> <a id="missing" href="http://OUTSIDE/missing">a missing page</a> <a id="script" href="javascript:document.documentElement.dataset.script='ran'">a script</a></p>
</body></html>`, "OUTSIDE", outside)
}

// TestPageReplay shows an archived page in the browser: its text appears beside the blocks, the view states
// what is missing, links lead to archived pages, no script runs, and no request leaves the views.
func TestPageReplay(t *testing.T) {
	outside := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer outside.Close()
	var mu sync.Mutex
	var asked []string // requests to the server
	left := 0          // connections to the other server
	go func() {
		for {
			c, err := outside.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			left++
			mu.Unlock()
			c.Close()
		}
	}()
	var b bytes.Buffer
	w := must.Get(warc.NewWriter(&b, warc.WriterConfig{Packing: warc.Gzip}))(t)
	for i, p := range []struct{ url, body string }{
		{"http://news.example/story", archivedPage(outside.Addr().String())},
		{"http://news.example/next", "<p>On the tenth day the ferry came back, and everybody went down to the pier to see it.</p>"},
	} {
		must.Succeed(t, must.Err(w.Write(warc.Entry{Type: "response", URI: p.url, Date: "2026-01-01T00:00:00Z", ID: fmt.Sprintf("<urn:uuid:00000000-0000-0000-0000-%012d>", i), ContentType: "application/http; msgtype=response",
			Block: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\nLink: <http://%s/header.css>; rel=preload; as=style\r\n\r\n%s", len(p.body), outside.Addr(), p.body)})))
	}
	name := must.File(t, "a.warc.gz", b.String())
	archive := must.Get(wacz.Open(t.Context(), name, func(err error) { t.Error(err) }))(t)
	defer archive.Close()
	s := start(t, Config{Archive: archive})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		s.Handler().ServeHTTP(w, r)
	}))
	defer front.Close()
	tab := testkit.NewTab(t, 1300, "violates the following Content Security Policy directive")
	tab.Go(front.URL + "/archive/page?url=" + url.QueryEscape("http://news.example/story"))
	tab.Wait("document.querySelectorAll('iframe')[0].contentDocument?.readyState === 'complete'")
	tab.Eval("new Promise(r => setTimeout(r, 1500))") // a refresh would come
	const content = "document.querySelectorAll('iframe')[0].contentDocument"
	for js, want := range map[string]string{
		"document.querySelector('.note').checkVisibility() && document.querySelector('.note').innerText.includes('without images, style sheets, fonts and scripts')": "true",
		content + ".querySelector('h1').innerText":                                                                      "The winter ferry",
		content + ".body.innerText.includes('waited for the ice to break')":                                             "true",
		content + ".querySelector('img').alt":                                                                           "The pier in winter",
		content + ".documentElement.dataset.script ?? 'no'":                                                             "no",
		content + ".querySelectorAll('script, [src], [srcset], link, meta[http-equiv], base, [action], [ping]').length": "0",
		content + ".querySelector('#missing').href":                                                                     "",
		content + ".querySelector('#missing').title":                                                                    "not in the archive: http://" + outside.Addr().String() + "/missing",
		content + ".querySelector('#script').href":                                                                      "",
	} {
		if got := tab.Eval(js); got != want {
			t.Errorf("%s: %q, wanted %q", js, got, want)
		}
	}
	tab.Eval(content + ".querySelector('#next').click()")
	tab.Wait("document.querySelector('h1')?.innerText === 'http://news.example/next'")
	tab.Wait(content + "?.body?.innerText.includes('On the tenth day')")
	mu.Lock()
	defer mu.Unlock()
	if left > 0 {
		t.Errorf("%d connections to another server", left)
	}
	for _, path := range asked {
		switch path {
		case "/archive/page", "/archive/content", "/archive/blocks", "/favicon.ico":
		default:
			t.Errorf("a request for %s", path)
		}
	}
	if len(asked) < 6 {
		t.Errorf("requests %q, wanted those of two pages", asked)
	}
}
