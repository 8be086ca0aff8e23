package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestConfigFile: values of the file are read as on the command line, whatever their type in YAML.
func TestConfigFile(t *testing.T) {
	dir := t.TempDir()
	in, file := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "config.yaml")
	must.Write(t, in, `{"id":"a","5":"One, two."}`+"\n"+`{"id":"b","5":"one two"}`+"\n")
	for settings, want := range map[string]string{
		"quiet: maybe":         "--quiet: bool value",
		"quiet: 2":             "--quiet: bool value",
		"ngram: 1.5":           "--ngram: ",
		"checkpoint: 5":        "--checkpoint: ",
		"memory: 5000000":      "--memory: 5000000 bytes",
		"text_field: true":     `no field "true"`,
		"text_field: [a, b]":   "config.yaml: text_field: a single value is wanted, not a list",
		"fold: [1]":            "1",
		"quiet: [true, false]": "config.yaml: quiet: a single value is wanted, not a list",
	} {
		if !strings.HasPrefix(settings, "text_field") {
			settings = "text_field: 5, " + settings
		}
		must.Write(t, file, "dedup: {method: exact, "+settings+"}\n")
		var out, errs bytes.Buffer
		if code := run([]string{"dedup", in, "--config-file", file}, &console{strings.NewReader(""), &out, &errs}); code == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: code %d: %s", settings, code, &errs)
		}
	}
	must.Write(t, file, "every_command: {jobs: 2, quiet: 1}\ndedup: {method: exact, text_field: 5, fold: [case, punctuation], memory: 50000000}\n")
	var out, errs bytes.Buffer
	if code := run([]string{"dedup", in, "--config-file", file}, &console{strings.NewReader(""), &out, &errs}); code != 0 || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("code %d: %s%s", code, &out, &errs)
	}
}

// TestConfigFileOfFolder: the file of the current folder must not run programs or replace files, since
// the folder may not be the user's. A named file may.
func TestConfigFileOfFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Write(t, "in.jsonl", `{"text":"one two"}`+"\n")
	for settings, want := range map[string]string{
		"force: true":    "chaffinch.yaml: force replaces outputs",
		"out: x.jsonl":   "chaffinch.yaml: out names an output",
		"errors: x.txt":  "chaffinch.yaml: errors names an output",
		"tagger: reboot": "chaffinch.yaml: tagger names a program to run",
	} {
		must.Write(t, "chaffinch.yaml", "clean: {"+settings+"}\n")
		if _, errs := runs(t, 2, "clean", "in.jsonl"); !strings.Contains(errs, want) || !strings.Contains(errs, "--config-file") {
			t.Errorf("%s: %s", settings, errs)
		}
	}
	must.Write(t, "chaffinch.yaml", "clean: {out: x.jsonl, force: true}\n")
	runs(t, 0, "clean", "in.jsonl", "--config-file", "chaffinch.yaml")
	must.Read(t, "x.jsonl")
}
