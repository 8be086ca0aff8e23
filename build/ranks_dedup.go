package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"chaffinch/build/cluster"
	"chaffinch/build/recipe"
	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/pipeline"
)

// Suffixes of the tasks of a dedup step: sketch a shard, group a partition of the keys, mark
// duplicates, rewrite a shard.
const (
	sketchEnding  = "-sketch"
	groupEnding   = "-group"
	markEnding    = "-mark"
	rewriteEnding = "-rewrite"
)

// keyParts is the number of partitions of the keys. markParts is the number of marking tasks
// for a method that can be divided; each writes marks for every shard.
const (
	keyParts  = 16
	markParts = 8
)

// rankDedup is a dedup step done by ranks.
type rankDedup struct {
	cfg  Config
	step *step
	text string // step whose outputs it reads
}

func (d *rankDedup) name(ending string) string { return d.step.name + ending }

// markTasks returns the number of marking tasks.
func (d *rankDedup) markTasks() int {
	method, err := recipe.Dedup(d.step.dedup.Method, d.step.dedup.Config)
	if err != nil || dedup.DivisionOf(method) == dedup.Undivided {
		return 1 // an invalid method fails in its first task
	}
	return markParts
}

func (d *rankDedup) steps() []cluster.Step {
	return []cluster.Step{
		{Name: d.name(sketchEnding), Do: d.sketch},
		{Name: d.name(groupEnding), Tasks: keyParts, All: true, Do: d.group},
		{Name: d.name(markEnding), Tasks: d.markTasks(), All: true, Do: d.mark},
		{Name: d.name(rewriteEnding), All: true, Do: d.rewrite},
	}
}

// dedupConfig returns the configuration of a task, without inputs and outputs.
func (d *rankDedup) dedupConfig(t *cluster.Task) (dedup.Config, error) {
	method, err := recipe.Dedup(d.step.dedup.Method, d.step.dedup.Config)
	return dedup.Config{
		Job:   pipeline.Job{Workers: d.cfg.Workers, Memory: d.cfg.Memory},
		Input: records.Config{Format: records.JSONL}, Method: method, Rank: d.step.dedup.Rank, MinWords: d.step.dedup.MinWords, Explain: true,
		Work: filepath.Join(t.Work, "dedup"),
	}, err
}

// kept returns the file with the text of a shard.
func (d *rankDedup) kept(ctx context.Context, t *cluster.Task) (string, error) {
	dir, _, err := t.Outputs(ctx, d.text, t.Number)
	return filepath.Join(dir, keptName), err
}

func (d *rankDedup) sketch(ctx context.Context, t *cluster.Task) error {
	s, err := d.sketchInto(ctx, t, t.Out)
	t.Report = s
	return err
}

// sketchInto writes the sketch of a shard into a folder.
func (d *rankDedup) sketchInto(ctx context.Context, t *cluster.Task, out string) (*dedup.Sketched, error) {
	cfg, err := d.dedupConfig(t)
	if err != nil {
		return nil, err
	}
	kept, err := d.kept(ctx, t)
	if err != nil {
		return nil, err
	}
	cfg.Inputs = []string{kept}
	return dedup.SketchShard(ctx, cfg, keyParts, out)
}

// sketched returns the descriptions of the sketches of all shards and, for each shard, the
// subfolder of the given name.
func (d *rankDedup) sketched(ctx context.Context, t *cluster.Task, folder string) (list []dedup.Sketched, dirs []string, err error) {
	for i := range t.Plan.Shards {
		dir, m, err := t.Outputs(ctx, d.name(sketchEnding), i, folder)
		if err != nil {
			return nil, nil, err
		}
		var s dedup.Sketched
		if err := json.Unmarshal(m.Report, &s); err != nil {
			return nil, nil, fmt.Errorf("%s: report: %w", m.Task, err)
		}
		list, dirs = append(list, s), append(dirs, filepath.Join(dir, folder))
	}
	return list, dirs, nil
}

func (d *rankDedup) group(ctx context.Context, t *cluster.Task) error {
	cfg, err := d.dedupConfig(t)
	if err != nil {
		return err
	}
	list, dirs, err := d.sketched(ctx, t, dedup.KeysName(t.Number))
	if err != nil {
		return err
	}
	return dedup.GroupKeys(ctx, cfg, list, dirs, t.Out)
}

func (d *rankDedup) mark(ctx context.Context, t *cluster.Task) error {
	cfg, err := d.dedupConfig(t)
	if err != nil {
		return err
	}
	list, rest, err := d.sketched(ctx, t, dedup.RestName)
	if err != nil {
		return err
	}
	part := dedup.Part{Number: t.Number, Of: t.Count()}
	groups := make([]string, keyParts)
	for p := range groups {
		folders := dedup.GroupFolders(cfg.Method, part, p)
		if len(folders) == 0 {
			continue
		}
		if groups[p], _, err = t.Outputs(ctx, d.name(groupEnding), p, folders...); err != nil {
			return err
		}
	}
	return d.markInto(ctx, t, list, rest, groups, part, t.Out)
}

// markInto writes the marks of all shards into a folder.
func (d *rankDedup) markInto(ctx context.Context, t *cluster.Task, list []dedup.Sketched, rest, groups []string, part dedup.Part, out string) error {
	cfg, err := d.dedupConfig(t)
	if err != nil {
		return err
	}
	rep, err := dedup.MarkShards(ctx, cfg, list, rest, groups, part, out)
	t.Report = []*entry{{Name: d.step.name, Does: d.step.does, Done: true, Dedup: rep}}
	return err
}

func (d *rankDedup) rewrite(ctx context.Context, t *cluster.Task) error {
	name := dedup.MarksName(t.Number)
	var marks []string
	for p := range d.markTasks() {
		dir, _, err := t.Outputs(ctx, d.name(markEnding), p, name)
		if err != nil {
			return err
		}
		marks = append(marks, filepath.Join(dir, name))
	}
	return d.rewriteBy(ctx, t, marks...)
}

// rewriteBy rewrites a shard by the marks in folders.
func (d *rankDedup) rewriteBy(ctx context.Context, t *cluster.Task, marks ...string) error {
	cfg, err := d.dedupConfig(t)
	if err != nil {
		return err
	}
	kept, err := d.kept(ctx, t)
	if err != nil {
		return err
	}
	sub := d.cfg.shardJob(d.cfg.Recipe, filepath.Join(t.Work, "build"))
	st, err := os.Stat(kept)
	if err != nil {
		return err
	}
	b := &builder{Config: sub, steps: steps{d.step}, ledger: &ledger{}, words: samplingOf(st.Size())}
	if err := disk.MkdirAll(b.path(stepsFolder, d.step.name)); err != nil {
		return err
	}
	cfg.Inputs, cfg.Out, cfg.Dropped = []string{kept}, b.path(d.step.outputs[0]), b.path(d.step.removed)
	e := &entry{Name: d.step.name, Does: d.step.does, Done: true}
	if e.Dedup, err = dedup.RewriteShard(ctx, cfg, marks...); err != nil {
		return err
	}
	b.ledger.add(e)
	if e.Flow, err = b.tally(ctx, d.step); err != nil {
		return err
	}
	t.Report = b.ledger.Steps
	for from, to := range map[string]string{cfg.Out: keptName, cfg.Dropped: d.step.name + "-" + removedName} {
		if err := disk.Rename(from, filepath.Join(t.Out, to)); err != nil {
			return err
		}
	}
	return nil
}
