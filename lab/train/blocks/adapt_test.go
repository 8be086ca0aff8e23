package blocks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/page"
)

// hamlet returns pages on which the text stands in elements of class story
// and some notes in elements of class box; with boxes, the gold is the notes.
func hamlet(t *testing.T, n int, boxes bool) (examples []*Example, pages []*page.Page) {
	x := must.Get(extract.New(extract.Default))(t)
	names := []string{"baker", "miller", "smith", "teacher", "ferryman", "priest", "doctor"}
	for i := range n {
		who, whom := names[i%7], names[(i*3+2)%7]
		story := fmt.Sprintf("The %s opens at %d, and by noon the %s has been there twice, as everybody in the village knows.", who, i%12, whom)
		note := fmt.Sprintf("Note %d says that the %s and the %s will meet at the river in spring, when the water is fast.", i, whom, who)
		p := &page.Page{MIME: "text/html", Raw: fmt.Appendf(nil, `<ul class=nav><li><a href=/>Home</a><li><a href=/%d>Login</a></ul><div class=story><p>%s<p>%s</div><div class=box><p>%s</div><p class=foot>Copyright %d`,
			i, story, strings.ToUpper(story[:1])+story[1:], note, i)}
		must.Succeed(t, x.Do(t.Context(), p))
		g := Gold{Text: story + "\n" + story, Policy: blocks.Article, Site: fmt.Sprint("site", i)}
		if boxes {
			g.Text = note
		}
		e := must.Get(NewExample(p, g))(t)
		examples, pages = append(examples, e), append(pages, p)
	}
	return examples, pages
}

// kept returns the words that m keeps of a page.
func kept(t *testing.T, m *blocks.Model, p *page.Page) string {
	l := must.Get(blocks.NewWith(m, blocks.Config{Keep: blocks.Article}))(t)
	v := must.Get(l.Label(t.Context(), p))(t)
	var b strings.Builder
	for i := range v {
		if v[i].Label == page.Good {
			b.WriteString(p.Blocks[i].Text + "\n")
		}
	}
	return b.String()
}

// TestAdapt: a model that keeps stories learns from pages of your own that
// the notes are wanted; the old one stays, the same pages give the same bytes,
// and the file holds all of it.
func TestAdapt(t *testing.T) {
	cfg := DefaultTrain
	cfg.Trees.Trees = 20
	old, _ := hamlet(t, 60, false)
	base := must.Get(Train(t.Context(), cfg, old, nil))(t)
	own, pages := hamlet(t, 30, true)
	before := kept(t, base, pages[0])
	if !strings.Contains(before, "opens at") || strings.Contains(before, "Note") {
		t.Fatalf("before: %q", before)
	}
	dir := t.TempDir()
	var files [][]byte
	for _, workers := range []int{1, 3} {
		c := DefaultAdapt
		c.Workers = workers
		m := must.Get(Adapt(t.Context(), c, base, own, nil))(t)
		path := filepath.Join(dir, fmt.Sprint(workers, ".chf"))
		must.Succeed(t, m.Save(path, model.Header{Name: "own"}))
		b := must.Read(t, path)
		files = append(files, b)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the number of goroutines changes the model")
	}
	m := must.Get(blocks.Load(filepath.Join(dir, "1.chf")))(t)
	if after := kept(t, m, pages[0]); !strings.Contains(after, "Note") || strings.Contains(after, "opens at") || strings.Contains(after, "Login") {
		t.Errorf("after: %q", after)
	}
	if again := kept(t, base, pages[0]); again != before {
		t.Errorf("the base has changed: %q", again)
	}
	for want, adapt := range map[string]func() error{
		"adapted already": func() error { _, err := Adapt(t.Context(), DefaultAdapt, m, own, nil); return err },
		"4 pages":         func() error { _, err := Adapt(t.Context(), DefaultAdapt, base, own[:4], nil); return err },
		"at least 2":      func() error { _, err := Adapt(t.Context(), AdaptConfig{Folds: 1}, base, own, nil); return err },
	} {
		must.Fail(t, adapt(), want)
	}
}
