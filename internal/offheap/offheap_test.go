package offheap

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

type record struct {
	next   *record
	number int
	rest   [3]uint64
}

// fill adds n linked records.
func fill(m *Memory, n int) *Table[record] {
	t := NewTable[record](m)
	var last *record
	for i := range n {
		r := t.Add()
		r.next, r.number, r.rest[2] = last, i, uint64(i)<<40
		last = r
	}
	return t
}

// check follows the links of n records and compares them with the table.
func check(t *testing.T, x *Table[record], n int) {
	t.Helper()
	if x.Len() != n {
		t.Fatalf("%d records, want %d", x.Len(), n)
	}
	for r, i := x.At(n-1), n-1; i >= 0; r, i = r.next, i-1 {
		if r != x.At(i) || r.number != i || r.rest != [3]uint64{2: uint64(i) << 40} {
			t.Fatalf("record %d: %+v", i, r)
		}
	}
}

// TestTable fails if records move or are lost, in memory or in the file.
func TestTable(t *testing.T) {
	for _, limit := range []int64{0, 1, regionBytes} {
		m := New(t.TempDir(), limit)
		x, y := fill(m, 300_000), fill(m, 100_000)
		if spilled := m.Spilled(); spilled != (limit > 0) && runtime.GOOS == "linux" {
			t.Errorf("limit %d: spilled: %v", limit, spilled)
		}
		m.Release()
		runtime.GC()
		check(t, x, 300_000)
		check(t, y, 100_000)
		must.Succeed(t, m.Close())
	}
}

// TestFullDisk fails if records are lost when the file cannot be written.
func TestFullDisk(t *testing.T) {
	defer disk.Watch(func(disk.Op, string) error { return errors.New("disk full") })()
	m := New(t.TempDir(), 1)
	defer m.Close()
	check(t, fill(m, 200_000), 200_000)
}

// TestCheckType fails if records may have fields that the garbage collector must see.
func TestCheckType(t *testing.T) {
	defer func() {
		if err, _ := recover().(string); !strings.Contains(err, "[]uint32") {
			t.Errorf("panic %q", err)
		}
	}()
	NewTable[struct{ a [2]struct{ list []uint32 } }](New("", 0))
}
