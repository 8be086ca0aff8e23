package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"chaffinch/build"
	"chaffinch/build/store"
	"chaffinch/dedup"
	"chaffinch/internal/report"
	"chaffinch/internal/table"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// buildGroup is the command and what belongs to it.
type buildGroup struct {
	Run    buildCmd       `cmd:"" default:"withargs" help:"Build a corpus (also: chaffinch build RECIPE)."`
	Status buildStatusCmd `cmd:"" help:"Show the progress of ranks, missing parts, and the next command."`
	Merge  buildMergeCmd  `cmd:"" help:"Merge the outputs of ranks into one corpus or file."`
	Forget buildForgetCmd `cmd:"" help:"Remove a page or a site from builds."`
}

// Help is the long text of --help.
func (buildGroup) Help() string {
	return `Examples:
  chaffinch build linguist crawl/ -o corpus/
  chaffinch build linguist crawl/ -o corpus/ --rank auto
  chaffinch build status corpus/
  chaffinch build merge corpus/

Run "chaffinch build run --help" for all flags.`
}

type buildCmd struct {
	Recipe string   `arg:"" optional:"" help:"Recipe: a file in YAML or JSON (docs/guides/build.md), or the name of an embedded one (--list)."`
	Input  []string `arg:"" optional:"" help:"Files and folders, as for chaffinch clean; they replace the inputs of the recipe."`

	Out   string   `short:"o" placeholder:"DIR" help:"Folder of the corpus. A second build in the same folder resumes, and redoes the steps that have changed."`
	Langs []string `placeholder:"TAG[:X]" help:"Retain only these languages, as chaffinch clean does, instead of the languages of the recipe; all retains every language. Default: the languages of the recipe, else of the crawls, if all inputs are crawl folders."`
	pageFormatFlag
	OnePass bool   `help:"Clean and filter each page in one pass, and store only the text that is kept: less time, less than half the disk, and the same exports. A change of the rules then cleans all pages again. Also the recipe's one_pass."`
	Until   string `placeholder:"STEP" help:"Stop after this step."`
	DryRun  bool   `short:"n" help:"Print the steps, which of them would run, and why; do nothing."`
	Plan    bool   `help:"Build a sample of the input in a temporary folder, and print an estimate of time and output for each step."`
	Force   bool   `help:"Run all steps again."`

	Jobs   int        `short:"j" placeholder:"N" help:"Workers. Default: one per processor. Does not change the output."`
	Memory string     `default:"" placeholder:"SIZE" help:"Memory limit, such as 1GiB; the rest is sorted on disk, in the folder. Default: a quarter of the machine's memory, at least 256MiB. Does not change the output."`
	Disk   byteSize   `placeholder:"SIZE" help:"Maximum size of the folder, such as 200GB: the build stops at it, and resumes with a higher limit. Default: no limit."`
	Langid langidFile `placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`
	Quiet  bool       `short:"q" help:"No progress, no summary; errors are still shown."`

	excludedSitesFlag
	rankFlags

	List  bool   `group:"Embedded recipes" help:"List the embedded recipes."`
	Print string `group:"Embedded recipes" placeholder:"NAME" help:"Print an embedded recipe, as a start for your own."`

	langsNote string // about languages that the user has not named
}

// Help is the long text of --help.
func (buildCmd) Help() string {
	return `Builds a corpus from raw pages by one recipe: clean, filter, remove duplicates, tokenize, tag, index, export. Each step runs once. It runs again when its part of the recipe, its input or the program has changed; an interrupted step resumes. report.html in the folder shows what each step kept and dropped.

Examples:
  chaffinch build --list
  chaffinch build linguist crawl/ -o corpus/
  chaffinch build --print linguist > my.yaml
  chaffinch build my.yaml -o corpus/ --dry-run
  chaffinch build my.yaml -o corpus/ --plan
  chaffinch build my.yaml -o corpus/ --until clean

Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed.`
}

// Run builds the corpus.
func (c *buildCmd) Run(ctx context.Context, con *console) error {
	if c.List {
		return c.list(con)
	}
	if c.Print != "" {
		b, err := build.Bundled(c.Print)
		if err != nil {
			return fmt.Errorf("--print %s: %w", c.Print, err)
		}
		_, err = con.out.Write(b)
		return err
	}
	job, err := c.job(con)
	if err != nil {
		return err
	}
	if c.langsNote != "" && !c.Quiet {
		fmt.Fprintln(con.err, c.langsNote)
	}
	if c.Rank != "" {
		return c.ranks(ctx, job, con)
	}
	if slices.ContainsFunc(append(slices.Clone(job.Inputs), c.Out), store.IsAddress) {
		return c.away(ctx, job, con)
	}
	if c.DryRun {
		return c.look(job, con)
	}
	if c.Plan {
		return c.plan(ctx, job, con)
	}
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	collectMore(job.Recipe)
	bar, tell := buildBars(con, c.Quiet)
	job.OnProgress = tell
	job.OnStep = func(s build.PlannedStep) {
		if !c.Quiet {
			fmt.Fprintln(bar.errors, statusLine(s))
		}
	}
	told := 0
	if !c.Quiet {
		job.OnHTML = reportHTMLField(con)
	}
	job.OnError = func(e *page.Error) {
		if told++; told <= shownErrors {
			fmt.Fprintf(bar.errors, "chaffinch: %v\n", e)
		}
	}
	start := time.Now()
	res, err := build.Run(ctx, job)
	bar.stop()
	if told > shownErrors {
		fmt.Fprintf(con.err, "chaffinch: and %s\n", count(int64(told-shownErrors), "more error"))
	}
	return c.end(res, err, time.Since(start), con)
}

