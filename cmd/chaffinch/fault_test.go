package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/panics"
)

// TestFaults: each fault is named, the stack of the first is in a file, and the
// answer is no.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var msg bytes.Buffer
	f := faults{con: &console{nil, nil, &msg}}
	if err := f.judge("document", ""); err != nil {
		t.Error(err)
	}
	for i := range shownErrors + 2 {
		f.report(fmt.Errorf("document %d: %w", i, panics.Catch(func() error { panic("broken") })))
	}
	if n := strings.Count(msg.String(), "fault of the program"); n != shownErrors {
		t.Errorf("%d faults are shown, want %d:\n%s", n, shownErrors, msg.String())
	}
	stacks, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(stacks) != 1 || !strings.Contains(msg.String(), stacks[0]) {
		t.Fatalf("stacks in %v:\n%s", stacks, msg.String())
	}
	if b, err := os.ReadFile(stacks[0]); err != nil || !bytes.Contains(b, []byte("goroutine")) {
		t.Errorf("%s, %v", b, err)
	}
	err := f.judge("document", ", left out")
	if want := "22 documents caused an internal error, left out; all others are done"; !errors.As(err, new(errNo)) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
