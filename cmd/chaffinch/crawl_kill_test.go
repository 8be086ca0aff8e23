package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/crawl/epochs"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

const (
	rankHosts, rankPages = 18, 3 // of the web
	rankDelay            = 20 * time.Millisecond
)

// ranksWeb is a web that several processes crawl, each through its own proxy.
type ranksWeb struct {
	mu       sync.Mutex
	requests map[string]int       // by page
	rank     map[string]int       // of the last request to each host
	active   map[string]int       // requests to each host
	last     map[string]time.Time // end of the last response of each host
	served   [3]int               // pages, by rank
	faults   []string
	onPage   func(rank, served int)
}

func (w *ranksWeb) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// serve answers a request of a rank.
func (w *ranksWeb) serve(rank int, out http.ResponseWriter, r *http.Request) {
	host := r.URL.Hostname()
	w.mu.Lock()
	if before, ok := w.rank[host]; ok && before != rank {
		w.fault("%s: requested by rank %d and rank %d", host, before, rank)
	}
	if w.active[host] > 0 {
		w.fault("%s: two requests at a time", host)
	}
	if since := time.Since(w.last[host]); since < rankDelay {
		w.fault("%s: %v after the last response", host, since)
	}
	w.rank[host] = rank
	w.active[host]++
	var h, n int
	fmt.Sscanf(host, "h%d.example", &h)
	_, err := fmt.Sscanf(r.URL.Path, "/%d.html", &n)
	page := err == nil && n < rankPages
	if page {
		w.requests[host+r.URL.Path]++
		w.served[rank]++
		w.onPage(rank, w.served[rank])
	}
	w.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	if page {
		out.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(out, "<!doctype html><html lang=en><title>Page</title><body><article><p>%s</p></article>", rankText(h*rankPages+n))
		for k := 1; k <= 2; k++ { // to pages that only other hosts link to
			fmt.Fprintf(out, "<a href=http://h%d.example/%d.html>more</a> ", (2*h+k)%rankHosts, n+1)
		}
	} else {
		http.NotFound(out, r)
	}
	w.mu.Lock()
	w.active[host]--
	w.last[host] = time.Now()
	w.mu.Unlock()
}

// rankText returns the text of a page, which is no near-duplicate of another.
func rankText(n int) string {
	var b strings.Builder
	for i := range 4 {
		fmt.Fprintf(&b, "On day %d of the year %d the ferry number %d went to the island with %d people, and %d of them came back to the harbour %d in the evening. ", n+i, 1800+n, n*7+i, n*3+i, n*5+i, n*11+i)
	}
	return b.String()
}

// TestRanksKilled kills one of three ranks, which share S3, several times and starts it again. It fails if a page is
// missing in the result or counts twice, or if a host gets requests from two ranks.
func TestRanksKilled(t *testing.T) {
	testkit.Slow(t)
	s3 := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	defer s3.Close()
	t.Setenv("AWS_ENDPOINT_URL", s3.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "eu-west-1")
	const victim = 1
	kill := make(chan struct{}, 1)
	kills := []int{2, 8, 14} // after so many pages
	web := &ranksWeb{requests: map[string]int{}, rank: map[string]int{}, active: map[string]int{}, last: map[string]time.Time{}}
	web.onPage = func(rank, served int) {
		if rank == victim && slices.Contains(kills, served) {
			kill <- struct{}{}
		}
	}
	const out = "s3://bucket/crawl/"
	bucket, prefix, err := remote.Open(remote.Default)(out) // storeOf keeps the server of an earlier test
	must.Succeed(t, err)
	shared := store.Under(bucket, prefix)
	prog, dir := program(t), t.TempDir()
	seeds := []string{}
	for h := range rankHosts {
		seeds = append(seeds, fmt.Sprintf("http://h%d.example/0.html", h))
	}
	killed := 0
	var wait sync.WaitGroup
	for rank := range 3 { // all have hosts from the first epoch
		x := epochs.Exchange{Store: shared, Rank: fmt.Sprintf("rank-%05d", rank), Dir: t.TempDir()}
		must.Succeed(t, x.Beat(t.Context()))
	}
	for rank := range 3 {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { web.serve(rank, w, r) }))
		defer proxy.Close()
		args := append([]string{
			"crawl", "--contact", "you@example.org", "--proxy", proxy.URL, "--delay", rankDelay.String(), "--epoch", "2s", "-q",
			"-o", out, "--rank", fmt.Sprintf("%d/3", rank), "--scratch", filepath.Join(dir, fmt.Sprint(rank)),
		}, seeds...)
		wait.Go(func() {
			for again := true; again; {
				cmd := exec.CommandContext(t.Context(), prog, args...)
				var msg bytes.Buffer
				cmd.Stderr = &msg
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				again = false
				die := kill
				if rank != victim {
					die = nil
				}
				select {
				case err := <-ended:
					if err != nil {
						t.Errorf("rank %d: %v\n%s", rank, err, &msg)
					}
				case <-die:
					cmd.Process.Kill()
					<-ended
					killed++
					again = true
				}
			}
		})
	}
	wait.Wait()
	repeated := 0
	for _, n := range web.requests {
		repeated += n - 1
	}
	t.Logf("%d pages, %d requests again, %v pages served to the ranks, %d kills", len(web.requests), repeated, web.served, killed)
	for _, f := range web.faults {
		t.Error(f)
	}
	if killed != len(kills) || slices.Min(web.served[:]) == 0 {
		t.Errorf("%d kills, wanted %d; pages served to the ranks: %v", killed, len(kills), web.served)
	}
	checkRanks(t, shared)
}

// checkRanks fails if a page of the web has no record, or several.
func checkRanks(t *testing.T, shared store.Store) {
	t.Helper()
	seals := must.Get(epochs.Seals(t.Context(), shared))(t)
	if len(seals) == 0 || !seals[len(seals)-1].Done() {
		t.Fatalf("%d seals: the crawl is not complete", len(seals))
	}
	records, count := map[string]int{}, int64(0)
	for _, seal := range seals {
		for _, b := range seal.Bundles {
			count += b.Pages
			for _, name := range b.Objects {
				if !strings.HasSuffix(name, ".jsonl") {
					continue
				}
				text := must.Get(store.Read(t.Context(), shared, name, 1<<30))(t)
				for line := range bytes.Lines(text) {
					var r struct{ URL string }
					must.Succeed(t, json.Unmarshal(line, &r))
					records[r.URL]++
				}
			}
		}
	}
	for h := range rankHosts {
		for n := range rankPages {
			if url := fmt.Sprintf("http://h%d.example/%d.html", h, n); records[url] != 1 {
				t.Errorf("%s: %d records, wanted 1", url, records[url])
			}
		}
	}
	// Each host has a link to a page that does not exist.
	if want := int64(rankHosts * (rankPages + 1)); count != want {
		t.Errorf("the seals count %d pages, wanted %d", count, want)
	}
}
