package corpus

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// TestSorter compares sorted concordances with a stable sort by the words of the keys. The texts
// have few words, so that many contexts are equal or end with the document.
func TestSorter(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var vert strings.Builder
		word := rapid.SampledFrom(slices.Concat(slices.Repeat([]string{"a"}, rapid.IntRange(1, 20).Draw(t, "dull")), []string{"A", "b", "ß", "É"}))
		for i := range rapid.IntRange(1, 8).Draw(t, "documents") {
			fmt.Fprintf(&vert, "<doc id=\"%d\" lang=%q>\n", i, rapid.SampledFrom([]string{"en", "En", "de", ""}).Draw(t, "lang"))
			for range rapid.IntRange(0, 40).Draw(t, "tokens") {
				vert.WriteString(word.Draw(t, "word") + "\n")
			}
			vert.WriteString("</doc>\n")
		}
		cfg := DefaultBuild
		cfg.Columns = []string{"word"}
		c := buildTemp(t, vert.String(), cfg)
		defer c.Close()
		q, err := c.Query(t.Context(), rapid.SampledFrom([]string{`[]`, `"a"`, `"a"+`, `[]{3,20}`, `[]{12}`, `1:"a" []{0,12} 2:"b"?`, `1:"a"|"b" 2:"a"`}).Draw(t, "query"))
		must.Succeed(t, err)
		by := ConcordanceConfig{
			View: KWIC, Context: 10, Unit: "s",
			Sort:   rapid.SliceOfN(rapid.SampledFrom([]string{"match", "left", "right", "match", "doc", "doc.lang"}), 1, 3).Draw(t, "keys"),
			First:  rapid.IntRange(0, 9).Draw(t, "first"),
			Limit:  rapid.SampledFrom([]int{0, 0, 1, 7, 1000}).Draw(t, "limit"),
			Sample: rapid.SampledFrom([]int{0, 0, 30}).Draw(t, "sample"),
		}
		all := by
		all.Sort, all.First, all.Limit = nil, 0, 0
		total, ms := spansOf(t, q, all)
		want := slices.Clone(ms)
		slices.SortStableFunc(want, func(a, b Match) int { return compareByText(c, by.Sort, a, b) })
		if by.Limit > 0 {
			want = want[:min(len(want), by.First+by.Limit)]
		}

		keys := must.Get(c.sortKeys(t.Context(), by.Sort))(t)
		most := by.First + by.Limit
		if by.Limit == 0 {
			most = 0
		}
		merged := newSorter(keys, len(q.labels), most)
		for rest := ms; len(rest) > 0; { // as parts of the corpus are merged
			n := rapid.IntRange(1, len(rest)).Draw(t, "part")
			part := newSorter(keys, len(q.labels), most)
			for _, m := range rest[:n] {
				must.Succeed(t, part.add(m))
			}
			must.Succeed(t, merged.merge(part))
			rest = rest[n:]
		}
		if got := merged.matches(newDeadline(t.Context())); merged.total != int64(len(ms)) || !sameMatches(got, want) {
			t.Errorf("merged: %v of %d, wanted %v of %d", got, merged.total, want, len(ms))
		}

		want = want[min(by.First, len(want)):]
		if n, got := spansOf(t, q, by); n != total || !sameMatches(got, want) {
			t.Errorf("%s by %v: %v of %d, wanted %v of %d", q, by.Sort, got, n, want, total)
		}
	})
}

// sameMatches reports whether a and b hold the same matches.
func sameMatches(a, b []Match) bool { return len(a)+len(b) == 0 || reflect.DeepEqual(a, b) }

// spansOf returns the number of matches and the matches that are shown.
func spansOf(t *rapid.T, q *Query, cfg ConcordanceConfig) (total int64, ms []Match) {
	k := must.Get(q.Concordance(t.Context(), cfg))(t)
	for l, err := range k.Lines(t.Context()) {
		must.Succeed(t, err)
		ms = append(ms, l.Match)
	}
	return k.Total, ms
}

// compareByText compares matches by keys, computed from the text of the words.
func compareByText(c *Corpus, keys []string, a, b Match) int {
	words := func(from, step, to int64, most int) (ws []string) {
		for p := from; p != to && len(ws) < most; p += step {
			ws = append(ws, strings.ToLower(c.attrs[0].Word(c.attrs[0].At(p))))
		}
		return ws
	}
	document := func(m Match) int { i, _ := c.doc.Find(m.Start); return i }
	key := func(name string, m Match) []string {
		lo, hi := c.region(uint32(m.Start))
		switch name {
		case "left":
			return words(m.Start-1, -1, int64(lo)-1, sortDepth)
		case "right":
			return words(m.End, 1, int64(hi), sortDepth)
		case "match":
			return words(m.Start, 1, m.End, int(m.End-m.Start))
		}
		lang := c.doc.Value("lang", document(m))
		return []string{strings.ToLower(lang), lang}
	}
	for _, name := range keys {
		x := cmp.Compare(document(a), document(b))
		if name != "doc" {
			x = slices.Compare(key(name, a), key(name, b))
		}
		if x != 0 {
			return x
		}
	}
	return 0
}

// TestSortLimit wants an error only if more matches must be held than possible.
func TestSortLimit(t *testing.T) {
	s := newSorter(nil, 0, 0)
	s.best.items = make([]uint32, maxSorted)
	s.spare = maxSorted
	s.chunks = make([][]uint32, maxSorted/chunk)
	if err := s.add(Match{Start: 1, End: 2}); err == nil || !strings.Contains(err.Error(), "limit the lines") {
		t.Errorf("without a limit: %v", err)
	}
	s = newSorter(nil, 0, 2)
	for i := range int64(10) {
		must.Succeed(t, s.add(Match{Start: 9 - i, End: 10}))
	}
	if got := s.matches(newDeadline(t.Context())); s.total != 10 || len(got) != 2 || got[0].Start != 0 || got[1].Start != 1 {
		t.Errorf("%v of %d", got, s.total)
	}
}
