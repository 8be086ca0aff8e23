package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

var (
	kills     = flag.Int("kills", 4, "how often TestKill kills the program")
	killPages = flag.Int("killpages", 1500, "number of pages that TestKill cleans")
	killSeed  = flag.Uint64("killseed", 1, "seed of the moments")
)

// writeWARC writes a crawl of n made pages, one gzip member per record; one
// record in 50 is a member whose data are damaged.
func writeWARC(t testing.TB, file string, n int, seed uint64) {
	f := must.Get(os.Create(file))(t)
	rnd := rand.New(rand.NewPCG(seed, 2))
	words := []string{"the", "harbour", "of", "a", "ferry", "and", "it", "was", "island", "in", "winter", "to", "they", "brücke", "old", "not", "that", "wind", "is", "said"}
	var member, body bytes.Buffer
	zw := gzip.NewWriter(&member)
	for i := range n {
		body.Reset()
		fmt.Fprintf(&body, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html lang=en><title>Page %d</title><body><ul><li><a href=/>Start</a></ul>", i)
		for range rnd.IntN(30) {
			body.WriteString("<p>")
			for range 5 + rnd.IntN(90) {
				body.WriteString(words[rnd.IntN(len(words))])
				body.WriteByte(' ')
			}
			body.WriteString("\n")
		}
		member.Reset()
		zw.Reset(&member)
		fmt.Fprintf(zw, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: https://pages.example/%d\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, body.Len(), body.Bytes())
		must.Succeed(t, zw.Close())
		b := member.Bytes()
		if i%50 == 17 {
			b[len(b)/2] ^= 0x40
		}
		must.Succeed(t, must.Err(f.Write(b)))
	}
	must.Succeed(t, f.Close())
}

// program returns a path at which this test binary is the command itself.
func program(t testing.TB) string {
	t.Helper()
	self := must.Get(os.Executable())(t)
	name := filepath.Join(t.TempDir(), "chaffinch")
	must.Succeed(t, os.Symlink(self, name))
	return name
}

// cleanRun runs the command clean, see runKilled; some input may be bad.
func cleanRun(t testing.TB, prog string, after time.Duration, args ...string) bool {
	t.Helper()
	return runKilled(t, prog, after, 1, append([]string{"clean"}, args...)...)
}

// runKilled starts the program and, if after is not 0, kills it after that
// time. It reports whether the program came to its end, with an
// exit code of at most most.
func runKilled(t testing.TB, prog string, after time.Duration, most int, args ...string) bool {
	t.Helper()
	cmd := exec.Command(prog, args...)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	must.Succeed(t, cmd.Start())
	if after > 0 {
		defer time.AfterFunc(after, func() { cmd.Process.Kill() }).Stop()
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true
	case errors.As(err, &exit) && exit.ExitCode() == -1: // killed
		return false
	case errors.As(err, &exit) && exit.ExitCode() <= most:
		return true
	}
	t.Fatalf("chaffinch %v: %v\n%s", args, err, &msg)
	return false
}

// sums returns the SHA-256 of a file, or of all files of a folder with their
// names.
func sums(t testing.TB, path string) string {
	t.Helper()
	h := sha256.New()
	must.Succeed(t, filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(path, name)
		fmt.Fprintf(h, "%s %d\n", rel, len(b))
		h.Write(b)
		return err
	}))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// summaryOf returns a summary without its time.
func summaryOf(t testing.TB, file string) string {
	t.Helper()
	b := must.Read(t, file)
	var m map[string]any
	must.Succeed(t, json.Unmarshal(b, &m))
	delete(m, "elapsed_ns")
	b, _ = json.Marshal(m)
	return string(b)
}

// TestKill kills the program at random moments, resumes it, and wants output, list of errors
// and summary of an uninterrupted run, for one output file, for one file per page and for a
// file that is written at the end. More kills: go test ./cmd/chaffinch -run TestKill -kills 20
// -killpages 20000.
func TestKill(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	dir := t.TempDir()
	prog := program(t)
	in := filepath.Join(dir, "crawl.warc.gz")
	writeWARC(t, in, *killPages, *killSeed)
	at := func(name string) string { return filepath.Join(dir, name) }
	args := func(out, round string, more ...string) []string {
		return append([]string{in, "-q", "-m", "keep", "-o", out, "--errors", at(round + ".errors"), "--summary", at(round + ".json"), "--checkpoint", "20ms"}, more...)
	}
	// One output file, one file per page and a packed file by turns.
	type form struct{ whole, suffix, want string }
	forms := []*form{{whole: "file", suffix: ".jsonl"}, {whole: "folder", suffix: "/"}, {whole: "packed", suffix: ".parquet"},
		{whole: "members", suffix: ".jsonl.gz"}, {whole: "frames", suffix: ".json.zst"}}
	whole := make([]time.Duration, len(forms))
	for i, f := range forms {
		began := time.Now()
		if out := at(f.whole + f.suffix); !cleanRun(t, prog, 0, args(out, f.whole)...) {
			t.Fatal("the unbroken run did not end")
		} else {
			f.want = sums(t, out)
		}
		whole[i] = time.Since(began)
	}
	rnd := rand.New(rand.NewPCG(*killSeed, 3))
	killed, ended := 0, 0
	for killed < *kills || ended < len(forms) {
		form, round := forms[ended%len(forms)], fmt.Sprint("round", ended)
		out := at(round + form.suffix)
		for starts := 0; ; starts++ {
			if starts > 1000 {
				t.Fatal("the run makes no progress")
			}
			var after time.Duration
			if killed < *kills {
				after = 1 + time.Duration(rnd.Int64N(int64(whole[ended%len(forms)])))
			}
			if cleanRun(t, prog, after, args(out, round, "--resume")...) {
				break
			}
			killed++
		}
		if got := sums(t, out); got != form.want {
			t.Errorf("%s: output has SHA-256 %s after %d kills, an unbroken run %s", out, got, killed, form.want)
		}
		if sums(t, at(round+".errors")) != sums(t, at(form.whole+".errors")) {
			t.Errorf("%s: the list of errors differs", out)
		}
		if got, want := summaryOf(t, at(round+".json")), summaryOf(t, at(form.whole+".json")); got != want {
			t.Errorf("%s: summary %s, want %s", out, got, want)
		}
		if left := slices.Concat(mustGlob(t, at(round+"*.state")), mustGlob(t, at(round+"*.rows")), mustGlob(t, at(round+"*.part"))); len(left) > 0 {
			t.Errorf("%s: %v is left", out, left)
		}
		if !cleanRun(t, prog, 0, args(out, round, "--resume")...) || sums(t, out) != form.want {
			t.Errorf("%s: one more --resume changed the output", out)
		}
		ended++
	}
	t.Logf("%d kills in %d runs, output SHA-256 %s, %s and %s", killed, ended, forms[0].want, forms[1].want, forms[2].want)
}

// TestInterrupt interrupts the program while it waits for input. It must stop at once, print
// how to resume, and resume.
func TestInterrupt(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	prog := program(t)
	in, out := filepath.Join(dir, "in.warc.gz"), filepath.Join(dir, "out.txt")
	writeWARC(t, in, 200, 9)
	crawl := must.Read(t, in)
	start := func(args ...string) (*exec.Cmd, io.WriteCloser, *bytes.Buffer) {
		cmd := exec.Command(prog, append([]string{"clean", "-", "-m", "keep", "--checkpoint", "1ms"}, args...)...)
		msg := new(bytes.Buffer)
		cmd.Stderr = msg
		pipe := must.Get(cmd.StdinPipe())(t)
		must.Succeed(t, cmd.Start())
		must.Succeed(t, must.Err(pipe.Write(crawl[:len(crawl)/2])))
		return cmd, pipe, msg
	}
	cmd, pipe, msg := start("-o", out)
	for range 1000 { // until something is written
		if st, err := os.Stat(out + ".part"); err == nil && st.Size() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	must.Succeed(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	pipe.Close()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !regexp.MustCompile(`stopped after \d+ pages: run the same command with --resume to continue \(so far: .*out\.txt\.part\)`).Match(msg.Bytes()) {
		t.Errorf("exit code %d, want 130; messages:\n%s", code, msg)
	}
	cmd, pipe, msg = start("-o", out, "--resume")
	pipe.Write(crawl[len(crawl)/2:])
	pipe.Close()
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 1 { // some records are damaged
		t.Errorf("resume: %s", msg)
	}
	whole := filepath.Join(dir, "whole.txt")
	if !cleanRun(t, prog, 0, in, "-m", "keep", "-q", "-o", whole) {
		t.Fatal("the unbroken run did not end")
	}
	a, _ := os.ReadFile(out)
	b, _ := os.ReadFile(whole)
	if len(b) == 0 || !bytes.Equal(a, b) {
		t.Errorf("resumed output has %d bytes, unbroken %d", len(a), len(b))
	}
}

func mustGlob(t testing.TB, pattern string) []string {
	t.Helper()
	return must.Get(filepath.Glob(pattern))(t)
}
