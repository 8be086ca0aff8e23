package blocks

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/page"
)

// TestTune: where a model takes captions for body text, and body for nothing else, the
// tuned one tells more captions; what people say is more likely by it, and it is the
// same when it is read from a file. Where they agree with it, little changes.
func TestTune(t *testing.T) {
	testkit.Slow(t)
	base := must.Get(blocks.Load("embedded"))(t)
	_, pages := hamlet(t, 12, false)
	l := must.Get(blocks.NewWith(base, blocks.Default))(t)
	told := func(l *blocks.Labeller, say func(best page.Role) page.Roles) (all []LabelledPage) {
		for _, p := range pages {
			of := must.Get(l.Probabilities(t.Context(), p))(t)
			x := LabelledPage{Probabilities: of}
			for i := range p.Blocks {
				best := slices.Index(of[i*blocks.Roles:][:blocks.Roles], slices.Max(of[i*blocks.Roles:][:blocks.Roles]))
				x.Roles = append(x.Roles, say(page.Role(best+1)))
			}
			all = append(all, x)
		}
		return all
	}
	body := 0
	same := told(l, func(r page.Role) page.Roles { return page.RolesOf(r) })
	other := told(l, func(r page.Role) page.Roles {
		if r == page.RoleBody {
			body++
			return page.RolesOf(page.RoleCaption)
		}
		return 0
	})
	if body < 10 {
		t.Fatalf("%d blocks are body: the pages test nothing", body)
	}
	likely := func(m *blocks.Model, of []LabelledPage) (sum float64) {
		l := must.Get(blocks.NewWith(m, blocks.Default))(t)
		for k, p := range pages {
			got := must.Get(l.Probabilities(t.Context(), p))(t)
			for i, r := range of[k].Roles {
				if r != 0 {
					sum += math.Log(float64(blocks.Probability(got[i*blocks.Roles:][:blocks.Roles], r)) + blocks.LeastOdds)
				}
			}
		}
		return sum
	}
	for name, of := range map[string][]LabelledPage{"the same": same, "captions": other} {
		m := must.Get(Tune(t.Context(), base, of))(t)
		before, after := likely(base, of), likely(m, of)
		if after <= before {
			t.Errorf("%s: log likelihood %.1f before and %.1f after", name, before, after)
		}
		parts := must.Get(m.Parts())(t)
		if lean := parts.Lean; name == "captions" && lean[page.RoleCaption-1] < lean[page.RoleBody-1]+1 {
			t.Errorf("lean of caption %.2f, of body %.2f", lean[page.RoleCaption-1], lean[page.RoleBody-1])
		}
		file := filepath.Join(t.TempDir(), "m.chf")
		must.Succeed(t, m.Save(file, model.Header{Name: "tuned"}))
		read := must.Get(blocks.Load(file))(t)
		if likely(read, of) != after {
			t.Error("the model is another one when it is read from its file")
		}
		if _, err := Tune(t.Context(), read, of); err == nil {
			t.Error("a tuned model is tuned")
		}
	}
	if _, err := Tune(t.Context(), base, nil); err == nil {
		t.Error("tuned to no page")
	}
}
