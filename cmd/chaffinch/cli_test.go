package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestExamples: the help of each command has an example, whose flags and arguments
// it takes.
func TestExamples(t *testing.T) {
	known, parse := map[string]bool{}, lineParser(t)
	eachCommand(t, func(words []string, node *kong.Node, flags []*kong.Flag) {
		path := strings.Join(words, " ")
		known[path] = true
		if node.Hidden {
			return
		}
		shown := 0
		for line := range strings.Lines(node.Detail) {
			_, cmd, ok := strings.Cut(line, "chaffinch ")
			if !ok || !strings.HasPrefix(line, "  chaffinch ") && !strings.HasPrefix(line, "Example: ") {
				continue
			}
			args := shellArgs(strings.TrimSuffix(cmd, "\n"))
			if strings.HasPrefix(cmd, path) || strings.HasPrefix("build run", path) || strings.HasPrefix("dedup run", path) || strings.HasPrefix("filter run", path) || strings.HasPrefix("crawl run", path) || slices.ContainsFunc(node.Aliases, func(a string) bool { return strings.Contains(cmd, " "+a+" ") }) {
				shown++
			}
			if err := parse(args); err != nil {
				t.Errorf("%s: chaffinch %s: %v", path, strings.TrimSpace(cmd), err)
			}
		}
		if shown == 0 {
			t.Errorf("%s: the help has no example of it", path)
		}
	})
	for path := range examples {
		if !known[path] {
			t.Errorf("examples of %q, which is no command", path)
		}
	}
}

// zshSession types into an interactive zsh.
const zshSession = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; stty -echo; autoload -Uz compinit; compinit -u -D; source <(chaffinch completion zsh); echo rea""dy'
while zpty -r z line; do [[ $line = *ready* ]] && break; done
zpty -n -w z $'chaffinch corpus con\t'
zpty -n -w z $'a b --view se\t\n'
zpty -w z 'echo do""ne; exit'
while zpty -r z line; do print -r -- "$line"; [[ $line = *done* ]] && break; done`

// TestCompletion runs completion at the cursor in real shells.
func TestCompletion(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	path := "PATH=" + filepath.Dir(built(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, c := range []struct {
		shell, flag, script string
		want                []string
	}{
		{"bash", "-c", `source <(chaffinch completion bash)
			ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _chaffinch 2>/dev/null; printf '%s\n' "${COMPREPLY[@]}"; }
			ask chaffinch corpus con; ask chaffinch clean --min-c; ask chaffinch clean --format = mark; ask chaffinch dedup --rank lo; complete -p chaffinch`,
			[]string{"concordance", "--min-confidence", "markdown", "longest", "_chaffinch chaffinch"}},
		{"fish", "-c", `chaffinch completion fish | source
			complete -C "chaffinch corpus con"; complete -C "chaffinch clean --min-c"; complete -C "chaffinch clean --format mark"; complete -C "chaffinch clean /et"`,
			[]string{"concordance", "--min-confidence", "markdown", "/etc/"}},
		{"zsh", "-fc", zshSession, []string{"cordance", "ntence", "corpus a: no such folder"}},
	} {
		t.Run(c.shell, func(t *testing.T) {
			cmd := exec.Command(testkit.Tool(t, c.shell), c.flag, c.script)
			cmd.Env = append(os.Environ(), path, "HOME="+t.TempDir(), "TERM=dumb")
			out, err := cmd.CombinedOutput()
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in %s (%v)", want, out, err)
				}
			}
		})
	}
}

// TestManual writes the pages of the manual, which mandoc finds nothing wrong with.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if code := run([]string{"man", dir}, &console{strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	b := must.Read(t, filepath.Join(dir, "chaffinch-clean.1"))
	for _, want := range []string{".SH EXAMPLES", `chaffinch clean pages/ \-o text/`, `\-\-min\-confidence`, ".SH EXIT STATUS"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("chaffinch-clean.1 has no %s", want)
		}
	}
	out, err := exec.Command(testkit.Tool(t, "mandoc"), append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("mandoc: %v: %s", err, out)
	}
}

// TestVersionFlag: every command knows --version, which prints what version prints.
func TestVersionFlag(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"version"}, {"clean", "--version"}} {
		var out bytes.Buffer
		code := run(args, &console{strings.NewReader(""), &out, new(bytes.Buffer)})
		if code != 0 || !regexp.MustCompile(`^chaffinch `+regexp.QuoteMeta(version)+` .*go1.*\n$`).Match(out.Bytes()) {
			t.Errorf("%v: code %d: %s", args, code, out.String())
		}
	}
}

// TestNoCommand: chaffinch alone shows what there is.
func TestNoCommand(t *testing.T) {
	var out, msg bytes.Buffer
	if code := run(nil, &console{strings.NewReader(""), &out, &msg}); code != 2 || out.Len() > 0 || !strings.Contains(msg.String(), "clean") || !strings.Contains(msg.String(), "Usage: chaffinch <command>") {
		t.Errorf("code %d, output %q, messages %.200s", code, &out, &msg)
	}
}
