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
	f := must.Get(floors.Read("../floors.json"))(t)
	sets := f.Of("charset")
	if len(sets) == 0 {
		t.Fatal("no floors")
	}
	files := must.Get(Open(testkit.Data(t, "charset/charset.tar.zst"), sets))(t)
	d := must.Get(charset.New(charset.Default))(t)
	answers := Run(d, files)
	for _, set := range sets {
		r := Evaluate(set, "chaffinch", files, answers)
		below := must.Get(f.Check("charset/"+set, Fingerprint(set, files), []floors.System{{Name: r.System, Figures: r.Floored()}}))(t)
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}
