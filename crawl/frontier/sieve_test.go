package frontier

import (
	"fmt"
	"github.com/zeebo/xxh3"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSieve compares what leaves the sieve with a set in memory, flushes at odd
// places and an opening anew between.
func TestSieve(t *testing.T) {
	dir := t.TempDir()
	cfg := SieveConfig{Pending: 50, Recent: 16}
	s, err := OpenSieve(dir, 0, cfg)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	var want, got []string
	emit := func(b []byte) error { got = append(got, string(b)); return nil }
	for i := range 3000 {
		item := fmt.Sprint("page", rng.IntN(1+i/2))
		if !seen[item] {
			seen[item] = true
			want = append(want, item)
		}
		if s.Full() || rng.IntN(40) == 0 {
			if err := s.Flush(emit); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Add(xxh3.HashString(item), []byte(item)); err != nil {
			t.Fatal(err)
		}
		if i == 1500 {
			if err := s.Flush(emit); err != nil {
				t.Fatal(err)
			}
			generation := s.Generation()
			if err := s.Prune(); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = OpenSieve(dir, generation, cfg); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Flush(emit); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d items left the sieve, want %d in the order of their first Add", len(got), len(want))
	}
	if s.Known() != int64(len(seen)) {
		t.Errorf("%d keys are known, want %d", s.Known(), len(seen))
	}
}

// TestSieveFull fails if a full sieve loses an item without a word.
func TestSieveFull(t *testing.T) {
	s, err := OpenSieve(t.TempDir(), 0, SieveConfig{Pending: 2, Recent: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, want := range []error{nil, nil, errFull} {
		if err := s.Add(uint64(i+10), nil); err != want {
			t.Errorf("Add %d: %v, want %v", i, err, want)
		}
	}
}

// BenchmarkSieve adds keys of which none was seen.
func BenchmarkSieve(b *testing.B) {
	s, err := OpenSieve(b.TempDir(), 0, DefaultSieve)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	item := []byte("/2026/11/a-story-of-middling-length.html")
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		if s.Full() {
			if err := s.Flush(func([]byte) error { return nil }); err != nil {
				b.Fatal(err)
			}
			if err := s.Prune(); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Add(rng.Uint64(), item); err != nil {
			b.Fatal(err)
		}
	}
}
