package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/testkit/must"
)

// leaseOf writes a lease as a worker does that is not there.
func leaseOf(t *testing.T, out, task string) (name string) {
	t.Helper()
	name = filepath.Join(out, "leases", filepath.FromSlash(task))
	must.Write(t, name, "far.example, process 7\n")
	return name
}

// TestDeadLease wants a worker that leases to do what a dead one holds, in the last step
// and in one that others need.
func TestDeadLease(t *testing.T) {
	in, all := inputs(t, 20)
	for _, task := range []string{"copy/00000", "upper/00001", "count/00000"} {
		out := t.TempDir()
		leaseOf(t, out, task)
		j := job(in, out)
		j.Worker, j.Lease = cluster.Worker{Lease: true}, 300*time.Millisecond
		var held []string
		j.OnHeld = func(task, by string) { held = append(held, task+" "+by) }
		res, err := cluster.Run(t.Context(), j)
		if err != nil || res.Waits != "" || len(res.Held) > 0 {
			t.Fatalf("%s: %+v, %v", task, res, err)
		}
		if tasks := 2*len(res.Plan.Shards) + 1; res.Completed != tasks || res.Found != 0 {
			t.Errorf("%s: did %d and found %d of %d tasks", task, res.Completed, res.Found, tasks)
		}
		for _, h := range held { // none if the lease ended before the last step did
			if h != task+" far.example, process 7" {
				t.Errorf("%s: waits for %q", task, h)
			}
		}
		if got := result(t, out); got != wanted(all) {
			t.Errorf("%s: %d bytes, wanted %d", task, len(got), len(wanted(all)))
		}
	}
}

// TestLivingLease wants a worker to end, and to name the tasks of another one that lives.
func TestLivingLease(t *testing.T) {
	in, _ := inputs(t, 20)
	for _, c := range []struct{ task, waits string }{{"copy/00000", "upper"}, {"count/00000", ""}} {
		out := t.TempDir()
		lease := leaseOf(t, out, c.task)
		j := job(in, out)
		j.Worker = cluster.Worker{Lease: true} // whose leases end after two minutes
		ctx, cancel := context.WithCancel(t.Context())
		j.OnHeld = func(string, string) {
			if err := os.Chtimes(lease, time.Time{}, time.Now().Add(time.Second)); err != nil {
				t.Error(err)
			}
		}
		res, err := cluster.Run(ctx, j)
		cancel()
		if err != nil || res.Waits != c.waits || len(res.Held) != 1 || res.Held[0] != c.task+" (far.example, process 7)" {
			t.Errorf("%s: %+v, %v", c.task, res, err)
		}
		missing, err := cluster.Missing(t.Context(), store.Folder(out), res.Plan, strings.Split(c.task, "/")[0])
		if err != nil || len(missing) != 1 {
			t.Errorf("%s: %v are missing, %v", c.task, missing, err)
		}
	}
}

// TestStatusLeased wants the leases of completed tasks and of dead workers not to count.
func TestStatusLeased(t *testing.T) {
	in, _ := inputs(t, 20)
	out := t.TempDir()
	j := job(in, out)
	j.Until = "copy"
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	leaseOf(t, out, "copy/00000")
	leaseOf(t, out, "upper/00000")
	dead := leaseOf(t, out, "upper/00001")
	must.Succeed(t, os.Chtimes(dead, time.Time{}, time.Now().Add(-10*time.Minute)))
	_, steps, err := cluster.Status(t.Context(), store.Folder(out))
	must.Succeed(t, err)
	for i, want := range []int{0, 1, 0} {
		if steps[i].Leased != want {
			t.Errorf("%s: %d leased, wanted %d", steps[i].Name, steps[i].Leased, want)
		}
	}
}
