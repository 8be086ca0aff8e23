package input_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestRelease reads files of all sizes while their pages are released, and wants the bytes
// that were written. It also reads them as records of an archive.
func TestRelease(t *testing.T) {
	dir, archive := t.TempDir(), t.TempDir()
	var want [][]byte
	var records []byte
	for i, size := range []int{1, 100, 16 << 10, 16<<10 - 1, 16<<10 + 1, 70000, 5, 3 << 20, 200000, 16 << 10, 40, 199999, 1 << 20, 3} {
		b := testkit.Words(uint64(i), size)
		want = append(want, b)
		write(t, dir, fmt.Sprintf("%02d", i), b)
		records = append(records, record(fmt.Sprintf("%02d", i), string(b))...)
	}
	write(t, archive, "a.warc", records)
	for _, form := range []string{"", "html", "warc"} {
		from, prefix := dir, dir+"/"
		if form == "warc" {
			from, prefix = archive, "urn:x:"
		}
		r := open(t, input.Config{Form: form}, from)
		for i, w := range want {
			p := must.Get(r.Next())(t)
			if !bytes.Equal(p.Raw, w) || p.ID != fmt.Sprintf("%s%02d", prefix, i) {
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
