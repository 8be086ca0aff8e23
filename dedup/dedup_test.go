package dedup_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/dedup"
	"chaffinch/dedup/exact"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// corpus makes lines of JSON with copies in them; some have the same id.
func corpus(n int, seed uint64) [][]byte {
	rnd := rand.New(rand.NewPCG(seed, 1))
	lines := make([][]byte, n)
	for i := range lines {
		id := fmt.Sprintf("doc-%05d", (i*7919)%n)
		if i%10 == 3 {
			id = "twice"
		}
		var text strings.Builder
		for range 1 + rnd.IntN(8) {
			fmt.Fprintf(&text, "paragraph %d of some words\n", int(rnd.ExpFloat64()*300))
		}
		b, _ := json.Marshal(map[string]string{
			"id": id, "url": fmt.Sprintf("http://site%d.example/%d", i%7, i), "date": fmt.Sprintf("20%02d-01-01", rnd.IntN(20)), "text": text.String(),
		})
		lines[i] = append(b, '\n')
	}
	return lines
}

// scratch is a folder in memory where there is one, since a run waits for the
// disk at every checkpoint.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "chaffinch-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t testing.TB, lines [][]byte) string {
	t.Helper()
	name := filepath.Join(scratch(t), "in.jsonl")
	must.Write(t, name, bytes.Join(lines, nil))
	return name
}

func method(t testing.TB, unit string) dedup.Method {
	cfg := exact.Default
	cfg.Unit = unit
	return must.Get(exact.New(cfg))(t)
}

// do runs a cfg to its end and returns its outputs.
func do(t testing.TB, j dedup.Config) (string, *dedup.Result) {
	t.Helper()
	if j.Out == "" {
		j.Out = filepath.Join(scratch(t), "out.jsonl")
	}
	rep := must.Get(dedup.Run(context.Background(), j))(t)
	if left, _ := filepath.Glob(j.Out + "?*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	return string(must.Read(t, j.Out)), rep
}

// The output does not depend on workers, memory and checkpoints, nor, in the order of ids, on
// the order of the input.
func TestSame(t *testing.T) {
	lines := corpus(1000, 1)
	in := write(t, lines)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	shuffled := write(t, lines)
	for _, unit := range []string{"page", "paragraph", "sentence", "url"} {
		for _, rank := range dedup.Ranks {
			if unit != "paragraph" && rank != dedup.ByID {
				continue
			}
			want, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Workers: 1}, Method: method(t, unit), Rank: rank})
			if rep.In.Docs != 1000 || rep.Out.Docs == 0 || unit != "url" && rep.Out.Paras == rep.In.Paras || rep.SameIDs != 99 {
				t.Errorf("%s: %+v", unit, rep)
			}
			for _, jobs := range []int{2, 8} {
				got, _ := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Workers: jobs, Memory: dedup.MinMemory, Checkpoint: 20e6}, Method: method(t, unit), Rank: rank})
				if got != want {
					t.Errorf("%s by %s: %d workers give something else", unit, rank, jobs)
				}
			}
			if rank == dedup.ByInput {
				continue
			}
			var sorted [2]string
			for i, name := range []string{in, shuffled} {
				sorted[i], _ = do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{name}, Workers: 2}, Method: method(t, unit), Rank: rank, Order: dedup.InID})
			}
			if sorted[0] != sorted[1] || len(sorted[0]) != len(want) {
				t.Errorf("%s by %s: shuffled input gives something else, %d and %d bytes, %d in input order", unit, rank, len(sorted[0]), len(sorted[1]), len(want))
			}
		}
	}
}

