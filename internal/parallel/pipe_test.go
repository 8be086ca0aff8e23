package parallel

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPipe lets either side fail, panic or end early: both return.
func TestPipe(t *testing.T) {
	full, bad := errors.New("full"), errors.New("bad")
	var got strings.Builder
	long := func(w io.Writer) error {
		for i := range 1000 {
			if _, err := fmt.Fprintln(w, i); err != nil {
				return err
			}
		}
		return nil
	}
	all := func(r io.Reader) error { got.Reset(); _, err := io.Copy(&got, r); return err }
	if err := Pipe(long, all); err != nil || !strings.HasSuffix(got.String(), "\n999\n") {
		t.Errorf("%v, %d bytes", err, got.Len())
	}
	must.Is(t, Pipe(func(io.Writer) error { return full }, all), full)
	must.Is(t, Pipe(long, func(io.Reader) error { return bad }), bad)
	must.Is(t, Pipe(long, func(io.Reader) error { return nil }), io.ErrClosedPipe)
	if err := Pipe(func(io.Writer) error { panic("fault") }, all); err == nil {
		t.Error("a panic of write is no error")
	}
	if err := Pipe(long, func(io.Reader) error { panic("fault") }); err == nil {
		t.Error("a panic of read is no error")
	}
}
