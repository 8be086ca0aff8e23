package blocks

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/boost"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// cut returns a page cut into blocks.
func cut(t testing.TB, html string) *page.Page {
	t.Helper()
	e := must.Get(extract.New(extract.Default))(t)
	p := &page.Page{Raw: []byte(html), MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	return p
}

// small returns a model with random weights and a tree about the second column.
func small(t testing.TB) *Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	slab := func(n int) Slab {
		s := Slab{Scale: .01, Weights: make([]int8, n)}
		for i := range s.Weights {
			s.Weights[i] = int8(rng.IntN(2*MostSteps+1) - MostSteps)
		}
		return s
	}
	linear := func() *Linear { return &Linear{Slabs: []Slab{slab(SlabSlots), slab(SlabSlots), slab(SlabSlots)}} }
	p := Parts{Attr: linear(), Words: linear(), Hints: &Hints{Scale: .01, Attr: make([]RoleSteps, HintRows), Words: make([]RoleSteps, HintRows)}, Pages: new(PageModel)}
	for i := range p.Pages.Weights {
		p.Pages.Weights[i] = slab(PageTokens)
	}
	for range Columns() {
		p.Cuts = append(p.Cuts, []float32{0, 1, 2})
	}
	values := make([]float64, 2*Roles)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	tree := boost.Tree{Levels: []boost.Split{{Threshold: 1}}, Values: values}
	var err error
	if p.Roles, err = boost.NewClasses(Roles, []boost.Feature{{Col: 1}}, []boost.Tree{tree}, make([]float32, Roles)).AppendBinary(nil); err != nil {
		t.Fatal(err)
	}
	return must.Get(NewModel(p))(t)
}

// trained returns the model in the program.
func trained(t testing.TB) *Model {
	t.Helper()
	return must.Get(embedded())(t)
}

// TestParts puts a model together from its parts again.
func TestParts(t *testing.T) {
	for _, m := range []*Model{small(t), trained(t)} {
		p := must.Get(m.Parts())(t)
		again := must.Get(NewModel(p))(t)
		if !bytes.Equal(saved(t, again), saved(t, m)) {
			t.Error("the parts of a model make another one")
		}
		p.Lean = make([]float32, 2)
		if _, err := NewModel(p); err == nil {
			t.Error("a lean of two roles")
		}
	}
}

// TestSheet wants the columns of a sheet, computed from its slots, to equal the columns of the
// labelling.
func TestSheet(t *testing.T) {
	m := trained(t)
	html := must.Read(t, filepath.Join("testdata", "pages", pages(t)[0]))
	p := cut(t, string(html))
	x := ReadSheet(p)
	parts := must.Get(m.Parts())(t)
	x.Score(NewLinearModels(&parts))
	l := m.linears
	var s sheet
	s.read(p)
	s.headings = readsHeadings(m.known)
	s.linearColumns(m.pages, l)
	for c := range columns {
		for i := range p.Blocks {
			if a, b := s.col(c)[i], x.Column(int(c))[i]; a != b && c != colPolicy {
				t.Errorf("column %s, block %d: %v and %v", columnNames[c], i, a, b)
			}
		}
	}
	// Slow and plain: the sum over all elements around a block.
	for i := range p.Blocks {
		z := parts.Attr.Bias
		for _, k := range x.AttrSlots(i, nil) {
			for _, slab := range []int{0, 2} { // for all policies and for articles
				z += float32(parts.Attr.Slabs[slab].Weights[k]) * parts.Attr.Slabs[slab].Scale
			}
		}
		if got := s.col(colAttr)[i]; z-got > 1e-4 || got-z > 1e-4 {
			t.Errorf("block %d: attributes %v, want %v", i, got, z)
		}
	}
	kept, clues, err := m.Judge(x, page.Policies()[0].Roles)
	if err != nil || len(kept) != len(p.Blocks) || len(clues) == 0 {
		t.Errorf("%d blocks judged of %d by %d clues: %v", len(kept), len(p.Blocks), len(clues), err)
	}
}

// pages returns the names of the pages in testdata.
func pages(t testing.TB) (names []string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join("testdata", "pages"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Keep: "all"}, "wanted text, main, article"},
		{Config{Favour: "speed"}, "wanted precision, recall"},
		{Config{SureProbability: .2}, "min_probability"},
		{Config{Model: "no/such"}, "no/such"},
	} {
		must.Fail(t, must.Err(New(c.cfg)), c.want)
	}
	must.Succeed(t, must.Err(New(Config{Keep: "body,comment"})))
}

// TestBare labels pages without anything to go by.
func TestBare(t *testing.T) {
	l := must.Get(New(Default))(t)
	for _, p := range []*page.Page{
		{}, {Blocks: []page.Block{{Text: "", Element: -1}}}, {Blocks: []page.Block{{Text: "word", Element: -1, Kind: page.Line}}},
		cut(t, "<p>"), cut(t, strings.Repeat("<div>w</div>", 10_000)), cut(t, "<p>"+strings.Repeat("word ", 1<<20)),
		cut(t, "<b>שלום עולם، مرحبا بالعالم</b> \u202Eabc<p>\uFFFD\u0300"),
	} {
		v, err := l.Label(context.Background(), p)
		if err != nil || len(v) != len(p.Blocks) {
			t.Errorf("%d verdicts for %d blocks, error %v", len(v), len(p.Blocks), err)
		}
	}
}
