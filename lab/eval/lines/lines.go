// Package lines scores the labelling of the lines of plain text: which are text
// and which are boilerplate. Systems that learn are trained on some documents
// and scored on others, as a protocol says, once for each seed; what they said
// of every line is kept, so that all tables, tests, plots and the report come
// from one training.
//
// Measures and protocols are those of Anna Salmela, "Distinguishing Noise and
// Main Text Content from Web-Sourced Plain Text Documents Using Sequential
// Neural Networks" (master's thesis, University of Turku 2022), chapters 5 and
// 6, called the thesis below; lab/results/lines.md explains them.
package lines

import (
	"context"

	"chaffinch/lab/gold"
)

// System is a way to label lines that learns from labelled documents.
type System interface {
	// Name is the system's name in tables.
	Name() string
	// Train learns from documents. It may use those of dev to tell when to
	// stop, and never sees the documents that it is scored on. The same
	// documents and seed give the same system. It is called from several
	// goroutines at once.
	Train(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Scorer, error)
}

// Scorer says of each line of a document how likely it is text, 0 to 1; from .5
// on it is taken for text. It looks at the language and the lines alone, and is
// safe for concurrent use.
type Scorer func(d *gold.LineDoc) ([]float32, error)

// threshold is the probability from which a line is taken for text.
const threshold = 0.5

// Ready is a system that can score without training, with a model that it
// brings along.
type Ready interface {
	System
	// Scorer returns the system as it comes.
	Scorer() (Scorer, error)
	// Cards returns the model cards of what it comes with.
	Cards() [][]byte
}

// Adaptable is a system that can learn a little more from documents of another
// kind. A system that cannot is trained anew with them.
type Adaptable interface {
	System
	// Prepare learns like Train, but returns what can be adapted.
	Prepare(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Base, error)
}

// Base is a trained system that can be adapted.
type Base interface {
	// Adapt learns more from documents and leaves the base as it is; without
	// documents it returns the base.
	Adapt(ctx context.Context, docs []*gold.LineDoc, seed uint64) (Scorer, error)
}
