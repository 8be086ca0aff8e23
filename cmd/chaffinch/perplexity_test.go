package main

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestCalibratePacked finds the same threshold in a packed text, and refuses other formats.
func TestCalibratePacked(t *testing.T) {
	dir := t.TempDir()
	text := []byte(strings.Repeat("This is a sentence of normal text.\nAnother one is here.\n", 20))
	for name, b := range map[string][]byte{"a.txt": text, "a.gz": testkit.Gzip(text), "a.jsonl": []byte(`{"text":"a"}` + "\n")} {
		must.Write(t, filepath.Join(dir, name), b)
	}
	want, _ := runs(t, 0, "perplexity", "--calibrate", "0.9", filepath.Join(dir, "a.txt"))
	if got, _ := runs(t, 0, "perplexity", "--calibrate", "0.9", filepath.Join(dir, "a.gz")); got != want {
		t.Errorf("packed text: %q, want %q", got, want)
	}
	if _, errs := runs(t, 2, "perplexity", "--calibrate", "0.9", filepath.Join(dir, "a.jsonl")); !strings.Contains(errs, "JSON lines, wanted text") {
		t.Errorf("JSON lines: messages %q", errs)
	}
}
