//go:build unix

package pdf

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPrepare fails if a worker is started while another one is idle.
func TestPrepare(t *testing.T) {
	log := filepath.Join(t.TempDir(), "starts")
	r := &Reader{Workers: 3, Command: []string{"sh", "-c", `echo >>"$0"; printf '\0\0\0\0\0'; exec cat >/dev/null`, log}}
	defer r.Close()
	starts := func(want int) {
		t.Helper()
		if n := bytes.Count(must.Read(t, log), []byte("\n")); n != want {
			t.Errorf("%d workers were started, want %d", n, want)
		}
	}
	for range 5 {
		must.Succeed(t, r.Prepare(t.Context()))
	}
	starts(1)
	p, err := r.take(t.Context())
	must.Succeed(t, err)
	must.Succeed(t, r.Prepare(t.Context()))
	r.give(p)
	must.Succeed(t, r.Prepare(t.Context()))
	starts(2)
	r.Close()
	must.Succeed(t, r.Prepare(t.Context()))
	starts(3)
	missing := &Reader{Command: []string{"/nowhere/worker"}, Workers: 1}
	for range 2 {
		if err := missing.Prepare(t.Context()); err == nil || errors.Is(err, errTimeout) {
			t.Errorf("missing worker: error %v", err)
		}
	}
}
