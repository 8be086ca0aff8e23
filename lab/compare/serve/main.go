// Command serve measures a server under load by clients that send pages to clean: the number of
// pages, the response times and the processor time. For comparison it can use the library instead
// of a server, or send queries to a corpus (corpus.go, users.go).
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch"
	"chaffinch/internal/cputime"
	"chaffinch/page"
)

func main() {
	log.SetFlags(0)
	url := flag.String("url", "", "address that takes pages by POST and answers with text; none: the library")
	token := flag.String("token", "", "token of the server")
	pid := flag.Int("pid", 0, "process of the server, whose processor time and memory are told; 0: neither")
	clients := flag.String("clients", "1,8,64,512", "clients at the same time, each with one request at a time")
	rate := flag.Float64("rate", 0, "requests a second, all clients together; 0: as many as are answered")
	seconds := flag.Float64("seconds", 10, "time of each measurement")
	requests := flag.Int64("requests", 0, "end a measurement after so many requests instead; 0: after the time")
	patient := flag.Bool("patient", false, "a client that was refused comes again when Retry-After says, not at once")
	every := flag.Int64("every", 0, "print the memory of the server after every N requests")
	ask := flag.String("corpus", "", "address of a corpus, such as http://127.0.0.1:8017/v1/corpora/news, to ask queries instead of sending pages")
	blacklab := flag.String("blacklab", "", "address of the same corpus in BlackLab's server, to be asked in turn")
	blacklabPID := flag.Int("blacklab-pid", 0, "its process")
	rounds := flag.Int("rounds", 5, "how often each query is asked")
	people := flag.Int("users", 0, "with -corpus: simulate so many users with mixed requests for -seconds, instead of the fixed queries")
	think := flag.Duration("think", 2*time.Second, "mean time between a response and the next request of a user")
	flag.Parse()
	if *people > 0 {
		u := &users{address: *ask, token: *token, n: *people, think: *think}
		if err := u.run(time.Duration(*seconds*1e9), *pid); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *ask != "" {
		if err := corpus(&asked{name: "ours", address: *ask, token: *token, pid: *pid}, &asked{name: "BlackLab", address: *blacklab, pid: *blacklabPID}, *rounds); err != nil {
			log.Fatal(err)
		}
		return
	}
	pages, err := read(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	for c := range strings.SplitSeq(*clients, ",") {
		n, err := strconv.Atoi(c)
		if err != nil {
			log.Fatal(err)
		}
		m := &load{pages: pages, url: *url, token: *token, clients: n, rate: *rate, limit: *requests, patient: *patient, every: *every, pid: *pid}
		if *url == "" {
			err = m.library(time.Duration(*seconds * 1e9))
		} else {
			err = m.server(time.Duration(*seconds*1e9), *pid)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// read returns the contents of the files in the folders.
func read(dirs []string) (pages [][]byte, err error) {
	for _, d := range dirs {
		files, err := filepath.Glob(filepath.Join(d, "*.html"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			pages = append(pages, b)
		}
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("no pages (*.html) in %s", strings.Join(dirs, ", "))
	}
	return pages, nil
}

// load is a measurement.
type load struct {
	pages      [][]byte
	url, token string
	clients    int
	rate       float64
	limit      int64
	patient    bool
	every      int64
	pid        int

	next    atomic.Int64
	bytes   atomic.Int64
	mu      sync.Mutex
	took    []time.Duration
	refused []time.Duration // of responses with status 429 and 503
	status  map[string]int
}

// page returns the next page; ok is false when the measurement is over.
func (l *load) page() (b []byte, ok bool) {
	n := l.next.Add(1) - 1
	b = l.pages[n%int64(len(l.pages))]
	l.bytes.Add(int64(len(b)))
	if l.every > 0 && n%l.every == 0 {
		_, memory := process(l.pid)
		fmt.Printf("%8d requests %5d MB\n", n, memory>>20)
	}
	return b, l.limit == 0 || n < l.limit
}

// note records a response.
func (l *load) note(status string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status[status]++; status == "429" || status == "503" {
		l.refused = append(l.refused, took)
	} else {
		l.took = append(l.took, took)
	}
}

// run runs the clients until the time is up.
func (l *load) run(ctx context.Context, work func(ctx context.Context, page []byte) string) time.Duration {
	l.status = map[string]int{}
	start := time.Now()
	var all sync.WaitGroup
	for range l.clients {
		all.Go(func() {
			for ctx.Err() == nil {
				due := time.Now()
				p, ok := l.page()
				if !ok {
					return
				}
				if l.rate > 0 { // its scheduled time; a late request counts from then
					due = start.Add(time.Duration(float64(l.next.Load()-1) / l.rate * 1e9))
					select {
					case <-time.After(time.Until(due)):
					case <-ctx.Done():
						return
					}
				}
				status := work(ctx, p)
				if ctx.Err() == nil {
					l.note(status, time.Since(due))
				}
				if l.patient && (status == "429" || status == "503") {
					select {
					case <-time.After(time.Second): // the wait that the server requests
					case <-ctx.Done():
					}
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// report prints a line of results.
func (l *load) report(name string, took, processor time.Duration, memory int64) {
	good := l.status["200"]
	fmt.Printf("%-10s %7d pages %8.1f pages/s  %s", name, good, float64(good)/took.Seconds(), times(l.took))
	if processor > 0 {
		fmt.Printf("  %8.1f pages for each second of processor time", float64(good)/processor.Seconds())
	}
	if memory > 0 {
		fmt.Printf("  %d MB", memory>>20)
	}
	for _, s := range slices.Sorted(maps.Keys(l.status)) {
		if s != "200" {
			fmt.Printf("  %s: %d", s, l.status[s])
		}
	}
	if len(l.refused) > 0 {
		fmt.Printf("  refused in %s", times(l.refused))
	}
	fmt.Println()
}

// times formats the distribution of response times.
func times(took []time.Duration) string {
	n := len(took)
	if n == 0 {
		return "no answer"
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[min(int(q*float64(n)), n-1)].Microseconds()) / 1000 }
	return fmt.Sprintf("p50 %7.1f p95 %7.1f p99 %7.1f ms", at(.5), at(.95), at(.99))
}

// library cleans the pages with the library, one worker per processor.
func (l *load) library(limit time.Duration) error {
	c, err := chaffinch.New(chaffinch.Options{Markup: true})
	if err != nil {
		return err
	}
	l.clients = runtime.GOMAXPROCS(0)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	before := cputime.Used()
	took := l.run(ctx, func(ctx context.Context, b []byte) string {
		p := &page.Page{Raw: b, MIME: "text/html"}
		if err := c.Do(ctx, p); err != nil {
			return err.Error()
		}
		_ = p.Text()
		return "200"
	})
	l.report("library", took, cputime.Used()-before, 0)
	return nil
}

// server sends the pages to a server.
func (l *load) server(limit time.Duration, pid int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: l.clients, DisableCompression: true}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	before, _ := process(pid)
	took := l.run(ctx, func(ctx context.Context, b []byte) string {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(b))
		if err != nil {
			return err.Error()
		}
		r.Header.Set("Content-Type", "text/html")
		r.Header.Set("Accept", "text/plain")
		r.Header.Set("Authorization", "Bearer "+l.token)
		a, err := client.Do(r)
		if err != nil {
			return "no answer"
		}
		defer a.Body.Close()
		if _, err := io.Copy(io.Discard, a.Body); err != nil {
			return "no whole answer"
		}
		return strconv.Itoa(a.StatusCode)
	})
	after, memory := process(pid)
	l.report(fmt.Sprintf("%d clients", l.clients), took, after-before, memory)
	return nil
}

// process returns the processor time of a process and its children, and its resident memory in
// bytes (Linux: /proc).
func process(pid int) (used time.Duration, memory int64) {
	if pid == 0 {
		return 0, 0
	}
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has exited
		}
		_, rest, ok := strings.Cut(string(b), ") ")
		f := strings.Fields(rest)
		if !ok || len(f) < 22 {
			continue
		}
		if own := strings.Split(name, "/")[2]; own != strconv.Itoa(pid) && f[1] != strconv.Itoa(pid) {
			continue
		}
		const ticks = 100 // per second: USER_HZ
		user, _ := strconv.ParseInt(f[11], 10, 64)
		system, _ := strconv.ParseInt(f[12], 10, 64)
		pages, _ := strconv.ParseInt(f[21], 10, 64)
		used += time.Duration(user+system) * time.Second / ticks
		memory += pages * int64(os.Getpagesize())
	}
	return used, memory
}
