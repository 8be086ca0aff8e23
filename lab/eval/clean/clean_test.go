package clean

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

func open(t testing.TB, name string) *Set {
	t.Helper()
	return must.Get(Open("testdata/reference", name))(t)
}

// perfect is the output of a system that always answers with the gold.
func perfect(s *Set) *Output {
	o := &Output{Name: "gold", Pages: map[string]Prediction{}}
	for _, g := range s.Pages {
		o.Pages[g.ID] = Prediction{Text: g.Text, Segments: g.Segments}
	}
	return o
}

func measure(t testing.TB, s *Set, o *Output, cfg Config) *Result {
	t.Helper()
	return must.Get(Measure(context.Background(), s, o, cfg))(t)
}

// TestPerfect: the gold scores 1 on everything that compares with the gold
// text, on every page but one without gold, where there is no word to find.
func TestPerfect(t *testing.T) {
	s := open(t, "cleaneval-mini")
	r := measure(t, s, perfect(s), Default)
	for _, name := range []string{"lev", "lev_indel", "w_p", "w_r", "w_f", "rg_p", "rg_r", "rg_f", "rgm_f", "sh_p", "sh_r", "sh_f", "sh_acc", "bw_f", "tag_p", "tag_r", "tag_f", "bound_f"} {
		if v, ok := r.Values[name]; !ok || v != (Value{1, 1, 1}) {
			t.Errorf("%s = %v, want 1", name, v)
		}
	}
	for _, sc := range r.Scores {
		if f := wordF(sc); sc.ID != "nothing" && f != 1 {
			t.Errorf("%s: word F %v", sc.ID, f)
		}
	}
}

// TestEmpty: no output at all scores 0 but for pages without gold.
func TestEmpty(t *testing.T) {
	s := open(t, "cleaneval-mini")
	r := measure(t, s, &Output{Pages: map[string]Prediction{}}, Config{})
	for _, sc := range r.Scores {
		want := 0.0
		if sc.ID == "nothing" {
			want = 1
		}
		if !sc.Missing || sc.Lev != want || sc.RougeF != want || sc.BagF != want || pageShingleF(sc) != want {
			t.Errorf("%s: %+v", sc.ID, sc)
		}
	}
	for _, name := range []string{"w_p", "w_r", "w_f", "sh_f"} {
		must.Equal(t, r.Values[name].Value, 0, name)
	}
}

// TestRange: all fractions of arbitrary outputs lie in 0..1, and white space
// does not matter where it should not.
func TestRange(t *testing.T) {
	for _, name := range []string{"cleaneval-mini", "wcxb-mini", "snippets-mini"} {
		s := open(t, name)
		texts := []string{"", " \n\x1f", "a", strings.Repeat("the river ", 300), s.Pages[0].Text + s.Pages[len(s.Pages)-1].Text, "<p>", "今天 ..."}
		for _, g := range s.Pages {
			for _, text := range texts {
				sc := g.measure(Prediction{Text: text})
				for _, m := range Metrics {
					if m.Page == nil {
						continue
					}
					if v := m.Page(sc); v < 0 || v > 1 {
						t.Errorf("%s %q: %s = %v", g.ID, text, m.Name, v)
					}
				}
				wide := g.measure(Prediction{Text: " " + strings.ReplaceAll(text, " ", " \u2003\n")})
				if same := wide.Lev == sc.Lev || math.IsNaN(sc.Lev); !same || wide.Words != sc.Words || wide.BagF != sc.BagF && !math.IsNaN(sc.BagF) {
					t.Errorf("%s %q: white space changes the scores", g.ID, text)
				}
			}
		}
	}
}

