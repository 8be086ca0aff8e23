package blocks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chaffinch/clean"
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
		x, err := NewExample(cut(t, html), Gold{Text: text, Policy: Article, Site: fmt.Sprint("site", i%20)})
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, x)
	}
	return examples
}

// murk adds hundreds of links to a page.
func murk(html string) string {
	return html + "<div class=links>" + strings.Repeat("<p><a href=x>See more of this</a></p>", 200) + "</div>"
}

// murkyModel is trained once on murky pages.
func murkyModel(t testing.TB) *Model {
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
	m   *Model
	err error
}

// TestConfidence wants pages like those that were labelled badly told from others, and
// the same from the file, whatever the number of workers.
func TestConfidence(t *testing.T) {
	ctx := context.Background()
	cfg := confident()
	cfg.Workers = 3
	other, err := Train(ctx, cfg, murky(t, 150), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := murkyModel(t)
	a, errA := m.confidence.append(nil)
	b, errB := other.confidence.append(nil)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("three workers make another confidence than one: %v, %v", errA, errB)
	}
	path := filepath.Join(t.TempDir(), "m.chf")
	if err := m.Save(path, model.Header{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	l, err := New(Config{Model: path, Keep: Article})
	if err != nil {
		t.Fatal(err)
	}
	if err := clean.TellsConfidence(l); err != nil {
		t.Error(err)
	}
	html, _, _ := village(rand.New(rand.NewPCG(15, 16)), 99)
	confidence := func(html string, keepHidden bool) float64 {
		p := cut(t, html)
		if err := (&clean.Stage{Labeller: l, KeepHidden: keepHidden}).Do(ctx, p); err != nil {
			t.Fatal(err)
		}
		return p.Confidence
	}
	if good, bad := confidence(html, false), confidence(murk(html), false); good < .8 || bad > .4 {
		t.Errorf("confidence %.2f of a page like those that were labelled well, %.2f of one like the others", good, bad)
	}
	direct, err := NewWith(m, Config{Keep: Article})
	if err != nil {
		t.Fatal(err)
	}
	p := cut(t, html)
	if _, c, err := direct.LabelSure(ctx, p); err != nil || c != confidence(html, false) {
		t.Errorf("confidence %v, from the file %v, error %v", c, confidence(html, false), err)
	}
}

// TestNoConfidence wants none of a model that has not learned it, and the reason.
func TestNoConfidence(t *testing.T) {
	ctx := context.Background()
	examples := murky(t, 150)
	few := confident()
	few.Confidence.MinPages = 151
	m, err := Train(ctx, few, examples, nil)
	if err != nil {
		t.Fatal(err)
	}
	adapted, err := Adapt(ctx, DefaultAdapt, murkyModel(t), examples[:30], nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*Model{"few pages": m, "adapted": adapted} {
		l, err := NewWith(m, Default)
		if err != nil {
			t.Fatal(err)
		}
		html, _, _ := village(rand.New(rand.NewPCG(15, 16)), 99)
		if _, c, err := l.LabelSure(ctx, cut(t, html)); c != 0 || err != nil {
			t.Errorf("%s: confidence %v, %v", name, c, err)
		}
		if err := l.TellsConfidence(); err == nil || !strings.Contains(err.Error(), "train it anew") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestOutcome counts the words by hand.
func TestOutcome(t *testing.T) {
	p := cut(t, "<h1>Mill by night</h1><p>One two three four five six.</p><p hidden>Seven eight</p><p>Nine ten.</p>")
	x, err := NewExample(p, Gold{Text: "one two three four five six eleven twelve", Policy: Article})
	if err != nil {
		t.Fatal(err)
	}
	x.roles = []page.Role{page.RoleTitle, page.RoleBody, page.RoleBody, page.RoleNotice}
	s := &scratch{sheet: *x.sheet, kept: []bool{true, true, true, false}}
	if f, want := x.wordF(s), 2*6./(9+8); f < want-1e-6 || f > want+1e-6 {
		t.Errorf("word F %v, want %v", f, want)
	}
	if f, want := x.roleF(s, page.RolesOf(page.RoleBody)), 2*6./(9+6); f != want {
		t.Errorf("word F by roles %v, want %v", f, want)
	}
	if !x.annotated() {
		t.Error("not annotated")
	}
	x.roles[3] = page.NoRole
	if x.annotated() {
		t.Error("annotated though a part is not")
	}
	s.kept = make([]bool, 4)
	if f, g := x.wordF(s), x.roleF(s, page.RolesOf(page.RoleBody)); f != 0 || g != 0 {
		t.Errorf("word F of nothing kept: %v, %v", f, g)
	}
}

// TestClues wants what is summed up part by part to be what the whole page gives.
func TestClues(t *testing.T) {
	p := cut(t, strings.Repeat("<p>One two three four five six.</p><p>Seven</p>", 4))
	s := new(scratch)
	s.sheet.read(p)
	s.sheet.fill(colPolicy, 1)
	for c := colPageArticle; c < colAttr; c++ {
		s.sheet.fill(c, .5)
	}
	s.roles = make([]float32, s.sheet.n*page.RoleCount)
	s.keep, s.kept = make([]float32, s.sheet.n), make([]bool, s.sheet.n)
	s.causes = make([]cause, s.sheet.n)
	for i := range s.keep {
		s.keep[i] = .75
		s.kept[i] = i%2 == 0
	}
	var a account
	a.add(s, 1)
	c := a.clues()
	for _, w := range []struct {
		clue clue
		want float64
	}{
		{clueF, 2 * 18. / (24 + 21 + 1)}, {cluePrecision, 18. / 25}, {clueRecall, 18. / 22}, {clueRegions, 4}, {clueGaps, 3. / 25},
		{clueRegion, 6. / 25}, {clueUnsure, 28. / 25}, {clueMissed, 4. / 25}, {clueWeak, 0}, {cluePolicy, 1}, {cluePage, .5},
	} {
		if got := float64(c[w.clue]); got < w.want-1e-6 || got > w.want+1e-6 {
			t.Errorf("clue %s: %v, want %v", clueNames[w.clue], got, w.want)
		}
	}
	for k, name := range clueNames {
		if name == "" {
			t.Errorf("clue %d has no name", k)
		}
	}
}

// TestBrokenConfidence reads damaged sections.
func TestBrokenConfidence(t *testing.T) {
	good, err := murkyModel(t).confidence.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readConfidence(good); err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(good)
	other[2] ^= 1
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "wanted the cuts of"}, {[]byte{1}, "train the model anew"}, {good[:1], "ends in clue 0"}, {other, "this version computes"},
		{good[:20], "clue"}, {good[:len(good)-1], ""},
	} {
		if _, err := readConfidence(c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes: error %v, want %q in it", len(c.b), err, c.want)
		}
	}
	for n := range good {
		if _, err := readConfidence(good[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(good))
		}
	}
}

// TestConfidenceConfig wants settings of the confidence checked.
func TestConfidenceConfig(t *testing.T) {
	cfg := confident()
	cfg.Confidence.Trees = 0
	if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), "confidence") {
		t.Errorf("error %v", err)
	}
	var back TrainConfig
	b, err := json.Marshal(DefaultTrain)
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || back.Confidence != DefaultTrain.Confidence {
		t.Errorf("%+v, %v", back.Confidence, err)
	}
}
