package main

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestDetokenizeLang restores a text and reports that the language has no effect.
func TestDetokenizeLang(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text.vert")
	must.Write(t, name, []byte("<p>\n<s>\nEin\nTag\n<g/>\n.\n</s>\n</p>\n"))
	want := "chaffinch: --lang has no effect with --detokenize\n"
	if out, errs := runs(t, 0, "tokenize", "--detokenize", "--lang", "de", name); !strings.Contains(out, "Ein Tag.") || errs != want {
		t.Errorf("output %q, messages %q, want the text and %q", out, errs, want)
	}
	if _, errs := runs(t, 0, "tokenize", "--detokenize", name); errs != "" {
		t.Errorf("without --lang: messages %q, want none", errs)
	}
}