// TestMarkers checks the counts of labelled segmentation by hand.
func TestMarkers(t *testing.T) {
	want := []Segment{{Kind: 'h', Text: "Boats"}, {Kind: 'p', Text: "The ferry left at noon."}, {Kind: 'l', Text: "one"}, {Kind: 'l', Text: "two"}, {Kind: 0, Text: "and so on"}, {Kind: 'p', Text: "It came back."}}
	for _, c := range []struct {
		name       string
		predicted  []Segment
		tag, bound Counts
	}{
		{"same", want, Counts{5, 0, 0}, Counts{5, 0, 0}},
		{"nothing", nil, Counts{0, 0, 5}, Counts{0, 0, 5}},
		{"a type wrong", []Segment{{Kind: 'p', Text: "Boats"}, {Kind: 'p', Text: "The ferry left at noon."}, {Kind: 'l', Text: "one"}, {Kind: 'l', Text: "two"}, {Kind: 0, Text: "and so on"}, {Kind: 'p', Text: "It came back."}}, Counts{4, 1, 1}, Counts{5, 0, 0}},
		{"glued", []Segment{{Kind: 'h', Text: "Boats"}, {Kind: 'p', Text: "The ferry left at noon. one two and so on It came back."}}, Counts{2, 0, 3}, Counts{2, 0, 3}},
		{"a bar", []Segment{{Kind: 'l', Text: "Home"}, {Kind: 'h', Text: "Boats"}, {Kind: 'p', Text: "The ferry left at noon."}}, Counts{2, 1, 3}, Counts{2, 1, 3}},
	} {
		g := &Gold{Page: &gold.Page{ID: "x", Segments: want}}
		predicted := c.predicted
		if predicted == nil {
			predicted = []Segment{}
		}
		s := g.measure(Prediction{Segments: predicted})
		if s.Markers != c.tag || s.Bounds != c.bound || !s.Typed {
			t.Errorf("%s: %v and %v, want %v and %v", c.name, s.Markers, s.Bounds, c.tag, c.bound)
		}
	}
	got := markedLines("lead <H>Boats\n<p>The ferry<l> one")
	if want := []Segment{{Kind: 0, Text: "lead "}, {Kind: 'h', Text: "Boats\n"}, {Kind: 'p', Text: "The ferry"}, {Kind: 'l', Text: " one"}}; !slices.Equal(got, want) {
		t.Errorf("markedLines: %q", got)
	}
}

func TestSaveAndRead(t *testing.T) {
	s := open(t, "cleaneval-mini")
	p := &page.Page{Blocks: []page.Block{
		{Text: "Boats", Kind: page.Heading, Verdict: page.Verdict{Label: page.Good}},
		{Text: "Home", Verdict: page.Verdict{Label: page.Bad}},
		{Text: "a\n b", Kind: page.Code, Verdict: page.Verdict{Label: page.Good}},
		{Text: "one", Kind: page.Item, Verdict: page.Verdict{Label: page.NearGood}},
	}}
	o := &Output{Pages: map[string]Prediction{"bakery": FromPage(p), "long": {Text: "untyped\n"}}}
	must.Equal(t, o.Pages["bakery"].Text, "Boats\na b\none\n", "FromPage")
	dir := t.TempDir()
	must.Succeed(t, o.Save(filepath.Join(dir, s.Name)))
	got := must.Get(ReadPredictions(dir, "x", s))(t)
	for id, want := range o.Pages {
		if g := got.Pages[id]; g.Text != want.Text || !slices.Equal(g.Segments, want.Segments) || (g.Segments == nil) != (want.Segments == nil) {
			t.Errorf("%s: %+v, want %+v", id, g, want)
		}
	}
	if len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "11 of 13 pages") {
		t.Errorf("notes: %q", got.Notes)
	}
	if _, err := ReadPredictions(t.TempDir(), "x", s); err == nil {
		t.Error("no error for an empty folder")
	}
}

