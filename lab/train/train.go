// Package train trains labelling methods on pages with gold text. [New] returns a method by name.
// Its Prepare processes the pages and returns a [Trainer], which trains on some of them.
package train

import (
	"context"

	"chaffinch/clean"
	"chaffinch/lab/gold"
)

// Trainable is a method that can be trained on pages with gold.
type Trainable interface {
	// Prepare processes all pages of a run as far as possible without knowing the training pages.
	// It does not retain their HTML.
	Prepare(ctx context.Context, items []*gold.Item, progress func(step string, done, total int)) (Trainer, error)
}

// Trainer trains on some of the pages that it was prepared with.
type Trainer interface {
	// Train trains on the items with the given indexes.
	Train(ctx context.Context, items []int, progress func(step string, done, total int)) (Trained, error)
}

// Trained is a trained method.
type Trained interface {
	// Labeller returns the labeller for a policy, which defines the text of a page; see
	// gold.Set.
	Labeller(policy string) (clean.Labeller, error)
}
