package testkit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// Words returns n bytes of moderately compressible text, the same for the same seed.
func Words(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "word%d ", r.IntN(5000))
	}
	return b.Bytes()[:n]
}
