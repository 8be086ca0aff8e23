package lines

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/truth"
	"chaffinch/lab/gold"
)

// taught is right in the languages of the documents that it has learned from,
// and wrong in all others. It can be adapted and has groups of columns.
type taught struct {
	name   string
	groups []string
}

var allGroups = []string{"length", "marks"}

func (taught) learn(docs ...[]*gold.LineDoc) Scorer {
	known := map[string]bool{}
	for _, list := range docs {
		for _, d := range list {
			known[d.Lang] = true
		}
	}
	return func(d *gold.LineDoc) ([]float32, error) {
		out := make([]float32, len(d.Lines))
		for i, text := range d.Labels {
			out[i] = truth.Float32(text == known[d.Lang])
		}
		return out, nil
	}
}

func (s taught) Name() string { return s.name }
func (s taught) Train(_ context.Context, train, dev []*gold.LineDoc, _ uint64, _ func(step string, done, total int)) (Scorer, error) {
	if slices.Contains(s.groups, "length") {
		return s.learn(), nil
	}
	return s.learn(train, dev), nil
}
func (s taught) Prepare(_ context.Context, train, dev []*gold.LineDoc, _ uint64, _ func(step string, done, total int)) (Base, error) {
	return taughtBase{s, train}, nil
}
func (taught) Groups() []string { return allGroups }
func (s taught) Without(groups []string, name string) System {
	return taught{name, groups}
}

type taughtBase struct {
	taught
	base []*gold.LineDoc
}

func (b taughtBase) Adapt(_ context.Context, docs []*gold.LineDoc, _ uint64) (Scorer, error) {
	return b.learn(b.base, docs), nil
}

// wellFormed reports what is wrong with XML.
func wellFormed(svg string) error {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestAdaptation: a curve begins with no document of the language, is of the
// same documents at all points, and leaves out what would leave too few.
func TestAdaptation(t *testing.T) {
	s := mini(t)
	cfg := Config{Plan: Plan{Folds: 3}, Seeds: []uint64{1, 2}}
	for _, sys := range []System{taught{name: "taught"}, retrainedOnly{taught{name: "again"}}} {
		curves := must.Get(Adaptation(context.Background(), s, sys, []int{1, 0, 2, 3, 30}, 2, cfg))(t)
		if len(curves) != 2 || curves[0].Lang != "sv" || curves[1].Lang != "fi" {
			t.Fatalf("%+v", curves)
		}
		for _, c := range curves {
			if c.Held != 1 || len(c.Points) != 3 {
				t.Fatalf("%+v", c)
			}
			for i, p := range c.Points {
				if p.Docs != i || len(p.Values) != 4 || p.SD != 0 || p.Mean != float64(min(i, 1)) {
					t.Errorf("%s %s: %+v", sys.Name(), c.Lang, p)
				}
			}
		}
		svg := AdaptationSVG("a < b", curves)
		must.Succeed(t, wellFormed(svg))
		if strings.Count(svg, `fill="none"`) != 2 || strings.Count(svg, "<title>") != 6 || !strings.Contains(svg, "sv, 2 documents: 100.0 %") {
			t.Errorf("%s", svg)
		}
		var b strings.Builder
		must.Succeed(t, WriteAdaptation(&b, "taught", curves))
		if !strings.Contains(b.String(), "sv       1  0.00 ±0.00  100.00 ±0.00  100.00 ±0.00") {
			t.Error(b.String())
		}
	}
	fi := must.Get(s.Only([]string{"fi"}))(t)
	if _, err := Adaptation(context.Background(), fi, taught{}, []int{0}, 1, cfg); err == nil {
		t.Error("adaptation with one language")
	}
}

// retrainedOnly hides that a system can be adapted.
type retrainedOnly struct{ s taught }

func (r retrainedOnly) Name() string { return r.s.Name() }
func (r retrainedOnly) Train(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, p func(step string, done, total int)) (Scorer, error) {
	return r.s.Train(ctx, train, dev, seed, p)
}

// TestAblate: each group is left out, and used alone.
func TestAblate(t *testing.T) {
	variants := must.Get(Ablate(context.Background(), mini(t), taught{name: "taught"}, Multilingual, Config{Plan: Plan{Folds: 3}, Seeds: []uint64{1}}))(t)
	var b strings.Builder
	must.Succeed(t, WriteAblation(&b, variants))
	var rows []string
	for line := range strings.Lines(b.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"taught/multilingual: groups of columns acc change mean of languages text_f bp_f paired t: p", "all 100.00 100.00 100.00 100.00",
		"without length 0.00 -100.00 0.00 0.00 0.00 <.0001", "without marks 100.00 +0.00 100.00 100.00 100.00 1.0000",
		"length alone 100.00 +0.00 100.00 100.00 100.00 1.0000", "marks alone 0.00 -100.00 0.00 0.00 0.00 <.0001", ""}
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%s", strings.Join(rows, "\n"))
	}
}

// TestLabeller: the line labeller adapts, stands without its columns under
// another name, and its own threshold becomes the one of all systems.
func TestLabeller(t *testing.T) {
	s := mini(t)
	l := newLabeller(SystemOptions{})
	l.Learn.Nets, l.Learn.Net.Epochs, l.Learn.Trees.Trees, l.More.Net.Epochs = 1, 3, 10, 2
	curves := must.Get(Adaptation(context.Background(), s, l, []int{0, 1, 2}, 1, Config{Plan: DefaultPlan, Seeds: []uint64{1}}))(t)
	for _, c := range curves {
		if len(c.Points) != 3 || c.Points[0].Mean != c.Points[1].Mean {
			t.Errorf("one document cannot be adapted to: %+v", c)
		}
	}
	groups := l.Groups()
	if groups[len(groups)-1] != "ngrams" || len(groups) < 5 {
		t.Errorf("groups %v", groups)
	}
	v := l.Without(groups[:1], "less").(Labeller)
	if v.Name() != "less" || len(v.Learn.Without) != 1 || len(l.Learn.Without) != 0 || l.Name() != "lines" {
		t.Errorf("%+v", v.Learn.Without)
	}
	if _, err := newLabeller(SystemOptions{Without: []string{"nothing"}}).Train(context.Background(), s.Docs, nil, 1, nil); err == nil {
		t.Error("a group that is not there is left out")
	}
	must.Fail(t, must.Err(newLabeller(SystemOptions{Without: groups}).Train(context.Background(), s.Docs, nil, 1, nil)), "nothing to learn from")
}
