package clean

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// duel makes a view in which each system has the given share of the ten words of
// each page: its word F is 2s/(1+s).
func duel(names []string, words ...[]int) View {
	const text = "one two three four five six seven eight nine ten"
	v := View{Set: &Set{Set: &gold.Set{Name: "duel"}}}
	for i := range words {
		v.Set.Pages = append(v.Set.Pages, &Gold{Page: &gold.Page{ID: fmt.Sprint(i), Text: text}})
	}
	for k, name := range names {
		o := &Output{Name: name, Pages: map[string]Prediction{}}
		r := &Result{Set: "duel", System: name}
		for i, n := range words {
			p := Prediction{Text: strings.Join(strings.Fields(text)[:n[k]], " ")}
			o.Pages[fmt.Sprint(i)] = p
			r.Scores = append(r.Scores, v.Set.Pages[i].measure(p))
		}
		v.Outputs, v.Results = append(v.Outputs, o), append(v.Results, r)
	}
	return v
}

func TestMeasureAgainst(t *testing.T) {
	m, _ := Lookup("w_f")
	v := duel([]string{"ours", "a", "b", "c", "aside"},
		[]int{0, 10, 9, 1, 10},   // 0 against .947: the worst kind only
		[]int{3, 10, 10, 0, 0},   // .46 against 1: both kinds
		[]int{6, 10, 10, 10, 0},  // .75 against 1: the second kind
		[]int{6, 9, 9, 9, 10},    // .75 against .947: none
		[]int{10, 3, 3, 10, 10},  // 1 against .46: the reverse of both
		[]int{0, 10, 0, 0, 10},   // one rival is right, the median is not
		[]int{10, 10, 10, 10, 0}) // all are right
	a := MeasureAgainst([]View{v}, 0, []string{"a", "b", "c"}, m)
	if a.Pages != 7 || !slices.Equal(a.Fails, []int{2, 2}) || !slices.Equal(a.Reverse, []int{1, 1}) {
		t.Errorf("%d pages, fails %v, reverse %v; want 7, [2 2], [1 1]", a.Pages, a.Fails, a.Reverse)
	}
	var ids []string
	for _, b := range a.Bad {
		ids = append(ids, b.Gold.ID)
	}
	if !slices.Equal(ids, []string{"0", "1", "2"}) {
		t.Errorf("pages %v, want 0 and 1, of the worst kind, then 2", ids)
	}
	if got := a.Bad[0]; math.Abs(got.Median-18./19) > 1e-9 || len(got.Dropped) != 1 || got.Dropped[0].Words != 10 {
		t.Errorf("page 0: median %v, dropped %v", got.Median, got.Dropped)
	}
	var out bytes.Buffer
	must.Succeed(t, WriteAgainst(&out, a))
	for _, want := range []string{"ours against the median of 3 others (a, b, c), w_f of 7 pages\n", "below 50, the median above 90: 2; the reverse: 1\n", "  1. duel 0  w_f 0.0, median 94.7  lost 10 of 10 words"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if a := MeasureAgainst([]View{v}, 0, []string{"a", "nobody"}, m); a.Pages != 0 {
		t.Errorf("a rival without output: %d pages compared", a.Pages)
	}
	// Two rivals: the mean of both.
	if a := MeasureAgainst([]View{v}, 0, []string{"b", "c"}, m); math.Abs(a.Bad[0].Median-1) > 1e-9 || a.Fails[0] != 0 {
		t.Errorf("two rivals: %v, fails %v", a.Bad[0].Median, a.Fails)
	}
	if len(Worst([]View{v}, 0, m, 1)) != 1 || !math.IsNaN(Worst([]View{v}, 0, m, 1)[0].Median) {
		t.Error("the worst pages have a median though nothing was compared")
	}
}
