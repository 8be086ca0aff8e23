package labels

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"chaffinch/internal/parallel"
	"chaffinch/text/label"
)

// Train trains a model on documents. The result depends only on the documents, their order and the
// configuration.
func Train(ctx context.Context, cfg Config, docs []Doc, progress func(done, total int)) (*label.Model, *Report, error) {
	t, err := newTrainer(cfg, docs)
	if err != nil {
		return nil, nil, err
	}
	t.progress, t.total = progress, t.cfg.Folds*(1+len(fractions))+1
	if t.cfg.Forest != nil {
		t.total = t.cfg.Folds + 1 + len(t.classes.names)
	}
	if err := t.holdOut(ctx); err != nil {
		return nil, nil, err
	}
	if t.cfg.Forest == nil {
		if err := t.curve(ctx); err != nil {
			return nil, nil, err
		}
	}
	f, err := t.fit(ctx, t.found, t.truths, -1)
	if err != nil {
		return nil, nil, err
	}
	t.step()
	w := label.Weights{Config: t.config()}
	f.pack(&w, t.cfg.WeightSteps)
	if t.cfg.Forest != nil {
		if w.Forests, err = t.forests(ctx); err != nil {
			return nil, nil, err
		}
	}
	t.calibrateAll(&w)
	m, err := label.New(w)
	return m, t.rep, err
}

// trainer is the state of a training.
type trainer struct {
	cfg     Config
	rows    []int32 // for [newSpace]
	docs    []Doc
	classes *classes
	truths  []truth
	found   []*extracted
	extra   []Doc // documents that are only learned from, and their features and classes
	more    []*extracted
	others  []truth
	groups  []string
	fold    []int
	scores  [][]float32 // held-out scores by document and class
	// For forests: the folds of the extra documents, and the windows with held-out linear scores of
	// documents and extra documents.
	extraFold       []int
	held, extraHeld []*windows
	rep             *Report

	progress    func(done, total int)
	done, total int
}

func newTrainer(cfg Config, docs []Doc) (*trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, errors.New("no documents with labels")
	}
	t := &trainer{cfg: cfg, rep: &Report{}}
	sum := sha256.New()
	for _, d := range docs {
		fmt.Fprintf(sum, "%q\t%s\x00", d.Labels, d.Text)
	}
	t.rep.DataSHA256 = hex.EncodeToString(sum.Sum(nil))
	t.extract(docs)
	if t.classes, t.rep.Omitted = newClasses(t.docs, cfg.MinClass); len(t.classes.names) == 0 {
		return nil, fmt.Errorf("no class has %d documents of at least %d words, in %d documents: label more", cfg.MinClass, label.MinWords, len(docs))
	}
	t.truths, t.others = t.classes.truths(t.docs), t.classes.truths(t.extra)
	if !cfg.Several {
		if err := t.classes.checkExclusive(t.docs, t.truths); err != nil {
			return nil, err
		}
		t.dropOthers()
		if len(t.classes.names) < 2 {
			return nil, fmt.Errorf("only the class %q has %d documents: wanted two exclusive classes or more", t.classes.names[0], cfg.MinClass)
		}
	}
	first := duplicates(t.docs)
	t.groups = group(t.docs, first)
	t.fold = folds(t.groups, t.truths, cfg.Folds, cfg.Seed)
	t.extraFold = t.extraFolds()
	t.rep.describe(t, first)
	return t, nil
}

// checkFolds returns an error if there are too few groups for the folds.
func (t *trainer) checkFolds() error {
	if t.rep.Groups < t.cfg.Folds {
		return fmt.Errorf("the documents are of %d sites or groups: wanted at least %d, the number of folds", t.rep.Groups, t.cfg.Folds)
	}
	return nil
}

// extract extracts the features of documents that have enough words.
func (t *trainer) extract(docs []Doc) {
	found := make([]*extracted, len(docs))
	cfg := &label.Config{Scales: t.cfg.Scales, Flat: t.cfg.Flat}
	parallel.Each(0, len(docs), func(i int) {
		found[i] = extract(label.NewFeatures(), docs[i].Input(), cfg)
	})
	for i, e := range found {
		if w := docs[i].Weight; w > 0 {
			e.weight = w
		}
		switch {
		case e.words < label.MinWords:
			t.rep.Short++
			continue
		case docs[i].Extra:
			t.extra, t.more = append(t.extra, docs[i]), append(t.more, e)
			continue
		}
		t.docs, t.found = append(t.docs, docs[i]), append(t.found, e)
	}
}

// fit trains a model on documents and on all extra documents that are not in a fold.
func (t *trainer) fit(ctx context.Context, docs []*extracted, truths []truth, fold int) (*fitted, error) {
	docs, truths = slices.Clone(docs), slices.Clone(truths)
	for i, e := range t.more {
		if fold < 0 || t.extraFold[i] != fold {
			docs, truths = append(docs, e), append(truths, t.others[i])
		}
	}
	if t.rows == nil {
		t.rows = make([]int32, 1<<label.IDBits)
	}
	return fit(ctx, &t.cfg, t.rows, docs, truths)
}

