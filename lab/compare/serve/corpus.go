package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// queries lists typical queries of a corpus of English web pages: frequent and rare words, phrases
// with gaps, regular expressions, and conditions on documents. The equivalents for BlackLab's
// server ignore case unless they contain (?-i).
var queries = []struct{ patt, filter, theirs, theirFilter string }{
	{`"water"`, "", `"(?-i)water"`, ""}, {`"the"`, "", `"(?-i)the"`, ""}, {`[lc="because"]`, "", `"because"`, ""}, {`"serendipity"`, "", `"(?-i)serendipity"`, ""},
	{`"New" "York"`, "", `"(?-i)New" "(?-i)York"`, ""}, {`"of" "the"`, "", `"(?-i)of" "(?-i)the"`, ""}, {`[lc="take"] []{0,3} [lc="account"]`, "", `"take" []{0,3} "account"`, ""},
	{`[word=".*ing"]`, "", `"(?-i).*ing"`, ""}, {`[word="un.*able"]`, "", `"(?-i)un.*able"`, ""}, {`[lc="very"] [word=".*ly"]`, "", `"very" "(?-i).*ly"`, ""},
	{`"however" []{0,5} ","`, "", `"(?-i)however" []{0,5} "(?-i),"`, ""}, {`[word="[A-Z].*"]{3}`, "", `"(?-i)[A-Z].*"{3}`, ""},
	{`[lc="in"] [lc="order"] [lc="to"] within <s/>`, "", `"in" "order" "to" within <s/>`, ""}, {`<s> [lc="but"]`, "", `<s> "but"`, ""}, {`[lc="colou?r"]`, "", `"colou?r"`, ""},
	{`"water"`, `doc.lang="en"`, `"(?-i)water"`, "lang:en"}, {`[lc="said"]`, `doc.year>=2020`, `"said"`, "year:[2020 TO 2999]"},
	{`[word="w.*"] []{0,3} [word=".*ing"]`, "", `"(?-i)w.*" []{0,3} "(?-i).*ing"`, ""}, {`[]`, "", `[]`, ""}, {`"," "and"`, "", `"(?-i)," "(?-i)and"`, ""},
}

// asked is a server that queries are sent to.
type asked struct {
	name, address, token string
	pid                  int
	first, total         []time.Duration
	used                 time.Duration // processor time
	gaveUp               int           // number of responses with status 503
}

// errGaveUp means that a server cancelled a search.
var errGaveUp = errors.New("the server gave up")

// get sends a request and records its time.
func (a *asked) get(path string, params url.Values, took *[]time.Duration) ([]byte, error) {
	r, err := http.NewRequest(http.MethodGet, a.address+path+"?"+params.Encode(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+a.token)
	before, _ := process(a.pid)
	start := time.Now()
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	*took = append(*took, time.Since(start))
	after, _ := process(a.pid)
	a.used += after - before
	if got.StatusCode == http.StatusServiceUnavailable {
		a.gaveUp++
		return nil, errGaveUp
	}
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s%s: status %d: %.300s", a.address, path, got.StatusCode, b)
	}
	return b, err
}

// ours requests the first page of a concordance from chaffinch, like the browser page, and the
// exact total. Since the server caches totals, each round writes the queries differently.
func (a *asked) ours(i, round int) (total int64, err error) {
	q := queries[i]
	p := url.Values{"patt": {q.patt + strings.Repeat(" ", round)}, "number": {"20"}, "refs": {"doc.id"}}
	if q.filter != "" {
		p.Set("filter", q.filter)
	}
	if _, err = a.get("/hits", p, &a.first); err != nil {
		return 0, err
	}
	p.Del("number")
	p.Del("refs")
	p.Set("patt", p.Get("patt")+"\t") // another text, whose total is not cached
	b, err := a.get("/count", p, &a.total)
	if err != nil {
		return 0, err
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	var last struct {
		Total int64
		Exact bool
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || !last.Exact {
		return 0, fmt.Errorf("count: %v: %s", err, b)
	}
	return last.Total, nil
}

// theirs sends the same query to BlackLab's server, without its cache. The total is negative if it
// stopped counting.
func (a *asked) theirs(i int) (total int64, err error) {
	q := queries[i]
	p := url.Values{"patt": {q.theirs}, "number": {"20"}, "usecache": {"no"}, "outputformat": {"json"}}
	if q.theirFilter != "" {
		p.Set("filter", q.theirFilter)
	}
	if _, err = a.get("/hits", p, &a.first); err != nil && !errors.Is(err, errGaveUp) {
		return 0, err
	}
	p.Set("number", "0")
	p.Set("waitfortotal", "yes")
	b, err := a.get("/hits", p, &a.total)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Summary struct {
			NumberOfHits                       int64
			StillCounting, StoppedCountingHits bool
		}
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		return 0, err
	}
	s := answer.Summary
	if s.StillCounting || s.StoppedCountingHits {
		return -s.NumberOfHits, nil
	}
	return s.NumberOfHits, nil
}

// corpus sends each query to a corpus, rounds times, alternating with BlackLab's server if it has
// an address.
func corpus(us, them *asked, rounds int) error {
	servers := []*asked{us}
	if them.address != "" {
		servers = append(servers, them)
	}
	for round := range rounds {
		for i, q := range queries {
			totals := make([]int64, len(servers))
			var err error
			for j, s := range servers {
				if s == us {
					totals[j], err = s.ours(i, round)
				} else {
					totals[j], err = s.theirs(i)
				}
				if errors.Is(err, errGaveUp) {
					totals[j] = -1
				} else if err != nil {
					return err
				}
			}
			if round > 0 {
				continue
			}
			fmt.Printf("%-52s", strings.TrimSpace(q.patt+"  "+q.filter))
			for j, s := range servers {
				fmt.Printf("  %s: %9d hits, first page %8.1f ms, exact total %8.1f ms", s.name, totals[j], ms(s.first[len(s.first)-1]), ms(s.total[len(s.total)-1]))
			}
			fmt.Println()
		}
	}
	for _, s := range servers {
		tell := func(name string, took []time.Duration) {
			slices.Sort(took)
			fmt.Printf("%s: %-12s p50 %8.1f p95 %8.1f most %8.1f ms\n", s.name, name, ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms(took[len(took)-1]))
		}
		tell("first page", s.first)
		tell("exact total", s.total)
		if _, memory := process(s.pid); memory > 0 {
			fmt.Printf("%s: %.1f s of processor time, resident memory %d MB, gave up %d times\n", s.name, s.used.Seconds(), memory>>20, s.gaveUp)
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
