package ncleaner

import (
	"fmt"
	"maps"
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/clean/ncleaner"
)

func countAll(a *ncleaner.Alphabet, n int, texts []string) ncleaner.Counts {
	c := ncleaner.Counts{}
	for _, t := range texts {
		segment(c, a, n, t)
	}
	return c
}

func TestDifferentialCounts(t *testing.T) {
	a, _ := ncleaner.NewAlphabet(false, false, nil)
	raw := countAll(a, 3, []string{"home", "the cat", "the cat sat"})
	clean := countAll(a, 3, []string{"the cat", "the cat sat", "edited text"})
	d := minus(raw, clean)
	want := countAll(a, 3, []string{"home"})
	if fmt.Sprint(d) != fmt.Sprint(want) {
		t.Errorf("raw - clean = %v, wanted what \"home\" alone has: %v", d, want)
	}
	for g, n := range d {
		if n <= 0 {
			t.Errorf("%x: count %d", g, n)
		}
	}
	sum := maps.Clone(raw)
	add(sum, clean)
	sub(sum, clean)
	if fmt.Sprint(sum) != fmt.Sprint(raw) {
		t.Errorf("adding and taking away changed the counts")
	}
}

func TestLearnRunes(t *testing.T) {
	n := map[rune]int{'a': 99, 'é': 5, 'ж': 5, '”': 7, '中': 1, '\u00a0': 50, '\u200b': 50, '٣': 9}
	must.Equal(t, string(learnRunes(n, false, 5, 9)), "éж٣”", "lexical")
	must.Equal(t, string(learnRunes(n, true, 5, 9)), "”", "non-lexical")
	must.Equal(t, string(learnRunes(n, false, 1, 3)), "é٣”", "the three most frequent")
}
