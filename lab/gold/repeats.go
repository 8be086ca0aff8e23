package gold

import (
	"errors"

	"chaffinch/extract/site"
)

// CountSites counts the repetitions on the pages of the sites of the collection, over all sets, and
// sets the Repeats of the blocks. dir is the folder for temporary files, "" for the system's
// folder. Pages of unknown sites are skipped.
func (c *Collection) CountSites(dir string) (err error) {
	counter, err := site.NewCounter(site.Config{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, counter.Close()) }()
	for _, it := range c.Items {
		if s := it.host(); s != "" {
			if err := counter.Add(s, it.Page); err != nil {
				return err
			}
		}
	}
	t, err := counter.Table()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	for _, it := range c.Items {
		if s := it.host(); s != "" {
			if err := t.Mark(s, it.Page); err != nil {
				return err
			}
		}
	}
	return nil
}

// host returns the host of the page: of its URL in meta.jsonl, otherwise of the address that the
// page states as its own, otherwise the host in meta.jsonl, otherwise the site.
func (it *Item) host() string {
	address, _ := it.Gold.Meta["url"].(string)
	if h := site.Host(address); h != "" {
		return h
	}
	if h := site.Of(it.Page); h != "" {
		return h
	}
	if h, _ := it.Gold.Meta["host"].(string); h != "" {
		return h
	}
	return it.Site
}
