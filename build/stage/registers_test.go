package stage_test

import (
	"context"
	"slices"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/registers"
	"chaffinch/page"
)

// TestRegisters finds the registers of kept text only.
func TestRegisters(t *testing.T) {
	stages := must.Get(stage.Build([]stage.Step{{Stage: "registers"}}))(t)
	shop := page.Block{Text: "Köp nu! Våra produkter levereras fraktfritt direkt hem till dig. Beställ idag i vår webbshop och få 20 % rabatt på hela sortimentet. Vi erbjuder trygga betalningar och snabb leverans. Välkommen att kontakta vår kundtjänst.", Verdict: page.Verdict{Label: page.Good}}
	for _, c := range []struct {
		name  string
		drop  page.Reason
		label page.Label
		want  []string
	}{
		{"kept", page.None, page.Good, []string{"IP", "IP/ds"}},
		{"dropped", page.AllBad, page.Good, nil},
		{"no kept text", page.None, page.Bad, nil},
	} {
		b := shop
		b.Label = c.label
		p := &page.Page{Drop: c.drop, Blocks: []page.Block{b}, Registers: []string{"NA"}}
		must.Succeed(t, stages[0].Do(context.Background(), p))
		if !slices.Equal(p.Registers, c.want) {
			t.Errorf("%s: found %q, wanted %q", c.name, p.Registers, c.want)
		}
	}
}
