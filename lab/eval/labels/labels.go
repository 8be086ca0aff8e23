// Package labels compares classifiers of documents in a cross-validation. [New] divides documents
// into folds, [Set.Run] measures models of package lab/train/labels, [Set.Write] writes the folds
// for other programs, and [Set.Read] reads their results.
package labels

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/disk"
	"chaffinch/lab/eval/result"
	"chaffinch/lab/train/labels"
	"chaffinch/model"
	"chaffinch/text/label"
)

// Set is a set of documents in folds.
type Set struct {
	Docs    []labels.Doc
	Fold    []int
	Classes []string

	cfg   labels.Config
	truth [][]string
}

// New divides documents into folds by site and near-duplicates.
func New(cfg labels.Config, docs []labels.Doc) (*Set, error) {
	s := &Set{cfg: cfg}
	var err error
	s.Docs, s.Fold, s.Classes, err = labels.Split(cfg, docs)
	for _, d := range s.Docs {
		var known []string
		for _, name := range labels.WithParents(d.Labels) {
			if slices.Contains(s.Classes, name) {
				known = append(known, name)
			}
		}
		s.truth = append(s.truth, known)
	}
	return s, err
}

// Outcome is the result of a system on a set.
type Outcome struct {
	System string `json:"system"`
	// TrainSeconds is the processor time of training the models of all folds.
	TrainSeconds float64 `json:"train_seconds"`
	// BytesPerSecond is the size of the text classified per second of processor time, on one core.
	BytesPerSecond float64 `json:"bytes_per_second"`
	// ModelBytes is the mean size of a model file.
	ModelBytes float64 `json:"model_bytes"`
	// Classes holds the classes of each document in the order of the set. Documents that were left
	// out have null.
	Classes [][]string `json:"classes"`
}

// Run measures models of package lab/train/labels.
func (s *Set) Run(ctx context.Context, progress func(done, total int)) (*Outcome, error) {
	o := &Outcome{System: "chaffinch", Classes: make([][]string, len(s.Docs))}
	dir, err := disk.MkdirTemp("", "labels")
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(dir)
	cfg := s.cfg
	cfg.MinClass = 2 // the classes are chosen
	var read time.Duration
	bytes := 0
	for k := range s.cfg.Folds {
		var train []labels.Doc
		for i, d := range s.Docs {
			if s.Fold[i] != k {
				d.Labels = s.truth[i]
				train = append(train, d)
			}
		}
		begun := cputime.Used()
		m, err := labels.Fit(ctx, cfg, train)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", k+1, err)
		}
		o.TrainSeconds += (cputime.Used() - begun).Seconds()
		path := filepath.Join(dir, "m.chf")
		if err := m.Save(path, model.Header{}); err != nil {
			return nil, err
		}
		st, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		o.ModelBytes += float64(st.Size()) / float64(s.cfg.Folds)
		scorer := label.NewScorer()
		var got []int
		begun = cputime.Used()
		for i := range s.Docs {
			if s.Fold[i] != k {
				continue
			}
			p, _ := scorer.Score(m, s.Docs[i].Input())
			got = m.Decide(p, got[:0])
			o.Classes[i] = []string{}
			for _, c := range got {
				o.Classes[i] = append(o.Classes[i], m.Classes()[c].Name)
			}
			bytes += len(s.Docs[i].Text)
		}
		read += cputime.Used() - begun
		if progress != nil {
			progress(k+1, s.cfg.Folds)
		}
	}
	o.BytesPerSecond = float64(bytes) / max(1e-9, read.Seconds())
	return o, nil
}

// Write writes the documents as JSON lines with id, fold, labels and text.
func (s *Set) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, d := range s.Docs {
		if err := enc.Encode(struct {
			ID     string   `json:"id"`
			Fold   int      `json:"fold"`
			Labels []string `json:"labels"`
			Text   string   `json:"text"`
		}{d.ID, s.Fold[i], append([]string{}, s.truth[i]...), d.Text}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads the outcome of another program as JSON.
func (s *Set) Read(name string) (*Outcome, error) { return ReadOutcome(name, len(s.Docs)) }

// ReadOutcome reads the outcome of a program on a number of documents as JSON.
func ReadOutcome(name string, docs int) (*Outcome, error) {
	b, err := archive.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var o Outcome
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(o.Classes) != docs {
		return nil, fmt.Errorf("%s: classes of %d documents, wanted %d: run the program on the folds of the same documents", name, len(o.Classes), docs)
	}
	return &o, nil
}

// Table returns the figures of outcomes.
func (s *Set) Table(data string, outcomes []*Outcome) *result.Table {
	t := &result.Table{Task: "labels", Data: data, Columns: []result.Column{{Name: "documents", Neutral: true}, {Name: "macro F1", Unit: "%", Digits: 1}, {Name: "micro F1", Unit: "%", Digits: 1},
		{Name: "training", Unit: "s", Digits: 1, Less: true}, {Name: "speed", Unit: "MB/s", Digits: 2}, {Name: "model", Unit: "MB", Digits: 2, Less: true}}}
	for _, o := range outcomes {
		docs, macro, micro := s.score(o)
		row := result.Row{System: o.System}
		for _, v := range []float64{float64(docs), macro, micro, o.TrainSeconds, o.BytesPerSecond / 1e6, o.ModelBytes / 1e6} {
			row.Values = append(row.Values, result.Figure{Value: v})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// score returns the number of classified documents, and F1 over them.
func (s *Set) score(o *Outcome) (docs int, macro, micro float64) {
	byClass := make([]labels.Counts, len(s.Classes))
	var all labels.Counts
	for i, got := range o.Classes {
		if got == nil {
			continue
		}
		docs++
		for c, name := range s.Classes {
			switch is, found := slices.Contains(s.truth[i], name), slices.Contains(got, name); {
			case is && found:
				byClass[c].TP++
			case is:
				byClass[c].FN++
			case found:
				byClass[c].FP++
			}
		}
	}
	used := 0
	for _, n := range byClass {
		all.TP, all.FP, all.FN = all.TP+n.TP, all.FP+n.FP, all.FN+n.FN
		if n.TP+n.FN > 0 {
			used++
			macro += n.F1()
		}
	}
	return docs, macro / float64(max(1, used)), all.F1()
}
