package pipeline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestBeginUnwritable names the output in the error over a checkpoint that cannot be written.
func TestBeginUnwritable(t *testing.T) {
	out := filepath.Join(t.TempDir(), strings.Repeat("a", 252)) // with .state longer than file systems allow
	s := pipeline.State[pipeline.Report]{}
	err := s.Begin(pipeline.StateFile(out), out, false, true, func(*pipeline.State[pipeline.Report]) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "output "+out+": its checkpoint cannot be written: ") {
		t.Errorf("error %v", err)
	}
}

// TestBeginAgain starts over where the saved state has no progress, and only there.
func TestBeginAgain(t *testing.T) {
	sound := func(*pipeline.State[pipeline.Report]) error { return nil }
	for _, c := range []struct {
		saved pipeline.State[pipeline.Report]
		again bool
	}{
		{pipeline.State[pipeline.Report]{Job: "a"}, true},
		{pipeline.State[pipeline.Report]{Job: "a", Mark: []byte("{}")}, false},
	} {
		out := filepath.Join(t.TempDir(), "out")
		must.Succeed(t, pipeline.SaveState(pipeline.StateFile(out), &c.saved))
		for _, resume := range []bool{false, true} {
			s := pipeline.State[pipeline.Report]{Job: "b"}
			err := s.Begin(pipeline.StateFile(out), out, resume, false, sound)
			if (err == nil) != c.again {
				t.Errorf("mark %s, resume %v: error %v", c.saved.Mark, resume, err)
			}
		}
	}
}
