package blocks

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/extract"
	"chaffinch/internal/boost"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
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
		g := Gold{Text: text, Comments: comments, Commented: true, Policy: blocks.Article, Site: fmt.Sprint("site", i%20)}
		if i%2 == 0 {
			g.Policy, g.Text = blocks.Text, text+comments
		}
		p := cut(t, html)
		if i%3 == 0 {
			for _, b := range p.Blocks {
				g.Roles = append(g.Roles, roleIn(b.Text, text, comments))
			}
		}
		x := must.Get(NewExample(p, g))(t)
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

func train(t testing.TB, cfg TrainConfig) *blocks.Model {
	t.Helper()
	return must.Get(Train(context.Background(), cfg, lessons(t, 200), nil))(t)
}

// TestLearns wants the roles found, and those that are wanted kept, on pages of a
// site that was not learned from.
func TestLearns(t *testing.T) {
	m := train(t, small())
	rng := rand.New(rand.NewPCG(5, 6))
	for _, keep := range []string{blocks.Text, blocks.Article} {
		l := must.Get(blocks.NewWith(m, blocks.Config{Keep: keep}))(t)
		wrong, misclassed, all := 0, 0, 0
		for range 30 {
			html, text, comments := village(rng, 99)
			p := cut(t, html)
			v := must.Get(l.Label(context.Background(), p))(t)
			for i, b := range p.Blocks {
				isComment := strings.Contains(comments, b.Text)
				want := strings.Contains(text, b.Text) || isComment && keep == blocks.Text
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
	testkit.Slow(t)
	dir := t.TempDir()
	var files [][]byte
	for i, workers := range []int{1, 2, 5} {
		cfg := small()
		cfg.Workers = workers
		m := train(t, cfg)
		path := filepath.Join(dir, fmt.Sprint(i))
		must.Succeed(t, m.Save(path, model.Header{Name: "test", Card: []byte(`{"about":"x"}`)}))
		b := must.Read(t, path)
		files = append(files, b)
		if !bytes.Equal(b, files[0]) {
			t.Fatalf("%d workers make another model", workers)
		}
		back := must.Get(blocks.Load(path))(t)
		html, _, _ := village(rand.New(rand.NewPCG(8, 9)), 3)
		p := cut(t, html)
		var got [2][]page.Verdict
		for k, x := range []*blocks.Model{m, back} {
			l, err := blocks.NewWith(x, blocks.Default)
			must.Succeed(t, err)
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

// TestBestColumns: the trees look at as many columns as they may, and label about as
// well with those that gain most.
func TestBestColumns(t *testing.T) {
	testkit.Slow(t)
	best := func(columns int) *blocks.Model {
		cfg := small()
		cfg.Columns, cfg.Scouts = columns, 20
		return train(t, cfg)
	}
	few, all := best(12), best(0)
	used := func(m *blocks.Model) int {
		p := must.Get(m.Parts())(t)
		var f boost.Classes
		must.Succeed(t, f.UnmarshalBinary(p.Roles))
		seen := map[int]bool{}
		for _, x := range f.Used() {
			seen[x.Col] = true
		}
		return len(seen)
	}
	if n, all := used(few), used(all); n > 12 || all <= 12 {
		t.Errorf("%d columns used of 12, %d of all", n, all)
	}
	html, text, _ := village(rand.New(rand.NewPCG(21, 9)), 3)
	p := cut(t, html)
	l := must.Get(blocks.NewWith(few, blocks.Default))(t)
	verdicts := must.Get(l.Label(context.Background(), p))(t)
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
