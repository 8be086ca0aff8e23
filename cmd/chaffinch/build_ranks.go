package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"chaffinch/build"
	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/filter/job"
	"chaffinch/format/suffix"
	"chaffinch/internal/files"
	"chaffinch/internal/merge"
	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
	"chaffinch/internal/report"
	"chaffinch/internal/workdir"
	"chaffinch/pipeline"
)

type buildStatusCmd struct {
	Shards string `arg:"" placeholder:"DIR" help:"Folder of the corpus, or output file, as given with -o."`
	Ranks  int    `placeholder:"N" help:"Print the array of the unfinished ranks, of N. Default: the number of shards."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Help is the long text of --help.
func (buildStatusCmd) Help() string {
	return `Examples:
  chaffinch build status corpus/
  chaffinch build status corpus.jsonl.zst --ranks 100

Exit code: 0 complete; 1 shards or steps are missing; 2 no build of ranks found.`
}

// rankState is the state of a step in the output of build status.
type rankState struct {
	Step    string  `json:"step"`
	Tasks   int     `json:"tasks"`
	Done    int     `json:"done"`
	Leased  int     `json:"leased"`
	Missing string  `json:"missing,omitempty"`
	Array   string  `json:"array,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
}

// Run prints the progress.
func (c *buildStatusCmd) Run(ctx context.Context, con *console) error {
	if done, err := c.built(ctx, con); done || err != nil {
		return err
	}
	var s store.Store
	var err error
	if c.Shards, s, err = shardsOf(ctx, c.Shards); err != nil {
		return err
	}
	p, steps, err := cluster.Status(ctx, s)
	if err != nil {
		return err
	}
	of := c.Ranks
	if of <= 0 {
		of = len(p.Shards)
	}
	var bytes int64
	for i := range p.Shards {
		bytes += p.Shards[i].Bytes()
	}
	var list []rankState
	missing := 0
	for _, st := range steps {
		missing += len(st.Missing)
		list = append(list, rankState{Step: st.Name, Tasks: st.Tasks, Done: st.Tasks - len(st.Missing), Leased: st.Leased,
			Missing: cluster.Array(st.Missing), Array: cluster.Array(p.Ranks(st.Name, st.Missing, of))})
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		err = enc.Encode(struct {
			Job     string      `json:"job"`
			Program string      `json:"program"`
			Shards  int         `json:"shards"`
			Bytes   int64       `json:"bytes"`
			Ranks   int         `json:"ranks"`
			Steps   []rankState `json:"steps"`
		}{p.Job, p.Program, len(p.Shards), bytes, of, list})
	} else {
		var out string
		if missing == 0 {
			if out, err = c.merged(ctx, s, p.Job); err != nil {
				return err
			}
		}
		err = c.print(con.out, p, list, bytes, of, out)
	}
	if err == nil && missing > 0 {
		err = errNo{fmt.Sprintf("%s missing", count(int64(missing), "task"))}
	}
	return err
}

