package frontier

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit/must"
)

// BenchmarkSieveKnown adds new keys to a sieve that knows many; one in Pending has to
// wait until all of these were read and written again.
func BenchmarkSieveKnown(b *testing.B) {
	for _, millions := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("%dM", millions), func(b *testing.B) {
			dir := b.TempDir()
			must.Succeed(b, writeKnown(filepath.Join(dir, "seen-00000001"), millions*1_000_000))
			s := must.Get(OpenSieve(dir, 1, DefaultSieve))(b)
			defer s.Close()
			item := []byte("/2026/11/a-story-of-middling-length.html")
			rng := rand.New(rand.NewPCG(1, 2))
			b.ResetTimer()
			before := cputime.Used()
			for range b.N {
				must.Succeed(b, s.Add(rng.Uint64(), item))
				if s.Full() {
					must.Succeed(b, s.Flush(func([]byte) error { return nil }))
					must.Succeed(b, s.Prune())
				}
			}
			b.ReportMetric(float64(cputime.Used()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// writeKnown writes a file of n keys.
func writeKnown(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	step := math.MaxUint64 / uint64(n)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range uint64(n) {
		var key [8]byte
		binary.LittleEndian.PutUint64(key[:], i*step+rng.Uint64N(step))
		if _, err := out.Write(key[:]); err != nil {
			return err
		}
	}
	return out.Flush()
}
