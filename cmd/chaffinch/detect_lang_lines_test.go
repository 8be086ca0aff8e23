package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
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

// TestBrokenLines checks that lines which are not UTF-8 are decoded, that tabs become spaces, and that a
// byte-order mark is omitted.
func TestBrokenLines(t *testing.T) {
	var out, errs bytes.Buffer
	in := "\ufeffDas Schiff ist zur\u00fcck.\r\nDas Schiff\tist zur\xfcck.\n\xc3\n\xa9\rx\n"
	if code := run([]string{"detect", "lang", "--lines"}, &console{strings.NewReader(in), &out, &errs}); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	want := []string{"-:1\tDas Schiff ist zur\u00fcck.", "-:2\tDas Schiff ist zur\u00fcck.", "-:3\t\u0423", "-:4\t\u00a9 x", ""}
	for i, line := range strings.Split(out.String(), "\n") {
		if !strings.HasSuffix(line, want[i]) {
			t.Errorf("line %d is %q, want %q at its end", i+1, line, want[i])
		}
	}
}

// TestLangTotals prints the languages of a folder with their pages and words.
func TestLangTotals(t *testing.T) {
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{
		"a.txt": strings.Repeat("Das Schiff ist gestern Abend aus dem Hafen zurückgekommen. ", 5),
		"b.txt": strings.Repeat("Der Fischer hat seine Netze am Morgen wieder ausgeworfen. ", 5),
		"c.txt": strings.Repeat("The ferry came back from the island late in the evening. ", 5),
	})
	try := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(append([]string{"detect", "lang", "--totals", dir}, args...), &console{strings.NewReader(""), &out, &errs})
		return code, out.String(), errs.String()
	}
	code, out, errs := try()
	if want := "language      pages  words   share\nGerman (de)       2     90  62.1 %\nEnglish (en)      1     55  37.9 %\n"; code != 0 || out != want {
		t.Errorf("exit code %d, %q, wanted %q; %s", code, out, want, errs)
	}
	if code, out, _ := try("--json"); code != 0 || !strings.HasPrefix(out, `{"lang":"de","pages":2,"words":90,"share":0.621}`+"\n") {
		t.Errorf("exit code %d, %q", code, out)
	}
	if code, _, errs := try("--top", "2"); code != 2 || !strings.Contains(errs, "--top") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, _ := try("--lines"); code != 2 {
		t.Errorf("--totals with --lines: exit code %d", code)
	}
}
