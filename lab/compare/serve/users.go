package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// users simulates people who query a corpus through the browser page: each sends a request of a
// random kind, reads the response for a random time, and continues.
type users struct {
	address, token string
	n              int
	think          time.Duration // mean time between a response and the next request
	words, lemmas  []string      // lemmas: such as take-v
	client         *http.Client

	mu    sync.Mutex
	kinds map[string]*kind
}

// kind holds the results of a kind of request.
type kind struct {
	took    []time.Duration
	refused []time.Duration // responses with status 429 or 503
	bare    int             // refusals without Retry-After or a JSON problem
	errors  map[string]int
}

// request returns the path of a random request with random words.
func (u *users) request(r *rand.Rand) (name string, path string) {
	word := func() string { return u.words[r.IntN(len(u.words))] }
	queries := []string{word(), word() + " " + word(), word()[:2] + "*", `[lc="` + word() + `"] []{0,3} [lc="` + word() + `"]`, `[word=".*` + word()[1:] + `"]`}
	patt := queries[r.IntN(len(queries))]
	years := []string{"2018", "2019", "2020", "2021", "2022", "2023", "2024", "2025"}
	filter := "doc.year>=" + years[r.IntN(len(years))]
	choices := []struct {
		name, path string
		share      int
		params     url.Values
	}{
		{"hits", "hits", 30, url.Values{"patt": {patt}, "number": {"20"}, "refs": {"doc.title"}}},
		{"total", "count", 25, url.Values{"patt": {patt}}},
		{"frequencies", "freq", 10, url.Values{"patt": {patt}, "group": {[]string{"word", "doc.year", "doc.host", "word@1"}[r.IntN(4)]}, "number": {"50"}}},
		{"collocations", "collocations", 10, url.Values{"patt": {word()}, "number": {"50"}}},
		{"word sketch", "sketch", 10, url.Values{"word": {u.lemmas[r.IntN(len(u.lemmas))]}}},
		{"keywords, built-in list", "keywords", 5, url.Values{"frequency_list": {"en"}, "filter": {filter}, "number": {"50"}}},
		{"keywords, two parts", "keywords", 3, url.Values{"reference": {u.address[strings.LastIndexByte(u.address, '/')+1:]}, "refilter": {"!(" + filter + ")"}, "filter": {filter}, "number": {"50"}}},
		{"word list", "words", 5, url.Values{"pattern": {word()[:1] + ".*"}, "words": {"true"}, "filter": {filter}, "number": {"50"}}},
		{"word pairs", "words", 2, url.Values{"n": {"2"}, "filter": {filter}, "number": {"50"}}},
	}
	at := r.IntN(100)
	for _, c := range choices {
		if at -= c.share; at < 0 {
			return c.name, "/" + c.path + "?" + c.params.Encode()
		}
	}
	panic("shares below 100")
}

// get sends a request and returns its status, whether a refusal has a waiting time and a JSON
// problem, and the error of an incomplete response.
func (u *users) get(ctx context.Context, path string) (status int, body []byte, header http.Header, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.address+path, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+u.token)
	a, err := u.client.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer a.Body.Close()
	body, err = io.ReadAll(a.Body)
	return a.StatusCode, body, a.Header, err
}

// note records a response and returns the time after which a refused request may be repeated.
func (u *users) note(name string, took time.Duration, status int, body []byte, header http.Header, err error) (wait time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := u.kinds[name]
	if k == nil {
		k = &kind{errors: map[string]int{}}
		u.kinds[name] = k
	}
	switch {
	case err != nil:
		k.errors[err.Error()]++
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		k.refused = append(k.refused, took)
		seconds, err := strconv.Atoi(header.Get("Retry-After"))
		if err != nil || header.Get("Content-Type") != "application/problem+json" || !json.Valid(body) {
			k.bare++
		}
		return time.Duration(max(seconds, 1)) * time.Second
	case status != http.StatusOK:
		k.errors[fmt.Sprintf("status %d: %.200s", status, body)]++
	case name == "total" && !strings.Contains(string(body[strings.LastIndexByte(strings.TrimSpace(string(body)), '\n')+1:]), `"exact":true`):
		k.errors["no exact total"]++
	default:
		k.took = append(k.took, took)
	}
	return 0
}

