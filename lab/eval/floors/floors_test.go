package floors

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRules: floors go up on their own and down only when told; other data and
// lower figures are told.
func TestRules(t *testing.T) {
	data := Fingerprint{SHA256: "0123456789abcdef", Pages: 3, GoldWords: 40}
	figures := func(lev float64) []System { return []System{{"gold", map[string]float64{"lev": lev}}} }
	bad, good := figures(.076923), figures(1)
	path := filepath.Join(t.TempDir(), "floors.json")
	f, err := Read(path)
	must.Succeed(t, err)
	if down := f.Update("mini", data, bad, false); len(down) != 0 {
		t.Errorf("first floors: %q", down)
	}
	if down := f.Update("mini", data, good, false); len(down) != 0 || f.Floors["mini"]["gold"]["lev"] != 100 {
		t.Errorf("raised floors: %q, %v", down, f.Floors)
	}
	must.Succeed(t, f.Write(path))
	if f, err = Read(path); err != nil {
		t.Fatal(err)
	}
	if below, err := f.Check("mini", data, figures(.9991)); err != nil || len(below) != 0 {
		t.Errorf("good: %q, %v", below, err)
	}
	below, err := f.Check("mini", data, bad)
	if err != nil || len(below) == 0 || below[0] != "mini gold lev: 7.69 is below the floor 100.00" {
		t.Errorf("bad: %q, %v", below, err)
	}
	below, err = f.Check("mini", data, []System{{"gold", nil}})
	if err != nil || len(below) != 1 || below[0] != "mini gold lev: no figure, floor 100.00" {
		t.Errorf("no figure: %q, %v", below, err)
	}
	if down := f.Update("mini", data, bad, false); len(down) == 0 || f.Floors["mini"]["gold"]["lev"] != 100 {
		t.Errorf("floors went down silently: %q", down)
	}
	if down := f.Update("mini", data, bad, true); len(down) == 0 || f.Floors["mini"]["gold"]["lev"] != 7.69 {
		t.Errorf("floors did not go down: %q, %v", down, f.Floors)
	}
	data.SHA256 = "other"
	_, err = f.Check("mini", data, good)
	if want := "set mini: 3 pages, 40 gold words, sha256 other…; the floors were measured on 3 pages, 40 gold words, sha256 0123456789ab…: measure again"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("other data: %v, want %s", err, want)
	}
	if down := f.Update("mini", data, good, false); len(down) != 1 || f.Sets["mini"].SHA256 == "other" {
		t.Errorf("other data taken silently: %q", down)
	}
	if below, err := f.Check("maxi", data, bad); err != nil || len(below) != 0 {
		t.Errorf("set without floors: %q, %v", below, err)
	}
}

// TestOf sorts sets to their tasks.
func TestOf(t *testing.T) {
	f := File{Floors: map[string]map[string]map[string]float64{"b": nil, "a": nil, "langid/ntrex": nil, "langid/a": nil}}
	must.Same(t, f.Of(""), []string{"a", "b"}, "cleaning")
	must.Same(t, f.Of("langid"), []string{"a", "ntrex"}, "langid")
	if got := f.Of("lang"); len(got) != 0 {
		t.Errorf("no task: %q", got)
	}
}
