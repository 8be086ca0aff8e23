// Command chaffinch turns crawled web pages into clean text corpora.
//
// Exit codes: 0 done; 1 ran, but the answer is no (some input failed, or a
// score is below its floor); 2 could not run; 130 interrupted, 143 terminated.
// A closed pipe is 0.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/dedup"
	"chaffinch/format/pdf/worker"
	"chaffinch/input/records"
	"chaffinch/internal/panics"
	"chaffinch/internal/readers"
	"chaffinch/internal/settings"
	"chaffinch/internal/termsafe"
	"chaffinch/lab/gold"
	_ "chaffinch/model/data/taggers"
	"chaffinch/pipeline"
)

// cli lists every command, in the order of the overview. Each one lives in a file of
// its own, named after it, and holds flags and messages but no algorithm.
type cli struct {
	Crawl          crawlGroup        `cmd:"" group:"pages" help:"Crawl the web for text in the wanted languages."`
	Clean          cleanCmd          `cmd:"" group:"pages" help:"Extract clean text from pages."`
	Explain        explainCmd        `cmd:"" group:"pages" help:"Show the verdict of every method on each block of a page."`
	Build          buildGroup        `cmd:"" group:"pages" help:"Build a corpus from raw pages with one recipe."`
	Convert        convertCmd        `cmd:"" group:"pages" help:"Convert clean text to another format without changing it."`
	Filter         filterGroup       `cmd:"" group:"collections" help:"Drop documents by quality rules."`
	Dedup          dedupGroup        `cmd:"" group:"collections" help:"Remove duplicate and near-duplicate text."`
	Plagiarism     plagiarismCmd     `cmd:"" group:"collections" help:"Find reused text: source documents and matching passages."`
	Detect         detectCmd         `cmd:"" group:"collections" help:"Detect the encoding of files or the language of text."`
	Tokenize       tokenizeCmd       `cmd:"" group:"collections" help:"Split text into tokens and sentences, or restore it."`
	Perplexity     perplexityCmd     `cmd:"" group:"collections" help:"Score sentences with a language model, or calibrate a threshold."`
	BulkPerplexity bulkPerplexityCmd `cmd:"" group:"pyplexity" name:"bulk-perplexity" help:"Remove improbable sentences from text or pages."`
	TagRemover     tagRemoverCmd     `cmd:"" group:"pyplexity" name:"tag-remover" help:"Write all text of pages, including boilerplate."`
	Vertical       verticalCmd       `cmd:"" group:"collections" help:"Check, repair, tag and convert verticals."`
	Corpus         corpusCmd         `cmd:"" group:"collections" help:"Build and query corpus indexes: concordances, collocations, word lists."`
	Serve          serveCmd          `cmd:"" group:"serve" help:"Serve the HTTP API and the browser interface."`
	Users          usersCmd          `cmd:"" group:"serve" help:"Manage the users of a server."`
	Mcp            mcpCmd            `cmd:"" group:"serve" name:"mcp" help:"Serve language models over MCP: clean pages, search corpora."`
	Worker         workerCmd         `cmd:"" group:"serve" help:"Serve other programs over pipes; the Python package starts it."`
	Slurm          slurmCmd          `cmd:"" group:"serve" help:"Print a Slurm script that runs a command as an array of jobs."`
	K8s            k8sCmd            `cmd:"" group:"serve" name:"k8s" help:"Print a Kubernetes job that runs a command in many pods."`
	Annotate       annotateCmd       `cmd:"" group:"models" help:"Annotate documents for training and evaluation."`
	Train          trainCmd          `cmd:"" group:"models" help:"Train models on your own text and pages."`
	Model          modelCmd          `cmd:"" group:"models" help:"Inspect model files."`
	Eval           evalCmd           `cmd:"" group:"models" help:"Evaluate methods and models against gold annotations."`
	Warc           warcCmd           `cmd:"" group:"pages" help:"List, check, extract and index web archives."`
	Version        versionCmd        `cmd:"" group:"program" help:"Print the version."`
	Doctor         doctorCmd         `cmd:"" group:"program" help:"Check the installation and suggest fixes."`
	Help           helpCmd           `cmd:"" group:"program" help:"Show the help of a command."`
	Completion     completionCmd     `cmd:"" group:"program" help:"Print a completion script for bash, zsh or fish."`
	Man            manCmd            `cmd:"" group:"program" help:"Write one manual page for each command."`
	CompleteWord   completeWordCmd   `cmd:"" group:"program" hidden:"" passthrough:"" help:"Print the completions of the last word."`

	Profile     profileFlags `embed:""`
	ShowVersion showVersion  `name:"version" help:"Print the version and exit."`
	ConfigFile  string       `placeholder:"FILE" help:"Read default values of flags from FILE (docs/reference/config-file.md); \"none\" reads no file. Default: chaffinch.yaml in the current folder, if it exists."`
}