// run measures for the given time and prints a table of the kinds of requests.
func (u *users) run(limit time.Duration, pid int) error {
	u.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: u.n}}
	defer u.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var err error
	if u.words, err = u.list(ctx, "word", "[a-z]{4,}"); err != nil {
		return err
	}
	if u.lemmas, err = u.list(ctx, "lempos", "[a-z]{4,}-n"); err != nil {
		return err
	}
	u.kinds = map[string]*kind{}
	before, _ := process(pid)
	start := time.Now()
	var all sync.WaitGroup
	for i := range u.n {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for wait := time.Duration(r.Float64() * float64(u.think)); ; wait += time.Duration(r.ExpFloat64() * float64(u.think)) {
				select {
				case <-time.After(wait):
				case <-ctx.Done():
					return
				}
				name, path := u.request(r)
				sent := time.Now()
				status, body, header, err := u.get(ctx, path)
				if ctx.Err() != nil {
					return
				}
				wait = u.note(name, time.Since(sent), status, body, header, err)
			}
		})
	}
	all.Wait()
	after, _ := process(pid)
	u.report(time.Since(start), after-before, pid)
	return nil
}

// list returns the 2,000 most frequent values of an attribute that match a pattern.
func (u *users) list(ctx context.Context, attr, pattern string) (words []string, err error) {
	_, b, _, err := u.get(ctx, "/words?"+url.Values{"number": {"2000"}, "attr": {attr}, "pattern": {pattern}}.Encode())
	if err != nil {
		return nil, err
	}
	var list struct{ Rows []struct{ Word string } }
	if err := json.Unmarshal(b, &list); err != nil || len(list.Rows) == 0 {
		return nil, fmt.Errorf("values of %s: %v: %.200s", attr, err, b)
	}
	for _, r := range list.Rows {
		words = append(words, r.Word)
	}
	return words, nil
}

func (u *users) report(took, used time.Duration, pid int) {
	fmt.Println("| | requests | p50, p95, p99 ms | refused | errors |\n|---|---|---|---|---|")
	var every, refused []time.Duration
	var errors, bare int
	line := func(name string, took []time.Duration, refused, errors int) {
		slices.Sort(took)
		at := func(q float64) string {
			return strconv.FormatFloat(ms(took[int(q*float64(len(took)-1))]), 'f', 1, 64)
		}
		figures := "no answer"
		if len(took) > 0 {
			figures = at(.5) + ", " + at(.95) + ", " + at(.99)
		}
		fmt.Printf("| %s | %d | %s | %d | %d |\n", name, len(took)+refused+errors, figures, refused, errors)
	}
	for _, name := range slices.Sorted(maps.Keys(u.kinds)) {
		k := u.kinds[name]
		n := 0
		for e, times := range k.errors {
			n += times
			fmt.Fprintf(os.Stderr, "%s: %d times: %s\n", name, times, e)
		}
		line(name, k.took, len(k.refused), n)
		every, refused = append(every, k.took...), append(refused, k.refused...)
		errors, bare = errors+n, bare+k.bare
	}
	line("all", every, len(refused), errors)
	fmt.Printf("%.1f answers/s, %.1f s of processor time in %.1f s, %d refusals without Retry-After or a problem, peak memory %s\n", float64(len(every))/took.Seconds(), used.Seconds(), took.Seconds(), bare, peak(pid))
	if len(refused) > 0 {
		fmt.Println("refused in " + times(refused))
	}
}

// peak returns the peak resident memory of a process (VmHWM on Linux), or "unknown".
func peak(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(b)
	if m == nil {
		return "unknown"
	}
	kb, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return fmt.Sprintf("%d MB", kb>>10)
}
