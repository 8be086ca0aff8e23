package transformer

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chaffinch/lab/transformer/internal/testkit"
)

// tiny opens the tiny model of testdata; change may alter the settings.
func tiny(t testing.TB, change func(*Config)) *Encoder {
	t.Helper()
	cfg := Default
	cfg.Library = testkit.Library(t)
	cfg.Model, cfg.Tokenizer = "testdata/tiny.onnx", "testdata/xlmr.tokenizer.json"
	cfg.MaxLength, cfg.Threads = 64, 1
	if change != nil {
		change(&cfg)
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func testLines(t testing.TB) (lines []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(b) {
		lines = append(lines, string(bytes.TrimSuffix(l, []byte("\n"))))
	}
	return lines
}

func vectors(t testing.TB, e *Encoder, lines []string) []float32 {
	t.Helper()
	v, err := e.Vectors(t.Context(), nil, lines)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// differ returns the largest difference of two lists of numbers.
func differ(t testing.TB, got, want []float32) (most float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d values, want %d", len(got), len(want))
	}
	for i := range got {
		most = max(most, math.Abs(float64(got[i]-want[i])))
	}
	return most
}

// TestReferenceVectors: lines in batches have the vectors and logits that
// Python's onnxruntime gives them one by one.
func TestReferenceVectors(t *testing.T) {
	b, err := os.ReadFile("testdata/tiny.reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var lines []struct{ First, Mean, Logits []float32 }
	if err := json.Unmarshal(b, &lines); err != nil {
		t.Fatal(err)
	}
	var first, mean, logits []float32
	for _, l := range lines {
		first, mean, logits = append(first, l.First...), append(mean, l.Mean...), append(logits, l.Logits...)
	}
	e := tiny(t, nil)
	if len(lines) != 50 || e.Width() != 32 || e.Output() != "last_hidden_state" {
		t.Fatalf("%d lines, width %d of %s", len(lines), e.Width(), e.Output())
	}
	got := vectors(t, e, testLines(t))
	if d := differ(t, got, first); d > 1e-4 {
		t.Errorf("vectors of <s> are off by %v", d)
	}
	if d := differ(t, vectors(t, tiny(t, func(c *Config) { c.Pooling = Mean }), testLines(t)), mean); d > 1e-4 {
		t.Errorf("means are off by %v", d)
	}
	if d := differ(t, vectors(t, tiny(t, func(c *Config) { c.Output = "logits" }), testLines(t)), logits); d > 1e-4 {
		t.Errorf("logits are off by %v", d)
	}
	head, err := LoadHead("testdata/tiny.head.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if d := differ(t, head.Logits(nil, got), logits); d > 1e-4 {
		t.Errorf("logits of the head are off by %v", d)
	}
}

// TestBatchSizes: how lines are put together changes no vector.
func TestBatchSizes(t *testing.T) {
	lines := append(testLines(t), "", "a", strings.Repeat("The mill by the river. ", 40))
	for _, pooling := range []Pooling{First, Mean} {
		one := vectors(t, tiny(t, func(c *Config) { c.BatchLines, c.Pooling = 1, pooling }), lines)
		for _, c := range []struct{ lines, pieces, threads int }{{16, 4096, 1}, {1000, 1 << 20, 1}, {7, 100, 2}} {
			many := vectors(t, tiny(t, func(k *Config) {
				k.BatchLines, k.BatchPieces, k.Threads, k.Pooling = c.lines, c.pieces, c.threads, pooling
			}), lines)
			if d := differ(t, many, one); d > 1e-4 {
				t.Errorf("%s, %+v: off by %v", pooling, c, d)
			}
		}
	}
}

// TestPlan: every line is in one batch, and no batch is too large.
func TestPlan(t *testing.T) {
	lengths := []int{3, 50, 3, 0, 7, 7, 7, 7, 120, 2}
	seen := make([]int, len(lengths))
	for _, b := range batches(lengths, 3, 100) {
		if len(b.lines) > 3 || len(b.lines) > 1 && len(b.lines)*b.length > 100 {
			t.Errorf("batch %+v", b)
		}
		for _, i := range b.lines {
			seen[i]++
			if lengths[i] > b.length {
				t.Errorf("line of %d in batch %+v", lengths[i], b)
			}
		}
	}
	if slices.Max(seen) != 1 || slices.Min(seen) != 1 {
		t.Errorf("lines seen %v times", seen)
	}
}

// TestEncoderErrors: what is wrong with a model is said with the way out.
func TestEncoderErrors(t *testing.T) {
	good := tiny(t, nil).cfg
	notModel := filepath.Join(t.TempDir(), "x.onnx")
	if err := os.WriteFile(notModel, []byte("no model"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Pooling = "max" }, `pooling "max", wanted first or mean`},
		{func(c *Config) { c.BatchLines = 0 }, "batches of 0 lines"},
		{func(c *Config) { c.Output = "moon" }, `no output "moon", wanted one of last_hidden_state, logits`},
		{func(c *Config) { c.Model = "none.onnx" }, "open model: open none.onnx"},
		{func(c *Config) { c.Tokenizer = "" }, "testdata/tokenizer.json"},
		{func(c *Config) { c.Model = notModel }, "model " + notModel},
		{func(c *Config) { c.Library = notModel }, "can load only one"},
	} {
		cfg := good
		c.change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	// A vocabulary larger than the model's table is an error of the run.
	long := tiny(t, func(c *Config) { c.MaxLength = 100 })
	if _, err := long.Vectors(t.Context(), nil, []string{strings.Repeat("x ", 200)}); err == nil || !strings.Contains(err.Error(), "1 lines of up to 100 pieces") {
		t.Errorf("a line longer than the positions: %v", err)
	}
}

// TestLibraryMissing says where the library comes from.
func TestLibraryMissing(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	for path, want := range map[string]string{
		"":            "no path is set: take libonnxruntime.so",
		t.TempDir():   "is a folder, wanted the file libonnxruntime.so",
		"no/lib.so":   "no such file or directory: take libonnxruntime.so",
		"library.txt": "not a library of this machine, or older than 1.24: ",
	} {
		// A process of its own: one that has loaded the library takes no other.
		if path == "library.txt" {
			path = filepath.Join(t.TempDir(), path)
			if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestLoadInProcess$")
		cmd.Env = append(os.Environ(), "LOAD_IN_PROCESS=yes", LibraryVariable+"="+path)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) || !strings.Contains(string(out), "pip install onnxruntime") {
			t.Errorf("%q: %v %s, want %q", path, err, out, want)
		}
	}
}

// TestLoadInProcess is what TestLibraryMissing runs in a process of its own;
// elsewhere it loads the library twice, which is no error.
func TestLoadInProcess(t *testing.T) {
	if os.Getenv("LOAD_IN_PROCESS") == "" {
		testkit.Library(t)
	}
	for range 2 {
		if err := LoadLibrary(""); err != nil {
			if !errors.Is(err, ErrLibrary) {
				t.Error("not ErrLibrary")
			}
			t.Fatal(err)
		}
	}
	if v := LibraryVersion(); !strings.HasPrefix(v, "1.") {
		t.Errorf("version %q", v)
	}
}

func BenchmarkVectors(b *testing.B) {
	e, lines := tiny(b, nil), testLines(b)
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	b.SetBytes(int64(size))
	var v []float32
	for b.Loop() {
		var err error
		if v, err = e.Vectors(b.Context(), v[:0], lines); err != nil {
			b.Fatal(err)
		}
	}
}

// TestConcurrent: several callers at once get what each gets alone.
func TestConcurrent(t *testing.T) {
	e := tiny(t, nil)
	lines := testLines(t)
	want := vectors(t, e, lines)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			got, err := e.Vectors(t.Context(), nil, lines)
			if err != nil {
				t.Error(err)
			} else if !slices.Equal(got, want) {
				t.Error("other vectors")
			}
		})
	}
	wg.Wait()
}
