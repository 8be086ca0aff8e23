package chaffinch

import (
	"cmp"
	"context"
	"time"

	"chaffinch/build/stage"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Options say how pages are cleaned. The zero value is what the command
// "chaffinch clean" does without flags; set Labeller to label blocks by a method
// of your own.
type Options = stage.Options

// Cleaner cleans single pages. It is safe for concurrent use.
type Cleaner struct {
	stages []pipeline.Stage
	limit  time.Duration // of a page
}

// New returns a Cleaner. It fails if an option has a value that it does not
// know.
func New(o Options) (*Cleaner, error) {
	stages, err := o.Build()
	if err != nil {
		return nil, err
	}
	return &Cleaner{stages, cmp.Or(o.MaxPageTime, pipeline.Default.PageTime)}, nil
}

// Clean cleans a page given as bytes, HTML or plain text in any encoding. The
// result has the kept text ([page.Page.Text]), every block with its label, and
// what the page says of itself. A page without text worth keeping is no error:
// its Drop says why. The page refers to raw, which must not be changed later.
func (c *Cleaner) Clean(ctx context.Context, raw []byte) (*page.Page, error) {
	p := &page.Page{Raw: raw}
	return p, c.Do(ctx, p)
}

// Do cleans p in place; set what is known of the page before: URL, MIME,
// HTTPCharset, Lang. A page that takes too long is dropped as [page.TooSlow], one
// that meets a fault of the program as [page.Failed] with an error: never does
// either end or hold up the caller. The stage of a page that takes too long, or whose
// ctx ends, is left behind and may go on reading p.Raw, which must not be changed later.
func (c *Cleaner) Do(ctx context.Context, p *page.Page) error {
	return pipeline.Do(ctx, c.stages, p, c.limit)
}
