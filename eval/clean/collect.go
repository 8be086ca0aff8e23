package clean

import (
	"context"

	"chaffinch/gold"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/recipe"
)

// Collect reads the pages of sets as the standard recipe does, up to the
// labelling of blocks. lang is the language of all pages, "" for that of each;
// before are stages that come before those of the recipe, such as [AsText].
func Collect(ctx context.Context, sets []*Set, lang string, cfg gold.CollectConfig, before ...pipeline.Stage) (*gold.Collection, map[*gold.Item]error, error) {
	r := recipe.Clean(recipe.CleanOptions{Lang: lang})
	r.Stages = r.Stages[:2] // extract, language
	stages, _, err := r.Build()
	if err != nil {
		return nil, nil, err
	}
	stages = append(before, stages...)
	of := make([]*gold.Set, len(sets))
	for i, s := range sets {
		of[i] = s.Set
	}
	return gold.Collect(ctx, of, func(ctx context.Context, p *page.Page) error {
		for _, st := range stages {
			if p.Drop != page.None {
				return nil
			}
			if err := st.Do(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}, cfg)
}
