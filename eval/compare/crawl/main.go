// Command crawl has what crawlers are measured with: a web of many hosts on 127/8,
// and crawlers that fetch pages and read their links, beside which that of Chaffinch
// is measured.
package main

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/weburl"
	"chaffinch/extract"
	"chaffinch/format/warc"

	"github.com/gocolly/colly/v2"
)

var (
	address = flag.String("address", ":8099", "where the web is served; its hosts are 127.1.0.1 and so on")
	hosts   = flag.Int("hosts", 200, "hosts of the web")
	pages   = flag.Int("pages", 100, "pages of each host")
	size    = flag.Int("size", 30<<10, "bytes of a made page")
	out     = flag.String("out", "", "WARC file of the rival fetch")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: crawl [FLAGS] serve|colly|fetch")
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

// serve serves the web.
func serve() {
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		var n int
		fmt.Sscanf(q.URL.Path, "/p%d", &n)
		switch {
		case q.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
			return
		case q.URL.Path != "/" && (!strings.HasPrefix(q.URL.Path, "/p") || n >= *pages):
			http.NotFound(w, q)
			return
		}
		sum := sha1.Sum([]byte(q.Host + q.URL.Path))
		seed := binary.LittleEndian.Uint64(sum[:])
		page := madePage(rand.New(rand.NewPCG(seed, 1)))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
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

// madePage makes a page of 60 links within its host and 3 to others.
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
	b.WriteString("</nav><article>")
	for b.Len() < *size {
		b.WriteString("<p>")
		text(r, &b, 60)
		b.WriteString("</p>\n")
	}
	b.WriteString("</article></body></html>")
	return b.String()
}

// runColly crawls the web with colly as its documentation shows, with robots.txt.
func runColly() int64 {
	var n atomic.Int64
	c := colly.NewCollector(colly.Async(true), colly.MaxDepth(0))
	c.IgnoreRobotsTxt = false
	c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 200})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	c.OnResponse(func(r *colly.Response) { n.Add(1) })
	c.Visit(origin(0) + "/")
	c.Wait()
	return n.Load()
}

// runFetch crawls the web with the packages of Chaffinch's crawler, without its
// scheduler and cleaning: fetches, reads links and writes a WARC file.
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
	todo := make(chan weburl.URL, *hosts**pages*2)
	seen := map[string]bool{}
	left := 0
	add := func(u weburl.URL) {
		if s := u.String(); !seen[s] {
			seen[s] = true
			left++
			todo <- u
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
			for u := range todo {
				res, err := client.Get(context.Background(), u, fetch.Conditions{})
				if err != nil {
					log.Fatal(err)
				}
				n.Add(1)
				var found []weburl.URL
				extract.Links(string(res.Body), func(l extract.Link) {
					if to, err := weburl.Parse(l.URL, &u); err == nil {
						found = append(found, to.Normalize())
					}
				}, func(string, string) {})
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
				if left--; left == 0 {
					close(todo)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return n.Load()
}
