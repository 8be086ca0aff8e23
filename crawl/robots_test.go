package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// answer is a net with one answer.
type answer struct {
	resp fetch.Result
	err  error
}

func (answer) Lookup(context.Context, string) ([]netip.Addr, error) { return nil, nil }

func (a answer) Get(context.Context, weburl.URL, fetch.Options) (*fetch.Result, error) {
	return &a.resp, a.err
}

// TestPartialRobots wants no rules of a robots.txt that came in part, for they may
// allow too much, and no record of an answer that did not come.
func TestPartialRobots(t *testing.T) {
	u := must.Get(weburl.Parse("http://a.example/", nil))(t)
	body := []byte("User-agent: *\nDisallow: /a\n")
	response := append([]byte("HTTP/1.1 200 OK\r\n\r\n"), body...)
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		answer
		rules, record bool
	}{
		"whole":          {answer{fetch.Result{Status: 200, Response: response, Body: body}, nil}, true, true},
		"too long":       {answer{fetch.Result{Status: 200, Response: response, Body: body, Truncated: "length", Cut: page.TooLarge, Fault: broken}, nil}, true, true},
		"too slow":       {answer{fetch.Result{Status: 200, Response: response, Body: body, Truncated: "time", Cut: page.TooSlow, Fault: broken}, nil}, false, true},
		"ends early":     {answer{fetch.Result{Status: 200, Response: response, Body: body, Truncated: "disconnect", Cut: page.Truncated, Fault: broken}, nil}, false, true},
		"cannot be read": {answer{fetch.Result{Status: 200, Response: response, Cut: page.BadEncoding, Fault: broken}, nil}, false, true},
		"no answer":      {answer{fetch.Result{}, broken}, false, false},
	} {
		r := &result{task: schedule.Task{Origin: "http://a.example", Path: "/robots.txt"}}
		(&crawl{cfg: Config{Fetcher: c.answer}}).getRobots(t.Context(), u, r)
		if (r.robots != nil) != c.rules || r.outcome.Unavailable == c.rules {
			t.Errorf("%s: rules %+v, unavailable %t", name, r.robots, r.outcome.Unavailable)
		}
		if (len(r.archive) > 0) != c.record {
			t.Errorf("%s: %d bytes of records", name, len(r.archive))
		}
	}
}

// TestRulesMemory fails if rules that are not in memory are lost, or if too many are.
func TestRulesMemory(t *testing.T) {
	const most = 100
	dir := t.TempDir()
	r := must.Get(openRules(dir, Agent, 0, most))(t)
	body := func(n int) []byte { return fmt.Appendf(nil, "User-agent: *\nDisallow: /%04d\n", n) }
	const files = 3 * positionBlock
	for n := range files {
		must.Succeed(t, r.set(&robotsEvent{Number: uint32(n), Body: body(n)}))
	}
	length := r.length
	must.Succeed(t, r.file.Close())
	r = must.Get(openRules(dir, Agent, length, most))(t)
	defer r.file.Close()
	for n := 0; n < files; n += 100 {
		if r.allowed(uint32(n), body(n)[len(body(n))-6:len(body(n))-1]) || !r.allowed(uint32(n), []byte("/other")) {
			t.Errorf("the rules of file %d are lost", n)
		}
		if r.used > most {
			t.Errorf("rules of %d bytes in memory, at most %d", r.used, most)
		}
	}
}
