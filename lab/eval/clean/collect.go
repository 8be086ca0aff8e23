package clean

import (
	"context"

	_ "chaffinch/model/data/languages"

	"chaffinch/build/stage"
	"chaffinch/lab/gold"
	"chaffinch/lab/gold/origin"
	_ "chaffinch/model/data/words" // makes every method available
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Collect reads the pages of sets like the standard recipe, up to the labelling of blocks, and
// counts the repetitions on the pages of a site. lang is the language of all pages, "" to detect it
// for each page. before lists stages that precede the stages of the recipe, such as [AsText].
func Collect(ctx context.Context, sets []*Set, lang string, cfg gold.CollectConfig, before ...pipeline.Stage) (*gold.Collection, map[*gold.Item]error, error) {
	steps := stage.Steps(stage.Options{Lang: lang, NoMetadata: true})
	stages, err := stage.Build(steps[:2]) // extract, language
	if err != nil {
		return nil, nil, err
	}
	stages = append(before, stages...)
	of := make([]*gold.Set, len(sets))
	for i, s := range sets {
		of[i] = s.Set
	}
	cfg.Site = origin.Site
	c, failed, err := gold.Collect(ctx, of, func(ctx context.Context, p *page.Page) error {
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
	if err == nil {
		err = c.CountSites("")
	}
	return c, failed, err
}