// Every paragraph is somewhere, and once.
func TestNothingLost(t *testing.T) {
	lines := corpus(500, 2)
	dropped := filepath.Join(scratch(t), "dropped.jsonl")
	out, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}, Workers: 3}, Method: method(t, "paragraph"), Dropped: dropped})
	gone := must.Read(t, dropped)
	paras := func(s string) (all []string) {
		for line := range strings.Lines(s) {
			var d struct{ Text string }
			must.Succeed(t, json.Unmarshal([]byte(line), &d))
			for p := range strings.Lines(d.Text) {
				all = append(all, strings.TrimSpace(p))
			}
		}
		return all
	}
	in, kept, left := paras(string(bytes.Join(lines, nil))), paras(out), paras(string(gone))
	if len(kept)+len(left) != len(in) || int(rep.In.Paras) != len(in) || int(rep.Out.Paras) != len(kept) {
		t.Errorf("%d paragraphs kept, %d dropped of %d; report %+v", len(kept), len(left), len(in), rep)
	}
	seen := map[string]bool{}
	for _, p := range kept {
		if seen[p] {
			t.Errorf("twice: %s", p)
		}
		seen[p] = true
	}
	for _, p := range in {
		if !seen[p] {
			t.Errorf("lost: %s", p)
		}
	}
}

// A run that is interrupted at any place resumes to the same bytes.
func TestBrokenOff(t *testing.T) {
	size := 3000
	if !testkit.Whole() { // with the race detector each of the many stops takes long
		size = 1200
	}
	in := write(t, corpus(size, 3))
	for _, order := range dedup.Orders {
		cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Workers: 2, Memory: dedup.MinMemory}, Method: method(t, "paragraph"), Order: order, Annotate: true}
		want, _ := do(t, cfg)
		cfg.Out = filepath.Join(scratch(t), "out.jsonl")
		cfg.Resume, cfg.Checkpoint = true, 1e6
		stop := errors.New("stop")
		stops := 0
		for ; ; stops++ {
			ctx, cancel := context.WithCancelCause(context.Background())
			left := 5 + 3*stops
			cfg.OnProgress = func(pipeline.Status) {
				if left--; left == 0 {
					cancel(stop)
				}
			}
			_, err := dedup.Run(ctx, cfg)
			if err == nil {
				break
			}
			if !errors.Is(err, stop) && !errors.Is(err, context.Canceled) || stops > 1000 {
				t.Fatal(stops, err)
			}
		}
		got, err := os.ReadFile(cfg.Out)
		if err != nil || string(got) != want {
			t.Errorf("resumed output has %d bytes, unbroken %d: %v", len(got), len(want), err)
		}
		if stops < 3 {
			t.Errorf("stopped %d times", stops)
		}
	}
}

// TestOutside passes on text outside documents in its place, in any amount, with any number of
// workers and in little memory.
func TestOutside(t *testing.T) {
	testkit.Slow(t)
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "{\"id\":\"%d\",\"text\":\"a text of its own, number %d\\nand a second line %d%s\"}\n", i, i, i, strings.Repeat(" word", i*i%500))
		if i%40 == 3 {
			b.WriteString(strings.Repeat("this is no JSON\n", 1+i*200))
		}
	}
	b.WriteString(strings.Repeat("nor is the end\n", 40_000))
	in := write(t, bytes.SplitAfter([]byte(b.String()), []byte("\n")))
	for _, jobs := range []int{1, 3} {
		for _, memory := range []int64{dedup.MinMemory, 256 << 20} {
			got, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Workers: jobs, Memory: memory, Checkpoint: 20 * time.Millisecond}, Method: method(t, "page")})
			if got != b.String() {
				t.Errorf("%d workers, %d bytes of memory: %d bytes, want the input, %d bytes", jobs, memory, len(got), b.Len())
			}
			if rep.Out.Docs != 300 || rep.Outside == 0 {
				t.Errorf("%d workers, %d bytes of memory: %d documents, %d bytes outside", jobs, memory, rep.Out.Docs, rep.Outside)
			}
		}
	}
}

// TestMinWords: documents with too few words are dropped, and counted as such.
func TestMinWords(t *testing.T) {
	in := write(t, [][]byte{[]byte(`{"id":"a","text":"one two three"}` + "\n"), []byte(`{"id":"b","text":"four five"}` + "\n")})
	out, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{in}}, Method: method(t, "page"), MinWords: 3})
	if !strings.Contains(out, `"a"`) || strings.Contains(out, `"b"`) || rep.TooShort != 1 || rep.Reasons["too-short"].Docs != 1 {
		t.Errorf("%s%+v", out, rep)
	}
}
