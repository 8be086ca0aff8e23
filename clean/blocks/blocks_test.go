package blocks

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/model"
	"chaffinch/page"
)

// cut returns a page cut into blocks.
func cut(t testing.TB, html string) *page.Page {
	t.Helper()
	e, err := extract.New(extract.Default)
	if err != nil {
		t.Fatal(err)
	}
	p := &page.Page{Raw: []byte(html), MIME: "text/html"}
	if err := e.Do(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// village makes pages of a made-up site: a menu, an article, a list of links
// and comments, under class names that change with the site. It returns the
// page, its text and its comments.
func village(rng *rand.Rand, site int) (html, text, comments string) {
	words := strings.Fields("the mill stands by the water and nobody has seen the miller since the winter when his boat was found on the other bank with a lamp still burning in it")
	sentence := func(n int) string {
		w := make([]string, n)
		for i := range w {
			w[i] = words[rng.IntN(len(words))]
		}
		return strings.ToUpper(w[0][:1]) + w[0][1:] + " " + strings.Join(w[1:], " ") + "."
	}
	var b, t, c strings.Builder
	fmt.Fprintf(&b, "<html><body><div class='nav%d menu'><ul>", site)
	for range 5 + rng.IntN(8) {
		fmt.Fprintf(&b, "<li><a href=x>%s »</a>", sentence(2))
	}
	b.WriteString("</ul></div><div class='story'>")
	for range 3 + rng.IntN(6) {
		s := sentence(10+rng.IntN(20)) + " " + sentence(8)
		fmt.Fprintf(&b, "<p>%s</p>", s)
		t.WriteString(s + "\n")
	}
	b.WriteString("</div><div class='comment-list'>")
	for range rng.IntN(5) {
		s := sentence(6 + rng.IntN(10))
		fmt.Fprintf(&b, "<div class='comment'>%s</div>", s)
		c.WriteString(s + "\n")
	}
	b.WriteString("</div><div class=footer>© 2019 The village</div>")
	return b.String(), t.String(), c.String()
}

// roleIn returns the role of a block of a village.
func roleIn(block, text, comments string) page.Role {
	switch {
	case strings.Contains(text, block):
		return page.RoleBody
	case strings.Contains(comments, block):
		return page.RoleComment
	case strings.HasPrefix(block, "©"):
		return page.RoleNotice
	}
	return page.RoleNavigation
}

// lessons are examples from such pages: every other one keeps comments, every
// third one is annotated.
func lessons(t testing.TB, n int) (examples []*Example) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		html, text, comments := village(rng, i%7)
		g := Gold{Text: text, Comments: comments, Commented: true, Policy: Article, Site: fmt.Sprint("site", i%20)}
		if i%2 == 0 {
			g.Policy, g.Text = Text, text+comments
		}
		p := cut(t, html)
		if i%3 == 0 {
			for _, b := range p.Blocks {
				g.Roles = append(g.Roles, roleIn(b.Text, text, comments))
			}
		}
		x, err := NewExample(p, g)
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, x)
	}
	return examples
}

// small is a training that takes a moment.
func small() TrainConfig {
	cfg := DefaultTrain
	cfg.Trees.Trees, cfg.Trees.Rate = 80, .3
	cfg.Confidence.Folds = 0
	return cfg
}

