package parallel

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
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
	if err := Pipe(func(io.Writer) error { return full }, all); !errors.Is(err, full) {
		t.Errorf("write fails: %v", err)
	}
	if err := Pipe(long, func(io.Reader) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("read fails: %v", err)
	}
	if err := Pipe(long, func(io.Reader) error { return nil }); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("read ends early: %v", err)
	}
	if err := Pipe(func(io.Writer) error { panic("fault") }, all); err == nil {
		t.Error("a panic of write is no error")
	}
	if err := Pipe(long, func(io.Reader) error { panic("fault") }); err == nil {
		t.Error("a panic of read is no error")
	}
}
