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
	f, err := floors.Read("../floors.json")
	must.Succeed(t, err)
	if len(f.Of("dedup")) == 0 {
		t.Fatal("no floors")
	}
	for _, name := range f.Of("dedup") {
		cfg, err := named(name)
		must.Succeed(t, err)
		set, err := Plant(context.Background(), testkit.DataDir(), cfg)
		must.Succeed(t, err)
		truth := NewTruth(set)
		var systems []floors.System
		for _, spec := range f.Systems("dedup/" + name) {
			label, m, err := Method(spec)
			must.Succeed(t, err)
			a, err := FindDuplicates(context.Background(), set, label, m, 2)
			must.Succeed(t, err)
			systems = append(systems, Score(truth, a).Floored())
		}
		below, err := f.Check("dedup/"+name, set.Fingerprint(), systems)
		must.Succeed(t, err)
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
