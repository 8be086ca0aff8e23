// Package clean labels the blocks of a page as text or boilerplate. Each method is a
// separate package that implements [Labeller], which returns one verdict for each block of a
// page. [Stage] labels the pages of a run.
package clean

import (
	"context"
	"fmt"

	"chaffinch/page"
)

// Labeller is implemented by methods that label the blocks of a page.
//
// Label returns one verdict for each block of p, in order. It does not change p and keeps no
// reference to it. It is safe for concurrent use. It reads no clock, network or global
// state: the same page always gets the same verdicts. Label returns an error only if the
// method could not run at all, never because a page is bad.
type Labeller interface {
	// Name returns the method's name and behaviour version, such as "justext/1".
	Name() string
	Label(ctx context.Context, p *page.Page) ([]page.Verdict, error)
}

// GoodF is the word-level F1 above which a page counts as labelled well. The confidence of a
// page is the probability that its F1 is higher.
const GoodF = .9

// Estimate describes a labelled page as a whole.
type Estimate struct {
	// Confidence is the probability that the page is labelled well, 0 if it is unknown. See
	// [page.Page.Confidence].
	Confidence float64
	// ConfidencePolicy is the policy of Confidence, "" without one. See
	// [page.Page.ConfidencePolicy].
	ConfidencePolicy string
	// Type is the most probable type of the page, "" if it is unknown. TypeConfidence is its
	// probability. See [page.Page.Type].
	Type           string
	TypeConfidence float64
}

// Estimator is a [Labeller] that also estimates the type of a page and the probability that
// the page is labelled well.
type Estimator interface {
	Labeller
	// LabelPage returns the verdicts of Label and the estimate of the page.
	LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, Estimate, error)
	// CheckConfidence returns an error with the reason if the labeller estimates no
	// confidence.
	CheckConfidence() error
}

// filler is a Labeller that stores its verdicts in memory of the caller.
type filler interface {
	// LabelInto sets verdicts to the verdicts of the blocks of p and returns the estimate of the page.
	LabelInto(ctx context.Context, p *page.Page, verdicts []page.Verdict) (Estimate, error)
}

// labelInto sets verdicts to the verdicts of l for the blocks of p. It returns the estimate of the
// page, the zero estimate if l is not an [Estimator].
func labelInto(ctx context.Context, l Labeller, p *page.Page, verdicts []page.Verdict) (of Estimate, err error) {
	var found []page.Verdict
	switch l := l.(type) {
	case filler:
		return l.LabelInto(ctx, p, verdicts)
	case Estimator:
		found, of, err = l.LabelPage(ctx, p)
	default:
		found, err = l.Label(ctx, p)
	}
	if err == nil && len(found) != len(verdicts) {
		err = wrongNumber(l, found, p)
	}
	copy(verdicts, found)
	return of, err
}

func wrongNumber(l Labeller, found []page.Verdict, p *page.Page) error {
	return fmt.Errorf("%s: %d verdicts for %d blocks", l.Name(), len(found), len(p.Blocks))
}

// CheckConfidence returns an error with the reason if l estimates no confidence.
func CheckConfidence(l Labeller) error {
	if c, ok := l.(Estimator); ok {
		return c.CheckConfidence()
	}
	return fmt.Errorf("the method %s estimates no confidence, the method blocks does", l.Name())
}

// CheckTypes returns an error with the reason if l estimates no page types.
func CheckTypes(l Labeller) error {
	if f, ok := l.(ByForm); ok {
		l = f.HTML
	}
	if _, ok := l.(Estimator); ok {
		return nil
	}
	return fmt.Errorf("the method %s estimates no page types, the method blocks does", l.Name())
}