// console holds the input and outputs of a command.
type console struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exitCodes lists the exit codes of all commands, for the manual pages.
var exitCodes = []struct{ code, means string }{
	{"0", "Completed. A closed output pipe counts as completed."},
	{"1", "Completed with failures: some input could not be read, or a score is below its floor."},
	{"2", "Failed before the end, or could not start."},
	{"130", "Interrupted (Ctrl-C)."},
	{"143", "Terminated by a signal (SIGTERM)."},
}

// secondSignal is the time after a signal in which another one has no effect: shells and programs
// that start this one may send the same signal twice.
const secondSignal = time.Second

// signals ends the context that it returns at the first signal; code is then
// the exit code, 128 and the number of the signal. A later one ends the program at once.
// An interrupt that the program was started to ignore stays ignored.
func signals() (ctx context.Context, code func() int, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	if !signal.Ignored(os.Interrupt) { // as in the background of a script
		signal.Notify(got, os.Interrupt)
	}
	var number atomic.Int32
	go func() {
		select {
		case s := <-got:
			if n, ok := s.(syscall.Signal); ok {
				number.Store(int32(n))
			}
			cancel()
			time.Sleep(secondSignal)
			signal.Stop(got)
		case <-ctx.Done():
		}
	}()
	return ctx, func() int { return 128 + int(number.Load()) }, func() { signal.Stop(got); cancel() }
}

// errNo is the error of a command that completed with failures: exit code 1.
type errNo struct{ msg string }

func (e errNo) Error() string { return e.msg }

// errUsage is an error in the value of a flag or argument, for which --help is useful.
type errUsage struct{ error }

func (e errUsage) Unwrap() error { return e.error }

// usageHint returns a line that names the --help of a command, nil for the program.
func usageHint(command *kong.Node) string {
	hint := "chaffinch"
	if command != nil {
		hint += " " + commandPath(command)
	}
	if hint == "chaffinch dedup" || hint == "chaffinch build" {
		hint += " run" // may be omitted on the command line
	}
	return fmt.Sprintf("Run \"%s --help\" for usage.\n", hint)
}

func main() {
	worker.Main() // the program may be a worker of itself
	delayCollection(os.Args[1:])
	os.Exit(run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr}))
}

