package lines

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
)

// TestFloors measures every system of lab/eval/floors.json on its data; in short
// runs, such as under the race detector, the baseline alone.
func TestFloors(t *testing.T) {
	f, err := floors.Read("../floors.json")
	must.Succeed(t, err)
	sets := f.Of("lines")
	if len(sets) == 0 {
		t.Fatal("no floors")
	}
	for _, name := range sets {
		s, err := Open(context.Background(), testkit.Data(t, "lines/"+name+".tar.zst"))
		must.Succeed(t, err)
		var measured []floors.System
		for _, title := range f.Systems("lines/" + name) {
			if testing.Short() && !strings.HasPrefix(title, "keep/") {
				continue
			}
			plan := DefaultPlan
			short, split := strings.CutSuffix(title, splitSuffix)
			plan.Split = split
			system, protocol, _ := strings.Cut(short, "/")
			sys, err := SystemByName(system, SystemOptions{})
			must.Succeed(t, err)
			runs, err := Evaluate(context.Background(), s, []System{sys}, []string{protocol}, Config{Plan: plan, Seeds: []uint64{1}})
			must.Succeed(t, err)
			measured = append(measured, Floored(Results(s, runs), plan)...)
		}
		below, err := f.Check("lines/"+name, s.Fingerprint(), measured)
		must.Succeed(t, err)
		for _, line := range below {
			t.Error(line)
		}
	}
}
