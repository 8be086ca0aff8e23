package perplexity

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestProcess(t *testing.T) {
	text := "the harbour is quiet. Zzz yyy. He sleeps.\n\nLogin menu\nboats come in"
	f := Filter{Model: english, Limit: 256}
	must.Equal(t, f.Process(text), "the harbour is quiet. He sleeps.\nboats come in\n")
	f.Mark = true
	want := "the harbour is quiet. <ppl 65536>Zzz yyy.</ppl>. He sleeps.\n<ppl 65536>Login menu</ppl>.\nboats come in\n"
	must.Equal(t, f.Process(text), want, "marked")
	must.Equal(t, f.Process(""), "", "no text")
}

func TestCalibrate(t *testing.T) {
	// 8 sentences of 4 bits per token, one of 10, one of 16
	sample := strings.Repeat("the harbour is quiet. He sleeps.\n", 4) + "the Zzz\nZzz\n\n"
	c := must.Get(Calibrate(alone, english, nil, strings.NewReader(sample)))(t)
	for _, w := range []struct{ keep, limit, kept float64 }{{.5, 16, .8}, {.8, 16, .8}, {.81, 1024, .9}, {.9, 1024, .9}, {1, 65536, 1}} {
		limit := c.Limit(w.keep)
		if math.Abs(limit-w.limit) > 1e-6 || limit <= w.limit || math.Abs(c.Kept(limit)-w.kept) > 1e-12 {
			t.Errorf("%v: limit %v keeps %v, want %v and %v", w.keep, limit, c.Kept(limit), w.limit, w.kept)
		}
	}
	must.Equal(t, c.Units(), 10, "units")
	must.Fail(t, must.Err(Calibrate(alone, english, nil, strings.NewReader(" \n\n"))), "no text")
	if _, err := Calibrate(Config{Measure: Difference, Unit: Block}, english, nil, strings.NewReader(sample)); err == nil {
		t.Error("a measure without its second model is no error")
	}
}
