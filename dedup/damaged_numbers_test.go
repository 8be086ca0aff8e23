package dedup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"chaffinch/dedup"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// checked returns a line as a file of state, with its checksum.
func checked(line []byte) []byte {
	return fmt.Appendf(nil, "%s\n%08x\n", line, crc32.Checksum(line, crc32.MakeTable(crc32.Castagnoli)))
}

// allocated returns how many bytes fn allocates.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestDamagedNumbers changes each value of the manifest of a run that was interrupted in each
// of its steps, and of its index, with valid checksums: no run panics, takes much memory, or
// succeeds with an empty output.
func TestDamagedNumbers(t *testing.T) {
	hashes := must.Get(minhash.New(minhash.Default))(t)
	passages := must.Get(onion.New(onion.Default))(t)
	for name, cfg := range map[string]dedup.Config{
		"exact":   {Method: method(t, "paragraph"), Index: "index", Update: true, Dropped: "dropped"},
		"minhash": {Method: hashes, Order: dedup.InID},
		"onion":   {Method: passages, Rank: dedup.ByDate},
	} {
		every := 1
		if name != "exact" {
			every = 5
		}
		t.Run(name, func(t *testing.T) { damageNumbers(t, cfg, every) })
	}
}

func damageNumbers(t *testing.T, cfg dedup.Config, every int) {
	dir := scratch(t)
	cfg.Inputs, cfg.Out, cfg.Memory, cfg.Workers = []string{write(t, corpus(60, 4))}, filepath.Join(dir, "out"), 16<<20, 1
	index := filepath.Join(dir, "index")
	pristine := filepath.Join(dir, "pristine")
	if cfg.Index != "" {
		cfg.Index, cfg.Dropped = index, filepath.Join(dir, "dropped")
		do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, corpus(30, 5))}}, Method: cfg.Method, Index: index, Update: true})
		must.Succeed(t, os.CopyFS(pristine, os.DirFS(index)))
	}
	var steps []string
	cfg.OnProgress = func(s pipeline.Status) {
		if !slices.Contains(steps, s.Step) {
			steps = append(steps, s.Step)
		}
	}
	work, saved := cfg.Out+".work", filepath.Join(dir, "saved")
	replace := func(to, from string) {
		if _, err := os.Stat(from); err != nil && cfg.Index == "" {
			return // no index
		}
		must.Succeed(t, errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from))))
	}
	if _, err := dedup.Run(t.Context(), cfg); err != nil || len(steps) < 3 {
		t.Fatal(steps, err)
	}
	whole := must.Read(t, cfg.Out)
	var normal uint64
	try := func(what string, use func() error) {
		t.Helper()
		os.Remove(cfg.Out)
		var err error
		held := allocated(func() { err = panics.Catch(use) })
		if normal == 0 {
			normal = held
		}
		if errors.As(err, new(*panics.Panic)) {
			t.Fatalf("%s: %s", what, panics.Detail(err))
		}
		if held > 2*normal+64<<20 {
			t.Errorf("%s: %d MiB were allocated, %d without a change", what, held>>20, normal>>20)
		}
		if got, e := os.ReadFile(cfg.Out); err == nil && (e != nil || len(got) == 0) {
			t.Errorf("%s: %d bytes of output, %v", what, len(got), e)
		}
	}
	resume := func() error { _, err := dedup.Run(t.Context(), cfg); return err }
	damage := func(at, folder, name string) (n int) {
		b := must.Read(t, filepath.Join(saved, filepath.Base(folder), name))
		line, _, _ := bytes.Cut(b, []byte("\n"))
		for what, damaged := range testkit.Damaged(line) {
			if n++; n%every > 0 || !testkit.Part(n/every, 7) {
				continue
			}
			replace(work, filepath.Join(saved, "out.work"))
			replace(index, filepath.Join(saved, "index"))
			must.Write(t, filepath.Join(folder, name), checked(damaged))
			try(at+", "+name+": "+what, resume)
		}
		return n
	}
	tried := 0
	for _, at := range steps {
		replace(index, pristine)
		ctx, cancel := context.WithCancel(t.Context())
		cfg.OnProgress = func(s pipeline.Status) {
			if s.Step == at {
				cancel()
			}
		}
		cfg.Resume, cfg.Force = false, true
		_, err := dedup.Run(ctx, cfg)
		cancel()
		if cfg.OnProgress = nil; !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", at, err)
		}
		cfg.Resume, cfg.Force = true, false
		replace(filepath.Join(saved, "out.work"), work)
		replace(filepath.Join(saved, "index"), index)
		normal = 0
		try(at, resume)
		if got, err := os.ReadFile(cfg.Out); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("resumed in %s: %d bytes, %v", at, len(got), err)
		}
		tried += damage(at, work, "manifest.json")
		if cfg.Index != "" {
			tried += damage(at, index, "index.json")
		}
	}
	if tried < 500 {
		t.Errorf("%d changes were tried", tried)
	}
}