func train(t testing.TB, cfg TrainConfig) *Model {
	t.Helper()
	m, err := Train(context.Background(), cfg, lessons(t, 200), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLearns wants the roles found, and those that are wanted kept, on pages of a
// site that was not learned from.
func TestLearns(t *testing.T) {
	m := train(t, small())
	rng := rand.New(rand.NewPCG(5, 6))
	for _, keep := range []string{Text, Article} {
		l, err := NewWith(m, Config{Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		wrong, misclassed, all := 0, 0, 0
		for range 30 {
			html, text, comments := village(rng, 99)
			p := cut(t, html)
			v, err := l.Label(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range p.Blocks {
				isComment := strings.Contains(comments, b.Text)
				want := strings.Contains(text, b.Text) || isComment && keep == Text
				all++
				if v[i].Label.Keep() != want {
					wrong++
				}
				if v[i].Role != roleIn(b.Text, text, comments) {
					misclassed++
				}
			}
		}
		if wrong*50 > all {
			t.Errorf("keep %s: %d of %d blocks wrong", keep, wrong, all)
		}
		if misclassed*20 > all {
			t.Errorf("keep %s: %d of %d blocks with a wrong role", keep, misclassed, all)
		}
	}
}

// TestSameModel wants the same file from any number of workers, and the same
// labels from the file as from the model.
func TestSameModel(t *testing.T) {
	dir := t.TempDir()
	var files [][]byte
	for i, workers := range []int{1, 2, 5} {
		cfg := small()
		cfg.Workers = workers
		m := train(t, cfg)
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := m.Save(path, model.Header{Name: "test", Card: []byte(`{"about":"x"}`)}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
		if !bytes.Equal(b, files[0]) {
			t.Fatalf("%d workers make another model", workers)
		}
		back, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		html, _, _ := village(rand.New(rand.NewPCG(8, 9)), 3)
		p := cut(t, html)
		var got [2][]page.Verdict
		for k, x := range []*Model{m, back} {
			l, err := NewWith(x, Default)
			if err != nil {
				t.Fatal(err)
			}
			if got[k], err = l.Label(context.Background(), p); err != nil {
				t.Fatal(err)
			}
		}
		for i := range got[0] {
			if fmt.Sprint(got[0][i]) != fmt.Sprint(got[1][i]) {
				t.Errorf("block %d: %v, from the file %v", i, got[0][i], got[1][i])
			}
		}
	}
}

// TestSlots wants the scores of the training, from slots kept with the example,
// to be those of the labelling.
func TestSlots(t *testing.T) {
	m := train(t, small())
	html, text, _ := village(rand.New(rand.NewPCG(8, 9)), 3)
	p := cut(t, html)
	x, err := NewExample(p, Gold{Text: text, Policy: Text})
	if err != nil {
		t.Fatal(err)
	}
	l := newLinears(m.attr, m.words, m.hints)
	x.linearColumns(m.pages, &l)
	var s sheet
	s.read(p)
	s.linearColumns(m.pages, &l, s.attributes)
	for c := range columns {
		for i := range p.Blocks {
			if a, b := s.col(c)[i], x.sheet.col(c)[i]; a != b {
				t.Errorf("column %s, block %d: %v and %v", columnNames[c], i, a, b)
			}
		}
	}
	// Slow and plain: the sum over all elements around a block.
	for i := range p.Blocks {
		z := m.attr.bias
		for _, k := range attrSlots(x, i, nil) {
			for _, slab := range []int{0, 2} { // for all policies and for articles
				z += float32(m.attr.slabs[slab].w[k]) * m.attr.slabs[slab].scale
			}
		}
		if got := s.col(colAttr)[i]; z-got > 1e-4 || got-z > 1e-4 {
			t.Errorf("block %d: attributes %v, want %v", i, got, z)
		}
	}
}

// TestBestColumns: the trees look at as many columns as they may, and label about as
// well with those that gain most.
func TestBestColumns(t *testing.T) {
	used := func(columns int) *Model {
		cfg := small()
		cfg.Columns, cfg.Scouts = columns, 20
		return train(t, cfg)
	}
	few, all := used(12), used(0)
	if len(few.used) > 12 || len(all.used) <= 12 {
		t.Errorf("%d columns used of 12, %d of all", len(few.used), len(all.used))
	}
	html, text, _ := village(rand.New(rand.NewPCG(21, 9)), 3)
	p := cut(t, html)
	l, err := NewWith(few, Default)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := l.Label(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, v := range verdicts {
		if want := strings.Contains(text, p.Blocks[i].Text); want != (v.Label == page.Good) {
			wrong++
		}
	}
	if wrong*10 > len(verdicts) {
		t.Errorf("%d of %d blocks wrong by the best 12 columns", wrong, len(verdicts))
	}
	cfg := small()
	if cfg.Columns, cfg.Scouts = 12, 0; cfg.Check() == nil {
		t.Error("columns chosen by no trees are accepted")
	}
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
		if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q in it", c.cfg, err, c.want)
		}
	}
	if _, err := New(Config{Keep: "body,comment"}); err != nil {
		t.Error(err)
	}
}

// TestBare labels pages without anything to go by.
func TestBare(t *testing.T) {
	l, err := New(Default)
	if err != nil {
		t.Fatal(err)
	}
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
