package segment

import (
	"context"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
)

// TestFloors measures our rules on the sets of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	if len(f.Of("token")) == 0 {
		t.Fatal("no floors")
	}
	for _, name := range f.Of("token") {
		results, data, err := Set(context.Background(), testkit.Data(t, "text/"+name+".tar.zst"), nil, nil, false)
		must.Succeed(t, err)
		if got, want := len(results), len(f.Systems("token/"+name)); got != want {
			t.Errorf("%s: %d files, floors of %d", name, got, want)
		}
		below := must.Get(f.Check("token/"+name, data, Floored(results)))(t)
		for _, line := range below {
			t.Error(line)
		}
	}
}
