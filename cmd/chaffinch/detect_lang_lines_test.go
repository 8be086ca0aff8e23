package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLongLines checks that a line that is cut keeps its number, loses nothing,
// and is cut between words or characters.
func TestLongLines(t *testing.T) {
	words := strings.Repeat("Das Schiff ist zurück. ", 2*maxLine/24)
	letters := strings.Repeat("ü", maxLine)
	var out, errs bytes.Buffer
	in := words + "\r\n" + letters + "\n\nletzte Zeile"
	if code := run([]string{"detect", "lang", "--lines"}, &console{strings.NewReader(in), &out, &errs}); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	got := map[string]string{}
	pieces := 0
	for line := range strings.Lines(out.String()) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if !utf8.ValidString(f[3]) {
			t.Errorf("%s: cut in a character", f[2])
		}
		got[f[2]] += f[3]
		pieces++
	}
	for i, want := range []string{words, letters, "", "letzte Zeile"} {
		if name := fmt.Sprintf("-:%d", i+1); got[name] != want {
			t.Errorf("%s: %d bytes, want %d", name, len(got[name]), len(want))
		}
	}
	if len(got) != 4 || pieces < 6 {
		t.Errorf("%d lines in %d pieces, want 4 in 6 or more", len(got), pieces)
	}
}
