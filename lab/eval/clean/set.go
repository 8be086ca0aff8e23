package clean

import (
	"maps"
	"strings"
	"sync"

	"chaffinch/internal/pytext"
	"chaffinch/lab/gold"
)

// Set is a set of pages with gold, prepared for measuring.
type Set struct {
	*gold.Set
	// Pages holds the pages of the gold.Set in the same order.
	Pages []*Gold
}

// Open reads a set like [gold.Open].
func Open(data, name string) (*Set, error) {
	s, err := gold.Open(data, name)
	if err != nil {
		return nil, err
	}
	return newSet(s), nil
}

func newSet(s *gold.Set) *Set {
	out := &Set{Set: s, Pages: make([]*Gold, len(s.Pages))}
	variants := strings.HasPrefix(s.Name, "cleaneval") || strings.HasPrefix(s.Name, "cleanportal")
	for i, p := range s.Pages {
		out.Pages[i] = &Gold{Page: p, variants: variants}
		if key := s.Name + "/" + p.ID; goldTables()[key] != nil {
			p.Meta = maps.Clone(p.Meta)
			if p.Meta == nil {
				p.Meta = map[string]any{}
			}
			p.Meta[tableField] = tableHalf(key)
		}
	}
	return out
}

// Only keeps the pages with the given IDs. It returns the IDs that are not in the set.
func (s *Set) Only(ids []string) (unknown []string) {
	unknown = s.Set.Only(ids)
	s.Refresh()
	return unknown
}

// Refresh rebuilds the pages after changes to the pages of the gold.Set.
func (s *Set) Refresh() { s.Pages = newSet(s.Set).Pages }

// Gold is the gold of a page with the forms that the measures use, which are computed on first use.
type Gold struct {
	*gold.Page
	variants bool // the set is a CleanEval set
	once     sync.Once
	form     form
}

// form is a gold text prepared for measuring.
type form struct {
	spread             bool
	normal, raw, strip []int32
	words, tokens      []string
	sentences          [][]string
}

// prepare returns the form, computed on first use. It is safe for concurrent use.
func (g *Gold) prepare() *form {
	g.once.Do(func() {
		f := &g.form
		text := g.Text
		if f.spread = gold.Unspaced(text); f.spread {
			text = gold.Spread(text)
		}
		f.normal = []rune(pytext.Collapse(g.Text))
		if g.variants {
			f.raw = []rune(g.Raw)
			f.strip = []rune(pytext.Strip(marker().ReplaceAllString(address().ReplaceAllString(g.Raw, ""), "")))
		}
		f.words = alignmentWords(text)
		f.tokens = pytext.Words(text)
		f.sentences = sentences(text)
	})
	return &g.form
}
