package label_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/labels"
	"chaffinch/lab/train/trees"
	"chaffinch/model"
	"chaffinch/text/label"
)

// topics are vocabularies of two invented topics, and words of both.
var (
	topics = map[string][]string{
		"sea":     strings.Fields("harbour sail tide anchor mast ferry gull rope deck captain"),
		"kitchen": strings.Fields("flour oven butter spoon whisk salt dough pan recipe taste"),
	}
	common = strings.Fields("the a of and in was with for old new small every morning people said they we had")
)

// docs returns n documents of each topic.
func docs(n int) (list []labels.Doc) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		for _, topic := range []string{"sea", "kitchen"} {
			var b strings.Builder
			for k := range 60 {
				words := common
				if r.IntN(4) == 0 {
					words = topics[topic]
				}
				b.WriteString(words[r.IntN(len(words))])
				b.WriteString([]string{" ", " ", " ", ", ", ". "}[r.IntN(5)])
				if k%20 == 19 {
					b.WriteByte('\n')
				}
			}
			list = append(list, labels.Doc{ID: fmt.Sprintf("%s-%d", topic, i), Text: b.String(), Lang: "en", Labels: []string{topic}})
		}
	}
	return list
}

func train(t *testing.T) (*label.Model, *labels.Report) {
	t.Helper()
	m, rep, err := labels.Train(context.Background(), labels.Default, docs(60), nil)
	must.Succeed(t, err)
	return m, rep
}

const text = "the ferry left the harbour with the old captain, and every gull of the morning was on the deck and the mast and in the rope"

func TestScore(t *testing.T) {
	m, rep := train(t)
	if rep.All.MacroF1 < .95 {
		t.Errorf("macro F1 %.3f of two topics", rep.All.MacroF1)
	}
	s := label.NewScorer()
	p, ok := s.Score(m, label.Doc{Text: text})
	if !ok || len(p) != 2 || p[0]+p[1] < .999 || p[0]+p[1] > 1.001 {
		t.Fatalf("probabilities %v, %t", p, ok)
	}
	got := m.Decide(p, nil)
	if len(got) != 1 || m.Classes()[got[0]].Name != "sea" {
		t.Errorf("classes %v with %v", got, p)
	}
	why := s.Why(m, label.Doc{Text: text}, got[0], 5)
	if len(why) == 0 || !strings.Contains(fmt.Sprint(why), "harbour") {
		t.Errorf("reasons %v", why)
	}
	if _, ok := s.Score(m, label.Doc{Text: "only four words here"}); ok {
		t.Error("four words are enough")
	}
}

// TestFile: a model has the same scores after it was written and read, and the same bytes when it
// is trained again.
func TestFile(t *testing.T) {
	m, _ := train(t)
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a.chf"), filepath.Join(folder, "b.chf")
	must.Succeed(t, m.Save(a, model.Header{Name: "topics"}))
	again, _ := train(t)
	must.Succeed(t, again.Save(b, model.Header{Name: "topics"}))
	if string(must.Read(t, a)) != string(must.Read(t, b)) {
		t.Error("two trainings differ")
	}
	read := must.Get(label.Load(a))(t)
	if read.Name() != "topics" || read.Sum() == 0 {
		t.Errorf("name %q, sum %x", read.Name(), read.Sum())
	}
	want := fmt.Sprint(label.NewScorer().Score(m, label.Doc{Text: text}))
	if got := fmt.Sprint(label.NewScorer().Score(read, label.Doc{Text: text})); got != want {
		t.Errorf("scores %s after reading, wanted %s", got, want)
	}
}

// forested trains a model with forests.
func forested(t *testing.T) *label.Model {
	t.Helper()
	cfg := labels.Default
	cfg.Forest = &trees.Config{Trees: 20, Depth: 3, Rate: .3, Lambda: 1, ColSample: .5, RowSample: 1, Seed: 1}
	m, _, err := labels.Train(context.Background(), cfg, docs(60), nil)
	must.Succeed(t, err)
	return m
}

// TestForestFile: a model with forests has the same scores after it was written and read. They
// differ from the linear scores.
func TestForestFile(t *testing.T) {
	m := forested(t)
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{}))
	read := must.Get(label.Load(path))(t)
	s, d := label.NewScorer(), label.Doc{Text: strings.Repeat(text+". ", 300)}
	want := fmt.Sprint(s.Raw(m, d))
	if got := fmt.Sprint(s.Raw(read, d)); got != want {
		t.Errorf("scores %s after reading, wanted %s", got, want)
	}
	if linear := fmt.Sprint(s.Linear(read, d)); linear == want {
		t.Errorf("scores %s with and without forests", linear)
	}
	b := must.Read(t, path)
	for n := len(b) - 400; n < len(b); n += 7 {
		if _, err := label.Parse("m", b[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(b))
		}
	}
}

// TestDamaged: damaged files are errors.
func TestDamaged(t *testing.T) {
	m, _ := train(t)
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{}))
	b := must.Read(t, path)
	for _, n := range []int{0, 10, len(b) / 2, len(b) - 1} {
		if _, err := label.Parse("m", b[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(b))
		}
	}
}

// TestNoAllocations: scoring allocates nothing after the first documents.
func TestNoAllocations(t *testing.T) {
	linear, _ := train(t)
	for _, m := range []*label.Model{linear, forested(t)} {
		noAllocations(t, m)
	}
}

func noAllocations(t *testing.T, m *label.Model) {
	t.Helper()
	s := label.NewScorer()
	d := label.Doc{Text: strings.Repeat(text+". ", 300)}
	s.Score(m, d)
	if n := testing.AllocsPerRun(10, func() { s.Score(m, d) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkScore(b *testing.B) {
	m, _, err := labels.Train(context.Background(), labels.Default, docs(60), nil)
	must.Succeed(b, err)
	s := label.NewScorer()
	d := label.Doc{Text: strings.Repeat(text+". ", 30)}
	b.SetBytes(int64(len(d.Text)))
	for b.Loop() {
		s.Score(m, d)
	}
}
