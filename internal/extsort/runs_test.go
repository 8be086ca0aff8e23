package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/testkit/property"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
)

// random fills a record with bytes of a small alphabet.
func random(rec []byte, state *uint64, alphabet int) {
	for j := range rec {
		*state = *state*6364136223846793005 + 1442695040888963407
		rec[j] = byte(int(*state>>40) % alphabet)
	}
}

func collect(t rapid.TB, f *Folder, runs []Run, cfg MergeConfig) (out [][]byte) {
	m, err := f.Merge(runs, cfg)
	must.Succeed(t, err)
	for rec, err := range m.All() {
		must.Succeed(t, err)
		out = append(out, bytes.Clone(rec))
	}
	must.Succeed(t, m.Close())
	return out
}

func byKey(key int) func(a, b []byte) int {
	return func(a, b []byte) int { return bytes.Compare(a[:key], b[:key]) }
}

// Runs written by several workers come back as one sorted sequence: whole, in
// parts by key range, and after compaction.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	most := 0
	check := func(t *rapid.T) {
		f, err := OpenFolder(dir)
		must.Succeed(t, err)
		key := rapid.IntRange(1, 20).Draw(t, "key")
		record := key + rapid.SampledFrom([]int{0, 0, 1, 9}).Draw(t, "rest")
		alphabet := rapid.SampledFrom([]int{1, 2, 16, 256}).Draw(t, "alphabet")
		state := rapid.Uint64().Draw(t, "seed")
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		var want [][]byte
		var runs []Run
		for w := range workers {
			out, err := f.NewWriter(WriterConfig{Prefix: "test", Record: record, Key: key})
			must.Succeed(t, err)
			for range rapid.IntRange(0, 9000).Draw(t, "records") {
				rec, err := out.Add()
				must.Succeed(t, err)
				random(rec, &state, alphabet)
				if key < record {
					rec[key] = byte(w) // equal keys come by run
				}
				want = append(want, bytes.Clone(rec))
			}
			done, err := out.Flush()
			must.Succeed(t, err)
			runs = append(runs, done...)
		}
		most = max(most, len(runs))
		must.Succeed(t, f.Check(runs))
		slices.SortStableFunc(want, byKey(key))
		equal := func(what string, got [][]byte) {
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("%s: %d records, wanted %d in order", what, len(got), len(want))
			}
		}
		equal("merged", collect(t, f, runs, MergeConfig{Memory: 1 << 20}))
		parts := rapid.IntRange(1, 5).Draw(t, "parts")
		length := rapid.IntRange(1, key).Draw(t, "length")
		keys, err := f.Split(runs, parts, length)
		if err != nil || len(keys) >= parts {
			t.Fatalf("%d keys for %d parts: %v", len(keys), parts, err)
		}
		var got [][]byte
		for i := range len(keys) + 1 {
			cfg := MergeConfig{Memory: 1 << 20}
			if i > 0 {
				cfg.From = keys[i-1]
			}
			if i < len(keys) {
				cfg.To = keys[i]
			}
			got = append(got, collect(t, f, runs, cfg)...)
		}
		equal("in parts", got)
		now, old, err := f.Compact(runs, WriterConfig{Prefix: "test", Memory: 4 * readBytes})
		must.Succeed(t, err)
		if len(now) > 4 {
			t.Fatalf("%d runs left of %d", len(now), len(runs))
		}
		equal("compacted", collect(t, f, now, MergeConfig{Memory: 4 * readBytes}))
		equal("old runs", collect(t, f, runs, MergeConfig{Memory: 1 << 20}))
		must.Succeed(t, f.Remove(old))
		must.Succeed(t, f.Sweep(now))
		if left, _ := os.ReadDir(dir); len(left) != len(now) {
			t.Fatalf("%d files for %d runs", len(left), len(now))
		}
		must.Succeed(t, f.Sweep(nil))
	}
	for round := 0; round < 5 && most < 5; round++ { // few draws may all have few runs
		property.Check(t, check)
	}
	if most < 5 {
		t.Errorf("at most %d runs: nothing was merged", most)
	}
}

