package extsort

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

func sum(dst, src []byte) {
	binary.LittleEndian.PutUint32(dst[len(dst)-4:], binary.LittleEndian.Uint32(dst[len(dst)-4:])+binary.LittleEndian.Uint32(src[len(src)-4:]))
}

func sorted(t *rapid.T, recs [][]byte, cfg Config, twice bool) (out [][]byte, runs int) {
	s, err := New(cfg)
	must.Succeed(t, err)
	for _, r := range recs {
		b, err := s.Add()
		must.Succeed(t, err)
		copy(b, r)
	}
	d, err := s.Sort()
	must.Succeed(t, err)
	defer d.Close()
	for range 1 + map[bool]int{true: 1}[twice] {
		out = nil
		r, err := d.Open()
		must.Succeed(t, err)
		for {
			b, err := r.Next()
			must.Succeed(t, err)
			if b == nil {
				break
			}
			out = append(out, bytes.Clone(b))
		}
	}
	return out, d.Spilled()
}

// On disk and in memory come the same bytes, those of a plain sort.
func TestSort(t *testing.T) {
	dir := t.TempDir()
	spilled := 0
	property.Check(t, func(t *rapid.T) {
		key := rapid.IntRange(1, 9).Draw(t, "key")
		cfg := Config{Record: key + 4, Key: key, Dir: dir, Merge: sum}
		n := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(3000, 6000)).Draw(t, "records") // half of them go to disk
		alphabet := rapid.IntRange(1, 256).Draw(t, "alphabet")
		state := rapid.Uint64().Draw(t, "seed")
		want := map[string]uint32{}
		var recs [][]byte
		for range n {
			rec := make([]byte, cfg.Record)
			for j := range key {
				state = state*6364136223846793005 + 1442695040888963407
				rec[j] = byte(int(state>>40) % alphabet)
			}
			binary.LittleEndian.PutUint32(rec[key:], 1)
			want[string(rec[:key])]++
			recs = append(recs, rec)
		}
		disk, runs := sorted(t, recs, cfg, true)
		spilled += runs
		cfg.Memory = 1 << 24
		memory, _ := sorted(t, recs, cfg, false)
		if !slices.EqualFunc(disk, memory, bytes.Equal) {
			t.Fatal("disk and memory differ")
		}
		if !slices.IsSortedFunc(memory, func(a, b []byte) int { return bytes.Compare(a[:key], b[:key]) }) || len(memory) != len(want) {
			t.Fatalf("%d records, wanted %d in order", len(memory), len(want))
		}
		for _, r := range memory {
			if c := binary.LittleEndian.Uint32(r[key:]); c != want[string(r[:key])] {
				t.Fatalf("%x counted %d times, wanted %d", r[:key], c, want[string(r[:key])])
			}
		}
	})
	if spilled == 0 {
		t.Error("no test went to disk")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSizes sorts records of all lengths as a plain sort does that keeps the order
// of equal ones.
func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for size := 1; size <= 100; size++ {
		key := 1 + rng.IntN(size)
		buf := make([]byte, 500*size)
		for i := range buf {
			buf[i] = byte(rng.IntN(3))
		}
		var want [][]byte
		for rec := range slices.Chunk(bytes.Clone(buf), size) {
			want = append(want, rec)
		}
		slices.SortStableFunc(want, func(a, b []byte) int { return bytes.Compare(a[:key], b[:key]) })
		if sortWide(buf, make([]byte, len(buf)), size, key, 1); !bytes.Equal(buf, bytes.Join(want, nil)) {
			t.Errorf("records of %d bytes with keys of %d are out of order", size, key)
		}
	}
}

// TestWide sorts on one goroutine and on several: the same bytes.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	buf := make([]byte, 4*wideBytes)
	for i := range buf {
		buf[i] = byte(rng.IntN(1 + i%3*20)) // parts of keys that all share, too
	}
	wide, aux := bytes.Clone(buf), make([]byte, len(buf))
	sortWide(buf, aux, 8, 7, 1)
	sortWide(wide, aux, 8, 7, 3)
	if !bytes.Equal(wide, buf) {
		t.Error("several goroutines give another order than one")
	}
}

// TestDigits: small numbers are sorted by their bits as by their bytes, on one goroutine and
// on several, and equal ones keep their order.
func TestDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, x := range []struct {
		size, key   int
		low, spread uint // how many bits are zero, and how many differ above them
	}{{8, 8, 13, 51}, {12, 8, 0, 30}, {15, 7, 13, 51}, {19, 3, 47, 17}, {24, 2, 60, 1}, {40, 8, 0, 0}} {
		buf := make([]byte, 2*wideBytes/x.size*x.size)
		for i := 0; i < len(buf); i += x.size {
			key := rng.Uint64() >> rng.IntN(64) & (1<<x.spread - 1) << x.low
			binary.BigEndian.PutUint64(buf[i:], 1<<x.low<<x.spread|key)
			binary.LittleEndian.PutUint32(buf[i+x.size-4:], uint32(i)) // may be part of the key
		}
		want, aux := bytes.Clone(buf), make([]byte, len(buf))
		sortWide(want, aux, x.size, x.key, 1)
		for workers := range 4 {
			got := bytes.Clone(buf)
			if sorted, _ := sortDigits(got, aux, x.size, x.key, workers); x.size > 8 && sorted == nil {
				t.Errorf("%+v: not sorted by digits", x)
			}
			copy(got, buf)
			if sorted, _ := Sort(got, aux, x.size, x.key, workers); !bytes.Equal(sorted, want) {
				t.Errorf("%+v, %d workers: out of order", x, workers)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := New(Config{Record: 3, Key: 4}); err == nil {
		t.Error("a key longer than its record passed")
	}
	s, err := New(Config{Record: 8, Key: 8, Dir: filepath.Join(t.TempDir(), "missing")})
	must.Succeed(t, err)
	for i := range uint64(10 * minRecords) {
		b, err := s.Add()
		if err != nil {
			if !os.IsNotExist(unwrap(err)) {
				t.Errorf("%v, wanted a missing folder", err)
			}
			return
		}
		binary.BigEndian.PutUint64(b, i)
	}
	t.Error("wrote into a folder that is not there")
}

func unwrap(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		err = u.Unwrap()
	}
}
