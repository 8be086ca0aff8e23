package build

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/dedup"
)

// Engine is a build in a process of an engine, such as Beam, that says itself which
// process does what, and brings together what belongs to one key. Shards, text and outputs
// lie in a store as those of [Ranks]; sketches and marks are folders, which the engine
// hands on from task to task. Methods may be called from several goroutines, and again
// with the same arguments: what they leave is the same then.
type Engine struct {
	job     Job
	out     store.Store
	session *cluster.Session
	dedups  []*rankDedup
	text    string // last step that makes text
}

// Part is a folder that an engine hands on, and what is known of the shard that it is of.
type Part struct {
	Dir      string
	Sketched dedup.Sketched
}

// Hand takes a folder to hand it on; it is gone when Hand has returned.
type Hand func(dir string) error

// BeamJob is what the work is called of Beam's engine.
const BeamJob = "build on Beam"

// KeyParts is the number of parts that the keys of duplicates are cut into.
const KeyParts = keyParts

// OpenEngine opens a build for a process. The cluster job says where the outputs go, how
// the input is cut, and what the work is called.
func OpenEngine(ctx context.Context, job Job, at cluster.Job) (*Engine, error) {
	c, err := Ranks(job)
	if err != nil {
		return nil, err
	}
	for i := range c.Steps {
		if s := &c.Steps[i]; strings.HasSuffix(s.Name, markEnding) {
			s.Tasks = 1 // what it reads is brought to one place
		}
	}
	at.Program, at.Settings, at.Behaviour, at.Inputs, at.Steps = c.Program, c.Settings, c.Behaviour, c.Inputs, c.Steps
	e := &Engine{job: job, out: at.Out, text: pagesStep}
	for _, s := range stepsOf(job.Recipe) {
		if s.dedup != nil {
			e.dedups = append(e.dedups, &rankDedup{job: job, step: s, text: e.text})
			e.text = s.name + rewriteEnding
		}
	}
	e.session, err = cluster.Open(ctx, at)
	return e, err
}

// Close removes the temporary files of the process.
func (e *Engine) Close() error { return e.session.Close() }

// Shards is the number of shards.
func (e *Engine) Shards() int { return len(e.session.Plan.Shards) }

// ShardBytes is how many bytes of input some shards have.
func (e *Engine) ShardBytes(from, to int) (n int64) {
	for i := from; i < to; i++ {
		n += e.session.Plan.Shards[i].Bytes()
	}
	return n
}

// Dedups are the steps that remove duplicates. The others take their numbers.
func (e *Engine) Dedups() (names []string) {
	for _, d := range e.dedups {
		names = append(names, d.step.name)
	}
	return names
}

// Pages makes text of the pages of a shard.
func (e *Engine) Pages(ctx context.Context, shard int) error {
	return e.session.Do(ctx, cluster.Step{Name: pagesStep, Do: e.job.pagesTask}, shard)
}

// Sketch sketches the text of a shard, and hands on what it has made: folders of the names
// [dedup.KeysName] for a part of the keys each, and [dedup.RestName].
func (e *Engine) Sketch(ctx context.Context, n, shard int, hand func(p Part) error) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(sketchEnding), Again: true, Do: func(ctx context.Context, t *cluster.Task) error {
		dir := filepath.Join(t.Work, "sketch")
		s, err := d.sketchInto(ctx, t, dir)
		if err != nil {
			return err
		}
		t.Report = s
		return hand(Part{dir, *s})
	}}, shard)
}

// Group brings together the records of a part of the keys, of all shards in their order,
// and hands on the folder with them.
func (e *Engine) Group(ctx context.Context, n, part int, shards []Part, hand Hand) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(groupEnding), Again: true, Do: func(ctx context.Context, t *cluster.Task) error {
		job, err := d.dedupJob(t)
		if err != nil {
			return err
		}
		list, dirs, err := e.lists(shards)
		if err != nil {
			return err
		}
		dir := filepath.Join(t.Work, "group")
		if err := dedup.GroupKeys(ctx, job, list, dirs, dir); err != nil {
			return err
		}
		return hand(dir)
	}}, part)
}

// Mark decides on all documents, by the rest of all shards and what Group has left of all
// parts, and hands on a folder with one of the name [dedup.MarksName] for each shard.
func (e *Engine) Mark(ctx context.Context, n int, shards []Part, groups []string, hand Hand) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(markEnding), Again: true, Do: func(ctx context.Context, t *cluster.Task) error {
		list, dirs, err := e.lists(shards)
		if err != nil {
			return err
		}
		if len(groups) != keyParts {
			return fmt.Errorf("%d parts of the keys were brought, wanted %d", len(groups), keyParts)
		}
		dir := filepath.Join(t.Work, "marks")
		if err := d.markInto(ctx, t, list, dirs, groups, dedup.Part{Of: 1}, dir); err != nil {
			return err
		}
		return hand(dir)
	}}, 0)
}

// lists splits what is known of all shards.
func (e *Engine) lists(shards []Part) (list []dedup.Sketched, dirs []string, err error) {
	if len(shards) != e.Shards() {
		return nil, nil, fmt.Errorf("sketches of %d shards were brought, wanted %d", len(shards), e.Shards())
	}
	for _, s := range shards {
		list, dirs = append(list, s.Sketched), append(dirs, s.Dir)
	}
	return list, dirs, nil
}

// Rewrite writes the text of a shard anew, by the folder of its marks.
func (e *Engine) Rewrite(ctx context.Context, n, shard int, marks string) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(rewriteEnding), Do: func(ctx context.Context, t *cluster.Task) error {
		return d.rewriteBy(ctx, t, marks)
	}}, shard)
}

// Outputs makes vertical and exports of the text of a shard.
func (e *Engine) Outputs(ctx context.Context, shard int) error {
	if len(e.job.Recipe.Exports) == 0 && e.job.Recipe.Vertical == nil {
		return nil
	}
	return e.session.Do(ctx, cluster.Step{Name: outputsStep, Do: func(ctx context.Context, t *cluster.Task) error {
		return e.job.outputsTask(ctx, t, e.text)
	}}, shard)
}

// Merge makes the corpus, as [MergeRanks] does.
func (e *Engine) Merge(ctx context.Context) (*Result, error) { return MergeRanks(ctx, e.job, e.out) }
