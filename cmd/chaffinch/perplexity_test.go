package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestPerplexityInput refuses lines that are not sentences, and warns that a name is scored as a sentence.
func TestPerplexityInput(t *testing.T) {
	for text, want := range map[string]string{"{\"text\":\"a\"}\n": "JSON lines, wanted a sentence per line: score their text with chaffinch convert", "tr\xe8s bon\n": "not in UTF-8", "a\n<b>\n": ""} {
		var out, errs bytes.Buffer
		code := run([]string{"perplexity"}, &console{strings.NewReader(text), &out, &errs})
		must.Equal(t, code == 0, want == "")
		must.Equal(t, out.Len() > 0, want == "")
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q: messages %q, want %q in them", text, &errs, want)
		}
	}
	name := filepath.Join(t.TempDir(), "a.txt")
	must.Write(t, name, []byte("a\n"))
	if out, errs := runs(t, 0, "perplexity", name); strings.Count(out, "\n") != 1 || !strings.Contains(errs, "chaffinch perplexity <FILE") {
		t.Errorf("a file: output %q, messages %q", out, errs)
	}
}

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
