package cluster_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// inputs writes some files, and returns their folder and all of their bytes.
func inputs(t *testing.T, n int) (dir string, all []byte) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("file %d\n", i), 1+i*i%17)
		all = append(all, text...)
		must.Write(t, filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), text)
	}
	return dir, all
}

// job copies the files of a shard, then makes them upper case, then counts all.
func job(in, out string) cluster.Work {
	return cluster.Work{
		Name: "test", Program: "1", Settings: map[string]int{"n": 1}, Inputs: []string{in}, ShardBytes: 100, Out: store.Folder(out),
		Worker: cluster.Worker{Of: 1},
		Steps: []cluster.Step{
			{Name: "copy", Do: func(ctx context.Context, t *cluster.Task) error {
				var all []byte
				for _, p := range t.Pieces {
					b, err := os.ReadFile(p.Path())
					if err != nil {
						return err
					}
					all = append(all, b...)
				}
				t.Report = len(all)
				return write(filepath.Join(t.Out, "text"), all)
			}},
			{Name: "upper", Do: func(ctx context.Context, t *cluster.Task) error {
				dir, _, err := t.Outputs(ctx, "copy", t.Number)
				if err != nil {
					return err
				}
				b, err := os.ReadFile(filepath.Join(dir, "text"))
				if err != nil {
					return err
				}
				return write(filepath.Join(t.Out, "text"), bytes.ToUpper(b))
			}},
			{Name: "count", Tasks: 1, All: true, Do: func(ctx context.Context, t *cluster.Task) error {
				n := 0
				for i := range t.Plan.Shards {
					dir, _, err := t.Outputs(ctx, "upper", i)
					if err != nil {
						return err
					}
					b, err := os.ReadFile(filepath.Join(dir, "text"))
					if err != nil {
						return err
					}
					n += len(b)
				}
				return write(filepath.Join(t.Out, "n"), fmt.Append(nil, n))
			}},
		},
	}
}