// away builds from or to addresses: as the only rank, and merges what that made. Shards
// of a corpus at an address are kept beside it.
func (c *buildCmd) away(ctx context.Context, job build.Config, con *console) error {
	if c.DryRun || c.Plan || c.Disk > 0 || c.Until != "" || c.Force {
		return errors.New("--dry-run, --plan, --disk, --until and --force need inputs and a folder on this machine")
	}
	out := ""
	if store.IsAddress(c.Out) {
		out = c.Out
		c.Out = strings.TrimSuffix(c.Out, "/") + shardsSuffix + "/"
		job.Out = c.Out
	}
	c.Rank, c.alone = "0/1", true
	if err := c.ranks(ctx, job, con); err != nil {
		return err
	}
	merge := buildMergeCmd{Shards: c.Out, Out: out, Quiet: c.Quiet}
	return merge.Run(ctx, con)
}

// ranks does the part of this process.
func (c *buildCmd) ranks(ctx context.Context, job build.Config, con *console) error {
	if c.DryRun || c.Plan || c.Disk > 0 {
		return errors.New("--rank cannot be combined with --dry-run, --plan and --disk, which are for one process")
	}
	if job.Out == "" {
		return errors.New("--rank: no output folder: name one with -o, for the shards of all ranks")
	}
	job.Until = ""
	show := firstErrors("")
	job.OnError = func(e *page.Error) { show(con.err, e) }
	if !c.Quiet {
		job.OnHTML = reportHTMLField(con)
	}
	job.OnProgress = nil
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	if err := builtAlone(job.Out); err != nil {
		return fmt.Errorf("--out: %w: name another folder for ranks", err)
	}
	ranks, err := build.Ranks(job)
	if err != nil {
		return err
	}
	ranks.Until = c.Until
	return c.rankFlags.run(ctx, con, c.Quiet, ranks, c.Out)
}

// buildBars returns progress bars for the current step and for all steps.
func buildBars(con *console, quiet bool) (bars, func(pipeline.Status)) {
	var left atomic.Int64
	bar := startBars(con, quiet, decor.Any(func(decor.Statistics) string {
		if d := time.Duration(left.Load()); d > 0 {
			return "; all steps " + d.Round(time.Second).String()
		}
		return ""
	}))
	return bar, func(s pipeline.Status) {
		left.Store(int64(s.SecondsLeft * float64(time.Second)))
		s.Step = fmt.Sprintf("%d/%d %s: %s", s.Number, s.Steps, s.Step, s.Part)
		bar.show(s)
	}
}

// job reads recipe and flags.
func (c *buildCmd) job(con *console) (job build.Config, err error) {
	if c.Recipe == "" {
		return job, errors.New("no recipe: name a file or an embedded recipe (chaffinch build --list lists them)")
	}
	r, err := build.Load(c.Recipe)
	if err != nil {
		return job, err
	}
	if len(c.Input) > 0 {
		r.Inputs = c.Input
	}
	if c.InputFormat != "" {
		r.Input.Form = c.InputFormat
	}
	excluded, err := c.excludedSitesFlag.read(con)
	if err != nil {
		return job, err
	}
	if excluded != nil {
		r.ExcludedSites = c.ExcludedSites
	}
	r.OnePass = r.OnePass || c.OnePass
	if c.langsNote, err = buildLangs(r, c.Langs); err != nil {
		return job, err
	}
	job = build.Config{Recipe: r, Version: programVersion(), Disk: int64(c.Disk), Until: c.Until}
	job.Inputs, job.Out, job.Workers, job.Force = r.Inputs, c.Out, c.Jobs, c.Force
	job.Memory, err = memoryLimit(c.Memory, max(pipeline.DefaultMemory(), build.MinMemory))
	return job, err
}

