package dedup_test

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// Months compared one after the other with the corpus give the result of one run over all.
func TestIndex(t *testing.T) {
	for _, unit := range []string{"paragraph", "page"} {
		lines := corpus(900, 7)
		dir := filepath.Join(scratch(t), "index")
		want, _ := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: method(t, unit), Rank: dedup.ByInput})
		var got strings.Builder
		for month := range 3 {
			part, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines[month*300:][:300])}, Workers: 2}, Method: method(t, unit), Rank: dedup.ByInput, Index: dir, Update: true})
			got.WriteString(part)
			if n := rep.Reasons["indexed"]; month > 0 && (n == nil || n.Paras == 0) {
				t.Errorf("%s, month %d: nothing found in the index: %+v", unit, month, rep)
			}
		}
		if got.String() != want {
			t.Errorf("%s: three months give %d bytes, all at once %d", unit, got.Len(), len(want))
		}
		again := func() int64 {
			_, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: method(t, unit), Index: dir})
			return rep.Out.Paras
		}
		if n := again(); n != 0 {
			t.Errorf("%s: %d paragraphs are new that are in the index", unit, n)
		}
		x := must.Get(dedup.OpenIndex(dir))(t)
		before := x.Info()
		docs, unknown, err := x.Forget(strings.NewReader("twice\nnobody\n\ndoc-00000\n"))
		if err != nil || docs == 0 || unknown != 1 {
			t.Errorf("%d forgotten, %d not known: %v", docs, unknown, err)
		}
		forgotten := again()
		if forgotten == 0 {
			t.Errorf("%s: nothing was forgotten", unit)
		}
		if x, err = dedup.OpenIndex(dir); err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, x.Merge(dedup.MinMemory))
		if x, err = dedup.OpenIndex(dir); err != nil {
			t.Fatal(err)
		}
		after := x.Info()
		if after.Docs != before.Docs-docs || after.Forgotten != 0 || after.Tables[0].Runs != 1 || after.Tables[0].Records >= before.Tables[0].Records {
			t.Errorf("%s: merged %+v, before %+v", unit, after, before)
		}
		if n := again(); n != forgotten {
			t.Errorf("%s: %d paragraphs are new, before the merge %d", unit, n, forgotten)
		}
	}
}

func TestWrongIndex(t *testing.T) {
	dir := filepath.Join(scratch(t), "index")
	in := write(t, corpus(20, 1))
	run := func(unit, index string) error {
		_, err := dedup.Run(t.Context(), dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(scratch(t), "out")}, Method: method(t, unit), Index: index})
		return err
	}
	must.Fail(t, run("page", dir), "no index there")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}}, Method: method(t, "page"), Index: dir, Update: true})
	must.Fail(t, run("paragraph", dir), `made by exact/1 with other settings (unit: index "page", run "paragraph")`)
	name := filepath.Join(dir, "ids.dat")
	b := must.Read(t, name)
	b[0] ^= 1
	must.Write(t, name, b)
	must.Fail(t, run("page", dir), "ids.dat: checksum does not match")
}
