package external_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/external"
	"chaffinch/internal/testkit/must"
)

func run(t *testing.T, command, in string, cfg external.Config) (string, error) {
	t.Helper()
	cfg.Command = command
	out, err := external.Run(t.Context(), []byte(in), cfg)
	return string(out), err
}

func TestRun(t *testing.T) {
	// More than any pipe holds, through a program that reads all before it
	// writes, and one that writes as it reads.
	big := strings.Repeat("line of text\n", 100_000)
	for _, command := range []string{"cat", "sort", "cat; echo no more"} {
		out, err := run(t, command, big, external.Config{Silence: time.Minute})
		if err != nil || !strings.HasPrefix(out, big) {
			t.Errorf("%s: %d bytes, %v", command, len(out), err)
		}
	}
	if out, err := run(t, "head -n 1", big, external.Config{}); err != nil || out != "line of text\n" {
		t.Errorf("head: %q, %v", out, err)
	}
}

func TestRunFails(t *testing.T) {
	var f *external.Failure
	out, err := run(t, "head -n 1; echo went  wrong >&2; exit 3", "a\nb\n", external.Config{})
	if !errors.As(err, &f) || out != "a\n" || !strings.Contains(err.Error(), "exit status 3; it says: went wrong") || f.NotFound() {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := run(t, "no-such-tagger", "", external.Config{}); !errors.As(err, &f) || !f.NotFound() {
		t.Errorf("not found: %v", err)
	}
	out, err = run(t, "head -n 1; sleep 60", "a\nb\n", external.Config{Silence: 300 * time.Millisecond})
	if !errors.Is(err, external.ErrSilent) || out != "a\n" {
		t.Errorf("silent: %q, %v", out, err)
	}
	out, err = run(t, "yes", "", external.Config{MaxOutput: 1000})
	if !errors.Is(err, external.ErrOutputTooLarge) || len(out) > 1000 {
		t.Errorf("talkative: %d bytes, %v", len(out), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	must.Is(t, must.Err(external.Run(ctx, nil, external.Config{Command: "cat"})), context.Canceled)
	if out, _ := external.Run(t.Context(), bytes.Repeat([]byte("x"), 1<<20), external.Config{Command: "kill -9 $$"}); len(out) != 0 {
		t.Errorf("killed: %q", out)
	}
}
