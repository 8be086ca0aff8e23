package corpus

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

func TestTheilSen(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 4}, []float64{1, 3, 4}, 1},              // slopes 2, 1, 0.5
		{[]float64{1, 2, 3, 4}, []float64{0, 1, 5, 7}, 29. / 12}, // 1, 2.5, 7/3, 4, 3, 2: (7/3 + 2.5)/2
		{[]float64{0, 1, 2}, []float64{7, 7, 7}, 0},
	} {
		if got := theilSen(c.x, c.y, nil); !near(got, c.want, 1e-12) {
			t.Errorf("%v %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestKendall compares p-values with values computed by hand.
//
//	4 values in order       1 of 24 orders on each side: 2/24
//	1 2 3 5 4               S = 8: 1 + 4 orders of 120 on each side
//	1 1 2                   3 orders with S = 2, 0, -2: 2/3
//	11 values in order      S = 55, variance 165, z = 54/sqrt(165) = 4.20390
//	1 1 2 3 3 3 4 2 5 6 6 7 4 falling, 6 tied of 66 pairs: S = 52;
//	                        variance (12*11*29 - 3*18 - 66)/18 = 206, z = 51/sqrt(206)
func TestKendall(t *testing.T) {
	k := kendall{}
	for _, c := range []struct {
		y    []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, 2. / 24},
		{[]float64{4, 3, 2, 1}, 2. / 24},
		{[]float64{1, 2, 3, 5, 4}, 10. / 120},
		{[]float64{1, 1, 2}, 2. / 3},
		{[]float64{1, 2, 1}, 1},
		{[]float64{5, 5, 5, 5}, 1},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, math.Erfc(54 / math.Sqrt(165) / math.Sqrt2)},
		{[]float64{1, 1, 2, 3, 3, 3, 4, 2, 5, 6, 6, 7}, math.Erfc(51 / math.Sqrt(206) / math.Sqrt2)},
		{make([]float64, 12), 1},
	} {
		if got := k.p(c.y); !near(got, c.want, 1e-12) {
			t.Errorf("%v: p %v, want %v", c.y, got, c.want)
		}
	}
}

// TestKendallExact compares exact p-values with those of all orders.
func TestKendallExact(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 4), func(n int) float64 { return float64(n) }), 3, 6).Draw(r, "y")
		statistic := func(y []float64) (s float64) {
			for j := range y {
				for i := range j {
					switch {
					case y[j] > y[i]:
						s++
					case y[j] < y[i]:
						s--
					}
				}
			}
			return math.Abs(s)
		}
		wanted, as, all := statistic(y), 0, 0
		var permute func(rest, head []float64)
		permute = func(rest, head []float64) {
			if len(rest) == 0 {
				if all++; statistic(head) >= wanted {
					as++
				}
			}
			for i := range rest {
				permute(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(head), rest[i]))
			}
		}
		permute(y, nil)
		if got, want := (kendall{}).p(y), float64(as)/float64(all); !near(got, want, 1e-12) {
			r.Errorf("%v: p %v, want %v", y, got, want)
		}
	})
}

// TestAdjust: the sorted p-values times 4/rank are 0.02, 0.02, 0.04, 0.04.
func TestAdjust(t *testing.T) {
	words := []wordTrend{{p: 0.01}, {p: 0.04}, {p: 0.03}, {p: 0.005}}
	adjust(words)
	for i, want := range []float64{0.02, 0.04, 0.04, 0.02} {
		if !near(words[i].q, want, 1e-12) {
			t.Errorf("p %v: q %v, want %v", words[i].p, words[i].q, want)
		}
	}
}

