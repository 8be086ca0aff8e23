package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// eachCommand calls fn for every command, with its words and all of its flags.
func eachCommand(t *testing.T, fn func(words []string, node *kong.Node, flags []*kong.Flag)) {
	t.Helper()
	con := &console{strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)}
	parser := newParser(t.Context(), con, nil, func(int) {})
	n := 0
	for _, leaf := range parser.Model.Leaves(false) {
		n++
		var words []string
		for at := leaf; at.Type == kong.CommandNode; at = at.Parent {
			words = slices.Insert(words, 0, at.Name)
		}
		fn(words, leaf, slices.Concat(leaf.AllFlags(false)...))
	}
	if n < 50 {
		t.Errorf("%d commands, wanted more", n)
	}
}

// TestFlagNames: each flag has one name, and the error for its old name states the new one.
func TestFlagNames(t *testing.T) {
	odd := regexp.MustCompile(`^(least|min|max)$|^least-|tokenise|^(html|output|work|card|evidence|mend)$`)
	eachCommand(t, func(words []string, node *kong.Node, flags []*kong.Flag) {
		path := strings.Join(words, " ")
		names := map[string]bool{}
		for _, f := range flags {
			names[f.Name] = true
		}
		for _, f := range flags {
			if odd.MatchString(f.Name) {
				t.Errorf("%s --%s: such a name is retired, or says not of what", path, f.Name)
			}
			if !f.Tag.Has("was") {
				continue
			}
			old := f.Tag.Get("was")
			if names[old] {
				t.Errorf("%s --%s: was --%s, which is a flag still", path, f.Name, old)
			}
			var errs bytes.Buffer
			args := append(slices.Clone(words), "--"+old)
			if code := run(args, &console{strings.NewReader(""), new(bytes.Buffer), &errs}); code != 2 || !strings.Contains(errs.String(), "renamed to --"+f.Name+"\n") {
				t.Errorf("%s --%s: code %d: %s", path, old, code, errs.String())
			}
		}
	})
}

// TestValues: errors in flags and their values name the nearest valid one and the --help of
// the command.
func TestValues(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"filter --rules pii --pii masc", "--pii must be one of mask, pseudonym, annotate but got \"masc\": did you mean mask?\nRun \"chaffinch filter run --help\" for usage."},
		{"dedup --rank earliest", "--rank must be one of id, longest, date, input but got \"earliest\"\n"},
		{"clean x.html --fromat json", "unknown flag --fromat: did you mean --format?\nRun \"chaffinch clean --help\" for usage.\n"},
		{"clean x.html --output y.txt", "unknown flag --output: did you mean --out?\nRun \"chaffinch clean --help\" for usage.\n"},
		{"clean x.html --plan", "unknown flag --plan: a flag of build run, dedup run, plagiarism index, corpus index\nRun \"chaffinch clean --help\" for usage.\n"},
		{"filter x.jsonl --rules c4 --langs en", "unknown flag --langs: a flag of crawl run, crawl policy, clean, build run, detect lang and 5 more\n"},
		{"clean x.html --rules c4", "unknown flag --rules: a flag of filter run, "},
		{"build linguist x.html -o y --resume", "unknown flag --resume: the same command without it resumes\n"},
		{"clean x.html --wait 2h", "--wait: without effect for one process: wanted --rank, too\nRun \"chaffinch clean --help\" for usage.\n"},
		{"clean x.html -z", "unknown flag -z\nRun \"chaffinch clean --help\" for usage.\n"},
		{"corpus concordance idx x -o x.txt", "unknown flag -o: the command writes to standard output, use > FILE\nRun \"chaffinch corpus concordance --help\" for usage.\n"},
		{"clean x.html -o", "--out: no value, wanted OUT\nRun \"chaffinch clean --help\" for usage.\n"},
		{"clean x.html -o --force", "--out: no value but the flag --force, wanted OUT\n"},
		{"clean x.html -o x.jsnl", "output x.jsnl: suffix .jsnl is not known: did you mean .jsonl? wanted one of .txt, .jsonl, .json, .md"},
		{"corpus concordance index word --context s", "--context: got \"s\", wanted a whole number, at least 0\n"},
		{"clean page.html --min-confidence s", "--min-confidence: got \"s\", wanted a number, 0 to 1\n"},
		{"crawl seeds.txt --delay 100", "--delay: \"100\" is not a duration: wanted a number with a unit, such as 100ms, 5s or 10m\n"},
		{"clean x.html -o x.jsnl", "or name the format with --format\nRun \"chaffinch clean --help\" for usage.\n"},
	} {
		var errs bytes.Buffer
		if code := run(strings.Fields(c.args), &console{strings.NewReader(""), new(bytes.Buffer), &errs}); code != 2 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: code %d: %s", c.args, code, errs.String())
		}
	}
}
