// Package roles scores predicted roles of the blocks of a page with gold annotations: precision,
// recall and F of each role, over blocks and weighted by words, the confusion matrix, and the
// agreement of a second, independent annotation. [NewSet] finds the annotated pages and [Measure]
// scores the output of a system.
package roles

import (
	"fmt"
	"slices"

	"chaffinch/internal/pytext"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// Set holds the annotated pages of a collection.
type Set struct {
	// Pages holds the pages in the order of the collection.
	Pages []*Page
	// Unread is the number of blocks that no annotated span covers. They are not evaluated.
	Unread int

	at map[*gold.Item]*Page
}

// Page is an annotated page.
type Page struct {
	Item *gold.Item
	// Blocks holds the evaluated blocks.
	Blocks []Block
	// Twice is set if there is a second annotation.
	Twice bool
}

// Block is an annotated block.
type Block struct {
	// Index is the index in the blocks of the page.
	Index int
	// Words is the number of words, or of characters in scripts without spaces.
	Words int
	// Gold is the annotated role, Second the role of the second annotation, [page.NoRole] without
	// one.
	Gold, Second page.Role
}

// Name returns the name of the page, such as "wcxb-dev/0042".
func (p *Page) Name() string { return p.Item.Set.Name + "/" + p.Item.Gold.ID }

// NewSet finds the annotated pages in a collection. second may be nil. Hidden blocks are omitted
// unless hidden is set. A page of the collection's sets that is missing, or whose bytes differ from
// the annotated ones, is an error. Annotations of other sets are ignored.
func NewSet(c *gold.Collection, first, second []gold.RolePage, hidden bool) (*Set, error) {
	of := map[string]*gold.RolePage{}
	for i := range second {
		of[second[i].Key()] = &second[i]
	}
	want := map[string]*gold.RolePage{}
	for i := range first {
		if slices.ContainsFunc(c.Sets, func(s *gold.Set) bool { return s.Name == first[i].Set }) {
			want[first[i].Key()] = &first[i]
		}
	}
	if len(want) == 0 {
		return nil, fmt.Errorf("no annotated page is of the sets %s: the annotations are of %s", names(c.Sets, func(s *gold.Set) string { return s.Name }), names(first, func(p gold.RolePage) string { return p.Set }))
	}
	s := &Set{at: map[*gold.Item]*Page{}}
	for _, it := range c.Items {
		key := it.Set.Name + "/" + it.Gold.ID
		r := want[key]
		if r == nil {
			continue
		}
		delete(want, key)
		if err := r.Check(it.Gold); err != nil {
			return nil, err
		}
		p, err := s.page(it, r, of[key], hidden)
		if err != nil {
			return nil, err
		}
		s.Pages, s.at[it] = append(s.Pages, p), p
	}
	for _, r := range first {
		if want[r.Key()] != nil {
			return nil, fmt.Errorf("annotated page %s is not in the set: take the version of the set that the roles are of", r.Key())
		}
	}
	return s, nil
}

// page returns the annotated page of an item.
func (s *Set) page(it *gold.Item, first, second *gold.RolePage, hidden bool) (*Page, error) {
	p := &Page{Item: it, Twice: second != nil}
	roles := gold.RolesOf(it.Page, first.Spans)
	var again []page.Role
	if second != nil {
		if err := second.Check(it.Gold); err != nil {
			return nil, fmt.Errorf("second reading: %w", err)
		}
		again = gold.RolesOf(it.Page, second.Spans)
	}
	for i := range it.Page.Blocks {
		b := &it.Page.Blocks[i]
		if b.Hidden && !hidden {
			continue
		}
		if roles == nil || roles[i] == page.NoRole {
			s.Unread++
			continue
		}
		block := Block{Index: i, Words: words(b.Text), Gold: roles[i]}
		if again != nil {
			block.Second = again[i]
		}
		p.Blocks = append(p.Blocks, block)
	}
	return p, nil
}

func words(text string) int {
	if gold.Unspaced(text) {
		text = gold.Spread(text)
	}
	return len(pytext.Words(text))
}

// Has reports whether an item is annotated.
func (s *Set) Has(it *gold.Item) bool { return s.at[it] != nil }

// names lists the distinct names of the elements, separated by commas.
func names[T any](list []T, name func(T) string) string {
	seen, out := map[string]bool{}, ""
	for _, x := range list {
		n := name(x)
		if seen[n] {
			continue
		}
		if seen[n] = true; out != "" {
			out += ", "
		}
		out += n
	}
	return out
}

// Output holds the predicted roles of a system.
type Output struct {
	// Name is the name of the system in tables.
	Name string
	// Roles holds the roles of all blocks of a page, by item.
	Roles map[*gold.Item][]page.Role
	// Notes are remarks for readers of the figures.
	Notes []string
}

// RolesOf returns the role of each block by its final verdict.
func RolesOf(p *page.Page) []page.Role {
	out := make([]page.Role, len(p.Blocks))
	for i := range out {
		out[i] = p.Blocks[i].Role
	}
	return out
}
