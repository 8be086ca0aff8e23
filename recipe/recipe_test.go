package recipe

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chaffinch/langid"
	"chaffinch/pipeline"
)

func TestLabeller(t *testing.T) {
	for _, m := range MethodNames() {
		l, err := Labeller(m, Options{})
		if err != nil {
			t.Errorf("%s: %v", m, err)
		} else if l.Name() == "" {
			t.Errorf("%s: no name", m)
		}
	}
	if _, err := Labeller("magic", Options{}); err == nil || !strings.Contains(err.Error(), "keep") {
		t.Errorf("unknown method: %v", err)
	}
}

// TestTrainable: methods that learn say so, and the others and their models are
// refused by name.
func TestTrainable(t *testing.T) {
	for _, name := range TrainableNames() {
		if _, err := Trainable(name, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ name, config, want string }{
		{"justext", "", "learns from no pages: take one of ncleaner"},
		{"ncleaner", `{"model":"x.chf"}`, "leave out the model x.chf"},
		{"ncleaner", `{"m":4}`, "unknown field"},
		{"all", `{"ncleaner":{"model":"x.chf"}}`, "leave out the model x.chf"},
	} {
		if _, err := Trainable(c.name, Options{Config: json.RawMessage(c.config)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.name, c.config, err, c.want)
		}
	}
}

// TestNeeded wants the language to be looked for only where somebody reads it.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		o    CleanOptions
		want bool
	}{
		{CleanOptions{Method: "keep"}, false},
		{CleanOptions{Method: "keep", Annotate: true}, true},
		{CleanOptions{Method: "keep", Format: "jsonl"}, true},
		{CleanOptions{Method: "keep", Format: "prevertical"}, true},
		{CleanOptions{Method: "justext"}, true},
		{CleanOptions{Method: "all"}, true},
		{CleanOptions{Method: "keep", Langs: []langid.Wanted{{Lang: "fr"}}}, true},
	} {
		stages, enc, err := Clean(c.o).Build()
		if err != nil {
			t.Fatal(err)
		}
		got := needed(stages, enc)
		has := slices.ContainsFunc(got, func(s pipeline.Stage) bool { return s.Name() == languageStage{}.Name() })
		if has != c.want || got[len(got)-1] != stages[len(stages)-1] {
			t.Errorf("%+v: the language is looked for: %v, want %v", c.o, has, c.want)
		}
	}
}
