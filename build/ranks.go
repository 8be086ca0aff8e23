package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/build/cluster"
	"chaffinch/build/recipe"
	"chaffinch/build/store"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/merge"
	"chaffinch/internal/settings"
)

// Steps of a build over ranks. One task does all work of a shard that needs no other shard.
const (
	pagesStep   = "pages"   // clean and filter
	outputsStep = "outputs" // vertical and exports
)

// RanksJob is the name of the work of [Ranks].
const RanksJob = "build"

// Ranks returns the work of a build for many workers. The caller sets the workers and the
// store: see [cluster.Work]. [MergeRanks] builds the corpus from the results.
func Ranks(cfg Config) (cluster.Work, error) {
	c := cluster.Work{Name: RanksJob, Program: cfg.Version, Inputs: cfg.inputs()}
	set, behaviour, err := cfg.ranksSettings()
	if err != nil {
		return c, err
	}
	c.Settings, c.Behaviour = set, behaviour
	text := pagesStep
	c.Steps = append(c.Steps, cluster.Step{Name: pagesStep, Streams: true, Do: cfg.pagesTask})
	for _, s := range stepsOf(cfg.Recipe) {
		if s.dedup != nil {
			d := &rankDedup{cfg: cfg, step: s, text: text}
			c.Steps = append(c.Steps, d.steps()...)
			text = s.name + rewriteEnding
		}
	}
	if len(cfg.Recipe.Exports) > 0 || cfg.Recipe.Vertical != nil {
		c.Steps = append(c.Steps, cluster.Step{Name: outputsStep, Do: func(ctx context.Context, t *cluster.Task) error {
			return cfg.outputsTask(ctx, t, text)
		}})
	}
	return c, nil
}

// ranksSettings returns the settings of a job, and the hash of stages and their versions. It
// returns an error if ranks cannot do the cfg.
func (c *Config) ranksSettings() (set *ranksSettings, behaviour string, err error) {
	r := *c.Recipe
	switch {
	case len(c.inputs()) == 0:
		return nil, "", errors.New("no input: name files or folders, or write them into the recipe as inputs")
	case r.Clean.Sites:
		return nil, "", &settings.FieldError{Field: "clean.sites", Err: errors.New("it needs all pages of a site, and a rank reads only some of them: leave it out, or build in one process")}
	case c.Force:
		return nil, "", &settings.FieldError{Field: "force", Err: errors.New("other ranks may be at work: remove the folder, or name another one")}
	}
	for _, e := range r.Exports {
		if e.isFolder() {
			return nil, "", &settings.FieldError{Field: "exports.file", Err: fmt.Errorf("%s, a folder with a file for each page: wanted one file with ranks", e.File)}
		}
	}
	r.Inputs = nil
	hasher := &builder{Config: *c, hashed: map[string]string{}}
	contents := map[string]string{}
	var all []any
	for _, s := range stepsOf(&r) {
		list, err := hasher.contents(s)
		if err != nil {
			return nil, "", err
		}
		maps.Copy(contents, list)
		all = append(all, s.settings)
	}
	b, err := json.Marshal(&r)
	return &ranksSettings{b, contents}, hashOf(all), err
}

// ranksSettings holds everything on which the results of the ranks depend.
type ranksSettings struct {
	Recipe json.RawMessage   `json:"recipe"`
	Files  map[string]string `json:"files,omitempty"` // hashes of the files that the recipe names
}

// PlannedRecipe returns the recipe of a plan made by [Ranks].
func PlannedRecipe(p *cluster.Plan) (*Recipe, error) {
	var set ranksSettings
	if err := json.Unmarshal(p.Settings, &set); err != nil {
		return nil, fmt.Errorf("%s: settings: %w", cluster.PlanName, err)
	}
	r, err := Parse(cluster.PlanName, set.Recipe)
	if err != nil {
		return nil, err
	}
	r.Inputs = p.Inputs
	return r, nil
}

// shardJob returns the job of a shard in a folder.
func (c *Config) shardJob(r *Recipe, dir string) Config {
	sub := *c
	sub.Recipe, sub.Inputs, sub.Out, sub.OnStep = r, nil, dir, nil
	return sub
}

