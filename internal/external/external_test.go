package external_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
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

// TestRunArgs runs a program without a shell, with limits of time and memory.
func TestRunArgs(t *testing.T) {
	out, err := external.Run(t.Context(), []byte("b\na\n"), external.Config{Args: []string{"sort", "-"}, Time: time.Minute, MaxMemory: 4 << 30})
	if err != nil || string(out) != "a\nb\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err = external.Run(t.Context(), nil, external.Config{Args: []string{"echo", "$HOME; exit 1"}}); err != nil || string(out) != "$HOME; exit 1\n" {
		t.Errorf("%q, %v", out, err)
	}
	var f *external.Failure
	if _, err := external.Run(t.Context(), nil, external.Config{Args: []string{"no-such-program"}}); !errors.As(err, &f) || !f.NotFound() {
		t.Errorf("not found: %v", err)
	}
	must.Is(t, must.Err(external.Run(t.Context(), nil, external.Config{Args: []string{"sleep", "60"}, Time: 100 * time.Millisecond})), external.ErrTimeout)
	if runtime.GOOS == "linux" {
		grow := []string{"sh", "-c", "sleep .2; exec head -c 200000000 /dev/zero | tail -n 1 | wc -c"} // tail keeps the line
		if out, _ := external.Run(t.Context(), nil, external.Config{Args: grow, MaxMemory: 64 << 20}); string(bytes.TrimSpace(out)) == "200000000" {
			t.Errorf("no limit of memory: %q", out)
		}
	}
}

func TestSplit(t *testing.T) {
	for command, want := range map[string]string{
		"tesseract stdin stdout -l deu+fra": "tesseract|stdin|stdout|-l|deu+fra", ` "C:\a b\ocr.exe"  -x'y z' "" `: `C:\a b\ocr.exe|-xy z|`, "": "error", `a "b`: "error", `"" a`: "error",
	} {
		args, err := external.Split(command)
		got := strings.Join(args, "|")
		if err != nil {
			got = "error"
		}
		must.Equal(t, got, want, command)
	}
}
