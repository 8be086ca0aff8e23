package main

import (
	"context"
	"errors"
)

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
