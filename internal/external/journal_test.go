package external_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/external"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestJournal: recorded work is not run again; work that was not recorded, or whose record is
// damaged, is.
func TestJournal(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	name, log := filepath.Join(dir, "journal"), filepath.Join(dir, "log")
	// ask gives inputs to a program and returns how often that ran.
	ask := func(keeps bool, inputs ...string) int {
		t.Helper()
		j := must.Get(external.OpenJournal(name))(t)
		defer j.Close()
		if _, err := external.OpenJournal(name); err == nil {
			t.Error("opened twice")
		}
		for _, in := range inputs {
			out, keep, err := j.Run(t.Context(), []byte(in), external.Config{Command: "echo >> " + log + "; cat; echo .", MaxOutput: 1 << 20})
			if err != nil || string(out) != in+".\n" {
				t.Fatalf("%.20q, error %v", out, err)
			}
			if keeps {
				keep()
			}
		}
		b, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		os.Remove(log)
		return len(b)
	}
	inputs := []string{"", strings.Repeat("a line\n", 9999)}
	for i := range 18 {
		inputs = append(inputs, strconv.Itoa(i))
	}
	for i, c := range []struct {
		keeps bool
		want  int
	}{{false, 20}, {true, 20}, {true, 0}, {false, 0}} {
		if n := ask(c.keeps, inputs...); n != c.want {
			t.Errorf("%d: %d runs, want %d", i, n, c.want)
		}
	}
	whole := must.Read(t, name)
	for size := 0; size < len(whole); size += 1 + len(whole)/20 { // cut anywhere
		must.Write(t, name, whole[:size])
		if n := ask(true, inputs...); n == 0 {
			t.Errorf("%d of %d bytes: no run", size, len(whole))
		}
		if n := ask(true, inputs...); n != 0 {
			t.Errorf("%d of %d bytes: %d runs once it was mended", size, len(whole), n)
		}
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/20 { // one byte is another: nothing wrong comes out
		b := []byte(string(whole))
		b[at] ^= 0x55
		must.Write(t, name, b)
		ask(true, inputs...)
	}
}

// TestNoJournal: nil keeps nothing.
func TestNoJournal(t *testing.T) {
	var j *external.Journal
	out, keep, err := j.Run(t.Context(), []byte("x"), external.Config{Command: "cat"})
	if keep(); err != nil || string(out) != "x" || j.Close() != nil {
		t.Errorf("%q, %v", out, err)
	}
}
