package clean

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
)

// TestFloors measures every system of lab/eval/floors.json on its data. Short runs leave
// out the systems whose verdicts "all" combines and those that are trained for the test.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	if len(f.Floors) == 0 {
		t.Fatal("no floors")
	}
	ctx := context.Background()
	for _, name := range f.Of("") {
		archive := testkit.Data(t, "eval/"+name+".tar.zst")
		s := must.Get(Open(filepath.Dir(archive), name))(t)
		var results []*Result
		systems := f.Systems(name)
		if !testkit.Whole() && len(systems) > 1 {
			systems = []string{"all", "blocks"}
		}
		for _, system := range systems {
			o := must.Get(output(ctx, s, system))(t)
			r := must.Get(Measure(ctx, s, o, Config{}))(t)
			results = append(results, r)
		}
		below := must.Get(f.Check(s.Name, s.Fingerprint(), Floored(results)))(t)
		for _, line := range below {
			t.Error(line)
		}
	}
}

// output runs a system by its name in the table of floors: METHOD or
// METHOD/K-fold.
func output(ctx context.Context, s *Set, system string) (*Output, error) {
	name, folds, _ := strings.Cut(system, "/")
	name, config, settings := strings.Cut(name, "{")
	if settings {
		config = "{" + config
	}
	if k := 0; folds != "" {
		if _, err := fmt.Sscanf(folds, "%d-fold", &k); err != nil {
			return nil, fmt.Errorf("system %s: %w", system, err)
		}
		m, err := train.New(name, method.Options{Config: json.RawMessage(config)})
		if err != nil {
			return nil, err
		}
		c, _, err := Collect(ctx, []*Set{s}, "", gold.CollectConfig{})
		if err != nil {
			return nil, err
		}
		outputs, err := CrossValidate(ctx, c, system, m, Cross{Folds: k, By: "page"})
		if err != nil {
			return nil, err
		}
		return outputs[0], nil
	}
	o := stage.Options{Method: name, MethodConfig: json.RawMessage(config), NoMetadata: true}
	if method.Keeps(name) {
		o.Keep = s.Keep
	}
	stages, err := o.Build()
	if err != nil {
		return nil, err
	}
	return Run(ctx, s, system, stages, RunConfig{})
}

// TestTrainedOn: cards are recognised by the set's name.
func TestTrainedOn(t *testing.T) {
	for card, want := range map[string]bool{
		`{"about":"gold of cleaneval-en-dev"}`:                                             true,
		`{"data":[{"name":"en.tar.zst"},{"name":"cleaneval-en-dev.tar.zst"}]}`:             true,
		`{"data":[{"name":"wcxb-dev"}],"licences":["cleaneval-en-dev is not part of it"]}`: false,
		`{"about":"57 of the 58 English development pages of CleanEval 2007"}`:             true,
		`{"about":"news"}`: false,
		"":                 false,
	} {
		if got := TrainedOn("cleaneval-en-dev", json.RawMessage(card)); got != want {
			t.Errorf("%s: %v", card, got)
		}
	}
	for method, trained := range map[string][]string{"keep": nil, "ncleaner": {"cleaneval-en-dev"}, "perplexity": {"wcxb-dev", "canola", "newspaper4k"},
		"all": {"cleaneval-en-dev", "wcxb-dev", "canola", "newspaper4k"}} {
		stages := must.Get(stage.Options{Method: method}.Build())(t)
		for _, set := range []string{"cleaneval-en-dev", "wcxb-dev", "canola", "newspaper4k", "dragnet"} {
			if got := seen(set, stages); len(got) > 0 != slices.Contains(trained, set) {
				t.Errorf("%s on %s: notes %q", method, set, got)
			}
		}
	}
}
