package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/build/cluster"
	"chaffinch/build/recipe"
	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
)

// rankFlags holds the flags of commands whose work several processes can share.
type rankFlags struct {
	Rank       string        `name:"rank" group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"WHO" help:"Process the shards of one of several processes: auto (the rank set by Slurm, Kubernetes, AWS Batch, Cloud Run, SGE, PBS, LSF or MPI; without one, leases), 3/100 (rank 3 of 100, from 0) or lease (shards without a lease). Finished shards are skipped, and the number of ranks may change."`
	ShardSize  byteSize      `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"SIZE" help:"Size of shards, such as 256MB, fixed by the first process. Default: 128 MiB, or the size for 10,000 shards."`
	WholeFiles bool          `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" help:"Do not split large web archives."`
	Wait       time.Duration `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"TIME" help:"Time to wait for shards of other processes, such as 2h. Default: exit; the same command resumes."`
	Scratch    string        `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"DIR" help:"Folder for temporary files. Default: beside the shards, or the system's temporary folder if the shards are remote."`

	alone bool // the command that follows is run as well
}

// checkRankFlags is an error if the command line has a flag for ranks that has no effect, since there is
// neither --rank nor an address.
func checkRankFlags(k *kong.Context) error {
	if slices.ContainsFunc(k.Args, store.IsAddress) {
		return nil
	}
	unused := ""
	for _, p := range k.Path {
		switch {
		case p.Flag == nil || p.Flag.Group == nil || !strings.HasPrefix(p.Flag.Group.Key, "Ranks:"):
		case p.Flag.Name == "rank":
			return nil
		case !p.Resolved:
			unused = p.Flag.Name
		}
	}
	if unused == "" {
		return nil
	}
	return fmt.Errorf("--%s: without effect for one process: wanted --rank, too", unused)
}

// shardsSuffix ends the name of the folder that holds the shards of an output file.
const shardsSuffix = ".shards"

// addresses returns the opener of remote stores.
var addresses = sync.OnceValue(func() store.Opener { return remote.Open(remote.Default) })

// storeOf returns the store of a folder or address.
func storeOf(name string) (store.Store, error) {
	if !store.IsAddress(name) {
		return store.Folder(name), nil
	}
	s, prefix, err := addresses()(name)
	if err != nil {
		return nil, err
	}
	return store.Under(s, prefix), nil
}

// shardsOf returns the location of the shards of an output: in its folder, or beside it if it
// is a file.
func shardsOf(ctx context.Context, out string) (string, store.Store, error) {
	beside := strings.TrimRight(out, "/") + shardsSuffix
	if store.IsAddress(out) && strings.HasSuffix(out, "/") {
		beside += "/"
	}
	for _, name := range []string{out, beside} {
		if st, err := os.Stat(name); !store.IsAddress(name) && (err != nil || !st.IsDir()) {
			continue
		}
		s, err := storeOf(name)
		if err != nil {
			return "", nil, err
		}
		if _, err := s.Stat(ctx, cluster.PlanName); err == nil {
			return name, s, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, err
		}
	}
	if !store.IsAddress(out) {
		switch st, err := os.Stat(out); {
		case errors.Is(err, fs.ErrNotExist):
			return "", nil, fmt.Errorf("%s: no such folder: no build has started in it", out)
		case err == nil && !st.IsDir():
			return "", nil, fmt.Errorf("%s: a file without shards in %s: wanted the folder of a build, or an output of ranks", out, beside)
		}
	}
	s, err := storeOf(out) // the error names the missing store
	return out, s, err
}

// nextCommand returns the command that follows when a rank has ended.
func nextCommand(ctx context.Context, s store.Store, out string) (string, error) {
	_, steps, err := cluster.Status(ctx, s)
	if err != nil {
		return "", err
	}
	for i := range steps {
		if len(steps[i].Missing) > 0 {
			return "chaffinch build status " + strings.TrimSuffix(out, shardsSuffix), nil
		}
	}
	return mergeCommand(out), nil
}

// mergeCommand returns the command that merges the shards of an output, which is named with
// or without their suffix.
func mergeCommand(out string) string {
	if name, ok := strings.CutSuffix(strings.TrimSuffix(out, "/"), shardsSuffix); ok {
		out = name
	}
	if store.IsAddress(out) { // which has no default
		out += " -o OUT"
	}
	return "chaffinch build merge " + out
}

