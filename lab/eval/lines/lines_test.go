package lines

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// mini opens the small set of this package.
func mini(t testing.TB) *Set {
	t.Helper()
	return must.Get(Open(context.Background(), "testdata/mini"))(t)
}

// longer takes lines of at least a number of runes for text: what the threshold
// is, it learns, as the mean length of a line of the documents that it is
// trained on. It notes what it was given.
type longer struct {
	trained func(train, dev []*gold.LineDoc)
}

func (longer) Name() string { return "longer" }

func (l longer) Train(_ context.Context, train, dev []*gold.LineDoc, _ uint64, _ func(step string, done, total int)) (Scorer, error) {
	if l.trained != nil {
		l.trained(train, dev)
	}
	sum, n := 0, 0
	for _, d := range train {
		for _, line := range d.Lines {
			sum, n = sum+len([]rune(line)), n+1
		}
	}
	return func(d *gold.LineDoc) ([]float32, error) {
		out := make([]float32, len(d.Lines))
		for i, line := range d.Lines {
			out[i] = float32(len([]rune(line))) / float32(len([]rune(line))+sum/n)
		}
		return out, nil
	}, nil
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestCounts: figures of a matrix that was counted by hand.
func TestCounts(t *testing.T) {
	c := countLines([]bool{true, true, true, true, false, false, false, true, false, false}, []float32{.9, .5, .49, 1, .1, .7, .5, 0, .2, .3})
	if c != (Counts{TP: 3, FP: 2, FN: 2, TN: 3}) {
		t.Fatalf("%+v", c)
	}
	c = Counts{TP: 6, FP: 2, FN: 3, TN: 9}
	for name, want := range map[string]float64{"acc": .75, "text_p": .75, "text_r": 6. / 9, "text_f": 12. / 17, "bp_p": .75, "bp_r": 9. / 11, "bp_f": 18. / 23, "macro_f": (12./17 + 18./23) / 2} {
		for _, m := range Measures {
			if m.Name == name && !near(m.Of(c), want) {
				t.Errorf("%s: %v, want %v", name, m.Of(c), want)
			}
		}
	}
	if keep := (Counts{TP: 3, FP: 1}); !math.IsNaN(keep.boilerplate().Precision()) || keep.boilerplate().f1() != 0 {
		t.Error("nothing taken for boilerplate")
	}
	// The thesis' table 18 has precision, recall and accuracy of these counts.
	thesis := Counts{TP: 19571, FP: 1840, FN: 2627, TN: 13230}
	got := fmt.Sprintf("%.2f %.2f %.2f %.2f %.2f", thesis.Text().Precision(), thesis.Text().recall(), thesis.boilerplate().Precision(), thesis.boilerplate().recall(), thesis.Accuracy())
	if got != "0.91 0.88 0.83 0.88 0.88" {
		t.Error(got)
	}
}

// TestProtocols: no document is scored by what has seen it, and each that a
// protocol scores is scored once.
func TestProtocols(t *testing.T) {
	s := mini(t)
	for _, c := range []struct {
		protocol     string
		plan         Plan
		jobs, scored int
	}{
		{Multilingual, Plan{Folds: 3}, 3, 6}, {Multilingual, Plan{Folds: 3, DevShare: .5}, 3, 6}, {Monolingual, Plan{Folds: 3}, 6, 6},
		{ZeroShot, Plan{Folds: 3}, 2, 6}, {Multilingual, Plan{Split: true}, 1, 2}, {Monolingual, Plan{Split: true}, 2, 2}, {ZeroShot, Plan{Split: true}, 2, 2},
		{Embedded, Plan{Folds: 3}, 1, 6}, {Embedded, Plan{Split: true}, 1, 2},
	} {
		jobs := must.Get(s.jobs(c.protocol, c.plan, 7))(t)
		scored := map[int]int{}
		for n, j := range jobs {
			if j.fold != n+1 {
				t.Errorf("%s: part %d is called %d", c.protocol, n+1, j.fold)
			}
			if slices.ContainsFunc(j.test, func(i int) bool { return slices.Contains(j.train, i) || slices.Contains(j.dev, i) }) {
				t.Errorf("%s %+v: a document is scored and learned from", c.protocol, c.plan)
			}
			if slices.ContainsFunc(j.dev, func(i int) bool { return slices.Contains(j.train, i) }) {
				t.Errorf("%s: a document is on both sides of the training", c.protocol)
			}
			if c.plan.DevShare > 0 && len(j.dev) == 0 {
				t.Errorf("%s: nothing tells when to stop", c.protocol)
			}
			for _, i := range j.test {
				scored[i]++
				for _, k := range append(j.train, j.dev...) {
					same := s.Docs[i].Lang == s.Docs[k].Lang
					if c.protocol == ZeroShot && same || c.protocol == Monolingual && !same {
						t.Errorf("%s: %s is scored after training on %s", c.protocol, s.Docs[i].ID, s.Docs[k].ID)
					}
				}
			}
		}
		if len(jobs) != c.jobs || len(scored) != c.scored {
			t.Errorf("%s %+v: %d trainings score %d documents, want %d and %d", c.protocol, c.plan, len(jobs), len(scored), c.jobs, c.scored)
		}
		for i, n := range scored {
			if n != 1 {
				t.Errorf("%s: %s is scored %d times", c.protocol, s.Docs[i].ID, n)
			}
		}
	}
	must.Fail(t, must.Err(s.jobs(Multilingual, Plan{Folds: 7}, 1)), "too few documents")
	must.Fail(t, must.Err(s.jobs("bilingual", DefaultPlan, 1)), "take embedded, monolingual")
}

// TestEvaluate: seeds deal other folds, the number of workers changes nothing,
// and a system is trained on what the protocol says.
func TestEvaluate(t *testing.T) {
	s := mini(t)
	seen := 0
	sys := longer{func(train, dev []*gold.LineDoc) { seen++ }}
	cfg := Config{Plan: Plan{Folds: 3}, Seeds: []uint64{1, 2}, Workers: 1}
	runs := must.Get(Evaluate(context.Background(), s, []System{sys, KeepAll{}}, []string{Multilingual, ZeroShot}, cfg))(t)
	if len(runs) != 2+1+2+1 || seen != 2*3+2*2 {
		t.Fatalf("%d runs, %d trainings", len(runs), seen)
	}
	if slices.Equal(runs[0].Folds, runs[1].Folds) {
		t.Error("two seeds deal the same folds")
	}
	cfg.Workers = 4
	again := must.Get(Evaluate(context.Background(), s, []System{longer{}, KeepAll{}}, []string{Multilingual, ZeroShot}, cfg))(t)
	for i := range runs {
		if fmt.Sprint(*runs[i]) != fmt.Sprint(*again[i]) {
			t.Errorf("run %d differs with four workers", i)
		}
	}
	must.Fail(t, must.Err(Evaluate(context.Background(), s, []System{longer{}}, []string{Embedded}, cfg)), "no pretrained model")
	results := Results(s, runs)
	if len(results) != 4 || results[0].Title() != "longer/multilingual" || len(results[0].Runs) != 2 {
		t.Fatalf("%d results", len(results))
	}
	keep := results[1].over("all", nil)
	if keep.Docs != 6 || keep.Lines() != 23 || !near(keep.Counts[0].Accuracy(), 11./23) {
		t.Errorf("keep: %+v", keep)
	}
	langs := results[1].byLang()
	if len(langs) != 2 || langs[0].Name != "sv" || langs[0].Counts[0] != (Counts{TP: 6, FP: 7}) || langs[1].Counts[0] != (Counts{TP: 5, FP: 5}) {
		t.Errorf("by language: %+v", langs)
	}
	if m, sd := langMean(langs); !near(m, (6./13+.5)/2) || sd != 0 {
		t.Errorf("mean of the languages: %v ±%v", m, sd)
	}
}

// TestGroupMean: mean and deviation over seeds.
func TestGroupMean(t *testing.T) {
	g := Group{Counts: []Counts{{TP: 9, FN: 1}, {TP: 8, FN: 2}, {TP: 7, FN: 3}}}
	if m, sd := g.mean(Counts.Accuracy); !near(m, .8) || !near(sd, .1) {
		t.Errorf("%v ±%v", m, sd)
	}
}

// TestSet: sets that cannot be scored are refused.
func TestSet(t *testing.T) {
	d := func(id string, lines ...string) *gold.LineDoc {
		return &gold.LineDoc{ID: id, Lang: "sv", Lines: lines, Labels: make([]bool, len(lines))}
	}
	for want, docs := range map[string][]*gold.LineDoc{
		"no document":        {d("a")},
		`two documents have`: {d("a", "x"), d("a", "y")},
		"1 lines and 0":      {{ID: "b", Lines: []string{"x"}}},
	} {
		must.Fail(t, must.Err(newSet("s", docs)), want)
	}
	s := mini(t)
	must.Fail(t, must.Err(s.Only([]string{"xx"})), `no document in "xx"`)
	fi, err := s.Only([]string{"fi"})
	if err != nil || len(fi.Docs) != 3 || fi.Fingerprint().Lines != 10 || fi.SHA256 == s.SHA256 {
		t.Errorf("%v %v", fi, err)
	}
}

// TestGroups: lines are put into ranges by length and place.
func TestGroups(t *testing.T) {
	if got := docEdges.name(0) + " " + lineStart.name(0) + " " + lineStart.name(len(lineStart)-1); got != "1-4 1 201 and more" {
		t.Error(got)
	}
	runs := must.Get(Evaluate(context.Background(), mini(t), []System{KeepAll{}}, []string{Embedded}, Config{Plan: DefaultPlan, Seeds: []uint64{1}}))(t)
	r := Results(mini(t), runs)[0]
	byDoc := r.byDocLength()
	if len(byDoc) != 2 || byDoc[0].Docs != 3 || byDoc[0].Lines() != 8 || byDoc[1].Docs != 3 || byDoc[1].Lines() != 15 {
		t.Errorf("%+v", byDoc)
	}
	for _, groups := range [][]Group{byDoc, r.byLineLength(), r.byPosition()} {
		sum := 0
		for _, g := range groups {
			sum += g.Lines()
		}
		if sum != 23 {
			t.Errorf("the groups hold %d lines", sum)
		}
	}
}

// TestSteps: a step that another follows, and the last one at the end, is told
// to be done.
func TestSteps(t *testing.T) {
	var told []string
	tell, done := stepsOf(func(step string, n, of int) { told = append(told, fmt.Sprint(step, " ", n, "/", of)) }, "a")
	tell("read", 1, 5)
	tell("nets", 2, 9)
	done()
	if got := strings.Join(told, ", "); got != "a: read 1/5, a: read 5/5, a: nets 2/9, a: nets 9/9" {
		t.Error(got)
	}
}

// TestHoldOut: near-duplicates are on one side, and no more than the share goes.
func TestHoldOut(t *testing.T) {
	var docs []*gold.LineDoc
	text := []string{"The boat comes back every evening with the tide.", "Nobody in the village had seen such a winter before.", "The clock in the tower stopped at three every night.",
		"Bread is best on the day after it was baked.", "A cat lay on the stairs all afternoon and did not mind the rain.", "The mill has stood at the river for two hundred years."}
	for i := range 12 {
		line := text[i/2] + strings.Repeat(fmt.Sprintf(" It was number %d of all.", i/2), 20)
		docs = append(docs, &gold.LineDoc{ID: fmt.Sprint(i), Lang: "en", Lines: []string{line, line + " And so on."}, Labels: []bool{true, false}})
	}
	s := must.Get(newSet("pairs", docs))(t)
	j := job{}
	for i := range docs {
		j.train = append(j.train, i)
	}
	s.holdOut(&j, Plan{DevShare: .45}, 1)
	if len(j.dev) != 4 || len(j.train) != 8 {
		t.Fatalf("%d documents held out of 12, %d left", len(j.dev), len(j.train))
	}
	for _, i := range j.dev {
		if !slices.Contains(j.dev, i^1) {
			t.Errorf("a near-duplicate of document %d is learned from", i)
		}
	}
}
