package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"chaffinch/internal/testkit/must"
)

// TestWatch makes every change once, lets each fail, and wants its error and
// nothing done.
func TestWatch(t *testing.T) {
	changes := func(dir string) (list []struct {
		op Op
		do func() error
	}) {
		add := func(op Op, do func() error) {
			list = append(list, struct {
				op Op
				do func() error
			}{op, do})
		}
		at := func(name string) string { return filepath.Join(dir, name) }
		var f *File
		add(OpCreate, func() (err error) { f, err = Create(at("f")); return err })
		add(OpWrite, func() error { _, err := f.WriteString("abcd"); return err })
		add(OpWrite, func() error { _, err := f.WriteAt([]byte("AB"), 0); return err })
		add(OpWrite, func() error { _, err := f.ReadFrom(strings.NewReader("ef")); return err })
		add(OpTruncate, func() error { return f.Truncate(5) })
		add(OpSync, func() error { return f.Sync() })
		add(OpRename, func() error { return errors.Join(f.Close(), Rename(at("f"), at("g"))) })
		add(OpMkdir, func() error { return MkdirAll(at("d/e")) })
		add(OpLink, func() error { return Symlink("g", at("l")) })
		add(OpSync, func() error { return SyncDir(dir) })
		add(OpRemove, func() error { return Remove(at("l")) })
		add(OpRemove, func() error { return RemoveAll(at("d")) })
		return list
	}
	n := len(changes(""))
	for fail := range n + 1 {
		dir := t.TempDir()
		for i, c := range changes(dir) {
			var seen []Op
			stop := Watch(func(op Op, _ string) error {
				seen = append(seen, op)
				if i == fail {
					return syscall.ENOSPC
				}
				return nil
			})
			err := c.do()
			stop()
			if len(seen) == 0 || seen[0] != c.op {
				t.Fatalf("change %d: told of %v, wanted %s", i, seen, c.op)
			}
			if i == fail {
				if !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("change %d, %s: error %v", i, c.op, err)
				}
				break
			}
			if err != nil {
				t.Fatalf("change %d: %v", i, err)
			}
		}
		if b, _ := os.ReadFile(filepath.Join(dir, "g")); fail == n && string(b) != "ABcde" {
			t.Errorf("wrote %q", b)
		}
		if b, _ := os.ReadFile(filepath.Join(dir, "f")); fail == 1 && string(b) != "ab" {
			t.Errorf("a full disk took %q, wanted half of it", b)
		}
	}
}

// TestScratch wants no name of a temporary file left.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	f := must.Get(Scratch(dir))(t)
	must.Succeed(t, must.Err(f.WriteString("x")))
	var b [1]byte
	if _, err := f.ReadAt(b[:], 0); err != nil || b[0] != 'x' {
		t.Errorf("read %q, error %v", b, err)
	}
	must.Succeed(t, f.Close())
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestTemporary: only writes in a temporary folder may be delayed.
func TestTemporary(t *testing.T) {
	end := Temporary("a/b/")
	for path, want := range map[string]bool{"a/b": true, "a/b/c/d": true, "a/./b/c": true, "a/bc": false, "a": false, "/a/b": false} {
		if got := skipsSync(path); got != want {
			t.Errorf("%s: passes %v, wanted %v", path, got, want)
		}
	}
	if end(); skipsSync("a/b/c") {
		t.Error("a folder that is no more temporary is not synced")
	}
}

// TestSyncFails: what cannot be brought to stable storage is an error, of folders too, unless
// the file system has no such thing.
func TestSyncFails(t *testing.T) {
	dir := t.TempDir()
	f := must.Get(Create(filepath.Join(dir, "file")))(t)
	defer f.Close()
	defer func(was func(*os.File) error) { syncFile = was }(syncFile)
	for _, x := range []struct {
		err    error
		passes bool
	}{{syscall.EIO, false}, {syscall.ENOSPC, false}, {syscall.EINVAL, true}, {syscall.ENOTSUP, true}, {nil, true}} {
		syncFile = func(*os.File) error { return x.err }
		if err := f.Sync(); (err == nil) != x.passes {
			t.Errorf("%v of a file: %v", x.err, err)
		}
		if err := SyncDir(dir); (err == nil) != x.passes && runtime.GOOS != "windows" {
			t.Errorf("%v of a folder: %v", x.err, err)
		}
	}
}

// TestLocked wants a lock seen while it is held, and what is not a folder without locks.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	f := must.Get(OpenLocked(filepath.Join(dir, "lock")))(t)
	if Lock(f.File) != nil {
		return // a system without locks
	}
	held := must.Get(Locked(os.DirFS(dir), "lock"))(t)
	must.Succeed(t, f.Close())
	free := must.Get(Locked(os.DirFS(dir), "lock"))(t)
	if !held || free {
		t.Errorf("held: %v, free: %v", held, free)
	}
	must.Is(t, must.Err(Locked(os.DirFS(dir), "none")), fs.ErrNotExist)
	must.Is(t, must.Err(Locked(fstest.MapFS{"lock": {}}, "lock")), errors.ErrUnsupported)
}