// pagesTask extracts text from the pages of a shard.
func (c *Config) pagesTask(ctx context.Context, t *cluster.Task) error {
	r := *c.Recipe
	r.Inputs, r.Dedup, r.Vertical, r.Index, r.Exports = nil, nil, nil, nil, nil
	sub := c.shardJob(&r, filepath.Join(t.Work, "build"))
	sub.Pieces = t.Pieces
	b, err := open(sub)
	if err != nil {
		return err
	}
	defer b.close()
	if err := b.steps.each(func(s *step) error { return b.do(ctx, s, &Result{}) }); err != nil {
		return err
	}
	for i, s := range b.steps {
		moved := map[string]string{}
		if s.removed != "" {
			moved[s.removed] = s.name + "-" + removedName
		}
		if i == len(b.steps)-1 {
			moved[s.outputs[0]] = keptName
		}
		for from, to := range moved {
			if err := disk.Rename(b.path(from), filepath.Join(t.Out, to)); err != nil {
				return err
			}
		}
	}
	t.Report = b.ledger.Steps
	return disk.Rename(errorList(sub.Out), filepath.Join(t.Out, errorsName))
}

// outputsTask writes the vertical and the exports of a shard from the outputs of the step
// text.
func (c *Config) outputsTask(ctx context.Context, t *cluster.Task, text string) error {
	from, m, err := t.Outputs(ctx, text, t.Number)
	if err != nil {
		return err
	}
	r := c.outputsRecipe()
	sub := c.shardJob(r, filepath.Join(t.Work, "build"))
	sub.Pieces = t.Pieces
	b, err := open(sub)
	if err != nil {
		return err
	}
	defer b.close()
	kept := b.steps[0].outputs[0]
	if err := disk.MkdirAll(filepath.Dir(b.path(kept))); err != nil {
		return err
	}
	source, err := filepath.Abs(filepath.Join(from, keptName))
	if err != nil {
		return err
	}
	if err := disk.Symlink(source, b.path(kept)); err != nil {
		return err
	}
	done := &entry{Name: b.steps[0].name, Done: true, Outputs: []output{{Path: kept, Hash: m.Files[0].SHA256}}}
	b.ledger.add(done)
	b.steps = b.steps[1:]
	if err := b.steps.each(func(s *step) error { return b.do(ctx, s, &Result{}) }); err != nil {
		return err
	}
	for _, s := range b.steps {
		to := filepath.Join(t.Out, s.outputs[0])
		if err := disk.MkdirAll(filepath.Dir(to)); err != nil {
			return err
		}
		if err := disk.Rename(b.path(s.outputs[0]), to); err != nil {
			return err
		}
	}
	b.ledger.remove(done.Name)
	t.Report = b.ledger.Steps
	return nil
}

// outputsRecipe returns the recipe of the outputs of a shard.
func (c *Config) outputsRecipe() *Recipe {
	r := *c.Recipe
	r.Inputs, r.Filter, r.Dedup, r.Index = nil, nil, nil, nil
	if v := r.Vertical; v != nil {
		without := *v
		without.Registry = false
		r.Vertical = &without
	}
	return &r
}

