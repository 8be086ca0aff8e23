package huge

import (
	"runtime"
	"testing"
	"unsafe"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1000, pageBytes / 16, pageBytes / 8, pageBytes + 1, 3 * pageBytes} {
		bytes, words := Make[uint8](n, 5), Make[uint64](n, 5)
		if len(bytes) != n || len(words) != n || cap(bytes) < n+5 || cap(words) < n+5 {
			t.Errorf("%d: length %d and %d, room for %d and %d", n, len(bytes), len(words), cap(bytes), cap(words))
		}
		for i := range n {
			if bytes[i] != 0 || words[i] != 0 {
				t.Fatalf("%d: element %d is not 0", n, i)
			}
			bytes[i], words[i] = 1, 1 // all of it is there
		}
		if n < pageBytes {
			continue
		}
		for _, at := range []uintptr{uintptr(unsafe.Pointer(&bytes[0])), uintptr(unsafe.Pointer(&words[0]))} {
			if at%pageBytes != 0 {
				t.Errorf("%d: begins at %x, not where a large page does", n, at)
			}
		}
	}
}

// TestMakeSmall wants no memory for large pages in a table that fills none.
func TestMakeSmall(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table := Make[uint8](pageBytes*3/4, 0)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got >= pageBytes {
		t.Errorf("%d bytes for a table of %d", got, len(table))
	}
}

func TestForever(t *testing.T) {
	for _, n := range []int{0, 1, 100_000} {
		x := Forever(n)
		if len(x) != n {
			t.Fatalf("%d words, wanted %d", len(x), n)
		}
		for i := range x {
			if x[i] != 0 {
				t.Fatalf("%d words: word %d is not 0", n, i)
			}
			x[i] = 1
		}
	}
}
