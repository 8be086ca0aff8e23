package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// deafStore never responds to the removal of a lease.
type deafStore struct{ store.Folder }

func (s deafStore) Remove(ctx context.Context, name string) error {
	if strings.HasPrefix(name, "leases/") {
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Folder.Remove(ctx, name)
}

// TestDeafStore wants a worker to end although its store does not respond when it releases a task.
func TestDeafStore(t *testing.T) {
	in, _ := inputs(t, 2)
	j := job(in, t.TempDir())
	j.Out, j.Scratch = deafStore{j.Out.(store.Folder)}, t.TempDir()
	j.Worker, j.Lease = cluster.Worker{Lease: true}, 400*time.Millisecond
	ended := make(chan error, 1)
	go func() {
		_, err := cluster.Run(context.Background(), j)
		ended <- err
	}()
	select {
	case err := <-ended:
		must.Succeed(t, err)
	case <-time.After(30 * time.Second):
		t.Fatal("the worker waits for ever")
	}
}

// TestScratch wants the folder for temporary files to be created.
func TestScratch(t *testing.T) {
	in, all := inputs(t, 3)
	j := job(in, t.TempDir())
	j.Scratch = filepath.Join(t.TempDir(), "fast", "scratch")
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	if got := result(t, string(j.Out.(store.Folder))); got != wanted(all) {
		t.Errorf("%d bytes, wanted %d", len(got), len(wanted(all)))
	}
}

// TestReserved runs a job in a folder without hard links where another process has reserved the name of
// the plan: one that was killed then, and one that writes the plan soon.
func TestReserved(t *testing.T) {
	in, all := inputs(t, 3)
	other := t.TempDir()
	j := job(in, other)
	j.Until = "copy"
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	plan := must.Read(t, filepath.Join(other, cluster.PlanName))
	defer disk.Watch(func(op disk.Op, _ string) error {
		if op == disk.OpLink {
			return syscall.ENOTSUP
		}
		return nil
	})()
	for _, killed := range []bool{true, false} {
		out := t.TempDir()
		name := filepath.Join(out, cluster.PlanName)
		written := filepath.Join(out, ".plan")
		must.Write(t, name, "")
		must.Write(t, written, plan)
		if killed {
			must.Succeed(t, os.Chtimes(name, time.Time{}, time.Now().Add(-time.Hour)))
		} else {
			time.AfterFunc(200*time.Millisecond, func() { os.Rename(written, name) })
		}
		must.Succeed(t, must.Err(cluster.Run(t.Context(), job(in, out))))
		if got := result(t, out); got != wanted(all) {
			t.Errorf("killed %v: %d bytes, wanted %d", killed, len(got), len(wanted(all)))
		}
	}
}
