package recipe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/recipe"
	"chaffinch/internal/testkit/must"
)

// TestUnreadableInputs: a run without readable inputs leaves the output of an earlier run
// unchanged, and no state. A run into a folder with the name of a file does the same.
func TestUnreadableInputs(t *testing.T) {
	dir := t.TempDir()
	out, in := filepath.Join(dir, "out.txt"), filepath.Join(dir, "in.html")
	for name, text := range map[string]string{out: "earlier text", in: "<p>A short page."} {
		must.Write(t, name, text)
	}
	missing := filepath.Join(dir, "missing.html")
	for _, c := range []struct {
		inputs []string
		out    string
		want   string
	}{
		{[]string{missing, missing + "2"}, out, missing + ": "},
		{[]string{in}, out + "/", "a file has that name, wanted a folder"},
	} {
		r := recipe.Clean(recipe.CleanOptions{Format: "text"})
		opts := recipe.MakeOptions{Recipe: r, RunOptions: recipe.DefaultRun}
		opts.Inputs, opts.Out = c.inputs, c.out
		_, err := recipe.Make(t.Context(), opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("inputs %q, output %s: error %v, want %q", c.inputs, c.out, err, c.want)
		}
		if b, err := os.ReadFile(out); string(b) != "earlier text" {
			t.Errorf("inputs %q, output %s: the file holds %q (%v)", c.inputs, c.out, b, err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 2 {
			t.Errorf("inputs %q, output %s: the folder has %q", c.inputs, c.out, files)
		}
	}
}
