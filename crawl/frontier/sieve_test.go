package frontier

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/testkit/must"
)

// TestSieve compares the output of the sieve with a set in memory, with flushes at odd places
// and a reopening in between.
func TestSieve(t *testing.T) {
	dir := t.TempDir()
	cfg := SieveConfig{Pending: 50, Recent: 16}
	s, err := OpenSieve(dir, 0, cfg)
	must.Succeed(t, err)
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
			must.Succeed(t, s.Flush(emit))
		}
		must.Succeed(t, s.Add(xxh3.HashString(item), []byte(item)))
		if i == 1500 {
			must.Succeed(t, s.Flush(emit))
			generation := s.Generation()
			must.Succeed(t, s.Prune())
			must.Succeed(t, s.Close())
			if s, err = OpenSieve(dir, generation, cfg); err != nil {
				t.Fatal(err)
			}
		}
	}
	must.Succeed(t, s.Flush(emit))
	if !slices.Equal(got, want) {
		t.Errorf("%d items left the sieve, want %d in the order of their first Add", len(got), len(want))
	}
	if s.Known() != int64(len(seen)) {
		t.Errorf("%d keys are known, want %d", s.Known(), len(seen))
	}
}

// TestSieveFull fails if a full sieve loses an item without a word.
func TestSieveFull(t *testing.T) {
	s := must.Get(OpenSieve(t.TempDir(), 0, SieveConfig{Pending: 2, Recent: 2}))(t)
	defer s.Close()
	for i, want := range []error{nil, nil, errFull} {
		if err := s.Add(uint64(i+10), nil); err != want {
			t.Errorf("Add %d: %v, want %v", i, err, want)
		}
	}
}

// TestSieveRuns fails if keys that were sorted in several runs are lost or returned twice.
func TestSieveRuns(t *testing.T) {
	s := must.Get(OpenSieve(t.TempDir(), 0, SieveConfig{Pending: 3*runKeys + 5, Recent: 2}))(t)
	defer s.Close()
	rng := rand.New(rand.NewPCG(5, 6))
	seen := map[uint64]bool{}
	for range 2 {
		var want, got []uint64
		for !s.Full() {
			key := 1 + rng.Uint64N(5*runKeys)<<40
			if !seen[key] {
				seen[key] = true
				want = append(want, key)
			}
			must.Succeed(t, s.Add(key, binary.LittleEndian.AppendUint64(nil, key)))
		}
		must.Succeed(t, s.Flush(func(b []byte) error { got = append(got, binary.LittleEndian.Uint64(b)); return nil }))
		if !slices.Equal(got, want) {
			t.Fatalf("%d items, want %d", len(got), len(want))
		}
	}
	if s.Known() != int64(len(seen)) {
		t.Errorf("%d keys are known, want %d", s.Known(), len(seen))
	}
}

// TestSieveError fails if a sieve can be used after an error of Flush, or cannot be closed.
func TestSieveError(t *testing.T) {
	s := must.Get(OpenSieve(t.TempDir(), 0, SieveConfig{Pending: 2, Recent: 2}))(t)
	must.Succeed(t, s.Add(1, []byte("page")))
	want := errors.New("no space")
	for range 2 {
		if err := s.Flush(func([]byte) error { return want }); err != want {
			t.Errorf("Flush: %v, want %v", err, want)
		}
	}
	if err := s.Add(2, nil); err != want {
		t.Errorf("Add: %v, want %v", err, want)
	}
	must.Succeed(t, s.Close())
}
