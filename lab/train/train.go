// Package train makes the methods that label blocks learn from pages with gold text. New
// makes a method of a name; its Prepare reads the pages, and the Train of what that returns
// learns from some of them.
package train

import (
	"context"

	"chaffinch/clean"
	"chaffinch/lab/gold"
)

// Trainable is a method that learns from pages with gold.
type Trainable interface {
	// Prepare gets all pages of a run and does once what does not depend on
	// which of them are learned from. It keeps no reference to their HTML.
	Prepare(ctx context.Context, items []*gold.Item, progress clean.Progress) (Trainer, error)
}

// Trainer learns from some of the pages that it was prepared with.
type Trainer interface {
	// Train learns from the items of these indices alone.
	Train(ctx context.Context, items []int, progress clean.Progress) (Trained, error)
}

// Trained is what was learned.
type Trained interface {
	// Labeller returns the method as it treats pages of which a policy says
	// what counts as text; see gold.Set.
	Labeller(policy string) (clean.Labeller, error)
}
