package crawl

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// answers is a web in memory: the body of each URL, or a status and a location as in "301 /a". Other
// URLs have the status 404.
type answers struct {
	pages map[string]string
	mu    sync.Mutex
	asked []string
}

func (a *answers) Lookup(_ context.Context, host string) ([]netip.Addr, error) { return nil, nil }

func (a *answers) Get(ctx context.Context, u weburl.URL, _ fetch.Options) (*fetch.Result, error) {
	a.mu.Lock()
	a.asked = append(a.asked, u.String())
	a.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	body, ok := a.pages[u.String()]
	status, media := 200, "text/html; charset=utf-8"
	var moved int
	var to string
	var location weburl.URL
	if n, _ := fmt.Sscanf(body, "%d %s", &moved, &to); n == 2 {
		status, body = moved, ""
		location, _ = weburl.Parse(to, &u)
	}
	if strings.HasSuffix(u.Path(), ".xml") {
		media = "application/xml"
	}
	if !ok {
		status = 404
	}
	res := netResult(u, status, warc.Header{{Name: "Content-Type", Value: media}}, body, time.Now())
	res.Location, res.Total = location, time.Second
	return res, nil
}

// fetched returns the requested pages in order, without robots.txt and tdmrep.json.
func (a *answers) fetched() (list []string) {
	for _, s := range a.asked {
		if !strings.HasSuffix(s, "/robots.txt") && !strings.HasSuffix(s, "/tdmrep.json") {
			list = append(list, s)
		}
	}
	return list
}

// article returns a page with links.
func article(name string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>%s</title><body><article><h1>%[1]s</h1>", name)
	for i := range 4 {
		fmt.Fprintf(&b, "<p>The report from %s, part %d: the council met in the town hall on Tuesday and spoke until late in the evening about the bridge, the school and the price of %[1]s.</p>", name, i)
	}
	b.WriteString("</article>")
	for _, l := range links {
		fmt.Fprintf(&b, "<a href='%s'>more</a> ", l)
	}
	return b.String() + "</body></html>"
}

// scopedWeb is a newspaper with a moved and a parked seed, and links to other sites.
func scopedWeb() *answers {
	w := &answers{pages: map[string]string{
		"http://news.example/":         "301 https://www.news.example/",
		"https://www.news.example/":    article("front", "/a", "/b", "/tag/x", "https://other.example/", "https://m.news.example/", "//ads.example/"),
		"https://www.news.example/a":   article("a", "/c", "https://other.example/", "/tag/y"),
		"https://www.news.example/b":   "302 https://ads.example/b",
		"https://www.news.example/c":   article("c", "http://news.example/d"),
		"http://news.example/d":        article("d"),
		"http://old.example/":          "308 https://new.example/",
		"https://new.example/":         article("new", "/e", "https://old.example/f"),
		"https://new.example/e":        article("e"),
		"https://old.example/f":        article("f"),
		"http://parked.example/":       "302 https://ads.example/",
		"http://refused.example/x/":    article("refused"),
		"https://www.news.example/map": "",
	}}
	for _, s := range []string{"https://other.example/", "https://m.news.example/", "https://ads.example/", "https://ads.example/b", "https://www.news.example/tag/x", "https://www.news.example/tag/y"} {
		w.pages[s] = article(s)
	}
	return w
}

func scopedConfig(dir string, w *answers) Config {
	cfg := Default
	cfg.Dir, cfg.Fetcher, cfg.Contact, cfg.Workers, cfg.Connections = dir, w, "corpus@example.org", 1, 2
	cfg.Seeds = []string{"http://news.example/", "http://old.example/", "http://parked.example/", "http://refused.example/x/"}
	cfg.Scope = scope.Rules{Within: scope.Host, Exclude: []string{"/tag/", "refused.example"}}
	return cfg
}

const scopedPages = "http://news.example/ http://news.example/d http://old.example/ http://parked.example/ https://new.example/ https://new.example/e https://old.example/f https://www.news.example/ https://www.news.example/a https://www.news.example/b https://www.news.example/c"

