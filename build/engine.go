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

// Engine builds inside a process of a data processing engine, such as Beam. The engine
// assigns work to processes and groups data by key.
//
// Shards, text and outputs are in a store, as with [Ranks]. Sketches and marks are folders
// that the engine passes from task to task. Methods are safe for concurrent use. Calling a
// method again with the same arguments leaves the same results.
type Engine struct {
	cfg     Config
	out     store.Store
	session *cluster.Session
	dedups  []*rankDedup
	text    string // last step that produces text
}

// Part is a folder that an engine passes on, with the description of its shard.
type Part struct {
	Dir      string
	Sketched dedup.Sketched
}

// Hand passes on a folder. The folder is removed after Hand returns.
type Hand func(dir string) error

// BeamJob is the name of the work of a Beam engine.
const BeamJob = "build on Beam"

// KeyParts is the number of partitions of the duplicate keys.
const KeyParts = keyParts

// OpenEngine opens a build for a process. at configures the store, the size of
// shards and the name of the work.
func OpenEngine(ctx context.Context, cfg Config, at cluster.Work) (*Engine, error) {
	c, err := Ranks(cfg)
	if err != nil {
		return nil, err
	}
	for i := range c.Steps {
		if s := &c.Steps[i]; strings.HasSuffix(s.Name, markEnding) {
			s.Tasks = 1 // its input is brought to one process
		}
	}
	at.Program, at.Settings, at.Behaviour, at.Inputs, at.Steps = c.Program, c.Settings, c.Behaviour, c.Inputs, c.Steps
	e := &Engine{cfg: cfg, out: at.Out, text: pagesStep}
	for _, s := range stepsOf(cfg.Recipe) {
		if s.dedup != nil {
			e.dedups = append(e.dedups, &rankDedup{cfg: cfg, step: s, text: e.text})
			e.text = s.name + rewriteEnding
		}
	}
	e.session, err = cluster.Open(ctx, at)
	return e, err
}

// Close removes the temporary files of the process.
func (e *Engine) Close() error { return e.session.Close() }

// Shards returns the number of shards.
func (e *Engine) Shards() int { return len(e.session.Plan.Shards) }

// ShardBytes returns the number of input bytes of the shards from (inclusive) to
// (exclusive).
func (e *Engine) ShardBytes(from, to int) (n int64) {
	for i := from; i < to; i++ {
		n += e.session.Plan.Shards[i].Bytes()
	}
	return n
}

// Dedups returns the names of the steps that remove duplicates. Other methods take an index
// into this list.
func (e *Engine) Dedups() (names []string) {
	for _, d := range e.dedups {
		names = append(names, d.step.name)
	}
	return names
}

// Pages extracts text from the pages of a shard.
func (e *Engine) Pages(ctx context.Context, shard int) error {
	return e.session.Do(ctx, cluster.Step{Name: pagesStep, Streams: true, Do: e.cfg.pagesTask}, shard)
}

// Sketch sketches the text of a shard and passes on the result: a folder [dedup.KeysName]
// for each partition of the keys, and a folder [dedup.RestName].
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

// Group groups the records of a partition of the keys, from all shards in order, and passes
// on the folder with the groups.
func (e *Engine) Group(ctx context.Context, n, part int, shards []Part, hand Hand) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(groupEnding), Again: true, Do: func(ctx context.Context, t *cluster.Task) error {
		cfg, err := d.dedupConfig(t)
		if err != nil {
			return err
		}
		list, dirs, err := e.lists(shards)
		if err != nil {
			return err
		}
		dir := filepath.Join(t.Work, "group")
		if err := dedup.GroupKeys(ctx, cfg, list, dirs, dir); err != nil {
			return err
		}
		return hand(dir)
	}}, part)
}

// Mark decides which documents are duplicates. It reads the rest of all shards and the
// groups of all partitions. It passes on a folder that contains a folder [dedup.MarksName]
// for each shard.
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

// lists splits the parts of all shards. It returns an error if a shard is missing.
func (e *Engine) lists(shards []Part) (list []dedup.Sketched, dirs []string, err error) {
	if len(shards) != e.Shards() {
		return nil, nil, fmt.Errorf("sketches of %d shards were brought, wanted %d", len(shards), e.Shards())
	}
	for _, s := range shards {
		list, dirs = append(list, s.Sketched), append(dirs, s.Dir)
	}
	return list, dirs, nil
}

// Rewrite rewrites the text of a shard by the folder of its marks.
func (e *Engine) Rewrite(ctx context.Context, n, shard int, marks string) error {
	d := e.dedups[n]
	return e.session.Do(ctx, cluster.Step{Name: d.name(rewriteEnding), Do: func(ctx context.Context, t *cluster.Task) error {
		return d.rewriteBy(ctx, t, marks)
	}}, shard)
}

// Outputs writes the vertical and the exports of the text of a shard.
func (e *Engine) Outputs(ctx context.Context, shard int) error {
	if len(e.cfg.Recipe.Exports) == 0 && e.cfg.Recipe.Vertical == nil {
		return nil
	}
	return e.session.Do(ctx, cluster.Step{Name: outputsStep, Do: func(ctx context.Context, t *cluster.Task) error {
		return e.cfg.outputsTask(ctx, t, e.text)
	}}, shard)
}

// Merge builds the corpus, like [MergeRanks].
func (e *Engine) Merge(ctx context.Context) (*Result, error) { return MergeRanks(ctx, e.cfg, e.out) }
