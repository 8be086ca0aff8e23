package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func content(t *testing.T, name string) string {
	t.Helper()
	return string(must.Read(t, name))
}

// TestOutputFails lets each change of the file system fail in turn: the old
// file stays, and nothing else is left.
func TestOutputFails(t *testing.T) {
	for n := 1; ; n++ {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		must.Succeed(t, os.WriteFile(name, []byte("old"), 0o600))
		at, named := 0, false
		stop := disk.Watch(func(op disk.Op, _ string) error {
			if at++; at == n {
				return syscall.ENOSPC
			}
			named = named || op == disk.OpRename
			return nil
		})
		err := Replace(name, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		})
		stop()
		if at < n {
			if err != nil || content(t, name) != "new" {
				t.Fatalf("without a failure: %v", err)
			}
			if st, _ := os.Stat(name); st.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, wanted that of the old file", st.Mode())
			}
			if n < 5 {
				t.Errorf("%d changes, wanted more", n)
			}
			return
		}
		if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), UnfinishedPrefix) {
			t.Errorf("change %d: error %v", n, err)
		}
		if got := content(t, name); got != "old" && !named {
			t.Errorf("change %d: the old file holds %q", n, got)
		}
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("change %d: %v is left", n, list)
		}
	}
}

// TestOutputTakesOver: what a killed run left is taken over, and a living run
// is told of.
func TestOutputTakesOver(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"out.txt", strings.Repeat("n", 251) + ".txt"} {
		name = filepath.Join(dir, name)
		must.Write(t, Unfinished(name), "what was there")
		o := must.Get(Create(name))(t)
		if filepath.Ext(o.Path()) != ".txt" {
			t.Errorf("%s: the ending is lost", o.Path())
		}
		if _, err := Create(name); !errors.Is(err, errBusy) && disk.Lock(o.file.File) == nil {
			t.Errorf("two outputs of one name: %v", err)
		}
		io.WriteString(o, "new")
		if err := o.Commit(); err != nil || content(t, name) != "new" {
			t.Errorf("%v", err)
		}
		if err := o.Commit(); err == nil {
			t.Error("committed twice")
		}
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("%v is left", list)
	}
}

// TestOutputLinks: a link is followed or replaced, a device is written.
func TestOutputLinks(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(name, []byte("old"), 0o666), os.Symlink("file", link)); err != nil {
		testkit.Lacks(t, "links", err)
	}
	if err := WriteFile(link, []byte("new")); err != nil || content(t, name) != "new" {
		t.Errorf("through a link: %v", err)
	}
	if err := WriteFileWith(link, []byte("other"), Options{ReplaceLink: true}); err != nil || content(t, name) != "new" || content(t, link) != "other" {
		t.Errorf("in the place of a link: %v", err)
	}
	must.Succeed(t, WriteFile(os.DevNull, []byte("x")))
	must.Fail(t, WriteFile(dir, []byte("x")), "folder")
}
