package input_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestRelease reads files of all sizes while their pages are released, and wants the bytes
// that were written.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	var want [][]byte
	for i, size := range []int{1, 100, 16 << 10, 16<<10 - 1, 16<<10 + 1, 70000, 5, 3 << 20, 200000, 16 << 10, 40, 199999, 1 << 20, 3} {
		b := testkit.Words(uint64(i), size)
		want = append(want, b)
		write(t, dir, fmt.Sprintf("%02d", i), b)
	}
	for _, form := range []string{"", "html"} {
		r := open(t, input.Config{Form: form}, dir)
		for i, w := range want {
			p, err := r.Next()
			must.Succeed(t, err)
			if !bytes.Equal(p.Raw, w) || p.ID != filepath.Join(dir, fmt.Sprintf("%02d", i)) {
				t.Errorf("form %q: page %s has %d bytes, wanted %d", form, p.ID, len(p.Raw), len(w))
			}
			if i%3 > 0 {
				r.Release(p)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("after the last page: %v", err)
		}
	}
}
