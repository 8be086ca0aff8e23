package gold

import "slices"

// Select leaves in the sets the pages of these names, or with keep false all
// others. A name is an id, for all sets, or SET/ID. It returns the names that no
// set has.
func Select(sets []*Set, names []string, keep bool) (unknown []string) {
	want := map[string]bool{} // whether the name was met
	for _, n := range names {
		want[n] = false
	}
	for _, s := range sets {
		s.Pages = slices.DeleteFunc(s.Pages, func(g *Page) bool {
			named := false
			for _, n := range []string{g.ID, s.Name + "/" + g.ID} {
				if _, ok := want[n]; ok {
					want[n], named = true, true
				}
			}
			return named != keep
		})
	}
	for _, n := range names {
		if !want[n] {
			unknown = append(unknown, n)
		}
	}
	return unknown
}
