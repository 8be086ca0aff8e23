package dedup

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
)

// TestFloors measures our methods on the planted sets of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	testkit.Data(t, "eval/daniel.tar.zst")
	f := must.Get(floors.Read("../floors.json"))(t)
	if len(f.Of("dedup")) == 0 {
		t.Fatal("no floors")
	}
	for _, name := range f.Of("dedup") {
		cfg := must.Get(named(name))(t)
		set := must.Get(Plant(context.Background(), testkit.DataDir(), cfg))(t)
		truth := NewTruth(set)
		var systems []floors.System
		for _, spec := range f.Systems("dedup/" + name) {
			label, m, err := Method(spec)
			must.Succeed(t, err)
			a := must.Get(FindDuplicates(context.Background(), set, label, m, 2))(t)
			systems = append(systems, Score(truth, a).Floored())
		}
		below := must.Get(f.Check("dedup/"+name, set.Fingerprint(), systems))(t)
		for _, line := range below {
			t.Error(line)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []Config{{Half: Dev, Bases: 10, Seed: 3}, {Half: Test, Bases: 300, Seed: 1}} {
		if got, err := named(c.Name()); err != nil || got.Name() != c.Name() {
			t.Errorf("%s comes back as %s (%v)", c.Name(), got.Name(), err)
		}
	}
	if _, err := named("planted"); err == nil {
		t.Error("a name of nothing is taken")
	}
}

// named is the inverse of [Config.Name].
func named(name string) (c Config, err error) {
	half, rest, _ := strings.Cut(name, "-")
	_, err = fmt.Sscanf(rest, "%d-%d", &c.Bases, &c.Seed)
	c.Half = Half(half)
	if err != nil || c.Name() != name {
		return c, fmt.Errorf("planted set %q: want a name such as %s", name, Default.Name())
	}
	return c, nil
}
