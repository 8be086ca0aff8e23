package archive

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestReadAll reads up to the limit and no byte beyond.
func TestReadAll(t *testing.T) {
	defer func(was int64) { maxRead = was }(maxRead)
	maxRead = 10
	for text, fits := range map[string]bool{"": true, "0123456789": true, "0123456789a": false} {
		r := strings.NewReader(text + strings.Repeat("x", 1000*len(text)/11))
		if fits {
			r = strings.NewReader(text)
		}
		b, err := ReadAll(r)
		if (err == nil) != fits || fits && string(b) != text {
			t.Errorf("%q: %q, %v", text, b, err)
		}
		if !fits && r.Len() == 0 {
			t.Errorf("%q: read to its end", text)
		}
	}
}

// TestReadFile reads files up to the limit, and rejects a longer one without reading it.
func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rules.json")
	must.Is(t, must.Err(ReadFile(name)), fs.ErrNotExist)
	must.Write(t, name, "{}")
	if b, err := ReadFile(name); string(b) != "{}" || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
	if err := os.Truncate(name, maxRead+1); err != nil { // a hole
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadFile(name)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
	if want := name + ": more than 268435456 bytes in one file"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, wanted %q", err, want)
	}
}

// TestReadPipe rejects an endless pipe, whose size is not known.
func TestReadPipe(t *testing.T) {
	defer func(was int64) { maxRead = was }(maxRead)
	maxRead = 10
	name := filepath.Join(t.TempDir(), "list.txt")
	if err := os.Symlink("/dev/zero", name); err != nil {
		t.Skip(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	if _, err := ReadFile(name); err == nil || !strings.HasPrefix(err.Error(), name+": more than 10 bytes") {
		t.Errorf("got %v", err)
	}
}
