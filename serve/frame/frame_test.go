package frame_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/frame"
)

const maxBody = 100

// frames returns the bytes of a frame for each size of a body.
func frames(t testing.TB, sizes ...int) (b []byte) {
	for i, n := range sizes {
		var err error
		if b, err = frame.Append(b, frame.Frame{ID: uint32(i + 1), Code: frame.Version, Head: "POST /v1/clean", Body: bytes.Repeat([]byte{'x'}, n)}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestReader reads frames of which some are bad: those after them are read all the same.
func TestReader(t *testing.T) {
	in := frames(t, 0, 5, maxBody, maxBody+1, 7)
	in = append(in, 3, 0, 0, 0, 1, 2, 3)                     // shorter than a frame can be
	in = append(in, 9, 0, 0, 0, 9, 0, 0, 0, 1, 0, 2, 0, 'x') // its head is longer than the frame
	in = append(in, frames(t, 1)...)                         // good
	for name, r := range map[string]io.Reader{"whole": bytes.NewReader(in), "bytes": iotest.OneByteReader(bytes.NewReader(in))} {
		var got []string
		for f, err := range frame.NewReader(r, maxBody).All() {
			var bad *frame.BadFrame
			switch {
			case errors.As(err, &bad):
				got = append(got, bad.Error())
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			default:
				got = append(got, f.Head[:4]+strings.Repeat("x", len(f.Body)))
			}
		}
		want := []string{"POST", "POSTxxxxx", "POST" + strings.Repeat("x", maxBody), "a body of 101 bytes, wanted at most 100", "POSTxxxxxxx",
			"a frame of 3 bytes, wanted at least 8", "a head of 2 bytes in a frame with 1", "POSTx"}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
}

// TestCut: an input that ends anywhere within a frame says so.
func TestCut(t *testing.T) {
	for _, body := range []int{3, maxBody + 1} {
		in := frames(t, body)
		for n := 1; n < len(in); n++ {
			if _, err := frame.NewReader(bytes.NewReader(in[:n]), maxBody).Next(); !errors.Is(err, frame.ErrCut) {
				t.Fatalf("after %d of %d bytes: %v", n, len(in), err)
			}
		}
	}
	broken := errors.New("broken")
	must.Is(t, must.Err(frame.NewReader(iotest.ErrReader(broken), maxBody).Next()), broken)
}

// TestTooLong: what does not fit its field is not written.
func TestTooLong(t *testing.T) {
	b, err := frame.Append(nil, frame.Frame{Head: strings.Repeat("x", frame.MaxHead+1)})
	if err == nil || len(b) > 0 {
		t.Errorf("%d bytes, error %v", len(b), err)
	}
}

// FuzzReader reads any bytes as a walk over their sizes by hand does: the same frames,
// the same bad ones, and never more than is there.
func FuzzReader(f *testing.F) {
	f.Add(frames(f, 0, 5, maxBody+1))
	f.Add([]byte{3, 0, 0, 0, 1, 2, 3})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, in []byte) {
		r, rest := frame.NewReader(bytes.NewReader(in), maxBody), in
		for {
			got, err := r.Next()
			if len(rest) == 0 {
				if err != io.EOF {
					t.Fatalf("at the end %v", err)
				}
				return
			}
			if len(rest) < 4 || uint64(len(rest)-4) < uint64(binary.LittleEndian.Uint32(rest)) {
				must.Is(t, err, frame.ErrCut)
				return
			}
			size := int(binary.LittleEndian.Uint32(rest))
			one := rest[4 : 4+size]
			rest = rest[4+size:]
			var bad *frame.BadFrame
			good := size >= 8
			if good {
				head := int(binary.LittleEndian.Uint16(one[6:]))
				good = head <= size-8 && size-8-head <= maxBody
			}
			if !good {
				if !errors.As(err, &bad) {
					t.Fatalf("a bad frame: %v", err)
				}
				continue
			}
			must.Succeed(t, err)
			if again, err := frame.Append(nil, got); err != nil || !bytes.Equal(again[4:], one) {
				t.Fatalf("%x, wanted %x, error %v", again, one, err)
			}
		}
	})
}
