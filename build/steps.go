package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/dedup"
	"chaffinch/filter"
	filterjob "chaffinch/filter/job"
	"chaffinch/format/vertical"
	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/readers"
	"chaffinch/pipeline"
	"chaffinch/text/tag/installed"
)

// textFormat is the format of text between steps: typed blocks and all metadata of the page.
const textFormat = "json"

// Output files of a step that processes text.
const (
	keptName    = "kept.jsonl.zst"
	removedName = "removed.jsonl.zst"
	countsName  = "counts.jsonl.zst"
)

// step is a step of a build.
type step struct {
	name string
	does string
	// settings are the settings on which the output depends.
	settings any
	// names are the files that the settings name. The output also depends on their content.
	names []string
	// reads is the step whose output it reads, or nil for the inputs.
	reads *step
	// outputs are the files and folders that it writes. Later steps read the first.
	outputs []string
	// text indicates a step that processes text. Its first output is the kept text.
	text bool
	// removed and counts are outputs of such a step: the removed text, and the counts of each
	// page. They are "" if the step does not write them; one of both it writes.
	removed, counts string
	// dedup is the method of a step that removes duplicates.
	dedup *Dedup
	// joins indicates that the outputs of shards can be concatenated.
	joins bool
	do    func(ctx context.Context, w *work) error
}

// work is a running step.
type work struct {
	*builder
	step   *step
	entry  *entry
	resume bool
}

// steps are the steps of a recipe in order.
type steps []*step

func (s steps) names() []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].name
	}
	return names
}

// each calls fn for each step up to the first error.
func (s steps) each(fn func(*step) error) error {
	for _, x := range s {
		if err := fn(x); err != nil {
			return err
		}
	}
	return nil
}

// stepsOf returns the steps of a checked recipe.
func stepsOf(r *Recipe) (list steps) {
	add := func(s *step) *step {
		for n, name := 2, s.name; slices.Contains(list.names(), s.name); n++ {
			s.name = name + "-" + strconv.Itoa(n)
		}
		if s.text {
			s.outputs = []string{filepath.Join(stepsFolder, s.name, keptName)}
		}
		if s.text && (s.reads != nil || !r.OnePass) {
			s.removed = filepath.Join(stepsFolder, s.name, removedName)
			s.outputs = append(s.outputs, s.removed)
		}
		if s.text && s.reads == nil {
			s.counts = filepath.Join(stepsFolder, s.name, countsName)
			s.outputs = append(s.outputs, s.counts)
		}
		list = append(list, s)
		return s
	}
	text := add(cleanStep(r))
	if r.Filter != nil && !r.OnePass {
		text = add(filterStep(r, text))
	}
	for i := range r.Dedup {
		text = add(dedupStep(&r.Dedup[i], text))
	}
	if v := r.Vertical; v != nil {
		tokens := add(verticalStep(v, text))
		if r.Index != nil {
			add(indexStep(r.Index, v, tokens))
		}
	}
	for i := range r.Exports {
		add(exportStep(&r.Exports[i], text))
	}
	return list
}

// mark returns the identity of everything on which the result of a step depends.
func (b *builder) mark(s *step) (mark, error) {
	m := mark{Program: b.Version, Recipe: hashOf(s.settings)}
	var err error
	if m.Files, err = b.contents(s); err != nil {
		return m, err
	}
	if s.reads == nil {
		m.Input = files.Identity(files.List(b.inputs()))
		return m, nil
	}
	e := b.ledger.entry(s.reads.name)
	if e == nil || !e.Done {
		return m, fmt.Errorf("the step %s is not done", s.reads.name)
	}
	m.Input = e.Outputs[0].Hash
	return m, nil
}

// in and out return the input and the first output of the step.
func (w *work) in() string  { return w.path(w.step.reads.outputs[0]) }
func (w *work) out() string { return w.path(w.step.outputs[0]) }

const cleanStepName = "clean"