// grammar returns the target of the parser: a struct with the command that args begin with
// and the global flags, or a whole cli if args begin otherwise. Preparing the flags of all
// commands takes longer than cleaning some pages.
func grammar(args []string) any {
	if len(args) == 0 {
		return new(cli)
	}
	var fields []reflect.StructField
	found := false
	for _, f := range reflect.VisibleFields(reflect.TypeFor[cli]()) {
		_, isCommand := f.Tag.Lookup("cmd")
		if isCommand {
			if cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) != args[0] {
				continue
			}
			found = true
		}
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
	}
	if !found {
		return new(cli)
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// newParser returns the parser of the command line args; exit is called after --help.
// Without args it has all commands.
func newParser(ctx context.Context, con *console, args []string, exit func(code int)) *kong.Kong {
	file := new(configFile)
	parser, err := kong.New(grammar(args),
		kong.Name("chaffinch"),
		kong.Description("Builds clean text corpora from web pages.\n\nStart here:\n  chaffinch clean page.html\n"+
			"  chaffinch crawl seeds.txt --langs gd --contact you@example.org -o crawl/\n  chaffinch build linguist crawl/ -o corpus/\n"+
			"  chaffinch serve corpus/"),
		kong.ExplicitGroups(commandGroups),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Help(printHelp),
		kong.Writers(con.out, con.err),
		kong.PostBuild(expandVars),
		kong.Resolvers(file),
		kong.WithBeforeResolve(file.load),
		kong.Exit(exit),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(con),
	)
	if err != nil {
		panic(err) // the table of commands above is wrong
	}
	addExamples(parser.Model)
	addPromises(parser.Model)
	return parser
}

// run parses args, runs the command and returns the exit code.
func run(args []string, con *console) (code int) {
	if len(args) == 0 { // the overview, but nothing was done
		run([]string{"--help"}, &console{con.in, con.err, con.err})
		return 2
	}
	ctx, signalled, end := signals()
	defer end()
	// The one place that quotes messages, and output to a terminal. Other output is unchanged.
	con = &console{readers.NewWaiting(ctx, con.in), con.out, termsafe.NewWriter(con.err)}
	if isTerminal(con.out) {
		out := termsafe.NewWriter(con.out)
		con.out = out
		defer out.Flush()
	}
	// A closed pipe is an error of the write, so that a command that has files
	// or folders to take away does so before it ends.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	exited := -1
	parser := newParser(ctx, con, args, func(c int) { exited = c })
	k, err := parser.Parse(args)
	if exited >= 0 { // --help was printed
		return exited
	}
	if errors.Is(err, syscall.EPIPE) { // of --help
		return 0
	}
	if err != nil {
		var pe *kong.ParseError
		var selected *kong.Node
		if errors.As(err, &pe) {
			err = explainParse(pe)
			selected = pe.Context.Selected()
		}
		fmt.Fprintf(con.err, "chaffinch: %v\n", err)
		fmt.Fprint(con.err, usageHint(selected))
		return 2
	}
	if limit := heapLimits[args[0]]; limit > 0 {
		limitMemory(limit)
	}
	if err = cmp.Or(resolveLanguages(k), checkRanges(k), checkAddresses(k), checkPlaces(k), checkRankFlags(k)); err == nil {
		err = useLanguageModel(k)
	}
	if err == nil {
		err = panics.Catch(func() error { return runProfiled(k) })
	}
	err = errors.Join(err, liveOf(con).End(err))
	var no errNo
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return 0
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(con.err, "chaffinch: stopped by a signal before the end\n")
		return signalled()
	case ctx.Err() != nil:
		fmt.Fprintf(con.err, "chaffinch: %v\n", err)
		return signalled()
	case errors.As(err, &no):
		fmt.Fprintf(con.err, "chaffinch: %v\n", err)
		return 1
	default:
		text := inFlags(err)
		fmt.Fprintf(con.err, "chaffinch: %s%s\n", text, diskFullHint(err))
		if strings.HasPrefix(text, "--") || errors.As(err, new(errUsage)) {
			fmt.Fprint(con.err, usageHint(k.Selected()))
		}
		printFault(con.err, err)
		return 2
	}
}

// inFlags returns the message of err in the words of the command line: libraries
// name settings, not flags.
func inFlags(err error) string {
	text := err.Error()
	var f *settings.FieldError
	switch {
	case errors.As(err, &f):
		return f.In(text, f.Flag())
	case errors.Is(err, pipeline.ErrUnfinished):
		return text + " (--resume, --force)"
	case errors.Is(err, records.ErrTooLong):
		return text + " (--max-doc-bytes)"
	case errors.Is(err, bufio.ErrTooLong):
		return strings.Replace(text, bufio.ErrTooLong.Error(), "the next line is too long: is the file in a format that the command reads?", 1)
	case errors.Is(err, gold.ErrNoSets):
		return text + " (--data, in training --page-data)"
	case errors.Is(err, dedup.ErrStartOver):
		return text + " (--force)"
	}
	return text
}

// diskFullHint returns advice for the error of a full disk, else "".
func diskFullHint(err error) string {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "free space") {
		return ""
	}
	return "\nThe disk is full: free space, or write to another disk (TMPDIR sets the folder for temporary files)."
}