func TestUnique(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	cfg := WriterConfig{Record: 8, Key: 8, Unique: true, Memory: 1 << 16}
	var runs []Run
	for range 6 {
		w, err := f.NewWriter(cfg)
		must.Succeed(t, err)
		for i := range 10000 {
			rec, err := w.Add()
			must.Succeed(t, err)
			binary.BigEndian.PutUint64(rec, uint64(i%100))
		}
		done, err := w.Flush()
		must.Succeed(t, err)
		runs = append(runs, done...)
	}
	cfg.Memory = 2 * readBytes
	now, _, err := f.Compact(runs, cfg)
	must.Succeed(t, err)
	if got := collect(t, f, now, MergeConfig{Memory: 1 << 20}); len(now) != 2 || len(got) > 200 {
		t.Errorf("%d runs with %d records", len(now), len(got))
	}
}

// Workers write to one folder at once.
func TestParallelWriters(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	const workers, each = 4, 20000
	var wg sync.WaitGroup
	var runs [workers][]Run
	for n := range workers {
		wg.Go(func() {
			w, err := f.NewWriter(WriterConfig{Prefix: "p", Record: 16, Key: 16, Memory: 100_000})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range each {
				rec, err := w.Add()
				if err != nil {
					t.Error(err)
					return
				}
				binary.BigEndian.PutUint64(rec, uint64(i)*0x9e3779b97f4a7c15)
				binary.BigEndian.PutUint64(rec[8:], uint64(n))
			}
			if runs[n], err = w.Flush(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got := collect(t, f, slices.Concat(runs[:]...), MergeConfig{Memory: 1 << 22})
	if len(got) != workers*each || !slices.IsSortedFunc(got, bytes.Compare) {
		t.Errorf("%d records, wanted %d in order", len(got), workers*each)
	}
}

// written makes one run of n records.
func written(t *testing.T, f *Folder, n int) []Run {
	t.Helper()
	w, err := f.NewWriter(WriterConfig{Prefix: "sig", Record: 16, Key: 16, Memory: 1 << 20})
	must.Succeed(t, err)
	for i := range n {
		rec, err := w.Add()
		must.Succeed(t, err)
		clear(rec)
		binary.BigEndian.PutUint64(rec, uint64(i))
	}
	runs, err := w.Flush()
	must.Succeed(t, err)
	return runs
}

// readAll returns the first error of reading runs.
func readAll(f *Folder, runs []Run) error {
	m, err := f.Merge(runs, MergeConfig{Memory: 1 << 20})
	if err != nil {
		return err
	}
	defer m.Close()
	for _, err := range m.All() {
		if err != nil {
			return err
		}
	}
	return nil
}

// Every change of a work file is told, with its name and the way out.
func TestBrokenRun(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	must.Succeed(t, err)
	runs := written(t, f, 5000)
	path := filepath.Join(dir, runs[0].Name)
	good := must.Read(t, path)
	must.Succeed(t, readAll(f, runs))
	for _, c := range []struct {
		name  string
		spoil func(b []byte) []byte
		want  string
	}{
		{"a bit in the second block", func(b []byte) []byte { b[headerSize+blockSize+sumSize+5] ^= 1; return b }, "at 16456"},
		{"a checksum", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "wrong checksum"},
		{"blocks in another order", func(b []byte) []byte {
			const n = blockSize + sumSize
			x := bytes.Clone(b[headerSize:][:n])
			copy(b[headerSize:], b[headerSize+n:][:n])
			copy(b[headerSize+n:], x)
			return b
		}, "wrong checksum"},
		{"cut off", func(b []byte) []byte { return b[:len(b)-100] }, "bytes, wanted"},
		{"longer", func(b []byte) []byte { return append(b, 0) }, "bytes, wanted"},
		{"header", func(b []byte) []byte { b[20]++; return b }, "header"},
		{"another format", func(b []byte) []byte { b[7]++; return b }, "header"},
		{"empty", func(b []byte) []byte { return nil }, "0 bytes, wanted"},
	} {
		must.Write(t, path, c.spoil(bytes.Clone(good)))
		err := readAll(f, runs)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "remove the work folder") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	must.Succeed(t, os.Remove(path))
	must.Fail(t, readAll(f, runs), path)
}

// What was not finished is not a run, and names are not used again.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	must.Succeed(t, err)
	runs := written(t, f, 10)
	half := filepath.Join(dir, files.Unfinished("sig-000007.run"))
	must.Write(t, half, "half")
	other := filepath.Join(dir, "manifest.json")
	must.Write(t, other, "")
	if f, err = OpenFolder(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); !os.IsNotExist(err) {
		t.Error("an unfinished run was left")
	}
	more := written(t, f, 10)
	if more[0].Name == runs[0].Name {
		t.Errorf("%s was written twice", runs[0].Name)
	}
	must.Succeed(t, f.Sweep(more))
	if err := f.Check(runs); err == nil {
		t.Error("a run that is in no manifest was left")
	}
	if err := f.Check(more); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file that is no run was removed")
	}
}

func TestRunErrors(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	if _, err := f.NewWriter(WriterConfig{Record: 3, Key: 4}); err == nil {
		t.Error("a key longer than its record passed")
	}
	if _, err := f.NewWriter(WriterConfig{Record: 2000, Key: 4}); err == nil {
		t.Error("a record of 2000 bytes passed")
	}
	runs := slices.Concat(written(t, f, 1), written(t, f, 1), written(t, f, 1))
	must.Fail(t, must.Err(f.Merge(runs, MergeConfig{Memory: 100})), "compact")
	runs[1].Record++
	if _, err := f.Merge(runs, MergeConfig{Memory: 1 << 20}); err == nil {
		t.Error("runs of other records passed")
	}
	err = errDiskFull("sig-1.run", 2_500_000, 1_000_000)
	if want := "3 MB needed, 1 MB free"; !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "resume") { // a folder does not know of runs
		t.Errorf("%v, wanted %q and no promise to resume", err, want)
	}
}

// A disk that fills up while a run is written leaves no file, and names it.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	must.Succeed(t, err)
	out, err := f.create("sig", newLayout(16, 16), 1<<20)
	must.Succeed(t, err)
	err = out.failed(&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(dir, "sig-000000.run")) || !strings.Contains(err.Error(), "another disk") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if free, err := freeBytes(dir); err != nil || free <= 0 {
		t.Errorf("%d bytes free: %v", free, err)
	}
	must.Is(t, must.Err(f.create("sig", newLayout(16, 16), 1<<60)), syscall.ENOSPC)
}

