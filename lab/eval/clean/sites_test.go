package clean

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// alone is a method that keeps text that occurs on no other page of a known site.
type alone struct{}

func (alone) Prepare(context.Context, []*gold.Item, func(step string, done, total int)) (train.Trainer, error) {
	return alone{}, nil
}
func (alone) Train(context.Context, []int, func(step string, done, total int)) (train.Trained, error) {
	return alone{}, nil
}
func (alone) Labeller(string) (clean.Labeller, error) { return alone{}, nil }
func (alone) Name() string                            { return "alone/1" }

func (alone) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i].Label = page.Bad
		if p.SitePages > 0 && p.Blocks[i].Repeats.Text == 0 {
			out[i].Label = page.Good
		}
	}
	return out, nil
}

// TestSites: methods see the other pages of a site if they are to, in
// cross-validation and with their own models, and else do not.
func TestSites(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"The mill stands by the water.", "Nobody has seen the miller.", "His boat was found.", "A lamp was burning in it."}
	for _, folder := range []string{"html", "gold"} {
		must.Succeed(t, os.Mkdir(filepath.Join(dir, folder), 0o777))
	}
	meta := ""
	for i, text := range texts {
		meta += fmt.Sprintf("{\"id\":\"%d\",\"url\":\"http://site%d.org/%d\"}\n", i, i/3, i) // three of one site
		must.WriteAll(t, dir, map[string]string{fmt.Sprintf("html/%d.html", i): "<ul class=menu><li>Home</ul><p>" + text, fmt.Sprintf("gold/%d.txt", i): text})
	}
	must.Write(t, filepath.Join(dir, "meta.jsonl"), meta)
	s := must.Get(Open("", dir))(t)
	c, _, err := Collect(t.Context(), []*Set{s}, "", gold.CollectConfig{})
	must.Succeed(t, err)
	kept := func(o *Output) (n int) {
		for _, p := range o.Pages {
			if slices.Contains(texts, strings.TrimSpace(p.Text)) {
				n++
			}
		}
		return n
	}
	run := func(stages []pipeline.Stage) *Output {
		return must.Get(Run(t.Context(), s, "alone", stages, RunConfig{}))(t)
	}
	stages := must.Get(stage.Options{Labeller: alone{}}.Build())(t)
	for sites, want := range map[bool]int{false: 0, true: 3} {
		outputs := must.Get(CrossValidate(t.Context(), c, "alone", alone{}, Cross{Folds: 2, By: "site", Sites: sites}))(t)
		if n := kept(outputs[0]); n != want {
			t.Errorf("cross-validation, sites %v: its own text alone kept of %d pages, wanted %d", sites, n, want)
		}
		with := stages
		if sites {
			with = CountSites(c).Stages(s, stages)
		}
		if n := kept(run(with)); n != want {
			t.Errorf("sites %v: its own text alone kept of %d pages, wanted %d", sites, n, want)
		}
	}
}