// built prints the state of a build that one process has made or is making, or that was
// merged. done is false if no such build is there.
func (c *buildStatusCmd) built(ctx context.Context, con *console) (done bool, err error) {
	dir := c.Shards
	if store.IsAddress(dir) {
		work, err := workdir.Temp()
		if err != nil {
			return true, err
		}
		defer work.Close()
		dir = work.Path
		from, err := storeOf(c.Shards)
		if err != nil {
			return true, err
		}
		b, err := store.Read(ctx, from, build.StateName, 1<<30)
		if err == nil {
			err = files.WriteFile(filepath.Join(dir, build.StateName), b)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true, err
		}
	}
	s, err := build.ReadState(os.DirFS(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("%s: %w", c.Shards, err)
	}
	if c.JSON {
		return true, json.NewEncoder(con.out).Encode(s)
	}
	undone := 0
	for _, st := range s.Steps {
		state := "done in " + lasting(st.Seconds)
		if w := s.Working; w != nil && w.Step == st.Name {
			state = "running"
		} else if !st.Done {
			undone++
			state = cmp.Or(st.Error, "interrupted")
		}
		line := fmt.Sprintf("%-24s %s", st.Name, state)
		if st.Flow != nil {
			line += fmt.Sprintf(": %s, %s left", count(st.Flow.Kept.Pages, "page"), count(st.Flow.Kept.Words, "word"))
		}
		for _, p := range st.Problems {
			line += fmt.Sprintf("\n%-24s %s %s", "", number(p.N), p.What)
		}
		if _, err := fmt.Fprintln(con.out, line); err != nil {
			return true, err
		}
	}
	for _, name := range s.Todo {
		undone++
		if _, err := fmt.Fprintf(con.out, "%-24s not started\n", name); err != nil {
			return true, err
		}
	}
	switch {
	case s.Working != nil:
		_, err = fmt.Fprintf(con.out, "in progress: step %d of %d, %s\n", s.Working.Number, s.Working.Steps, s.Working.Step)
		return true, cmp.Or(err, error(errNo{"the build is not complete"}))
	case undone > 0:
		return true, errNo{count(int64(undone), "step") + " not done: run the command that began the build to resume"}
	}
	return true, printBuilt(con.out, dir, c.Shards)
}

// merged returns the output file of complete shards, or "" if it is missing or older than a shard.
func (c *buildStatusCmd) merged(ctx context.Context, s store.Store, job string) (string, error) {
	out, ok := strings.CutSuffix(filepath.Clean(c.Shards), shardsSuffix)
	st, err := os.Stat(out)
	if !ok || store.IsAddress(c.Shards) || err != nil {
		return "", nil
	}
	for o, err := range s.List(ctx, job+"/") {
		if err != nil || o.Changed.After(st.ModTime()) {
			return "", err
		}
	}
	return out, nil
}

// builtAlone returns an error if a folder holds a build of one process.
func builtAlone(dir string) error {
	if _, err := build.ReadState(os.DirFS(dir)); err != nil || cluster.HasPlan(dir) { // with a plan, a merged one
		return nil
	}
	return fmt.Errorf("%s holds the build of one process", dir)
}

func (c *buildStatusCmd) print(w io.Writer, p *cluster.Plan, list []rankState, bytes int64, of int, merged string) error {
	_, err := fmt.Fprintf(w, "%s of %s with %s, %s\n", p.Job, strings.Join(p.Inputs, " "), count(int64(len(p.Shards)), "shard"), report.Size(bytes))
	for _, st := range list {
		line := fmt.Sprintf("%s: %d of %d done", st.Step, st.Done, st.Tasks)
		if st.Leased > 0 {
			line += fmt.Sprintf(", %d leased", st.Leased)
		}
		if st.Missing != "" {
			line += "; missing " + st.Missing
		}
		if err == nil {
			_, err = fmt.Fprintln(w, line)
		}
	}
	for _, st := range list {
		if st.Array != "" && err == nil {
			_, err = fmt.Fprintf(w, "to resume: the same command with --rank auto as array %s, and %s=%d in its environment\n", st.Array, cluster.RanksVariable, of)
			return err
		}
	}
	switch {
	case err != nil || p.Job == build.BeamJob:
	case merged != "":
		_, err = fmt.Fprintln(w, "merged: "+merged)
	default:
		_, err = fmt.Fprintln(w, mergeCommand(c.Shards))
	}
	return err
}

type buildMergeCmd struct {
	Shards string `arg:"" placeholder:"DIR" help:"Folder of the corpus, or output file, as given with -o."`

	Out     string `short:"o" placeholder:"OUT" help:"Folder of the corpus, output file, or an address such as s3://bucket/corpus. Default: the folder of the shards; for a file, beside them."`
	Summary string `placeholder:"FILE" help:"Also write the summary as JSON."`
	Quiet   bool   `short:"q" help:"No summary."`
}

// Help is the long text of --help.
func (buildMergeCmd) Help() string {
	return `Examples:
  chaffinch build merge corpus.jsonl.zst
  chaffinch build merge corpus/

Merges each output into one file, with the same bytes as from a single process (compressed files, after unpacking). Outputs that cannot be concatenated, such as Parquet, become a folder with one file per shard. Reports are merged into one.
Exit code: 0 completed; 1 completed, but some input could not be read; 2 failed, such as when a shard is missing.`
}

// Run puts together what ranks have made.
func (c *buildMergeCmd) Run(ctx context.Context, con *console) error {
	var s store.Store
	var err error
	if c.Shards, s, err = shardsOf(ctx, c.Shards); err != nil {
		return err
	}
	if err := builtAlone(c.Shards); err != nil {
		return fmt.Errorf("%w: there is nothing to merge", err)
	}
	p, err := cluster.LoadPlan(ctx, s)
	if err != nil {
		return err
	}
	if p.Job == build.RanksJob {
		return c.corpus(ctx, con, p, s)
	}
	if p.Job == build.BeamJob {
		return fmt.Errorf("%s: shards of chaffinch-beam: run the command that wrote them again to merge them", c.Shards)
	}
	return c.files(ctx, con, p, s)
}

// local returns the folder in which what goes to a place is made: one for the time of the
// work if that is an address.
func (c *buildMergeCmd) local(place string) (dir string, end func() error, err error) {
	if !store.IsAddress(place) {
		return place, func() error { return nil }, nil
	}
	work, err := workdir.Temp()
	if err != nil {
		return "", nil, err
	}
	return work.Path, work.Close, nil
}

// up uploads the contents of a folder, if the destination is an address.
func (c *buildMergeCmd) up(ctx context.Context, dir, place string) error {
	if !store.IsAddress(place) {
		return nil
	}
	to, err := storeOf(place)
	if err != nil {
		return err
	}
	return store.PutFolder(ctx, to, dir)
}

// corpus makes the corpus of a build.
func (c *buildMergeCmd) corpus(ctx context.Context, con *console, p *cluster.Plan, s store.Store) (err error) {
	r, err := build.PlannedRecipe(p)
	if err != nil {
		return err
	}
	start := time.Now()
	out := c.Out
	if out == "" && store.IsAddress(c.Shards) {
		return fmt.Errorf("%s: name a folder for the corpus with -o", c.Shards)
	}
	memory := max(pipeline.DefaultMemory(), build.MinMemory)
	dir, end, err := c.local(cmp.Or(out, c.Shards))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	job := build.Config{Job: pipeline.Job{Out: dir, Memory: memory}, Recipe: r, Version: programVersion()}
	ranks, err := build.Ranks(job)
	if err != nil {
		return err
	}
	if err := p.Check(&ranks); err != nil {
		return err
	}
	res, err := build.MergeRanks(ctx, job, s)
	if err == nil {
		err = c.up(ctx, dir, c.Out)
	}
	if err != nil {
		return err
	}
	cmd := buildCmd{Quiet: c.Quiet, Out: cmp.Or(out, c.Shards)}
	res.Ran = len(res.Steps)
	return cmd.end(res, nil, time.Since(start), con)
}

// files puts the outputs of clean, filter or tokenize together.
func (c *buildMergeCmd) files(ctx context.Context, con *console, p *cluster.Plan, s store.Store) (err error) {
	var set rankSettings
	if err := json.Unmarshal(p.Settings, &set); err != nil || len(set.Outputs) == 0 {
		return fmt.Errorf("%s: no settings of outputs in %s", c.Shards, cluster.PlanName)
	}
	out := c.Out
	if out == "" {
		if store.IsAddress(c.Shards) || !strings.HasSuffix(filepath.Clean(c.Shards), shardsSuffix) {
			return fmt.Errorf("%s: name the file with -o", c.Shards)
		}
		out = strings.TrimSuffix(filepath.Clean(c.Shards), shardsSuffix)
	}
	if p.Job == "" || len(p.Steps) != 1 || p.Steps[0] != (cluster.PlannedStep{Name: p.Job, Tasks: len(p.Shards)}) {
		return fmt.Errorf("%s: the steps in %s are not the steps of %s: the plan is damaged", c.Shards, cluster.PlanName, p.Job)
	}
	for _, o := range set.Outputs[1:] {
		if !fs.ValidPath(o.Name) || o.Name == "." {
			return fmt.Errorf("%s: an output %q in %s: the plan is damaged", c.Shards, o.Name, cluster.PlanName)
		}
	}
	place, name := filepath.Split(out)
	dir, end, err := c.local(place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if err := mergedName(name, set.Outputs[0].Name); err != nil {
		return err
	}
	for _, o := range set.Outputs {
		if !o.Joins {
			return fmt.Errorf("%s: files of this format cannot be concatenated: use the files in %s", o.Name, filepath.Join(c.Shards, p.Job))
		}
	}
	for i, o := range set.Outputs {
		if i > 0 {
			name = o.Name
		}
		if err := concat(ctx, s, p, o.Name, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := c.up(ctx, dir, place); err != nil {
		return err
	}
	return c.printReports(ctx, con, p, s)
}

// mergedName returns an error if the name of a merged file promises another format than
// the name of the file that the shards are parts of.
func mergedName(name, part string) error {
	format := suffix.Of(part).Format
	if format == "" && suffix.Of(name).Format != "" {
		return fmt.Errorf("output %s: the shards are parts of %s, a name without a format suffix: leave the suffix out", name, part)
	}
	return suffix.Check(name, format)
}

// concat puts the parts of an output together, packed as the name of the file says.
func concat(ctx context.Context, s store.Store, p *cluster.Plan, part, file string) error {
	join := func(w io.Writer) error { return cluster.Concat(ctx, s, p, p.Job, part, w) }
	if suffix.Of(part).Packing == suffix.Of(file).Packing {
		return files.Replace(file, join)
	}
	return files.ReplacePacked(file, func(w io.Writer) error {
		return parallel.Pipe(join, func(in io.Reader) error {
			r, err := packed.NewReader(in, packed.Trusted)
			if err != nil {
				return err
			}
			defer r.Close()
			_, err = io.Copy(w, r)
			return err
		})
	})
}

// printReports writes the summary of all shards.
func (c *buildMergeCmd) printReports(ctx context.Context, con *console, p *cluster.Plan, s store.Store) error {
	var pages pipeline.Report
	var filtered job.Result
	took := 0.0
	for m, err := range cluster.Manifests(ctx, s, p, p.Job) {
		if err != nil {
			return err
		}
		took += m.Seconds
		switch p.Job {
		case "clean":
			err = addReport(&pages, m.Report)
		case "filter":
			err = addReport(&filtered, m.Report)
		}
		if err != nil {
			return fmt.Errorf("%s: report: %w", m.Task, err)
		}
	}
	switch p.Job {
	case "clean":
		cmd := cleanCmd{Summary: c.Summary, Quiet: c.Quiet}
		if err := cmd.printReport(&pages, con.err); err != nil {
			return err
		}
		if pages.Errors() > 0 {
			return errNo{fmt.Sprintf("%s could not be read or cleaned", count(pages.Errors(), "piece"))}
		}
	case "filter":
		cmd := collectionRun{Summary: c.Summary, Quiet: c.Quiet}
		printWarnings(con.err, filtered.Warnings())
		seconds := time.Duration(took * float64(time.Second))
		if err := cmd.printReport(&filtered, func() error { return writeFilterReport(con.err, &filtered, seconds) }); err != nil {
			return err
		}
		return incompleteError(filtered.In.Docs, filtered.Bad, filtered.Outside, filtered.Failed)
	}
	return nil
}

// addReport adds the report of a shard.
func addReport[T any](sum *T, report []byte) error {
	part := new(T)
	if err := json.Unmarshal(report, part); err != nil {
		return err
	}
	merge.Add(sum, part)
	return nil
}
