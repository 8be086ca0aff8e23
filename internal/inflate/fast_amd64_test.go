package inflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"math/rand/v2"
	"testing"
)

// TestFast compares the results and the final state of fastBMI2 with fastGo, for whole and damaged
// members, and for matches of all small distances.
func TestFast(t *testing.T) {
	if !vector {
		t.Skip("no BMI2")
	}
	defer func() { vector = true }()
	rng := rand.New(rand.NewPCG(8, 9))
	texts := samples()
	var near []byte
	for distance := 1; distance < 40; distance++ {
		for range 20 {
			some := make([]byte, distance)
			for i := range some {
				some[i] = byte(rng.Uint32())
			}
			near = append(near, bytes.Repeat(some, 2+rng.IntN(300)/distance)...)
		}
	}
	texts["near matches"] = near
	var z [2]Reader
	same := func(name string, data []byte) {
		var outs [2][]byte
		var took [2]int
		var errs [2]error
		for i := range z {
			vector = i > 0
			outs[i], took[i], errs[i] = z[i].AppendMember(nil, data, 1<<30)
		}
		a, b := &z[0], &z[1]
		if !bytes.Equal(outs[0], outs[1]) || took[0] != took[1] || errs[0] != errs[1] {
			t.Fatalf("%s: %d, %d, %v and %d, %d, %v", name, len(outs[0]), took[0], errs[0], len(outs[1]), took[1], errs[1])
		}
		if a.pos != b.pos || a.w != b.w || a.n != b.n || a.bits&(1<<a.n-1) != b.bits&(1<<b.n-1) {
			t.Fatalf("%s: %d, %d, %d and %d, %d, %d", name, a.pos, a.w, a.n, b.pos, b.w, b.n)
		}
	}
	for name, text := range texts {
		for _, level := range []int{1, 6, stdgzip.HuffmanOnly} {
			data := packedAt(t, text[:min(len(text), 300_000)], level)
			same(name, data)
			for range 30 {
				bad := bytes.Clone(data)
				bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
				same(name, bad[:len(bad)-rng.IntN(2)*rng.IntN(len(bad))])
			}
		}
	}
}
