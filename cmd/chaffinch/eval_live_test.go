package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/live"
)

// TestEvalLive: an evaluation writes its output and its end to a file, and refuses a file
// whose name does not identify it.
func TestEvalLive(t *testing.T) {
	dir := t.TempDir()
	try := func(name string, args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = run(append([]string{"eval"}, append(args, "--live", filepath.Join(dir, name))...), &console{strings.NewReader(""), &o, &e})
		return code, o.String(), e.String()
	}
	if code, _, errs := try("a.json", "report", "x.json", "-o", filepath.Join(dir, "x.html")); code != 2 || !strings.Contains(errs, "ends in .eval") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs := try("a.eval", "report", filepath.Join(dir, "none.json"), "-o", filepath.Join(dir, "x.html")); code != 2 {
		t.Errorf("exit code %d: %s", code, errs)
	}
	s, err := live.Read(os.DirFS(dir), "a.eval")
	must.Succeed(t, err)
	if s.Alive || s.Ended.IsZero() || !strings.Contains(s.Error, "none.json") {
		t.Errorf("it failed, but the file says %+v", s)
	}
	must.WriteAll(t, filepath.Join(dir, "mills"), map[string]string{"html/a.html": "<title>Mill</title><p>The mill at the river grinds corn again, and the miller is glad.</p>", "gold/a.txt": "The mill at the river grinds corn again, and the miller is glad.\n", "meta.jsonl": `{"id": "a"}` + "\n"})
	code, out, errs := try("b.eval", "clean", "--data", dir, "--set", "mills", "-m", "keep")
	if code != 0 {
		t.Fatal(errs)
	}
	if s, err = live.Read(os.DirFS(dir), "b.eval"); err != nil || s.Said != out || s.Error != "" || out == "" {
		t.Errorf("%v: it printed %q, the file says %+v", err, out, s)
	}
}
