package main

import (
	"context"
	"errors"

	"github.com/alecthomas/kong"
)

// commandGroups are the parts of the overview.
var commandGroups = []kong.Group{
	{Key: "pages", Title: "From pages to text:"},
	{Key: "collections", Title: "Collections of text:"},
	{Key: "corpora", Title: "Corpora to query:"},
	{Key: "serve", Title: "In the browser, over HTTP, on many machines:"},
	{Key: "models", Title: "Models and their evaluation:"},
	{Key: "program", Title: "About this program:"},
}

// printHelp prints the overview, one line for each command or group of commands, or
// the help of the command that was named.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if named := ctx.Selected(); named != nil {
		named.Group = nil // a title of the overview says nothing above its own commands
	} else {
		options.NoExpandSubcommands, options.FlagsLast = true, true
	}
	return kong.DefaultHelpPrinter(options, ctx)
}

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"A command, such as clean or corpus index. Default: the list of all commands."`
}

// Run prints what --help of the command prints.
func (c *helpCmd) Run(ctx context.Context, con *console) error {
	done := false
	parser := newParser(ctx, con, nil, func(int) { done = true })
	_, err := parser.Parse(append(c.Command, "--help"))
	switch {
	case done:
		return nil
	case err == nil:
		return errors.New("no help was printed")
	}
	return err
}
