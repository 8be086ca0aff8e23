package chaffinch

import (
	"cmp"
	"context"
	"mime"
	"slices"
	"strings"
	"time"

	"chaffinch/build/stage"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Options configures the cleaning of pages. The zero value is the behaviour of the command
// "chaffinch clean" without flags. Set Labeller to label blocks by a custom method.
type Options = stage.Options

// Cleaner cleans single pages. It is safe for concurrent use. [New] returns one; the zero Cleaner
// keeps no text.
type Cleaner struct {
	stages []pipeline.Stage
	limit  time.Duration // per page
}

// New returns a Cleaner. It returns an error if an option has a value that is unknown or out of
// range, or needs a model or a reader that the program does not import (see Models).
func New(o Options) (*Cleaner, error) {
	stages, err := o.Build()
	if err != nil {
		return nil, err
	}
	return &Cleaner{stages, cmp.Or(o.PageTime(), pipeline.Default.PageTime)}, nil
}

// Clean cleans a page given as bytes: HTML or plain text in any encoding. The result holds the
// kept text ([page.Page.Text]), every block with its label, and the page's own metadata. A page
// without text to keep is not an error; its field Drop holds the reason. The page refers to
// raw, which must not be changed afterwards.
func (c *Cleaner) Clean(ctx context.Context, raw []byte) (*page.Page, error) {
	p := &page.Page{Raw: raw}
	return p, c.Do(ctx, p)
}

// Release recycles the memory of a page for later pages, if no goroutine uses the page any more.
// Strings of the page, such as its text, stay valid; its blocks, elements and images do not.
// Programs that clean many pages may call it after each page. Then a page of 38 kB allocates about
// 28 kB.
func (c *Cleaner) Release(p *page.Page) {
	if p.Drop == page.Failed {
		return // a stage that failed may have shared its memory
	}
	for _, s := range slices.Backward(c.stages) {
		if r, ok := s.(pipeline.Releaser); ok {
			r.Release(p)
		}
	}
}

// Do cleans p in place. Set the known fields of the page first: URL, MIME, HTTPCharset, Lang. MIME may be
// the whole header Content-Type: its charset becomes the HTTPCharset unless that is set.
//
// A page that exceeds the time limit is dropped as [page.TooSlow]. A page on which the program
// fails or panics is dropped as [page.Failed] with an error. Neither terminates or blocks the
// caller. If ctx is done first, Do returns its error without results. In these cases the stage is
// abandoned. It may continue to read p.Raw, which must not be changed afterwards.
func (c *Cleaner) Do(ctx context.Context, p *page.Page) error {
	if strings.Contains(p.MIME, ";") {
		if _, params, err := mime.ParseMediaType(p.MIME); err == nil {
			p.HTTPCharset = cmp.Or(p.HTTPCharset, params["charset"])
		}
	}
	return pipeline.Do(ctx, c.stages, p, c.limit)
}
