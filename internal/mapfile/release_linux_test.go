package mapfile

import (
	"bytes"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRelease: released pages are out of memory, and can be read as before.
func TestRelease(t *testing.T) {
	want := bytes.Repeat([]byte("chaffinch"), 4<<20)
	name := must.File(t, "file", want)
	b, unmap, err := Open(name)
	must.Succeed(t, err)
	defer unmap()
	before := Held()
	if !bytes.Equal(b, want) {
		t.Fatal("the bytes differ")
	}
	if read := Held() - before; read < int64(len(want))*3/4 {
		t.Fatalf("%d bytes more are held after %d were read", read, len(want))
	}
	for _, part := range [][]byte{b[:1], b[1:4096], b[1 : len(b)/2], b[len(b)/2:], b[len(b):]} {
		must.Succeed(t, Release(part))
	}
	if left := Held() - before; left > int64(len(want))/4 {
		t.Errorf("%d bytes are still held", left)
	}
	if !bytes.Equal(b, want) {
		t.Error("the bytes differ after they were released")
	}
}
