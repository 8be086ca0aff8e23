package documents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/lab/annotate"
	"chaffinch/lab/train/labels"
	"chaffinch/model"
	"chaffinch/serve/desk/job"
	"chaffinch/text/label"
)

// TrainedModel is a model trained on the set, with its evaluation by cross-validation: documents of a
// site or of a group of near-duplicates are held out together.
type TrainedModel struct {
	Number  int            `json:"number"`
	Time    string         `json:"time"`
	By      string         `json:"by"`
	Short   int            `json:"short" doc:"Labelled documents with too few words, which are not used."`
	Omitted map[string]int `json:"omitted" doc:"Labels of too few documents, which are not learned, with the number of documents."`
	All     Figures        `json:"all" doc:"Figures of all documents."`
	// Random are the figures of the documents that were selected at random. The other documents
	// are more difficult, since a model was uncertain about them.
	Random   Figures        `json:"random"`
	Learning []Figures      `json:"learning" doc:"Figures of models of an eighth, a quarter, half and all of the training documents of a fold."`
	Labels   []LabelFigures `json:"labels"`
	Weighted *float64       `json:"weighted,omitempty" doc:"Scale: kappa with quadratic weights."`
}

// Figures evaluates a model, from 0 to 1.
type Figures struct {
	Documents int     `json:"documents"`
	Same      float64 `json:"same" doc:"Share of documents with exactly the right labels."`
	Micro     float64 `json:"micro" doc:"F1 over all labels of all documents."`
	Macro     float64 `json:"macro,omitempty" doc:"Mean of the F1 of the labels."`
}

