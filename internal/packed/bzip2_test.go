package packed

import (
	"io"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestBzip2 reads a file of two streams, also from the second one, and a file that is cut off.
func TestBzip2(t *testing.T) {
	const two = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x78\x13\xc0\x82\x00\x00\x01\xc1\x00\x00\x10\x02\x01\xa0\x00\x21\x9a\x68\x33\x4d\x0c\xbc\x5d\xc9\x14\xe1\x42\x41\xe0\x4f\x02\x08\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x2e\xb7\x1a\xd7\x00\x00\x01\x41\x80\x00\x10\x00\x00\x84\x80\x20\x00\x21\x9a\x68\x33\x4d\x07\x3c\x5d\xc9\x14\xe1\x42\x40\xba\xdc\x6b\x5c"
	r, err := NewReader(strings.NewReader(two), Default)
	must.Succeed(t, err)
	b := must.Get(io.ReadAll(r))(t)
	at := r.Pos()
	if string(b) != "one\ntwo\n" || at.Member == 0 {
		t.Errorf("%q at %+v", b, at)
	}
	must.Succeed(t, r.Seek(Pos{Member: at.Member}))
	if b, err = io.ReadAll(r); string(b) != "two\n" {
		t.Errorf("from the second stream: %q, %v", b, err)
	}
	r = must.Get(NewReader(strings.NewReader(two[:len(two)-10]), Default))(t)
	if b, err = io.ReadAll(r); err == nil {
		t.Errorf("cut off: %q without an error", b)
	}
}
