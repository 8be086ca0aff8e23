// Package clean labels the blocks of a page as text or boilerplate. Each method is a
// package that implements [Labeller]. A [Labeller] returns one verdict for each block of a
// page; [Stage] labels the pages of a run.
package clean

import (
	"context"
	"fmt"

	"chaffinch/page"
)

// Labeller is a method that labels the blocks of a page.
//
// Label returns one verdict for each block of p, in order. It does not change
// p, keeps no reference to it, is safe for concurrent use and reads no clock,
// network or global state: the same page always gets the same verdicts. An
// error means that the method could not run at all, never that a page is bad.
type Labeller interface {
	// Name is the method's name and behaviour version, such as "justext/1".
	Name() string
	Label(ctx context.Context, p *page.Page) ([]page.Verdict, error)
}

// GoodF is the word F above which a page is labelled well: its confidence is the
// probability of that.
const GoodF = .9

// Confident is a Labeller that also tells how likely it is that it has labelled a
// page well.
type Confident interface {
	Labeller
	// LabelSure is Label with the confidence of the page ([page.Page.Confidence]), 0
	// where there is none.
	LabelSure(ctx context.Context, p *page.Page) (verdicts []page.Verdict, confidence float64, err error)
	// TellsConfidence reports whether there is one, nil, or why there is none.
	TellsConfidence() error
}

// TellsConfidence returns nil if l tells the confidence of pages, else why it does not.
func TellsConfidence(l Labeller) error {
	if c, ok := l.(Confident); ok {
		return c.TellsConfidence()
	}
	return fmt.Errorf("the method %s tells none, the method blocks does", l.Name())
}