// cleanStep returns the step that extracts text from pages.
func cleanStep(r *Recipe) *step {
	s := &step{name: cleanStepName, does: "decode, detect the language, label blocks, keep text", text: true}
	made, err := r.pages()
	if err != nil {
		panic(err) // the recipe was checked
	}
	stages, _, err := made.Build()
	if err != nil {
		panic(err)
	}
	var rules *filter.Set // that are applied in this step
	if r.OnePass && r.Filter != nil {
		if rules, err = r.rules(); err != nil {
			panic(err) // the recipe was checked
		}
		s.does += ", leave out pages by rules: " + strings.Join(rules.Config().Use, ", ")
		s.names = filesIn(r.Filter)
	}
	behaviour := []string{}
	for _, stage := range stages {
		behaviour = append(behaviour, stage.Name())
	}
	s.settings = []any{json.RawMessage(made.Bytes()), behaviour, r.Clean.MaxPageTime}
	s.names = append(s.names, filesIn(r.ExcludedSites, r.Clean.Method, r.Clean.Config, r.Clean.Stages)...)
	s.do = func(ctx context.Context, w *work) error {
		w.entry.Sampling = samplingOf(w.inputBytes())
		opts := w.options(made, w.out(), w.inputs())
		if s.removed != "" {
			opts.Aside = []string{w.path(s.removed)}
		}
		opts.Further = []recipe.Further{{File: w.path(s.counts), Encoder: newCounter(w.sampling())}}
		opts.ErrorList = errorList(w.Out)
		opts.PageTime = cmp.Or(r.Clean.MaxPageTime, stage.PageTime(made.Stages), opts.PageTime)
		opts.OnPages = func(rep *pipeline.Report) error {
			w.entry.Pages = rep
			if rules != nil {
				w.entry.Gaps = rules.Gaps(rep.LangsBeforeRules())
			}
			return w.ledger.save()
		}
		opts.MaxBytes, opts.Pieces = w.sample, w.Pieces
		return w.make(ctx, opts)
	}
	return s
}

// options returns the options of a recipe on the inputs.
func (w *work) options(r *recipe.Recipe, out string, inputs []string) recipe.MakeOptions {
	o := recipe.MakeOptions{Recipe: r, RunOptions: recipe.DefaultRun}
	o.Job, o.OnHTML = w.job(out, inputs...), w.OnHTML
	return o
}

// job returns the job of the step.
func (w *work) job(out string, inputs ...string) pipeline.Job {
	j := w.Job
	j.Inputs, j.Out, j.Resume, j.Force, j.OnProgress = inputs, out, w.resume, !w.resume, w.reportProgress
	return j
}

// make runs a recipe. A run that is already complete was killed before its end was recorded.
func (w *work) make(ctx context.Context, opts recipe.MakeOptions) error {
	rep, err := recipe.Make(ctx, opts)
	w.entry.Read = max(w.entry.Read, rep.Read)
	w.entry.Tokenizer, w.entry.Tagger = cmp.Or(rep.Tokenizer, w.entry.Tokenizer), cmp.Or(rep.Tagger, w.entry.Tagger)
	if errors.Is(err, pipeline.ErrComplete) {
		return nil
	}
	return err
}

// filterStep returns the step that drops pages by rules.
func filterStep(r *Recipe, text *step) *step {
	set, err := r.rules()
	if err != nil {
		panic(err) // the recipe was checked
	}
	s := &step{name: "filter", does: "leave out pages by rules: " + strings.Join(set.Config().Use, ", "), reads: text, text: true, settings: set.Config(), names: filesIn(r.Filter)}
	s.do = func(ctx context.Context, w *work) error {
		cfg := filterjob.Config{Job: w.job(w.out(), w.in()), Input: records.Config{Format: records.JSONL}, Set: set, Dropped: w.path(s.removed)}
		cfg.Resume = w.resume && filterjob.Resumable(cfg.Out)
		cfg.Force = !cfg.Resume // killed before its first checkpoint or at its very end: start over
		rep, err := filterjob.Run(ctx, cfg)
		if err != nil {
			return err
		}
		w.entry.Filter = rep
		return w.ledger.save()
	}
	return s
}

