package blocks

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/page"
)

// confident is a training that takes a moment and tells the confidence of pages.
func confident() TrainConfig {
	cfg := small()
	cfg.Trees.Trees = 40
	cfg.Confidence.Folds, cfg.Confidence.Trees, cfg.Confidence.MinPages = 2, 20, 100
	return cfg
}

// murky returns examples of which a third have a gold of other words: they say so in
// their long menu, so that it can be told that nothing is labelled well.
func murky(t testing.TB, n int) (examples []*Example) {
	t.Helper()
	rng := rand.New(rand.NewPCG(13, 14))
	for i := range n {
		html, text, _ := village(rng, i%7)
		if i%3 == 0 {
			html, text = murk(html), "nothing of the kind"
		}
		x := must.Get(NewExample(cut(t, html), Gold{Text: text, Policy: blocks.Article, Site: fmt.Sprint("site", i%20)}))(t)
		examples = append(examples, x)
	}
	return examples
}

// murk adds hundreds of links to a page.
func murk(html string) string {
	return html + "<div class=links>" + strings.Repeat("<p><a href=x>See more of this</a></p>", 200) + "</div>"
}

// murkyModel is trained once on murky pages.
func murkyModel(t testing.TB) *blocks.Model {
	t.Helper()
	once.Do(func() {
		cfg := confident()
		cfg.Workers = 1
		once.m, once.err = Train(context.Background(), cfg, murky(t, 150), nil)
	})
	if once.err != nil {
		t.Fatal(once.err)
	}
	return once.m
}

var once struct {
	sync.Once
	m   *blocks.Model
	err error
}

// TestConfidence wants pages like those that were labelled badly told from others, and
// the same from the file, whatever the number of workers.
func TestConfidence(t *testing.T) {
	testkit.Slow(t)
	ctx := context.Background()
	cfg := confident()
	cfg.Workers = 3
	other := must.Get(Train(ctx, cfg, murky(t, 150), nil))(t)
	m := murkyModel(t)
	a, errA := m.Parts()
	b, errB := other.Parts()
	if errA != nil || errB != nil || a.Confidence == nil || !reflect.DeepEqual(a.Confidence, b.Confidence) {
		t.Errorf("three workers make another confidence than one: %v, %v", errA, errB)
	}
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{Name: "test"}))
	l := must.Get(blocks.New(blocks.Config{Model: path, Keep: blocks.Article}))(t)
	must.Succeed(t, clean.CheckConfidence(l))
	html, _, _ := village(rand.New(rand.NewPCG(15, 16)), 99)
	confidence := func(html string, keepHidden bool) float64 {
		p := cut(t, html)
		must.Succeed(t, (&clean.Stage{Labeller: l, KeepHidden: keepHidden}).Do(ctx, p))
		return p.Confidence
	}
	if good, bad := confidence(html, false), confidence(murk(html), false); good < .8 || bad > .4 {
		t.Errorf("confidence %.2f of a page like those that were labelled well, %.2f of one like the others", good, bad)
	}
	direct := must.Get(blocks.NewWith(m, blocks.Config{Keep: blocks.Article}))(t)
	p := cut(t, html)
	if _, c, err := direct.LabelPage(ctx, p); err != nil || c.Confidence != confidence(html, false) {
		t.Errorf("confidence %v, from the file %v, error %v", c, confidence(html, false), err)
	}
}

// TestNoConfidence wants none of a model that has not learned it, and the reason.
func TestNoConfidence(t *testing.T) {
	testkit.Slow(t)
	ctx := context.Background()
	examples := murky(t, 150)
	few := confident()
	few.Confidence.MinPages = 151
	m := must.Get(Train(ctx, few, examples, nil))(t)
	adapted := must.Get(Adapt(ctx, DefaultAdapt, murkyModel(t), examples[:30], nil))(t)
	for name, m := range map[string]*blocks.Model{"few pages": m, "adapted": adapted} {
		l := must.Get(blocks.NewWith(m, blocks.Default))(t)
		html, _, _ := village(rand.New(rand.NewPCG(15, 16)), 99)
		if _, c, err := l.LabelPage(ctx, cut(t, html)); c.Confidence != 0 || err != nil {
			t.Errorf("%s: confidence %v, %v", name, c, err)
		}
		must.Fail(t, l.CheckConfidence(), "train it again")
	}
}

// TestOutcome counts the words by hand.
func TestOutcome(t *testing.T) {
	p := cut(t, "<h1>Mill by night</h1><p>One two three four five six.</p><p hidden>Seven eight</p><p>Nine ten.</p>")
	x := must.Get(NewExample(p, Gold{Text: "One two three four five six. Eleven twelve", Policy: blocks.Article}))(t)
	x.roles = []page.Role{page.RoleTitle, page.RoleBody, page.RoleBody, page.RoleNotice}
	kept := []bool{true, true, true, false}
	if f, want := x.wordF(kept), 2*6./(9+8); f < want-1e-6 || f > want+1e-6 {
		t.Errorf("word F %v, want %v", f, want)
	}
	must.Equal(t, x.roleF(kept, page.RolesOf(page.RoleBody)), 2*6./(9+6), "word F by roles")
	if !x.annotated() {
		t.Error("not annotated")
	}
	x.roles[3] = page.NoRole
	if x.annotated() {
		t.Error("annotated though a part is not")
	}
	kept = make([]bool, 4)
	if f, g := x.wordF(kept), x.roleF(kept, page.RolesOf(page.RoleBody)); f != 0 || g != 0 {
		t.Errorf("word F of nothing kept: %v, %v", f, g)
	}
}

// TestNear names the policies that the gold of a set measures.
func TestNear(t *testing.T) {
	for _, c := range []struct{ gold, policies string }{
		{"title,standfirst,body", "main article news body"}, {"standfirst,body", "main news body"}, {"main", "main"}, {"text", "text"},
		{"title,byline,standfirst,body,-embed", "article news"},
	} {
		keep := must.Get(page.ParseRoles(c.gold))(t)
		var got []string
		for _, p := range page.Policies() {
			if near(p.Roles, keep) {
				got = append(got, p.Name)
			}
		}
		if s := strings.Join(got, " "); s != c.policies {
			t.Errorf("gold of %s measures %s, want %s", c.gold, s, c.policies)
		}
	}
}

// TestConfidenceConfig wants settings of the confidence checked.
func TestConfidenceConfig(t *testing.T) {
	cfg := confident()
	cfg.Confidence.Trees = 0
	must.Fail(t, cfg.Check(), "confidence")
	var back TrainConfig
	b, err := json.Marshal(DefaultTrain)
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || back.Confidence != DefaultTrain.Confidence {
		t.Errorf("%+v, %v", back.Confidence, err)
	}
}
