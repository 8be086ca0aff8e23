package cluster_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestDamagedPlan changes every number and every name of a plan and of a manifest: nothing
// falls over, and nothing is put together of what does not fit.
func TestDamagedPlan(t *testing.T) {
	in, _ := inputs(t, 6)
	out := t.TempDir()
	j := job(in, out)
	if _, err := cluster.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	s := store.Folder(out)
	use := func() (merged []byte, errs []error) {
		do := func(fn func() error) {
			if err := panics.Catch(fn); err != nil {
				errs = append(errs, err)
			}
		}
		var w bytes.Buffer
		do(func() error {
			p, _, err := cluster.Status(t.Context(), s)
			if err == nil {
				for _, step := range p.Steps {
					p.Ranks(step.Name, []int{0}, 2)
				}
			}
			return err
		})
		do(func() error {
			p, err := cluster.LoadPlan(t.Context(), s)
			if err != nil {
				return err
			}
			for _, step := range p.Steps {
				for _, err := range cluster.Manifests(t.Context(), s, p, step.Name) {
					if err != nil {
						return err
					}
				}
			}
			return cluster.Concat(t.Context(), s, p, "copy", "text", &w)
		})
		do(func() error { _, err := cluster.Run(t.Context(), j); return err })
		return w.Bytes(), errs
	}
	want, errs := use()
	if len(errs) > 0 || len(want) == 0 {
		t.Fatalf("%d bytes, %v", len(want), errs)
	}
	for _, name := range []string{"plan.json", "copy/00000.json", "upper/00000.json"} {
		file := filepath.Join(out, filepath.FromSlash(name))
		whole := must.Read(t, file)
		n := 0
		for d := range testkit.DamagedSealed(t, whole, files.Seal) {
			if n++; !testkit.Part(n, 5) {
				continue
			}
			for _, damaged := range [][]byte{d.Stale, d.Sealed} {
				must.Write(t, file, damaged)
				got, errs := use()
				for _, err := range errs {
					if errors.As(err, new(*panics.Panic)) {
						t.Fatalf("%s with %s: %s", name, d.What, panics.Detail(err))
					}
				}
				switch stale := bytes.Equal(damaged, d.Stale); {
				case name == "plan.json" && (len(got) > 0 || len(errs) != 3),
					name != "plan.json" && stale && (len(errs) < 2 || !strings.Contains(errs[0].Error(), name)),
					len(errs) == 0 && !bytes.Equal(got, want):
					t.Errorf("%s with %s, old checksum %v: %d bytes put together, %v", name, d.What, stale, len(got), errs)
				}
			}
		}
		must.Write(t, file, whole)
	}
	p := must.Get(cluster.LoadPlan(t.Context(), s))(t)
	must.Fail(t, cluster.Concat(t.Context(), s, p, "cpoy", "text", io.Discard), "no step cpoy")
}