func TestDeterministic(t *testing.T) {
	s := open(t, "cleaneval-mini")
	o := must.Get(ReadPredictions("testdata/reference/predictions/b", "b", s))(t)
	var tables []string
	for _, workers := range []int{1, 3, 8} {
		cfg := Default
		cfg.Workers = workers
		var b strings.Builder
		must.Succeed(t, WriteTable(&b, []*Result{measure(t, s, o, cfg)}, true))
		tables = append(tables, b.String())
	}
	if tables[0] != tables[1] || tables[0] != tables[2] {
		t.Errorf("the number of workers changes the table:\n%s", strings.Join(tables, "\n"))
	}
	cfg := Default
	cfg.Seed = 2
	if r := measure(t, s, o, cfg); r.Values["lev"].Low == measure(t, s, o, Default).Values["lev"].Low {
		t.Error("another seed gives the same interval")
	}
	for name, v := range measure(t, s, o, Default).Values {
		if !(v.Low <= v.Value && v.Value <= v.High) && !strings.HasPrefix(name, "rgm") {
			t.Errorf("%s: %v outside its interval", name, v)
		}
	}
}

func TestCompare(t *testing.T) {
	s := open(t, "cleaneval-mini")
	a, b := measure(t, s, perfect(s), Config{}), measure(t, s, &Output{Name: "none", Pages: map[string]Prediction{}}, Config{})
	n := 0
	for _, c := range Compare(a, b) {
		if c.Metric.Name == "lev" {
			n++
			// 12 pages differ by exactly 1: 2 * 2^-12.
			if c.Pages != 13 || c.Better != 12 || c.Worse != 0 || c.Wilcoxon.P != 1.0/2048 || math.Abs(c.Difference-12.0/13) > 1e-12 {
				t.Errorf("%+v", c)
			}
		}
	}
	if n != 1 {
		t.Errorf("lev compared %d times", n)
	}
	for _, c := range Compare(a, a) {
		if c.Wilcoxon.P != 1 || c.Difference != 0 {
			t.Errorf("with itself: %+v", c)
		}
	}
}

func TestGroupsAndIDs(t *testing.T) {
	s := open(t, "wcxb-mini")
	o := must.Get(ReadPredictions("testdata/reference/predictions/a", "a", s))(t)
	groups := Groups([]*Set{s}, []*Result{measure(t, s, o, Config{})}, "page_type", Config{})
	if len(groups) != 2 || groups[0].Set != "wcxb-mini page_type=article" || len(groups[0].Scores) != 2 || len(groups[1].Scores) != 1 {
		t.Errorf("groups: %+v", groups)
	}
	if unknown := s.Only([]string{"0002", "9"}); !slices.Equal(unknown, []string{"9"}) || len(s.Pages) != 1 {
		t.Errorf("Only: %v, %d pages", unknown, len(s.Pages))
	}
}

func FuzzMeasure(f *testing.F) {
	for _, s := range []string{"", "The ferry left.", "<p>x<L>y", "\xff\xfe", "今天 天气"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4000 {
			return
		}
		text := string(b)
		g := &Gold{Page: &gold.Page{Text: text, Raw: text, Segments: gold.ReadTyped(b), Comments: text, Commented: true}, variants: true}
		s := g.measure(Prediction{Text: text, Segments: markedLines(text), Comments: text, Classified: true})
		for _, m := range Metrics {
			if m.Page != nil && (m.Page(s) < 0 || m.Page(s) > 1) {
				t.Errorf("%s = %v", m.Name, m.Page(s))
			}
		}
	})
}

func BenchmarkMeasure(b *testing.B) {
	s := open(b, "cleaneval-mini")
	g := s.Pages[slices.IndexFunc(s.Pages, func(g *Gold) bool { return g.ID == "long" })]
	p := Prediction{Text: strings.Repeat(g.Text, 4)}
	g = &Gold{Page: &gold.Page{ID: g.ID, Text: strings.Repeat(g.Text[10:], 4), Raw: g.Raw, Segments: g.Segments}}
	b.SetBytes(int64(len(p.Text)))
	for b.Loop() {
		g.measure(p)
	}
}
