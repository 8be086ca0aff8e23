package lines

import "slices"

// thesisLangs is the order of the languages in table 8.
var thesisLangs = []string{"sv", "fr", "en", "fi", "de", "es"}

// thesisRank is the place of a language in tables.
func thesisRank(lang string) int {
	if i := slices.Index(thesisLangs, lang); i >= 0 {
		return i
	}
	return len(thesisLangs)
}

// registers are the upper registers of CORE, in the order of the thesis.
var registers = []struct{ Tag, Name string }{
	{"NA", "Narrative"}, {"IN", "Informative"}, {"OP", "Opinion"}, {"HI", "How-to"},
	{"IP", "Informational persuasion"}, {"ID", "Interactive discussion"}, {"SP", "Spoken"}, {"LY", "Lyrical"},
}
