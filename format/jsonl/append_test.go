package jsonl

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestFloat compares floats with the shortest form of the number rounded to nine digits.
func TestFloat(t *testing.T) {
	want := func(v float64) string {
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		back, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
		f := byte('f')
		if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
			f = 'e'
		}
		return strconv.FormatFloat(back, f, -1, 64)
	}
	check := func(v float64) {
		o := object{}
		o.float("x", v)
		if w := `"x":` + want(v); string(o.b) != w {
			t.Fatalf("%g: %s, wanted %s", v, o.b, w)
		}
	}
	for _, v := range []float64{0, 1, -1, .5, -.25, 1e-6, 1.5e-6, .9999999999, .99999999949, 9.9999999999, 999999999.5, 123456789.25, 12345678912345.5, 999999999999999.9, 1e15, 1e300, 1e-300, 9.99999999999e-7, 100.125, 3.0000000001} {
		check(v)
		check(-v)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := r.Float64() * math.Pow(10, float64(r.IntN(26)-8))
		if r.IntN(3) == 0 {
			v = math.Round(v*1000) / 1000
		}
		check(v)
	}
}

func BenchmarkFloat(b *testing.B) {
	o := object{}
	for b.Loop() {
		o.b = o.b[:0]
		o.float("score", .9182736455463728)
	}
}
