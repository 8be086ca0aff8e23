package lines

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/gold"
)

// shortFloors are the accuracies that short runs want of the lines of every eighth document.
var shortFloors = map[string]float64{"keep/multilingual": 64.59, "lines/multilingual/split": 70.74, "logistic/multilingual": 77.23}

// TestFloors measures every system of lab/eval/floors.json on its data; in short runs on an
// eighth of the documents, with floors of their own.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	sets := f.Of("lines")
	if len(sets) == 0 {
		t.Fatal("no floors")
	}
	for _, name := range sets {
		s := must.Get(Open(context.Background(), testkit.Data(t, "lines/"+name+".tar.zst")))(t)
		if !testkit.Whole() {
			s = eighth(t, s)
		}
		var measured []floors.System
		for _, title := range f.Systems("lines/" + name) {
			plan := DefaultPlan
			short, split := strings.CutSuffix(title, splitSuffix)
			plan.Split = split
			system, protocol, _ := strings.Cut(short, "/")
			sys := must.Get(SystemByName(system, SystemOptions{}))(t)
			runs := must.Get(Evaluate(context.Background(), s, []System{sys}, []string{protocol}, Config{Plan: plan, Seeds: []uint64{1}}))(t)
			measured = append(measured, Floored(Results(s, runs), plan)...)
		}
		if !testkit.Whole() {
			for _, m := range measured {
				if acc, floor := 100*m.Figures["acc"], shortFloors[m.Name]; floor == 0 || acc < floor-f.Tolerance {
					t.Errorf("%s: %s: accuracy %.2f on every eighth document, want at least %.2f", name, m.Name, acc, floor)
				}
			}
			continue
		}
		below := must.Get(f.Check("lines/"+name, s.Fingerprint(), measured))(t)
		for _, line := range below {
			t.Error(line)
		}
	}
}

// eighth returns the set of every eighth document of s.
func eighth(t *testing.T, s *Set) *Set {
	t.Helper()
	var docs []*gold.LineDoc
	for i := 0; i < len(s.Docs); i += 8 {
		docs = append(docs, s.Docs[i])
	}
	return must.Get(newSet(s.Name, docs))(t)
}
