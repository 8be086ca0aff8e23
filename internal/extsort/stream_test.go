package extsort

import (
	"bytes"
	"io"
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
		spilled                      bool
	}{
		{14, 8, 0, 256, 1 << 20, false},
		{14, 8, 1, 256, 1 << 20, false},
		{14, 8, 5000, 2, 1 << 20, false},
		{14, 8, 5000, 256, 1 << 16, true},
		{14, 8, 100_000, 256, 1 << 24, false},
		{14, 8, 100_000, 3, 1 << 24, false},
		{14, 8, 100_000, 1, 1 << 24, false},
		{14, 8, 100_000, 256, 2 << 20, true},
		{14, 8, 100_000, 2, 1 << 17, true},
		{14, 8, 100_000, 1, 1 << 17, true},
		{14, 8, 10_000, 1, 0, true},
		{3, 1, 30_000, 256, 1 << 20, false},
		{3, 1, 30_000, 256, 1 << 17, true},
		{1024, 1024, 40, 2, 1 << 16, true},
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
				n := min(1+rnd.IntN(3000), len(from)/x.size) * x.size
				must.Succeed(t, s.Add(from[:n]))
				from = from[n:]
			}
			var got []byte
			for p, err := s.Next(); err != io.EOF; p, err = s.Next() {
				must.Succeed(t, err)
				recs, err := s.Sort(max(workers-1, 0), p)
				must.Succeed(t, err)
				got = append(got, recs...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%+v, %d workers: out of order", x, workers)
			}
			if (len(s.disk.runs) > 0) != x.spilled {
				t.Errorf("%+v: %d runs on disk", x, len(s.disk.runs))
			}
			must.Succeed(t, s.Close())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
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
		err = s.Add(make([]byte, 1<<10))
	}
	if again := s.Add(make([]byte, 8)); again == nil {
		t.Error("added after an error")
	}
	if p, err := s.Next(); err == nil || err == io.EOF {
		t.Errorf("%+v, %v after an error", p, err)
	}
}
