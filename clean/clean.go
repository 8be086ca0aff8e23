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

// Confident is a [Labeller] that also estimates the probability that a page is labelled
// well.
type Confident interface {
	Labeller
	// LabelSure returns the verdicts of Label and the confidence of the page
	// ([page.Page.Confidence]), 0 if it is unknown.
	LabelSure(ctx context.Context, p *page.Page) (verdicts []page.Verdict, confidence float64, err error)
	// TellsConfidence returns nil if the labeller reports confidences, else an error with
	// the reason.
	TellsConfidence() error
}

// TellsConfidence returns nil if l reports the confidence of pages, else an error with the
// reason.
func TellsConfidence(l Labeller) error {
	if c, ok := l.(Confident); ok {
		return c.TellsConfidence()
	}
	return fmt.Errorf("the method %s has no confidence, the method blocks has", l.Name())
}
