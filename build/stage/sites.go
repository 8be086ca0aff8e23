package stage

import (
	"context"
	"encoding/json"
	"errors"

	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Sites is the stage "sites". It marks text that is repeated on other pages of the same
// site, for later stages. All pages are counted first: see package chaffinch/extract/site.
type Sites struct{ mark func(*page.Page) error }

func newSites(config json.RawMessage) (pipeline.Stage, error) {
	return new(Sites), settings.Apply(config, &struct{}{})
}

// Know sets the function that marks a page, such as Table.Mark of package site.
func (s *Sites) Know(mark func(*page.Page) error) { s.mark = mark }

// Name returns the name and behaviour version of the stage.
func (*Sites) Name() string { return "sites/1" }

// IgnoresLang reports whether the language has no effect: always true.
func (*Sites) IgnoresLang() bool { return true }

// Do sets p.SitePages and the Repeats of the blocks. It skips plain text, which has no
// element structure.
func (s *Sites) Do(_ context.Context, p *page.Page) error {
	if s.mark == nil {
		return errors.New("repeated blocks of sites were not counted: use a recipe over files")
	}
	if p.PlainText() {
		return nil
	}
	return s.mark(p)
}