// dropOthers drops documents of exclusive classes that have no class that is learned.
func (t *trainer) dropOthers() {
	n := 0
	for i, tr := range t.truths {
		if slices.Contains(tr, 1) {
			t.docs[n], t.found[n], t.truths[n] = t.docs[i], t.found[i], tr
			n++
		}
	}
	t.rep.Unlearned = len(t.docs) - n
	t.docs, t.found, t.truths = t.docs[:n], t.found[:n], t.truths[:n]
}

func (t *trainer) step() {
	if t.done++; t.progress != nil {
		t.progress(t.done, t.total)
	}
}

// config returns the configuration of the model.
func (t *trainer) config() label.Config {
	c := label.Config{Several: t.cfg.Several, Scales: t.cfg.Scales, Flat: t.cfg.Flat,
		Forced: t.cfg.Several && t.cfg.Precision+t.cfg.Recall == 0 && t.rep.Unlabelled*50 < len(t.docs)}
	for _, d := range t.docs {
		if d.Lang != "" && !slices.Contains(c.Langs, d.Lang) {
			c.Langs = append(c.Langs, d.Lang)
		}
	}
	slices.Sort(c.Langs)
	return c
}

// holdOut scores the documents of each fold by a model of the other folds.
func (t *trainer) holdOut(ctx context.Context) error {
	err := t.checkFolds()
	if err != nil {
		return err
	}
	t.held, t.extraHeld = make([]*windows, len(t.docs)), make([]*windows, len(t.extra))
	t.scores, err = t.crossScore(ctx, 1)
	return err
}

// crossScore returns held-out scores of models that learn from a fraction of the groups of the
// other folds.
func (t *trainer) crossScore(ctx context.Context, fraction float64) ([][]float32, error) {
	out := make([][]float32, len(t.docs))
	for k := range t.cfg.Folds {
		var train []*extracted
		var truths []truth
		for i := range t.docs {
			if t.fold[i] != k && share(t.groups[i], t.cfg.Seed) < fraction {
				train, truths = append(train, t.found[i]), append(truths, t.truths[i])
			}
		}
		if len(train) == 0 {
			continue
		}
		f, err := t.fit(ctx, train, truths, k)
		if err != nil {
			return nil, err
		}
		if err := t.scoreFold(f, k, out); err != nil {
			return nil, err
		}
		t.step()
	}
	for i := range out {
		if out[i] == nil {
			out[i] = make([]float32, len(t.classes.names))
		}
	}
	return out, nil
}

// scoreFold sets the scores of the documents of a fold, by the model that a file would contain.
func (t *trainer) scoreFold(f *fitted, fold int, out [][]float32) error {
	w := t.decider(make([]curve, len(t.classes.names))).Weights
	f.pack(&w, t.cfg.WeightSteps)
	m, err := label.New(w)
	if err != nil {
		return err
	}
	eachScored(m, t.docs, t.fold, fold, func(i int, s *label.Scorer, scores []float32) {
		out[i] = slices.Clone(scores)
		if t.cfg.Forest != nil {
			t.held[i] = windowsOf(s, len(scores))
		}
	})
	if t.cfg.Forest != nil {
		eachScored(m, t.extra, t.extraFold, fold, func(i int, s *label.Scorer, scores []float32) {
			t.extraHeld[i] = windowsOf(s, len(scores))
		})
	}
	return nil
}

// eachScored scores the documents of a fold in parallel.
func eachScored(m *label.Model, docs []Doc, folds []int, fold int, fn func(i int, s *label.Scorer, scores []float32)) {
	workers := parallel.Workers(0)
	scorers := make([]*label.Scorer, workers)
	parallel.EachOf(workers, len(docs), func(worker, i int) {
		if folds[i] != fold {
			return
		}
		if scorers[worker] == nil {
			scorers[worker] = label.NewScorer()
		}
		s := scorers[worker]
		fn(i, s, s.Linear(m, docs[i].Input()))
	})
}

// Fit trains a model like [Train], without a report. The scores of exclusive classes are not
// calibrated: the class of a document is the class with the highest score.
func Fit(ctx context.Context, cfg Config, docs []Doc) (*label.Model, error) {
	t, err := newTrainer(cfg, docs)
	if err != nil {
		return nil, err
	}
	f, err := fit(ctx, &t.cfg, make([]int32, 1<<label.IDBits), t.found, t.truths)
	if err != nil {
		return nil, err
	}
	uncalibrated := make([]curve, len(t.classes.names))
	for c := range uncalibrated {
		uncalibrated[c].slope = 1
	}
	w := t.decider(uncalibrated).Weights
	f.pack(&w, t.cfg.WeightSteps)
	if t.cfg.Several || t.cfg.Forest != nil {
		if err := t.holdOut(ctx); err != nil {
			return nil, err
		}
		if t.cfg.Forest != nil {
			if w.Forests, err = t.forests(ctx); err != nil {
				return nil, err
			}
		}
		t.calibrateAll(&w)
	}
	return label.New(w)
}

// Split returns the documents that [Train] uses, the fold of each, and the names of the classes.
func Split(cfg Config, docs []Doc) (used []Doc, fold []int, classes []string, err error) {
	t, err := newTrainer(cfg, docs)
	if err != nil {
		return nil, nil, nil, err
	}
	return t.docs, t.fold, t.classes.names, t.checkFolds()
}
