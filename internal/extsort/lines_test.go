package extsort

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLines sorts lines in memory and in runs.
func TestLines(t *testing.T) {
	for _, memory := range []int64{1, 500, 1 << 20} {
		l := NewLines(t.TempDir(), memory)
		random := rand.New(rand.NewPCG(1, 2))
		want := []string{"", "a", "a"}
		for range 2000 {
			want = append(want, fmt.Sprintf("%x", random.Uint64N(1<<(random.Uint64N(60)+1))))
		}
		for _, line := range want {
			must.Succeed(t, l.Add(line))
		}
		slices.Sort(want)
		var got []string
		for line, err := range l.All() {
			must.Succeed(t, err)
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("memory of %d bytes: %d lines, wanted %d in order", memory, len(got), len(want))
		}
		if runs := len(l.runs); memory < 1<<20 && runs < 10 || memory == 1<<20 && runs > 0 {
			t.Errorf("memory of %d bytes: %d runs", memory, runs)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
