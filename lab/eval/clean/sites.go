package clean

import (
	"context"
	"slices"
	"strings"

	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Sites holds the repetitions on the pages of the sites of some sets.
type Sites struct {
	pages map[*gold.Set]map[string]sitePage // by id
}

// sitePage holds the information about a page from the other pages of its site.
type sitePage struct {
	others int
	blocks []page.Repeats
}

// CountSites counts the repetitions on the sites of a collection of [Collect].
func CountSites(c *gold.Collection) *Sites {
	s := &Sites{map[*gold.Set]map[string]sitePage{}}
	for _, it := range c.Items {
		if it.Page.SitePages == 0 {
			continue
		}
		p := sitePage{others: it.Page.SitePages}
		for i := range it.Page.Blocks {
			p.blocks = append(p.blocks, it.Page.Blocks[i].Repeats)
		}
		if s.pages[it.Set] == nil {
			s.pages[it.Set] = map[string]sitePage{}
		}
		s.pages[it.Set][it.Gold.ID] = p
	}
	return s
}

// Stages returns the stages of a method for the pages of a set, with a stage that sets the
// repetitions inserted after the stage extract.
func (s *Sites) Stages(set *Set, stages []pipeline.Stage) []pipeline.Stage {
	extract := slices.IndexFunc(stages, func(s pipeline.Stage) bool { return strings.HasPrefix(s.Name(), "extract/") })
	return slices.Insert(slices.Clone(stages), extract+1, pipeline.Stage(siteStage(s.pages[set.Set])))
}

type siteStage map[string]sitePage

func (siteStage) Name() string { return "sites of the sets" }

// Do sets the Repeats of the blocks of p.
func (s siteStage) Do(_ context.Context, p *page.Page) error {
	known := s[p.ID]
	if len(known.blocks) != len(p.Blocks) { // divided differently
		return nil
	}
	p.SitePages = known.others
	for i := range p.Blocks {
		p.Blocks[i].Repeats = known.blocks[i]
	}
	return nil
}
