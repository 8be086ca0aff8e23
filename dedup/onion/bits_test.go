package onion

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/property"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
)

// TestBitSet: a set of four pages in memory and the others in a file is a set.
func TestBitSet(t *testing.T) {
	dir := t.TempDir()
	property.Check(t, func(rt *rapid.T) {
		s := newBitSet(0, dir)
		want := map[uint64]bool{}
		for range rapid.IntRange(1, 300).Draw(rt, "steps") {
			page := rapid.Uint64Range(0, 12).Draw(rt, "page")
			num := page*8*pageBytes + rapid.SampledFrom([]uint64{0, 1, 7, 8, 8*pageBytes - 1}).Draw(rt, "bit")
			switch rapid.IntRange(0, 2).Draw(rt, "what") {
			case 0:
				if got := s.Has(num); got != want[num] {
					rt.Fatalf("Has(%d) = %v, want %v", num, got, want[num])
				}
			case 1:
				if got := s.Add(num); got == want[num] {
					rt.Fatalf("Add(%d) = %v, want %v", num, got, !want[num])
				}
				want[num] = true
			case 2:
				s.Remove(num)
				delete(want, num)
			}
		}
		must.Succeed(rt, s.Err())
		must.Succeed(rt, s.Close())
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// TestBitSetFullDisk: the set looks at a full disk once.
func TestBitSetFullDisk(t *testing.T) {
	s := newBitSet(0, t.TempDir())
	defer s.Close()
	tried := 0
	defer disk.Watch(func(disk.Op, string) error { tried++; return syscall.ENOSPC })()
	for num := range uint64(1000) {
		s.Add(num * 8 * pageBytes)
	}
	if !errors.Is(s.Err(), syscall.ENOSPC) || tried != 1 {
		t.Errorf("%d changes were tried, error %v", tried, s.Err())
	}
}
