package render

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// fakeBrowser answers all calls with the same result. A page has a worker and ends at once.
func fakeBrowser(t *testing.T) *conn {
	in, to, err := os.Pipe()
	must.Succeed(t, err)
	from, out, err := os.Pipe()
	must.Succeed(t, err)
	c := newConn(to, from)
	t.Cleanup(c.close)
	go func() {
		defer in.Close()
		defer out.Close()
		r := bufio.NewReader(in)
		for {
			b, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var call command
			json.Unmarshal(b[:len(b)-1], &call)
			fmt.Fprintf(out, `{"id":%d,"result":{"browserContextId":"c","targetId":"t","sessionId":"main","root":{"nodeId":1},"outerHTML":"<p>x"}}`+"\x00", call.ID)
			if call.Method == "Page.navigate" {
				fmt.Fprint(out, `{"method":"Target.attachedToTarget","sessionId":"main","params":{"sessionId":"worker"}}`+"\x00")
				fmt.Fprint(out, `{"method":"Emulation.virtualTimeBudgetExpired","sessionId":"main"}`+"\x00")
			}
		}
	}()
	return c
}

// TestEnd fails if events of a page are handled after it was rendered.
func TestEnd(t *testing.T) {
	c := fakeBrowser(t)
	cfg := Default
	cfg.Virtual = slice
	b := &browser{cfg: cfg, conn: c}
	u := must.Get(weburl.Parse("https://a.example/", nil))(t)
	res := must.Get(b.render(t.Context(), Page{URL: u, Fetch: func(context.Context, weburl.URL, string) (*fetch.Result, error) { panic("a request") }}))(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if res.HTML != "<p>x" || len(c.sessions) != 0 {
		t.Errorf("%q, %d sessions", res.HTML, len(c.sessions))
	}
}

// TestLateRequest fails if a request is fetched whose event was being handled when the page ended.
func TestLateRequest(t *testing.T) {
	tab := newTab(t.Context(), &browser{cfg: Default, conn: fakeBrowser(t)}, Page{Fetch: func(context.Context, weburl.URL, string) (*fetch.Result, error) { panic("a request") }})
	tab.attach("main")
	tab.end()
	q := request{ResourceType: "Script"}
	q.Request.Method, q.Request.URL = "GET", "https://a.example/x.js"
	tab.pause("main", q)
	tab.fetching.Wait()
	if tab.attach("worker") {
		t.Error("a worker of a page that has ended is attached")
	}
}

// TestFrozen calls a browser that reads nothing.
func TestFrozen(t *testing.T) {
	in, to, err := os.Pipe()
	must.Succeed(t, err)
	from, out, err := os.Pipe()
	must.Succeed(t, err)
	defer in.Close()
	defer out.Close()
	c := newConn(to, from)
	defer c.close()
	c.patience = time.Millisecond
	for _, params := range []string{strings.Repeat("x", 8<<20), ""} {
		if err := c.call(t.Context(), "", "Page.navigate", params, nil); err != errGone {
			t.Errorf("error %v", err)
		}
	}
}
