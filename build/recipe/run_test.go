package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/pipeline"
)

// TestChangedOutput resumes over an output that is shorter than its checkpoint
// says, and wants an error in every format.
func TestChangedOutput(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.html")
	if err := os.WriteFile(in, []byte("<p>some words</p>"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats {
		out := filepath.Join(dir, "out"+f.Ext)
		r := Clean(CleanOptions{Options: stage.Options{Method: "keep"}, Format: f.Name})
		run, err := Open(r, RunOptions{Inputs: []string{in}, Out: out})
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
		state, err := pipeline.LoadState(out+".state", pipeline.Sound)
		if err != nil {
			t.Fatal(err)
		}
		state.Outputs = []pipeline.Place{{Length: 7}}
		if err := pipeline.SaveState(out+".state", state); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(r, RunOptions{Inputs: []string{in}, Out: out, Resume: true}); err == nil || !strings.Contains(err.Error(), "the checkpoint counts 7") {
			t.Errorf("%s: %v, want an error on the length", f.Name, err)
		}
	}
}