// dedupStep returns a step that removes duplicates.
func dedupStep(d *Dedup, text *step) *step {
	s := &step{name: "dedup-" + d.Method, reads: text, text: true, dedup: d, settings: d, names: filesIn(d.Config)}
	m, err := recipe.DedupMethodOf(d.Method)
	if err != nil {
		panic(err) // the recipe was checked
	}
	s.does = "remove duplicates: " + m.Help
	s.do = func(ctx context.Context, w *work) error {
		method, err := recipe.Dedup(d.Method, d.Config)
		if err != nil {
			return err
		}
		cfg := dedup.Config{
			Job: w.job(w.out(), w.in()), Input: records.Config{Format: records.JSONL}, Method: method, Rank: d.Rank, MinWords: d.MinWords,
			Dropped: w.path(s.removed), Explain: true, Work: w.path(stepsFolder, s.name, "work"),
		}
		rep, err := dedup.Run(ctx, cfg)
		if errors.Is(err, pipeline.ErrComplete) && w.entry.Dedup == nil { // killed before its report was saved
			cfg.Resume, cfg.Force = false, true
			rep, err = dedup.Run(ctx, cfg)
		}
		if err != nil && !errors.Is(err, pipeline.ErrComplete) {
			return err
		}
		if rep != nil {
			w.entry.Dedup = rep
		}
		return w.ledger.save()
	}
	return s
}

// columns returns the names of the token columns.
func (v *Vertical) columns() []string {
	o := recipe.Output{Tag: v.Tag}
	names := o.Columns()
	for _, c := range v.TaggerColumns {
		name, _, _ := strings.Cut(c, "=")
		names = append(names, name)
	}
	return names
}

// output returns the settings of the vertical file.
func (v *Vertical) output() (recipe.Output, error) {
	o := recipe.Output{Format: "vertical", Segmenters: v.Segmenters, Tag: v.Tag, Taggers: v.Taggers}
	if v.TokenRules != "" {
		b, err := archive.ReadFile(v.TokenRules)
		if err != nil {
			return o, fmt.Errorf("token_rules: %w", err)
		}
		o.TokenRules = &recipe.TokenRules{Name: v.TokenRules, Text: string(b)}
	}
	return o, nil
}

// tagger returns the tagger, or nil if there is none.
func (v *Vertical) tagger(jobs int) *vertical.Tagger {
	if v.Tagger == "" {
		return nil
	}
	t := vertical.DefaultTagger
	t.Command, t.Columns, t.Workers, t.Word = v.Tagger, v.TaggerColumns, jobs, 1
	if v.TaggerInput != "" {
		t.Input = v.TaggerInput
	}
	return &t
}

// verticalStep returns the step that tokenizes and tags.
func verticalStep(v *Vertical, text *step) *step {
	s := &step{name: "vertical", does: "find tokens and sentences", reads: text, outputs: []string{filepath.Clean(v.File)}}
	if v.Tagger != "" || v.Tag {
		s.does += ", add " + strings.Join(v.columns()[1:], ", ")
	}
	if v.Registry {
		s.does += ", write registry files"
		s.outputs = append(s.outputs, vertical.RegistryFiles(filepath.Clean(v.File), vertical.RegistryConfig{})...)
	}
	out, err := v.output()
	if err != nil {
		panic(err) // the recipe was checked
	}
	s.joins = out.Joins(v.File)
	made := recipe.Convert(recipe.ConvertOptions{Output: out})
	s.settings, s.names = []any{json.RawMessage(made.Bytes()), v}, filesIn(v.TokenRules, v.Segmenters, v.Taggers, v.Tokenizer, v.Tagger)
	if v.Tag {
		s.names = append(s.names, installed.Files()...)
	}
	s.do = func(ctx context.Context, w *work) error {
		if err := disk.MkdirAll(filepath.Dir(w.out())); err != nil {
			return err
		}
		opts := w.options(made, w.out(), []string{w.in()})
		opts.Registry = v.Registry
		if opts.Tagger = v.tagger(w.Workers); opts.Tagger != nil {
			opts.Tagger.OnProblem = w.OnError
		}
		if v.Tokenizer != "" {
			t := vertical.DefaultTokenizer
			t.Command, t.Workers, t.OnProblem = v.Tokenizer, w.Workers, w.OnError
			opts.Tokenizer = &t
		}
		if err := w.make(ctx, opts); err != nil {
			return err
		}
		langs := map[string]int64{}
		if e := w.ledger.entry(text.name); e != nil && e.Flow != nil {
			for lang, s := range e.Flow.Langs {
				langs[lang] = s.Kept.Pages
			}
		}
		w.entry.Untagged, err = out.Untagged(langs)
		return err
	}
	return s
}