// MergeRanks builds a corpus from the results of ranks in a store. cfg is the configuration of
// [Ranks], with the folder of the corpus as Out.
//
// Outputs that can be concatenated become one file. Other outputs become a folder with one
// file per shard. MergeRanks writes the registry files and the index, and merges the reports
// of all shards.
func MergeRanks(ctx context.Context, cfg Config, from store.Store) (res *Result, err error) {
	p, status, err := cluster.Status(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, s := range status {
		if len(s.Missing) > 0 {
			return nil, fmt.Errorf("%s: %d of %d tasks of the step %s are missing: %s", from, len(s.Missing), s.Tasks, s.Name, shortly(cluster.Array(s.Missing)))
		}
	}
	if err := disk.MkdirAll(filepath.Join(cfg.Out, stepsFolder)); err != nil {
		return nil, err
	}
	b := &builder{Config: cfg, steps: stepsOf(cfg.Recipe), hashed: map[string]string{}, ledger: &ledger{Version: ledgerVersion, file: filepath.Join(cfg.Out, StateName)}}
	if b.lock, err = lockFolder(cfg.Out); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	before, err := readLedger(cfg.Out)
	if err != nil {
		return nil, err
	}
	for _, s := range p.Steps {
		if strings.HasSuffix(s.Name, sketchEnding) || strings.HasSuffix(s.Name, groupEnding) {
			continue // included in the reports of later steps
		}
		if err := b.addReports(ctx, from, p, s.Name); err != nil {
			return nil, err
		}
	}
	res = &Result{Report: filepath.Join(cfg.Out, reportName)}
	for _, s := range b.steps {
		if err := b.mergeStep(ctx, s, p, from, before, res); err != nil {
			return res, errors.Join(err, b.writeReport())
		}
		res.Problems = append(res.Problems, b.ledger.entry(s.name).problems()...)
		res.Warnings = append(res.Warnings, b.ledger.entry(s.name).warnings()...)
	}
	return res, errors.Join(b.ledger.save(), b.writeReport())
}

// shortly truncates a list for a message.
func shortly(list string) string {
	const most = 80
	if len(list) > most {
		return list[:most] + "..."
	}
	return list
}

// addReports adds the reports of the tasks of a step to the ledger.
func (b *builder) addReports(ctx context.Context, from store.Store, p *cluster.Plan, step string) error {
	for m, err := range cluster.Manifests(ctx, from, p, step) {
		if err != nil {
			return err
		}
		var list []*entry
		if err := json.Unmarshal(m.Report, &list); err != nil {
			return fmt.Errorf("%s.json in %s: report: %w", m.Task, from, err)
		}
		if err := sound(list); err != nil {
			return fmt.Errorf("%s.json in %s: report: %w: remove it, and the task is done again", m.Task, from, err)
		}
		for _, e := range list {
			e.Outputs, e.Mark = nil, mark{}
			if sum := b.ledger.entry(e.Name); sum == nil {
				b.ledger.add(e)
			} else {
				sum.addShard(e)
			}
		}
	}
	return nil
}

// addShard adds the record of the same step of another shard.
func (e *entry) addShard(o *entry) {
	switch {
	case e.Flow == nil: // a step that reported on all shards before
		e.Flow = o.Flow
	case o.Flow != nil:
		e.Flow.addShard(o.Flow)
	}
	o.Flow = nil
	merge.Add(e, o)
}

// mergeStep merges the outputs of a step from all shards. It runs the index step itself,
// unless it is up to date from an earlier merge.
func (b *builder) mergeStep(ctx context.Context, s *step, p *cluster.Plan, from store.Store, before *ledger, res *Result) error {
	e := b.ledger.entry(s.name)
	if e == nil { // the index of the whole corpus
		res.Steps = slices.Clone(res.Steps)
		if e = before.entry(s.name); e != nil {
			b.ledger.add(e)
		}
		return b.do(ctx, s, res)
	}
	res.Steps = append(res.Steps, PlannedStep{Number: len(res.Steps) + 1, Steps: len(b.steps), Name: s.name, Does: s.does, Done: true})
	if s.text { // its text stays in the store
		if s.reads != nil {
			return nil
		}
		return b.joinErrors(ctx, p, from)
	}
	e.Does = s.does
	name := s.outputs[0]
	if err := disk.MkdirAll(filepath.Dir(b.path(name))); err != nil {
		return err
	}
	if err := b.join(ctx, s, p, from); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(s.outputs) > 1 {
		if _, err := recipe.WriteRegistry(ctx, b.path(name), b.Recipe.Vertical.columns()); err != nil {
			return err
		}
	}
	for _, o := range s.outputs {
		out := output{Path: o}
		if err := out.look(ctx, b.Out); err != nil {
			return err
		}
		e.Outputs = append(e.Outputs, out)
	}
	e.Done = true
	return b.ledger.save()
}

// joinErrors concatenates the lists of unreadable input of all shards.
func (b *builder) joinErrors(ctx context.Context, p *cluster.Plan, from store.Store) error {
	if err := disk.MkdirAll(filepath.Dir(errorList(b.Out))); err != nil {
		return err
	}
	return files.Replace(errorList(b.Out), func(w io.Writer) error {
		for n := range p.Shards {
			if err := cluster.Copy(ctx, from, p, pagesStep, n, errorsName, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// join merges the outputs of all shards.
func (b *builder) join(ctx context.Context, s *step, p *cluster.Plan, from store.Store) error {
	name := s.outputs[0]
	if s.joins {
		return files.Replace(b.path(name), func(w io.Writer) error {
			return cluster.Concat(ctx, from, p, outputsStep, filepath.ToSlash(name), w)
		})
	}
	if err := disk.RemoveAll(b.path(name)); err != nil {
		return err
	}
	if err := disk.MkdirAll(b.path(name)); err != nil {
		return err
	}
	ext := strings.TrimPrefix(filepath.Base(name), strings.SplitN(filepath.Base(name), ".", 2)[0])
	for n := range p.Shards {
		err := files.Replace(b.path(name, fmt.Sprintf("%05d%s", n, ext)), func(w io.Writer) error {
			return cluster.Copy(ctx, from, p, outputsStep, n, filepath.ToSlash(name), w)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lockFolder locks a folder for one build.
func lockFolder(dir string) (*disk.File, error) {
	lock, err := disk.OpenLocked(filepath.Join(dir, lockName))
	if errors.Is(err, disk.ErrLocked) {
		err = fmt.Errorf("%s: %w", dir, ErrBusy)
	}
	return lock, err
}