// TestScope crawls some hosts and no others, in one run and in several, and wants each exclusion to
// be counted.
func TestScope(t *testing.T) {
	disk.Lazy()
	want := map[string]int64{"within host": 6, "exclude /tag/": 2, "exclude refused.example": 1}
	for _, step := range []int64{0, 3} {
		dir := t.TempDir()
		w := scopedWeb()
		var report *Result
		var refused []string
		for n := step; ; n += step {
			cfg := scopedConfig(dir, w)
			cfg.MaxPages = n
			cfg.OnError = func(e *page.Error) { refused = append(refused, e.Error()) }
			synctest.Test(t, func(t *testing.T) {
				report = must.Get(Run(t.Context(), cfg))(t)
			})
			if report.Reason == Exhausted {
				break
			}
		}
		got := w.fetched()
		slices.Sort(got)
		if list := strings.Join(got, " "); list != scopedPages {
			t.Errorf("fetched: %s\nwant:    %s", list, scopedPages)
		}
		if !maps.Equal(report.Excluded, want) {
			t.Errorf("excluded: %v, want %v", report.Excluded, want)
		}
		if len(refused) != 1 || !strings.Contains(refused[0], "seed http://refused.example/x/: excluded by exclude refused.example") {
			t.Errorf("reported: %q", refused)
		}
		history := must.Get(ReadHistory(t.Context(), dir, nil))(t)
		if s := history.Snapshot(); !maps.Equal(s.Excluded, want) {
			t.Errorf("excluded in the journal: %v, want %v", s.Excluded, want)
		}
		cfg := scopedConfig(dir, w)
		cfg.Scope.Within = scope.Domain
		if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "within host, now domain") {
			t.Errorf("resumed with another scope: %v", err)
		}
	}
}

// TestScopedLists wants the sitemaps of a site to be read if only some of its paths are in the scope, in one
// run and in several: one year of a newspaper.
func TestScopedLists(t *testing.T) {
	disk.Lazy()
	for name, rules := range map[string]scope.Rules{
		"include": {Within: scope.Host, Include: []string{"/2024/"}},
		"alone":   {Include: []string{"news.example/2024/"}},
		"seeds":   {Within: scope.Seeds},
		"list":    {Sites: []string{"news.example/2024/"}},
		"exclude": {Within: scope.Seeds, Exclude: []string{"/map.xml"}},
	} {
		for _, step := range []int64{0, 1} {
			w := &answers{pages: map[string]string{
				"https://news.example/robots.txt": "Sitemap: https://news.example/map.xml\nSitemap: https://other.example/map.xml",
				"https://news.example/map.xml":    "<sitemapindex><sitemap><loc>https://news.example/maps/1.xml</loc></sitemap></sitemapindex>",
				"https://news.example/maps/1.xml": "<urlset><url><loc>https://news.example/2023/a</loc></url><url><loc>https://news.example/2024/b</loc></url><url><loc>https://news.example/2024/c</loc></url></urlset>",
				"https://news.example/2024/":      article("front"),
				"https://news.example/2023/a":     article("a"),
				"https://news.example/2024/b":     article("b"),
				"https://news.example/2024/c":     article("c"),
				"https://other.example/map.xml":   "<urlset><url><loc>https://other.example/2024/d</loc></url></urlset>",
				"https://other.example/2024/d":    article("d"),
			}}
			cfg := scopedConfig(t.TempDir(), w)
			cfg.Seeds, cfg.Scope = []string{"https://news.example/2024/"}, rules
			for reason := PageLimit; reason == PageLimit; {
				if step > 0 {
					cfg.MaxPages += step
				}
				synctest.Test(t, func(t *testing.T) {
					report := must.Get(Run(t.Context(), cfg))(t)
					reason = report.Reason
				})
			}
			want := "https://news.example/2024/ https://news.example/2024/b https://news.example/2024/c https://news.example/map.xml https://news.example/maps/1.xml"
			if name == "exclude" {
				want = "https://news.example/2024/"
			}
			got := w.fetched()
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s, step %d: fetched %q, wanted %s", name, step, got, want)
			}
		}
	}
}

