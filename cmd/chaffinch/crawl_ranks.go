package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/crawl"
	"chaffinch/crawl/epochs"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
	"chaffinch/internal/table"
)

// crawlRankFlags holds the flags of crawls that several processes share.
type crawlRankFlags struct {
	Rank    string        `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"WHO" help:"Share the crawl with other processes as a rank: auto (the rank set by the scheduler), 3/100 (rank 3 of 100, from 0) or lease (any). -o is the folder or address that the ranks share; all get the same seeds and flags. Ranks may join, leave and resume."`
	Scratch string        `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" placeholder:"DIR" help:"Own folder of this rank. Default: .work/RANK in the shared folder; required for an address and with --rank lease."`
	Epoch   time.Duration `group:"Ranks: many processes, on one machine or many (docs/guides/cluster.md)" default:"10m" placeholder:"TIME" help:"Time between exchanges of links; the same for all ranks. Default: ${default}."`
}

// runRank crawls as a rank.
func (c *crawlCmd) runRank(ctx context.Context, con *console, cfg crawl.Config, view *crawlView) error {
	if c.Epoch <= 0 {
		return fmt.Errorf("--epoch %v: wanted a positive duration", c.Epoch)
	}
	worker, err := cluster.ParseWorker(c.Rank, os.Getenv)
	if err != nil {
		return fmt.Errorf("--rank %s: %w", c.Rank, err)
	}
	name := fmt.Sprintf("rank-%05d", worker.Rank)
	if cfg.Dir = c.Scratch; cfg.Dir == "" {
		if store.IsAddress(c.Out) || worker.Lease {
			return errors.New("--scratch: wanted a folder for this rank; the same folder resumes its work")
		}
		cfg.Dir = filepath.Join(c.Out, ".work", name)
	}
	if worker.Lease {
		if name, err = rankName(cfg.Dir); err != nil {
			return err
		}
	}
	out, err := storeOf(c.Out)
	if err != nil {
		return err
	}
	r := crawl.Rank{Store: out, Name: name, Epoch: c.Epoch, Lease: crawl.DefaultLease}
	if !c.Quiet {
		r.OnSeal = func(s *epochs.Seal) {
			if s.Epoch == 0 {
				return
			}
			view.clear()
			var sum epochs.Report
			for _, b := range s.Bundles {
				sum.Add(b)
			}
			fmt.Fprintf(con.err, "epoch %d: %s, %s, %s new\n", s.Epoch, count(int64(len(s.Ranks)), "rank"), count(sum.Pages, "page"), count(sum.Links, "link"))
		}
	}
	limited := ctx
	if cfg.MaxTime = 0; c.MaxTime > 0 { // of the run; each epoch has its own
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, c.MaxTime)
		defer stop()
	}
	last, err := crawl.RunRank(limited, cfg, r)
	view.clear()
	if ctx.Err() == nil && limited.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		if !c.Quiet {
			fmt.Fprintln(con.err, "time limit: run the same command to resume")
		}
		return nil
	}
	if err == nil && !c.Quiet {
		why := crawl.Exhausted
		if !last.Done() {
			why = crawl.PageLimit
		}
		fmt.Fprintf(con.err, "%s: chaffinch crawl status %s shows the result\n", why, c.Out)
	}
	return err
}

// rankName returns the name of the rank in a folder. A new rank gets a random name.
func rankName(dir string) (string, error) {
	file := filepath.Join(dir, "name")
	text, err := os.ReadFile(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return strings.TrimSpace(string(text)), err
	}
	if err := disk.MkdirAll(dir); err != nil {
		return "", err
	}
	name := fmt.Sprintf("rank-%016x", rand.Uint64())
	return name, files.Replace(file, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, name)
		return err
	})
}

// notShared returns an error if name is an address, or a folder that ranks share: only the ranks have
// the journal of the crawl. The error names the folder of the rank that owns host, or of the first rank.
func notShared(ctx context.Context, name, host string) error {
	if !store.IsAddress(name) {
		if _, err := os.Stat(filepath.Join(name, "epochs")); err != nil {
			return nil
		}
	}
	s, err := storeOf(name)
	if err != nil {
		return err
	}
	seals, err := epochs.Seals(ctx, s)
	if err != nil {
		return err
	}
	if len(seals) == 0 {
		return fmt.Errorf("%s: no crawl of ranks: wanted the folder of a crawl", name)
	}
	last := seals[len(seals)-1]
	rank, owns := last.Ranks[0], "journals are in the folders of the ranks ("+strings.Join(last.Ranks[:min(len(last.Ranks), 3)], ", ")
	if len(last.Ranks) > 3 {
		owns += fmt.Sprintf(" and %d more", len(last.Ranks)-3)
	}
	owns += ")"
	if host != "" {
		rank = last.Ranks[last.Owners[epochs.Partition(host)]]
		owns = host + " belongs to " + rank
	}
	return fmt.Errorf("%s: shared by ranks: chaffinch crawl status %[1]s shows all ranks; %s: name %s", name, owns, rankFolder(name, rank))
}

// rankFolder returns the current folder of a rank, or describes it if it is not in the shared folder.
func rankFolder(name, rank string) string {
	list, err := filepath.Glob(filepath.Join(name, ".work", rank, "crawl-*"))
	if err != nil || len(list) == 0 {
		return "the last folder crawl-* in the --scratch of " + rank
	}
	return list[len(list)-1]
}

// printRanks prints the state of a crawl of ranks. It reports whether there is one.
func printRanks(ctx context.Context, name string, w io.Writer) (bool, error) {
	s, err := storeOf(name)
	if err != nil {
		return false, err
	}
	seals, err := epochs.Seals(ctx, s)
	if len(seals) == 0 || err != nil {
		if err == nil && store.IsAddress(name) {
			err = fmt.Errorf("%s: no crawl of ranks: %w", name, fs.ErrNotExist)
		}
		return false, err
	}
	var sum epochs.Report
	t := table.New(">epoch", ">ranks", ">pages", ">clean MB", ">MB", ">new links", ">queued")
	for _, seal := range seals[1:] {
		var e epochs.Report
		for _, b := range seal.Bundles {
			e.Add(b)
			e.Queued += b.Queued
		}
		sum.Add(e)
		t.Add(fmt.Sprint(seal.Epoch), fmt.Sprint(len(seal.Bundles)), fmt.Sprint(e.Pages), fmt.Sprintf("%.2f", float64(e.Clean)/1e6), fmt.Sprintf("%.2f", float64(e.Bytes)/1e6), fmt.Sprint(e.Links), fmt.Sprint(e.Queued))
	}
	last := seals[len(seals)-1]
	state := "running or interrupted"
	switch {
	case last.Done():
		state = "complete"
	case last.Full(last.Limit):
		state = string(crawl.PageLimit)
	}
	yield := 100 * float64(sum.Clean) / max(float64(sum.Bytes), 1)
	fmt.Fprintf(w, "%s: %s, %s, %s of clean text in %s (%.2f %%)\n", state, count(int64(len(last.Ranks)), "rank"), count(sum.Pages, "page"), report.Size(sum.Clean), report.Size(sum.Bytes), yield)
	total := crawl.Snapshot{Langs: sum.Langs, Reasons: sum.Reasons, Failures: sum.Failures}
	if err := printCounts(w, total); err != nil {
		return true, err
	}
	fmt.Fprintln(w)
	return true, t.Write(w, "")
}