// LabelFigures evaluates a model on one label.
type LabelFigures struct {
	Label     string  `json:"label"`
	Documents int     `json:"documents" doc:"Documents with the label."`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// ModelStatus is the state of training.
type ModelStatus struct {
	job.State
	Model     int            `json:"model" doc:"Number of the training whose model selects documents; 0 for none."`
	Trainings []TrainedModel `json:"trainings"`
	Labelled  int            `json:"labelled"`
	Least     int            `json:"least" doc:"Number of labelled documents that a training needs."`
}

const (
	trainingsFile = "trainings.json"
	leastTrained  = 20 // labelled documents for a training
	leastOfLabel  = 5  // labelled documents for a label to be learned
)

// selected is the content of trainings.json.
type selected struct {
	Model     int            `json:"model"`
	Trainings []TrainedModel `json:"trainings"`
}

func (s *Desk) modelFile(number int) string {
	return filepath.Join(s.cfg.Dir, modelFolder, fmt.Sprintf("%d.chf", number))
}

// openModel reads the trainings, and begins to score documents with the model in use.
func (s *Desk) openModel(ctx context.Context) error {
	name := filepath.Join(s.cfg.Dir, modelFolder, trainingsFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all selected
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.trainings = all.Trainings
	if all.Model == 0 {
		return nil
	}
	if !slices.ContainsFunc(all.Trainings, func(t TrainedModel) bool { return t.Number == all.Model }) {
		return fmt.Errorf("%s: model %d: wanted 0 or the number of a training", name, all.Model)
	}
	m, err := label.Load(s.modelFile(all.Model))
	if err != nil {
		return err
	}
	return s.job.Start(ctx, func(ctx context.Context) error { return s.use(ctx, all.Model, m) })
}

// saveTrainings writes the trainings. The caller holds s.mu.
func (s *Desk) saveTrainings() error {
	return files.WriteJSON(filepath.Join(s.cfg.Dir, modelFolder, trainingsFile), selected{s.used, s.trainings}, " ")
}

// use scores all documents with a model, then selects documents with it. A nil model selects at
// random.
func (s *Desk) use(ctx context.Context, number int, m *label.Model) error {
	unsure := make([]float64, len(s.docs))
	if m != nil {
		scorer := label.NewScorer()
		for i, d := range s.docs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if i%100 == 0 {
				s.job.Show("scoring documents", i, len(s.docs))
			}
			if p, ok := scorer.Score(m, label.Doc{Text: d.Text, Facts: label.URLFacts(d.URL)}); ok {
				unsure[i] = doubt(m, p)
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, d := range s.docs {
		d.unsure = unsure[i]
	}
	s.used, s.active = number, m != nil
	return s.saveTrainings()
}

// doubt returns the uncertainty of probabilities, 0 to 1: the closeness of the two most probable
// classes without a parent, or with several classes the closeness of a class to its limit.
func doubt(m *label.Model, p []float64) float64 {
	if m.Config().Several {
		most := 0.
		for c, class := range m.Classes() {
			if limit := min(max(class.Limit, .01), .99); p[c] < limit {
				most = max(most, p[c]/limit)
			} else {
				most = max(most, (1-p[c])/(1-limit))
			}
		}
		return most
	}
	best, second := 0., 0.
	for c, class := range m.Classes() {
		if class.Parent >= 0 {
			continue
		}
		if p[c] > best {
			best, second = p[c], best
		} else {
			second = max(second, p[c])
		}
	}
	return 1 - (best - second)
}

// status returns the state of training.
func (s *Desk) status() ModelStatus {
	out := ModelStatus{State: s.job.State(), Labelled: len(s.examples()), Least: leastTrained} // before the trainings, which a run appends before it ends
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Model, out.Trainings = s.used, append([]TrainedModel{}, s.trainings...)
	return out
}

// learn trains a model on the labelled documents, evaluates it, and uses it.
func (s *Desk) learn(ctx context.Context, by string) error {
	all := s.examples()
	docs, random := make([]labels.Doc, len(all)), map[string]bool{}
	for i, x := range all {
		l := x.labelled(s.scheme)
		docs[i], random[x.ID] = labels.Doc{ID: l.ID, Text: l.Text, URL: l.URL, Lang: l.Lang, Labels: l.Labels}, x.random
	}
	cfg := labels.Default
	cfg.Several, cfg.MinClass = s.scheme.Mode == Multi, leastOfLabel
	m, rep, err := labels.Train(ctx, cfg, docs, func(done, total int) { s.job.Show("training", done, total) })
	if err != nil {
		return err
	}
	t := TrainedModel{Time: s.cfg.Now().UTC().Format(time.RFC3339), By: by, Short: rep.Short, Omitted: map[string]int{}, All: figuresOf(rep.All), Labels: []LabelFigures{}}
	for name, n := range rep.Omitted {
		t.Omitted[last(name)] = n
	}
	for _, p := range rep.Learning {
		t.Learning = append(t.Learning, figuresOf(p))
	}
	for _, c := range rep.Classes {
		t.Labels = append(t.Labels, LabelFigures{last(c.Name), c.Docs, c.Precision(), c.Recall(), c.F1()})
	}
	t.Random = s.randomFigures(rep, random)
	if s.scheme.Mode == Scale {
		t.Weighted = s.weighted(rep)
	}
	return s.save(ctx, &t, m, rep)
}

// save writes a model, and uses it.
func (s *Desk) save(ctx context.Context, t *TrainedModel, m *label.Model, rep *labels.Report) error {
	s.mu.Lock()
	for _, x := range s.trainings {
		t.Number = max(t.Number, x.Number)
	}
	t.Number++
	s.mu.Unlock()
	card, err := json.Marshal(map[string]any{"about": "trained on a set of documents under annotation", "set": s.Name(), "scheme": s.scheme.Name, "documents": rep.Docs, "data_sha256": rep.DataSHA256})
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(filepath.Join(s.cfg.Dir, modelFolder)); err != nil {
		return err
	}
	if err := m.Save(s.modelFile(t.Number), model.Header{Name: s.Name(), Tool: "chaffinch serve", Card: card}); err != nil {
		return err
	}
	s.mu.Lock()
	s.trainings = append(s.trainings, *t)
	s.mu.Unlock()
	return s.use(ctx, t.Number, m)
}

func figuresOf(p labels.Part) Figures {
	return Figures{Documents: p.Docs, Same: p.Exact, Micro: p.MicroF1, Macro: p.MacroF1}
}

// last returns the label of a class.
func last(class string) string { return class[strings.LastIndex(class, "/")+1:] }

// randomFigures returns the figures of the documents that were selected at random.
func (s *Desk) randomFigures(rep *labels.Report, random map[string]bool) (f Figures) {
	var n labels.Counts
	same := 0
	for _, p := range rep.Predictions {
		if !random[p.ID] {
			continue
		}
		f.Documents++
		wrong := n.FP + n.FN
		for _, c := range rep.Classes {
			want := slices.ContainsFunc(p.Labels, func(l string) bool { return l == c.Name || strings.HasPrefix(l, c.Name+"/") })
			switch got := slices.Contains(p.Found, c.Name); {
			case want && got:
				n.TP++
			case want:
				n.FN++
			case got:
				n.FP++
			}
		}
		if n.FP+n.FN == wrong {
			same++
		}
	}
	f.Micro, f.Same = n.F1(), float64(same)/math.Max(1, float64(f.Documents))
	return f
}

// weighted returns the kappa between the labels and the predictions on a scale.
func (s *Desk) weighted(rep *labels.Report) *float64 {
	var pairs [][2]int
	for _, p := range rep.Predictions {
		if len(p.Found) == 1 {
			pairs = append(pairs, [2]int{s.scheme.index(p.Labels[0]), s.scheme.index(p.Found[0])})
		}
	}
	if k, ok := annotate.Weighted(pairs, len(s.scheme.Labels)); ok {
		return &k
	}
	return nil
}