// run does the part of a job that falls to this process.
func (f *rankFlags) run(ctx context.Context, con *console, quiet bool, job cluster.Work, out string) error {
	var err error
	if job.Worker, err = cluster.ParseWorker(f.Rank, os.Getenv); err != nil {
		return fmt.Errorf("--rank %s: %w", f.Rank, err)
	}
	if job.Out, err = storeOf(out); err != nil {
		return err
	}
	for _, in := range job.Inputs {
		if in == "-" || store.IsAddress(in) {
			continue // Run reports the error
		}
		if _, err := os.Stat(in); err != nil {
			return fmt.Errorf("input %s: %w", in, files.Cause(err))
		}
	}
	job.Open = addresses()
	job.ShardBytes, job.Whole, job.Wait, job.Scratch = int64(f.ShardSize), f.WholeFiles, f.Wait, f.Scratch
	start := time.Now()
	job.OnTask = func(t *cluster.Task) {
		if !quiet {
			fmt.Fprintf(con.err, "%s of %d\n", t.Name(), t.Count())
		}
	}
	job.OnHeld = func(task, by string) {
		if !quiet {
			fmt.Fprintf(con.err, "%s is leased to %s: waiting for its result or for the lease to expire\n", task, by)
		}
	}
	res, err := cluster.Run(ctx, job)
	if res != nil && !quiet {
		fmt.Fprintf(con.err, "%v: %s done in %s, %d already done\n",
			job.Worker, count(int64(res.Completed), "task"), time.Since(start).Round(time.Millisecond), res.Found)
	}
	if err == nil && res.Waits == "" && len(res.Held) > 0 && !quiet {
		fmt.Fprintf(con.err, "other processes are working on %s: %s\n", count(int64(len(res.Held)), "task"), strings.Join(res.Held[:min(len(res.Held), shownErrors)], ", "))
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return errors.New("stopped: run the same command to resume")
		}
		return err
	}
	var no []string
	for _, e := range res.Bad {
		no = append(no, e.Error())
	}
	if res.Waits != "" {
		no = append(no, fmt.Sprintf("step %s needs %s of other processes: run the same command when they are done, or wait with --wait 1h", res.Waits, count(int64(res.Missing), "task")))
	}
	if no != nil {
		err = errNo{strings.Join(no, "\n")}
	}
	if quiet || f.alone {
		return err
	}
	next, failed := nextCommand(ctx, job.Out, out)
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return errNo{err.Error() + "\n" + next}
	}
	_, err = fmt.Fprintln(con.err, next)
	return err
}

// rankOutput is a file that each shard has a part of.
type rankOutput struct {
	Name string `json:"name"`
	// Joins reports whether the output is the concatenation of its parts.
	Joins bool `json:"joins"`
}

// rankSettings holds the settings of a job with one step.
type rankSettings struct {
	Settings any          `json:"settings"`
	Outputs  []rankOutput `json:"outputs"`
}

// rankJob returns the job of a command that writes files, of each shard by do.
func rankJob(name string, settings any, inputs []string, outputs []rankOutput, do func(ctx context.Context, t *cluster.Task) error) cluster.Work {
	return cluster.Work{
		Name: name, Program: programVersion(), Inputs: inputs, Settings: rankSettings{settings, outputs},
		Steps: []cluster.Step{{Name: name, Do: do}},
	}
}

// rankFile returns an error if ranks cannot write the output file.
func rankFile(out string) error {
	switch {
	case out == "" || out == "-":
		return errors.New("--rank: no output file: name one with -o (the shards are kept beside it)")
	case strings.HasSuffix(out, "/") || !store.IsAddress(out) && isFolder(out):
		return fmt.Errorf("--rank: output %s is a folder, wanted a file (the shards are kept beside it)", out)
	}
	return nil
}

// paths returns the paths of the files of a task, which are read whole.
func paths(t *cluster.Task) []string {
	list := make([]string, len(t.Pieces))
	for i := range t.Pieces {
		list[i] = t.Pieces[i].Path()
	}
	return list
}

// base is the last part of the name of an output, "" for none.
func base(name string) string {
	if name == "" {
		return ""
	}
	return path.Base(filepath.ToSlash(name))
}

// joins reports whether a file of this name and format is the concatenation of its parts.
func joins(format, name string) bool {
	o := recipe.Output{Format: format}
	return o.Joins(name)
}

// hashesOf returns the hashes of files that settings name.
func hashesOf(names []string) ([]string, error) {
	list := []string{}
	for _, name := range names {
		b, err := archive.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, fmt.Sprintf("%x", sha256.Sum256(b)))
	}
	return list, nil
}
