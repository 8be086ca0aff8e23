package build_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/build"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestDamagedLedger changes each value of the ledger of a build: the change is found. With a
// checksum that matches nothing panics, and no file outside of the folder goes.
func TestDamagedLedger(t *testing.T) {
	root := t.TempDir()
	out, beside := filepath.Join(root, "a", "out"), filepath.Join(root, "x")
	must.Write(t, beside, "of somebody else")
	j := job(t, whole, pages(t), out, nil)
	j.Workers = 2
	run(t, j)
	name := filepath.Join(out, "build.json")
	ledger := must.Read(t, name)
	first := hashes(t, out)
	use := func(ledger []byte, depth int) (err error) {
		must.Write(t, name, ledger)
		for _, do := range []func() error{
			func() error { _, err := build.ReadState(os.DirFS(out)); return err },
			func() error { _, _, err := build.IndexOf(out); return err },
			func() error { _, err := build.Look(j); return err },
			func() error { _, err := build.Run(t.Context(), j); return err },
		}[:depth] {
			e := panics.Catch(do)
			if errors.As(e, new(*panics.Panic)) {
				t.Fatal(panics.Detail(e))
			}
			err = errors.Join(err, e)
		}
		if _, err := os.Stat(beside); err != nil {
			t.Fatal(err)
		}
		return err
	}
	must.Succeed(t, use(ledger, 4))
	tried := 0
	for d := range testkit.DamagedSealed(t, ledger, files.Seal) {
		if tried++; !testkit.Part(tried, 5) {
			continue
		}
		depth := 1
		if tried%50 == 0 { // the rest prepares all steps each time
			depth = 4
		}
		if err := use(d.Stale, depth); err == nil || strings.Count(err.Error(), "build.json: ") != depth {
			t.Errorf("%s: %v", d.What, err)
		}
		depth = 2
		switch {
		case tried%300 == 0, strings.Contains(d.What, "../../x") && strings.Contains(d.What, "path"):
			depth = 4
		case tried%30 == 0:
			depth = 3
		}
		if err := use(d.Sealed, depth); err == nil && depth == 4 {
			if _, err := fs.Stat(os.DirFS(out), "corpus.vert"); err != nil {
				t.Errorf("%s: %v", d.What, err)
			}
		}
	}
	if tried < 1000 {
		t.Errorf("%d changes were tried", tried)

	}
	j.Force = true
	if use(ledger, 4); hashes(t, out) != first {
		t.Error("made again, the build has other outputs")
	}
}

// TestLostStep: a first step whose output was lost runs again, and the state of the build has the
// steps in the order of the recipe, so that its size is still the size of the corpus.
func TestLostStep(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	j := job(t, whole, pages(t), out, nil)
	j.Workers = 2
	run(t, j)
	state := func() (names []string, left build.Amount) {
		s := must.Get(build.ReadState(os.DirFS(out)))(t)
		for _, st := range s.Steps {
			names = append(names, st.Name)
		}
		return names, s.Left()
	}
	names, left := state()
	must.Succeed(t, os.RemoveAll(filepath.Join(out, "steps", names[0])))
	run(t, j)
	if n, l := state(); !slices.Equal(n, names) || l != left {
		t.Errorf("steps %q with %+v left, want %q with %+v", n, l, names, left)
	}
}
