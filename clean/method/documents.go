package method

import (
	"cmp"
	"errors"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/clean/documents"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

func newDocuments(o Options) (clean.Labeller, error) {
	if err := settings.Apply(o.Config, &struct{}{}); err != nil {
		return nil, err
	}
	if o.Favour != "" {
		return nil, errors.New("favour: the parts of documents are stated, not estimated")
	}
	keep, err := page.ParseRoles(cmp.Or(o.Keep, blocks.Text))
	if err != nil {
		return nil, err
	}
	return documents.New(keep), nil
}
