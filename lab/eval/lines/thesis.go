package lines

import "slices"

// ThesisRow is a row of table 8 of the thesis: accuracy, mean and standard deviation of three
// trainings of its LSTM, by language and over all languages (""). They are measured on its own test
// parts.
type ThesisRow struct {
	Protocol string
	Lang     map[string][2]float64
}

// thesis holds the rows of table 8.
var thesis = []ThesisRow{
	{Monolingual, map[string][2]float64{"sv": {.92, .001}, "fr": {.84, .005}}},
	{Multilingual, map[string][2]float64{"sv": {.88, .007}, "fr": {.89, .004}, "en": {.89, .01}, "fi": {.86, .004}, "de": {.73, .016}, "es": {.70, .029}, "": {.88, .002}}},
	{ZeroShot, map[string][2]float64{"sv": {.80, .004}, "fr": {.84, .002}, "en": {.71, .005}, "fi": {.85, .002}, "de": {.77, .02}, "es": {.88, .018}}},
}

// thesisLangs lists the languages in the order of table 8.
var thesisLangs = []string{"sv", "fr", "en", "fi", "de", "es"}

// thesisRank returns the position of a language in tables.
func thesisRank(lang string) int {
	if i := slices.Index(thesisLangs, lang); i >= 0 {
		return i
	}
	return len(thesisLangs)
}

// registers lists the upper registers of CORE in the order of the thesis.
var registers = []struct{ Tag, Name string }{
	{"NA", "Narrative"}, {"IN", "Informative"}, {"OP", "Opinion"}, {"HI", "How-to"},
	{"IP", "Informational persuasion"}, {"ID", "Interactive discussion"}, {"SP", "Spoken"}, {"LY", "Lyrical"},
}

// thesisRegisters holds the rows of tables 10 and 11: mean accuracy of the documents of each
// register, in the order of registers; "" is both languages.
var thesisRegisters = map[string]map[string][8]float64{
	Monolingual: {
		"fr": {.92, .89, .86, .87, .82, .88, .87, .75},
		"sv": {.93, .93, .95, .90, .88, .97, .95, .45},
	},
	Multilingual: {
		"fr": {.91, .89, .87, .90, .87, .90, .94, .58},
		"sv": {.91, .90, .94, .88, .86, .93, .93, .64},
		"":   {.91, .90, .91, .89, .86, .91, .93, .60},
	},
}
