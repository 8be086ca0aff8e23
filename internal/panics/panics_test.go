package panics_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/internal/panics"
)

func TestCatch(t *testing.T) {
	failed := errors.New("failed")
	must.Equal(t, panics.Catch(func() error { return failed }), failed)
	must.Succeed(t, panics.Catch(func() error { return nil }))
	none := []int{}
	err := panics.Catch(func() error { none[len(none)]++; return nil })
	var p *panics.Panic
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want a panic", err)
	}
	for _, want := range []string{"panics/panics_test.go:", "index out of range"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("message %q holds a stack", err)
	}
	if d := panics.Detail(fmt.Errorf("page x: %w", err)); !strings.Contains(d, "page x: fault") || !strings.Contains(d, "goroutine") {
		t.Errorf("detail %q: want the message and the stack", d)
	}
	again := panics.Catch(func() error { panic(err) })
	must.Equal(t, again, err, "raised again")
}
