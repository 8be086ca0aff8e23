package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// markdownPages returns the help of the commands as Markdown by file name: a page for each
// visible top-level command with all its subcommands.
func markdownPages(ctx context.Context, app *kong.Application) (map[string]string, error) {
	pages := map[string]string{}
	for _, node := range app.Children {
		if node.Hidden || node.Type != kong.CommandNode {
			continue
		}
		text := "# chaffinch " + node.Name + "\n"
		for _, leaf := range visibleLeaves(node) {
			words := strings.Fields(commandPath(leaf))
			if leaf != node {
				text += "\n## " + strings.Join(words, " ") + "\n"
			}
			help, err := ownHelp(ctx, words)
			if err != nil {
				return nil, err
			}
			text += "\n```text\n" + help + "```\n"
		}
		pages[node.Name+".md"] = text
	}
	return pages, nil
}

// visibleLeaves returns the visible commands below a node, or the node itself.
func visibleLeaves(node *kong.Node) []*kong.Node {
	if len(node.Children) == 0 {
		return []*kong.Node{node}
	}
	var list []*kong.Node
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			list = slices.Concat(list, visibleLeaves(child))
		}
	}
	return list
}

var (
	commonFlags = regexp.MustCompile(`(?m)^  -h, --help.*\n(?:(?: {6}--(?:version|config-file=FILE)\b| {10,}[^ -]).*\n)*\n?`)
	emptyFlags  = regexp.MustCompile(`(?m)^Flags:\n+(\n|\z|[A-Z])`)
)

// ownHelp returns the help of a command without the flags of all commands.
func ownHelp(ctx context.Context, words []string) (string, error) {
	var out bytes.Buffer
	args, code := append(slices.Clone(words), "--help"), -1
	parser := newParser(ctx, &console{strings.NewReader(""), &out, &out}, args, func(c int) { code = c })
	if _, err := parser.Parse(args); code != 0 {
		return "", fmt.Errorf("help of %s: exit code %d, %w", strings.Join(words, " "), code, err)
	}
	text := emptyFlags.ReplaceAllString(commonFlags.ReplaceAllString(out.String(), ""), "$1")
	return strings.TrimRight(text, "\n") + "\n", nil
}
