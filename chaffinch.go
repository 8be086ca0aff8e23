package chaffinch

import (
	"context"

	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/recipe"
)

// Options say how pages are cleaned. The zero value is what the command
// "chaffinch clean" does without flags.
type Options = recipe.CleanOptions

// Cleaner cleans single pages. It is safe for concurrent use.
type Cleaner struct{ stages []pipeline.Stage }

// New returns a Cleaner. It fails if an option has a value that it does not
// know.
func New(o Options) (*Cleaner, error) {
	if o.Format == "" {
		o.Format = "jsonl" // a page shows its metadata
	}
	stages, _, err := recipe.Clean(o).Build()
	if err != nil {
		return nil, err
	}
	return &Cleaner{stages}, nil
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
// HTTPCharset, Lang.
func (c *Cleaner) Do(ctx context.Context, p *page.Page) error {
	for _, s := range c.stages {
		if p.Drop != page.None {
			return nil
		}
		if err := s.Do(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// Run carries all pages of the inputs through a recipe to the output, as
// "chaffinch clean" does: with all processors, in the order of the input, and
// resumable. The report counts bad input; an error means that the run did not
// come to its end.
func Run(ctx context.Context, r *recipe.Recipe, at recipe.Place) (*pipeline.Report, error) {
	run, err := recipe.Open(r, at)
	if err != nil {
		return nil, err
	}
	rep, err := run.Do(ctx, pipeline.Default)
	if e := run.Close(); err == nil {
		err = e
	}
	return rep, err
}
