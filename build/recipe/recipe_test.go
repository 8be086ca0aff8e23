package recipe

import (
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// TestNeeded wants the language to be looked for only where somebody reads it.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		o    CleanOptions
		want bool
	}{
		{CleanOptions{Options: stage.Options{Method: "keep"}}, false},
		{CleanOptions{Options: stage.Options{Method: "keep"}, Annotate: true}, true},
		{CleanOptions{Options: stage.Options{Method: "keep"}, Format: "jsonl"}, true},
		{CleanOptions{Options: stage.Options{Method: "keep"}, Format: "prevertical"}, true},
		{CleanOptions{Options: stage.Options{Method: "justext"}}, true},
		{CleanOptions{Options: stage.Options{Method: "all"}}, true},
		{CleanOptions{Options: stage.Options{Method: "keep", Langs: []langid.Wanted{{Lang: "fr"}}}}, true},
	} {
		stages, enc, err := Clean(c.o).Build()
		must.Succeed(t, err)
		got := needed(stages, []pipeline.Encoder{enc})
		has := len(got) == len(stages)
		if has != c.want || got[len(got)-1] != stages[len(stages)-1] {
			t.Errorf("%+v: the language is looked for: %v, want %v", c.o, has, c.want)
		}
	}
}
