package gold

import "slices"

// Select keeps the pages with the given names in the sets, or removes them if keep is false. A name
// is an id, for all sets, or SET/ID. Select returns the names that are not in any set.
func Select(sets []*Set, names []string, keep bool) (unknown []string) {
	want := map[string]bool{} // whether the name was found
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
