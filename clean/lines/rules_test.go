package lines

import (
	"slices"
	"strings"
	"testing"
)

// TestIngredients: lists of ingredients are text, with the line above them.
func TestIngredients(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		kept        string // + for a line of a list
	}{
		{"sv", "Recept/Gös med dill/4 portioner/2 dl grädde/1 msk senap/½ tsk salt/Potatismos:/800 g potatis/Skriv ut", "-+++++++-"},
		{"attached units", "Botten: 9 skivor bröd/2st ägg/1dl dill/100g räkor/1 huvud sallad/Adress", "+++++-"},
		{"de", "Anmelden/Für 4 Personen/- 750 g Kartoffeln/- 1 Zwiebel/- 1 EL Butter/Salz/Einlage:/- 150 g Speck/Drucken", "-+++++++-"},
		{"fr", "Pour 6/1 kg de courgettes/2 œufs/20 cl de crème/1 c. à soupe d'huile/Imprimer", "+++++-"},
		{"two measures", "Recept/2 dl grädde/1 msk senap/Skriv ut", "----"},
		{"prices", "Kaffee/500 g Bohnen 9,99 €/250 g Bohnen 5,99 €/100 g Bohnen 2,99 €", "----"},
		{"prices between", "4oz glass/6oz glass/4oz $3.00/8oz glass/12oz glass/8oz $5.00", "------"},
		{"sizes", "Grösse/100 g/250 g/500 g/1 kg", "-----"},
		{"stock", "Lampa/12 st i lager/Bord/3 st i lager/Stol/5 st i lager/Matta/1 st i lager/Hylla", "---------"},
		{"results", "1 Malmö/2 Lund/3 Ystad/4 Kivik", "----"},
	} {
		lines := strings.Split(c.lines, "/")
		odds := slices.Repeat([]float32{-3}, len(lines))
		keepIngredients(odds, lines)
		if got := signs(odds, func(z float32) bool { return z == ingredientOdds }); got != c.kept {
			t.Errorf("%s: kept %s, want %s", c.name, got, c.kept)
		}
	}
}

// TestCounters: numbers of paragraphs are boilerplate.
func TestCounters(t *testing.T) {
	for _, c := range []struct{ name, lines, counters string }{
		{"paragraphs", "Title/1/Text./2/Text./§ 12/Text./4/Text./|5|/Text.", "-+-+---+-+-"},
		{"a year between", "7/Text./8/2011/9/10", "------"},
		{"years", "2011/2012/2013/2014", "++++"},
		{"scores", "3/0/1/1/2/2/0", "-------"},
		{"three", "1/Text./2/Text./3", "-----"},
		{"long numbers", "10001/10002/10003/10004", "----"},
	} {
		lines := strings.Split(c.lines, "/")
		odds := slices.Repeat([]float32{3}, len(lines))
		demoteCounters(odds, lines)
		if got := signs(odds, func(z float32) bool { return z == counterOdds }); got != c.counters {
			t.Errorf("%s: counters %s, want %s", c.name, got, c.counters)
		}
	}
}

// signs returns + for each value for which in returns true, and - for the others.
func signs(odds []float32, in func(z float32) bool) string {
	var b strings.Builder
	for _, z := range odds {
		b.WriteByte("-+"[map[bool]int{true: 1}[in(z)]])
	}
	return b.String()
}
