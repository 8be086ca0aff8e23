package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/clean/blocks"
	"chaffinch/internal/files"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
	trainblocks "chaffinch/lab/train/blocks"
	"chaffinch/model"
	"chaffinch/page"
	"chaffinch/serve/desk/job"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/problem"
)

// keptEvery: one in so many sites is held out for evaluation.
const keptEvery = 5

// kept reports whether a page is held out for evaluation. The decision is by site, so that
// no model is trained on other pages of the site.
func (d *doc) kept() bool {
	return journal.OneOf(keptEvery, cmp.Or(d.site, d.SHA256))
}

// Training is a model adapted to the set, with its figures.
type Training struct {
	Number int    `json:"number" doc:"From 1; 0 is the embedded model."`
	Time   string `json:"time"`
	By     string `json:"by"`
	// Learned is the number of training pages, Kept the number of evaluation pages.
	Learned int `json:"learned"`
	Kept    int `json:"kept"`
	// Crossed reports whether the figures are from a five-fold cross-validation by site,
	// since no page is held out.
	Crossed bool `json:"crossed,omitempty"`
	// Curve has the model without any page, with half of them and with all.
	Curve []Point `json:"curve"`
	// Gain is the last point less the first, mean over pages, with its interval.
	Gain *Interval `json:"gain,omitempty"`
	// Next is the expected gain from twice as many pages, extrapolated from the last half of
	// the curve.
	Next float64 `json:"next"`
}

// Point holds the figures of a model after training on a number of pages.
type Point struct {
	Pages    int     `json:"pages"`
	Accuracy float64 `json:"accuracy" doc:"Share of blocks with the correct label, mean over pages, 0 to 1."`
	F        float64 `json:"f" doc:"F of the main text in characters, mean over pages, 0 to 1."`
}

// TrainingStatus is the state of training.
type TrainingStatus struct {
	job.State
	// Model is the number of the training in use, 0 for the embedded model.
	Model     int        `json:"model"`
	Trainings []Training `json:"trainings"`
	// Labelled is the number of finished pages, Kept the number of these held out for evaluation.
	Labelled int `json:"labelled"`
	Kept     int `json:"kept"`
}

const trainingsFile = "trainings.json"

// modelName is the file of a training's model.
func modelName(number int) string { return fmt.Sprintf("%d.chf", number) }

// openModel reads the trainings and loads the model in use.
func (s *Desk) openModel() error {
	b, err := os.ReadFile(filepath.Join(s.cfg.Dir, modelFolder, trainingsFile))
	if err == nil {
		err = json.Unmarshal(b, &s.trainings)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", filepath.Join(s.cfg.Dir, modelFolder, trainingsFile), err)
	}
	if n := s.set.Model; n < 0 || n > len(s.trainings) {
		return fmt.Errorf("%s: model %d: wanted 0 to %d", filepath.Join(s.cfg.Dir, settingsFile), n, len(s.trainings))
	}
	return s.use(s.set.Model)
}

// use loads the model of a training, 0 for the embedded model, and makes it the model in use.
func (s *Desk) use(number int) error {
	m, err := blocks.Load("embedded")
	if number > 0 {
		m, err = blocks.Load(filepath.Join(s.cfg.Dir, modelFolder, modelName(number)))
	}
	if err != nil {
		return err
	}
	l, err := blocks.NewWith(m, blocks.Default)
	if err != nil {
		return err
	}
	s.model.Store(&inUse{labeller: l, number: number})
	return nil
}

type statusOutput struct{ Body TrainingStatus }

// status returns the state of training.
func (a *api) status(context.Context, *struct{}) (*statusOutput, error) {
	state := a.job.State() // before the trainings, which a run appends before it ends
	a.mu.Lock()
	labelled, kept := 0, 0
	for _, d := range a.docs {
		if d.plain {
			continue
		}
		if a.agreed(d) != nil {
			labelled++
			if d.kept() {
				kept++
			}
		}
	}
	all := append([]Training{}, a.trainings...)
	a.mu.Unlock()
	return &statusOutput{TrainingStatus{State: state, Model: a.model.Load().number, Trainings: all, Labelled: labelled, Kept: kept}}, nil
}

// leastPages is the minimum number of pages for a training.
const leastPages = 5

