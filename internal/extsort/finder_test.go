package extsort

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestFinder compares what a Finder finds with a look at all records.
func TestFinder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 100, 1023, 1024, 1025, 40_000} {
		f, err := OpenFolder(t.TempDir())
		must.Succeed(t, err)
		w, err := f.NewWriter(WriterConfig{Record: 16, Key: 16, Memory: 4 << 20})
		must.Succeed(t, err)
		count := map[string]int{}
		for range n {
			rec, err := w.Add()
			must.Succeed(t, err)
			binary.BigEndian.PutUint64(rec, uint64(rng.IntN(3))<<56|uint64(rng.IntN(30))<<48|uint64(rng.IntN(2000)))
			binary.BigEndian.PutUint64(rec[8:], uint64(rng.IntN(3)))
			for _, length := range []int{1, 2, 8, 9, 16} {
				count[string(rec[:length])]++
			}
		}
		runs, err := w.Flush()
		must.Succeed(t, err)
		x, err := f.Finder(runs[0])
		must.Succeed(t, err)
		found := func(prefix string) (all int) {
			last := ""
			if err := x.Prefix([]byte(prefix), func(rec []byte) bool {
				if !strings.HasPrefix(string(rec), prefix) || string(rec) < last {
					t.Fatalf("%d records: %x begins with %x, %x before it", n, prefix, rec, last)
				}
				last = string(rec)
				all++
				return true
			}); err != nil {
				t.Fatal(err)
			}
			return all
		}
		for prefix, want := range count {
			if rng.IntN(1+len(count)/500) > 0 {
				continue
			}
			if got := found(prefix); got != want {
				t.Errorf("%d records: %d begin with %x, found %d", n, want, prefix, got)
			}
			other := prefix[:len(prefix)-1] + string(rune(prefix[len(prefix)-1]^0x40))
			if got := found(other); got != count[other] {
				t.Errorf("%d records: %d begin with %x, found %d", n, count[other], other, got)
			}
		}
		first := 0
		if err := x.Prefix([]byte{}, func([]byte) bool { first++; return false }); err != nil || first != 1 {
			t.Errorf("%d records: %d of all after the first, %v", n, first, err)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFinderDamage wants a changed run to be an error.
func TestFinderDamage(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	w, err := f.NewWriter(WriterConfig{Record: 16, Key: 16, Memory: 1 << 20})
	must.Succeed(t, err)
	for i := range 5000 {
		rec, err := w.Add()
		must.Succeed(t, err)
		binary.BigEndian.PutUint64(rec, uint64(i)<<32)
		binary.BigEndian.PutUint64(rec[8:], 0)
	}
	runs, err := w.Flush()
	must.Succeed(t, err)
	name := filepath.Join(f.Dir(), runs[0].Name)
	b := must.Read(t, name)
	b[len(b)/2]++
	must.Write(t, name, b)
	x, err := f.Finder(runs[0])
	must.Succeed(t, err)
	defer x.Close()
	all := 0
	if err := x.Prefix(nil, func([]byte) bool { all++; return true }); err == nil || all >= 5000 {
		t.Errorf("%d records of a changed run, %v", all, err)
	}
}
