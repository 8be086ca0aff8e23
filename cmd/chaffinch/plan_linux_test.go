package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/files"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// shortDocuments returns documents of words drawn by Zipf's law, one in five a copy of another one:
// JSON lines, or a vertical.
func shortDocuments(n int, vertical bool) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.15, 3, 1<<20)
	var b bytes.Buffer
	var last []uint64
	for i := range n {
		if r.IntN(5) > 0 || last == nil {
			last = last[:0]
			for range 30 + r.IntN(60) {
				last = append(last, z.Uint64())
			}
		}
		if vertical {
			fmt.Fprintf(&b, "<doc id=\"d%d\">\n", i)
		} else {
			fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		}
		for k, w := range last {
			if k > 0 && !vertical {
				b.WriteByte(' ')
			}
			b.WriteString("w" + strconv.FormatUint(w, 26))
			if vertical {
				b.WriteByte('\n')
			}
		}
		if vertical {
			b.WriteString("</doc>\n")
		} else {
			b.WriteString("\"}\n")
		}
	}
	return b.Bytes()
}

var planned = regexp.MustCompile(`work files: about ([0-9.]+) MB; memory: about ([0-9.]+) MB`)

// TestPlan: the predicted peaks of runs that sort on disk are near the true peaks, of disk space within a
// quarter, of memory within 40 %, since it depends on the times of garbage collections.
func TestPlan(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	prog, dir := built(t), t.TempDir()
	must.Write(t, filepath.Join(dir, "docs.jsonl"), shortDocuments(80_000, false))
	must.Write(t, filepath.Join(dir, "docs.vert"), shortDocuments(80_000, true))
	for i, args := range []string{
		"dedup -m onion -q --memory 32MiB IN.jsonl -o OUT/kept.jsonl",
		"dedup -m minhash -q --memory 48MiB IN.jsonl -o OUT/kept.jsonl",
		"corpus index -q --memory 32MiB --grammar none IN.vert -o OUT/index",
		"plagiarism index -q --memory 32MiB IN.jsonl -o OUT/index",
	} {
		if !testkit.Whole() && i%3 != 0 {
			continue
		}
		out := filepath.Join(dir, "out")
		must.Succeed(t, os.MkdirAll(out, 0o777))
		fields := strings.Fields(strings.NewReplacer("IN", filepath.Join(dir, "docs"), "OUT", out).Replace(args))
		said, err := exec.Command(prog, append(fields, "--plan")...).CombinedOutput()
		m := planned.FindSubmatch(said)
		if err != nil || m == nil {
			t.Fatalf("%s: %v: %s", args, err, said)
		}
		if list, err := os.ReadDir(out); err != nil || len(list) > 0 {
			t.Errorf("%s: the plan left %v, error %v", args, list, err)
		}
		quit, peak := make(chan bool), make(chan int64)
		go func() {
			most := int64(0)
			for {
				select {
				case <-quit:
					peak <- most
					return
				case <-time.After(10 * time.Millisecond):
					most = max(most, files.Bytes(out))
				}
			}
		}()
		cmd := exec.Command(prog, fields...)
		memory, err := runPeak(cmd)
		close(quit)
		disk := float64(<-peak) / 1e6
		if err != nil || cmd.ProcessState.ExitCode() != 0 {
			t.Fatalf("%s: %v, exit code %d", args, err, cmd.ProcessState.ExitCode())
		}
		must.Succeed(t, os.RemoveAll(out))
		for k, is := range []float64{disk, memory} {
			want, _ := strconv.ParseFloat(string(m[k+1]), 64)
			t.Logf("%s: %s predicted %.0f MB, measured %.0f MB", args, []string{"disk", "memory"}[k], want, is)
			if math.Abs(want-is) > []float64{.25, .4}[k]*is {
				t.Errorf("%s: %s predicted %.0f MB, measured %.0f MB", args, []string{"disk", "memory"}[k], want, is)
			}
		}
	}
	if out, err := exec.Command(prog, "dedup", "-q", "--plan", "-").CombinedOutput(); err == nil || !strings.Contains(string(out), "save it as a file") {
		t.Errorf("standard input: %v: %s", err, out)
	}
}