// train starts a training.
func (a *api) train(ctx context.Context, in *journal.Who) (*statusOutput, error) {
	if err := journal.CheckName(in.Person); err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	_, done := a.roles()
	maps.DeleteFunc(done, func(d *doc, _ []string) bool { return d.plain })
	if len(done) < leastPages {
		return nil, problem.New(http.StatusUnprocessableEntity, "%d finished pages: wanted at least %d for training", len(done), leastPages)
	}
	err := a.job.Start(ctx, func(run context.Context) error {
		t, err := a.learn(run, done, in.Person)
		if err != nil {
			return err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.trainings = append(a.trainings, *t)
		return nil
	})
	if err != nil {
		return nil, problem.New(http.StatusConflict, "a training is %v: wait until it ends, or cancel it", err)
	}
	return a.status(ctx, nil)
}

// cancelled ends the training that runs.
func (a *api) cancelled(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	a.job.Stop()
	return a.status(ctx, nil)
}

type useInput struct {
	Body struct {
		Number int `json:"number" minimum:"0" doc:"Number of a training, 0 for the embedded model."`
	}
}

// keep takes the model of a training for the proposals.
func (a *api) keep(ctx context.Context, in *useInput) (*statusOutput, error) {
	a.mu.Lock()
	there := in.Body.Number == 0 || slices.ContainsFunc(a.trainings, func(t Training) bool { return t.Number == in.Body.Number })
	a.mu.Unlock()
	if !there {
		return nil, problem.New(http.StatusNotFound, "no training %d", in.Body.Number)
	}
	if err := a.use(in.Body.Number); err != nil {
		return nil, err
	}
	a.goldMu.Lock()
	a.set.Model = in.Body.Number
	err := a.saveSettings()
	a.goldMu.Unlock()
	if err != nil {
		return nil, err
	}
	return a.status(ctx, nil)
}

// lesson is a page that is done.
type lesson struct {
	doc    *doc
	page   *page.Page
	told   trainblocks.LabelledPage
	labels []string
}

// learn adapts the embedded model to the labels, and evaluates it.
func (a *api) learn(ctx context.Context, done map[*doc][]string, by string) (*Training, error) {
	base, err := blocks.Load("embedded")
	if err != nil {
		return nil, err
	}
	l, err := blocks.NewWith(base, blocks.Default)
	if err != nil {
		return nil, err
	}
	var learn, kept []*lesson
	docs := slices.SortedFunc(maps.Keys(done), func(x, y *doc) int { return strings.Compare(x.SHA256, y.SHA256) })
	for i, d := range docs {
		a.job.Show("reading pages", i, len(docs))
		x, err := a.lesson(ctx, l, d, done[d])
		if err != nil {
			return nil, err
		}
		if d.kept() {
			kept = append(kept, x)
		} else {
			learn = append(learn, x)
		}
	}
	t := &Training{Time: a.cfg.Now().UTC().Format("2006-01-02T15:04:05Z"), By: by, Learned: len(learn), Kept: len(kept)}
	if len(learn) == 0 {
		return nil, errors.New("all finished pages are held out for evaluation: label pages of other sites")
	}
	if t.Crossed = len(kept) < leastPages; t.Crossed {
		t.Kept = len(learn)
	}
	var first, last []result
	for halves := range 3 { // nothing, half of the pages, all
		a.job.Show("measuring", halves, 3)
		var of []result
		if t.Crossed {
			of, err = a.crossed(ctx, base, learn, halves)
		} else {
			of, err = a.measured(ctx, base, learn[:len(learn)*halves/2], kept)
		}
		if err != nil {
			return nil, err
		}
		if halves == 0 {
			first = of
		}
		last = of
		t.Curve = append(t.Curve, pointOf(len(learn)*halves/2, of))
	}
	t.Gain = intervalOf(gains(first, last))
	t.Next = t.Curve[2].Accuracy - t.Curve[1].Accuracy
	a.job.Show("tuning", 0, 1)
	tuned, err := tune(ctx, base, learn)
	if err != nil {
		return nil, err
	}
	return t, a.save(t, tuned)
}

// save writes a model and notes its training.
func (a *api) save(t *Training, m *blocks.Model) error {
	a.mu.Lock()
	all := slices.Clone(a.trainings)
	a.mu.Unlock()
	for _, x := range all {
		t.Number = max(t.Number, x.Number)
	}
	t.Number++
	card, err := json.Marshal(map[string]any{"about": "the embedded model, adapted to a set under annotation", "set": a.Name(), "pages": t.Learned})
	if err != nil {
		return err
	}
	if err := m.Save(filepath.Join(a.cfg.Dir, modelFolder, modelName(t.Number)), model.Header{Name: a.Name(), Tool: "chaffinch serve", Card: card}); err != nil {
		return err
	}
	return files.WriteJSON(filepath.Join(a.cfg.Dir, modelFolder, trainingsFile), append(all, *t), " ")
}

// lesson reads a page that is done.
func (a *api) lesson(ctx context.Context, l *blocks.Labeller, d *doc, labels []string) (*lesson, error) {
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	p, err := a.read(ctx, d)
	if err != nil {
		return nil, err
	}
	if d.host != "" {
		if err := a.table.Mark(d.host, p); err != nil {
			return nil, err
		}
	}
	x := &lesson{doc: d, page: p, labels: labels}
	if x.told.Probabilities, err = l.Probabilities(ctx, p); err != nil {
		return nil, err
	}
	for _, label := range labels {
		x.told.Roles = append(x.told.Roles, rolesOf(label))
	}
	return x, nil
}

// rolesOf are the roles that a block with some label may have.
func rolesOf(label string) page.Roles {
	switch label {
	case "":
		return 0
	case gold.LineLabel(true):
		return goldRoles
	case gold.LineLabel(false):
		return allRoles &^ goldRoles
	}
	role, _, err := gold.ParseRole(label)
	if err != nil {
		return 0
	}
	return page.RolesOf(role)
}

// tune learns from pages.
func tune(ctx context.Context, base *blocks.Model, learn []*lesson) (*blocks.Model, error) {
	if len(learn) == 0 {
		return base, nil
	}
	var all []trainblocks.LabelledPage
	for _, x := range learn {
		all = append(all, x.told)
	}
	return trainblocks.Tune(ctx, base, all)
}

// result holds the figures of a model on a page.
type result struct{ accuracy, f float64 }

func gains(first, last []result) (out []float64) {
	for i := range last {
		out = append(out, last[i].accuracy-first[i].accuracy)
	}
	return out
}

func pointOf(pages int, of []result) Point {
	p := Point{Pages: pages}
	var a, f []float64
	for _, r := range of {
		a, f = append(a, r.accuracy), append(f, r.f)
	}
	if len(of) > 0 {
		p.Accuracy, p.F = stats.Mean(a), stats.Mean(f)
	}
	return p
}

// measured measures a model that learns from some pages on others.
func (a *api) measured(ctx context.Context, base *blocks.Model, learn, on []*lesson) (out []result, err error) {
	m, err := tune(ctx, base, learn)
	if err != nil {
		return nil, err
	}
	l, err := blocks.NewWith(m, blocks.Default)
	if err != nil {
		return nil, err
	}
	for _, x := range on {
		of, err := l.Probabilities(ctx, x.page)
		if err != nil {
			return nil, err
		}
		out = append(out, x.score(of))
	}
	return out, nil
}

// parts is the number of folds of the cross-validation.
const parts = 5

// crossed evaluates each fold of the pages with a model trained on none, half or all of the
// others. Pages of a site are in the same fold.
func (a *api) crossed(ctx context.Context, base *blocks.Model, all []*lesson, halves int) ([]result, error) {
	part := map[string]int{}
	partOf := func(x *lesson) int {
		site := cmp.Or(x.doc.site, x.doc.SHA256)
		if _, ok := part[site]; !ok {
			part[site] = len(part) % parts
		}
		return part[site]
	}
	for _, x := range all {
		partOf(x)
	}
	out := make([]result, len(all))
	for k := range parts {
		var learn, on []*lesson
		var at []int
		for i, x := range all {
			if partOf(x) == k {
				on, at = append(on, x), append(at, i)
			} else {
				learn = append(learn, x)
			}
		}
		of, err := a.measured(ctx, base, learn[:len(learn)*halves/2], on)
		if err != nil {
			return nil, err
		}
		for i, r := range of {
			out[at[i]] = r
		}
	}
	return out, nil
}

// score compares the predictions of a model on a page with the labels.
func (x *lesson) score(of []float32) (r result) {
	var n, right, tp, fp, fn float64
	for i, label := range x.labels {
		p := of[i*blocks.Roles:][:blocks.Roles]
		may := x.told.Roles[i]
		kept, want := blocks.Probability(p, goldRoles) >= .5, may&goldRoles != 0
		n++
		if x.doc.two && kept == want || !x.doc.two && may.Has(blocks.MostProbable(p, allRoles)) {
			right++
		}
		switch w := float64(x.page.Blocks[i].Chars()); {
		case label == "":
		case kept && want:
			tp += w
		case kept:
			fp += w
		case want:
			fn += w
		}
	}
	r.accuracy, r.f = right/max(n, 1), 1
	if tp+fp+fn > 0 {
		r.f = 2 * tp / (2*tp + fp + fn)
	}
	return r
}