func write(name string, b []byte) error {
	f, err := disk.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// result is what all tasks of a job have made.
func result(t *testing.T, out string) string {
	t.Helper()
	ctx, s := context.Background(), store.Folder(out)
	p, steps, err := cluster.Status(ctx, s)
	must.Succeed(t, err)
	for _, st := range steps {
		if len(st.Missing) > 0 {
			t.Fatalf("%s: %d of %d missing", st.Name, len(st.Missing), st.Tasks)
		}
	}
	var b bytes.Buffer
	for _, c := range []struct{ step, name string }{{"copy", "text"}, {"upper", "text"}, {"count", "n"}} {
		must.Succeed(t, cluster.Concat(ctx, s, p, c.step, c.name, &b))
	}
	return b.String()
}

func wanted(all []byte) string {
	return string(all) + string(bytes.ToUpper(all)) + fmt.Sprint(len(all))
}

// TestRanks: any number of ranks, one after the other, also another number on the way.
func TestRanks(t *testing.T) {
	testkit.Slow(t)
	in, all := inputs(t, 20)
	for _, order := range []string{"0/1", "0/3 1/3 2/3 0/3", "6/7 0/1", "0/100 1/100 0/2 1/2 0/1", "lease", "lease 0/1"} {
		out := t.TempDir()
		did := 0
		for _, who := range strings.Fields(order) {
			j := job(in, out)
			var err error
			if j.Worker, err = cluster.ParseWorker(who, nil); err != nil {
				t.Fatal(err)
			}
			res, err := cluster.Run(t.Context(), j)
			if err != nil {
				t.Fatalf("%s, %s: %v", order, who, err)
			}
			did += res.Completed
		}
		p, _, err := cluster.Status(t.Context(), store.Folder(out))
		must.Succeed(t, err)
		if n := len(p.Shards); n < 5 || did != 2*n+1 {
			t.Errorf("%s: %d tasks done for %d shards", order, did, n)
		}
		if got := result(t, out); got != wanted(all) {
			t.Errorf("%s: %d bytes, wanted %d", order, len(got), len(wanted(all)))
		}
	}
}

// TestAtOnce: workers that lease, all at the same time; none does what another does, and no
// folder for temporary files stays.
func TestAtOnce(t *testing.T) {
	in, all := inputs(t, 40)
	out := t.TempDir()
	var wait sync.WaitGroup
	var mu sync.Mutex
	times := map[string]int{}
	for range 8 {
		wait.Go(func() {
			j := job(in, out)
			j.Worker, j.Wait = cluster.Worker{Lease: true}, time.Minute
			j.OnTask = func(task *cluster.Task) {
				mu.Lock()
				defer mu.Unlock()
				times[task.Name()]++
			}
			if _, err := cluster.Run(t.Context(), j); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if names := must.Get(filepath.Glob(filepath.Join(out, ".work")))(t); names != nil {
		t.Errorf("the folder for temporary files stays: %q", names)
	}
	for name, n := range times {
		if n != 1 {
			t.Errorf("%s was done %d times", name, n)
		}
	}
	if got := result(t, out); got != wanted(all) {
		t.Errorf("%d bytes, wanted %d", len(got), len(wanted(all)))
	}
}

// TestDeath kills a worker at each change of the file system. The existing files are complete,
// and another worker does the rest.
func TestDeath(t *testing.T) {
	in, all := inputs(t, 3)
	step := 3
	if !testkit.Whole() {
		step = 17
	}
	for n, ended := 0, false; !ended; n += step {
		out := t.TempDir()
		changes := 0
		stop := disk.Watch(func(disk.Op, string) error {
			if changes++; changes > n {
				return disk.ErrDead
			}
			return nil
		})
		j := job(in, out)
		j.ShardBytes = 20
		_, err := cluster.Run(t.Context(), j)
		stop()
		if ended = err == nil; !ended && !errors.Is(err, disk.ErrDead) {
			t.Fatalf("change %d: %v", n, err)
		}
		j = job(in, out)
		j.Worker = cluster.Worker{Lease: n%2 == 1, Of: 1}
		j.ShardBytes = 20
		j.Lease = time.Nanosecond // that of the dead one ends
		if _, err := cluster.Run(t.Context(), j); err != nil {
			t.Fatalf("after change %d: %v", n, err)
		}
		if got := result(t, out); got != wanted(all) {
			t.Fatalf("after change %d: %d bytes, wanted %d", n, len(got), len(wanted(all)))
		}
		if n > 2000 {
			t.Fatal("it does not end")
		}
	}
}

// TestOther wants an error that names the difference for a job other than the job of the plan.
func TestOther(t *testing.T) {
	in, _ := inputs(t, 5)
	out := t.TempDir()
	must.Succeed(t, must.Err(cluster.Run(t.Context(), job(in, out))))
	for want, change := range map[string]func(*cluster.Work){
		"(n: then 1, now 2)":                        func(j *cluster.Work) { j.Settings, j.Behaviour = map[string]int{"n": 2}, "b" },
		"other results for the same settings":       func(j *cluster.Work) { j.Behaviour = "b" },
		"program: then 1, now 2":                    func(j *cluster.Work) { j.Program = "2" },
		"command: then test, now other":             func(j *cluster.Work) { j.Name = "other" },
		"bytes of a shard: then 100, now 200":       func(j *cluster.Work) { j.ShardBytes = 200 },
		"inputs: then " + in + ", now " + in + " /": func(j *cluster.Work) { j.Inputs = append(j.Inputs, "/") },
	} {
		j := job(in, out)
		change(&j)
		if _, err := cluster.Run(t.Context(), j); !errors.Is(err, cluster.ErrOther) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, wanted %s", err, want)
		}
	}
}

// TestChanged: shards whose input is not as it was are named and not written, the others
// are done.
func TestChanged(t *testing.T) {
	in, _ := inputs(t, 40)
	out := t.TempDir()
	j := job(in, out)
	j.Until = "copy"
	j.Worker = cluster.Worker{Rank: 99, Of: 100} // makes the plan
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	must.Succeed(t, os.Remove(filepath.Join(in, "003.txt")))
	must.Write(t, filepath.Join(in, "039.txt"), "x")
	j.Worker = cluster.Worker{Of: 1}
	res := must.Get(cluster.Run(t.Context(), j))(t)
	if len(res.Bad) != 2 || !strings.Contains(fmt.Sprint(res.Bad), "003.txt") || !strings.Contains(fmt.Sprint(res.Bad), "039.txt: 1 bytes, wanted") {
		t.Errorf("%v", res.Bad)
	}
	missing, err := cluster.Missing(t.Context(), store.Folder(out), res.Plan, "copy")
	if err != nil || len(missing) != 2 || res.Completed != len(res.Plan.Shards)-2 {
		t.Errorf("missing %v, done %d, %v", missing, res.Completed, err)
	}
	// In the middle of a task, too.
	in, _ = inputs(t, 3)
	j = job(in, t.TempDir())
	do := j.Steps[0].Do
	j.Steps[0].Do = func(ctx context.Context, task *cluster.Task) error {
		err := do(ctx, task)
		return errors.Join(err, os.WriteFile(task.Pieces[0].Name, []byte("other"), 0o644))
	}
	if res, err = cluster.Run(t.Context(), j); err != nil || len(res.Bad) == 0 || res.Completed > 0 {
		t.Errorf("%v, done %d, %v", res.Bad, res.Completed, err)
	}
}

// TestDamaged: an output that is not what its task has made is found out.
func TestDamaged(t *testing.T) {
	in, _ := inputs(t, 5)
	out := t.TempDir()
	j := job(in, out)
	j.Until = "copy"
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	name := filepath.Join(out, "copy", "00000", "text")
	must.Write(t, name, "other")
	j.Until = ""
	must.Fail(t, must.Err(cluster.Run(t.Context(), j)), "copy/00000/text: not what its task has made: remove copy/00000.json")
	p := must.Get(cluster.LoadPlan(t.Context(), j.Out))(t)
	must.Fail(t, cluster.Concat(t.Context(), j.Out, p, "copy", "text", io.Discard), "not what its task has made")
	must.Succeed(t, os.Remove(filepath.Join(out, "copy", "00000.json")))
	if _, err := cluster.Run(t.Context(), j); err != nil {
		t.Errorf("after it was removed: %v", err)
	}
}

// TestWaits: a step that needs all tasks before it does not begin without them.
func TestWaits(t *testing.T) {
	in, _ := inputs(t, 20)
	j := job(in, t.TempDir())
	j.Worker = cluster.Worker{Of: 2}
	res, err := cluster.Run(t.Context(), j)
	if err != nil || res.Waits != "count" || res.Missing == 0 {
		t.Errorf("%+v, %v", res, err)
	}
	j.Until = "cuont"
	must.Fail(t, must.Err(cluster.Run(t.Context(), j)), "[copy upper count]")
}

// TestLeaseWaits: who leases waits for what another one is at work on, also where a step
// needs only the shard of the same number, and counts nothing twice.
func TestLeaseWaits(t *testing.T) {
	in, all := inputs(t, 20)
	out := t.TempDir()
	free := make(chan struct{})
	var begun sync.WaitGroup
	begun.Add(1)
	lease := func(s func(i int)) cluster.Work {
		j := job(in, out)
		j.Worker, j.Wait = cluster.Worker{Lease: true}, time.Hour
		do, tasks := j.Steps[0].Do, 0
		j.Steps[0].Do = func(ctx context.Context, t *cluster.Task) error {
			s(tasks)
			tasks++
			return do(ctx, t)
		}
		return j
	}
	slow := lease(func(i int) {
		if i == 0 {
			begun.Done()
			<-free
		}
	})
	var group sync.WaitGroup
	group.Go(func() {
		if res, err := cluster.Run(t.Context(), slow); err != nil || res.Waits != "" {
			t.Errorf("%+v, %v", res, err)
		}
	})
	begun.Wait()
	quick := lease(func(int) {})
	uppers := 0
	quick.OnTask = func(task *cluster.Task) {
		if task.Step == "upper" {
			if uppers++; uppers == 1 { // the step has passed over the shard of the other one, the largest
				close(free)
			}
		}
	}
	res, err := cluster.Run(t.Context(), quick)
	if err != nil || res.Waits != "" {
		t.Fatalf("%+v, %v", res, err)
	}
	if tasks := 2*len(res.Plan.Shards) + 1; res.Completed+res.Found > tasks {
		t.Errorf("did %d and found %d of %d tasks", res.Completed, res.Found, tasks)
	}
	group.Wait()
	if got := result(t, out); got != wanted(all) {
		t.Errorf("%d bytes, wanted %d", len(got), len(wanted(all)))
	}
}

// TestBadWaits: a waiting worker does not wait for shards whose input has changed, and reports
// each of them once.
func TestBadWaits(t *testing.T) {
	in, _ := inputs(t, 20)
	j := job(in, t.TempDir())
	j.Steps = append(j.Steps[:1], j.Steps[2:]...)
	j.Worker, j.Until = cluster.Worker{Rank: 99, Of: 100}, "copy" // makes the plan
	must.Succeed(t, must.Err(cluster.Run(t.Context(), j)))
	must.Succeed(t, os.Remove(filepath.Join(in, "003.txt")))
	j.Worker, j.Until, j.Wait = cluster.Worker{Lease: true}, "", time.Hour
	res, err := cluster.Run(t.Context(), j)
	if err != nil || len(res.Bad) != 1 || res.Waits != "count" || res.Missing != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestFolder: a store that is a folder.
func TestFolder(t *testing.T) {
	ctx, s := t.Context(), store.Folder(t.TempDir())
	file := must.File(t, "f", "one")
	must.Succeed(t, s.Put(ctx, "a/b.txt", file, false))
	must.Is(t, s.Put(ctx, "a/b.txt", file, false), fs.ErrExist)
	must.Write(t, file+"2", "other")
	must.Succeed(t, s.Put(ctx, "a/b.txt", file+"2", true))
	if b, err := store.Read(ctx, s, "a/b.txt", 5); string(b) != "other" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := store.Read(ctx, s, "a/b.txt", 4); err == nil {
		t.Error("more bytes than wanted are read")
	}
	r := must.Get(s.Open(ctx, "a/b.txt", 2, 5))(t)
	if b, err := io.ReadAll(r); string(b) != "her" || err != io.ErrUnexpectedEOF {
		t.Errorf("%q, %v", b, err)
	}
	r.Close()
	must.Succeed(t, s.Put(ctx, "c", file, false))
	var names []string
	for o, err := range s.List(ctx, "a/") {
		names = append(names, fmt.Sprint(o.Name, o.Size, err))
	}
	if fmt.Sprint(names) != "[a/b.txt5 <nil>]" {
		t.Errorf("%v", names)
	}
	if err := errors.Join(s.Remove(ctx, "c"), s.Remove(ctx, "c")); err != nil {
		t.Error(err)
	}
	must.Is(t, must.Err(s.Stat(ctx, "c")), fs.ErrNotExist)
}

// TestOpenLines: the last lines of shards get an end where others follow, packed or not.
func TestOpenLines(t *testing.T) {
	in, _ := inputs(t, 12)
	j := job(in, t.TempDir())
	texts := []string{"one", "", "two\n", "three", "", ""}
	j.Steps = []cluster.Step{{Name: "lines", Tasks: len(texts), Do: func(_ context.Context, task *cluster.Task) error {
		text := []byte(texts[task.Number])
		return errors.Join(write(filepath.Join(task.Out, "x.jsonl"), text), write(filepath.Join(task.Out, "x.jsonl.gz"), testkit.Gzip(text)))
	}}}
	res := must.Get(cluster.Run(t.Context(), j))(t)
	for name, packed := range map[string]bool{"x.jsonl": false, "x.jsonl.gz": true} {
		var b bytes.Buffer
		must.Succeed(t, cluster.Concat(t.Context(), j.Out, res.Plan, "lines", name, &b))
		got := b.String()
		if packed {
			z := must.Get(gzip.NewReader(&b))(t)
			text := must.Get(io.ReadAll(z))(t)
			got = string(text)
		}
		if got != "one\ntwo\nthree" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
