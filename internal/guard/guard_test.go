package guard_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/guard"
)

func TestDo(t *testing.T) {
	failed := errors.New("failed")
	if err := guard.Do(func() error { return failed }); err != failed {
		t.Errorf("error %v, want %v", err, failed)
	}
	if err := guard.Do(func() error { return nil }); err != nil {
		t.Error(err)
	}
	none := []int{}
	err := guard.Do(func() error { none[len(none)]++; return nil })
	var p *guard.Panic
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want a panic", err)
	}
	for _, want := range []string{"guard/guard_test.go:", "index out of range"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("message %q holds a stack", err)
	}
	if d := guard.Detail(fmt.Errorf("page x: %w", err)); !strings.Contains(d, "page x: fault") || !strings.Contains(d, "goroutine") {
		t.Errorf("detail %q: want the message and the stack", d)
	}
	again := guard.Do(func() error { panic(err) })
	if again != err {
		t.Errorf("raised again: %v, want %v", again, err)
	}
}
