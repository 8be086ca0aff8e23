// Command crawl measures crawlers: it serves a web of many hosts on 127/8, and contains crawlers
// that fetch pages and read their links, for comparison with the crawler of Chaffinch.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/extract"
	"chaffinch/format/warc"
	"chaffinch/page/weburl"

	"github.com/gocolly/colly/v2"
)

var (
	address = flag.String("address", ":8099", "where the web is served; its hosts are 127.1.0.1 and so on")
	hosts   = flag.Int("hosts", 200, "hosts of the web")
	pages   = flag.Int("pages", 100, "pages of each host")
	size    = flag.Int("size", 30<<10, "bytes of a made page")
	packed  = flag.Bool("packed", false, "serve pages with gzip, as most servers do")
	record  = flag.String("log", "", "file to which the server writes the beginning and the end (ns) and the URL of each request")
	secret  = flag.Bool("secret", false, "each page has links to pages that robots.txt forbids, and every second host has a Crawl-delay of 1 s")
	delay   = flag.Duration("delay", 0, "time between requests to a host: kept by colly, required by judge")
	from    = flag.String("from", "", "folder whose HTML files are served in place of made pages, one at each URL, their links leading to hosts of the web")
	out     = flag.String("out", "", "WARC file of the rival fetch")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: crawl [FLAGS] serve|colly|fetch|judge LOG")
		flag.PrintDefaults()
	}
	flag.Parse()
	switch flag.Arg(0) {
	case "serve":
		serve()
	case "colly":
		report("colly", runColly)
	case "fetch":
		report("fetch", runFetch)
	case "judge":
		judge(flag.Arg(1))
	default:
		flag.Usage()
		os.Exit(2)
	}
}

func report(name string, run func() int64) {
	start := time.Now()
	n := run()
	fmt.Printf("%s: %d pages in %.1f s\n", name, n, time.Since(start).Seconds())
}

func origin(i int) string { return fmt.Sprintf("http://127.1.%d.%d%s", i/250, i%250+1, *address) }

// crawlDelay returns the Crawl-delay of a host of a web with -secret.
func crawlDelay(host string) time.Duration {
	name, _, _ := strings.Cut(host, ":")
	if name[len(name)-1]%2 == 0 {
		return time.Second
	}
	return 0
}

// serve serves the web.
func serve() {
	real := realPages()
	start := time.Now()
	var number atomic.Int64
	seen := log.New(io.Discard, "", 0)
	if *record != "" {
		f, err := os.OpenFile(*record, os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			log.Fatal(err)
		}
		seen.SetOutput(f)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		began := time.Since(start)
		defer func() {
			seen.Printf("%d %d http://%s%s", began, time.Since(start), q.Host, q.URL.Path)
		}()
		var n int
		fmt.Sscanf(q.URL.Path, "/p%d", &n)
		switch {
		case q.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
			if d := crawlDelay(q.Host); *secret && d > 0 {
				fmt.Fprintf(w, "Crawl-delay: %g\n", d.Seconds())
			}
			return
		case len(real) == 0 && q.URL.Path != "/" && (!strings.HasPrefix(q.URL.Path, "/p") || n >= *pages):
			http.NotFound(w, q)
			return
		}
		sum := sha1.Sum([]byte(q.Host + q.URL.Path))
		seed := binary.LittleEndian.Uint64(sum[:])
		rng := rand.New(rand.NewPCG(seed, 1))
		page := madePage(rng)
		if len(real) > 0 {
			page = realPage(rng, real[int(number.Add(1))%len(real)])
		}
		if len(real) == 0 {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		} else {
			w.Header().Set("Content-Type", "text/html")
		}
		if *packed && strings.Contains(q.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			page = zipped(page)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(page)))
		io.WriteString(w, page)
	})
	log.Fatal(http.ListenAndServe(*address, nil))
}

var words = strings.Fields("the boats of harbour went out to banks in morning and came back with tide late evening as they had done before that one day year sea wind men women children nets fish market house road hill river bridge church school teacher letter story winter summer spring autumn rain snow bread milk fire stone wood iron ship captain island north south east west")