// years has 10 tokens in each of four years; up occurs 1, 2, 3 and 4 times, even twice each, down 4, 3, 1 and 0 times.
func years() string {
	var b strings.Builder
	for i, n := range [][3]int{{1, 2, 4}, {2, 2, 3}, {3, 2, 1}, {4, 2, 0}} {
		// The year 2001 has two documents, with dates.
		day := []string{"2000", "2001-01-01", "2002", "2004"}[i]
		fmt.Fprintf(&b, "<doc when=\"%s\">\n%s", day, strings.Repeat("Up\n", n[0]))
		if i == 1 {
			b.WriteString("</doc>\n<doc when=\"2001-12-31\">\n")
		}
		b.WriteString(strings.Repeat("even\n", n[1]) + strings.Repeat("down\n", n[2]) + strings.Repeat(".\n", 10-n[0]-n[1]-n[2]) + "</doc>\n")
	}
	return b.String() + "<doc when=\"unknown\">\nup\nup\n</doc>\n"
}

// TestTrends computes up by hand. In thousands per million, it has 100, 200, 300 and 400 in 2000, 2001,
// 2002 and 2004. The slopes of the pairs are 50, 66.7, 75, 100, 100 and 100, with the median 87.5. The mean
// is 250.
func TestTrends(t *testing.T) {
	c := build(t, years(), "word")
	got := must.Get(c.Trends(t.Context(), TrendConfig{By: "doc.when", Fold: true, Words: true, MinFreq: 5}))(t)
	if got.Tokens != 40 || got.Undated != 2 || got.Tested != 3 || fmt.Sprint(got.Epochs) != "[{2000 10} {2001 10} {2002 10} {2004 10}]" {
		t.Errorf("%+v", got)
	}
	var words []string
	for _, r := range got.Rows {
		words = append(words, r.Word)
	}
	if !slices.Equal(words, []string{"down", "up", "even"}) {
		t.Fatalf("rows %v", words)
	}
	up := got.Rows[1]
	if up.Freq != 10 || fmt.Sprint(up.Hits) != "[1 2 3 4]" || !near(up.Slope, 87_500, 1e-6) || !near(up.Change, 0.35, 1e-9) || !near(up.P, 2./24, 1e-12) || !near(up.Q, 3./24, 1e-12) || up.Spark() != "▂▄▆█" {
		t.Errorf("%+v %s", up, up.Spark())
	}
	if even := got.Rows[2]; even.Slope != 0 || even.P != 1 || even.Q != 1 {
		t.Errorf("%+v", even)
	}
	if down := got.Rows[0]; down.Spark() != "█▆▂ " || down.Slope >= 0 {
		t.Errorf("%+v %q", down, down.Spark())
	}
	if p := got.Pictures(); len(p) != 2 || !strings.Contains(string(p[0].SVG), ">up<") || !strings.Contains(string(p[1].SVG), ">down<") {
		t.Errorf("%d pictures", len(p))
	}
	for sort, first := range map[string]string{"change": "down", "slope": "down", "word": "down"} {
		x, err := c.Trends(t.Context(), TrendConfig{By: "doc.when", Fold: true, Words: true, MinFreq: 5, Sort: sort, Limit: 1})
		if err != nil || len(x.Rows) != 1 || x.Rows[0].Word != first {
			t.Errorf("sort %s: %+v, %v", sort, x, err)
		}
	}
	part := must.Get(c.Where(t.Context(), `doc.when!="2004"`))(t)
	x, err := part.Trends(t.Context(), TrendConfig{By: "doc.when", Fold: true, Words: true, MinFreq: 1, MaxQ: 0.5})
	if err != nil || x.Tokens != 30 || len(x.Rows) != 2 || fmt.Sprint(x.Rows[1].Hits) != "[1 2 3]" {
		t.Errorf("a part: %+v, %v", x, err)
	}
	for _, cfg := range []TrendConfig{{}, {By: "doc.colour"}, {By: "doc.when", Sort: "sideways"}, {By: "doc.when", Attr: "colour"}, {By: "doc.when", Pattern: "("}} {
		if _, err := c.Trends(t.Context(), cfg); err == nil {
			t.Errorf("%+v: no error", cfg)
		}
	}
	if _, err := build(t, zoo, "word").Trends(t.Context(), TrendConfig{By: "doc.lang"}); err == nil || !strings.Contains(err.Error(), "0 different times (wanted at least 3)") {
		t.Errorf("languages as times: %v", err)
	}
}
