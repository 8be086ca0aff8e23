package recipe

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestChangedOutput resumes over an output that is shorter than its checkpoint
// says, and wants an error in every format.
func TestChangedOutput(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.html")
	must.Write(t, in, "<p>some words</p>")
	for _, f := range Formats {
		out := filepath.Join(dir, "out"+f.Ext)
		r := Clean(CleanOptions{Options: stage.Options{Method: "keep"}, Format: f.Name})
		run := must.Get(Open(r, runOf(in, out)))(t)
		must.Succeed(t, run.Close())
		state := must.Get(pipeline.LoadState(out+".state", pipeline.Sound))(t)
		state.Mark, state.Outputs = []byte("{}"), []pipeline.Place{{Length: 7}}
		must.Succeed(t, pipeline.SaveState(out+".state", state))
		again := runOf(in, out)
		again.Resume = true
		if _, err := Open(r, again); err == nil || !strings.Contains(err.Error(), "the checkpoint counts 7") {
			t.Errorf("%s: %v, want an error on the length", f.Name, err)
		}
	}
}
