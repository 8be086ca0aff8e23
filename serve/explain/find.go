package explain

import (
	"fmt"

	"chaffinch/input"
	"chaffinch/page"
)

// Find returns one page of the inputs: the one with this id (of the page or
// its record) or address, else the one at index, counted from 1, else, if
// both are left out, the first that is not dropped, or the first. Pieces that
// cannot be read are passed; if nothing is found, the first of them is told.
func Find(r *input.Reader, id string, index int) (*page.Page, error) {
	var first *page.Page
	var bad error
	n := 0
	for p, err := range r.All() {
		if err != nil {
			if bad == nil {
				bad = err
			}
			continue
		}
		n++
		switch {
		case id != "":
			if is(p, id) {
				return p, nil
			}
		case index > 0:
			if n == index {
				return p, nil
			}
		case p.Drop == page.None:
			return p, nil
		case first == nil:
			first = p
		}
	}
	switch {
	case first != nil:
		return first, nil
	case bad != nil && n == 0: // it names the input
		return nil, bad
	case bad != nil:
		return nil, fmt.Errorf("no such page (pages read: %d): %w", n, bad)
	case id != "":
		return nil, fmt.Errorf("no page with the id or address %q (pages read: %d)", id, n)
	case index > 0:
		return nil, fmt.Errorf("no page %d, wanted at most %d", index, n)
	}
	return nil, fmt.Errorf("no page in the input")
}

// is reports whether p has this id, record id or address.
func is(p *page.Page, id string) bool {
	return p.ID == id || p.URL == id || p.Source.Record == id || "<"+p.Source.Record+">" == id || p.Source.Record == "urn:uuid:"+id
}
