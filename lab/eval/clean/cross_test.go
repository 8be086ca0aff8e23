package clean

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chaffinch/clean"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
)

// memory is a method that keeps nothing but what it has seen in training: any
// text that it keeps has leaked.
type memory struct {
	mu       sync.Mutex
	policies []string
}

type memoryTrainer struct {
	*memory
	items []*gold.Item
}

func (m *memory) Prepare(_ context.Context, items []*gold.Item, _ func(step string, done, total int)) (train.Trainer, error) {
	return memoryTrainer{m, items}, nil
}

func (t memoryTrainer) Train(_ context.Context, train []int, _ func(step string, done, total int)) (train.Trained, error) {
	seen := memoryLabeller{sites: map[string]bool{}, of: t.memory}
	for _, i := range train {
		seen.sites[t.items[i].Site] = true
		for _, b := range t.items[i].Page.Blocks {
			seen.texts = append(seen.texts, b.Text)
		}
	}
	return seen, nil
}

type memoryLabeller struct {
	sites map[string]bool
	texts []string
	of    *memory
}

func (l memoryLabeller) Labeller(policy string) (clean.Labeller, error) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.policies = append(l.of.policies, policy)
	return l, nil
}

func (memoryLabeller) Name() string { return "memory/1" }

func (l memoryLabeller) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i] = page.Verdict{Label: page.Bad, Role: page.RoleComment}
		if slices.Contains(l.texts, p.Blocks[i].Text) {
			out[i].Label = page.Good
		}
	}
	return out, nil
}

// village makes a set of pages of two sites each, with a text that is in two of
// them.
func village(t *testing.T, name string) *Set {
	dir := filepath.Join(t.TempDir(), name)
	write := func(file, text string) {
		must.Write(t, filepath.Join(dir, file), text)
	}
	var meta strings.Builder
	for i := range 12 {
		text := fmt.Sprintf("Page %d of %s stands here alone with its %d words and says no more than that.", i, name, i*i)
		if i < 2 {
			text = "The same story is told on two sites, word for word, and so it must not be learned by heart."
		}
		write(fmt.Sprintf("html/%d.html", i), "<p>"+text)
		write(fmt.Sprintf("gold/%d.txt", i), text)
		write(fmt.Sprintf("gold_comments/%d.txt", i), text)
		fmt.Fprintf(&meta, "{\"id\":\"%d\",\"url\":\"http://site%d.org/\"}\n", i, i/2*2+i%2*(1-min(i/2, 1)))
	}
	write("meta.jsonl", meta.String())
	return must.Get(Open("", dir))(t)
}

// TestCrossValidate: every page is measured once, by a method that has seen
// neither it nor a copy of it, and that is told the policy of the set.
func TestCrossValidate(t *testing.T) {
	a, b := village(t, "a"), village(t, "b")
	must.Succeed(t, b.Follow(gold.Text))
	c, failed, err := Collect(t.Context(), []*Set{a, b}, "", gold.CollectConfig{})
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	var m memory
	for _, by := range []string{"site", "page"} {
		outputs := must.Get(CrossValidate(t.Context(), c, "memory", &m, Cross{Folds: 3, By: by, Detail: true}))(t)
		for i, s := range []*Set{a, b} {
			o := outputs[i]
			if len(o.Pages) != 12 || len(o.Folds) != 12 || !strings.Contains(o.Notes[0], "of 2 sets together") {
				t.Fatalf("%s: %d pages, %d folds, notes %q", by, len(o.Pages), len(o.Folds), o.Notes)
			}
			for id, p := range o.Pages {
				if p.Text != "" || len(p.Blocks) != 1 || !p.Classified {
					t.Errorf("%s %s %s: %q was learned by heart; %+v", by, s.Name, id, p.Text, p)
				}
			}
			r := measure(t, s, o, Config{})
			if v := r.Values["com_f"]; v.Value != 1 {
				t.Errorf("%s: comments found: %v", by, v)
			}
			if n := len(Groups([]*Set{s}, []*Result{r}, "fold", Config{})); n != 3 {
				t.Errorf("%s: %d folds", by, n)
			}
		}
	}
	if !slices.Contains(m.policies, gold.Text) || !slices.Contains(m.policies, gold.Article) {
		t.Errorf("policies %q", m.policies)
	}
}

// TestWorst finds the pages and the blocks that are wrong.
func TestWorst(t *testing.T) {
	s := village(t, "a")
	good, short := perfect(s), perfect(s)
	good.Name, short.Name = "good", "short"
	text := s.Pages[3].Text
	short.Pages[s.Pages[3].ID] = Prediction{Text: "Something else is here.", Blocks: []BlockNote{
		{Text: text, Path: "p.story", Score: 0.2}, {Text: "Something else is here.", Path: "div", Score: 0.9, Kept: true}, {Text: "Home"}, {Text: "..."}, {}}}
	short.Pages[s.Pages[5].ID] = Prediction{Text: s.Pages[5].Text + " Copyright by nobody."}
	views := []View{{Set: s, Outputs: []*Output{short, good}, Results: []*Result{measure(t, s, short, Config{}), measure(t, s, good, Config{})}}}
	m, _ := Lookup("w_f")
	bad := Worst(views, 0, m, 2)
	if len(bad) != 2 || bad[0].Gold != s.Pages[3] || bad[1].Gold != s.Pages[5] {
		t.Fatalf("%+v", bad)
	}
	if b := bad[0]; b.Reach != 1 || len(b.Dropped) != 1 || b.Dropped[0].Text != text || len(b.Kept) != 1 || b.Kept[0].Block.Path != "div" {
		t.Errorf("blocks: %+v", b)
	}
	if b := bad[1]; len(b.Dropped) != 0 || len(b.Kept) != 1 || b.Kept[0].Text != "Copyright by nobody." {
		t.Errorf("runs: %+v", b)
	}
	var out strings.Builder
	must.Succeed(t, WriteWorst(&out, bad, m))
	for _, want := range []string{"  1. a " + s.Pages[3].ID + "  w_f ", "blocks hold 100 % of the gold", "dropped     17 words  0.2  p.story  Page ", "kept         3 words  Copyright by nobody."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	v := ViewOf(views, bad)[0]
	if len(v.Set.Pages) != 2 || v.Set.Pages[0].ID != "a/"+s.Pages[3].ID || len(v.Results) != 2 || v.Results[1].Values["w_f"].Value != 1 {
		t.Errorf("view: %+v", v.Results)
	}
	must.Succeed(t, WriteHTML(&out, []View{v}))
}

// TestPivots: one figure of several systems, with a star at the best.
func TestPivots(t *testing.T) {
	s := open(t, "wcxb-mini")
	var results []*Result
	for _, o := range []*Output{perfect(s), {Name: "none", Pages: map[string]Prediction{}}} {
		r := measure(t, s, o, Config{})
		results = append(append(results, r), Groups([]*Set{s}, []*Result{r}, "page_type", Config{})...)
	}
	m, _ := Lookup("bw_f")
	var out strings.Builder
	must.Succeed(t, WritePivots(&out, results, m))
	want := `
bw_f
system  wcxb-mini
pages           3
gold       100.00*
none        33.33

bw_f by page_type, wcxb-mini
system  article    forum
pages         2        1
gold     100.00*  100.00*
none      50.00     0.00
`
	if strings.ReplaceAll(out.String(), " \n", "\n") != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
}
