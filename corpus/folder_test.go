//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestStaleFolders leaves what killed builders leave: a later one removes it,
// but not the folder of a builder that lives.
func TestStaleFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	left := filepath.Join(dir, ".build-17")
	must.Succeed(t, os.MkdirAll(left, 0o777))
	for _, f := range []string{filepath.Join(left, "glue"), filepath.Join(dir, "notes")} {
		must.Write(t, f, "x")
	}
	alive := must.Get(NewBuilder(dir, DefaultBuild))(t)
	if got, want := names(t, dir), []string{filepath.Base(alive.work.Path), "notes"}; !slices.Equal(got, want) {
		t.Errorf("%q are in the folder, wanted %q", got, want)
	}
	must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader("one\ntwo\n"), dir, DefaultBuild)))
	must.Succeed(t, alive.Add(t.Context(), "vertical", strings.NewReader("one\n")))
	rep, err := alive.Finish()
	if err != nil || rep.Tokens != 1 {
		t.Fatalf("%d tokens, error %v; wanted 1 token", rep.Tokens, err)
	}
	if got, want := names(t, dir), []string{fileName, "notes"}; !slices.Equal(got, want) {
		t.Errorf("%q are in the folder, wanted %q", got, want)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
