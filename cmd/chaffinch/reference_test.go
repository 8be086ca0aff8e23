package main

import (
	"flag"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
)

var rewriteReference = flag.Bool("commands", false, "rewrite docs/reference/commands.md from the help of the commands")

const commandReference = "../../docs/reference/commands.md"

// TestCommandReference compares docs/reference/commands.md with the commands, the memory that
// their help promises, and the scores of filter rules.
func TestCommandReference(t *testing.T) {
	text := commandPage(t)
	if *rewriteReference {
		must.Write(t, commandReference, text)
		return
	}
	if string(must.Read(t, commandReference)) != text {
		t.Error("docs/reference/commands.md differs from the help of the commands: go test ./cmd/chaffinch -run TestCommandReference -commands")
	}
}

// commandPage returns the list of all visible commands with the first sentence of their help.
func commandPage(t *testing.T) string {
	t.Helper()
	app := newParser(t.Context(), &console{}, nil, func(int) {}).Model
	text := "# Commands\n\n`chaffinch COMMAND --help` prints all arguments, flags and examples of a command. `chaffinch man DIR` writes manual pages, `chaffinch man -f markdown DIR` the help as Markdown.\n" +
		"Every command also has `--version` and `--config-file` ([settings in a file](config-file.md)).\n\n| command | |\n|---|---|\n"
	for _, leaf := range app.Leaves(true) {
		text += "| `" + commandPath(leaf) + "` | " + leaf.Help + " |\n"
	}
	text += "\n## Memory\n\n| command | memory at most |\n|---|---|\n"
	for _, p := range promises {
		text += "| `" + p.command + "` | " + p.most + " |\n"
	}
	text += "\n## Scores\n\nScores of [filter rules](filter-rules.md) and their limits.\n\n| score | meaning | a document stays with |\n|---|---|---|\n"
	for _, g := range filter.Groups {
		for _, s := range g.Scores {
			text += scoreRow(&g, &s) + "\n"
		}
	}
	return text
}

// TestMarkdownPages writes the help as Markdown: a page for each command, with its subcommands.
func TestMarkdownPages(t *testing.T) {
	pages := must.Get(markdownPages(t.Context(), newParser(t.Context(), &console{}, nil, func(int) {}).Model))(t)
	for name, want := range map[string]string{"clean.md": "--keep", "corpus.md": "## corpus collocations\n", "man.md": "-f, --format"} {
		if !strings.Contains(pages[name], want) || strings.Contains(pages[name], "--config-file=FILE") {
			t.Errorf("%s lacks %q or has the flags of all commands:\n%.2000s", name, want, pages[name])
		}
	}
}
