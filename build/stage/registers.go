package stage

import (
	"context"
	"encoding/json"
	"sync"

	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/label"
	"chaffinch/text/label/registers"
)

// registersName is the name and behaviour version of the stage.
const registersName = "registers/1"

// registersStage sets the registers of pages.
type registersStage struct {
	model   *label.Model
	scorers *sync.Pool
}

func newRegisters(config json.RawMessage) (pipeline.Stage, error) {
	if err := settings.Apply(config, &struct{}{}); err != nil {
		return nil, err
	}
	m, err := registers.Embedded()
	if err != nil {
		return nil, err
	}
	return registersStage{m, &sync.Pool{New: func() any { return label.NewScorer() }}}, nil
}

// Name returns registersName.
func (registersStage) Name() string { return registersName }

// IgnoresLang reports whether the stage ignores the language of a page: always.
func (registersStage) IgnoresLang() bool { return true }

// Do sets the registers of a page that is not dropped. A page with too little text gets none.
func (s registersStage) Do(_ context.Context, p *page.Page) error {
	p.Registers = nil
	if p.Drop != page.None {
		return nil
	}
	scorer := s.scorers.Get().(*label.Scorer)
	p.Registers = registers.Of(scorer, s.model, p.Text())
	s.scorers.Put(scorer) // not reused after a panic
	return nil
}
