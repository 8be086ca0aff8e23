package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadLines rejects documents with too many bytes or lines.
func TestReadLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.txt")
	if err := os.WriteFile(name, []byte("one\r\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readLines(name, nil); strings.Join(got, "|") != "one|two" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.Truncate(name, maxBytes+1); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("\n", maxLines+1)
	for _, c := range []struct{ name, in, want string }{
		{name, "", "more than 16777216 bytes"},
		{"-", strings.Repeat("x", maxBytes+1), "more than 16777216 bytes"},
		{"-", long, "65537 lines, wanted at most 65536: cut the document into several"},
	} {
		if _, err := readLines(c.name, strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := readLines("-", strings.NewReader(long[1:])); err != nil {
		t.Errorf("at the limit: %v", err)
	}
}

// TestLongInput names the file in the error, and the limit.
func TestLongInput(t *testing.T) {
	var out, errs strings.Builder
	in := strings.NewReader(strings.Repeat("x", maxInput+1))
	code := run([]string{"tokens", "--tokenizer", "../../testdata/xlmr.tokenizer.json"}, &console{in, &out, &errs})
	if want := "read lines: more than 67108864 bytes"; code != 2 || !strings.Contains(errs.String(), want) {
		t.Errorf("exit code %d, %q, want %q", code, errs.String(), want)
	}
}
