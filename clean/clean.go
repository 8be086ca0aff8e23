// Package clean tells text from boilerplate. Each method is a folder of its
// own that satisfies [Labeller].
package clean

import (
	"context"

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
