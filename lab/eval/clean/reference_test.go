package clean

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestReference compares every measure of every page with the reference
// scorer; testdata/reference/README.md tells how its figures were made.
func TestReference(t *testing.T) {
	b := must.Read(t, "testdata/reference/figures.json")
	var want map[string]map[string]struct {
		Set   map[string]float64
		Pages map[string]map[string]float64
	}
	must.Succeed(t, json.Unmarshal(b, &want))
	compared := 0
	for name, systems := range want {
		s := must.Get(Open("testdata/reference", name))(t)
		for system, w := range systems {
			o := must.Get(ReadPredictions("testdata/reference/predictions/"+system, system, s))(t)
			r := must.Get(Measure(context.Background(), s, o, Config{}))(t)
			for m, v := range w.Set {
				if m == "pages" {
					if int(v) != len(r.Scores) {
						t.Errorf("%s %s: %d pages, want %v", name, system, len(r.Scores), v)
					}
					continue
				}
				if got := r.Values[m].Value; math.Abs(got-v) > 1e-12 {
					t.Errorf("%s %s: %s = %v, want %v", name, system, m, got, v)
				}
			}
			for _, sc := range r.Scores {
				for _, c := range perPage {
					v, ok := w.Pages[sc.ID][c.name]
					if !ok {
						continue
					}
					var got float64
					switch x := c.of(sc).(type) {
					case float64:
						got = x
					case int:
						got = float64(x)
					}
					compared++
					if math.IsNaN(got) || math.Abs(got-v) > 1e-12 {
						t.Errorf("%s %s %s: %s = %v, want %v", name, system, sc.ID, c.name, got, v)
					}
				}
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d values compared", compared)
	}
}
