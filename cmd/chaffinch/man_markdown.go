package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/lazyregexp"
)

// markdownPages returns the help of the commands as Markdown by file name: a page for each
// visible top-level command with all its subcommands.
func markdownPages(ctx context.Context, app *kong.Application) (map[string]string, error) {
	pages := map[string]string{}
	for _, leaf := range app.Leaves(true) {
		words := strings.Fields(commandPath(leaf))
		help, err := ownHelp(ctx, words)
		if err != nil {
			return nil, err
		}
		name := words[0] + ".md"
		if pages[name] == "" {
			pages[name] = "# chaffinch " + words[0] + "\n"
		}
		if len(words) > 1 {
			pages[name] += "\n## " + strings.Join(words, " ") + "\n"
		}
		pages[name] += "\n```text\n" + help + "```\n"
	}
	return pages, nil
}

var (
	commonFlags = lazyregexp.New(`(?m)^  -h, --help.*\n(?:(?: {6}--(?:version|config-file=FILE)\b| {10,}[^ -]).*\n)*\n?`)
	emptyFlags  = lazyregexp.New(`(?m)^Flags:\n+(\n|\z|[A-Z])`)
)

// ownHelp returns the help of a command without the flags of all commands.
func ownHelp(ctx context.Context, words []string) (string, error) {
	var out bytes.Buffer
	args, code := append(slices.Clone(words), "--help"), -1
	parser := newParser(ctx, &console{strings.NewReader(""), &out, &out}, args, func(c int) { code = c })
	if _, err := parser.Parse(args); code != 0 {
		return "", fmt.Errorf("help of %s: exit code %d, %w", strings.Join(words, " "), code, err)
	}
	text := emptyFlags().ReplaceAllString(commonFlags().ReplaceAllString(out.String(), ""), "$1")
	return strings.TrimRight(text, "\n") + "\n", nil
}
