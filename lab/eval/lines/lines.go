// Package lines scores the labelling of the lines of plain text as text or boilerplate. A trainable
// [System] is trained on some documents and scored on others, by a protocol and once for each seed.
// [Evaluate] stores the score of every line, so that all tables, tests, plots and the report are
// computed from one training.
//
// Measures and protocols are from Anna Salmela, "Distinguishing Noise and Main Text Content from
// Web-Sourced Plain Text Documents Using Sequential Neural Networks" (master's thesis, University
// of Turku 2022), chapters 5 and 6, called the thesis below; lab/results/lines.md explains them.
package lines

import (
	"context"

	_ "chaffinch/model/data/languages"

	"chaffinch/lab/gold"
)

// System is a method of labelling lines that is trained on labelled documents.
type System interface {
	// Name returns the name of the system in tables.
	Name() string
	// Train trains on documents. It may use dev for early stopping, and never gets the documents
	// that it is scored on. The result depends only on the documents and the seed. Train is called
	// from several goroutines at once.
	Train(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Scorer, error)
}

// Scorer returns the probability of text for each line of a document, 0 to 1. From .5 on a line is
// labelled as text. It uses only the language and the lines, and is safe for concurrent use.
type Scorer func(d *gold.LineDoc) ([]float32, error)

// threshold is the minimum probability of a line labelled as text.
const threshold = 0.5

// Ready is a system with a pretrained model.
type Ready interface {
	System
	// Scorer returns the pretrained system.
	Scorer() (Scorer, error)
	// Cards returns the cards of the pretrained models.
	Cards() [][]byte
}

// Adaptable is a system that can be adapted to documents of another kind. Other systems are trained
// again with them.
type Adaptable interface {
	System
	// Prepare trains like Train, but returns a system for adaptation.
	Prepare(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Base, error)
}

// Base is a trained system that can be adapted.
type Base interface {
	// Adapt adapts the system to documents without changing the base. Without documents it returns
	// the base.
	Adapt(ctx context.Context, docs []*gold.LineDoc, seed uint64) (Scorer, error)
}
