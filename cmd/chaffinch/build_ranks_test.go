package main

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestBuildOnce: a folder holds the build of one process or of ranks, and commands for the other kind
// name the reason.
func TestBuildOnce(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Write(t, at("recipe.yaml"), "version: 1\nexports: [{file: corpus.txt}]\n")
	must.Write(t, at("page.html"), "<p>The ferry sails at seven, at noon and at five, every day but Sunday.")
	refused := func(want string, args ...string) {
		t.Helper()
		if _, errs := runs(t, 2, args...); !strings.Contains(errs, want) {
			t.Errorf("%v: %s", args, errs)
		}
	}
	argsOf := func(out string, flags ...string) []string {
		return append([]string{"build", "-q", at("recipe.yaml"), at("page.html"), "-o", at(out)}, flags...)
	}
	for _, command := range []string{"status", "merge"} {
		refused("page.html: a file without shards in ", "build", command, at("page.html"))
		refused("one: no such folder", "build", command, at("one"))
	}
	runs(t, 0, argsOf("one")...)
	refused("one holds the build of one process: there is nothing to merge", "build", "merge", at("one"))
	refused("one holds the build of one process: name another folder", argsOf("one", "--rank", "0/1")...)

	refused("one: the folder of a build, which holds its text several times", "build", at("recipe.yaml"), at("one"), "-o", at("two"))

	runs(t, 0, argsOf("ranks", "--rank", "0/1")...)
	refused("ranks holds shards of ranks", argsOf("ranks")...)
	refused("ranks: a build of ranks", "build", "forget", "example.org", at("ranks"))
	runs(t, 0, "build", "merge", "-q", at("ranks"))
	runs(t, 0, "build", "merge", "-q", at("ranks"))
	refused("ranks: a build of ranks", "build", "forget", "example.org", at("ranks"))

	runs(t, 0, argsOf("part", "--until", "clean")...)
	if out, errs := runs(t, 1, "build", "status", at("part")); !strings.Contains(out, "export-corpus.txt        not started") || !strings.Contains(errs, "1 step not done") {
		t.Error(out, errs)
	}
	runs(t, 0, argsOf("part")...)
	runs(t, 0, "build", "status", at("part"))

	must.Write(t, at("bad.jsonl"), `[{"text":"x"}]`)
	if _, errs := runs(t, 1, "build", "-q", at("recipe.yaml"), at("bad.jsonl"), "-o", at("bad")); !strings.Contains(errs, "bad: step clean: 1 piece of the input could not be read") {
		t.Error(errs)
	}
	if out, _ := runs(t, 0, "build", "status", at("bad")); !strings.Contains(out, " 1 piece of the input could not be read") {
		t.Error(out)
	}
}

// TestConvertOutput: a last input that does not exist may be the output.
func TestConvertOutput(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.parquet")
	must.Write(t, in, `{"text":"one"}`+"\n")
	if text, errs := runs(t, 2, "convert", in, out); text != "" || !strings.Contains(errs, "write -o "+out) {
		t.Errorf("%q %s", text, errs)
	}
}
