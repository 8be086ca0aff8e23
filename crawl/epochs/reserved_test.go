package epochs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestReserved wants a rank to wait for objects whose names are reserved in a folder without hard links,
// and to write them if the process that reserved them was killed.
func TestReserved(t *testing.T) {
	disk.Lazy()
	defer disk.Watch(func(op disk.Op, _ string) error {
		if op == disk.OpLink {
			return syscall.ENOTSUP
		}
		return nil
	})()
	dir := t.TempDir()
	x := Exchange{Store: store.Folder(dir), Rank: "a", Dir: t.TempDir(), Lease: time.Hour}
	reserve := func(name string) (path string) {
		path = filepath.Join(dir, name)
		must.Write(t, path, "")
		return path
	}
	killed := func(path string) {
		must.Succeed(t, os.Chtimes(path, time.Time{}, time.Now().Add(-2*store.Reserved)))
	}
	must.Succeed(t, x.Beat(t.Context()))
	seal := reserve("epochs/000000/seal.json")
	if s, err := x.Seal(t.Context(), nil); s != nil || err != nil {
		t.Fatalf("%+v, %v, wanted to wait", s, err)
	}
	killed(seal)
	first, err := x.Seal(t.Context(), nil)
	if err != nil || first == nil {
		t.Fatalf("%+v, %v, wanted a seal", first, err)
	}
	links := reserve("epochs/000001/a.links")
	if s, err := x.Seal(t.Context(), first); s != nil || err != nil {
		t.Fatalf("%+v, %v, wanted to wait", s, err)
	}
	killed(links)
	b := NewBundle(t.TempDir())
	must.Succeed(t, x.Publish(t.Context(), 1, b, Report{}))
	must.Succeed(t, b.Close())
	if s, err := x.Seal(t.Context(), first); err != nil || s == nil || len(s.Bundles) != 1 {
		t.Errorf("%+v, %v, wanted a seal with a bundle", s, err)
	}
}
