// Command chaffinch-beam builds a corpus by a recipe, as "chaffinch build" does, on Apache
// Beam.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"chaffinch/build"
	"chaffinch/build/beam"
	"chaffinch/format/suffix"
	"chaffinch/internal/settings"
)

// byteSize is a size such as 64MiB.
type byteSize int64

// UnmarshalText implements [encoding.TextUnmarshaler].
func (b *byteSize) UnmarshalText(text []byte) error {
	n, err := settings.ParseSize(string(text))
	*b = byteSize(n)
	return err
}

type command struct {
	Recipe string   `arg:"" help:"Recipe: a file in YAML or JSON (docs/guides/build.md), or the name of one that comes along with chaffinch build."`
	Input  []string `arg:"" optional:"" help:"Files, folders and addresses, in place of the inputs of the recipe."`

	Out    string `short:"o" required:"" placeholder:"DIR" help:"Folder of the corpus. The same command resumes an interrupted build."`
	Shards string `placeholder:"DIR" help:"Folder or address, such as s3://bucket/name, that all workers see: shards lie there. Default: the folder of the corpus."`

	Runner      string `default:"prism" enum:"prism,flink" help:"What runs it: prism, in this process, or flink. Default: ${default}."`
	Endpoint    string `placeholder:"HOST:PORT" help:"Job server of Flink."`
	Parallelism int    `placeholder:"N" help:"How many tasks Flink does at a time. Default: what its configuration says."`
	Program     string `placeholder:"FILE" help:"This program on the machines of Flink. Default: where it lies here."`

	ShardSize  byteSize `placeholder:"SIZE" help:"Size of shards, such as 256MB. Default: 128 MiB, or what makes 10,000 shards."`
	WholeFiles bool     `help:"Do not cut large web archives."`
	Memory     byteSize `default:"256MiB" placeholder:"SIZE" help:"Memory limit of each task. It does not change the output. Default: ${default}."`
	Scratch    string   `placeholder:"DIR" help:"Folder for temporary files. Default: beside the shards, or the system's folder if they are not in a folder."`
	Quiet      bool     `short:"q" help:"No summary; errors are still shown."`
}

// Help is the long text of --help.
func (command) Help() string {
	return `Makes the corpus that "chaffinch build" makes, byte for byte, on Apache Beam (docs/guides/cluster.md). On Flink each worker is this program, which must be at the same path on all machines. Relative paths start at the current folder there too.

Examples:
  chaffinch-beam my.yaml crawl/ -o corpus/
  chaffinch-beam my.yaml crawl/ -o corpus/ --runner flink --endpoint localhost:8099 --parallelism 2
  chaffinch build status corpus/

Exit code: 0 done; 1 done, but some input could not be read; 2 not done.`
}

// errNo is the error of a build that completed with failures.
type errNo struct{ why string }

func (e errNo) Error() string { return e.why }

func main() {
	os.Exit(run())
}

func run() int {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if beam.IsWorker(os.Args[1:]) {
		return status(beam.Work(ctx, os.Args[1:]))
	}
	var cmd command
	parser, err := kong.New(&cmd, kong.Name("chaffinch-beam"), kong.Description("Builds a corpus on Apache Beam."), kong.UsageOnError())
	if err != nil {
		panic(err) // the struct above
	}
	if _, err := parser.Parse(os.Args[1:]); err != nil {
		return status(err)
	}
	return status(cmd.run(ctx, os.Stderr))
}

// status reports an error and returns the exit status.
func status(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "chaffinch-beam: %v\n", err)
	if errors.As(err, new(errNo)) {
		return 1
	}
	return 2
}

// run builds the corpus.
func (c *command) run(ctx context.Context, log io.Writer) error {
	if err := suffix.CheckFolder(c.Out); err != nil {
		return err
	}
	b, err := c.build()
	if err != nil {
		return err
	}
	runner := beam.Runner{Name: c.Runner, Endpoint: c.Endpoint, Parallelism: c.Parallelism, Program: c.Program}
	res, err := beam.Run(ctx, b, runner)
	if err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(log, "%s is complete; report: %s\n", c.Out, res.Report)
	}
	if len(res.Problems) > 0 {
		return errNo{problems(res)}
	}
	return nil
}

// problems returns the failures of a build as text.
func problems(res *build.Result) (text string) {
	for _, p := range res.Problems {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("step %s: %d %s", p.Step, p.N, p.What)
	}
	return text
}

// build returns the build for the recipe and the flags.
func (c *command) build() (*beam.Build, error) {
	r, err := build.Load(c.Recipe)
	if err != nil {
		return nil, err
	}
	v, err := version()
	if err != nil {
		return nil, err
	}
	b := &beam.Build{Inputs: r.Inputs, Dir: c.Out, Shards: c.Shards, Version: v, Memory: int64(c.Memory), ShardBytes: int64(c.ShardSize), Whole: c.WholeFiles, Scratch: c.Scratch}
	if len(c.Input) > 0 {
		b.Inputs = c.Input
	}
	if b.Shards == "" {
		b.Shards = filepath.Clean(c.Out)
	}
	b.Recipe, err = json.Marshal(r)
	return b, err
}

// version returns the revision that the program was built from, or a hash of the program if it is
// unknown.
func version() (string, error) {
	revision, modified := "", false
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	if revision != "" && !modified {
		return revision, nil
	}
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("program %.12x", h.Sum(nil)), nil
}
