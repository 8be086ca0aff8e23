package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/testkit/must"
)

// TestPut wants objects to be published without remains, and temporary folders of killed processes to
// be removed when they are old.
func TestPut(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "x"), t.TempDir()
	must.Write(t, file, "text")
	f := store.Folder(dir)
	for name, age := range map[string]time.Duration{".put-old": 48 * time.Hour, ".put-new": time.Hour, ".other": 48 * time.Hour} {
		path := filepath.Join(dir, "a", name)
		must.Succeed(t, os.MkdirAll(path, 0o777))
		must.Write(t, filepath.Join(path, "object"), "part")
		must.Succeed(t, os.Chtimes(path, time.Time{}, time.Now().Add(-age)))
	}
	for _, c := range []struct {
		replace bool
		want    error
	}{{false, nil}, {false, fs.ErrExist}, {true, nil}, {true, nil}} {
		if err := f.Put(t.Context(), "a/x", file, c.replace); !errors.Is(err, c.want) {
			t.Errorf("replace %v: %v, want %v", c.replace, err, c.want)
		}
	}
	entries := must.Get(os.ReadDir(filepath.Join(dir, "a")))(t)
	names := ""
	for _, e := range entries {
		names += e.Name() + " "
	}
	if names != ".other .put-new x " {
		t.Errorf("files %s", names)
	}
	if got := string(must.Read(t, filepath.Join(dir, "a", "x"))); got != "text" {
		t.Errorf("object %q", got)
	}
}
