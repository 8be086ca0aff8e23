package stage

import (
	"context"
	"encoding/json"
	"errors"

	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Sites is the stage "sites": it marks what of a page repeats on the other pages of its site, for
// the stages after it. All pages are counted before: see package chaffinch/extract/site.
type Sites struct{ mark func(*page.Page) error }

func newSites(config json.RawMessage) (pipeline.Stage, error) {
	return new(Sites), settings.Lay(config, &struct{}{})
}

// Know gives the stage the function that marks a page, as Table.Mark of package site does.
func (s *Sites) Know(mark func(*page.Page) error) { s.mark = mark }

// Name is the name and behaviour version of the stage.
func (*Sites) Name() string { return "sites/1" }

// IgnoresLang tells that the language makes no difference.
func (*Sites) IgnoresLang() bool { return true }

// Do sets p.SitePages and the Repeats of the blocks. Plain text has no frame of
// elements and is left alone.
func (s *Sites) Do(_ context.Context, p *page.Page) error {
	if s.mark == nil {
		return errors.New("nobody has counted what repeats on the sites: a recipe does, over files")
	}
	if p.PlainText() {
		return nil
	}
	return s.mark(p)
}
