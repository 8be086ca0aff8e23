package clean

import (
	"context"

	"chaffinch/gold"
)

// Trainable is a method that learns from pages with gold.
type Trainable interface {
	// Prepare gets all pages of a run and does once what does not depend on
	// which of them are learned from. It keeps no reference to their HTML.
	Prepare(ctx context.Context, items []*gold.Item, progress Progress) (Trainer, error)
}

// Progress tells how far a step of the training is; it may be called from
// several goroutines.
type Progress func(step string, done, total int)

// Trainer learns from some of the pages that it was prepared with.
type Trainer interface {
	// Train learns from the items of these indices alone.
	Train(ctx context.Context, items []int, progress Progress) (Trained, error)
}

// Trained is what was learned.
type Trained interface {
	// Labeller returns the method as it treats pages of which a policy says
	// what counts as text; see gold.Set.
	Labeller(policy string) (Labeller, error)
}
