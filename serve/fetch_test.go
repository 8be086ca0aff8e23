package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/visit"
)

// TestFetch: a server that fetches nothing says so; one that does hands the address on.
func TestFetch(t *testing.T) {
	closed := start(t, Config{})
	if a, got := closed.post(t, "/v1/clean", "application/json", `{"url": "https://finch.example/"}`); a.StatusCode != 422 || !strings.Contains(got, "fetches no pages") {
		t.Errorf("status %d: %s", a.StatusCode, got)
	}
	if a, got := closed.post(t, "/v2/scrape", "application/json", `{"url": "https://finch.example/"}`); a.StatusCode != 422 || !strings.Contains(got, `"success":false`) {
		t.Errorf("status %d: %s", a.StatusCode, got)
	}
	s := start(t, Config{Visitor: finchWeb(t)})
	if a, got := s.post(t, "/v1/clean?format=text", "application/json", `{"url": "http://finch.example/a"}`); a.StatusCode != 200 || !strings.Contains(got, "early in the morning") {
		t.Errorf("status %d: %s", a.StatusCode, got)
	}
	kind, body := form(t, map[string]string{"url": "http://finch.example/a"}, "")
	if a, got := s.post(t, "/v1/render", kind, body); a.StatusCode != 200 || !strings.Contains(got, "early in the morning") {
		t.Errorf("by a form: status %d: %.200s", a.StatusCode, got)
	}
	var got scraped
	a, text := s.post(t, "/v2/scrape", "application/json", `{"url": "http://finch.example/a", "formats": ["markdown", {"type": "links"}, "rawHtml"], "maxAge": 5, "timeout": 3}`)
	if err := json.Unmarshal([]byte(text), &got); err != nil || a.StatusCode != 200 || !got.Success {
		t.Fatalf("%v, status %d: %s", err, a.StatusCode, text)
	}
	if d := got.Data; !strings.Contains(d.Markdown, "# The finch at the water") || !strings.Contains(d.Markdown, "early in the morning") || strings.Contains(d.Markdown, "Imprint") || !slices.Equal(d.Links, []string{"http://finch.example/", "http://finch.example/birds", "http://finch.example/beech#x"}) || !strings.HasPrefix(d.RawHTML, "<!doctype") || d.Metadata.Title != "The finch at the water" || d.Metadata.URL != "http://finch.example/a" {
		t.Errorf("scraped %+v", d)
	}
	for body, status := range map[string]int{
		`{"url": "http://inside.example/"}`: 422, `{"url": "http://127.0.0.1/"}`: 422, `{"url": "x"}`: 422, `{"url": "http://finch.example/a", "formats": ["screenshot"]}`: 400,
	} {
		if a, text := s.post(t, "/v2/scrape", "application/json", body); a.StatusCode != status || !strings.Contains(text, `"success":false`) {
			t.Errorf("%s: status %d: %s", body, a.StatusCode, text)
		}
	}
	if a, _ := s.post(t, "/v2/scrape", "application/json", `{}`); a.StatusCode != 422 {
		t.Errorf("without an address: status %d", a.StatusCode)
	}
}

// finchWeb fetches from a web in which every page is the article.
func finchWeb(t *testing.T) *visit.Visitor {
	t.Helper()
	v, err := visit.New(visit.Config{Contact: "test@example.org", Version: "1", Net: func(c fetch.Config) (fetch.Config, error) {
		c.Resolver = finches{}
		c.Dial = func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				defer far.Close()
				r, err := http.ReadRequest(bufio.NewReader(far))
				if err != nil || r.URL.Path == "/robots.txt" {
					io.WriteString(far, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
					return
				}
				body := strings.Replace(article, "the beeches", `<a href="/beech#x">the beeches</a>`, 1)
				fmt.Fprintf(far, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			}()
			return near, nil
		}
		return c, nil
	}})
	must.Succeed(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

// finches is a Resolver: every name leads to the public internet but one.
type finches struct{}

func (finches) Lookup(_ context.Context, host string) ([]netip.Addr, error) {
	if host == "inside.example" {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, nil
}
