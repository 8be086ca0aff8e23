package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReadmeSession runs the commands of README.md that show output, and wants
// the lines shown, in order. A shown line that ends in " ..." is the beginning
// of one; two blanks stand for a tab.
func TestReadmeSession(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	shown := 0
	for _, block := range strings.Split(string(readme), "\n\n") {
		lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
		line, ok := strings.CutPrefix(lines[0], "    $ chaffinch ")
		if !ok || len(lines) < 2 || strings.HasPrefix(lines[1], "    $ ") {
			continue
		}
		shown++
		var out, errs bytes.Buffer
		if code := run(strings.Fields(line), &console{strings.NewReader(""), &out, &errs}); code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, errs.String())
		}
		got := strings.ReplaceAll(out.String(), "\t", "  ")
		for _, want := range lines[1:] {
			want = strings.TrimPrefix(want, "    ")
			if want == "..." {
				break
			}
			want = strings.TrimSuffix(want, " ...")
			_, after, ok := strings.Cut(got, want)
			if !ok {
				t.Errorf("%s: no line %q, or not in this place", line, want)
				break
			}
			got = after
		}
	}
	if shown < 2 {
		t.Errorf("README.md shows the output of %d commands, want at least 2", shown)
	}
}

// TestReadmeChain: a command of README.md reads what an earlier one of its list has written.
func TestReadmeChain(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(readme), "## For data engineers")
	if !ok {
		t.Fatal("README.md has no section for data engineers")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	written := map[string]bool{}
	for line := range strings.Lines(section) {
		command, ok := strings.CutPrefix(line, "    $ chaffinch ")
		if !ok {
			continue
		}
		command, _, _ = strings.Cut(command, " #")
		args := strings.Fields(command)
		for i, arg := range args {
			switch {
			case i > 0 && args[i-1] == "-o":
				written[arg] = true
			case strings.HasSuffix(arg, ".jsonl") && !written[arg]:
				t.Errorf("%s: no command before it writes %s", strings.TrimSpace(command), arg)
			}
		}
	}
	if len(written) < 5 {
		t.Errorf("%d outputs in the chain", len(written))
	}
}
