// Package train trains the methods that label blocks on pages with gold text. [New] makes a
// method by its name; its Prepare reads the pages and returns a [Trainer], which trains on
// some of them.
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
	Prepare(ctx context.Context, items []*gold.Item, progress func(step string, done, total int)) (Trainer, error)
}

// Trainer learns from some of the pages that it was prepared with.
type Trainer interface {
	// Train learns from the items of these indices alone.
	Train(ctx context.Context, items []int, progress func(step string, done, total int)) (Trained, error)
}

// Trained is a trained method.
type Trained interface {
	// Labeller returns the labeller for a policy, which defines the text of a page; see
	// gold.Set.
	Labeller(policy string) (clean.Labeller, error)
}