// BenchmarkMerge merges 16 runs of a million records in all.
func BenchmarkMerge(b *testing.B) {
	f, err := OpenFolder(b.TempDir())
	must.Succeed(b, err)
	const n, size = 1 << 20, 20
	w, err := f.NewWriter(WriterConfig{Record: size, Key: size, Memory: 2 * n * size / 16})
	must.Succeed(b, err)
	for i := range uint64(n) {
		rec, err := w.Add()
		must.Succeed(b, err)
		binary.BigEndian.PutUint64(rec, (i+1)*0x9e3779b97f4a7c15)
		binary.BigEndian.PutUint64(rec[12:], i)
	}
	runs, err := w.Flush()
	must.Succeed(b, err)
	b.SetBytes(n * size)
	for b.Loop() {
		m, err := f.Merge(runs, MergeConfig{Memory: 16 << 20})
		must.Succeed(b, err)
		for _, err := range m.All() {
			must.Succeed(b, err)
		}
		m.Close()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// TestFullDiskOnce: once a run cannot be written nothing is tried again, however
// many records come: each would sort all that is in memory anew.
func TestFullDiskOnce(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	w, err := f.NewWriter(WriterConfig{Prefix: "x", Record: 16, Key: 16, Memory: 1})
	must.Succeed(t, err)
	var changes atomic.Int64
	defer disk.Watch(func(op disk.Op, _ string) error {
		if op == disk.OpRemove {
			return nil
		}
		changes.Add(1)
		return syscall.ENOSPC
	})()
	failed := 0
	for range 100_000 {
		rec, err := w.Add()
		if err == nil {
			clear(rec)
		} else if failed++; !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	if _, err := w.Flush(); !errors.Is(err, syscall.ENOSPC) || failed == 0 || changes.Load() != 1 {
		t.Errorf("%d records failed, %d changes were tried, the last error is %v", failed, changes.Load(), err)
	}
}

// TestDamagedManifest fails if an entry of a damaged manifest ends the program.
func TestDamagedManifest(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	for _, r := range []Run{{Name: "a-000001.run"}, {Name: "a-000001.run", Record: 1 << 40, Key: 1}, {Name: "a-000001.run", Records: -1, Record: -8, Key: -8}} {
		_, merged := f.Merge([]Run{r}, MergeConfig{Memory: 1 << 20})
		_, split := f.Split([]Run{r}, 2, 1)
		if checked := f.Check([]Run{r}); merged == nil || split == nil || checked == nil {
			t.Errorf("%+v: %v, %v, %v", r, merged, split, checked)
		}
	}
}
