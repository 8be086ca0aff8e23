// Command chaffinch-lines labels lines of text with a transformer: vectors of a model in ONNX
// format, and a network over the lines of each document.
//
// Exit status: 0 success; 1 completed with failures; 2 could not run. A closed pipe is 0.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// cli lists the commands. Each command is in a separate file.
type cli struct {
	Train  trainCmd  `cmd:"" help:"Train a network over the lines of documents, on the vectors of a transformer."`
	Label  labelCmd  `cmd:"" help:"Label each line as text or boilerplate."`
	Eval   evalCmd   `cmd:"" help:"Score against lines that people have labelled."`
	Tokens tokensCmd `cmd:"" help:"Cut lines into the pieces of a tokenizer.json."`
}

// console holds the standard streams of a command.
type console struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

func main() { os.Exit(run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr})) }

// run parses args, runs the command and returns the exit status.
func run(args []string, con *console) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	pipe := make(chan os.Signal, 1) // a closed pipe is an error of the write
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	exited := -1
	parser, err := kong.New(new(cli),
		kong.Name("chaffinch-lines"),
		kong.Description("Labels lines of text with a transformer: text or boilerplate."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(con.out, con.err),
		kong.Exit(func(c int) { exited = c }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(con),
	)
	if err != nil {
		panic(err) // the table of commands above is wrong
	}
	k, err := parser.Parse(args)
	if exited >= 0 { // --help was printed
		return exited
	}
	if err != nil {
		fmt.Fprintf(con.err, "chaffinch-lines: %v\nRun \"chaffinch-lines --help\" for usage.\n", err)
		return 2
	}
	switch err = k.Run(); {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return 0
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintf(con.err, "chaffinch-lines: stopped by a signal, not done\n")
		return 2
	default:
		fmt.Fprintf(con.err, "chaffinch-lines: %v\n", err)
		return 2
	}
}
