package main

import (
	"context"
	"errors"

	"github.com/alecthomas/kong"
)

// commandGroups are the sections of the overview.
var commandGroups = []kong.Group{
	{Key: "pages", Title: "Pages:"},
	{Key: "collections", Title: "Text collections and corpora:"},
	{Key: "serve", Title: "Servers and clusters:"},
	{Key: "models", Title: "Models and evaluation:"},
	{Key: "program", Title: "General:"},
	{Key: "pyplexity", Title: "As in PyPlexity:"},
}

// printHelp prints the overview, one line for each command or group of commands, or
// the help of the command that was named.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if named := ctx.Selected(); named != nil {
		named.Group = nil // a title of the overview says nothing above its own commands
	} else {
		options.NoExpandSubcommands, options.FlagsLast = true, true
		for _, command := range ctx.Model.Children { // PyPlexity's names, for its users alone
			if command.Group != nil && command.Group.Key == "pyplexity" {
				command.Hidden, command.Group = true, nil
			}
		}
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
	if parse := (*kong.ParseError)(nil); errors.As(err, &parse) {
		return explainParse(parse)
	}
	return err
}
