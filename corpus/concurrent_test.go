package corpus

import (
	"slices"
	"sync"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestParts: the matches that begin in each part of a corpus are together all matches.
func TestParts(t *testing.T) {
	c := buildWith(t, zipf(2000), zipfConfig())
	for _, cql := range []string{`[tag="A"]`, `[lc="w.*"]{1,3}`, `<s> []`, `[] </s>`, `[lc="w1.*"] []{0,5} [tag="B"] within <s/>`, `1:[] []{0,2} 2:[tag="A"] & 1.tag = 2.tag`, `[lc!="w1.*"]+ within (<s/> containing [tag="B"])`} {
		q := must.Get(c.Query(t.Context(), cql))(t)
		var want, got []Match
		for m, err := range q.Matches(t.Context()) {
			must.Succeed(t, err)
			want = append(want, m)
		}
		for first := int64(0); first < c.Size(); first += 77 {
			for m, err := range q.matches(t.Context(), first, min(first+77, c.Size())) {
				must.Succeed(t, err)
				got = append(got, m)
			}
		}
		if len(want) == 0 || !slices.EqualFunc(got, want, func(a, b Match) bool {
			return a.Start == b.Start && a.End == b.End && slices.Equal(a.Labels, b.Labels)
		}) {
			t.Errorf("%s: %d matches in parts, %d in all", cql, len(got), len(want))
		}
	}
}

// TestConcurrent evaluates one query in several goroutines at once.
func TestConcurrent(t *testing.T) {
	c := buildWith(t, zipf(2000), zipfConfig())
	q := must.Get(c.Query(t.Context(), `1:[tag="A"] []{0,2} 2:[lc="w.*"] within (<s/> containing [tag="B"]) & 1.word != 2.word`))(t)
	want, err := q.Count(t.Context())
	if err != nil || want < 100 {
		t.Fatalf("%d matches, %v", want, err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if n, err := q.Count(t.Context()); err != nil || n != want {
				t.Errorf("%d matches, %v, wanted %d", n, err, want)
			}
		})
	}
	wg.Wait()
}
