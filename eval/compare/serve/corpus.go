package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// queries are what people ask a corpus of English web pages: frequent and rare words,
// phrases with gaps, regular expressions, conditions on documents.
var queries = []struct{ patt, filter string }{
	{`"water"`, ""}, {`"the"`, ""}, {`[lc="because"]`, ""}, {`"serendipity"`, ""}, {`"New" "York"`, ""},
	{`"of" "the"`, ""}, {`[lc="take"] []{0,3} [lc="account"]`, ""}, {`[word=".*ing"]`, ""}, {`[word="un.*able"]`, ""}, {`[lc="very"] [word=".*ly"]`, ""},
	{`"however" []{0,5} ","`, ""}, {`[word="[A-Z].*"]{3}`, ""}, {`[lc="in"] [lc="order"] [lc="to"] within <s/>`, ""}, {`<s> [lc="but"]`, ""}, {`[lc="colou?r"]`, ""},
	{`"water"`, `doc.lang="en"`}, {`[lc="said"]`, `doc.year>=2020`}, {`[word="w.*"] []{0,3} [word=".*ing"]`, ""}, {`[]`, ""}, {`"," "and"`, ""},
}

// corpus asks a corpus each query: the first page of the concordance, as the page
// asks for it, and the exact total. The totals are remembered by the server, so each
// query is asked with a condition that it has not seen, rounds times.
func corpus(address, token string, rounds, pid int) error {
	ask := func(path string, params url.Values) ([]byte, time.Duration, error) {
		r, err := http.NewRequest(http.MethodGet, address+path+"?"+params.Encode(), nil)
		if err != nil {
			return nil, 0, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
		start := time.Now()
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, 0, err
		}
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		if err == nil && a.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: status %d: %s", path, a.StatusCode, b)
		}
		return b, time.Since(start), err
	}
	var first, total []time.Duration
	fmt.Printf("%-52s %12s %12s %12s\n", "query", "hits", "first page", "exact total")
	for round := range rounds {
		for _, q := range queries {
			p := url.Values{"patt": {q.patt + strings.Repeat(" ", round)}, "number": {"20"}, "refs": {"doc.id"}}
			if q.filter != "" {
				p.Set("filter", q.filter)
			}
			_, page, err := ask("/hits", p)
			if err != nil {
				return err
			}
			p.Del("number")
			p.Del("refs")
			p.Set("patt", p.Get("patt")+"\t") // another text: its total is not known
			b, all, err := ask("/count", p)
			if err != nil {
				return err
			}
			lines := strings.Split(strings.TrimSpace(string(b)), "\n")
			var last struct {
				Total int64
				Exact bool
			}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || !last.Exact {
				return fmt.Errorf("count: %v: %s", err, b)
			}
			first, total = append(first, page), append(total, all)
			if round == 0 {
				fmt.Printf("%-52s %12d %9.1f ms %9.1f ms\n", strings.TrimSpace(q.patt+"  "+q.filter), last.Total, ms(page), ms(all))
			}
		}
	}
	tell := func(name string, took []time.Duration) {
		slices.Sort(took)
		fmt.Printf("%-12s p50 %7.1f p95 %7.1f most %7.1f ms\n", name, ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms(took[len(took)-1]))
	}
	tell("first page", first)
	tell("exact total", total)
	if _, memory := process(pid); memory > 0 {
		fmt.Printf("resident memory of the server %d MB\n", memory>>20)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
