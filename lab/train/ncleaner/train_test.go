package ncleaner

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/clean/ncleaner"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestNoPages(t *testing.T) {
	if _, err := NewTrainer(ncleaner.DefaultModel, nil); err == nil {
		t.Error("trained on nothing")
	}
	for _, cfg := range []ncleaner.ModelConfig{{N: 0, Q: .5}, {N: 9, Q: .5}, {N: 3, Q: 0}, {N: 3, Q: 1}, {N: 3, Q: math.NaN()}, {N: 3, Q: .5, MinRune: -1}} {
		if _, err := NewTrainer(cfg, examples()); err == nil {
			t.Errorf("took %+v", cfg)
		}
	}
}

func TestFolds(t *testing.T) {
	var x []Example
	for i := range 23 {
		x = append(x, Example{Page: &page.Page{ID: fmt.Sprint("page", i)}})
	}
	ids := func(x []Example, k int) (folds [][]string) {
		tr := must.Get(NewTrainer(ncleaner.DefaultModel, x))(t)
		for _, f := range tr.folds(k) {
			var s []string
			for _, i := range f {
				s = append(s, x[i].Page.ID)
			}
			folds = append(folds, s)
		}
		return folds
	}
	folds := ids(x, 10)
	var all []string
	for _, f := range folds {
		if len(f) < 2 || len(f) > 3 {
			t.Errorf("a fold of %d of 23 pages", len(f))
		}
		all = append(all, f...)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 23 {
		t.Errorf("the folds hold %d pages, wanted each of 23 once", len(all))
	}
	slices.Reverse(x)
	if got := ids(x, 10); fmt.Sprint(got) != fmt.Sprint(folds) {
		t.Errorf("in another order of pages the folds are %v, not %v", got, folds)
	}
	if got := ids(x[:3], 10); len(got) != 3 {
		t.Errorf("%d folds of 3 pages", len(got))
	}
}

// A page is judged by a pair that has not seen it.
func TestCrossValidation(t *testing.T) {
	x := examples()
	tr, _ := train(t, ncleaner.ModelConfig{N: 3, Q: .5})
	seen := 0
	err := tr.CrossValidate(10, func(p *page.Page, m *ncleaner.Model) error {
		seen++
		var rest []Example
		for _, e := range x {
			if e.Page.ID != p.ID {
				rest = append(rest, e)
			}
		}
		tr, err := NewTrainer(m.ModelConfig, rest)
		if err != nil {
			return err
		}
		want, err := tr.Model()
		if err != nil {
			return err
		}
		for _, b := range p.Blocks {
			if g, w := m.PerChar(b.Text), want.PerChar(b.Text); g != w {
				t.Errorf("page %s, %q: %v, without the page %v", p.ID, b.Text, g, w)
			}
		}
		return nil
	})
	if err != nil || seen != len(x) {
		t.Errorf("%d pages, %v", seen, err)
	}
}

// probability is equation 1 for the last symbol of an n-gram, over the histories that were seen.
func probability(e *ncleaner.Estimator, n int, q float64, g uint64) float64 {
	for ; n > 1; n-- {
		if _, ok := e.Relative(g, n); ok {
			break
		}
	}
	sum := 0.0
	for k := n; k >= 1; k-- {
		f, _ := e.Relative(g, k)
		sum += math.Pow(q, float64(n-k)) * f
	}
	return (1 - q) / (1 - math.Pow(q, float64(n))) * sum
}

// The curves of Tune are the cross-entropies of equation 1.
func TestTune(t *testing.T) {
	tr := must.Get(NewTrainer(ncleaner.ModelConfig{N: 4, Q: .5}, examples()))(t)
	points := tr.Tune(3)
	if len(points) != 4*len(tuneQ) {
		t.Fatalf("%d points", len(points))
	}
	x := examples()
	for _, p := range []Point{points[0], points[len(tuneQ)+3], points[3*len(tuneQ)+5]} {
		bits, chars := 0.0, 0.0
		for _, held := range tr.folds(3) {
			var rest []string
			for i := range x {
				if !slices.Contains(held, i) {
					rest = append(rest, ncleaner.PageSegments(x[i].Page)...)
				}
			}
			seen := ncleaner.Counts{}
			for _, s := range rest {
				segment(seen, tr.a, p.N, s)
			}
			e := ncleaner.NewEstimator(tr.a, p.N, seen, p.Q)
			for _, i := range held {
				for _, s := range ncleaner.PageSegments(x[i].Page) {
					for g := range tr.a.Grams(s, p.N) {
						bits -= math.Log2(probability(e, p.N, p.Q, g))
						chars++
					}
				}
			}
		}
		if want := bits / chars; math.Abs(p.Bits-want) > 1e-9 {
			t.Errorf("n = %d, q = %v: %v bits, equation 1 gives %v", p.N, p.Q, p.Bits, want)
		}
	}
	var table, svg strings.Builder
	must.Succeed(t, WriteTable(&table, points))
	if lines := strings.Count(table.String(), "\n"); lines != len(tuneQ)+1 || !strings.Contains(table.String(), "n=4") {
		t.Errorf("table:\n%s", table.String())
	}
	must.Succeed(t, WriteSVG(&svg, points))
	must.Equal(t, strings.Count(svg.String(), `fill="none" stroke-linejoin`), 4, "curves")
	if b := Best([]Point{{1, .1, 3}, {2, .2, 2}, {3, .3, 4}}); b.N != 2 {
		t.Errorf("best is %v", b)
	}
}

func TestReadPages(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("html/2.html", "<p>Two<p hidden>Gone<pre>one line\nand the next\n\n* item</pre>")
	write("html/1.html", "<li>One")
	write("html/3.html", "left out")
	write("gold/1.txt", "One\n")
	write("gold/2.txt", "Two\n\nitem\n")
	write("meta.jsonl", "{}")
	x, err := ReadPages(t.Context(), dir, []string{"3"})
	must.Succeed(t, err)
	var got []string
	for _, e := range x {
		got = append(got, fmt.Sprintf("%s %q %q", e.Page.ID, ncleaner.PageSegments(e.Page), e.Clean))
	}
	want := []string{`1 ["One"] ["One"]`, `2 ["Two" "one line and the next" "* item"] ["Two" "item"]`}
	must.Same(t, got, want)
	must.Fail(t, must.Err(ReadPages(t.Context(), dir, nil)), `"3"`)
	if _, err := ReadPages(t.Context(), filepath.Join(dir, "gold"), nil); err == nil {
		t.Error("no pages, no error")
	}

	write("raw/a.txt", "Home | News | Sport\n\nThe text\n")
	write("clean/a.txt", "The text")
	write("raw/b.txt", "left out")
	x, err = ReadDumps(t.Context(), filepath.Join(dir, "raw"), filepath.Join(dir, "clean"), []string{"b"})
	if err != nil || len(x) != 1 || fmt.Sprint(ncleaner.PageSegments(x[0].Page), x[0].Clean) != "[Home | News | Sport The text] [The text]" {
		t.Errorf("dumps: %v, %v", x, err)
	}
	if _, err := ReadDumps(t.Context(), filepath.Join(dir, "raw"), filepath.Join(dir, "clean"), nil); err == nil {
		t.Error("dump without clean text, no error")
	}
}
