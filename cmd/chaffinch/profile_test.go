package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestProfiles writes a profile and a trace beside what a command does, and names
// neither flag in the help.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Write(t, at("text"), "One sentence of five words. And another one.\n")
	var plain, out, msg bytes.Buffer
	run([]string{"tokenize", at("text")}, &console{strings.NewReader(""), &plain, &msg})
	code := run([]string{"tokenize", at("text"), "--cpuprofile", at("cpu"), "--trace", at("trace")}, &console{strings.NewReader(""), &out, &msg})
	if code != 0 || out.Len() == 0 || out.String() != plain.String() {
		t.Errorf("exit code %d, output %q, wanted %q: %s", code, &out, &plain, &msg)
	}
	for name, head := range map[string]string{"cpu": "\x1f\x8b", "trace": "go 1."} {
		if b, err := os.ReadFile(at(name)); err != nil || !bytes.HasPrefix(b, []byte(head)) {
			t.Errorf("%s begins with %.8q, wanted %q; %v", name, b, head, err)
		}
	}
	for _, place := range []string{dir, at("text")} {
		if code := run([]string{"tokenize", at("text"), "--trace", place}, &console{strings.NewReader(""), io.Discard, &msg}); code != 2 {
			t.Errorf("a trace into %s: exit code %d, wanted 2", place, code)
		}
	}
	var help bytes.Buffer
	run([]string{"clean", "--help"}, &console{strings.NewReader(""), &help, io.Discard})
	if strings.Contains(help.String(), "cpuprofile") || strings.Contains(help.String(), "--trace") {
		t.Errorf("the help names flags for developers:\n%s", &help)
	}
}
