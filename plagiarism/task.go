package plagiarism

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// TaskConfig configures the detection of source documents.
type TaskConfig struct {
	Method     Method
	Similarity Similarity
	Column     Column
	// K is the length of a substring, in tokens, or in characters for Anchors. It is
	// 1 for a bag of words.
	K int
	// Window is the window of Winnowing, in k-grams.
	Window int
	// Grams is the maximum number of k-grams with which Rarest represents a document.
	Grams int
	// Anchors lists the strings with which the chunks of Anchors begin. Default: the
	// most frequent pairs of characters.
	Anchors []string
	// Threshold is the minimum similarity of a source.
	Threshold float64
	// AllAuthors searches the originals of all authors, not only the originals of the
	// document's author.
	AllAuthors bool
}

// DefaultTask is the best configuration of [TaskDefaults] on the development set of
// lab/results/README.md.
var DefaultTask = TaskDefaults(BagOfWords, Word, Symmetric)

// TaskDefaults returns settings of a method, column and similarity tuned on the
// development set of lab/results/README.md. The set has essays of 100 to 500 words, some of
// them without a source. The tag set is small, so that longer runs of tags are often
// shared by chance.
func TaskDefaults(m Method, c Column, s Similarity) TaskConfig {
	cfg := TaskConfig{Method: m, Column: c, Similarity: s, K: 2, Window: 4, Grams: 100}
	limits := [numSimilarities]float64{Symmetric: 0.05, Containment: 0.1, Cosine: 0.05}
	switch {
	case m == BagOfWords && c == Tag:
		cfg.K = 1
		limits = [numSimilarities]float64{}
	case m == BagOfWords:
		cfg.K = 1
		limits = [numSimilarities]float64{Symmetric: 0.25, Containment: 0.4, Cosine: 0.25}
	case m == Anchors && c == Tag:
		cfg.K = 20
	case m == Anchors:
		cfg.K = 10
		limits = [numSimilarities]float64{Symmetric: 0.02, Containment: 0.03, Cosine: 0.03}
	case m == Selective && c == Tag:
		cfg.K = 3
		limits = [numSimilarities]float64{Symmetric: 0.15, Containment: 0.2, Cosine: 0.15}
	case m == Rarest && c == Tag:
		cfg.K = 5
		limits = [numSimilarities]float64{Symmetric: 0.03, Containment: 0.05, Cosine: 0.05}
	case c == Tag:
		cfg.K = 5
	}
	cfg.Threshold = limits[s]
	return cfg
}

// maxK is the maximum length of a substring.
const maxK = 1000

// Task finds the sources of documents.
type Task struct{ cfg TaskConfig }

// NewTask returns a Task with the given configuration.
func NewTask(cfg TaskConfig) (*Task, error) {
	switch {
	case cfg.Method >= numMethods || cfg.Similarity >= numSimilarities || cfg.Column >= numColumns:
		return nil, errors.New("no such method, similarity or column")
	case cfg.K < 1 || cfg.K > maxK:
		return nil, fmt.Errorf("k is %d: a substring has 1 to %d tokens", cfg.K, maxK)
	case cfg.Method == BagOfWords && cfg.K != 1:
		return nil, fmt.Errorf("k is %d: a bag of words takes single tokens: use the method full for longer ones", cfg.K)
	case cfg.Method == Winnowing && cfg.Window < 1:
		return nil, fmt.Errorf("the window is %d: at least 1", cfg.Window)
	case cfg.Method == Rarest && cfg.Grams < 1:
		return nil, fmt.Errorf("%d k-grams, wanted at least 1", cfg.Grams)
	case !(cfg.Threshold >= 0 && cfg.Threshold <= 1):
		return nil, fmt.Errorf("the threshold is %v: similarities are from 0 to 1", cfg.Threshold)
	}
	for _, a := range cfg.Anchors {
		if strings.TrimSpace(a) == "" {
			return nil, errors.New("an anchor is empty: it would begin everywhere")
		}
	}
	return &Task{cfg}, nil
}

// Detection is the result for one plagiarism.
type Detection struct {
	Essay *Essay
	// Source is the most similar original, nil if none reaches the threshold.
	Source *Essay
	// Score is the similarity of the document and Source.
	Score float64
}

// Right reports whether the source is the real one.
func (d *Detection) Right() bool {
	return d.Source != nil && d.Source.ID == d.Essay.Source && d.Source.Author == d.Essay.Author
}

// Detected returns the id of the source, or "" if there is none. If the source has
// another author, the author and / precede the id.
func (d *Detection) Detected() string {
	switch {
	case d.Source == nil:
		return ""
	case d.Source.Author != d.Essay.Author:
		return d.Source.Author + "/" + d.Source.ID
	}
	return d.Source.ID
}

// Result holds the detections for all plagiarisms.
type Result struct {
	Config TaskConfig
	// Detections holds one detection for each document of class plagiarism, in input
	// order.
	Detections []Detection
	// Detected is the number of detections with a source, Right the number of
	// detections with the real source.
	Detected, Right int
}

// Precision returns the share of detected sources that are right, or 0 if there are
// none.
func (r *Result) Precision() float64 { return ratio(r.Right, r.Detected) }

// Recall returns the share of the plagiarisms whose real source was detected.
func (r *Result) Recall() float64 { return ratio(r.Right, len(r.Detections)) }

// F1 returns the harmonic mean of precision and recall.
func (r *Result) F1() float64 { return ratio(2*r.Right, r.Detected+len(r.Detections)) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Search finds the source of every plagiarism among the documents.
func (t *Task) Search(ctx context.Context, essays []*Essay) (*Result, error) {
	x, err := newTaskIndex(ctx, essays, t.cfg)
	if err != nil {
		return nil, err
	}
	return x.result(ctx)
}

// result searches and counts the detections.
func (x *taskIndex) result(ctx context.Context) (*Result, error) {
	found, err := x.search(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{Config: x.cfg, Detections: found}
	for i := range found {
		if found[i].Source != nil {
			r.Detected++
		}
		if found[i].Right() {
			r.Right++
		}
	}
	return r, nil
}

// Write writes the output of the task. For each plagiarism it writes a line with three
// ids, separated by tabs: the document, the detected source and the real source. The
// last line has precision, recall and F1, separated by spaces.
func (r *Result) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range r.Detections {
		d := &r.Detections[i]
		fmt.Fprintf(b, "%s\t%s\t%s\n", cell(d.Essay.ID), cell(d.Detected()), cell(d.Essay.Source))
	}
	fmt.Fprintf(b, "%.2f %.2f %.2f\n", r.Precision(), r.Recall(), r.F1())
	return b.Flush()
}

// WriteTSV writes the same data with authors and similarities, and a header.
func (r *Result) WriteTSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("author\tid\tdetected\treal\tsimilarity\n")
	for i := range r.Detections {
		d := &r.Detections[i]
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%.4f\n", cell(d.Essay.Author), cell(d.Essay.ID), cell(d.Detected()), cell(d.Essay.Source), d.Score)
	}
	return b.Flush()
}

// cell replaces control characters in s with spaces, so that s is one cell of a line.
func cell(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
