package filter_test

import (
	"math"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/registers"
)

// TestRegisters scores an encyclopedia article, a sales page and a short text.
func TestRegisters(t *testing.T) {
	set := must.Get(filter.New(filter.Config{Use: []string{"register"}}))(t)
	if len(set.ModelSums()) != 1 {
		t.Errorf("%d checksums, wanted that of the model", len(set.ModelSums()))
	}
	score := func(text string) map[string]float64 {
		m := map[string]float64{}
		for i, v := range set.Scorer().Score(filter.Text{Whole: text}).Scores {
			m[strings.TrimPrefix(set.Scores()[i], "register.")] = v
		}
		return m
	}
	article := score("Järvi on vedenpinnan peittämä alue, jota ympäröi maa. Järvien syntytapoja on useita. Suomen järvet ovat pääosin syntyneet jääkauden seurauksena. Suurin järvi on Saimaa, jonka pinta-ala on noin 4400 neliökilometriä.")
	shop := score("Köp nu! Våra produkter levereras fraktfritt direkt hem till dig. Beställ idag i vår webbshop och få 20 % rabatt på hela sortimentet. Vi erbjuder trygga betalningar och snabb leverans. Välkommen att kontakta vår kundtjänst.")
	if article["in"] < 1.5*article["na"] || article["in"] < 3*article["ip"] {
		t.Errorf("article: found %v, wanted in", article)
	}
	if shop["ip"] < .5 || shop["ip"] < 2*shop["in"] {
		t.Errorf("sales page: found %v, wanted ip", shop)
	}
	if short := score("Köp nu!"); !math.IsNaN(short["ip"]) {
		t.Errorf("short text: found %v, wanted no score", short)
	}
}
