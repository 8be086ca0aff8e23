package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"chaffinch/collection"
	"chaffinch/dedup"
	"chaffinch/internal/disk"
	"chaffinch/pipeline"
	"chaffinch/recipe"
)

// dedupInputs are the formats whose copies can be taken out, and how they are
// read.
var dedupInputs = map[string]collection.Config{
	"text":        {Format: collection.Text, Split: collection.SplitBlank},
	"jsonl":       {Format: collection.JSONL},
	"json":        {Format: collection.JSONL},
	"vertical":    {Format: collection.Vertical},
	"prevertical": {Format: collection.Prevertical},
}

// cleanSuffix is what stands behind the name of the output while it has copies.
const cleanSuffix = ".clean"

// beforeDedup lets the pages go to a file beside the output.
func (c *cleanCmd) beforeDedup(r *recipe.Recipe, at *recipe.RunOptions) error {
	if c.Dedup == "" {
		return nil
	}
	if at.Out == "" || isFolder(at.Out) {
		return errors.New("--dedup is for one file: name it with -o; for a folder there is chaffinch dedup")
	}
	if _, ok := dedupInputs[r.Output.Format]; !ok {
		return fmt.Errorf("--dedup: format %s cannot be read back: take text, jsonl, json, vertical or prevertical", r.Output.Format)
	}
	if ext := packedSuffix(at.Out); ext != "" {
		return fmt.Errorf("--dedup: output %s would be unpacked: leave out %s and pack it afterwards", at.Out, ext)
	}
	if strings.EqualFold(filepath.Ext(at.Out), ".json") {
		return fmt.Errorf("--dedup: output %s would be lines of JSON: name it .jsonl, with --format json for typed blocks", at.Out)
	}
	if r.Output.Annotate {
		return errors.New("--dedup takes text out, --annotate leaves all in: leave out one of them")
	}
	if exists(at.Out+".work") && !c.Resume && !c.Force {
		return fmt.Errorf("%s.work: an unfinished run: go on with --resume, or start over with --force", at.Out)
	}
	out := at.Out
	at.Out += cleanSuffix
	if c.Resume && exists(out) && !exists(at.Out) && !exists(pipeline.StateFile(at.Out)) {
		return recipe.ErrComplete
	}
	return nil
}

// afterClean takes the copies out of what was cleaned; then the output appears.
func (c *cleanCmd) afterClean(ctx context.Context, r *recipe.Recipe, at *recipe.RunOptions, con *console) error {
	if c.Dedup == "" {
		return nil
	}
	m, err := recipe.Dedup(c.Dedup, nil)
	if err != nil {
		return err
	}
	from := at.Out
	at.Out = c.Out
	job := dedup.Job{
		Inputs: []string{from}, Input: dedupInputs[r.Output.Format], Method: m, Out: c.Out,
		Resume: exists(c.Out + ".work"), Force: c.Force, Jobs: c.Jobs, Memory: dedup.DefaultMemory(),
	}
	if r.Output.Format == "text" {
		job.Rank = dedup.ByInput // its documents have no ids
	}
	bar := startBars(con, c.Quiet)
	job.Progress = bar.show
	debug.SetMemoryLimit(dedup.HeapLimit(job.Memory))
	start := time.Now()
	rep, err := dedup.Run(ctx, job)
	bar.stop()
	if errors.Is(err, dedup.ErrComplete) { // only the work folder and this file were left of it
		return disk.Remove(from)
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped while copies were taken out")
		}
		return fmt.Errorf("%w: the same command with --resume goes on from there", err)
	}
	if err := disk.Remove(from); err != nil {
		return err
	}
	if c.Quiet {
		return nil
	}
	return writeDedupReport(con.err, rep, time.Since(start))
}
