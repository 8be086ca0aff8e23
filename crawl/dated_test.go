package crawl

import (
	"context"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// datedNet is a site with a sitemap, whose pages have dates and answers to conditional requests.
type datedNet struct {
	mu      sync.Mutex
	asked   []string
	changed map[string]time.Time // by path
}

func (*datedNet) Lookup(context.Context, string) ([]netip.Addr, error) { return nil, nil }

func (n *datedNet) Get(_ context.Context, u weburl.URL, cond fetch.Options) (*fetch.Result, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	began := time.Now()
	time.Sleep(100 * time.Millisecond)
	n.asked = append(n.asked, u.Path())
	status, body := 200, ""
	fields := warc.Header{{Name: "Content-Type", Value: "text/html"}}
	at, isPage := n.changed[u.Path()]
	switch {
	case u.Path() == "/robots.txt":
		body = "Sitemap: /map.xml\n"
	case u.Path() == "/map.xml":
		fields.Set("Content-Type", "application/xml")
		var paths []string
		for path := range n.changed {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			body += "<url><loc>" + path + "</loc><lastmod>" + n.changed[path].UTC().Format(time.RFC3339) + "</lastmod></url>"
		}
		body = "<urlset>" + body + "</urlset>"
	case isPage:
		body = fmt.Sprintf("<html lang=en><title>%s</title><p>The boats of %[1]s went out to the banks in the morning of day %d, and came back with the tide late in the evening, as they had done before.</p>", u.Path(), at.Unix())
		last := at.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
		fields.Set("Last-Modified", last)
		if cond.LastModified == last {
			status, body = 304, ""
		}
	default:
		status = 404
	}
	return netResult(u, status, fields, body, began), nil
}

// TestDates repeats a crawl of a site with a sitemap: new pages and pages with a new date come first, and
// the dates are evidence of rates of change. A second repetition knows the pages of both.
func TestDates(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	net := &datedNet{changed: map[string]time.Time{}}
	paths := []string{"/a", "/b", "/c", "/d", "/e", "/f"}
	var order [3][]string
	synctest.Test(t, func(t *testing.T) {
		for _, path := range paths {
			net.changed[path] = time.Now().Add(-50 * 24 * time.Hour)
		}
		for i := range order {
			cfg := testConfig(filepath.Join(dir, fmt.Sprint(i)), net)
			cfg.Seeds = []string{"http://a.example/a"}
			switch i {
			case 1:
				cfg.Again, cfg.Seeds = filepath.Join(dir, "0"), nil
				cfg.MaxPages = 4 // with the sitemap: not all pages
			case 2:
				cfg.Again, cfg.Seeds = filepath.Join(dir, "1"), nil
			}
			must.Succeed(t, must.Err(Run(t.Context(), cfg)))
			order[i] = slices.Clone(net.asked)
			net.asked = nil
			time.Sleep(30 * 24 * time.Hour)
			switch i {
			case 0:
				net.changed["/e"] = time.Now().Add(-10 * 24 * time.Hour)
				net.changed["/new"] = net.changed["/e"]
			case 1:
				net.changed["/d"] = time.Now().Add(-10 * 24 * time.Hour)
			}
		}
		c := must.Get(OpenChanges(t.Context(), filepath.Join(dir, "2")))(t)
		defer c.Close()
		rates := map[string]float64{}
		for p, err := range c.All() {
			must.Succeed(t, err)
			path := strings.TrimPrefix(p.URL, "http://a.example")
			rates[path] = p.Rate
			if want := map[string]Change{"/d": Changed}[path]; p.Change != want && path != "/new" {
				t.Errorf("%s: %v, want %v", path, p.Change, want)
			}
			for _, v := range p.Past.Visits {
				if v.Changed != (path == "/d" || path == "/e") && v.Dated {
					t.Errorf("%s: %+v", path, p.Past.Visits)
				}
			}
		}
		if len(rates) != 7 || rates["/e"] < 1.5*rates["/a"] || rates["/d"] < 1.5*rates["/b"] {
			t.Errorf("rates %v", rates)
		}
	})
	if pages := order[1][3:]; !slices.Equal(pages[len(pages)-2:], []string{"/e", "/new"}) {
		t.Errorf("second crawl: %v, want the changed and the new page before the others", order[1])
	}
	pages := order[2]
	if d, b := slices.Index(pages, "/d"), slices.Index(pages, "/b"); d < 0 || b < d {
		t.Errorf("third crawl: %v, want the changed page before others", pages)
	}
	if e, d := slices.Index(pages, "/e"), slices.Index(pages, "/d"); e < d {
		t.Errorf("third crawl: %v, want no visit to a page that the second crawl has, before changed ones", pages)
	}
	counts := recordTypes(t, filepath.Join(dir, "2"))
	if counts[notModified] != 6 { // all pages but /d, some of the first crawl
		t.Errorf("third crawl: records %v, want 6 unchanged pages", counts)
	}
}
