package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// writeCorpus writes n documents, a third of whose paragraphs are copies.
func writeCorpus(t testing.TB, file string, n int, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 4))
	var b bytes.Buffer
	for i := range n {
		var text strings.Builder
		for range 1 + rnd.IntN(6) {
			words, from := rnd, 20+rnd.IntN(30)
			if rnd.IntN(3) == 0 {
				words = rand.New(rand.NewPCG(rnd.Uint64N(uint64(n/10)), 5))
			}
			for range from {
				fmt.Fprintf(&text, "w%c%c ", 'a'+rune(words.IntN(26)), 'a'+rune(words.IntN(26)))
			}
			text.WriteByte('\n')
		}
		line := must.Get(json.Marshal(map[string]string{"id": fmt.Sprintf("doc-%06d", (i*7919)%n), "text": text.String()}))(t)
		b.Write(append(line, '\n'))
	}
	must.Write(t, file, b.Bytes())
}

// TestDedupKill kills chaffinch dedup at random moments, resumes it, and wants the bytes of an
// uninterrupted run. More kills: go test ./cmd/chaffinch -run TestDedupKill -kills 20
// -killpages 20000.
func TestDedupKill(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	dir, prog := t.TempDir(), program(t)
	in := filepath.Join(dir, "in.jsonl")
	writeCorpus(t, in, *killPages, *killSeed)
	run := func(after time.Duration, out string, more ...string) bool {
		t.Helper()
		return runKilled(t, prog, after, 0, append([]string{"dedup", in, "-q", "--memory", "32MiB", "-j", "2", "--checkpoint", "20ms", "-o", out, "--dropped", out + ".dropped"}, more...)...)
	}
	forms := [][]string{{"-m", "onion"}, {"-m", "exact", "--order", "id"}, {"-m", "minhash", "--rank", "longest"}}
	rnd := rand.New(rand.NewPCG(*killSeed, 6))
	killed := 0
	for i, form := range forms {
		whole := filepath.Join(dir, fmt.Sprint("whole", i))
		began := time.Now()
		run(0, whole, form...)
		took := time.Since(began)
		out := filepath.Join(dir, fmt.Sprint("out", i))
		for starts := 0; ; starts++ {
			if starts > 1000 {
				t.Fatal("the run makes no progress")
			}
			var after time.Duration
			wanted := killed < (i+1)**kills/len(forms)
			if wanted {
				after = 1 + time.Duration(rnd.Int64N(int64(took)))
			}
			if !run(after, out, append(form, "--resume")...) {
				killed++
				continue
			}
			if !wanted {
				break
			}
			os.Remove(out) // it came to its end before it was killed: once more
		}
		for _, suffix := range []string{"", ".dropped"} {
			if got, want := sums(t, out+suffix), sums(t, whole+suffix); got != want {
				t.Errorf("%v: SHA-256 of out%s is %s after %d kills, of an unbroken run %s", form, suffix, got, killed, want)
			}
		}
		if left := append(mustGlob(t, out+".work"), mustGlob(t, out+"*.part")...); len(left) > 0 {
			t.Errorf("%v: %v is left", form, left)
		}
	}
	t.Logf("%d kills", killed)
}

// TestDedupInterrupt interrupts a run that waits for its input: it stops, does not offer
// --resume, and leaves the older output unchanged.
func TestDedupInterrupt(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.jsonl")
	must.Write(t, out, oldBytes)
	cmd := exec.Command(program(t), "dedup", "run", "-", "-q", "-o", out)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	pipe := must.Get(cmd.StdinPipe())(t)
	defer pipe.Close() // not before the end: the run has to stop while it waits
	must.Succeed(t, cmd.Start())
	for range 1000 { // until it waits
		if _, err := os.Stat(filepath.Join(out+".work", "stdin")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	must.Succeed(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(msg.String(), "stopped before the first checkpoint") || strings.Contains(msg.String(), "--resume") {
		t.Errorf("exit code %d, want 130; messages:\n%s", code, &msg)
	}
	if d := differ(snapshot(t, dir), map[string]string{"./": "", "out.jsonl": oldBytes}); d != "" {
		t.Error(d)
	}
}
