package stage

import (
	"context"
	"encoding/json"
	"errors"

	"chaffinch/extract/site"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Sites is the stage "sites": it tells the stages behind it what of a page stands
// on the other pages of its site. All pages have to be counted before: see
// [site.Counter].
type Sites struct{ table *site.Table }

func newSites(config json.RawMessage) (pipeline.Stage, error) {
	return new(Sites), settings.Lay(config, &struct{}{})
}

// Know gives the stage what was counted. It keeps t, which is the caller's to
// close.
func (s *Sites) Know(t *site.Table) { s.table = t }

// Name is the name and behaviour version of the stage.
func (*Sites) Name() string { return "sites/1" }

// IgnoresLang tells that the language makes no difference.
func (*Sites) IgnoresLang() bool { return true }

// Do sets p.SitePages and the Repeats of the blocks. Plain text has no frame of
// elements and is left alone.
func (s *Sites) Do(_ context.Context, p *page.Page) error {
	if s.table == nil {
		return errors.New("nobody has counted what repeats on the sites: a recipe does, over files")
	}
	if p.PlainText() {
		return nil
	}
	return s.table.Mark(site.Of(p), p)
}
