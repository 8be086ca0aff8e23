package main

import (
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestCount counts two files written by hand.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("a/b/x.go", "package b\n\n// F adds two numbers.\nfunc F(x int) int { return x + 1 }\n")
	write("a/x_test.go", "package a\n\nvar x = 1\n")
	write("a/testdata/y.go", "package y\n")
	sizes := must.Get(count(dir, 1))(t)
	s := sizes["a"]
	if len(sizes) != 1 || s == nil {
		t.Fatalf("folders %v, want a", sizes)
	}
	// package b: 2 tokens; func F ( x int ) int { return x + 1 }: 13; package a, var x = 1: 6.
	if s.files != 2 || s.lines != 7 || s.tokens != 21 || s.tests != 6 || s.words != 5 || s.functions != 1 || s.long != 0 || len(s.packages) != 2 {
		t.Errorf("counted %+v", *s)
	}
}
