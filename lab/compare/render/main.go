// Command render measures the rendering of pages by Chromium.
//
//	render serve ADDRESS              serve the simulated web of scripted pages until killed
//	render pages [-no-sandbox] [-rounds N] [ORIGIN]
//	                                  render its pages, served here or at ORIGIN: text, requests, time
//	render signals FILE...            count the pages of collections that the detector would render
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"chaffinch"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/render"
	"chaffinch/input"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "serve":
		err = serve(args[1])
	case len(args) >= 1 && args[0] == "pages":
		flags := flag.NewFlagSet("pages", flag.ExitOnError)
		noSandbox := flags.Bool("no-sandbox", false, "run Chromium without its sandbox")
		rounds := flags.Int("rounds", 1, "times that each page is rendered")
		flags.Parse(args[1:])
		err = pages(*noSandbox, flags.Arg(0), *rounds)
	case len(args) >= 2 && args[0] == "signals":
		err = signals(args[1:])
	default:
		err = fmt.Errorf("usage: render serve ADDRESS | pages [-no-sandbox] [-rounds N] [ORIGIN] | signals FILES")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

// start serves the web at an address, and its data at another port.
func start(address string) (origin string, err error) {
	api, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return "", err
	}
	h := handler("http://" + api.Addr().String())
	go http.Serve(api, h)
	go http.Serve(l, h)
	return "http://" + l.Addr().String(), nil
}

func serve(address string) error {
	origin, err := start(address)
	if err != nil {
		return err
	}
	for n := range shapes {
		fmt.Printf("%s/%d\n", origin, n+1)
	}
	os.Stdout.Close()
	select {}
}

// words returns the number of words that cleaning keeps.
func words(p *page.Page) int {
	if p.Drop != page.None {
		return 0
	}
	return len(strings.Fields(p.Text()))
}

// pages renders the pages at an origin, or served here if it is "".
func pages(noSandbox bool, origin string, rounds int) (err error) {
	ctx := context.Background()
	if origin == "" {
		if origin, err = start("127.0.0.1:0"); err != nil {
			return err
		}
	}
	cfg := fetch.Default
	cfg.UserAgent, cfg.AllowPrivate = "chaffinch/lab", true
	client, err := fetch.New(cfg)
	if err != nil {
		return err
	}
	cleaner, err := chaffinch.New(chaffinch.Options{Links: true})
	if err != nil {
		return err
	}
	r := render.Default
	r.NoSandbox = noSandbox
	pool, err := render.New(r)
	if err != nil {
		return err
	}
	defer pool.Close()
	get := func(ctx context.Context, u weburl.URL, accept string) (*fetch.Result, error) {
		return client.Get(ctx, u, fetch.Options{Accept: accept})
	}
	fmt.Println("| page | words | without scripts | selected | rendered | requests | time |\n|---|---|---|---|---|---|---|")
	var all, before, auto, after, selected int
	var took time.Duration
	for i := range rounds * len(shapes) {
		i %= len(shapes)
		s := shapes[i]
		u, err := weburl.Parse(fmt.Sprintf("%s/%d", origin, i+1), nil)
		if err != nil {
			return err
		}
		res, err := client.Get(ctx, u, fetch.Options{})
		if err != nil {
			return err
		}
		p := &page.Page{URL: u.String(), Raw: res.Body, MIME: "text/html", HTTPCharset: "utf-8"}
		if err := cleaner.Do(ctx, p); err != nil {
			return err
		}
		need := render.SignalsOf(p).NeedsScripts()
		begin := time.Now()
		out, err := pool.Render(ctx, render.Page{URL: u, Document: res, Fetch: get})
		t := time.Since(begin)
		now, requests, name := &page.Page{Drop: page.Scripted}, 0, "no"
		if err == nil {
			now, requests = &page.Page{URL: u.String(), MIME: "text/html", HTML: out.HTML}, out.Requests
			if err := cleaner.Do(ctx, now); err != nil {
				return err
			}
		} else {
			s.name += " (" + err.Error() + ")"
		}
		n := newDocument(i + 1).words()
		all, before, after, took = all+n, before+words(p), after+words(now), took+t
		if need {
			name = "yes"
			selected++
			auto += max(words(now), words(p))
		} else {
			auto += words(p)
		}
		if need != s.render {
			name += " (wrong)"
		}
		fmt.Printf("| %s | %d | %d | %s | %d | %d | %v |\n", s.name, n, words(p), name, words(now), requests, t.Round(10*time.Millisecond))
	}
	fmt.Printf("| all | %d | %d | %d, with %d words | %d | | %v |\n", all, before, selected, auto, after, (took / time.Duration(rounds*len(shapes))).Round(10*time.Millisecond))
	return nil
}

// signals counts the pages of each file that the detector would render.
func signals(files []string) error {
	cleaner, err := chaffinch.New(chaffinch.Options{Links: true})
	if err != nil {
		return err
	}
	fmt.Println("| collection | pages | with scripts | dropped as scripted | selected |\n|---|---|---|---|---|")
	for _, name := range files {
		in, err := input.Open([]string{name}, input.Default)
		if err != nil {
			return err
		}
		var all, scripts, scripted, selected int
		for p, err := range in.All() {
			if err != nil { // the list of the collection is no page
				fmt.Fprintln(os.Stderr, err)
				continue
			}
			if p.Drop != page.None || p.MIME != "text/html" && !strings.HasSuffix(p.Source.File, ".html") {
				continue
			}
			if err := cleaner.Do(context.Background(), p); err != nil {
				continue
			}
			s := render.SignalsOf(p)
			all++
			if strings.Contains(p.HTML, "<script") {
				scripts++
			}
			if s.Scripted {
				scripted++
			}
			if s.NeedsScripts() {
				selected++
				fmt.Fprintf(os.Stderr, "%s %s %+v\n", p.Source.File, cmp.Or(p.Source.Record, p.URL), s)
			}
		}
		fmt.Printf("| %s | %d | %d | %d | %d |\n", name, all, scripts, scripted, selected)
	}
	return nil
}
