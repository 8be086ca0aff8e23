package offheap

import (
	"testing"

	"chaffinch/internal/mapfile"
)

// TestRelease fails if released records stay in the memory of the process.
func TestRelease(t *testing.T) {
	m := New(t.TempDir(), regionBytes)
	defer m.Close()
	before := mapfile.Held()
	x := fill(m, 1_000_000)
	if held := mapfile.Held() - before; held < 30<<20 {
		t.Fatalf("%d bytes of the file are in memory, want most of 40 MB", held)
	}
	m.Release()
	if held := mapfile.Held() - before; held > 8<<20 {
		t.Errorf("%d bytes of the file are in memory after Release", held)
	}
	check(t, x, 1_000_000)
}