func text(r *rand.Rand, b *strings.Builder, n int) {
	for range n {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
}

// madePage returns a page with 60 links within its host and 3 to others.
func madePage(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><title>")
	text(r, &b, 5)
	b.WriteString("</title><body><nav>")
	for range 60 {
		fmt.Fprintf(&b, "<a href=/p%d>", r.IntN(*pages))
		text(r, &b, 2)
		b.WriteString("</a> ")
	}
	for range 3 {
		fmt.Fprintf(&b, "<a href='%s/'>", origin(r.IntN(*hosts)))
		text(r, &b, 2)
		b.WriteString("</a> ")
	}
	if *secret {
		fmt.Fprintf(&b, "<a href=/secret%d>", r.IntN(*pages))
		text(r, &b, 2)
		b.WriteString("</a>")
	}
	b.WriteString("</nav><article>")
	for b.Len() < *size {
		b.WriteString("<p>")
		text(r, &b, 60)
		b.WriteString("</p>\n")
	}
	b.WriteString("</article></body></html>")
	return b.String()
}

// realPages reads the pages of a folder in a fixed random order.
func realPages() (list []string) {
	if *from == "" {
		return nil
	}
	err := filepath.WalkDir(*from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
			return err
		}
		b, err := os.ReadFile(name)
		list = append(list, string(b))
		return err
	})
	if err != nil || len(list) == 0 {
		log.Fatalf("%s: %d pages, %v", *from, len(list), err)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// absolute matches the host of an absolute URL.
var absolute = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}(:[0-9]+)?`)

// realPage replaces the hosts in the links of a page with hosts of the web.
func realPage(r *rand.Rand, page string) string {
	return absolute.ReplaceAllStringFunc(page, func(string) string { return origin(r.IntN(*hosts)) })
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	return b.String()
}

// runColly crawls the web with colly as in its documentation, with robots.txt.
func runColly() int64 {
	var n atomic.Int64
	c := colly.NewCollector(colly.Async(true), colly.MaxDepth(0))
	c.IgnoreRobotsTxt = false
	if *delay == 0 {
		c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 200})
	} else {
		for i := range *hosts { // the delay of a rule applies to all its hosts together
			c.Limit(&colly.LimitRule{DomainGlob: strings.TrimPrefix(origin(i), "http://"), Parallelism: 1, Delay: *delay})
		}
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	c.OnResponse(func(r *colly.Response) { n.Add(1) })
	c.Visit(origin(0) + "/")
	c.Wait()
	return n.Load()
}

// runFetch crawls the web with the packages of Chaffinch's crawler, without its scheduler and
// cleaning: it fetches pages, reads links and writes a WARC file.
func runFetch() int64 {
	cfg := fetch.Default
	cfg.UserAgent, cfg.AllowPrivate = "compare", true
	client, err := fetch.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	var mu sync.Mutex
	writer, err := warc.NewWriter(file, warc.WriterConfig{Packing: warc.Gzip, Level: 1})
	if err != nil {
		log.Fatal(err)
	}
	// One worker fetches from a host at a time: the host is in ready while it waits for a worker.
	type host struct {
		waiting []weburl.URL
		busy    bool
	}
	byName := map[string]*host{}
	ready := make(chan *host, *hosts)
	seen := map[string]bool{}
	left := 0
	add := func(u weburl.URL) {
		s := u.String()
		if seen[s] {
			return
		}
		seen[s] = true
		left++
		h := byName[u.Host()]
		if h == nil {
			h = &host{}
			byName[u.Host()] = h
		}
		h.waiting = append(h.waiting, u)
		if !h.busy {
			h.busy = true
			ready <- h
		}
	}
	first, err := weburl.Parse(origin(0)+"/", nil)
	if err != nil {
		log.Fatal(err)
	}
	add(first)
	var n atomic.Int64
	var all sync.WaitGroup
	for range 8 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for h := range ready {
				mu.Lock()
				u := h.waiting[0]
				h.waiting = h.waiting[1:]
				mu.Unlock()
				res, err := client.Get(context.Background(), u, fetch.Options{})
				if err != nil {
					log.Fatal(err)
				}
				n.Add(1)
				var found []weburl.URL
				links, _ := extract.Links(string(res.Body))
				for _, l := range links {
					if to, err := weburl.Parse(l.URL, &u); err == nil {
						found = append(found, to.Normalize())
					}
				}
				date := res.Start.UTC().Format(time.RFC3339)
				mu.Lock()
				for _, e := range []warc.Entry{
					{Type: "response", URI: u.String(), Date: date, ContentType: "application/http; msgtype=response", Block: res.Response},
					{Type: "request", URI: u.String(), Date: date, ContentType: "application/http; msgtype=request", Block: res.Request},
				} {
					if _, err := writer.Write(e); err != nil {
						log.Fatal(err)
					}
				}
				for _, to := range found {
					add(to)
				}
				if h.busy = len(h.waiting) > 0; h.busy {
					ready <- h
				}
				if left--; left == 0 {
					close(ready)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return n.Load()
}
