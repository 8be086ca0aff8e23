package filter

import (
	"slices"

	"chaffinch/page"
)

// typeGroup is the name of the group page_type.
const typeGroup = "page_type"

// AddPageTypes adds the rule that a document with a page type has one of the given types. An
// empty list adds no rule.
func (c *Config) AddPageTypes(types []string) error {
	if len(types) == 0 {
		return nil
	}
	for _, name := range types {
		if !slices.Contains(page.Types, name) {
			return unknown("page types", name, page.Types)
		}
	}
	limits := map[string]Limit{}
	for _, name := range page.Types {
		if !slices.Contains(types, name) {
			limits[typeGroup+"."+name] = atMost(0)
		}
	}
	if c.Limits = merged(c.Limits, limits); !slices.Contains(c.Use, typeGroup) {
		c.Use = append(slices.Clip(c.Use), typeGroup)
	}
	return nil
}

// typeScores returns a score for each page type.
func typeScores() (list []Score) {
	for _, name := range page.Types {
		list = append(list, Score{name, "1 for a page of the type " + name + ", 0 for another type", Limit{}})
	}
	return list
}

// pageType computes the scores of the group page_type. A document without a known type has
// none.
func pageType(s *Scorer, _ *doc, out []float64) {
	if i := slices.Index(page.Types, s.in.PageType); i >= 0 {
		clear(out)
		out[i] = 1
	}
}
