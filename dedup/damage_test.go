package dedup_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/internal/disk"
	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// A damaged file of an index is named as such, with a remedy that keeps the work, wherever the
// damage is; and no work folder remains that cannot be resumed.
func TestDamagedIndex(t *testing.T) {
	in, dir := write(t, corpus(300, 3)), filepath.Join(scratch(t), "index")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}}, Method: method(t, "paragraph"), Index: dir, Update: true})
	x, err := dedup.OpenIndex(dir)
	must.Succeed(t, err)
	if docs, _, err := x.Forget(strings.NewReader("doc-00000\n")); docs != 1 || err != nil {
		t.Fatal(docs, err)
	}
	list := must.Get(os.ReadDir(dir))(t)
	spoiled := 0
	for _, e := range list {
		name := filepath.Join(dir, e.Name())
		good := must.Read(t, name)
		if len(good) == 0 {
			continue // of the lock
		}
		spoiled++
		for what, bad := range map[string][]byte{"a bit": flip(good), "cut off": good[:len(good)-3], "missing": nil} {
			if err = os.WriteFile(name, bad, 0o666); bad == nil {
				err = os.Remove(name)
			}
			must.Succeed(t, err)
			out := filepath.Join(scratch(t), "out")
			_, err = dedup.Run(t.Context(), dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: out}, Method: method(t, "paragraph"), Index: dir})
			switch {
			case err == nil:
				t.Errorf("%s, %s: no error", e.Name(), what)
			case e.Name() == "index.json" && what == "missing":
				// There is no index then.
			case !strings.Contains(err.Error(), e.Name()) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "make the index again") || strings.Contains(err.Error(), "remove"):
				t.Errorf("%s, %s: %v", e.Name(), what, err)
			}
			if what != "a bit" && dedup.Resumable(out+".work") {
				t.Errorf("%s, %s: a work folder is left", e.Name(), what)
			}
		}
		must.Write(t, name, good)
	}
	if spoiled < 5 {
		t.Errorf("only %d files", spoiled)
	}
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}}, Method: method(t, "paragraph"), Index: dir})
}

func flip(b []byte) []byte {
	b = append([]byte(nil), b...)
	b[len(b)/2] ^= 4
	return b
}

// An unfinished run is distinguished from a run that can be resumed.
func TestStartOver(t *testing.T) {
	in, out := write(t, corpus(50, 4)), filepath.Join(scratch(t), "out")
	must.Succeed(t, os.MkdirAll(out+".work", 0o777))
	must.Write(t, filepath.Join(out+".work", "manifest.json"), "{}\n00000000\n")
	_, err := dedup.Run(t.Context(), dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: out, Resume: true}, Method: method(t, "page")})
	must.Is(t, err, dedup.ErrStartOver)
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: out, Force: true}, Method: method(t, "page")})
}

// An interrupted run is resumed with the same settings.
func TestUnfinished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, corpus(50, 4))}, Out: filepath.Join(scratch(t), "out")}, Method: method(t, "page")}
	cfg.OnProgress = func(s pipeline.Status) {
		if s.Step == "rewrite" {
			cancel()
		}
	}
	must.Is(t, must.Err(dedup.Run(ctx, cfg)), context.Canceled)
	cfg.OnProgress = nil
	if _, err := dedup.Run(t.Context(), cfg); !errors.Is(err, pipeline.ErrUnfinished) || !strings.Contains(err.Error(), "out.work: an unfinished run") {
		t.Error(err)
	}
	cfg.Resume, cfg.Method = true, method(t, "paragraph")
	if _, err := dedup.Run(t.Context(), cfg); !errors.Is(err, dedup.ErrStartOver) || !strings.Contains(err.Error(), `begun with other settings (Config.unit: then "page", now "paragraph")`) {
		t.Error(err)
	}
	cfg.Method = method(t, "page")
	do(t, cfg)
}

// A run that was killed at its beginning, or while it gave up, is not taken for one
// that has ended, though an output of an earlier run is there.
func TestOldOutput(t *testing.T) {
	const old = "of an earlier run\n"
	lines := corpus(50, 4)
	want, _ := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: method(t, "page")})
	for _, missing := range []bool{false, true} {
		resumed := 0
		for n := 1; n <= 8; n++ {
			in, dir := write(t, lines), scratch(t)
			cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(dir, "out")}, Method: method(t, "page")}
			must.Write(t, cfg.Out, old)
			if missing {
				cfg.Inputs = []string{in + ".away"}
			}
			at, what := 0, ""
			stop := disk.Watch(func(op disk.Op, path string) error {
				if at++; at < n {
					return nil
				}
				if what == "" {
					what = string(op) + " of " + filepath.Base(path)
				}
				return disk.ErrDead
			})
			_, err := dedup.Run(t.Context(), cfg)
			stop()
			if err == nil {
				t.Fatalf("change %d, missing %v: no error", n, missing)
			}
			cfg.Inputs = []string{in}
			if left, err := os.ReadDir(dir); err != nil || len(left) == 1 {
				continue // nothing tells of the run
			}
			resumed++
			cfg.Resume = true
			if _, err := dedup.Run(t.Context(), cfg); err != nil {
				t.Errorf("change %d, %s: resumed: %v", n, what, err)
			} else if got, err := os.ReadFile(cfg.Out); err != nil || string(got) != want {
				t.Errorf("change %d, %s: resumed: %d bytes, wanted %d; error %v", n, what, len(got), len(want), err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("change %d, %s: left %v, error %v", n, what, left, err)
			}
		}
		if resumed < 3 {
			t.Errorf("missing %v: only %d runs left something", missing, resumed)
		}
	}
}

// The remains of a run that was killed while it made an index prevent no other run.
func TestUnfinishedIndex(t *testing.T) {
	dir := scratch(t)
	must.Write(t, filepath.Join(dir, ".unfinished.index.json"), "{")
	cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, corpus(40, 5))}}, Method: method(t, "page"), Index: dir, Update: true}
	do(t, cfg)
	if _, rep := do(t, cfg); rep.Out.Docs != 0 {
		t.Errorf("%d documents are new that are in the index", rep.Out.Docs)
	}
}

// Of two runs that update an index at the same time the second finds out, and
// takes nothing of the first back.
func TestIndexOfTwo(t *testing.T) {
	dir := filepath.Join(scratch(t), "index")
	first, second := write(t, corpus(40, 5)), write(t, corpus(40, 6))
	cfg := func(in string) dedup.Config {
		return dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(scratch(t), "out")}, Method: method(t, "page"), Index: dir, Update: true}
	}
	do(t, cfg(write(t, corpus(40, 7))))
	slow := cfg(second)
	slow.OnProgress = func(s pipeline.Status) {
		if s.Step == "rewrite" && s.Done >= 0 && first != "" {
			in := first
			first = ""
			do(t, cfg(in))
		}
	}
	if _, err := dedup.Run(t.Context(), slow); !errors.Is(err, dedup.ErrStartOver) || !strings.Contains(err.Error(), "another run has updated it") {
		t.Error(err)
	}
	slow.OnProgress, slow.Force = nil, true
	do(t, slow)
	if _, rep := do(t, cfg(second)); rep.Out.Docs != 0 {
		t.Errorf("%d documents are new that are in the index", rep.Out.Docs)
	}
}