// config returns the configuration of the index of a vertical.
func (x *Index) config(v *Vertical) corpus.BuildConfig {
	cfg := corpus.DefaultBuild
	cfg.Columns, cfg.Lower, cfg.Document, cfg.Strict = v.columns(), x.Lower, x.Document, true
	return cfg
}

const indexStepName = "index"

// indexStep returns the step that indexes the vertical.
func indexStep(x *Index, v *Vertical, tokens *step) *step {
	s := &step{name: indexStepName, does: "make an index for queries", reads: tokens, outputs: []string{filepath.Clean(x.Folder)}, settings: []any{x, v.columns()}}
	s.do = func(ctx context.Context, w *work) error {
		debug.FreeOSMemory() // of taggers
		cfg := x.config(v)
		cfg.Tool, cfg.Memory = "chaffinch "+w.Version, w.indexMemory()
		b, err := corpus.NewBuilder(w.out(), cfg)
		if err != nil {
			return err
		}
		if err := w.index(ctx, b); err != nil {
			return errors.Join(err, b.Close())
		}
		rep, err := b.Finish()
		w.entry.Tokens, w.entry.NotIndexed = rep.Tokens, rep.Failed
		if err != nil {
			return err
		}
		debug.FreeOSMemory() // of the index: sketches map its file, and need memory to sort
		_, _, err = sketch.Update(ctx, w.out(), x.Grammar, sketch.BuildConfig{Memory: w.Memory / 2, Tool: cfg.Tool})
		debug.FreeOSMemory() // of the sort
		return err
	}
	return s
}

// indexMemory returns the memory for an index. In a sample it is reduced, so that the share of
// the data that is sorted on disk is the same.
func (w *work) indexMemory() int64 {
	if w.share == 0 {
		return w.Memory / 2
	}
	return max(1<<20, int64(float64(w.Memory/2)*w.share))
}

// index adds the vertical to the index.
func (w *work) index(ctx context.Context, b *corpus.Builder) error {
	in, err := openMetered(w.in(), func(n, size int64) { w.reportProgress(pipeline.Status{Step: "index", Done: n, Total: size}) })
	if err != nil {
		return err
	}
	defer in.Close()
	if err := b.Add(ctx, w.in(), readers.Until(ctx, in)); err != nil {
		return err
	}
	if b.Size() == 0 {
		return errors.New("no token in the vertical: no page is left")
	}
	return nil
}

// metered is an open compressed file that reports how far it was read.
type metered struct {
	*packed.Reader
	f *os.File
}

// openMetered opens an output of a step. It calls tell with the number of bytes read and the
// size of the file.
func openMetered(name string, tell func(read, size int64)) (*metered, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := packed.NewReader(&readers.Counter{R: f, OnRead: func(n int64) { tell(n, st.Size()) }}, packed.Trusted)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &metered{r, f}, nil
}

// Close closes the file.
func (m *metered) Close() error {
	m.Reader.Close()
	return m.f.Close()
}

// exportStep returns a step that writes the kept text in another format.
func exportStep(e *Export, text *step) *step {
	name := filepath.Clean(e.File)
	s := &step{name: "export-" + strings.ReplaceAll(filepath.ToSlash(name), "/", "-"), does: "write " + e.File, reads: text, outputs: []string{name}}
	out, err := e.output()
	if err != nil {
		panic(err) // the recipe was checked
	}
	s.joins = out.Joins(e.File)
	made := recipe.Convert(recipe.ConvertOptions{Output: out})
	s.settings = []any{json.RawMessage(made.Bytes()), e.File}
	s.do = func(ctx context.Context, w *work) error {
		if err := disk.MkdirAll(filepath.Dir(w.out())); err != nil {
			return err
		}
		to := w.out()
		if e.isFolder() {
			to += string(filepath.Separator)
		}
		return w.make(ctx, w.options(made, to, []string{w.in()}))
	}
	return s
}
