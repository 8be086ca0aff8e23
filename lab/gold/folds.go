package gold

import (
	"cmp"
	"fmt"
	"math/bits"

	"chaffinch/internal/sorts"
)

// Folds assigns the items to k folds and returns the fold of each, 0 to k-1. by is "page" for
// independent pages, "site" to keep the pages of a site together, or "set" to keep the pages of a
// set together; with as many folds as sets this is leave-one-set-out.
//
// Folds depend only on the pages. Groups are assigned in descending order of size, and by the hash
// (FNV-1a, 64 bits, reversed) of their first id for equal sizes. Each goes to the fold with the
// fewest pages of the set that most of the group is from.
func (c *Collection) Folds(k int, by string) ([]int, error) {
	if k < 2 || k > len(c.Items) {
		return nil, fmt.Errorf("cross-validation in %d folds: wanted 2 to %d, the number of pages", k, len(c.Items))
	}
	var groups [][]int
	switch by {
	case "page":
		for i := range c.Items {
			groups = append(groups, []int{i})
		}
	case "site":
		groups = c.sites()
	case "set":
		groups = c.bySet()
	default:
		return nil, fmt.Errorf("cross-validation by %q: take page, site or set", by)
	}
	if len(groups) < k {
		return nil, fmt.Errorf("cross-validation in %d folds: the pages are of %d %ss: take fewer folds, or folds by page", k, len(groups), by)
	}
	key := make(map[int]uint64, len(groups))
	for _, g := range groups {
		key[g[0]] = bits.Reverse64(fnv(c.Items[g[0]].Gold.ID))
	}
	sorts.Func(groups, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(key[a[0]], key[b[0]]), cmp.Compare(c.Items[a[0]].Gold.ID, c.Items[b[0]].Gold.ID), cmp.Compare(a[0], b[0]))
	})
	out := make([]int, len(c.Items))
	ofSet := map[*Set][]int{} // pages of the set in each fold
	for _, s := range c.Sets {
		ofSet[s] = make([]int, k)
	}
	all := make([]int, k)
	for _, g := range groups {
		count := map[*Set]int{}
		set := c.Items[g[0]].Set
		for _, i := range g {
			s := c.Items[i].Set
			if count[s]++; count[s] > count[set] {
				set = s
			}
		}
		fold := 0
		for f := range k {
			if cmp.Or(cmp.Compare(ofSet[set][f], ofSet[set][fold]), cmp.Compare(all[f], all[fold])) < 0 {
				fold = f
			}
		}
		for _, i := range g {
			out[i] = fold
			ofSet[c.Items[i].Set][fold]++
			all[fold]++
		}
	}
	return out, nil
}

// sites returns the items in groups of one site each, in order. An item with an unknown site is a
// separate group.
func (c *Collection) sites() [][]int {
	var groups [][]int
	at := map[string]int{}
	for i, it := range c.Items {
		g, ok := at[it.Site]
		if !ok || it.Site == "" {
			g = len(groups)
			groups = append(groups, nil)
			at[it.Site] = g
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// Split is one fold of a cross-validation: the indexes of the training and test items.
type Split struct {
	Train, Test []int
	// Copies is the number of items that are excluded from training because they are
	// near-duplicates of test items.
	Copies int
}

// bySet returns the items of each set.
func (c *Collection) bySet() [][]int {
	of := map[*Set][]int{}
	for i, it := range c.Items {
		of[it.Set] = append(of[it.Set], i)
	}
	var groups [][]int
	for _, s := range c.Sets {
		if len(of[s]) > 0 {
			groups = append(groups, of[s])
		}
	}
	return groups
}

// Splits returns a Split for each fold. Items whose gold is unsuitable for training ([Page.Fits])
// are only test items.
func (c *Collection) Splits(folds []int, k int) []Split {
	out := make([]Split, k)
	for i, it := range c.Items {
		near := make([]bool, k)
		for _, j := range it.Near {
			near[folds[j]] = true
		}
		for f := range out {
			s := &out[f]
			switch {
			case folds[i] == f:
				s.Test = append(s.Test, i)
			case near[f]:
				s.Copies++
			case it.Gold.Fits(it.Set.Name):
				s.Train = append(s.Train, i)
			}
		}
	}
	return out
}
