package explain

import (
	"context"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// guess is a method with probabilities that tells comments apart: a block's
// probability is its first digit.
type guess struct{ limit float64 }

func (guess) Name() string { return "guess/1" }

func (g guess) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		text := p.Blocks[i].Text
		v := page.Verdict{By: g.Name(), Label: page.Bad, Score: float64(text[0]-'0') / 10}
		if g.Threshold(nil).Keeps(v.Score) {
			v.Label = page.Good
		}
		if strings.Contains(text, "reply") {
			v.Role = page.RoleComment
		}
		out[i] = v
	}
	return out, nil
}

func (g guess) Threshold([]page.Verdict) clean.Threshold {
	return clean.Threshold{Name: "limit", Help: "probability", Value: g.limit}
}

func (guess) ByScore(*page.Page, int, *page.Verdict) bool { return true }

// liar says that its threshold decides, and it does not.
type liar struct{ guess }

func (liar) Name() string { return "liar/1" }

func (l liar) Threshold([]page.Verdict) clean.Threshold {
	return clean.Threshold{Name: "limit", Value: l.limit + 0.3}
}

// TestClasses: comments and blocks that the page hides are told apart, in a
// method that this package knows nothing of, and a threshold that does not
// decide gets no slider.
func TestClasses(t *testing.T) {
	e := must.Get(New(Config{Clean: stage.Options{Method: "keep"}}))(t)
	e.methods = []asked{
		{method.Method{Name: "guess"}, guess{.5}, nil},
		{method.Method{Name: "vote"}, clean.Vote{Methods: []clean.Labeller{guess{.5}}}, nil},
		{method.Method{Name: "liar"}, liar{guess{.2}}, nil},
	}
	p := &page.Page{ID: "x", Raw: []byte("<p>9 text<p>8 reply<p>3 reply<p>4 chaff<p hidden>9 hidden<p>7 more")}
	x := must.Get(e.Do(t.Context(), p))(t)
	out := write(t, x)
	d := read(t, out)
	if d.Methods[0].Rule != "score" || d.Methods[1].Rule != "vote" {
		t.Errorf("rules %q and %q", d.Methods[0].Rule, d.Methods[1].Rule)
	}
	for i, fixed := range []bool{false, false, true, true, true, false} { // 3 and 4 lie between what it says and what it does
		if d.Methods[2].Verdicts[i].Fixed != fixed {
			t.Errorf("liar: block %d: fixed is %v", i, !fixed)
		}
	}
	for fragment, want := range map[string]string{
		"":                            "kept|r-comment kept|r-comment dropped|dropped|hidden|kept",
		"guess.limit=0.85":            "kept|r-comment dropped|r-comment dropped|dropped|hidden|dropped",
		"method=vote&guess.limit=0.3": "kept|kept|kept|kept|hidden|kept",
	} {
		doc := browse(t, out, fragment)
		var got []string
		for n := range byID(doc, "blocks").ChildNodes() {
			class, _, _ := strings.Cut(strings.TrimPrefix(attr(n, "class"), "b "), " paragraph")
			got = append(got, class)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: blocks are %s, want %s", fragment, s, want)
		}
		if roles := byID(doc, "roles"); !strings.HasPrefix(fragment, "method=vote") && !strings.Contains(text(roles), "comment") {
			t.Error("the legend lacks comments")
		}
	}
}
