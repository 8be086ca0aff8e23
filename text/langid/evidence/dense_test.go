package evidence

import (
	"math/rand/v2"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
)

// TestDense adds random rows in both layouts.
func TestDense(t *testing.T) {
	if !expands {
		t.Skip("the processor cannot expand bytes")
	}
	m := must.Get(Parse("embedded", data.Langid))(t)
	if !m.dense {
		t.Fatal("no dense rows")
	}
	plain := sparse(t, data.Langid)
	var rows []uint32
	for _, slot := range m.words.slots {
		if slot != 0 {
			rows = append(rows, uint32(slot))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 500 {
		n := i % (batchKeys + 1)
		a, b := &batch{m: m}, &batch{m: plain}
		for range n {
			r := rows[rng.IntN(len(rows))]
			for i%2 == 0 && r&maxQuads < denseQuads { // only dense rows
				r = rows[rng.IntN(len(rows))]
			}
			a.push(r)
			b.push(r)
		}
		var got, want Tally
		a.addRows(&got)
		b.addRows(&want)
		if got != want {
			t.Fatalf("%d rows: %v, want %v", n, got.Score, want.Score)
		}
	}
}

// TestDensify makes rows dense, and rejects other classes and classes that do not ascend.
func TestDensify(t *testing.T) {
	row := func(step int) []uint64 {
		row := make([]uint64, denseQuads)
		for i := range 4 * denseQuads {
			row[i/4] |= uint64(7+i*step%MaxClasses) << (i % 4 * 16)
		}
		return row
	}
	for _, step := range []int{0, 1, 8, 9} {
		if got, want := densify(row(step), 4*denseQuads, 7), step == 1 || step == 8; got != want {
			t.Errorf("classes %d apart: %v, want %v", step, got, want)
		}
	}
	if densify(row(1), 4*denseQuads, 8) {
		t.Error("a class before the first one")
	}
}
