package stage

import (
	"context"
	"encoding/json"
	"sync"

	"chaffinch/filter"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// excludeName is the name and behaviour version of the stage.
const excludeName = "exclude/1"

// excludeStage drops pages by their addresses, before anything is read from them.
type excludeStage struct{ scorers *sync.Pool }

func newExclude(config json.RawMessage) (pipeline.Stage, error) {
	cfg := filter.Config{Use: []string{"addresses"}}
	if err := settings.Apply(config, &cfg.Addresses); err != nil {
		return nil, err
	}
	set, err := filter.New(cfg)
	if err != nil {
		return nil, err
	}
	return excludeStage{&sync.Pool{New: func() any { return set.Scorer() }}}, nil
}

// Name returns excludeName.
func (excludeStage) Name() string { return excludeName }

// Do drops p if its address is listed.
func (s excludeStage) Do(_ context.Context, p *page.Page) error {
	scorer := s.scorers.Get().(*filter.Scorer)
	defer s.scorers.Put(scorer)
	if _, d, drop := scorer.Judge(filter.Text{URL: p.URL}); drop {
		d.Explanation = scorer.Explain(d)
		p.Drop, p.Rule = page.Filtered, d.String()
	}
	return nil
}
