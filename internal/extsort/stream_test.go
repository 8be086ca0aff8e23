package extsort

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestStream compares streams with a plain sort that keeps the order of equal keys. The stream is in
// memory, or has one or several runs on disk.
func TestStream(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for _, x := range []struct {
		size, key, records, alphabet int
		memory                       int64
		runs                         int
	}{
		{14, 8, 0, 256, 1 << 20, 0},
		{14, 8, 1, 256, 1 << 20, 0},
		{14, 8, 5000, 2, 1 << 20, 0},
		{14, 8, 5000, 256, 1 << 16, 3},
		{14, 8, 100_000, 256, 1 << 24, 0},
		{14, 8, 100_000, 3, 1 << 24, 0},
		{14, 8, 100_000, 1, 1 << 24, 0},
		{14, 8, 100_000, 256, 2 << 20, 2},
		{3, 1, 30_000, 256, 1 << 20, 0},
		{3, 1, 30_000, 256, 1 << 17, 2},
		{1024, 1024, 40, 2, 1 << 16, 2},
	} {
		all := make([]byte, x.records*x.size)
		for i := range all {
			all[i] = byte(rnd.IntN(x.alphabet))
		}
		recs := slices.Collect(slices.Chunk(all, x.size))
		slices.SortStableFunc(recs, func(a, b []byte) int { return bytes.Compare(a[:x.key], b[:x.key]) })
		want := bytes.Join(recs, nil)
		for workers := range 3 {
			s, err := NewStream(Config{Record: x.size, Key: x.key, Memory: x.memory, Workers: workers, Dir: dir})
			must.Succeed(t, err)
			for from := all; len(from) > 0; {
				to, err := s.Add(min(1+rnd.IntN(3000), len(from)/x.size))
				must.Succeed(t, err)
				from = from[copy(to, from):]
			}
			var got []byte
			for recs, err := range s.All() {
				must.Succeed(t, err)
				got = append(got, recs...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%+v, %d workers: out of order", x, workers)
			}
			if len(s.runs) != x.runs {
				t.Errorf("%+v: %d runs on disk", x, len(s.runs))
			}
			must.Succeed(t, s.Close())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestStreamEnds reads a part of a stream, in memory and on disk.
func TestStreamEnds(t *testing.T) {
	for _, memory := range []int64{1 << 16, 1 << 30} {
		s, err := NewStream(Config{Record: 8, Key: 8, Memory: memory, Dir: t.TempDir()})
		must.Succeed(t, err)
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 100_000 {
			rec, err := s.Add(1)
			must.Succeed(t, err)
			rec[rnd.IntN(8)] = byte(rnd.IntN(256))
		}
		for recs, err := range s.All() {
			must.Succeed(t, err)
			if len(recs) == 0 {
				t.Error("yielded nothing")
			}
			break
		}
		must.Succeed(t, s.Close())
	}
}

// TestStreamErrors: a missing folder is an error of adding or reading.
func TestStreamErrors(t *testing.T) {
	if _, err := NewStream(Config{Record: 3, Key: 4}); err == nil {
		t.Error("a key longer than its record passed")
	}
	s, err := NewStream(Config{Record: 8, Key: 8, Dir: filepath.Join(t.TempDir(), "missing")})
	must.Succeed(t, err)
	for err == nil {
		_, err = s.Add(1)
	}
	if _, again := s.Add(1); again == nil {
		t.Error("added after an error")
	}
	n := 0
	for recs, err := range s.All() {
		if n++; err == nil || recs != nil {
			t.Errorf("read %d bytes, error %v", len(recs), err)
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
}
