package main

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestDetokenizeLang restores a text and reports that language and rules have no effect.
func TestDetokenizeLang(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text.vert")
	must.Write(t, name, []byte("<p>\n<s>\nEin\nTag\n<g/>\n.\n</s>\n</p>\n"))
	want := "chaffinch: --lang and --rules have no effect with --detokenize\n"
	if out, errs := runs(t, 0, "tokenize", "--detokenize", "--lang", "de", name); !strings.Contains(out, "Ein Tag.") || errs != want {
		t.Errorf("output %q, messages %q, want the text and %q", out, errs, want)
	}
	if out, errs := runs(t, 0, "tokenize", "--detokenize", "--rules", "none.rules", name); !strings.Contains(out, "Ein Tag.") || errs != want {
		t.Errorf("with --rules: output %q, messages %q, want the text and %q", out, errs, want)
	}
	if _, errs := runs(t, 0, "tokenize", "--detokenize", name); errs != "" {
		t.Errorf("without --lang: messages %q, want none", errs)
	}
}

// TestTokenizeInvalid adds columns to a text with invalid UTF-8, which is repaired and reported.
func TestTokenizeInvalid(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text.txt")
	must.Write(t, name, []byte("good \xff text – in UTF-8\n"))
	for _, with := range [][]string{{"--tag", "-l", "en"}, {"--tokenizer", "cat"}} {
		out, errs := runs(t, 0, append([]string{"tokenize", name}, with...)...)
		if !strings.Contains(out, "\ntext") || !strings.Contains(out, "\n\ufffd") || !strings.Contains(errs, "text: repaired: 1 × invalid UTF-8") {
			t.Errorf("%s: output %q, messages %q, want three tokens and a repair", with[0], out, errs)
		}
	}
	if _, errs := runs(t, 2, "tokenize", name, "--tag"); !strings.Contains(errs, "--lang") {
		t.Errorf("without --lang: messages %q", errs)
	}
}