// TestLimits limits the depth and the pages of a host.
func TestLimits(t *testing.T) {
	disk.Lazy()
	run := func(change func(*Config)) (fetched string, excluded map[string]int64) {
		w := scopedWeb()
		cfg := scopedConfig(t.TempDir(), w)
		cfg.Seeds = cfg.Seeds[:1]
		change(&cfg)
		synctest.Test(t, func(t *testing.T) {
			report := must.Get(Run(t.Context(), cfg))(t)
			excluded = report.Excluded
		})
		return strings.Join(w.fetched(), " "), excluded
	}
	got, excluded := run(func(c *Config) { c.Schedule.MaxDepth = 0 })
	if got != "http://news.example/ https://www.news.example/" || excluded[schedule.DepthLimit] != 2 {
		t.Errorf("depth 0: %s, excluded %v", got, excluded)
	}
	got, _ = run(func(c *Config) { c.Schedule.MaxDepth = 1 })
	if want := "http://news.example/ https://www.news.example/ https://www.news.example/a https://www.news.example/b"; got != want {
		t.Errorf("depth 1: %s", got)
	}
	got, excluded = run(func(c *Config) { c.Schedule.MaxHostPages = 2 })
	if strings.Count(got, "https://www.") != 2 || excluded[schedule.HostLimit] == 0 {
		t.Errorf("2 pages of a host: %s, excluded %v", got, excluded)
	}
	list := must.Get(scope.NewList([]string{"www.news.example"}))(t)
	if got, excluded = run(func(c *Config) { c.ExcludedSites = list }); got != "http://news.example/" || excluded[schedule.Disallowed] != 1 {
		t.Errorf("excluded site: %s, excluded %v", got, excluded)
	}
}

// TestSite fetches all pages of a site that its sitemaps and feeds list, and these lists first.
func TestSite(t *testing.T) {
	disk.Lazy()
	const pages = 300
	w := &answers{pages: map[string]string{}}
	const origin = "https://news.example"
	w.pages[origin+"/"] = strings.Replace(article("front", "/linked"), "<title>", "<link rel=alternate type='application/rss+xml' href=/rss><link rel=alternate type='application/json+oembed' href=/oembed><title>", 1)
	w.pages[origin+"/linked"] = article("linked")
	w.pages[origin+"/rss"] = "<rss><channel><item><link>" + origin + "/fed</link></item></channel></rss>"
	w.pages[origin+"/fed"] = article("fed")
	w.pages[origin+"/sitemap.xml"] = "<sitemapindex><sitemap><loc>/map1.xml</loc></sitemap><sitemap><loc>/map2.xml</loc></sitemap></sitemapindex>"
	for i := range pages {
		path := fmt.Sprintf("/p%d", i)
		w.pages[origin+path] = "<p>Nothing.</p>" + strings.Repeat("<!-- much more than text -->", 3000) // best-first would stop
		w.pages[fmt.Sprintf("%s/map%d.xml", origin, 1+i%2)] += "<url><loc>" + path + "</loc></url>"
	}
	for i := range 2 {
		name := fmt.Sprintf("%s/map%d.xml", origin, i+1)
		w.pages[name] = "<urlset>" + w.pages[name] + "</urlset>"
	}
	cfg := scopedConfig(t.TempDir(), w)
	cfg.Seeds, cfg.Schedule.Policy, cfg.Schedule.MaxDepth = []string{origin + "/"}, schedule.Site, 1
	var report *Result
	synctest.Test(t, func(t *testing.T) {
		report = must.Get(Run(t.Context(), cfg))(t)
	})
	got := w.fetched()
	for i, s := range got {
		if list := strings.Contains(s, "map") || strings.HasSuffix(s, "/rss") || strings.HasSuffix(s, "/feed/"); list != (i < 7 && s != origin+"/") {
			t.Errorf("request %d: %s", i, s)
		}
	}
	for url := range w.pages {
		if !slices.Contains(got, url) {
			t.Errorf("%s was not fetched", url)
		}
	}
	if len(got) != len(w.pages)+2 || report.Queued != 0 || report.Reason != Exhausted { // two usual lists are missing
		t.Errorf("%d requests for %d pages, %d queued, %s", len(got), len(w.pages), report.Queued, report.Reason)
	}
}