// printBuilt prints the size of the corpus in dir, and the command that serves it unless its place is
// an address.
func printBuilt(w io.Writer, dir, place string) error {
	s, err := build.ReadState(os.DirFS(dir))
	if err != nil {
		return err
	}
	left := s.Left()
	size := count(left.Pages, "page") + ", " + count(left.Words, "word")
	if s.Index == "" || store.IsAddress(place) {
		_, err = fmt.Fprintln(w, size)
		return err
	}
	_, err = fmt.Fprintf(w, "%s, %s\nchaffinch serve %s\n", size, count(s.Tokens, "token"), place)
	return err
}

// list prints the recipes that come along.
func (c *buildCmd) list(con *console) error {
	for _, name := range build.BundledNames() {
		r, err := build.Load(name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(con.out, "%-16s %s\n", name, r.About); err != nil {
			return err
		}
	}
	return nil
}

// look prints what would be done.
func (c *buildCmd) look(job build.Config, con *console) error {
	list, err := build.Look(job)
	if err != nil {
		return err
	}
	for _, s := range list {
		if _, err := fmt.Fprintln(con.out, statusLine(s)); err != nil {
			return err
		}
	}
	return nil
}

// collectMore collects garbage more often: a tenth less memory, and a quarter less in a build with
// taggers, where most of the heap is models. At 50 %, other builds would take 4 % more time.
func collectMore(r *build.Recipe) {
	switch {
	case os.Getenv("GOGC") != "":
	case r.Vertical != nil && r.Vertical.Tag:
		debug.SetGCPercent(50)
	default:
		debug.SetGCPercent(80)
	}
}

// plan prints the estimated time and space of a build.
func (c *buildCmd) plan(ctx context.Context, job build.Config, con *console) error {
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	collectMore(job.Recipe)
	bar, tell := buildBars(con, c.Quiet)
	job.OnProgress = tell
	p, err := build.Estimate(ctx, job)
	bar.stop()
	if err != nil {
		return err
	}
	t := table.New("step", ">time", ">pages left", ">words left", ">output", ">work files", "")
	for _, s := range p.Steps {
		pages, words := "", ""
		if s.Text {
			pages, words = number(s.Left.Pages), number(s.Left.Words)
		}
		what := ""
		if s.Done {
			what = "done already"
		}
		t.Add(s.Name, lasting(s.Seconds), pages, words, report.Size(s.Bytes), report.Size(s.Work), what)
	}
	if err := t.Write(con.out, ""); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "\nestimated from a sample of %s of %s in %s\nremaining time: about %s; largest size of the folder: about %s; memory limit: %s (--memory)\n",
		report.Size(p.Sample), report.Size(p.Input), count(int64(p.Files), "file"), lasting(p.Seconds), report.Size(p.Disk), report.Size(job.Memory))
	return err
}

// lasting writes a time of so many seconds, as exact as an estimate is.
func lasting(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < time.Minute {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// statusLine returns the state of a step as a line.
func statusLine(s build.PlannedStep) string {
	what := "done already"
	switch {
	case s.Resumes:
		what = "resumes: " + s.Reason
	case !s.Done:
		what = "to do: " + s.Reason
	}
	return fmt.Sprintf("%d/%d %-24s %s", s.Number, s.Steps, s.Name, what)
}

// end prints the result, or returns err with a hint on how to resume.
func (c *buildCmd) end(res *build.Result, err error, took time.Duration, con *console) error {
	if res == nil {
		return err
	}
	if err != nil {
		hint := "run the same command to resume"
		if _, e := os.Stat(res.Report); e == nil {
			hint += "; " + res.Report + " shows the results so far"
		}
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped in step %s: %s", res.Steps[len(res.Steps)-1].Name, hint)
		}
		return fmt.Errorf("%w\nThe output of earlier steps is kept. After fixing the error, %s", err, hint)
	}
	dir, name := filepath.Split(res.Report)
	place := filepath.Clean(dir)
	if store.IsAddress(c.Out) { // dir is temporary
		place = strings.TrimSuffix(c.Out, "/")
	}
	shown := place + "/" + name
	if !c.Quiet {
		if len(res.Removed) > 0 {
			fmt.Fprintf(con.err, "removed, since the recipe has no step for it: %s\n", strings.Join(res.Removed, ", "))
		}
		if res.Ran == 0 {
			fmt.Fprintf(con.err, "nothing to do: %s up to date; %s\n", count(int64(len(res.Steps)), "step"), shown)
		} else {
			fmt.Fprintf(con.err, "%s done in %s; %s\n", count(int64(res.Ran), "step"), took.Round(time.Millisecond), shown)
		}
		if err := printBuilt(con.err, dir, place); err != nil {
			return err
		}
	}
	printWarnings(con.err, res.Warnings)
	if len(res.Problems) > 0 {
		var all []string
		for _, p := range res.Problems {
			all = append(all, fmt.Sprintf("%s: step %s: %s %s", place, p.Step, number(p.N), p.What))
		}
		return errNo{strings.Join(all, "\n")}
	}
	return nil
}
