package method

import (
	"cmp"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/clean/documents"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

// newDocuments ignores Favour: parts of documents are stated, so there are no errors to balance.
func newDocuments(o Options) (clean.Labeller, error) {
	if err := settings.Apply(o.Config, &struct{}{}); err != nil {
		return nil, err
	}
	keep, err := page.ParseRoles(cmp.Or(o.Keep, blocks.Text))
	if err != nil {
		return nil, err
	}
	return documents.New(keep), nil
}
