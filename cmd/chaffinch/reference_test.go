package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
)

var rewriteReference = flag.Bool("commands", false, "rewrite docs/reference/commands from the help of the commands")

const referenceFolder = "../../docs/reference/commands"

// TestCommandReference wants the pages of docs/reference/commands to be the help of the
// commands.
func TestCommandReference(t *testing.T) {
	pages := commandPages(t)
	if *rewriteReference {
		must.Succeed(t, os.RemoveAll(referenceFolder))
		must.Succeed(t, os.MkdirAll(referenceFolder, 0o777))
		for name, text := range pages {
			must.Succeed(t, os.WriteFile(filepath.Join(referenceFolder, name), []byte(text), 0o666))
		}
		return
	}
	files, err := filepath.Glob(filepath.Join(referenceFolder, "*.md"))
	must.Succeed(t, err)
	for _, f := range files {
		if pages[filepath.Base(f)] == "" {
			t.Errorf("%s: no such command; %s", f, howToRewrite)
		}
	}
	for name, text := range pages {
		b, err := os.ReadFile(filepath.Join(referenceFolder, name))
		if err != nil || string(b) != text {
			t.Errorf("docs/reference/commands/%s differs from the help of the command (%v); %s", name, err, howToRewrite)
		}
	}
}

const howToRewrite = "write the pages with: go test ./cmd/chaffinch -run TestCommandReference -commands"

// commandPages returns the pages of the reference by file name: an index, and a page for each
// visible command at the top level with the help of its subcommands.
func commandPages(t *testing.T) map[string]string {
	t.Helper()
	top := newParser(t.Context(), &console{strings.NewReader(""), new(strings.Builder), new(strings.Builder)}, nil, func(int) {}).Model
	pages := map[string]string{}
	index := "# Commands\n\nThese pages are generated from `chaffinch COMMAND --help`. Every command also has `--help`, `--version` and `--config-file`" +
		" ([settings in a file](../config-file.md)).\n\n| command | |\n|---|---|\n"
	for _, node := range top.Children {
		if node.Hidden || node.Type != kong.CommandNode {
			continue
		}
		index += "| [`" + node.Name + "`](" + node.Name + ".md) | " + node.Help + " |\n"
		page := "# chaffinch " + node.Name + "\n"
		for _, leaf := range leavesOf(node) {
			words := strings.Fields(commandPath(leaf))
			if leaf != node {
				page += "\n## " + strings.Join(words, " ") + "\n"
			}
			page += "\n```text\n" + ownHelp(t, words) + "```\n"
		}
		if node.Name == "filter" {
			page += scoreTable()
		}
		pages[node.Name+".md"] = page
	}
	index += "\n## Memory\n\n| command | memory at most |\n|---|---|\n"
	for _, p := range promises {
		index += "| `" + p.command + "` | " + p.most + " |\n"
	}
	pages["README.md"] = index
	return pages
}

// flagsOfOthers are flags in the guides that belong to other programs.
var flagsOfOthers = []string{"beam.md --endpoint", "beam.md --parallelism", "beam.md --program", "beam.md --runner", "beam.md --shards", "tagger.md --tag", "tagger.md --input", "tagger.md --output"}

// TestFlagsOfGuides wants the flags that the prose and tables of the guides name to be flags of
// a command.
func TestFlagsOfGuides(t *testing.T) {
	known := map[string]bool{}
	eachCommand(t, func(_ []string, _ *kong.Node, flags []*kong.Flag) {
		for _, f := range flags {
			known["--"+f.Name] = true
		}
	})
	pages, err := filepath.Glob("../../docs/guides/*.md")
	must.Succeed(t, err)
	name, checked := regexp.MustCompile(`--[a-z][a-z-]+`), 0
	for _, page := range pages {
		for _, b := range markdownBlocks(string(must.Read(t, page))) {
			if b.info != "" {
				continue // TestCommandsOfDocs and TestGuides check commands
			}
			for _, f := range name.FindAllString(b.text, -1) {
				checked++
				if !known[f] && !slices.Contains(flagsOfOthers, filepath.Base(page)+" "+f) {
					t.Errorf("%s: no command has the flag %s", page, f)
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d flags in the guides, wanted more", checked)
	}
}

// scoreTable returns a section with all scores of filter rules and their limits.
func scoreTable() string {
	text := "\n## Scores\n\n| score | meaning | a document stays with |\n|---|---|---|\n"
	for _, g := range filter.Groups {
		for _, s := range g.Scores {
			text += scoreRow(&g, &s) + "\n"
		}
	}
	return text
}

// leavesOf returns the visible commands below a node, or the node itself.
func leavesOf(node *kong.Node) []*kong.Node {
	if len(node.Children) == 0 {
		return []*kong.Node{node}
	}
	var list []*kong.Node
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			list = slices.Concat(list, leavesOf(child))
		}
	}
	return list
}

var (
	commonFlags = regexp.MustCompile(`(?m)^  -h, --help.*\n(?:(?: {6}--(?:version|config-file=FILE)\b| {10,}[^ -]).*\n)*\n?`)
	emptyFlags  = regexp.MustCompile(`(?m)^Flags:\n+(\n|\z|[A-Z])`)
)

// ownHelp returns the help of a command without the flags that every command has.
func ownHelp(t *testing.T, words []string) string {
	t.Helper()
	var help strings.Builder
	if code := run(append(words, "--help"), &console{strings.NewReader(""), &help, &help}); code != 0 {
		t.Fatalf("%v --help: exit code %d: %s", words, code, help.String())
	}
	text := emptyFlags.ReplaceAllString(commonFlags.ReplaceAllString(help.String(), ""), "$1")
	return strings.TrimRight(text, "\n") + "\n"
}
