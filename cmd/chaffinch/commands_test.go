package main

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit/must"
)

// shellArgs takes the first command of a line apart, as a shell does.
func shellArgs(line string) (args []string) {
	word, open := "", false
	var quote rune
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case strings.ContainsRune(" \t;|&<>", r) || r == '#' && !open:
			if open {
				args = append(args, word)
			}
			if word, open = "", false; r != ' ' && r != '\t' {
				return args
			}
		default:
			word, open = word+string(r), true
		}
	}
	return args
}

// lineParser returns what parses lines of commands, one after the other, by one parser.
func lineParser(t *testing.T) (parse func(args []string) error) {
	parser := newParser(t.Context(), &console{strings.NewReader(""), io.Discard, io.Discard}, nil, func(int) {})
	return func(args []string) error {
		err := kong.Visit(parser.Model.Node, func(node kong.Visitable, next kong.Next) error {
			if v, ok := node.(*kong.Value); ok {
				v.Set = false // by the line before
			}
			return next(nil)
		})
		must.Succeed(t, err)
		_, err = parser.Parse(args)
		return err
	}
}

// TestLineParser: a line has none of the flags of the line before.
func TestLineParser(t *testing.T) {
	parse := lineParser(t)
	if err := parse([]string{"filter", "sites", "x.jsonl", "-o", "y", "-r", "c4"}); err != nil {
		t.Error(err)
	}
	must.Fail(t, parse([]string{"filter", "sites", "x.jsonl", "-o", "y"}), "--rules")
}

// TestCommandsOfDocs: the commands that README.md and docs show have the flags
// and arguments that they show.
func TestCommandsOfDocs(t *testing.T) {
	parse, shown := lineParser(t), 0
	for _, file := range docsPages(t) {
		b := must.Read(t, file)
		fenced := false
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
				continue
			}
			code, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
			if !ok && !fenced {
				continue
			}
			cmd, ok := strings.CutPrefix(strings.TrimPrefix(code, "$ "), "chaffinch ")
			if !ok || strings.HasSuffix(cmd, "\\") {
				continue
			}
			args := slices.DeleteFunc(shellArgs(cmd), func(word string) bool { return word == "..." || word == "[variant]" })
			if slices.Contains(args, "--help") {
				continue
			}
			if err := parse(args); err != nil {
				t.Errorf("%s: chaffinch %s: %v", file, cmd, err)
			}
			shown++
		}
	}
	if shown < 50 {
		t.Errorf("%d commands in README.md and docs, wanted more", shown)
	}
}

// pythonRun matches a call of run of the Python package whose arguments are all strings.
var pythonRun = regexp.MustCompile(`\brun\(("[^"()]*"(?:, *"[^"()]*")*)\)`)

// TestCommandsOfPython: the calls of run that the docs show for Python name commands with
// the flags and arguments that they have.
func TestCommandsOfPython(t *testing.T) {
	parse, shown := lineParser(t), 0
	for _, file := range append(docsPages(t), "../../python/README.md") {
		b := must.Read(t, file)
		for _, call := range pythonRun.FindAllStringSubmatch(string(b), -1) {
			if err := parse(shellArgs(strings.ReplaceAll(call[1], ",", " "))); err != nil {
				t.Errorf("%s: %s: %v", file, call[0], err)
			}
			shown++
		}
	}
	if shown == 0 {
		t.Error("no call of run in docs, wanted at least the one in docs/reference/python.md")
	}
}
