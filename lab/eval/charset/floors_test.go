package charset

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/text/charset"
)

// TestFloors measures our detector on the sets of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	f, err := floors.Read("../floors.json")
	must.Succeed(t, err)
	sets := f.Of("charset")
	if len(sets) == 0 {
		t.Fatal("no floors")
	}
	files, err := Open(testkit.Data(t, "charset/charset.tar.zst"), sets)
	must.Succeed(t, err)
	d, err := charset.New(charset.Default)
	must.Succeed(t, err)
	answers := Run(d, files)
	for _, set := range sets {
		r := Evaluate(set, "chaffinch", files, answers)
		below, err := f.Check("charset/"+set, Fingerprint(set, files), []floors.System{{Name: r.System, Figures: r.Floored()}})
		must.Succeed(t, err)
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}
