package panics_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/panics"
)

func TestCatch(t *testing.T) {
	failed := errors.New("failed")
	if err := panics.Catch(func() error { return failed }); err != failed {
		t.Errorf("error %v, want %v", err, failed)
	}
	if err := panics.Catch(func() error { return nil }); err != nil {
		t.Error(err)
	}
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
	if again != err {
		t.Errorf("raised again: %v, want %v", again, err)
	}
}
